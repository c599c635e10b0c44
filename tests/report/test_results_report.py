"""The report on results: its numbers are the studies', its sentences are true of them."""

from __future__ import annotations

import re
from dataclasses import replace

import polars as pl
import pytest
from killcurve.charts.words import percent
from killcurve.cli import app
from killcurve.report.document import Table
from killcurve.report.results import results_report
from killcurve.report.results_parts import parts
from killcurve.report.writing import write
from killcurve.sources.results import read_results
from killcurve.study.meta.everything import study_results
from killcurve.tables.dataset import DataError
from lxml import html
from polars.testing import assert_frame_equal
from typer.testing import CliRunner

from tests.report import inventing
from tests.report.conftest import LONERS, SLATE


@pytest.fixture(scope="module")
def meta(read):
    return study_results(read.games, read.standings, [SLATE])


@pytest.fixture(scope="module")
def tables(written):
    """Rows of the page's tables by the table's caption."""
    tree = html.fromstring(written.page)
    found = {}
    for region in tree.xpath("//div[@role='region'][.//table]"):
        rows = [[cell.text_content() for cell in row] for row in region.xpath(".//tbody/tr")]
        found[region.get("aria-label").rpartition(", table")[0]] = rows
    return found


def shown_percent(share):
    """A share as a cell has it: a tenth of a per cent, and more digits where it is almost none."""
    return percent(share, 1).replace(" ", "\u00a0")


def test_win_rates_on_the_page_are_the_studys(tables, meta):
    rows = {row[0]: row for row in tables["Win rates of all factions, draws as half a win"]}
    assert set(rows) == set(meta.win_rates["faction"])
    for row in meta.win_rates.rows(named=True):
        shown = rows[row["faction"]]
        assert shown[1] == str(row["games"])
        assert (shown[2] == "too few") == (not row["enough"])
        assert shown[3] == f"{row['wins']}–{row['draws']}–{row['losses']}"
        assert shown[4] == str(row["mirrors"])
        assert shown[5:7] == [shown_percent(row[c]) for c in ("rate", "shrunk")]
        assert shown[7] == f"{100 * row['low']:.1f}–{100 * row['high']:.1f}\u00a0%"
        wanted = (
            "–"
            if row["p_holm"] is None
            else "< 0.001"
            if row["p_holm"] < 0.001
            else f"{row['p_holm']:.3f}"
        )
        assert shown[10] == wanted
    names = [row[0] for row in tables["Win rates of all factions, draws as half a win"]]
    order = meta.win_rates.sort(["enough", "shrunk"], descending=True)["faction"].to_list()
    assert names == order


def test_other_tables_are_the_studys(tables, meta):
    starts = {row[0]: row for row in tables["Over-representation among 4-0 starts"]}
    for row in meta.starts.rows(named=True):
        assert starts[row["faction"]][1] == str(row["players"])
        assert starts[row["faction"]][5] == f"{row['ratio']:.2f}"
    pooled = {(row[0], row[1]): row for row in tables["Win rates pooled over events, in two ways"]}
    assert len(pooled) == meta.pooled.height
    for row in meta.pooled.rows(named=True):
        shown = pooled[row["faction"], row["method"]]
        assert shown[5] == shown_percent(row["rate"])
        if row["predict_low"] is not None:
            assert (
                shown[7] == f"{100 * row['predict_low']:.1f}–{100 * row['predict_high']:.1f}\u00a0%"
            )
        assert shown[8] == f"{row['tau2']:.3f}"
    changes = {row[0]: row for row in tables["Win rates before and after each date"]}
    for row in meta.changes.drop_nulls("change").rows(named=True):
        shown = changes[row["faction"]]
        assert float(shown[7].replace("−", "-")) == pytest.approx(100 * row["change"], abs=0.051)
    skill = {row[0]: row[6] for row in tables["Win rates with players' skill allowed for"]}
    for row in meta.skill.factions.rows(named=True):
        assert skill[row["faction"]] == shown_percent(row["rate"])


def test_numbers_of_the_folder_are_the_studys(written, meta):
    for name in (
        "win-rates",
        "shares",
        "event-rates",
        "pooled",
        "starts",
        "matchups",
        "windows",
        "changes",
    ):
        kept = pl.read_parquet(written.folder / "data" / f"{name}.parquet")
        assert_frame_equal(kept, getattr(meta, name.replace("-", "_")), rel_tol=1e-9)
        assert pl.read_csv(written.folder / "data" / f"{name}.csv").height == kept.height


def test_the_summary_names_the_best_with_enough_games(written, meta):
    enough = meta.win_rates.filter("enough").sort("shrunk", descending=True)
    assert (
        meta.win_rates.sort("rate", descending=True)["faction"][0] == LONERS
    )  # who must not be named
    summary = " ".join(written.report.summary)
    best, worst = enough.row(0, named=True), enough.row(-1, named=True)
    for row in (best, worst):
        assert f"{row['faction']} ({100 * row['shrunk']:.0f} % of {row['games']} games" in summary
        assert f"{100 * row['low']:.0f} % to {100 * row['high']:.0f} %" in summary
    assert (
        f"{best['faction']} ({100 * best['shrunk']:.0f} %" in summary.partition("stands highest")[0]
    )
    assert LONERS not in summary
    assert all(LONERS not in figure.chart.title for figure in written.report.figures)


def test_the_summary_calls_findings_what_holm_leaves(written, meta):
    found = meta.win_rates.filter(pl.col("p_holm") < 0.05)
    above = found.filter(pl.col("rate") > 0.5).sort("rate", descending=True)["faction"].to_list()
    below = found.filter(pl.col("rate") < 0.5).sort("rate")["faction"].to_list()
    assert above
    assert below
    alone = meta.win_rates.filter((pl.col("p") < 0.05) & (pl.col("p_holm") >= 0.05))
    assert alone.height  # what looks like a finding if no other test is thought of
    tested = meta.win_rates["p"].drop_nulls().len()
    sentence = next(s for s in written.report.summary if s.startswith(f"With {tested} tests"))
    more, _, less = sentence.partition("more than half")
    for name in meta.win_rates["faction"]:
        assert (name in more) == (name in above)
        assert (name in less) == (name in below)


def test_without_findings_none_is_claimed(read):
    """The same games with their results turned at random."""
    even = [1.0, 0.0]
    games = read.games.with_columns(
        result=pl.Series([even[n % 2] for n in range(read.games.height)])
    )
    part = parts(replace(read, games=games))[0]
    assert part.meta.win_rates["p_holm"].drop_nulls().min() > 0.05
    told = results_report(replace(read, games=games)).summary
    assert any("no faction's win rate can be told from one half" in sentence for sentence in told)


def test_rows_read_and_set_aside_are_counted(written, tables):
    counts = written.read.counts()
    assert counts["set_aside"] >= 3
    assert counts["other_side"] == 1
    shown = tables["Rows of each file"][0]
    told = [f"{counts[name]:,}" for name in ("read", "kept", "other_side", "set_aside")]
    assert shown == ["games.csv", *told]
    reasons = {row[1]: row[2] for row in tables["Rows set aside or mended, and why"]}
    for reason, number in counts["reasons"].items():
        assert reasons[reason] == str(number)
    assert any("contradict" in reason for reason in reasons)
    assert any("Moon Moles" in row[0] for row in tables["Unknown names, and other warnings"])
    columns = tables["Columns, and what they were taken as"]
    assert any(row[2] == "detachment" and "nothing can be said" in row[3] for row in columns)


def test_tests_are_counted(tables, meta):
    rows = {row[0]: row[1:] for row in tables["Tests made, and what is left of them"]}
    p = meta.win_rates["p"].drop_nulls()
    shown = rows["Does a faction win other than half?"]
    assert shown[:2] == [str(p.len()), str((p < 0.05).sum())]
    once = meta.matchups.filter(pl.col("faction") < pl.col("opponent_faction"))["p"].drop_nulls()
    assert rows["Does a match-up differ from what strengths promise?"][0] == str(once.len())


def test_no_player_is_named_in_any_file(written):
    names = {name for name in pl.read_csv(written.table)["Player"] if name}
    assert len(names) > 20
    word = inventing.PLAYER.split()[1].encode().lower()
    files = [path for path in written.folder.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} >= {
        ".html",
        ".pdf",
        ".svg",
        ".png",
        ".csv",
        ".parquet",
        ".txt",
    }
    for path in files:
        assert word not in path.read_bytes().lower(), path
        if path.suffix == ".parquet":  # compressed: names are looked for in what is read
            frame = pl.read_parquet(path)
            assert not {"player", "opponent"} & set(frame.columns)
            assert word.decode() not in str(frame.to_dicts()).lower()


def test_editions_are_not_mixed(tmp_path):
    made = inventing.rows(list(inventing.STRENGTHS), players=12)
    head = (*inventing.HEAD, "Edition")
    rows = [[*row, "10e" if row[0] < "2026-09-10" else "11e"] for row in made]
    read = read_results([inventing.write(tmp_path / "two.csv", rows, head)])
    report = results_report(read)
    assert "several editions" in report.summary[0]
    assert [part.edition for part in parts(read)] == ["11e", "10e"]
    eleventh = read.games.filter(edition="11e")
    alone = study_results(eleventh, read.standings).win_rates
    assert_frame_equal(report.frames["11e-win-rates"], alone, rel_tol=1e-9)
    assert {section.heading for section in report.sections} >= {
        "11th edition: Win rates", "10th edition: Win rates"
    }  # fmt: skip


def test_records_without_games(tmp_path):
    rows = [
        [
            f"{inventing.PLAYER} {n} of {i}",
            f"Open {n % 4}",
            faction,
            str((n * 7 + i) % 6),
            str(5 - (n * 7 + i) % 6),
            "0",
        ]
        for i, faction in enumerate(inventing.STRENGTHS)
        for n in range(20)
    ]
    head = ("Player", "Event", "Faction", "Wins", "Losses", "Draws")
    read = read_results([inventing.write(tmp_path / "records.csv", rows, head)], edition="11e")
    report = results_report(read, today=SLATE)
    headings = [section.heading for section in report.sections]
    assert "Win rates" in headings
    assert "Match-ups" not in headings
    assert f"read on {SLATE}" in report.source
    assert any("no games" in text for section in report.sections for text in section.paragraphs)


def test_a_stopped_report_leaves_the_older_one(written, tmp_path):
    out = tmp_path / "report"
    small = replace(written.report, sections=written.report.sections[-1:], frames={})
    write(small, out, pdf=False)
    before = (out / "index.html").read_bytes()

    def stop(_: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(written.report, out, stop, pdf=False)
    assert (out / "index.html").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


def test_a_folder_that_is_no_report_stays(written, tmp_path):
    for name in ("own.txt", "index.html"):  # a page of somebody else is no report either
        folder = tmp_path / name
        folder.mkdir()
        (folder / name).write_text("mine")
        with pytest.raises(DataError, match="is no report"):
            write(written.report, folder, pdf=False)
        assert [path.name for path in folder.iterdir()] == [name]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["index.html", "own.txt"]


def test_links_lead_to_files_of_the_folder(written):
    tree = html.fromstring(written.page)
    links = [*tree.xpath("//a/@href"), *tree.xpath("//img/@src")]
    ids = set(tree.xpath("//@id"))
    assert len(ids) == len(tree.xpath("//@id"))
    for link in links:
        if link.startswith("#"):
            assert link[1:] in ids
        elif not link.startswith("data:image/svg+xml;base64,"):
            assert (written.folder / link).is_file(), link


def test_by_shell(tmp_path):
    bad = CliRunner().invoke(app, ["report", "results", str(tmp_path / "none.csv")])
    assert isinstance(bad.exception, DataError)
    (tmp_path / "mine").write_text("")
    for verb in ("results", "linked"):  # said before anything is read
        taken = ["report", verb, str(tmp_path / "none.csv"), "--out", str(tmp_path)]
        assert "is no report" in str(CliRunner().invoke(app, taken).exception)
    told = CliRunner().invoke(app, ["report", "results", "--help"]).output
    for option in ("--map", "--since", "--dataslate", "--edition", "--data", "--out", "--no-pdf"):
        assert option in re.sub(r"\x1b\[[0-9;]*m", "", told)


def test_tables_are_never_without_rows(written):
    tables = [table for section in written.report.sections for table in section.tables]
    assert all(isinstance(table, Table) and table.frame.height for table in tables)


def test_pictures_claim_no_more_than_their_titles(written):
    """The charts' own titles tell of intervals that hold for one faction at a time."""
    for figure in written.report.figures:
        assert figure.chart.alt.startswith(figure.chart.title)
        assert "beyond doubt" not in figure.chart.alt, figure.stem
        assert "most clearly" not in figure.chart.alt, figure.stem

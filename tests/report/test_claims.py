"""What reports claim beside their numbers: sums, what is omitted, addresses, and their print."""

from __future__ import annotations

import base64
import re
import zlib
from contextlib import suppress
from dataclasses import replace

import polars as pl
import pytest
from killcurve.report import army_words, editions, matchup_numbers, unit_numbers, writing
from killcurve.report import field as fields
from killcurve.report.account import panel
from killcurve.report.document import Column, Report, Section, Table
from killcurve.report.faction_rules import stratagems
from killcurve.report.faction_words import left_over
from killcurve.report.meta import _left_over as left_over_of_the_game
from killcurve.report.page import as_page
from killcurve.report.printing import _opened
from killcurve.study.armed import combatant, used_against
from killcurve.study.matchup import Circumstances, engage
from lxml import etree, html

ALLOWED = re.compile(r"#|data:image/(?:png|svg\+xml);base64,|charts/|data/")
"""What an address on a page may begin with."""

# Sums over both states of the rules


@pytest.fixture(scope="module")
def compared(dataset):
    few = dataset.target_profiles.head(2)
    small = replace(dataset, tables={**dataset.tables, "target_profiles": few})
    return small, editions.editions_report(small, ["Boyz"])


def test_both_states_are_those_of_the_attack(compared):
    """Each number is that of the same lines, attacked with under that edition's rules."""
    data, made = compared
    unit, others = combatant(data, "Boyz"), {other.name: other for other in panel(data)}
    rows = made.frames["changes"].filter(pl.col("change").is_not_null())
    assert rows.height >= 4
    for row in rows.rows(named=True):
        flags, target = editions.PLACES[row["where"]], others[row["target"]].target
        now = Circumstances(edition="11e", flags=flags)
        lines = used_against(unit, row["phase"], target, now)
        for state in ("10e", "11e"):
            out = engage(unit.attacker, lines, target, replace(now, edition=state)).outcome
            assert row[f"damage_{state}"] == pytest.approx(out.damage.mean, abs=1e-9)
            assert row[f"destroyed_{state}"] == pytest.approx(out.destroyed, abs=1e-9)
        assert row["change"] == pytest.approx(row["damage_11e"] - row["damage_10e"], abs=1e-12)


def test_rules_and_the_counts_of_the_summary_add_up(compared):
    made = compared[1]
    found, rules = made.frames["changes"], made.frames["rules"]
    by = editions.through(rules)
    assert (by["mean"] * by["matchups"]).sum() == pytest.approx(found["change"].sum(), abs=1e-9)
    assert by["matchups"].sum() == rules.height
    assert by["size"].is_sorted(descending=True)
    counts = re.match(r"Of (\d+) match-ups (\d+) do .*, (\d+) less, and (\d+) the", made.summary[0])
    total, *parts = map(int, counts.groups())
    assert total == sum(parts) == found.height


def test_a_rule_that_pushes_both_ways_does_not_cancel_out():
    key = {"faction": "A", "unit": "B", "target": "C", "phase": "fight", "where": "in the open"}
    rows = [("Cover", 1.0), ("Cover", -1.0), ("Blast", 0.5)]
    frame = pl.DataFrame(
        [{**key, "rule": rule, "says": "now", "damage": change} for rule, change in rows],
        schema=editions.RULES,
    )
    by = editions.through(frame)
    columns = ("rule", "matchups", "mean", "least", "most", "size")
    assert by.select(columns).rows() == [
        ("Cover", 2, 0.0, -1.0, 1.0, 2.0),
        ("Blast", 1, 0.5, 0.5, 0.5, 0.5),
    ]


# What is omitted


def field_of(**names) -> fields.Field:
    nothing = pl.DataFrame()
    lists = {"unarmed": (), "bare": (), "unpriced": (), **names}
    units = (("Moles", "Digger"), ("Moles", "Mound"), ("Moles", "Worm"))
    return fields.Field(units, nothing, nothing, nothing, nothing, **lists)


def test_units_that_are_omitted_are_named_with_the_reason():
    found = field_of(unarmed=("Mound", "Mound"), bare=("Worm",), unpriced=("Worm", "Digger"))
    assert left_over(found) == (
        "Not ranked, without a cost in the data, or with one of nought: Digger and Worm.",
        "Not ranked, without weapons in the data: Mound.",
        "Not ranked, without a stat line in the data: Worm.",
    )
    assert left_over(field_of()) == ()
    assert left_over_of_the_game(found) == (
        "Of 3 units, 2 have no cost above nought in the data, 2 no weapons and 1 no stat line: "
        "they are not ranked where that is needed.",
    )


def test_a_report_tells_which_units_it_omits(dataset):
    from killcurve.report.faction import faction_report

    few = dataset.target_profiles.head(1)
    kept = pl.col("datasheet").is_in(["Boyz", "Nobz", "Gretchin"]) & (pl.col("faction") == "Orks")
    panelled = pl.col("datasheet").is_in(few["datasheet"].implode())
    tables = {
        name: frame.filter(kept | panelled) if "datasheet" in frame.columns else frame
        for name, frame in dataset.tables.items()
    }
    free = tables["points"].filter(pl.col("datasheet") != "Nobz")
    bare = tables["models"].filter(pl.col("datasheet") != "Gretchin")
    tables |= {"points": free, "models": bare, "target_profiles": few}
    made = faction_report(replace(dataset, tables=tables), "Orks")
    section = next(s for s in made.sections if s.heading == "What is not computed")
    told = " ".join(section.paragraphs)
    assert "Not ranked, without a cost in the data, or with one of nought: Nobz." in told
    assert "Not ranked, without a stat line in the data: Gretchin." in told
    assert "Nobz" not in made.frames["attack"]["unit"]
    assert "Gretchin" not in made.frames["durability"]["unit"]


# Addresses


def test_no_picture_asks_for_anything(written):
    tree = html.fromstring(written.page)
    pictures = tree.xpath("//img/@src")
    assert len(pictures) == len(written.report.figures) > 5
    for address in tree.xpath("//@src | //@href | //@srcset | //@data | //@poster"):
        assert ALLOWED.match(address), address[:80]
    for picture in pictures:
        head, _, body = picture.partition(";base64,")
        assert head == "data:image/svg+xml"
        drawn = etree.fromstring(base64.b64decode(body, validate=True))
        for element in drawn.iter(etree.Element):
            for name, value in element.attrib.items():
                asks = etree.QName(name).localname in ("href", "src")
                inside = value.startswith(("#", "data:image/png;base64,"))
                assert inside or not asks, (element.tag, name, value[:80])
                assert not re.search(r"url\((?!#)", value), value[:80]
            assert not re.search(r"@import|url\((?!#)", element.text or "")


# Words


def test_changes_have_a_real_minus(compared):
    made = compared[1]
    told = " ".join(made.summary)
    shown = " ".join(made.frames["changes"]["rules"].drop_nulls())
    assert re.search(r"\(−\d", shown)
    assert not re.search(r"(?<!\w)-\d", f"{told} {shown}")


def test_weak_match_ups_are_the_weakest():
    rows = [
        ("fight", 1, "Moles", 5.0, 0.5), ("fight", 2, "Owls", 9.0, 0.9),
        ("0–6", 1, "Owls", 8.0, 0.8), ("6–12", 1, "Bats", 3.0, 0.3),
        ("12–18", 1, "Moles", 0.0, 0.0), ("12–18", 2, "Owls", 0.0, 0.0),
    ]  # fmt: skip
    columns = ["band", "weakness", "target", "points_of_wounds_per_100", "ratio"]
    weak = pl.DataFrame(rows, schema=columns, orient="row")
    assert list(army_words._weak(weak)) == [
        "Measured by the panel it is weakest against Moles in a fight (0.50 times what the panel "
        "does) and Bats at 6–12″ (0.30 times what the panel does).",
        "It does nothing at all at 12–18″.",
    ]
    assert list(army_words._weak(weak.clear())) == []


def test_rules_are_weighed_where_they_can_tell():
    """Nothing adds to an attack that destroys its target anyway."""
    rows = [("Moles", 44.0, 0.999, True), ("Owls", 43.0, 0.48, True), ("Bats", 43.5, 0.1, False)]
    columns = ["target", unit_numbers.PER_100, "destroyed", "best"]
    found = pl.DataFrame(rows, schema=columns, orient="row").with_columns(attacker=pl.lit("A"))
    best, _ = unit_numbers._extremes(found)
    assert best["target"] == "Moles"
    assert unit_numbers.telling(found, best)["target"] == "Owls"
    assert unit_numbers.telling(found.head(1), best)["target"] == "Moles"
    assert unit_numbers.telling(found.clear(), None) is None


def test_circumstances_are_told_in_words():
    worth = pl.DataFrame(
        {"effects": [["hit +1"], ["snap shooting"]], "assumes": [["target_on_objective"], []]},
        schema_overrides={"assumes": pl.List(pl.String)},
    )
    assert unit_numbers.comparable(worth)["assumes"].to_list() == [["target on objective"]]


def test_an_exchange_has_the_names_of_the_report(dataset):
    pair = [combatant(dataset, "Boyz", models=20, label="Boyz (20)")]
    pair.append(combatant(dataset, "Intercessor Squad"))
    found = matchup_numbers.exchanges(dataset, *pair, lambda _: None).summary
    names = {"Boyz (20)", "Intercessor Squad"}
    assert set(found["unit"]) == set(found["first"]) == names


# The print


def printed_words(page: str) -> tuple[int, str]:
    """How many pages weasyprint makes of a page, and the words on them."""
    weasyprint = pytest.importorskip("weasyprint", exc_type=(ImportError, OSError))
    pages = weasyprint.HTML(string=_opened(page)).render().pages
    boxes = (box for one in pages for box in one._page_box.descendants())
    words = " ".join(box.text for box in boxes if hasattr(box, "text"))
    return len(pages), " ".join(words.split())


def pages_of(pdf: bytes) -> int:
    parts = [pdf]
    for part in re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL):
        with suppress(zlib.error):
            parts.append(zlib.decompressobj().decompress(part))
    return sum(len(re.findall(rb"/Type\s*/Page\b", part)) for part in parts)


def test_the_print_has_the_words_of_the_summary(monkeypatch, tmp_path):
    given = []
    own = writing.as_pdf
    monkeypatch.setattr(writing, "as_pdf", lambda page: given.append(page) or own(page))
    summary = ("Moles dig deepest of all: 12.5 wounds for each 100 points.", "Owls see it & wait.")
    sections = tuple(Section(f"Part {n}", ("A mole digs. " * 400,)) for n in range(3))
    report = Report("Moles in print", summary, sections, ("By hand.",), "none of 2026-01-01")
    page = writing.write(report, tmp_path / "report")
    pdf = (page.parent / "report.pdf").read_bytes()
    assert pdf.startswith(b"%PDF-")
    assert pdf.rstrip().endswith(b"%%EOF")
    count, words = printed_words(given[0])
    assert pages_of(pdf) == count >= 3
    for sentence in (report.title, *summary, "Part 2", "By hand."):
        assert sentence in words


def test_no_table_runs_off_the_paper():
    weasyprint = pytest.importorskip("weasyprint", exc_type=(ImportError, OSError))
    rule = "the mole is under the ground"
    names = [f"c{n}" for n in range(9)]
    rows = {name: ["Diggers of the Deep", "Moles"] for name in names}
    frame = pl.DataFrame({**rows, "span": ["43.1–52.0 %"] * 2, "rule": [rule] * 2})
    columns = [Column(name, name) for name in frame.columns]
    section = Section("Wide", (), (), (Table("Wide", frame, tuple(columns)),))
    report = Report("Wide", ("Nothing.",), (section,), (), "none of 2026-01-01")
    pages = weasyprint.HTML(string=_opened(as_page(report, {}, "0"))).render().pages
    boxes = [box for page in pages for box in page._page_box.descendants()]
    right = pages[0].width - 50  # of a margin of 14 mm
    tables = [box for box in boxes if type(box).__name__ == "TableBox"]
    assert tables
    assert all(table.position_x + table.width <= right for table in tables)
    texts = [box.text for box in boxes if hasattr(box, "text")]
    assert "43.1–52.0\u00a0%" in texts  # not broken in two


def test_without_a_printer_that_is_told(monkeypatch, tmp_path):
    def none(*_):
        raise writing.NoPrinter("nothing prints here")

    monkeypatch.setattr(writing, "as_pdf", none)
    told = []
    report = Report("Moles", ("Nothing.",), (), (), "none of 2026-01-01")
    page = writing.write(report, tmp_path / "report", told.append)
    assert page.is_file()
    assert not (page.parent / "report.pdf").exists()
    assert any("nothing prints here" in step and "install" in step for step in told)


def test_what_is_taken_to_hold_is_that_of_the_unit_that_gains_most():
    """Units may assume contrary things: those of one of them are told, never both."""
    asked = {
        "kind": "stratagem", "name": "DIG", "detachment": "", "side": "attacker", "cp": 1,
        "reroll": 0.1, "own_per_100": None,
    }  # fmt: skip
    rows = [
        {**asked, "unit": unit, "gain_points_removed_per_cp": gain, "gain_points_removed": gain,
         "assumes": [assumed]}
        for unit, gain, assumed in (("Moles", 2.0, "not riled up"), ("Voles", 3.0, "riled up"))
    ]  # fmt: skip
    schema = {"assumes": pl.List(pl.String), "own_per_100": pl.Float64}
    for turned in (rows, rows[::-1]):
        found = stratagems(pl.DataFrame(turned, schema_overrides=schema)).row(0, named=True)
        assert (found["best"], found["best_gain"]) == ("Voles", 3.0)
        assert (found["assumes"], found["helps"]) == (["riled up"], 2)

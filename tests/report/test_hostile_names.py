"""Names of any form cannot break a page, nor put anything into it that runs."""

from __future__ import annotations

import re
from dataclasses import replace

import polars as pl
import pytest
from killcurve.charts.bars import ranked_bars
from killcurve.report.document import Column, Figure, Report, Section, Table
from killcurve.report.results import results_report
from killcurve.report.writing import write
from killcurve.sources.results import read_results
from lxml import html

from tests.report import inventing

SCRIPT = "<script>alert('moles')</script>"
ATTRIBUTE = '" onload="alert(1)" title="\'><img src=x onerror=alert(2)>'
NAMES = [
    SCRIPT,
    ATTRIBUTE,
    "\u202eselom dekcits \u05e9\u05dc\u05d5\u05dd",
    "Moles 💀👩‍👩‍👧 {{ 7*7 }} {% raw %} &amp; &lt;",
    "Mole" * 50,
    "$x^2$ \x07 \\textbf{Moles} ]]> --> <!--",
]
RUNS = ("script", "iframe", "object", "embed", "link", "base", "form", "meta[@http-equiv]")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    rows = inventing.rows(NAMES, players=24, rounds=5)
    for row in rows:
        row[1] = {"Open 1": SCRIPT, "Open 2": ATTRIBUTE, "Open 3": ""}.get(row[1], row[1])
        row[3] = row[3].replace(inventing.PLAYER, SCRIPT)
    rows += [["2026-08-22", "Open 1", "1", "", "", "", "", "W"]]
    path = inventing.write(tmp_path_factory.mktemp("tables") / "<b>moles'\".csv", rows)
    report = results_report(read_results([path], edition="11e"))
    out = tmp_path_factory.mktemp("out") / "report"
    # Names of factions and events, but not every chart: each takes a second.
    write(replace(report, sections=(*report.sections[:3], report.sections[-1])), out)
    return out


@pytest.fixture(scope="module")
def page(folder):
    return (folder / "index.html").read_text(encoding="utf-8")


def check_nothing_runs(page: str) -> html.HtmlElement:
    tree = html.fromstring(page)
    for name in RUNS:
        assert not tree.xpath(f"//{name}"), name
    for element in tree.iter():
        for name, value in element.attrib.items():
            assert not name.startswith("on"), (element.tag, name)
            if name in ("href", "src", "srcset", "action"):
                assert re.match(r"#|data:image/|charts/|data/", value), value
    return tree


def test_nothing_of_a_name_runs(page):
    tree = check_nothing_runs(page)
    assert len(tree.xpath("//img")) == page.count("<img ")
    assert any(SCRIPT in img.get("alt") for img in tree.xpath("//img"))  # an event's name
    assert all(img.get("src").startswith("data:image/svg+xml") for img in tree.xpath("//img"))


def test_names_stand_there_as_they_are(page):
    tree = html.fromstring(page)
    cells = {cell.text_content() for cell in tree.xpath("//tbody//td")}
    assert SCRIPT in cells
    assert ATTRIBUTE in cells
    assert any("💀" in cell and "{{ 7*7 }}" in cell for cell in cells)
    assert any(cell.startswith("MoleMole") and cell.endswith("…") for cell in cells)
    assert any("\\textbf{Moles}" in cell for cell in cells)
    assert "\x07" not in page


def test_directions_of_a_name_end_with_its_cell(page):
    """A sign that turns the direction of writing does not turn the numbers behind it."""
    assert "selom dekcits" in page
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", page)
    style = html.fromstring(page).xpath("//style")[0].text
    assert re.search(r"td[^{]*\{[^}]*unicode-bidi: isolate", style)


def test_the_folder_is_whole(folder):
    assert (folder / "report.pdf").read_bytes().startswith(b"%PDF-")
    for path in folder.rglob("*"):
        assert re.fullmatch(r"[A-Za-z0-9.-]+", path.name), path.name
        assert path.suffix != ".svg" or b"<script" not in path.read_bytes()


@pytest.mark.parametrize("name", ["", " ", *NAMES])
def test_every_place_of_a_page_takes_any_name(name, tmp_path):
    frame = pl.DataFrame({"unit": [name, "Mole"], "value": [1.0, 0.5]})
    chart = ranked_bars(frame, name="unit", value="value", measure=name)
    table = Table(
        name, frame, (Column("unit", name), Column("value", name + "!", "number")), note=name
    )
    sections = [
        Section(name, (name,), (Figure("only", chart),) if n == 0 else (), (table,))
        for n in range(3)
    ]
    report = Report(name, (name,), tuple(sections), (name,), f"{name} of 2026-01-01", {"n": frame})
    page = write(report, tmp_path / "report", pdf=False).read_text(encoding="utf-8")
    tree = check_nothing_runs(page)
    assert len(tree.xpath("//table")) == 3
    ids = tree.xpath("//@id")
    assert len(ids) == len(set(ids))

"""The report on units: whole, self-contained, replaced in one step."""

from __future__ import annotations

import re

import polars as pl
import pytest
from killcurve.report.units import write_report
from killcurve.tables.dataset import DataError


@pytest.fixture(scope="module")
def report(dataset, tmp_path_factory):
    out = tmp_path_factory.mktemp("out") / "report"
    return write_report(dataset, ["Royal Warden", "Raider"], out).parent


def test_every_part_is_there(report):
    names = {p.relative_to(report).as_posix() for p in report.rglob("*") if p.is_file()}
    for stem in (
        "efficiency",
        "survival-royal-warden",
        "stratagems-royal-warden",
        "survival-raider",
    ):
        assert {f"charts/{stem}.svg", f"charts/{stem}.png", f"charts/{stem}.csv"} <= names
    for name in ("efficiency", "stratagems"):
        frame = pl.read_parquet(report / "data" / f"{name}.parquet")
        assert len(pl.read_csv(report / "data" / f"{name}.csv")) == frame.height > 0


def test_the_page_is_whole_and_asks_nobody(report):
    page = (report / "index.html").read_text(encoding="utf-8")
    for link in re.findall(r'(?:src|href)="([^"]+)"', page):
        assert "//" not in link
        assert (report / link).is_file()
    images = re.findall(r"<img [^>]*>", page)
    assert images
    assert all(re.search(r'alt="[^"]{20,}"', image) for image in images)
    assert "wh40kdc" in page
    assert "CC BY 4.0" in page


def test_a_wrong_name_leaves_the_old_report(dataset, report):
    before = (report / "index.html").read_bytes()
    with pytest.raises(DataError, match="did you mean 'Raider'"):
        write_report(dataset, ["Raiderr"], report)
    assert (report / "index.html").read_bytes() == before
    assert [p.name for p in report.parent.iterdir()] == ["report"]


def test_an_older_report_is_replaced(dataset, report):
    (report / "stray").write_text("")
    write_report(dataset, ["Gargoyles"], report)
    assert not (report / "stray").exists()
    assert "Gargoyles" in (report / "index.html").read_text(encoding="utf-8")

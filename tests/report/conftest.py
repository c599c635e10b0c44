"""One report on an invented table, for all tests that only look at it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest
from killcurve.report.document import Report
from killcurve.report.results import results_report
from killcurve.report.writing import write
from killcurve.sources.results import Results, read_results

from tests.report import inventing

LONERS = "Leagues of Votann"
SLATE = date(2026, 9, 10)


@dataclass(frozen=True)
class Written:
    read: Results
    report: Report
    folder: Path
    table: Path

    @property
    def page(self) -> str:
        return (self.folder / "index.html").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def table(tmp_path_factory) -> Path:
    made = inventing.rows(list(inventing.STRENGTHS))
    rows = [*made, *inventing.few(LONERS), *inventing.bad_rows(made)]
    return inventing.write(tmp_path_factory.mktemp("tables") / "games.csv", rows)


@pytest.fixture(scope="session")
def read(table, dataset) -> Results:
    return read_results([table], edition="11e", factions=dataset["factions"]["faction"])


@pytest.fixture(scope="session")
def written(read, table, tmp_path_factory) -> Written:
    report = results_report(read, [SLATE])
    folder = tmp_path_factory.mktemp("out") / "report"
    write(report, folder)
    return Written(read, report, folder, table)

"""The real catalogues: counts that DATA.md measured, in time and memory."""

from __future__ import annotations

import time

import pytest
from killcurve.sources.bsdata import read_catalogues
from killcurve.tables.dataset import Dataset

from tests.conftest import SHARED, needs_shared

REAL = SHARED / "real"
UNIT = ["faction", "datasheet"]
AGAIN = "another catalogue of the faction has it, too"

pytestmark = needs_shared


@pytest.fixture(scope="module")
def old() -> tuple[Dataset, list[str]]:
    start = time.perf_counter()
    read = read_catalogues(REAL / "bsdata-10e")
    assert time.perf_counter() - start < 60  # 6 s on a quiet machine
    return read


@pytest.fixture(scope="module")
def new() -> tuple[Dataset, list[str]]:
    return read_catalogues(REAL / "bsdata-11e")


def having(data: Dataset, table: str) -> int:
    """Units with a row in a table; the same unit of another chapter counts again."""
    units = data.datasheets.join(data[table], on=UNIT, how="semi").height
    return units + data.set_aside["datasheets"][AGAIN]


def test_units_of_the_10th_edition(old):
    data, said = old
    assert data.about.edition == "10e"
    assert having(data, "datasheets") == 1895
    assert having(data, "models") >= 1890
    assert having(data, "weapons") >= 1870
    assert not any(text.startswith("needs") for text in said)


def test_units_of_the_11th_edition(new):
    data, said = new
    assert data.about.edition == "11e"
    assert having(data, "datasheets") == 1104
    assert having(data, "models") >= 1100
    assert having(data, "weapons") >= 1083
    needs = [text.split(",")[0] for text in said if text.startswith("needs")]
    assert needs == [
        "needs 'Aeldari - Aeldari Library'",
        "needs 'Chaos - Chaos Space Marines'",
        "needs 'Imperium - Astra Militarum - Library'",
        "needs 'Imperium - Space Marines'",
    ]


@pytest.mark.parametrize("which", ["old", "new"])
def test_a_known_unit(which, request):
    data, _ = request.getfixturevalue(which)
    warden = data.of_unit("models", "Necrons", "Royal Warden").row(0, named=True)
    values = [warden[c] for c in ("move", "toughness", "save", "invulnerable_save", "wounds")]
    assert values == [5, 5, 3, None, 4]
    weapons = data.of_unit("weapons", "Necrons", "Royal Warden")
    assert weapons.select("weapon", "range", "attacks", "skill", "strength", "ap").rows() == [
        ("Close combat weapon", 0, "4", 3, "5", 0),
        ("Relic gauss blaster", 24, "2", 3, "5", -1),
    ]


def test_invulnerable_saves_from_rules(old):
    knight = old[0].of_unit("models", "Imperial Knights", "Acastus Knight Porphyrion")
    assert knight.select("invulnerable_save", "invulnerable_save_against").rows() == [(5, "ranged")]

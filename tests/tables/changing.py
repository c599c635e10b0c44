"""Small invented datasets: a unit of diggers, at two dates and from two sources."""

from __future__ import annotations

from pathlib import Path

from killcurve.tables.building import build
from killcurve.tables.dataset import About, Dataset

UNIT = {"faction": "Moles", "datasheet": "Diggers"}
SHEET = {**UNIT, "role": None, "legends": False, "models_min": 5, "models_max": 10}
MODEL = {
    **UNIT, "model": "Digger", "move": 5, "toughness": 4, "save": 3, "invulnerable_save": None,
    "invulnerable_save_against": None, "wounds": 2, "leadership": 6, "objective_control": 2,
}  # fmt: skip
CLAW = {
    **UNIT, "weapon_id": "claw", "weapon": "Claw", "profile": "", "kind": "melee",
    "exclusive": False, "range": 0, "attacks": "3", "skill": 3, "strength": "4", "ap": -1,
    "damage": "1", "keywords": ["lethal hits"],
}  # fmt: skip
PRICE = {**UNIT, "models": 5, "models_max": 5, "copies_from": 1, "copies_to": None, "cost": 80}
TRICK = {
    "faction": "Moles", "detachment": "Tunnels", "name": "Deep Dig", "cost": 20, "upgrade": False,
    "side": None, "effects": [], "status": "none",
}  # fmt: skip


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def made(
    source: str = "wh40kdc",
    version: str = "1",
    *,
    edition: str = "11e",
    date: str = "2026-01-01",
    **tables: list,
) -> Dataset:
    """A dataset of the unit; tables that are given stand in for its own."""
    rows = {
        "datasheets": [SHEET],
        "models": [MODEL],
        "weapons": [CLAW],
        "points": [PRICE],
        "enhancements": [TRICK],
        **tables,
    }
    return build(About(source, version, edition, date), rows)

"""Where sources differ in what a rule does: both readings are listed, and nothing else."""

from __future__ import annotations

from killcurve.tables.collection import Collection
from killcurve.tables.layers import Layer
from killcurve.tables.readings import COLUMNS, different_readings

from tests.tables.changing import TRICK, made

PLOY = {
    "faction": "Moles", "detachment": "Tunnels", "cp": 1, "type": None, "phase": ["shooting"],
    "turn": "your", "used_by": [], "side": "attacker", "effects": ["hit +1"], "status": "modelled",
}  # fmt: skip


def source(name: str, *ploys: dict) -> Layer:
    return Layer(made(name, enhancements=[TRICK], stratagems=list(ploys)))


def test_both_readings_of_a_rule_are_listed():
    ours = source(
        "wh40kdc",
        {**PLOY, "name": "COLLAPSE", "read_from": "description"},
        {**PLOY, "name": "SAME", "effects": ["hit +1", "wound +1"]},
        {**PLOY, "name": "UNREAD", "effects": [], "side": None, "status": "unread"},
        {**PLOY, "name": "ALONE"},
    )
    theirs = source(
        "wahapedia",
        {**PLOY, "name": "Collapse", "effects": ["hit +1 if charged"], "read_from": "text"},
        {**PLOY, "name": "SAME", "effects": ["wound +1", "hit +1"]},
        {**PLOY, "name": "UNREAD"},
    )
    found = different_readings(Collection((ours, theirs)))
    assert dict(found.schema) == COLUMNS
    assert found.select("rule", "source", "read_from", "effects").rows() == [
        ("Collapse", "wahapedia", "text", ["hit +1 if charged"]),
        ("COLLAPSE", "wh40kdc", "description", ["hit +1"]),
    ]
    assert different_readings(Collection((ours, ours))).is_empty()

"""The question in wh40kdc's cruncher: expected values only, no law at all."""

from __future__ import annotations

from functools import cache
from typing import Any

from wh40kdc.cruncher import crunch
from wh40kdc.data.dataset import Dataset

from tests.bench.peers import Laws
from tests.bench.questions import Question

EXACT_TO = 1e-9
_MEANS = "expected values only, and models slain are damage / W"
WRONG = dict.fromkeys(("i", "ii", "iii", "iv", "v"), _MEANS)
CANNOT: dict[str, str] = {}


@cache
def _dataset() -> Dataset:
    return Dataset.embedded()


def ask(question: Question) -> dict[str, float]:
    """Its stages and what is expected of each."""
    profile = {
        "name": "weapon",
        "range": 24,
        "stats": {
            "A": question.attacks,
            "BS": question.skill,
            "S": question.strength,
            "AP": question.ap,
            "D": question.damage,
        },
        "keywords": _keywords(question),
    }
    model = {
        "T": question.toughness,
        "Sv": question.save,
        "W": question.wounds,
        "invuln_sv": question.invulnerable,
    }
    output = crunch(
        {
            "attacker": {"weapon": {"id": "weapon", "profiles": [profile]}, "profileIndex": 0},
            "target": {
                "unit": {"id": "unit", "profiles": [model], "keywords": ["Infantry"]},
                "profileIndex": 0,
                "modelCount": question.models,
            },
            "modelsFiring": 1,
            "buffs": _buffs(question),
            "context": {"phase": "shooting"},
        },
        _dataset(),
    )
    return {stage["name"]: stage["expected"] for stage in output["stages"]}


def laws(answer: dict[str, float], question: Question) -> Laws:  # noqa: ARG001 - as every peer
    """It has none."""
    return Laws(None, None)


def unsaved(answer: dict[str, float], question: Question) -> float:
    """Its mean number of wounds that get through, devastating ones among them."""
    return answer["damage"] / question.damage_dice.mean


def _keywords(q: Question) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    if q.sustained:
        found.append({"keyword_id": "sustained-hits", "parameters": {"value": q.sustained}})
    if q.lethal:
        found.append({"keyword_id": "lethal-hits"})
    if q.devastating:
        found.append({"keyword_id": "devastating-wounds"})
    if q.anti:
        parameters = {"target_keyword": "infantry", "threshold": q.anti}
        found.append({"keyword_id": "anti", "parameters": parameters})
    if q.twin_linked:
        found.append({"keyword_id": "twin-linked"})
    if q.blast:
        found.append({"keyword_id": "blast", "parameters": {"value": 1}})
    return found


def _buffs(q: Question) -> list[dict[str, Any]]:
    wanted: list[dict[str, Any]] = []
    if q.reroll_ones_to_hit:
        wanted.append({"type": "reroll", "roll": "hit", "subset": "ones"})
    if q.feel_no_pain:
        wanted.append({"type": "feel-no-pain", "threshold": q.feel_no_pain})
    return [{"source": {"kind": "manual"}, "contribution": each} for each in wanted]

"""Scenarios of every kind, many of them wrong: an answer that sums to one, or an error with a place.

Run by itself (``python -m tests.rules.fuzz 100000``) it tells how many of each there were, and
the slowest.
"""

from __future__ import annotations

import copy
import os
import random
import resource
import sys
import time
from collections import Counter
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command line does

from killcurve.rules.reading import ScenarioError
from killcurve.study.solve import solve

from tests.engine import scenarios

NUMBERS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 20, 40, 100, -1, -3, 10**9, 2**63, 10**400)
JUNK: tuple[Any, ...] = (
    None, True, "", " ", "x", "D6", "D7", "2D3+1", "D6-1", "99D6", "1e9", "-2", 3.5, -0.0,
    float("nan"), float("inf"), [], {}, [1], ["hit +1"], {"value": 5}, {"value": 9, "against": "me"},
    "lethal hits", "anti-", "sustained hits D3", "optimal", "\u0000", "🎲", "(" * 50, "1" * 5000,
)  # fmt: skip
PHRASES = (
    *scenarios.ATTACKER, *scenarios.DEFENDER, *scenarios.RIGHTS, *scenarios.DEFENDERS_RIGHTS,
    *scenarios.REROLLS, "heal D3", "return D3 models", "fight on death 4+", "crushing impact",
    "tank shock", "explosives", "one of (lethal hits | sustained hits 1)", "damage = 0",
    "damage = D6", "strength = D6", "attacks = D3", "attacks +D3", "hit +1 if", "if charged",
    "one of (", "one of ()", "mortal wounds 200D6 on 2+", "mortal wounds D6 on 9+",
    "mortal wounds 2D6 per model on 4+", "hit +1 for \"gun\"", "critical hits 1+", "set one hit to 5",
    "reroll hits", "halve damage when allocated", "wounds -9", "toughness -20", "save -9",
    "strength -30", "attacks -30", "range +6", "invulnerable 1+", "feel no pain 2+", "hit +999",
)  # fmt: skip


def scenario(dice: random.Random) -> Any:
    """One scenario: often a good one, larger than the reference takes; often bent somewhere."""
    made = _good(dice)
    for _ in range(dice.choice((0, 0, 0, 0, 0, 1, 1, 2))):
        _bend(dice, made)
    return made


def _good(dice: random.Random) -> dict[str, Any]:
    kinds = (
        scenarios.scenario, scenarios.with_self_harm, scenarios.with_rights,
        scenarios.with_best_choices, scenarios.with_precision,
    )  # fmt: skip
    make = dice.choice(kinds)
    made = make(dice, groups=dice.randint(1, 4)) if make in kinds[:1] else make(dice)
    for weapon in made["attacker"]["weapons"]:
        if dice.random() < 0.5:
            weapon["count"] = dice.choice((1, 2, 5, 10, 30))
            weapon["attacks"] = dice.choice((1, 2, 3, 6, "D3", "D6", "2D6", "D6+3", 20))
            weapon["damage"] = dice.choice((1, 2, 3, 6, "D3", "D6", "D6+2", "2D6"))
    for group in made["target"]["models"]:
        if dice.random() < 0.5:
            group["count"] = dice.choice((1, 3, 5, 10, 20))
            group["wounds"] = dice.choice((1, 2, 3, 4, 12, 24))
            group["wounds_lost"] = 0
    for side in ("attacker", "target"):
        for _ in range(dice.choice((0, 0, 1, 3))):
            made[side]["effects"].append(dice.choice(PHRASES))
    for key, values in CHOICES.items():
        if dice.random() < 0.1:
            made["choices"][key] = dice.choice(values)
    if dice.random() < 0.1:
        made["options"] = {dice.choice(OPTIONS): dice.choice((True, False, 1))}
    return made


CHOICES: dict[str, tuple[Any, ...]] = {
    "lethal": ("always", "never", "optimal", "sometimes"),
    "allocation": ("optimal", ["group 0"], ["group 1", "group 0"], ["nobody"], "group 0"),
    "precision": (None, "optimal", "group 0", "group 1", 3),
    "objective": ("damage", "slain", "destroyed", "win"),
    "order": ("optimal", ["gun"], [0]),
    "reroll": ("optimal", "as given", "never"),
    "duplicates": ("optimal", {"sustained hits": 2}, {"lethal hits": 1}),
    "pools": ("optimal", "critical first", "ordinary first", "last"),
}
OPTIONS = ("torrent_ignores_snap", "indirect_flat", "dw_respects_allocated_dr", "nothing")


def _bend(dice: random.Random, made: dict[str, Any]) -> None:
    """Put something else in one place, take it away, or add something."""
    places = list(_places(made))
    parent, key = dice.choice(places)
    how = dice.random()
    if how < 0.15:
        del parent[key]
    elif how < 0.25 and isinstance(parent, dict):
        parent[str(dice.choice(("x", "edition", "count", "Attacks")))] = dice.choice(JUNK)
    elif how < 0.35 and isinstance(parent, list):
        parent.append(copy.deepcopy(dice.choice((*JUNK, parent[key]))))
    else:
        parent[key] = copy.deepcopy(dice.choice((*NUMBERS, *JUNK, *PHRASES)))


def _places(node: Any) -> Any:
    keys = node.keys() if isinstance(node, dict) else range(len(node))
    for key in list(keys):
        yield node, key
        if isinstance(node[key], dict | list) and node[key]:
            yield from _places(node[key])


def checked(question: Any) -> str:
    """What came of a scenario, in a word; an AssertionError if it is neither of the two."""
    try:
        answer = solve(question).to_dict()
    except ScenarioError as error:
        wrong = error
        answer = None
    if answer is None:
        assert str(wrong), "an error says what is wrong"
        assert wrong.where or not isinstance(question, dict), f"no place: {wrong}"
        return "error: too much" if "more work than" in str(wrong) else "error"
    for key in ("damage", "slain", "self_damage"):
        pmf = answer[key]["pmf"]
        assert abs(sum(pmf) - 1) < 1e-9, f"{key} sums to {sum(pmf)}"
        assert min(pmf) >= 0, f"{key} has {min(pmf)}"
    assert -1e-12 <= answer["destroyed"] <= 1 + 1e-9
    return "answer"


MOST_MEMORY = 3 << 30
"""Addresses, of which much is never used."""


def main(number: int, start: int) -> None:
    """Fuzz, and tell what came of it."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    found: Counter[str] = Counter()
    slowest: list[tuple[float, int]] = []
    for i in range(start, start + number):
        question = scenario(random.Random(i))
        began = time.process_time()
        try:
            found[checked(question)] += 1
        except Exception as error:
            found["fault"] += 1
            print(f"seed {i}: {type(error).__name__}: {str(error)[:200]}", flush=True)
        taken = time.process_time() - began
        if taken > 1:
            print(f"seed {i}: {taken:.1f} s", flush=True)
        slowest = sorted([*slowest, (taken, i)])[-5:]
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{number} scenarios: {dict(found)}; slowest {slowest[::-1]}; most memory {most:.0f} MiB")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)

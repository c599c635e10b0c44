"""Small invented frames, one for each kind of chart, for the gallery and the tests.

Names are as long as the longest that are printed on boxes, so that what fits here fits there.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date
from typing import Any

import polars as pl

from killcurve.charts.export import Chart
from killcurve.charts.kinds import make
from killcurve.charts.publishing import Footer

UNITS = (
    "Moles of the Deep with Long Vigil Shovels and Lamps",
    "Newt Wardens",
    "Ancient Burrowing Engine of the Ninth and Last Excavation",
    "Badger Champion in Digger Harness",
    "Shrew Swarm",
    "Grand Master of the Undermound and Keeper of Seven Keys",
    "Vole Riders",
    "Tunnel Crawler",
    "Hedgehog Veterans",
    "Molten Vein Gun Battery with Reinforced Crew",
    "Weasel Outriders",
    "Dormouse",
)
"""Invented units."""

TARGETS = (
    "Light infantry",
    "Medium infantry",
    "Heavy infantry in ancient harness",
    "Light vehicle",
    "Heavy vehicle",
    "Monster",
    "Knight of the Root",
)
"""Invented targets."""

FACTIONS = (
    "Moles of the Deep",
    "Newts",
    "Order of the Silent Burrow",
    "Badgers",
    "Shrews",
    "Adherents of the Hollow Hill and Its Hundred Gates",
    "Voles",
    "Weasels",
)
"""Invented factions."""

FOOTER = Footer(
    "invented numbers", "2026-08-20", "11e", "97 % of the rules that bear on attacks are computed"
)


def _wave(*numbers: float) -> float:
    """A number from 0 to 1 that looks like chance and is always the same."""
    return (math.sin(sum(n * f for n, f in zip(numbers, (12.9, 78.2, 39.1), strict=False))) + 1) / 2


def _binomial(trials: int, chance: float) -> list[float]:
    return [
        math.comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(trials + 1)
    ]


def _distribution() -> pl.DataFrame:
    rows = [
        (name, k, p)
        for name, chance in ((f"{UNITS[0]}, as they are", 0.32), ("with a re-roll", 0.47))
        for k, p in enumerate(_binomial(12, chance))
    ]
    return pl.DataFrame(rows, schema=("series", "k", "probability"), orient="row")


def _survival() -> pl.DataFrame:
    rows = [
        (name, k, min(1.0, sum(_binomial(10, chance)[k:])))
        for name, chance in (
            ("Long vigil shovel (two-handed, overcharged) ×5", 0.22),
            ("Lamp ×2", 0.1),
            ("all ranged weapons in turn", 0.38),
            ("Vein gun ×2", 0.29),
        )
        for k in range(11)
    ]
    return pl.DataFrame(rows, schema=("series", "k", "chance"), orient="row")


def _efficiency() -> pl.DataFrame:
    lines = (("Long vigil shovel, two-handed and overcharged", 5), ("Lamp", 2), ("Claws", 1))
    rows = [
        (unit, weapon, count, target, 40 * _wave(i, j, k) ** 2)
        for i, unit in enumerate(UNITS[:3])
        for j, (weapon, count) in enumerate(lines)
        for k, target in enumerate(TARGETS)
    ]
    names = ("datasheet", "weapon", "count", "target", "points_removed_per_100")
    return pl.DataFrame(rows, schema=names, orient="row")


def _matrix() -> pl.DataFrame:
    rows = [
        (unit, target, 60 * _wave(i, k) ** 2, 3.2 * (_wave(i, 3 * k) - 0.45))
        for i, unit in enumerate(UNITS)
        for k, target in enumerate(TARGETS)
    ]
    names = ("attacker", "target", "points_removed_per_100", "log_ratio")
    return pl.DataFrame(rows, schema=names, orient="row")


def _ranked() -> pl.DataFrame:
    rows = [(unit, mean := 4 + 40 * _wave(i) ** 2, 0.4 * mean, 1.7 * mean)
            for i, unit in enumerate(UNITS)]  # fmt: skip
    names = ("datasheet", "points_removed_per_100", "low", "high")
    return pl.DataFrame(rows, schema=names, orient="row")


def _funnel() -> pl.DataFrame:
    stages = ("attacks", "hits", "wounds", "unsaved wounds", "damage", "models slain")
    means = (20.0, 13.3, 8.9, 4.4, 6.7, 3.1)
    return pl.DataFrame({"stage": stages, "mean": means})


def _need(strength: int, toughness: int) -> int:
    if strength >= 2 * toughness:
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    return 6 if 2 * strength <= toughness else 5


def _breakpoints() -> pl.DataFrame:
    rows = [(s, t, _need(s, t)) for s in range(3, 13) for t in range(3, 13)]
    return pl.DataFrame(rows, schema=("strength", "toughness", "need"), orient="row")


def _lines() -> pl.DataFrame:
    guns = (
        ("Vein gun, overcharged and braced", 9, 2.1),
        ("Lamp cannon", 12, 1.9),
        ("Slings", 4, 3.6),
    )
    rows = [
        (name, toughness, times * (7 - _need(strength, toughness)) / 6)
        for name, strength, times in guns
        for toughness in range(3, 15)
    ]
    return pl.DataFrame(rows, schema=("loadout", "toughness", "damage"), orient="row")


def _tornado() -> pl.DataFrame:
    names = (
        "one more strength", "one better AP", "one more damage", "one more attack",
        "re-roll all hit rolls", "re-roll wound rolls of 1", "sustained hits 1",
        "ignores cover while within half range of the nearest target",
    )  # fmt: skip
    rows = [(name, 9 * _wave(i) - 0.5, -7 * _wave(2 * i + 1)) for i, name in enumerate(names)]
    return pl.DataFrame(rows, schema=("effect", "gain", "loss"), orient="row")


def _stratagems() -> pl.DataFrame:
    names = ("HOLD THE DARK", "LAMPS AT THE READY", "PROTOCOL OF THE HUNGRY AND HOLLOW HILL",
             "DIG", "UNDER THEIR FEET", "NO WAY BACK", "ONE LAST SHIFT")  # fmt: skip
    rows = [
        ("attacker", "stratagem", name, ("", "Silent Burrow and Sunken Gate Watch")[i % 2],
         1 + i % 2, ["re-roll hits", "+1 to wound"][: 1 + i % 2], target,
         9 * _wave(i) * (0.4 + _wave(i, k)))
        for i, name in enumerate(names)
        for k, target in enumerate(TARGETS)
    ]  # fmt: skip
    columns = ("side", "kind", "name", "detachment", "cp", "effects", "target",
               "gain_points_removed_per_cp")  # fmt: skip
    return pl.DataFrame(rows, schema=columns, orient="row")


def _turns() -> pl.DataFrame:
    sides = (("A", UNITS[0], 10, 1.6), ("B", UNITS[1], 6, 1.1))
    rows: list[tuple[Any, ...]] = []
    for side, unit, models, pace in sides:
        for turn in range(1, 6):
            lost = models * (1 - 0.84 ** (pace * turn))
            low, high = max(0, round(lost - 2)), min(models, round(lost + 2))
            rows.append((turn, side, unit, models, lost, low, high, (lost / models) ** 6))
    names = ("turn", "side", "unit", "models", "models_lost", "models_lost_p10",
             "models_lost_p90", "destroyed")  # fmt: skip
    return pl.DataFrame(rows, schema=names, orient="row")


def _joint() -> pl.DataFrame:
    one, other = _binomial(10, 0.45), _binomial(6, 0.25)
    rows = [(3, a, b, p * q) for a, p in enumerate(one) for b, q in enumerate(other)]
    names = ("turn", "a_models_left", "b_models_left", "probability")
    return pl.DataFrame(rows, schema=names, orient="row")


def _changes() -> pl.DataFrame:
    steps = (-40, 30, -25, 20, 15, -15, 10, -10, 10, 5, -5, 5)
    rows = [
        (FACTIONS[i % 8], unit, f"{5 * (1 + i % 2)} models", 80 + 37 * i, 80 + 37 * i + step)
        for i, (unit, step) in enumerate(zip(UNITS, steps, strict=True))
    ]
    return pl.DataFrame(rows, schema=("faction", "datasheet", "what", "old", "new"), orient="row")


def _rates() -> pl.DataFrame:
    rows = []
    for i, faction in enumerate(FACTIONS):
        games, rate = 90 + int(700 * _wave(i) ** 2), 0.41 + 0.17 * _wave(3 * i + 1)
        half = 1.96 * math.sqrt(rate * (1 - rate) / games)
        rows.append((faction, games, rate, rate - half, rate + half))
    names = ("faction", "games", "shrunk", "low", "high")
    return pl.DataFrame(rows, schema=names, orient="row")


def _matchups() -> pl.DataFrame:
    rows = []
    for i, one in enumerate(FACTIONS):
        for j, other in enumerate(FACTIONS):
            if i == j:
                continue
            games = 20 + int(120 * _wave(min(i, j), max(i, j)))
            edge = 0.5 * (_wave(i + 0.3) - _wave(j + 0.3))
            half = 0.9 / math.sqrt(games)
            rate = 0.5 + 0.5 * edge
            rows.append((one, other, games, rate, rate - half, rate + half, games >= 30))
    names = ("faction", "opponent_faction", "games", "shrunk", "low", "high", "enough")
    return pl.DataFrame(rows, schema=names, orient="row")


def _forest() -> pl.DataFrame:
    rows: list[tuple[Any, ...]] = []
    for i in range(9):
        games = 12 + int(80 * _wave(i) ** 2)
        rate, half = 0.42 + 0.22 * _wave(2 * i), 0.95 / math.sqrt(games)
        label = f"Open of the {FACTIONS[i % 8]} {2018 + i}"
        rows.append(("event", label, date(2018 + i, 5, 1), games, rate,
                     max(0.0, rate - half), min(1.0, rate + half), float(games)))  # fmt: skip
    rows += [
        ("pooled", "random effects", None, 411, 0.54, 0.505, 0.577, None),
        ("prediction", "random effects", None, 411, 0.54, 0.46, 0.62, None),
    ]
    names = ("kind", "label", "date", "games", "rate", "low", "high", "weight")
    return pl.DataFrame(rows, schema=names, orient="row")


def _trend() -> pl.DataFrame:
    rows = []
    for i, faction in enumerate(FACTIONS[:4]):
        for month in range(1, 8):
            rate = 0.44 + 0.1 * _wave(i) + 0.015 * (month - 4) * (1 - i)
            rows.append((faction, date(2026, month, 1), rate, rate - 0.03, rate + 0.03))
    return pl.DataFrame(rows, schema=("faction", "start", "rate", "low", "high"), orient="row")


UNDER = "no cover, outside half range"

SAMPLES: dict[str, tuple[Callable[[], pl.DataFrame], dict[str, Any]]] = {
    "breakpoints": (_breakpoints, {"conditions": "11th edition"}),
    "distribution": (_distribution, {"conditions": UNDER}),
    "efficiency": (_efficiency, {"conditions": UNDER}),
    "exchange-joint": (_joint, {"one": UNITS[0], "other": UNITS[1]}),
    "exchange-turns": (_turns, {"conditions": "both fight in each turn"}),
    "forest": (_forest, {"who": FACTIONS[5]}),
    "funnel": (_funnel, {"attacker": UNITS[0], "conditions": UNDER}),
    "heat-map": (_matrix, {"conditions": UNDER}),
    "lines": (_lines, {"conditions": UNDER}),
    "log-ratio": (_matrix, {"one": "With lamps", "other": "without"}),
    "match-ups": (_matchups, {}),
    "points-changes": (_changes, {"between": "2026-06-11 and 2026-08-20"}),
    "popularity": (_rates, {}),
    "ranked-bars": (_ranked, {"conditions": UNDER}),
    "stratagem-value": (_stratagems, {"unit": UNITS[2]}),
    "survival": (_survival, {"attacker": UNITS[0], "target": UNITS[2], "conditions": UNDER}),
    "tornado": (_tornado, {"what": UNITS[3]}),
    "trend": (_trend, {}),
}
"""Of each kind: what makes its frame, and its settings."""


def sample(kind: str) -> Chart:
    """A chart of a kind from invented numbers."""
    frame, settings = SAMPLES[kind]
    return make(kind, frame(), **settings)

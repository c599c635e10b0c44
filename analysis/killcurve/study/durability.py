"""How tough a unit is: what it takes to remove it, in attacks, weapons, units and points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import polars as pl

from killcurve.engine.change import UNCHANGED
from killcurve.engine.dice import Dice
from killcurve.engine.edition import Edition
from killcurve.engine.pmf import TOLERANCE, FloatArray
from killcurve.engine.remaining import remaining
from killcurve.engine.roll import Reroll
from killcurve.engine.states import states
from killcurve.engine.weapon import MOST_WEAPONS, Modifiers, WeaponLine
from killcurve.study.armed import Combatant, in_words, used_against
from killcurve.study.engagements import Engagements, Ready
from killcurve.study.lines import Attacker, Line
from killcurve.study.matchup import Circumstances
from killcurve.study.own_rules import PHASE_OF_KIND
from killcurve.study.removed import BY_MODELS
from killcurve.study.targets import Defender
from killcurve.tables.dataset import DataError

COLUMNS: dict[str, pl.DataType] = {
    "target_faction": pl.String(),
    "target": pl.String(),
    "target_models": pl.Int64(),
    "target_points": pl.Int64(),
    "wounds": pl.Int64(),
    "attacker_faction": pl.String(),
    "attacker": pl.String(),
    "attacker_models": pl.Int64(),
    "attacker_points": pl.Int64(),
    "phase": pl.String(),
    "scope": pl.String(),
    "weapon": pl.String(),
    "destroyed": pl.Float64(),
    "points_lost": pl.Float64(),
    "mean_hits": pl.Float64(),
    "points_per_effective_wound": pl.Float64(),
    "chance": pl.Float64(),
    "attacks": pl.Int64(),
    "weapons": pl.Int64(),
    "units": pl.Int64(),
    "models": pl.Int64(),
    "points": pl.Int64(),
    "reason": pl.String(),
    "unmodelled": pl.List(pl.String()),
    "incomplete": pl.List(pl.String()),
}
"""What :func:`durability` gives: one row a target, attacker, phase, weapon line and chance.

``scope`` is ``unit`` (all weapons of the attacker in the phase) or ``line`` (one of them, which
``weapon`` names). ``destroyed`` and ``points_lost`` (a mean) are what one such attacker does.

``attacks``, ``weapons`` and ``units`` are the smallest numbers with which P(no model is left) is
``chance`` or more: attacks of the line, made in one volley; weapons of the line in one volley, each
with all its attacks; attackers that attack one after the other. ``models`` and ``points`` are those
of so many units. What is null has its ``reason`` (there is none of attacks and weapons for a
whole unit).

``mean_hits`` is the exact mean number of hits of the line, made one by one, until no model is left:
each hit wounds, is saved and does damage by all rules; how well the attacker hits, and what its
critical hits do, plays no part. One such hit is an effective wound: ``points_per_effective_wound``
is the target's cost ÷ ``mean_hits``, so a unit is the tougher for its cost the lower it is.
"""

CHANCES = (0.5, 0.8, 0.95)
MOST_ATTACKS = 1_000
MOST_UNITS = 1_000
MOST_STATES = 400
"""More states than these take too long one by one."""

Progress = Callable[[int, int], None]
"""Told how many of how many pairs are done. What it raises ends the work."""


def durability(
    targets: Sequence[Defender],
    attackers: Sequence[Combatant],
    how: Circumstances = Circumstances(),
    *,
    chances: Sequence[float] = CHANCES,
    phases: Sequence[str] = ("shooting", "fight"),
    progress: Progress = lambda *_: None,
) -> pl.DataFrame:
    """What each attacker needs to remove each target; columns are :data:`COLUMNS`.

    Each attacker uses what does most damage to the fresh target, and goes on with that; Blast
    counts the models that are left. An attacker without weapons of a phase has no row there.

    Raises:
        DataError: for a chance that is not between 0 and 1, or a target with too many states.

    >>> import killcurve
    >>> from killcurve.study.armed import combatant
    >>> data = killcurve.load()
    >>> boyz, squad = (combatant(data, name) for name in ("Boyz", "Intercessor Squad"))
    >>> frame = durability([boyz.target], [squad], phases=["shooting"], chances=[0.5, 0.95])
    >>> needed = frame.filter(scope="unit").select("chance", "units", "points").rows()
    >>> [points == units * squad.attacker.points for _, units, points in needed]
    [True, True]
    """
    for chance in chances:
        if not 0 < chance < 1:
            raise DataError(f"{chance} is no chance to reach: give some between 0 and 1")
    engagements = Engagements(how)
    rows: list[dict[str, Any]] = []
    pairs = [(target, unit) for target in targets for unit in attackers]
    for done, (target, unit) in enumerate(pairs):
        progress(done, len(pairs))
        for phase in phases:
            rows += _rows(engagements, how, target, unit, phase, chances)
    progress(len(pairs), len(pairs))
    return pl.DataFrame(rows, schema=COLUMNS).sort(
        "target_faction", "target", "attacker_faction", "attacker", "phase", "scope", "weapon",
        "chance", maintain_order=True, descending=[False] * 5 + [True] + [False] * 2,
    )  # fmt: skip


def _rows(
    engagements: Engagements,
    how: Circumstances,
    target: Defender,
    unit: Combatant,
    phase: str,
    chances: Sequence[float],
) -> Iterator[dict[str, Any]]:
    together = used_against(unit, phase, target, how)
    uses = [("unit", together), *(("line", (line,)) for line in unit.lines(phase))]
    own = unit.attacker
    for scope, lines in uses:
        if not lines:
            continue
        siege = Siege(engagements, own, lines, target)
        single = scope == "line"
        hits = siege.mean_hits() if single else None
        told = {
            "target_faction": target.faction,
            "target": target.name,
            "target_models": target.target.models,
            "target_points": target.points,
            "wounds": siege.space.can_lose,
            "attacker_faction": own.faction,
            "attacker": unit.name,
            "attacker_models": own.models,
            "attacker_points": own.points,
            "phase": phase,
            "scope": scope,
            "weapon": "; ".join(in_words(lines)),
            "destroyed": siege.after_units(1),
            "points_lost": siege.points_lost(),
            "mean_hits": hits,
            "points_per_effective_wound": (
                None if hits is None or target.points is None else target.points / hits
            ),
            "unmodelled": [*siege.unmodelled, *(() if single else unit.unknown)],
            "incomplete": list(engagements.incomplete(own, target, phase)),
        }
        for chance in chances:
            yield {**told, **_needed(siege, own, chance, single=single)}


def _needed(siege: Siege, own: Attacker, chance: float, *, single: bool) -> dict[str, Any]:
    """What is needed for a chance, with the reasons for what is not told."""
    asked: list[tuple[str, Callable[[int], float], int]] = []
    if single:
        asked.append(("attacks", siege.after_attacks, MOST_ATTACKS))
        asked.append(("weapons", siege.after_weapons, MOST_WEAPONS))
    asked.append(("units", siege.after_units, MOST_UNITS))
    found = {what: least(after, chance, most) for what, after, most in asked}
    reasons = [f"more than {most:,} {what}" for what, _, most in asked if found[what] is None]
    units = found["units"]
    if units is not None and own.points is None:
        reasons.append("the attacker's cost is not known")
    return {
        "chance": chance,
        "attacks": found.get("attacks"),
        "weapons": found.get("weapons"),
        "units": units,
        "models": None if units is None else units * own.models,
        "points": None if units is None or own.points is None else units * own.points,
        "reason": "; ".join(reasons) or None,
    }


def least(after: Callable[[int], float], chance: float, most: int) -> int | None:
    """The smallest n from 1 to ``most`` with ``after(n)`` >= ``chance``, ``None`` if there is none.

    ``after`` may never fall. A chance that is met up to rounding counts as met.

    >>> least(lambda n: 1 - 0.5**n, 0.95, 100), least(lambda n: 0.0, 0.5, 100)
    (5, None)
    """
    low, high = 0, 1
    while after(high) < chance - TOLERANCE:
        if high == most:
            return None
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        if after(middle) < chance - TOLERANCE:
            low = middle
        else:
            high = middle
    return high


class Siege:
    """A target under the same attack, made as often as one likes.

    Raises:
        DataError: if the target has too many states.
    """

    def __init__(
        self, engagements: Engagements, unit: Attacker, lines: Sequence[Line], target: Defender
    ) -> None:
        self.space = states(target.target)
        if self.space.size > MOST_STATES:
            raise DataError(
                f"{target.name} has {self.space.size:,} states; {MOST_STATES} can be looked at one "
                "by one: take fewer models"
            )
        self._engagements = engagements
        self._unit = unit
        self._lines = lines
        self._target = target
        self._rules = engagements.rules(unit)
        self._ways = engagements.ways(unit, lines, target)
        fresh = [self._readied(line) for line in lines]
        self.unmodelled = tuple(dict.fromkeys(rule for one in fresh for rule in one.unmodelled))
        self._first = fresh[0]
        self._attack = cache(self._after_attacks)
        self._weapon = cache(self._after_weapons)
        step = self._step(self._volley_at)
        self._once = step[self.space.start]
        self._powers = [step]

    def points_lost(self) -> float | None:
        """The mean of the points that one attack removes."""
        target = self._target
        if target.points is None:
            return None
        worth = BY_MODELS.of(target.target.models, target.points)
        return float(self._once @ worth[self.space.all_dead.total.astype(np.int64)])

    def after_units(self, number: int) -> float:
        """P(no model is left) after so many such units' attacks."""
        law = self.space.from_start()
        place = 0
        while number:
            if place == len(self._powers):
                self._powers.append(self._powers[-1] @ self._powers[-1])
            if number & 1:
                law = law @ self._powers[place]
            number >>= 1
            place += 1
        return float(law[self.space.destroyed])

    def after_attacks(self, number: int) -> float:
        """P(no model is left) after so many attacks of the line in one volley."""
        return self._attack(number)

    def after_weapons(self, number: int) -> float:
        """P(no model is left) after the attacks of so many weapons of the line in one volley."""
        return self._weapon(number)

    def mean_hits(self) -> float:
        """The mean number of hits of the line, one by one, until no model is left."""
        step = self._step(self._hit_at)
        living = self.space.destroyed
        reached = np.flatnonzero(step[:living].any(axis=1))
        within = step[np.ix_(reached, reached)]
        means = np.linalg.solve(np.eye(len(reached)) - within, np.ones(len(reached)))
        return float(means[int(np.searchsorted(reached, self.space.start))])

    def _after_attacks(self, number: int) -> float:
        return self._destroyed(_made(self._first, number, self._rules))

    def _after_weapons(self, number: int) -> float:
        line = self._first.line
        more = replace(line, weapon=replace(line.weapon, count=number))
        return self._destroyed(self._first.changed(more, self._rules))

    def _destroyed(self, ready: Ready) -> float:
        law = self._engagements.law([ready], self._target.target, self._rules)
        return float(law[self.space.destroyed])

    def _readied(self, line: Line, models: int | None = None) -> Ready:
        """A line with the options that are best against the fresh target."""
        way = self._ways[PHASE_OF_KIND[line.kind]]
        return self._engagements.ready(self._unit, line, self._target, models, way)

    def _volley_at(self, models: int) -> list[Ready]:
        return [self._readied(line, models) for line in self._lines]

    def _hit_at(self, models: int) -> list[Ready]:
        return [_made(one, 1, self._rules, hitting=True) for one in self._volley_at(models)]

    def _step(self, attack: Callable[[int], list[Ready]]) -> FloatArray:
        """What an attack does to each state that may be reached; (states, states), else nought.

        ``attack`` gives the lines against so many models.
        """
        step = np.zeros((self.space.size, self.space.size))
        step[-1, -1] = 1.0
        waiting, seen = [self.space.start], {self.space.start, self.space.destroyed}
        while waiting:
            state = waiting.pop()
            left = remaining(self._target.target, state)
            law = self._engagements.law(attack(left.target.models), left.target, self._rules)
            step[state] = left.placed(law)
            new = set(np.flatnonzero(step[state]).tolist()) - seen
            seen |= new
            waiting += new
        return step


def _made(ready: Ready, attacks: int, rules: Edition, *, hitting: bool = False) -> Ready:
    """A line that makes just so many attacks; ``hitting``: each of them hits."""
    line = ready.line
    weapon = replace(line.weapon, count=1, attacks=Dice(bonus=attacks))

    def plain(modifiers: Modifiers) -> Modifiers:
        return replace(
            modifiers,
            attacks=UNCHANGED,
            extra_attacks=(),
            reroll_attacks=Reroll.NONE,
            hits_automatically=hitting or modifiers.hits_automatically,
        )

    strong = line.when_stronger
    made = WeaponLine(
        weapon,
        plain(line.modifiers),
        None if strong is None else plain(strong),
        rights=line.rights,
        ordinary_first=line.ordinary_first,
    )
    return ready.changed(made, rules)

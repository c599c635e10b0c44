"""The best legal combinations of detachment rules, stratagems and an enhancement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import polars as pl

from killcurve.engine.conduct import conduct
from killcurve.engine.edition import edition
from killcurve.study.armed import Combatant
from killcurve.study.army_rules import MOST_DETACHMENT_POINTS, ArmyRules
from killcurve.study.matchup import Circumstances
from killcurve.study.worth.alone import Progress, check, numbers, signed, user_of
from killcurve.study.worth.helps import Help, User, army_of
from killcurve.study.worth.measuring import Attack, Gain
from killcurve.tables.dataset import DataError, Dataset

COMBINATIONS: dict[str, pl.DataType] = {
    "side": pl.String(),
    "unit": pl.String(),
    "detachments": pl.List(pl.String()),
    "rules": pl.List(pl.String()),
    "cp": pl.Int64(),
    "cost": pl.Int64(),
    "choices": pl.List(pl.String()),
    "effects": pl.List(pl.String()),
    "assumes": pl.List(pl.String()),
    "weapons": pl.List(pl.String()),
    "damage_without": pl.Float64(),
    "damage": pl.Float64(),
    "destroyed_without": pl.Float64(),
    "destroyed": pl.Float64(),
    "points_removed_without": pl.Float64(),
    "points_removed": pl.Float64(),
    "gain_damage": pl.Float64(),
    "gain_destroyed": pl.Float64(),
    "gain_points_removed": pl.Float64(),
}
"""What :func:`best_combinations` gives, one row a set of detachments and number of CP spent.

``rules`` are those in force, detachment rules first; ``cost`` is the enhancement's in points.
Gains are the unit's own: for the defender what it is spared.
"""

MOST_DETACHMENTS = MOST_DETACHMENT_POINTS
"""An army's detachments cost at least a point each."""


@dataclass(frozen=True, slots=True)
class _Best:
    """The best way found for some detachments and some command points."""

    helps: tuple[Help, ...]
    gain: Gain
    value: float


def best_combinations(
    dataset: Dataset,
    unit: Combatant,
    target: Combatant,
    phase: str,
    how: Circumstances = Circumstances(),
    *,
    cp: int = 2,
    goal: str = "points_removed",
    side: str = "attacker",
    detachments: Sequence[str] | None = None,
    most: int | None = 20,
    progress: Progress = lambda _: None,
) -> pl.DataFrame:
    """What one side of an attack may have together, best first, for up to ``cp`` command points.

    An army has its detachments' rules all the time; the unit may have one enhancement of them if
    it is one that bears any, and stratagems of them and core ones: one in the phase in the 11th
    edition, any number of different ones in the 10th. All combinations are tried; of those for the
    same detachments and the same CP the best by ``goal`` is listed. Where further detachments add
    nothing, only the smaller set is. ``detachments`` are the army's; ``None`` tries every legal set
    (RULES.md §10). Columns are :data:`COMBINATIONS`, ``most`` rows.

    Raises:
        DataError: if the goal, side, phase or a detachment is not known, or the detachments are
            no legal set.

    >>> import killcurve
    >>> from killcurve.study.armed import combatant
    >>> data = killcurve.load()
    >>> boyz, squad = (combatant(data, name) for name in ("Boyz", "Intercessor Squad"))
    >>> found = best_combinations(data, boyz, squad, "fight", detachments=["War Horde"], cp=1)
    >>> found["cp"].max() <= 1 and found["gain_points_removed"].is_sorted(descending=True)
    True
    """
    check(goal, phase, [side])
    user, owner = user_of(dataset, unit, target, phase, side)
    army = army_of(dataset, owner.attacker.faction, owner.attacker.datasheet, how.edition)
    attack = Attack(unit, target.target, phase, how)
    one_each = conduct(edition(how.edition or unit.attacker.edition)).one_stratagem_each
    sets = _sets(army, user) if detachments is None else [_named(army, detachments)]
    rows: list[dict[str, Any]] = []
    seen: dict[tuple[int, float], list[frozenset[str]]] = {}
    for names in sorted(sets, key=len):
        progress(" + ".join(sorted(names)) or "core stratagems")
        best: dict[int, _Best] = {}
        for helps in _together(army, user, names, cp, one_each=one_each):
            # An attack by itself cannot be weighed against one that is made in any case.
            gain = "" if any(map(_is_attack, helps)) else attack.gain(helps, side)
            if isinstance(gain, Gain):
                spent = sum(each.rule.cp or 0 for each in helps)
                found = _Best(helps, gain, round(signed(gain, goal, side), 12))
                if spent not in best or found.value > best[spent].value:
                    best[spent] = found
        for spent, found in best.items():
            smaller = seen.setdefault((spent, found.value), [])
            if found.value > 0 and not any(less <= names for less in smaller):
                smaller.append(names)
                rows.append(_row(found, side, owner.name, names, spent))
    by = [f"gain_{goal}", "cp", "detachments", "rules"]
    frame = pl.DataFrame(rows, schema=COMBINATIONS).sort(by, descending=[True, *[False] * 3])
    return frame if most is None else frame.head(most)


def _is_attack(given: Help) -> bool:
    return given.is_attack


def _sets(army: ArmyRules, user: User) -> list[frozenset[str]]:
    """The sets of detachments that an army may have, of those that do anything here."""
    useful = sorted({each.rule.detachment for each in user.helps(army.rules)} - {""})
    return [
        frozenset(names)
        for number in range(MOST_DETACHMENTS + 1)
        for names in combinations(useful, number)
        if army.combined(names)
    ]


def _named(army: ArmyRules, names: Sequence[str]) -> frozenset[str]:
    from killcurve.rules.spelling import did_you_mean, normal

    known = {normal(name): name for name in army.detachments}
    for name in names:
        if normal(name) not in known:
            raise DataError(
                f"{army.faction} has no detachment {name!r}{did_you_mean(name, army.detachments)}"
            )
    found = frozenset(known[normal(name)] for name in names)
    if not army.combined(found):
        raise DataError(
            f"an army of {army.faction} cannot have {' and '.join(sorted(found))} together: "
            f"detachments cost up to {MOST_DETACHMENT_POINTS} points and have different tags"
        )
    return found


def _together(
    army: ArmyRules, user: User, names: frozenset[str], cp: int, *, one_each: bool
) -> Iterator[tuple[Help, ...]]:
    """Every legal way to use rules of these detachments and core ones."""
    helps = user.helps(r for r in army.rules if r.detachment in names or not r.detachment)
    always = _by_rule(each for each in helps if each.rule.kind == "detachment")
    borne = [(each,) for each in helps if each.rule.kind == "enhancement"]
    used = _by_rule(each for each in helps if each.rule.kind == "stratagem")
    for rules, enhancement, stratagems in product(
        list(product(*always)), [(), *borne], list(_spending(used, cp, one_each=one_each))
    ):
        yield (*rules, *enhancement, *stratagems)


def _by_rule(helps: Iterator[Help] | Sequence[Help]) -> list[list[Help]]:
    """The ways to use each rule, rule by rule."""
    ways: dict[tuple[str, str], list[Help]] = {}
    for each in helps:
        ways.setdefault((each.rule.detachment, each.rule.name), []).append(each)
    return list(ways.values())


def _spending(
    stratagems: Sequence[Sequence[Help]], cp: int, *, one_each: bool
) -> Iterator[tuple[Help, ...]]:
    """Every choice of different stratagems that together cost no more than ``cp``."""
    affordable = [ways for ways in stratagems if (ways[0].rule.cp or 0) <= cp]
    most = 1 if one_each else len(affordable)
    for number in range(most + 1):
        some = False
        for chosen in combinations(affordable, number):
            if sum(ways[0].rule.cp or 0 for ways in chosen) <= cp:
                some = True
                yield from product(*chosen)
        if not some:
            return


def _row(found: _Best, side: str, unit: str, names: frozenset[str], spent: int) -> dict[str, Any]:
    costs = [each.rule.cost for each in found.helps if each.rule.kind == "enhancement"]
    known = numbers(found.gain, side, None, None)
    return {
        "side": side,
        "unit": unit,
        "detachments": sorted(names),
        "rules": [each.rule.name for each in found.helps],
        "cp": spent,
        "cost": sum(cost or 0 for cost in costs) if costs else None,
        "choices": [each.choice for each in found.helps if each.choice],
        "effects": [str(effect) for each in found.helps for effect in each.effects],
        **{name: value for name, value in known.items() if name in COMBINATIONS},
    }

"""What each rule is worth by itself, for the unit that attacks or the one that is attacked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import polars as pl

from killcurve.study.armed import KIND_OF_PHASE, Combatant
from killcurve.study.army_rules import Rule
from killcurve.study.efficiency import per_100
from killcurve.study.matchup import Circumstances
from killcurve.study.worth.helps import SIDES, Help, User, army_of, words_of_units
from killcurve.study.worth.measuring import GOALS, SAME, Attack, Gain
from killcurve.tables.dataset import DataError, Dataset

COLUMNS: dict[str, pl.DataType] = {
    "side": pl.String(),
    "unit": pl.String(),
    "kind": pl.String(),
    "name": pl.String(),
    "detachment": pl.String(),
    "cp": pl.Int64(),
    "cost": pl.Int64(),
    "choice": pl.String(),
    "effects": pl.List(pl.String()),
    "assumes": pl.List(pl.String()),
    "status": pl.String(),
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
    "gain_damage_per_cp": pl.Float64(),
    "gain_destroyed_per_cp": pl.Float64(),
    "gain_points_removed_per_cp": pl.Float64(),
    "gain_points_removed_per_100": pl.Float64(),
    "in_rerolls": pl.Float64(),
    "why_not": pl.String(),
}
"""What :func:`rules_worth` gives, one row a rule and side.

Damage is in wounds, ``destroyed`` a chance, points those of the models slain. ``side`` is who has
the rule and ``unit`` that unit; gains are its own: for the defender what it is spared. ``_per_cp``
divides by a stratagem's cost (null where it has none), ``_per_100`` by an enhancement's, times
100. ``in_rerolls`` is the gain in the goal as a multiple of Command Re-roll's at its best moment,
for the same side. ``assumes`` are conditions taken to hold; ``why_not`` tells what is not computed
and why, the other numbers being null.
"""

REROLL = "command re-roll"
Progress = Callable[[str], None]


def rules_worth(
    dataset: Dataset,
    unit: Combatant,
    target: Combatant,
    phase: str,
    how: Circumstances = Circumstances(),
    *,
    goal: str = "points_removed",
    sides: Sequence[str] = SIDES,
    progress: Progress = lambda _: None,
) -> pl.DataFrame:
    """What each stratagem, detachment rule, enhancement and ability to be chosen adds, alone.

    The attack is that of the whole ``unit`` in a ``phase`` (``shooting`` or ``fight``), with
    both units' own abilities. Where a rule offers a choice the best option by ``goal`` (one of
    :data:`~killcurve.study.worth.measuring.GOALS`) counts. ``progress`` is told of each rule, and
    may raise to stop. Columns are :data:`COLUMNS`, the greatest gain first.

    Raises:
        DataError: if the goal, the side or the phase is not known, or the target has no stat
            line.

    >>> import killcurve
    >>> from killcurve.study.armed import combatant
    >>> data = killcurve.load()
    >>> boat, squad = (combatant(data, name) for name in ("Raider", "Intercessor Squad"))
    >>> worth = rules_worth(data, boat, squad, "shooting", goal="damage", sides=["attacker"])
    >>> worth.filter(name="COMMAND RE-ROLL").select("cp", "in_rerolls").row(0)
    (1, 1.0)
    """
    check(goal, phase, sides)
    attack = Attack(unit, target.target, phase, how)
    rows: list[dict[str, Any]] = []
    for side in sides:
        user, owner = user_of(dataset, unit, target, phase, side)
        army = army_of(dataset, owner.attacker.faction, owner.attacker.datasheet, how.edition)
        found = []
        for rule in (*army.rules, *user.own_rules(phase)):
            helps = user.helps([rule])
            if helps:
                progress(rule.name)
                found.append(_row(rule, _best(attack, helps, side, goal), side, owner.name))
        rows += _in_rerolls(found, goal)
    frame = pl.DataFrame(rows, schema=COLUMNS)
    # Rounded: gains that are the same but for the order of sums stand by name.
    best_first = [
        pl.col(f"gain_{goal}").round(9),
        *map(pl.col, ("side", "kind", "name", "detachment")),
    ]
    return frame.sort(best_first, descending=[True, *[False] * 4], nulls_last=True)


def check(goal: str, phase: str, sides: Sequence[str]) -> None:
    """Tell what is not known.

    Raises:
        DataError: naming it, and what there is.
    """
    for what, given, known in (
        ("goal", [goal], GOALS),
        ("phase", [phase], tuple(KIND_OF_PHASE)),
        ("side", sides, SIDES),
    ):
        for name in given:
            if name not in known:
                raise DataError(f"there is no {what} {name!r}; there are {', '.join(known)}")


def user_of(
    dataset: Dataset, unit: Combatant, target: Combatant, phase: str, side: str
) -> tuple[User, Combatant]:
    """Who uses rules on one side of an attack, and the unit behind it."""
    owner = unit if side == "attacker" else target
    weapons = tuple(line.weapon for line in unit.lines(phase))
    own, kind = owner.attacker.rules, KIND_OF_PHASE[phase]
    known = words_of_units(dataset)
    return User(side, owner.attacker.keywords, kind, weapons, own, known), owner


def signed(gain: Gain, goal: str, side: str) -> float:
    """A gain for the side that has the help."""
    return (gain.of(goal) if side == "attacker" else -gain.of(goal)) + 0.0


def _best(
    attack: Attack, helps: Sequence[Help], side: str, goal: str
) -> tuple[Help, Gain] | tuple[Help, str]:
    """The option with the greatest gain; why none is computed, if none is."""
    found = [(each, attack.gain([each], side)) for each in helps]
    computed = [(each, gain) for each, gain in found if isinstance(gain, Gain)]
    if computed:
        return max(computed, key=lambda pair: round(signed(pair[1], goal, side), 12))
    return next((each, why) for each, why in found if isinstance(why, str))


def _row(
    rule: Rule, found: tuple[Help, Gain] | tuple[Help, str], side: str, unit: str
) -> dict[str, Any]:
    taken, gain = found
    row: dict[str, Any] = {
        "side": side,
        "unit": unit,
        "kind": rule.kind,
        "name": rule.name,
        "detachment": rule.detachment,
        "cp": rule.cp,
        "cost": rule.cost,
        "choice": taken.choice or None,
        "effects": [str(effect) for effect in taken.effects],
        "status": rule.status,
    }
    if isinstance(gain, str):
        return {**row, "why_not": gain}
    return {**row, **numbers(gain, side, rule.cp, rule.cost)}


def numbers(gain: Gain, side: str, cp: int | None, cost: int | None) -> dict[str, Any]:
    """The columns of a gain that costs so many command points and points."""
    row: dict[str, Any] = {"assumes": list(gain.assumes), "weapons": list(gain.with_it.weapons)}
    for goal in GOALS:
        before, after = getattr(gain.without, goal), getattr(gain.with_it, goal)
        known = before is not None and after is not None
        won = signed(gain, goal, side) if known else None
        row[f"{goal}_without"], row[goal], row[f"gain_{goal}"] = before, after, won
        row[f"gain_{goal}_per_cp"] = won / cp if won is not None and cp else None
    row["gain_points_removed_per_100"] = per_100(row["gain_points_removed"], cost)
    return row


def _in_rerolls(rows: list[dict[str, Any]], goal: str) -> Iterator[dict[str, Any]]:
    """The rows with their gains as multiples of Command Re-roll's."""
    yardstick = next((row.get(f"gain_{goal}") for row in rows if row["effects"] == [REROLL]), None)
    for row in rows:
        gain = row.get(f"gain_{goal}")
        known = gain is not None and yardstick is not None and yardstick > SAME
        yield {**row, "in_rerolls": gain / yardstick if known else None}

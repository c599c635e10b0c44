"""Where one more matters: what +1 of each characteristic and roll of a weapon is worth.

One thing is changed at a time and everything else stays, so gains do not add up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from killcurve.engine.dice import Dice
from killcurve.engine.target import Target
from killcurve.engine.volley import Outcome
from killcurve.engine.weapon import WeaponLine
from killcurve.study.aimed import Aimed, aimed, weapon_line
from killcurve.study.efficiency import per_100
from killcurve.study.lines import Attacker, Line
from killcurve.study.matchup import Circumstances
from killcurve.study.targets import Defender, defender
from killcurve.tables.dataset import DataError, Dataset

COLUMNS: dict[str, pl.DataType] = {
    "faction": pl.String(),
    "datasheet": pl.String(),
    "weapon": pl.String(),
    "kind": pl.String(),
    "count": pl.Int64(),
    "target_faction": pl.String(),
    "target": pl.String(),
    "target_models": pl.Int64(),
    "effect": pl.String(),
    "damage": pl.Float64(),
    "destroyed": pl.Float64(),
    "points_removed_per_100": pl.Float64(),
    "gain_damage": pl.Float64(),
    "loss_damage": pl.Float64(),
    "gain_destroyed": pl.Float64(),
    "loss_destroyed": pl.Float64(),
    "gain": pl.Float64(),
    "loss": pl.Float64(),
    "left_out": pl.List(pl.String()),
}
"""What :func:`one_more` gives, a row a target and thing that is changed (``effect``).

``damage`` (mean wounds lost), ``destroyed`` (P(no model is left)) and ``points_removed_per_100``
(points of the mean models slain, for each 100 points of the unit) are as it is; ``gain_…`` is the
change with one more, ``loss_…`` that with one less, ``gain`` and ``loss`` those of
``points_removed_per_100``. One less is null where there is nothing less (Strength 1, AP 0), points
where a cost is not known.
"""

SUMMARY: dict[str, pl.DataType] = {
    "datasheet": pl.String(),
    "weapon": pl.String(),
    "kind": pl.String(),
    "count": pl.Int64(),
    "effect": pl.String(),
    "targets": pl.Int64(),
    "matters": pl.Int64(),
    "share": pl.Float64(),
    "damage": pl.Float64(),
    "gain_damage": pl.Float64(),
    "relative": pl.Float64(),
    "gain_destroyed": pl.Float64(),
    "gain": pl.Float64(),
    "loss": pl.Float64(),
    "most_at": pl.String(),
}
"""What :func:`where_it_matters` gives, a row a thing that is changed, the largest gain first.

``matters`` is at how many of the ``targets`` one more changes the mean damage at all, ``share``
that as a part; the other numbers are means over all targets, each counted once, ``relative`` is the
mean gain of damage over the mean damage. ``most_at`` is the target at which ``gain_damage`` is
largest.
"""

SAME = 1e-12
"""A change of the mean damage that is less is none."""

Change = Callable[[Aimed, int], Aimed | None]


def _strength(one: Aimed, by: int) -> Aimed | None:
    dice = _more(one.line.weapon.strength, by)
    return None if dice is None else one.with_weapon(strength=dice)


def _ap(one: Aimed, by: int) -> Aimed | None:
    ap = one.line.weapon.ap - by
    return one.with_weapon(ap=ap) if -10 <= ap <= 0 else None


def _damage(one: Aimed, by: int) -> Aimed | None:
    dice = _more(one.line.weapon.damage, by)
    return None if dice is None else one.with_weapon(damage=dice)


def _attacks(one: Aimed, by: int) -> Aimed | None:
    dice = _more(one.line.weapon.attacks, by)
    return None if dice is None else one.with_weapon(attacks=dice)


def _hit(one: Aimed, by: int) -> Aimed | None:
    return one.with_modifiers(lambda m: replace(m, hit=m.hit + by))


def _wound(one: Aimed, by: int) -> Aimed | None:
    return one.with_modifiers(lambda m: replace(m, wound=m.wound + by))


def _weapons(one: Aimed, by: int) -> Aimed | None:
    count = one.line.weapon.count + by
    return one.with_weapon(count=count) if count else None


CHANGES: dict[str, Change] = {
    "Strength": _strength,
    "AP": _ap,
    "Damage": _damage,
    "Attacks": _attacks,
    "to hit": _hit,
    "to wound": _wound,
    "weapons": _weapons,
}
"""What is changed by one, by its name: characteristics of each weapon, rolls, and how many weapons.

AP by one is from -1 to -2; one more to a roll is a modifier, which counts as far as the rules let
modifiers add up.
"""


def _more(dice: Dice, by: int) -> Dice | None:
    """A characteristic with so much more; ``None`` where it could be less than 1.

    >>> str(_more(Dice.parse("D6"), 1)), _more(Dice.parse("D6"), -1)
    ('D6+1', None)
    """
    if dice.minimum + by < 1 or dice.bonus + by < 0:
        return None
    return replace(dice, bonus=dice.bonus + by)


def one_more(
    unit: Attacker,
    weapon: str | None,
    targets: Sequence[Defender],
    how: Circumstances = Circumstances(),
) -> pl.DataFrame:
    """What one more and one less of each thing changes of a weapon line; :data:`COLUMNS`.

    Raises:
        DataError: if the unit has no such weapon line.

    >>> import killcurve
    >>> from killcurve.study.lines import attacker
    >>> from killcurve.study.targets import defender
    >>> data = killcurve.load()
    >>> boyz = defender(data, "Boyz")
    >>> found = one_more(attacker(data, "Raider"), "Dark lance", [boyz])
    >>> found.filter(pl.col("gain_damage") > 0)["effect"].to_list()
    ['Attacks', 'to hit', 'weapons']
    """
    line = weapon_line(unit, weapon)
    solved = _Solved()
    rows = [row for target in targets for row in _of_target(unit, line, target, how, solved)]
    return pl.DataFrame(rows, schema=COLUMNS)


class _Solved:
    """Outcomes, each worked out once: many units are the same as targets."""

    def __init__(self) -> None:
        self._known: dict[tuple[WeaponLine, Target], tuple[float, float, float]] = {}

    def does(self, one: Aimed) -> tuple[float, float, float]:
        """Mean damage, P(destroyed) and mean models slain."""
        key = one.line, one.target
        if key not in self._known:
            outcome: Outcome = one.outcome()
            self._known[key] = outcome.damage.mean, outcome.destroyed, outcome.slain.mean
        return self._known[key]


def _of_target(
    unit: Attacker,
    line: Line,
    target: Defender,
    how: Circumstances,
    solved: _Solved,
) -> Iterator[dict[str, Any]]:
    start = aimed(unit, line, target, how)
    each = target.points_per_model

    def numbers(one: Aimed | None) -> tuple[float | None, float | None, float | None]:
        if one is None:
            return None, None, None
        damage, destroyed, slain = solved.does(one)
        return damage, destroyed, per_100(None if each is None else slain * each, unit.points)

    own = numbers(start)
    for name, change in CHANGES.items():
        more, less = numbers(change(start, 1)), numbers(change(start, -1))
        gain, loss = _minus(more, own), _minus(less, own)
        if name == "weapons" and start.line.weapon.count == 1:
            loss = tuple(None if value is None else -value for value in own)
        yield {
            "faction": unit.faction,
            "datasheet": unit.datasheet,
            "weapon": line.name,
            "kind": line.kind,
            "count": start.line.weapon.count,
            "target_faction": target.faction,
            "target": target.name,
            "target_models": target.target.models,
            "effect": name,
            "damage": own[0],
            "destroyed": own[1],
            "points_removed_per_100": own[2],
            "gain_damage": gain[0],
            "loss_damage": loss[0],
            "gain_destroyed": gain[1],
            "loss_destroyed": loss[1],
            "gain": gain[2],
            "loss": loss[2],
            "left_out": list(start.left_out),
        }


def _minus(one: Iterable[float | None], other: Iterable[float | None]) -> tuple[float | None, ...]:
    return tuple(None if a is None or b is None else a - b for a, b in zip(one, other, strict=True))


def where_it_matters(found: pl.DataFrame) -> pl.DataFrame:
    """What :func:`one_more` tells of many targets, by what is changed; :data:`SUMMARY`."""
    changes = pl.col("gain_damage").abs() > SAME
    most = pl.struct("target", "gain_damage").sort_by(
        [pl.col("gain_damage"), pl.col("target")], descending=[True, False]
    )
    made = (
        found.group_by("datasheet", "weapon", "kind", "count", "effect")
        .agg(
            targets=pl.len().cast(pl.Int64),
            matters=changes.sum().cast(pl.Int64),
            share=changes.mean(),
            damage=pl.col("damage").mean(),
            gain_damage=pl.col("gain_damage").mean(),
            gain_destroyed=pl.col("gain_destroyed").mean(),
            gain=pl.col("gain").mean(),
            loss=pl.col("loss").mean(),
            most_at=most.first().struct.field("target"),
        )
        .with_columns(relative=pl.col("gain_damage") / pl.col("damage"))
    )
    order = ["datasheet", "weapon", "kind", "gain_damage", "effect"]
    return made.select(pl.col(name).cast(dtype) for name, dtype in SUMMARY.items()).sort(
        order, descending=[False, False, False, True, False]
    )


def every_datasheet(dataset: Dataset, faction: str | None = None) -> list[Defender]:
    """All units of a dataset, or of a faction, as targets: each at its smallest size, once.

    Units that several factions have are taken from one of them; those without a stat line are
    left out.
    """
    sheets = dataset.datasheets
    if faction is not None:
        from killcurve.tables.naming import faction_key

        chosen = [f for f in sheets["faction"].unique() if faction_key(f) == faction_key(faction)]
        if not chosen:
            raise DataError(f"there is no faction {faction!r} in the dataset")
        sheets = sheets.filter(pl.col("faction").is_in(chosen))
    known = dataset.models.select("faction", "datasheet").unique()
    rows = (
        sheets.select("faction", "datasheet")
        .join(known, on=["faction", "datasheet"], how="semi")
        .unique()
        .sort("datasheet", "faction")
        .unique("datasheet", keep="first", maintain_order=True)
    )
    made = []
    for owner, name in rows.rows():
        try:
            made.append(defender(dataset, name, owner))
        except (DataError, ValueError):
            continue
    return made

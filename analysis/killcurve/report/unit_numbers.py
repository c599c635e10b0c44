"""The numbers of a report on units."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from killcurve.report.account import Tell
from killcurve.study.armed import Combatant, used_against
from killcurve.study.army_rules import SNAP
from killcurve.study.durability import durability
from killcurve.study.efficiency import unit_efficiency
from killcurve.study.matchup import engage
from killcurve.study.one_more import one_more
from killcurve.study.panel import strikes
from killcurve.study.survival import survival
from killcurve.study.worth import rules_worth
from killcurve.tables.dataset import Dataset

PER_100 = "points_of_wounds_per_100"
CHANCES = (0.5, 0.9)
OFTEN = 0.5
"""A target that is destroyed so often tells little of what helps."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """What is computed of one unit.

    ``does`` and ``suffers`` are rows of :mod:`killcurve.study.panel`, ``efficiency`` and
    ``durability`` those of their studies. ``best`` and ``worst`` are the rows of ``does`` in its
    better phase with the highest and lowest value (``None`` where there is none), ``threat`` the
    row of ``suffers`` with the highest. ``worth`` is of the attack on the best target
    that it seldom destroys (:func:`telling`) and of that of the threat; ``more`` is of the line
    that does most there, ``curves`` are the best and worst targets' chances to lose at least so
    many wounds.
    """

    unit: Combatant
    prices: pl.DataFrame
    efficiency: pl.DataFrame
    does: pl.DataFrame
    suffers: pl.DataFrame
    durability: pl.DataFrame
    worth: pl.DataFrame
    more: pl.DataFrame
    curves: pl.DataFrame
    laws: pl.DataFrame
    best: dict[str, object] | None
    worst: dict[str, object] | None
    threat: dict[str, object] | None


def numbers(dataset: Dataset, unit: Combatant, others: list[Combatant], tell: Tell) -> Numbers:
    """All numbers of a unit against a panel."""
    tell(f"{unit.name}: its attacks")
    does = strikes([unit], others)
    best, worst = _extremes(does)
    asked = telling(does, best)
    tell(f"{unit.name}: attacks on it")
    suffers = strikes(others, [unit])
    threat, _ = _extremes(suffers)
    tough = [] if unit.defender is None else [unit.target]
    by_name = {other.name: other for other in others}
    return Numbers(
        unit=unit,
        prices=_prices(dataset, unit),
        efficiency=unit_efficiency([unit], [other.target for other in others]),
        does=does,
        suffers=suffers,
        durability=durability(
            tough, others, chances=CHANCES, progress=lambda *_: tell(f"{unit.name}: durability")
        ),
        worth=_worth(dataset, unit, by_name, asked, threat, tell),
        more=_more(unit, by_name, asked),
        curves=_curves(unit, by_name, best, worst),
        laws=_laws(unit, by_name, best, worst),
        best=best,
        worst=worst,
        threat=threat,
    )


def _extremes(found: pl.DataFrame) -> tuple[dict[str, object] | None, dict[str, object] | None]:
    """The match-ups in the better phase with the highest and the lowest value."""
    known = found.filter(pl.col("best") & pl.col(PER_100).is_not_null())
    if known.is_empty():
        return None, None
    ranked = known.sort([PER_100, "target", "attacker"], descending=[True, False, False])
    return ranked.row(0, named=True), ranked.row(-1, named=True)


def telling(found: pl.DataFrame, best: dict[str, object] | None) -> dict[str, object] | None:
    """The best match-up in which the target is seldom destroyed; the best if there is none.

    Where an attack destroys the target anyway, nothing adds to it.
    """
    left, _ = _extremes(found.filter(pl.col("destroyed") < OFTEN))
    return best if left is None or float(str(left[PER_100])) <= 0 else left


def _prices(dataset: Dataset, unit: Combatant) -> pl.DataFrame:
    own = unit.attacker
    rows = dataset.of_unit("points", own.faction, own.datasheet)
    return rows.select("models", "models_max", "copies_from", "copies_to", "cost").sort(
        "models", "copies_from"
    )


def _worth(
    dataset: Dataset,
    unit: Combatant,
    by_name: dict[str, Combatant],
    best: dict[str, object] | None,
    threat: dict[str, object] | None,
    tell: Tell,
) -> pl.DataFrame:
    """Rules for the attack that tells most, and against the attack of the greatest threat."""
    frames = []
    if best is not None:
        frames.append((unit, by_name[str(best["target"])], str(best["phase"]), "attacker"))
    if threat is not None:
        frames.append((by_name[str(threat["attacker"])], unit, str(threat["phase"]), "defender"))
    found = []
    for attacker, target, phase, side in frames:
        tell(f"{unit.name}: what rules are worth as {side}")
        worth = comparable(rules_worth(dataset, attacker, target, phase, sides=[side]))
        against = target.name if side == "attacker" else attacker.name
        found.append(worth.with_columns(pl.lit(against).alias("against"), phase=pl.lit(phase)))
    return pl.concat(found) if found else pl.DataFrame()


def comparable(worth: pl.DataFrame) -> pl.DataFrame:
    """The rules that change an attack; those that are one by themselves cannot be set beside it.

    Circumstances among what they assume are there in words: ``target on objective``.
    """
    snaps = pl.col("effects").list.eval(pl.element().str.starts_with(SNAP)).list.any()
    words = pl.col("assumes").list.eval(pl.element().str.replace_all("_", " "))
    return worth.filter(~snaps).with_columns(words)


def _more(
    unit: Combatant, by_name: dict[str, Combatant], best: dict[str, object] | None
) -> pl.DataFrame:
    """One more of each thing, for the line that does most damage to that target."""
    if best is None:
        return pl.DataFrame()
    target = by_name[str(best["target"])].target
    lines = used_against(unit, str(best["phase"]), target)
    most = max(lines, key=lambda one: engage(unit.attacker, [one], target).outcome.damage.mean)
    found = one_more(unit.attacker, most.name, [target])
    return found.filter(pl.col("kind") == most.kind)


def _pairs(
    by_name: dict[str, Combatant], *found: dict[str, object] | None
) -> list[tuple[str, Combatant, str]]:
    """The match-ups, each with its name: best and worst, once where they are the same."""
    made: dict[str, tuple[str, Combatant, str]] = {}
    for row in found:
        if row is not None:
            target = by_name[str(row["target"])]
            made[target.name] = (f"{target.name}, {row['phase']}", target, str(row["phase"]))
    return list(made.values())


def _curves(
    unit: Combatant, by_name: dict[str, Combatant], *found: dict[str, object] | None
) -> pl.DataFrame:
    """P(at least k wounds lost) of the best and the worst target."""
    laws = {}
    for name, target, phase in _pairs(by_name, *found):
        lines = used_against(unit, phase, target.target)
        laws[name] = engage(unit.attacker, lines, target.target).outcome.damage
    most = max((law.quantile(0.999) for law in laws.values()), default=0)
    return survival(laws, max(1, most))


def _laws(
    unit: Combatant, by_name: dict[str, Combatant], *found: dict[str, object] | None
) -> pl.DataFrame:
    """P(k wounds lost) of the best and the worst target."""
    rows = []
    for name, target, phase in _pairs(by_name, *found):
        lines = used_against(unit, phase, target.target)
        law = engage(unit.attacker, lines, target.target).outcome.damage
        rows += [(name, k, float(p)) for k, p in enumerate(law.from_zero())]
    schema = {"series": pl.String, "k": pl.Int64, "probability": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")

"""Many units against a panel of others: what each whole unit does in a phase, with its spread.

Only what rankings need is worked out, so that a whole game takes a minute or two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import polars as pl

from killcurve.engine.states import states
from killcurve.study.armed import Combatant, in_words, together
from killcurve.study.efficiency import per_100
from killcurve.study.engagements import Engagements
from killcurve.study.lines import Line
from killcurve.study.matchup import Circumstances
from killcurve.study.targets import Defender

COLUMNS: dict[str, pl.DataType] = {
    "attacker_faction": pl.String(),
    "attacker": pl.String(),
    "attacker_models": pl.Int64(),
    "attacker_points": pl.Int64(),
    "target_faction": pl.String(),
    "target": pl.String(),
    "target_models": pl.Int64(),
    "target_points": pl.Int64(),
    "phase": pl.String(),
    "best": pl.Boolean(),
    "weapon": pl.String(),
    "damage": pl.Float64(),
    "destroyed": pl.Float64(),
    "points_removed": pl.Float64(),
    "points_removed_per_100": pl.Float64(),
    "points_of_wounds": pl.Float64(),
    "points_of_wounds_per_100": pl.Float64(),
    "points_of_wounds_per_100_p10": pl.Float64(),
    "points_of_wounds_per_100_p90": pl.Float64(),
    "left_out": pl.List(pl.String()),
}
"""What :func:`strikes` gives: a row an attacker, target and phase in which it has weapons.

``damage`` are mean wounds lost by the fresh target, ``destroyed`` is P(no model is left),
``points_removed`` the points of the mean models slain, ``points_of_wounds`` the cost of the target
times the share of its wounds that it loses on average; ``_per_100`` is for each 100 points of the
attacker, ``_p10`` and ``_p90`` are the least values up to which 10 and 90 % of the law lie. Where a
cost is not known, or is nought for the attacker, they are null. ``best`` is the phase in which the
attacker takes more wounds from that target. ``left_out`` are rules of both units that bear on the
attack and are not, or not wholly, computed.
"""

MEAN: dict[str, pl.DataType] = {
    "faction": pl.String(),
    "unit": pl.String(),
    "models": pl.Int64(),
    "points": pl.Int64(),
    "against": pl.Int64(),
    "value": pl.Float64(),
    "low": pl.Float64(),
    "high": pl.Float64(),
    "points_removed_per_100": pl.Float64(),
    "most": pl.Float64(),
    "most_with": pl.String(),
    "least": pl.Float64(),
    "least_with": pl.String(),
    "phase": pl.String(),
}
"""What :func:`means` gives: a row a unit.

``value`` is the mean of ``points_of_wounds_per_100`` over so many others (``against``), each in its
better phase; ``low`` and ``high`` are the means of its 10 and 90 % quantiles. ``most`` and
``least`` are the extreme match-ups, with the names of the others; ``phase`` is the better one in
more of them.
"""

PHASES = ("shooting", "fight")
Progress = Callable[[int, int], None]


def strikes(
    units: Sequence[Combatant],
    targets: Sequence[Combatant],
    how: Circumstances = Circumstances(),
    *,
    progress: Progress = lambda *_: None,
) -> pl.DataFrame:
    """What each unit does to each target in each phase; columns are :data:`COLUMNS`.

    Whole units attack, each model with what does most damage. Targets without a stat line are
    left out. Sorted by faction, name and cost of both, and phase. ``progress`` is told how many
    of how many targets are done, and may raise to stop.

    >>> import killcurve
    >>> from killcurve.study.armed import combatant
    >>> data = killcurve.load()
    >>> pair = [combatant(data, name) for name in ("Boyz", "Intercessor Squad")]
    >>> found = strikes(pair[:1], pair[1:])
    >>> found.select("phase", "best").rows()
    [('fight', True), ('shooting', False)]
    """
    engagements = Engagements(how)
    rows: list[dict[str, Any]] = []
    for done, other in enumerate(targets):
        progress(done, len(targets))
        if other.defender is not None:
            for unit in units:
                rows += _best_marked(list(_rows(engagements, unit, other, other.defender)))
    progress(len(targets), len(targets))
    return pl.DataFrame(rows, schema=COLUMNS).sort(
        "attacker_faction", "attacker", "attacker_points", "target_faction", "target",
        "target_points", "phase", maintain_order=True,
    )  # fmt: skip


def _rows(
    engagements: Engagements, unit: Combatant, other: Combatant, target: Defender
) -> Iterator[dict[str, Any]]:
    space, own = states(target.target), unit.attacker
    lost, dead = space.all_lost.total, space.all_dead.total

    def worth(line: Line) -> float:
        return float(engagements.attack(own, [line], target).law @ lost)

    for phase in PHASES:
        lines = together(unit, phase, target, worth)
        if not lines:
            continue
        struck = engagements.attack(own, lines, target)
        damage = space.damage(struck.law)
        removed = worn = each = None
        if target.points is not None:
            removed = float(struck.law @ dead) / target.target.models * target.points
            each = target.points / space.can_lose
            worn = damage.mean * each
        low, high = (
            None if each is None else damage.quantile(share) * each for share in (0.1, 0.9)
        )
        incomplete = engagements.incomplete(own, target, phase)
        yield {
            "attacker_faction": own.faction,
            "attacker": unit.name,
            "attacker_models": own.models,
            "attacker_points": own.points,
            "target_faction": target.faction,
            "target": other.name,
            "target_models": target.target.models,
            "target_points": target.points,
            "phase": phase,
            "best": False,
            "weapon": "; ".join(in_words(lines)),
            "damage": damage.mean,
            "destroyed": float(struck.law[space.destroyed]),
            "points_removed": removed,
            "points_removed_per_100": per_100(removed, own.points),
            "points_of_wounds": worn,
            "points_of_wounds_per_100": per_100(worn, own.points),
            "points_of_wounds_per_100_p10": per_100(low, own.points),
            "points_of_wounds_per_100_p90": per_100(high, own.points),
            "left_out": list(dict.fromkeys((*struck.unmodelled, *unit.unknown, *incomplete))),
        }


def _best_marked(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of one pair; of phases that do the same, the first is the better one."""
    if rows:
        max(rows, key=lambda row: round(row["damage"], 12))["best"] = True
    return rows


def means(found: pl.DataFrame, of: str = "attacker") -> pl.DataFrame:
    """The mean over the others of what each attacker does, or each target suffers (``of``).

    Units whose cost is not known or nought, or of whose match-ups one has no value, are left out.
    Sorted by faction, name and cost; columns are :data:`MEAN`.

    >>> import killcurve
    >>> from killcurve.study.armed import combatant
    >>> data = killcurve.load()
    >>> boyz, squad = (combatant(data, name) for name in ("Boyz", "Intercessor Squad"))
    >>> found = strikes([boyz], [squad])
    >>> means(found)["value"].item() == means(found, "target")["value"].item()
    True
    """
    other = "target" if of == "attacker" else "attacker"
    value = "points_of_wounds_per_100"
    best = found.filter(pl.col("best"))
    keys = [f"{of}_faction", of, f"{of}_models", f"{of}_points"]
    pair = pl.struct(value, other)
    most = pair.sort_by([value, other], descending=[True, False]).first()
    least = pair.sort_by([value, other]).first()
    fights = (pl.col("phase") == "fight").mean() > 0.5
    made = best.group_by(keys).agg(
        pl.len().alias("against"),
        pl.col(value).is_null().any().alias("unknown"),
        pl.col(value).mean().alias("value"),
        pl.col(f"{value}_p10").mean().alias("low"),
        pl.col(f"{value}_p90").mean().alias("high"),
        pl.col("points_removed_per_100").mean(),
        most.struct.field(value).alias("most"),
        most.struct.field(other).alias("most_with"),
        least.struct.field(value).alias("least"),
        least.struct.field(other).alias("least_with"),
        pl.when(fights).then(pl.lit("fight")).otherwise(pl.lit("shooting")).alias("phase"),
    )
    named = dict(zip(keys, ("faction", "unit", "models", "points"), strict=True))
    return (
        made.filter(~pl.col("unknown"))
        .rename(named)
        .filter(pl.col("points") > 0)
        .select(pl.col(name).cast(kind) for name, kind in MEAN.items())
        .sort("faction", "unit", "points", "models")
    )

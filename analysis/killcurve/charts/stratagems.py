"""What each stratagem is worth per command point, as ranked bars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from killcurve.charts.export import Chart
from killcurve.charts.making import chart_kind
from killcurve.charts.rows import Row, how_many, left_out, place, whisker, zero
from killcurve.charts.style import colour, ink
from killcurve.charts.words import cleaned, joined, number, signed, titled
from killcurve.tables.dataset import DataError

if TYPE_CHECKING:
    from matplotlib.figure import SubFigure

__all__ = ["ranked_stratagems"]

MOST_BARS = 12
LEAST_GAIN = 0.005
MEASURES = {"attacker": "points removed", "defender": "points spared"}
"""What a gain is, by the side that has the stratagem."""

EITHER = "points removed or spared"


@chart_kind("stratagem-value", needs=("value", "name", "cp"), may=("over", "kind"), empty=True)
def ranked_stratagems(
    frame: pl.DataFrame,
    unit: str = "",
    conditions: str = "",
    *,
    name: str = "name",
    value: str = "gain_points_removed_per_cp",
    cp: str = "cp",
    over: str = "target",
    kind: str = "kind",
) -> Chart:
    """Gain in points per command point, from :func:`killcurve.study.worth.rules_worth`.

    One row a stratagem (of a ``detachment`` and ``side``, if the frame has them) and target: where
    several answers are joined, ``over`` tells their targets apart; without it there is one. Each
    bar is the mean over the targets for which there is a value; its whiskers reach from the target
    where it gains least to that where it gains most. Other rules of ``kind`` are left out. ``unit``
    is who has the stratagems; empty for the frame's ``unit``.

    Raises:
        DataError: if the frame has no stratagem, or one more than once for a target.

    >>> rows = {"name": ["AIM"] * 2, "cp": [2, 2], "target": ["Newts", "Voles"]}
    >>> frame = pl.DataFrame({**rows, "gain_points_removed_per_cp": [1.5, 3.5]})
    >>> ranked_stratagems(frame, "Moles").title
    'Aim is worth most to Moles: 2.5 points removed per command point'
    """
    rows = frame.filter(pl.col(kind) == "stratagem") if kind else frame
    if rows.is_empty():
        others = ", ".join(map(str, frame[kind].unique().sort())) if kind else ""
        seen = f": column {kind!r} has no 'stratagem' but {others}" if others else ""
        raise DataError(f"no stratagem bears on the attacks of {unit or 'the unit'}{seen}")
    told = [name, cp, *(c for c in ("detachment", "side") if c in rows.columns)]
    _once_each(rows, [*told, *filter(None, [over])], over)
    valued = rows.filter((pl.col(cp) > 0) & pl.col(value).is_finite())
    gains = _gains(valued, told, value, over)
    ranked = gains.filter(pl.col("gain") >= LEAST_GAIN).head(MOST_BARS)
    targets = rows[over].unique().sort().to_list() if over else []
    measure = _measure(ranked)
    return Chart(
        draw=lambda part: _draw(part, cleaned(ranked), name, cp, over, len(targets)),
        title=_finding(ranked, name, unit),
        subtitle=joined(
            f"Expected {measure} more than without it, per CP"
            f"{_mean_over(targets, over)}; its conditions are taken to hold",
            _others(gains.height - ranked.height),
            conditions,
        ),
        alt=f"Bars of {ranked.height} stratagems. "
        + "; ".join(
            f"{' '.join(filter(None, (titled(r[name]), _whose(r, measure))))} {number(r['gain'])}"
            + (f" ({number(r['low'])} to {number(r['high'])})" if len(targets) > 1 else "")
            for r in ranked.rows(named=True)
        )
        + f" {measure} per command point.",
        data=ranked,
        height=190 + 62 * max(1, ranked.height),
    )


def _once_each(rows: pl.DataFrame, key: list[str], over: str) -> None:
    """See that no two rows tell of the same stratagem and target.

    Raises:
        DataError: naming one that is there again, and what to do.
    """
    again = rows.filter(pl.struct(key).is_duplicated()).sort(key)
    if again.height:
        said = ", ".join(str(again[0, c]) for c in key if again[0, c] not in (None, ""))
        column = "" if over else " and name the column that tells targets apart: over=COLUMN"
        raise DataError(
            f"the frame has several rows for {said}, and a chart 'stratagem-value' takes one row "
            f"a stratagem and target: keep those of one unit and phase{column}"
        )


def _gains(rows: pl.DataFrame, told: list[str], value: str, over: str) -> pl.DataFrame:
    """One row a stratagem: the mean ``gain``, ``low`` and ``high``, over so many ``targets``."""
    words = [c for c in ("effects", "assumes") if c in rows.columns]
    units = pl.col("unit").unique() if "unit" in rows.columns else pl.lit(None, pl.String)
    return (
        rows.sort([*told, *filter(None, [over])])  # sums in one order, whatever that of the rows
        .group_by(told, maintain_order=True)
        .agg(
            gain=pl.col(value).mean(),
            low=pl.col(value).min(),
            high=pl.col(value).max(),
            targets=pl.len().cast(pl.Int64),
            unit=pl.when(units.len() == 1).then(units.first()),
            **{c: _every(c, rows.schema[c]) for c in words},
        )
        .sort([pl.col("gain").round(9), *told], descending=[True, *[False for _ in told]])
    )


def _every(column: str, kind: pl.DataType) -> pl.Expr:
    """What a column says for the different targets; options may differ."""
    words = pl.col(column)
    line = words.list.join(", ") if isinstance(kind, pl.List) else words
    return line.filter(line != "").unique().sort().str.join(" or ")


def _measure(ranked: pl.DataFrame) -> str:
    sides = ranked["side"].unique().to_list() if "side" in ranked.columns else ["attacker"]
    return MEASURES.get(sides[0], EITHER) if len(sides) == 1 else EITHER


def _finding(ranked: pl.DataFrame, name: str, unit: str) -> str:
    if ranked.is_empty():
        return f"No stratagem is worth a point to {unit or 'the unit'} in these attacks"
    best = ranked.row(0, named=True)
    side = best.get("side", "attacker")
    measure = MEASURES.get(side, EITHER)
    anybody = "the target" if side == "defender" else "the unit"
    named = unit if _measure(ranked) == measure else ""  # of both sides, it is not whose it is
    return (
        f"{titled(best[name])} is worth most to {named or best['unit'] or anybody}: "
        f"{number(best['gain'])} {measure} per command point"
    )


def _mean_over(targets: list[Any], over: str) -> str:
    if len(targets) > 1:
        return f", mean over {len(targets)} {over}s (whiskers: the least and the most of them)"
    return f", {over}: {targets[0]}" if targets else ""


def _others(left: int) -> str:
    return "" if left <= 0 else f"{left} more {'adds' if left == 1 else 'add'} less"


def _draw(
    part: SubFigure, ranked: pl.DataFrame, name: str, cp: str, over: str, targets: int
) -> None:
    rows = ranked.head(how_many(part, ranked.height, above=True)).rows(named=True)
    if not rows:
        part.subplots().set_axis_off()
        return
    measure = _measure(ranked)
    words = [
        Row(
            f"{titled(row[name])} · {row[cp]} CP",
            signed(row["gain"]),
            _detail(row, over, targets, measure),
        )
        for row in rows
    ]
    shown = left_out(len(rows), ranked.height, "stratagems")
    placed = place(part, words, f"{measure} per command point", shown, above=True)
    gains = [row["gain"] for row in rows]
    placed.axes.barh(placed.marks, gains, height=placed.thickness, color=colour(0))
    placed.axes.set_xlim(
        min(0.0, *(row["low"] for row in rows), 0.0), 1.02 * max(row["high"] for row in rows)
    )
    for i, row in enumerate(rows):
        if row["low"] < row["high"]:
            whisker(placed, i, row["low"], row["high"], ink())
    zero(placed)


def _detail(row: dict[str, Any], over: str, targets: int, measure: str) -> str:
    """Where it comes from, whose it is, what it does, and if it has no value for some targets."""
    where = (row["detachment"] or "Core") if "detachment" in row else ""
    some = f"{row['targets']} of {targets} {over}s" if row["targets"] < targets else ""
    return joined(where, _whose(row, measure), some, row.get("effects") or "")


def _whose(row: dict[str, Any], measure: str) -> str:
    """The side that has it, where there are both."""
    return f"as {row['side']}" if measure == EITHER and row.get("side") in MEASURES else ""

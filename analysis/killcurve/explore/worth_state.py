"""What rules are worth in an attack: the state, and its charts and numbers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from killcurve.charts.bars import ranked_bars
from killcurve.charts.export import Chart
from killcurve.charts.words import percent
from killcurve.explore.answers import View
from killcurve.explore.background import Progress
from killcurve.explore.choosing import kept, titled
from killcurve.explore.unit_state import EDITIONS, FLAGS
from killcurve.explore.whole_units import Who, WholeUnits, circumstances, title
from killcurve.study.worth import best_combinations, rules_worth

PHASES = {"shooting": "shooting", "fight": "fight"}
SIDES = {"attacker": "who attacks", "defender": "who is attacked", "both": "both"}
GOALS = {
    "points_removed": "points removed",
    "damage": "wounds removed",
    "destroyed": "chance to destroy",
}
MEASURES = {
    "gain": "in all",
    "per_cp": "for each command point",
    "per_100": "for each 100 points of an enhancement",
    "in_rerolls": "as a multiple of Command Re-roll",
}
SHORT = {
    "gain": "in all",
    "per_cp": "per command point",
    "per_100": "per 100 points",
    "in_rerolls": "in Command Re-rolls",
}
MOST_CP = 4


@dataclass(frozen=True, slots=True)
class WorthState:
    """An attack, and how rules in it are weighed.

    ``side`` is whose rules count; ``detachment`` is the army's of whose rules they are
    (empty: any legal set); ``cp`` the most command points of a combination, which is sought
    where ``together`` says so.
    """

    unit: Who = field(default_factory=lambda: Who("Orks", "Boyz"))
    target: Who = field(default_factory=lambda: Who("Adeptus Astartes", "Intercessor Squad"))
    phase: str = "fight"
    side: str = "both"
    goal: str = "points_removed"
    measure: str = "gain"
    together: bool = True
    cp: int = 2
    detachment: str = ""
    flags: tuple[str, ...] = ()
    edition: str = ""


def settled(units: WholeUnits, state: WorthState) -> WorthState:
    """The state with every choice that does not exist replaced by one that does."""
    unit, target = units.settled(state.unit), units.settled(state.target)
    state = replace(
        state,
        unit=unit,
        target=target,
        phase=kept(state.phase, list(PHASES)),
        side=kept(state.side, list(SIDES)),
        goal=kept(state.goal, list(GOALS)),
        measure=kept(state.measure, list(MEASURES)),
        cp=min(MOST_CP, max(0, state.cp)),
        flags=tuple(flag for flag in FLAGS if flag in state.flags),
        edition=kept(state.edition, list(EDITIONS)),
    )
    offered = ["", *units.detachments(owner(state).faction)]
    return replace(state, detachment=kept(state.detachment, offered))


def owner(state: WorthState) -> Who:
    """The unit whose combinations are sought."""
    return state.target if state.side == "defender" else state.unit


def sides(state: WorthState) -> tuple[str, ...]:
    """Whose rules count."""
    return ("attacker", "defender") if state.side == "both" else (state.side,)


def of_worth(state: WorthState) -> WorthState:
    """The state with what does not change :func:`worth` left out."""
    return replace(state, measure="gain", together=True, cp=0, detachment="")


def worth(units: WholeUnits, state: WorthState, progress: Progress) -> pl.DataFrame:
    """What each rule is worth alone: :func:`killcurve.study.worth.rules_worth`."""
    done = 0

    def tell(_: str) -> None:
        nonlocal done
        done += 1
        progress.step(done, 1)

    return rules_worth(
        units.dataset,
        units.combatant(state.unit),
        units.combatant(state.target),
        state.phase,
        circumstances(state.flags, state.edition),
        goal=state.goal,
        sides=sides(state),
        progress=tell,
    )


def of_together(state: WorthState) -> WorthState:
    """The state with what does not change :func:`together` left out."""
    return replace(state, measure="gain", side="defender" if state.side == "defender" else "both")


def together(units: WholeUnits, state: WorthState, progress: Progress) -> pl.DataFrame:
    """The best combinations: :func:`killcurve.study.worth.best_combinations`."""
    done = 0

    def tell(_: str) -> None:
        nonlocal done
        progress.step(done, 1)
        done += 1

    return best_combinations(
        units.dataset,
        units.combatant(state.unit),
        units.combatant(state.target),
        state.phase,
        circumstances(state.flags, state.edition),
        cp=state.cp,
        goal=state.goal,
        side="defender" if state.side == "defender" else "attacker",
        detachments=[state.detachment] if state.detachment else None,
        progress=tell,
    )


def column_of(state: WorthState) -> tuple[str, str]:
    """The column that is shown, and what it is called."""
    label = GOALS[state.goal]
    if state.measure == "per_cp":
        return f"gain_{state.goal}_per_cp", f"{label} {MEASURES['per_cp']}"
    if state.measure == "per_100":
        return "gain_points_removed_per_100", f"points removed {MEASURES['per_100']}"
    if state.measure == "in_rerolls":
        return "in_rerolls", f"times what Command Re-roll adds to {label}"
    return f"gain_{state.goal}", label


def worth_view(
    state: WorthState,
    found: pl.DataFrame,
    combined: pl.DataFrame | None = None,
    wrong: str = "",
) -> View:
    """What the frames of a settled state show; ``wrong`` tells why there are no combinations."""
    column, label = column_of(state)
    conditions = ", ".join(FLAGS[flag] for flag in state.flags)
    attack = f"{title(state.unit)} attack {title(state.target)} ({PHASES[state.phase]})"
    charts: dict[str, Chart] = {}
    for side in sides(state):
        rows = _ranked(found, side, column)
        if rows.height:
            share = state.goal == "destroyed" and state.measure in ("gain", "per_cp")
            charts[side] = ranked_bars(
                rows,
                name="rule",
                value=column,
                detail="detail",
                measure=label if side == "attacker" else f"{label}, spared",
                conditions=", ".join(filter(None, (attack, conditions))),
                share=share,
            )
    if combined is not None and combined.height:
        charts["together"] = _combined(state, combined, attack)
    return View(
        charts=charts,
        numbers=_numbers(state, found, combined),
        remarks=(*filter(None, [wrong]), *_remarks(found, combined)),
        funnel=_table(state, found),
        summary=_summary(state, found, column, label, attack),
        law=_flat(found),
        about_funnel="Every rule that applies, with what it adds to the attack (or spares)",
    )


def _ranked(found: pl.DataFrame, side: str, column: str) -> pl.DataFrame:
    """The rules of a side that gain anything, with words for their bars."""
    rows = found.filter((pl.col("side") == side) & (pl.col(column) > 0))
    words, details = [], []
    for row in rows.rows(named=True):
        words.append(f"{titled(row['name'])} · {_cost(row)}")
        details.append(_detail(row))
    many = {word for word in words if words.count(word) > 1}
    for i, row in enumerate(rows.rows(named=True)):
        if words[i] in many:
            words[i] += f" · {row['detachment'] or i}"
    return rows.with_columns(
        rule=pl.Series(words, dtype=pl.String), detail=pl.Series(details, dtype=pl.String)
    )


def _cost(row: dict[str, Any]) -> str:
    """What a rule costs in command points or points, else its kind."""
    if row["cp"] is not None:
        return f"{row['cp']} CP"
    return f"{row['cost']} points" if row["cost"] is not None else str(row["kind"])


def _detail(row: dict[str, Any]) -> str:
    parts = (row["detachment"] or "", "; ".join(row["effects"] or ()))
    return " · ".join(part for part in parts if part)


def _combined(state: WorthState, combined: pl.DataFrame, attack: str) -> Chart:
    label = GOALS[state.goal]
    rows = [
        {
            "combination": f"{number}. {' + '.join(map(titled, row['rules'])) or 'nothing'}",
            "gain": row[f"gain_{state.goal}"],
            "detail": " · ".join(
                [
                    " + ".join(row["detachments"]) or "no detachment",
                    f"{row['cp']} CP",
                    *([f"{row['cost']} points"] if row["cost"] else []),
                ]
            ),
        }
        for number, row in enumerate(combined.head(12).rows(named=True), start=1)
    ]
    frame = pl.DataFrame(rows)
    chart = ranked_bars(
        frame,
        name="combination",
        value="gain",
        measure=f"{label} more" if state.side != "defender" else f"{label}, spared",
        conditions=f"best legal combinations for up to {state.cp} CP, {attack}",
        share=state.goal == "destroyed",
    )
    best = rows[0]
    told = percent(best["gain"], 1) if state.goal == "destroyed" else f"{best['gain']:.1f}"
    name = str(best["combination"]).removeprefix("1. ")
    words = f"{name} together: {told} {label} more"
    return replace(chart, title=words if state.side != "defender" else f"{name} spare {told}")


def _numbers(
    state: WorthState, found: pl.DataFrame, combined: pl.DataFrame | None
) -> dict[str, str]:
    goal, known = state.goal, found.filter(pl.col(f"gain_{state.goal}").is_not_null())
    numbers: dict[str, str] = {}
    if known.height:
        before = known.filter(pl.col("side") == known["side"][0])[f"{goal}_without"][0]
        numbers[f"{GOALS[goal].capitalize()} without any"] = _told(before, goal)
    reroll = known.filter(pl.col("name").str.to_uppercase() == "COMMAND RE-ROLL")
    for row in reroll.rows(named=True):
        numbers[f"Command Re-roll ({SIDES[row['side']]})"] = _told(row[f"gain_{goal}"], goal)
    if combined is not None and combined.height:
        best = combined.row(0, named=True)
        numbers[f"Best together, {best['cp']} CP"] = _told(best[f"gain_{goal}"], goal)
    return numbers


def _told(value: float | None, goal: str) -> str:
    if value is None:
        return "–"
    return percent(value, 1) if goal == "destroyed" else f"{value:.2f}"


def _remarks(found: pl.DataFrame, combined: pl.DataFrame | None) -> list[str]:
    told = []
    missing = found.filter(pl.col("why_not").is_not_null())
    if missing.height:
        names = dict.fromkeys(
            f"{titled(row['name'])} ({row['why_not']})" for row in missing.rows(named=True)
        )
        told.append(f"Not computed: {'; '.join(names)}")
    said = found["assumes"].explode().drop_nulls().to_list()
    assumed = dict.fromkeys(FLAGS.get(words, words) for words in said)
    if assumed:
        told.append(f"Taken to hold where a rule asks for it: {'; '.join(assumed)}")
    if combined is not None and combined.is_empty():
        told.append("No combination adds anything here")
    return told


def _table(state: WorthState, found: pl.DataFrame) -> pl.DataFrame:
    gain = f"gain_{state.goal}"
    return found.filter(pl.col(gain).is_not_null()).select(
        pl.col("name").map_elements(titled, return_dtype=pl.String).alias("rule"),
        pl.col("side").replace({"attacker": "attacks", "defender": "is attacked"}).alias("who"),
        "kind",
        pl.col("detachment").fill_null("").alias("detachment"),
        pl.col("cp").alias("CP"),
        pl.col("cost").alias("points"),
        pl.col(gain).alias("gain"),
        pl.col(f"{gain}_per_cp").alias("per CP"),
        pl.col("gain_points_removed_per_100").alias("per 100 points"),
        pl.col("in_rerolls").alias("Command Re-rolls"),
    )


def _flat(found: pl.DataFrame) -> pl.DataFrame:
    lists = [name for name, dtype in found.schema.items() if dtype == pl.List(pl.String)]
    return found.with_columns(pl.col(name).list.join("; ") for name in lists)


def _summary(state: WorthState, found: pl.DataFrame, column: str, label: str, attack: str) -> str:
    parts = []
    for side in sides(state):
        rows = _ranked(found, side, column)
        if rows.is_empty():
            parts.append(f"for {SIDES[side]} no rule has a value of {label}")
            continue
        best = rows.sort([column, "rule"], descending=[True, False]).head(3)
        share = state.goal == "destroyed" and state.measure in ("gain", "per_cp")
        words = (percent(v, 1) if share else f"{v:.2f}" for v in best[column])
        told = ", ".join(f"{rule} {word}" for rule, word in zip(best["rule"], words, strict=True))
        parts.append(f"for {SIDES[side]} {told}")
    return f"{attack}; {label}: {'; '.join(parts)}."

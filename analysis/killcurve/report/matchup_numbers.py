"""The numbers of a report on two units: each direction, exchanges, and how they get there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

import polars as pl

from killcurve.engine.edition import edition
from killcurve.report.account import Tell
from killcurve.report.unit_numbers import comparable
from killcurve.study.armed import Combatant, used_against
from killcurve.study.as_scenario import as_scenario
from killcurve.study.efficiency import unit_efficiency
from killcurve.study.exchange import Side, exchange, joint, schedule
from killcurve.study.exchange import summary as turn_by_turn
from killcurve.study.explaining import explain
from killcurve.study.fielding import Fielded
from killcurve.study.lines import Line
from killcurve.study.matchup import engage
from killcurve.study.mustering import fielded
from killcurve.study.panel import strikes
from killcurve.study.reach import reach
from killcurve.study.solve import solve
from killcurve.study.worth import rules_worth
from killcurve.tables.dataset import DataError, Dataset

TURNS = 4
DISTANCES = range(4, 25)
STAGES = {
    "attacks": "attacks",
    "hits": "hits",
    "wounds": "wounds",
    "unsaved": "unsaved wounds",
    "damage": "wounds lost",
}


@dataclass(frozen=True, slots=True)
class Direction:
    """One unit attacking the other; frames are empty where it has no weapons.

    ``phase`` is the better one (empty: none), ``main`` the line that does most damage in it.
    """

    attacker: Combatant
    target: Combatant
    phase: str
    main: str
    does: pl.DataFrame
    efficiency: pl.DataFrame
    laws: pl.DataFrame
    funnel: pl.DataFrame
    steps: pl.DataFrame
    worth: pl.DataFrame
    reach: pl.DataFrame


@dataclass(frozen=True, slots=True)
class Exchanges:
    """Both orders of turns: frames by who goes first, and what could not be computed."""

    summary: pl.DataFrame
    joint: pl.DataFrame
    left_out: tuple[str, ...]
    why_not: str = ""


def direction(dataset: Dataset, unit: Combatant, other: Combatant, tell: Tell) -> Direction:
    """Everything of one unit's attack on the other."""
    tell(f"{unit.name} attacks {other.name}")
    does = strikes([unit], [other])
    best = does.filter(pl.col("best"))
    phase = best["phase"][0] if best.height else ""
    lines = used_against(unit, phase, other.target) if phase else ()
    main = _main(unit, other, lines)
    worth = pl.DataFrame()
    if phase:
        tell(f"what rules are worth when {unit.name} attacks")
        worth = comparable(rules_worth(dataset, unit, other, phase))
    return Direction(
        attacker=unit,
        target=other,
        phase=phase,
        main=main.name if main else "",
        does=does,
        efficiency=unit_efficiency([unit], [other.target]),
        laws=_laws(unit, other),
        funnel=_funnel(unit, other, main),
        steps=_steps(unit, other, lines),
        worth=worth,
        reach=_reach(dataset, unit, other),
    )


def _main(unit: Combatant, other: Combatant, lines: tuple[Line, ...]) -> Line | None:
    def damage(line: Line) -> float:
        return round(engage(unit.attacker, [line], other.target).outcome.damage.mean, 12)

    return max(lines, key=damage, default=None)


def counted(target: Combatant) -> str:
    """What is counted of a target: models of a squad, wounds of a single model."""
    return "models slain" if target.target.target.models > 1 else "wounds lost"


def _laws(unit: Combatant, other: Combatant) -> pl.DataFrame:
    rows: list[tuple[str, int, float]] = []
    for phase in ("shooting", "fight"):
        lines = used_against(unit, phase, other.target)
        if lines:
            out = engage(unit.attacker, lines, other.target).outcome
            law = out.slain if counted(other) == "models slain" else out.damage
            rows += [(phase, k, float(p)) for k, p in enumerate(law.from_zero())]
    schema = {"series": pl.String, "k": pl.Int64, "probability": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _funnel(unit: Combatant, other: Combatant, main: Line | None) -> pl.DataFrame:
    """The means after each stage of the line that does most."""
    if main is None:
        return pl.DataFrame()
    asked = as_scenario(unit.attacker, [main], other.target)
    stage = solve(asked, lenient=True).outcome.stages[0]
    rows = [(told, getattr(stage, name)) for name, told in STAGES.items()]
    return pl.DataFrame(rows, schema={"stage": pl.String, "mean": pl.Float64}, orient="row")


def _steps(unit: Combatant, other: Combatant, lines: tuple[Line, ...]) -> pl.DataFrame:
    """The arithmetic, step by step: columns ``weapon``, ``step``, ``says``, ``chances``."""
    schema = {"weapon": pl.String, "step": pl.String, "says": pl.String, "chances": pl.String}
    if not lines:
        return pl.DataFrame(schema=schema)
    made = explain(as_scenario(unit.attacker, lines, other.target), lenient=True)
    rows = [
        (line.weapon, step.name, "; ".join(step.says), _fractions(step.chances))
        for line in made.lines
        for step in line.steps
    ]
    return pl.DataFrame(rows, schema=schema, orient="row")


def _fractions(chances: dict[str, Fraction]) -> str:
    return ", ".join(f"{name} {value} ({float(value):.3f})" for name, value in chances.items())


def _tried(make: Callable[[], pl.DataFrame]) -> pl.DataFrame:
    """A frame, or an empty one where the data lacks what it takes."""
    try:
        return make()
    except DataError:
        return pl.DataFrame()


def _in_play(dataset: Dataset, unit: Combatant) -> Fielded:
    own = unit.attacker
    made = fielded(dataset, own.datasheet, own.faction, models=own.models)
    return replace(made, name=unit.name)


def _reach(dataset: Dataset, unit: Combatant, other: Combatant) -> pl.DataFrame:
    """The chance to charge from each distance after a normal move, and what the fight does."""
    return _tried(
        lambda: reach(
            _in_play(dataset, unit), _in_play(dataset, other), [float(d) for d in DISTANCES]
        )
    )


def exchanges(dataset: Dataset, one: Combatant, other: Combatant, tell: Tell) -> Exchanges:
    """Both units strike in turn, once with each going first."""
    tell(f"{one.name} and {other.name} exchange blows")
    try:
        units = _in_play(dataset, one), _in_play(dataset, other)
        summaries, joints, left = [], [], {}
        for first in Side:
            rules = edition(units[first is Side.B].edition)
            strikes_ = schedule(TURNS, rules, first=first, shooting=True, fighting=True)
            found = exchange(*units, strikes_)
            who = (one, other)[first is Side.B].name
            summaries.append(turn_by_turn(found).with_columns(pl.lit(who).alias("first")))
            joints.append(joint(found).with_columns(pl.lit(who).alias("first")))
            left.update(dict.fromkeys(found.unmodelled))
        return Exchanges(pl.concat(summaries), pl.concat(joints), tuple(left))
    except DataError as error:
        return Exchanges(pl.DataFrame(), pl.DataFrame(), (), str(error))

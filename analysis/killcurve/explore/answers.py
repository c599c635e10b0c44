"""The answer to one attack as an explorer shows it: charts, numbers, stages, words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from html import escape
from typing import Any

import polars as pl

from killcurve.charts.distribution import distribution_bars
from killcurve.charts.export import Chart
from killcurve.charts.stages import stage_funnel
from killcurve.charts.survival import survival_curves
from killcurve.charts.words import percent
from killcurve.engine.pmf import Pmf
from killcurve.explore.attacks import Plain
from killcurve.explore.heat_table import HeatTable
from killcurve.study.explaining import explain, in_words
from killcurve.study.solve import Answer, solve
from killcurve.study.survival import survival

STAGES = {
    "attacks": "attacks",
    "hits": "hits",
    "wounds": "wounds",
    "unsaved": "unsaved wounds",
    "damage": "damage",
}
"""The stages of the funnel, with the heads of their columns."""


@dataclass(frozen=True, slots=True)
class View:
    """What is shown of an attack.

    ``charts`` by name; ``funnel`` has the expected numbers of each weapon line's stages, one row
    a line (``about_funnel`` says so); ``summary`` says in a sentence what the pictures show;
    ``law`` is the distribution behind them; ``scenario`` is the question itself. ``heat`` is a
    table whose cells can be clicked.
    """

    charts: dict[str, Chart]
    numbers: dict[str, str]
    remarks: tuple[str, ...]
    funnel: pl.DataFrame
    summary: str
    law: pl.DataFrame
    scenario: Plain = field(default_factory=dict)
    about_funnel: str = "Expected number after each step, by weapon"
    heat: HeatTable | None = None


@dataclass(frozen=True, slots=True)
class Scale:
    """How far axes go while a person keeps them.

    ``most`` is what a survival curve ends at, ``furthest`` the value and ``highest`` the chance
    that the bars of a distribution go up to.
    """

    most: int
    furthest: int
    highest: float

    @classmethod
    def of(cls, charts: Mapping[str, Chart]) -> Scale | None:
        """The scale of the charts that are shown; ``None`` without a survival curve."""
        if "survival" not in charts:
            return None
        curve = charts["survival"].data
        bars = charts["distribution"].data if "distribution" in charts else None
        return cls(
            most=int(curve["k"].max()),  # type: ignore[arg-type]
            furthest=0 if bars is None else int(bars["k"].max()),  # type: ignore[arg-type]
            highest=0.0 if bars is None else float(bars["probability"].max()),  # type: ignore[arg-type]
        )


@dataclass(frozen=True, slots=True)
class Asked:
    """An attack to show: the question, who asks it about whom, and what else is told.

    ``plain`` is the same question without help that a person has ticked, where there is some.
    ``help`` names that help. ``scale`` is how far axes go, ``None`` for as far as is wanted here.
    """

    scenario: Plain
    attacker: str
    target: str
    conditions: str = ""
    plain: Plain | None = None
    help: str = "what is ticked"
    remarks: tuple[str, ...] = ()
    numbers: tuple[tuple[str, str], ...] = ()
    scale: Scale | None = None


def view(asked: Asked) -> View:
    """What an attack shows.

    Raises:
        ScenarioError: with the place of what is wrong.
    """
    answer = solve(asked.scenario, lenient=True)
    groups = answer.scenario.target.groups
    models = sum(group.count for group in groups)
    measure = "models" if models > 1 else "wounds"
    laws = {_series(asked.scenario): _measured(answer, measure)}
    if asked.plain is not None:
        helped = laws.popitem()[1]
        plain = solve(asked.plain, lenient=True)
        laws = {_series(asked.plain): _measured(plain, measure), f"with {asked.help}": helped}
    most = models if measure == "models" else groups[0].wounds
    if asked.scale is not None:
        most = asked.scale.most
    frame = survival(laws, most)
    chart = survival_curves(frame, asked.attacker, asked.target, asked.conditions, measure)
    left = [f"Left out: {what}" for what in dict.fromkeys(answer.unmodelled)]
    made = [f"Chosen for most damage: {_choice(k, v)}" for k, v in answer.choices.items()]
    return View(
        charts={"survival": chart, **_distribution(laws, asked, measure), **_stages(answer, asked)},
        numbers={**_numbers(answer), **dict(asked.numbers)},
        remarks=(*asked.remarks, *(made if "one of" in answer.choices else ()), *left),
        funnel=_funnel(answer),
        summary=_summary(answer, asked),
        law=frame,
        scenario=asked.scenario,
    )


def _series(question: Plain) -> str:
    """What the curve without more help is called."""
    weapons = question["attacker"]["weapons"]
    if len(weapons) == 1:
        return str(weapons[0].get("name") or "one weapon")
    return "all chosen weapons"


def _measured(answer: Answer, measure: str) -> Pmf:
    return answer.outcome.slain if measure == "models" else answer.outcome.damage


def _distribution(laws: Mapping[str, Pmf], asked: Asked, measure: str) -> dict[str, Chart]:
    """The chart of the distribution itself."""
    frame = distribution(laws)
    lost = "models slain" if measure == "models" else "wounds lost"
    kept = asked.scale or Scale(0, 0, 0.0)
    chart = distribution_bars(
        frame, what=lost, conditions=asked.conditions,
        furthest=kept.furthest, highest=kept.highest, told=list(laws)[-1],
    )  # fmt: skip
    return {"distribution": chart}


def _stages(answer: Answer, asked: Asked) -> dict[str, Chart]:
    """The funnel of all weapons together; none where no weapon attacks."""
    stages = [asdict(stage) for stage in answer.outcome.stages]
    if not stages:
        return {}
    rows = [
        {"stage": head, "mean": float(sum(stage[key] for stage in stages))}
        for key, head in STAGES.items()
    ]
    frame = pl.DataFrame(rows, schema={"stage": pl.String, "mean": pl.Float64})
    chart = stage_funnel(
        frame, attacker=f"{asked.attacker} against {asked.target}", conditions=asked.conditions
    )
    return {"stages": chart}


def distribution(laws: Mapping[str, Pmf]) -> pl.DataFrame:
    """P(X = k) of each law: columns ``series``, ``k``, ``probability``, without what never is.

    >>> distribution({"gun": Pmf([0.25, 0.75])}).rows()
    [('gun', 0, 0.25), ('gun', 1, 0.75)]
    """
    rows = [
        {"series": name, "k": k, "probability": float(chance)}
        for name, law in laws.items()
        for k, chance in enumerate(law.from_zero())
    ]
    return pl.DataFrame(
        rows, schema={"series": pl.String, "k": pl.Int64, "probability": pl.Float64}
    )


def _choice(name: str, value: object) -> str:
    return f"{name}: {', '.join(map(str, value)) if isinstance(value, list) else value}"


def _numbers(answer: Answer) -> dict[str, str]:
    outcome, efficiency = answer.outcome, answer.efficiency
    low, high = outcome.damage.quantile(0.1), outcome.damage.quantile(0.9)
    numbers = {
        "Damage, mean": f"{outcome.damage.mean:.2f}",
        "Damage, 10–90 %": f"{low}–{high}",
        "Models slain, mean": f"{outcome.slain.mean:.2f}",
        "P(destroyed)": percent(outcome.destroyed),
    }
    if "points_removed_per_100" in efficiency:
        numbers["Points removed per 100"] = f"{efficiency['points_removed_per_100']:.1f}"
    hurt = answer.prepared.self_damage.mean
    return {**numbers, **({"Own wounds lost, mean": f"{hurt:.2f}"} if hurt else {})}


def _funnel(answer: Answer) -> pl.DataFrame:
    rows = [
        {"weapon": armed.name, **{head: asdict(stage)[key] for key, head in STAGES.items()}}
        for armed, stage in zip(answer.scenario.weapons, answer.outcome.stages, strict=True)
    ]
    schema: dict[str, Any] = {"weapon": pl.String, **dict.fromkeys(STAGES.values(), pl.Float64)}
    return pl.DataFrame(rows, schema=schema)


def _summary(answer: Answer, asked: Asked) -> str:
    outcome = answer.outcome
    low, high = outcome.damage.quantile(0.1), outcome.damage.quantile(0.9)
    who = asked.attacker[:1].upper() + asked.attacker[1:]
    return (
        f"{who} against {asked.target}: {outcome.damage.mean:.2f} wounds removed on "
        f"average ({low} to {high} in 8 of 10 cases), {outcome.slain.mean:.2f} models slain, "
        f"all destroyed in {percent(outcome.destroyed)} of cases."
    )


@lru_cache(maxsize=64)
def _explained(text: str) -> str:
    import json

    return in_words(explain(json.loads(text), lenient=True))


def explanation(question: Plain) -> str:
    """The arithmetic of a question, step by step, as preformatted HTML."""
    import json

    return f"<pre>{escape(_explained(json.dumps(question, sort_keys=True)))}</pre>"

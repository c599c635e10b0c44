"""Scenarios to answers: the questions of a file, a shell or another language (SCENARIO)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np

from killcurve.engine.budget import TooMuchWork, at_most
from killcurve.engine.decisions.choices import Choices, Objective
from killcurve.engine.decisions.result import Played
from killcurve.engine.pmf import Pmf
from killcurve.engine.product import Product
from killcurve.engine.recovery import AfterRecovery, after_recovery, fights_on_death
from killcurve.engine.resolve import play, simple
from killcurve.engine.stages import StageLaws
from killcurve.engine.states import states
from killcurve.engine.strength import Strength, strength
from killcurve.engine.volley import Outcome, Volley, outcome
from killcurve.rules.reading import ScenarioError
from killcurve.rules.recovery import fights_on_death_need, recoveries
from killcurve.rules.scenario import Scenario, read_scenario
from killcurve.rules.volley import Prepared, prepare
from killcurve.study.choosing import Way, ways

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Answer:
    """The exact outcome of a scenario, with the choices made and what was left out.

    ``stage_laws`` are the distributions of each weapon's stages, where they were asked for.
    """

    scenario: Scenario
    prepared: Prepared
    outcome: Outcome
    choices: dict[str, Any]
    stage_laws: tuple[StageLaws, ...] = ()

    @property
    def unmodelled(self) -> tuple[str, ...]:
        """What of the scenario is left out."""
        return self.prepared.unmodelled

    @property
    def strength(self) -> Strength:
        """How likely the target lives and is below its starting strength (RULES.md §7).

        It started with the models that are listed; one that is said to be down already stays so.
        """
        volley, law = self.prepared.volley, self.outcome.law
        space = states(volley.target)
        found = strength(space, law, volley.edition)
        alive = float(law[: space.destroyed].sum())
        if "target_below_half" in self.scenario.flags:
            return Strength(below_starting=alive, at_half=0.0, below_half=alive)
        if "target_below_starting" in self.scenario.flags:
            return replace(found, below_starting=alive)
        return found

    @property
    def after_recovery(self) -> AfterRecovery | None:
        """What the target misses once it has recovered, ``None`` where no rule lets it."""
        volley, rules = self.prepared.volley, recoveries(self.scenario)
        if not rules:
            return None
        return after_recovery(states(volley.target), self.outcome.law, rules, volley.edition)

    @property
    def fights_on_death(self) -> Pmf | None:
        """How many slain models may still fight, ``None`` where no rule lets them."""
        need = fights_on_death_need(self.scenario)
        return None if need is None else fights_on_death(self.outcome.slain, need)

    def to_dict(self) -> dict[str, Any]:
        """The answer as SCENARIO describes it, ready for JSON."""
        outcome, strength = self.outcome, self.strength
        weapons = self.scenario.weapons
        return {
            "edition": self.scenario.edition.key,
            "damage": law(outcome.damage),
            "slain": law(outcome.slain),
            "destroyed": outcome.destroyed,
            "below_starting": strength.below_starting,
            "below_half": strength.below_half,
            **self._afterwards(),
            **({"efficiency": found} if (found := self.efficiency) else {}),
            "self_damage": law(self.prepared.self_damage),
            "stages": [
                {"weapon": armed.name, **stage}
                for armed, stage in zip(weapons, self._stages(), strict=True)
            ],
            "choices": self.choices,
            "unmodelled": list(self.unmodelled),
        }

    def _afterwards(self) -> dict[str, Any]:
        """What follows the volley, where the target has rules for it."""
        found: dict[str, Any] = {}
        if (recovered := self.after_recovery) is not None:
            found["after_recovery"] = {
                "damage": law(recovered.damage),
                "slain": law(recovered.slain),
            }
        if (fighting := self.fights_on_death) is not None:
            found["fights_on_death"] = law(fighting)
        return found

    @property
    def efficiency(self) -> dict[str, float]:
        """Mean points removed, and per 100 own points; empty where the target's are not given."""
        cost = self.scenario.target.points
        if cost is None:
            return {}
        models = sum(group.count for group in self.scenario.target.groups)
        removed = self.outcome.slain.mean * cost / models
        found = {"points_removed": removed}
        if own := self.scenario.attacker.points:
            found["points_removed_per_100"] = 100 * removed / own
            found["damage_per_100"] = 100 * self.outcome.damage.mean / own
        return found

    def _stages(self) -> list[dict[str, Any]]:
        if not self.stage_laws:
            return [asdict(stage) for stage in self.outcome.stages]
        return [
            {f.name: law(getattr(laws, f.name)) for f in fields(StageLaws)}
            for laws in self.stage_laws
        ]


def solve(
    scenario: dict[str, Any] | Scenario,
    *,
    lenient: bool = False,
    stages: str = "means",
    unlimited: bool = False,
) -> Answer:
    """The exact outcome of one scenario; with ``stages="full"`` each stage's distribution, too.

    An answer that would take more than a second or two is refused, unless ``unlimited``.

    Raises:
        ScenarioError: with the place of what is wrong; with ``lenient``, rules that are not
            understood are listed in the answer's ``unmodelled`` instead.

    >>> answer = solve({
    ...     "attacker": {"weapons": [{"attacks": 10, "skill": 3, "strength": 4, "damage": 1}]},
    ...     "target": {"models": [{"count": 11, "toughness": 4, "save": 3, "wounds": 1}]}})
    >>> round(answer.outcome.damage.mean, 9) == round(10 / 9, 9)
    True
    """
    if not isinstance(scenario, Scenario):
        scenario = read_scenario(scenario, lenient=lenient)
    work = None if unlimited else MOST_WORK * (FULL_STAGES if stages == "full" else 1)
    try:
        if stages != "full" and (ready := _simple(scenario, lenient, unlimited)) is not None:
            return ready.answer()
        with at_most(work):
            best = _best(scenario, lenient)
            return _with_laws(best) if stages == "full" else best
    except TooMuchWork as error:
        raise ScenarioError(str(error), "attacker.weapons") from None


MOST_WORK = 7.5e8
"""What one answer may take, in nanoseconds of estimated work (:mod:`killcurve.engine.budget`)."""

NOTHING_CHOSEN = Played(np.empty(0), (), {}, None, {})
"""What players have chosen where there is no choice."""

FULL_STAGES = 10
"""How much more that may be with the distributions of all stages."""


@dataclass(frozen=True, slots=True)
class _Ready:
    """A scenario in which nothing is chosen, as the two halves of its answer."""

    scenario: Scenario
    prepared: Prepared
    halves: Product
    chosen: dict[str, Any]

    def answer(self) -> Answer:
        return Answer(self.scenario, self.prepared, self.halves.outcome(), self.chosen.copy())


@lru_cache(maxsize=256)
def _simple(scenario: Scenario, lenient: bool, unlimited: bool) -> _Ready | None:
    """The scenario made ready, ``None`` where its answer is more than one product."""
    with at_most(None if unlimited else MOST_WORK):
        everything = ways(scenario)
        if not len(everything) == len(everything[0]) == 1:
            return None
        (way,) = everything[0]
        prepared = prepare(way.scenario, lenient=lenient)
        halves = _refusing(simple, prepared)
        if halves is None:
            return None
    chosen = {**way.chosen, **_chosen(way.scenario, prepared, NOTHING_CHOSEN)}
    return _Ready(way.scenario, prepared, halves, chosen)


def _best(scenario: Scenario, lenient: bool) -> Answer:
    """The answer to the attacker's best way, the defender answering with the best of its own."""
    everything = ways(scenario)
    if len(everything) == len(everything[0]) == 1:
        return _play(everything[0][0], lenient)
    objective = Objective(scenario.choices.objective)
    best: Answer | None = None
    for answers in everything:
        worst = min((_play(way, lenient) for way in answers), key=lambda a: _worth(a, objective))
        if best is None or _worth(worst, objective) > _worth(best, objective) + 1e-12:
            best = worst
    assert best is not None
    return best


def _with_laws(answer: Answer) -> Answer:
    volley, choices = answer.prepared.volley, answer.prepared.choices
    return replace(answer, stage_laws=play(volley, choices, laws=True).stage_laws)


def _worth(answer: Answer, objective: Objective) -> float:
    if objective is Objective.DAMAGE:
        return answer.outcome.damage.mean
    return answer.outcome.slain.mean if objective is Objective.SLAIN else answer.outcome.destroyed


def _play(way: Way, lenient: bool) -> Answer:
    prepared = prepare(way.scenario, lenient=lenient)
    played = _refusing(play, prepared)
    result = outcome(states(prepared.volley.target), played.law, played.stages)
    chosen = {**way.chosen, **_chosen(way.scenario, prepared, played)}
    return Answer(way.scenario, prepared, result, chosen)


def _refusing(ask: Callable[[Volley, Choices], Found], prepared: Prepared) -> Found:
    """What the engine answers; what it refuses becomes an error about the scenario."""
    try:
        return ask(prepared.volley, prepared.choices)
    except TooMuchWork:
        raise
    except ValueError as error:
        raise ScenarioError(str(error), "target.models") from None


def _chosen(scenario: Scenario, prepared: Prepared, played: Played) -> dict[str, Any]:
    """The players' choices in words: those that were fixed, and those that were made."""
    made: dict[str, Any] = {}
    lethal = any(line.modifiers.lethal for line in prepared.volley.lines)
    if lethal or scenario.choices.lethal == "never":
        made["lethal"] = _lethal(scenario, prepared.choices, played)
    if len(prepared.volley.target.groups) > 1:
        made["allocation"] = _allocation(prepared, played)
    for right, chance in played.used.items():
        name = f"defender's {right.name}" if right.name in made else right.name
        made[name] = f"used in {chance:.1%} of cases"
    return made


def _lethal(scenario: Scenario, choices: Choices, played: Played) -> str:
    if not scenario.edition.lethal_is_optional:
        return "always"
    if not choices.lethal or played.lethal is None:
        return scenario.choices.lethal
    if played.lethal > 1 - 1e-9:
        return "always"
    if played.lethal < 1e-9:
        return "never"
    return f"for {played.lethal:.1%} of critical hits, as the dice fall"


def _allocation(prepared: Prepared, played: Played) -> list[str] | dict[str, float]:
    """The order of groups; or how often each was taken, where the dice decided."""
    total = sum(played.allocated.values())
    if not total:
        return _names(range(len(prepared.names)), prepared)
    shares = {
        ", ".join(_names(order, prepared)): share / total
        for order, share in sorted(played.allocated.items(), key=lambda item: -item[1])
        if share / total > 1e-9
    }
    if len(shares) == 1 and prepared.volley.edition.sorted_saves:
        return next(iter(shares)).split(", ")
    return shares


def _names(groups: Iterable[int], prepared: Prepared) -> list[str]:
    return list(dict.fromkeys(prepared.names[g] for g in groups))


def law(pmf: Pmf) -> dict[str, Any]:
    """A law as answers carry it: P(exactly i) for i = 0, 1, …, with mean and sd."""
    return {"pmf": pmf.from_zero().tolist(), "mean": pmf.mean, "sd": pmf.sd}


def in_words(answer: Answer) -> str:
    """A short answer for people."""
    outcome, strength = answer.outcome, answer.strength
    low, high = outcome.damage.quantile(0.1), outcome.damage.quantile(0.9)
    lines = [
        f"damage    {outcome.damage.mean:.4f} on average, sd {outcome.damage.sd:.4f}, "
        f"{low} to {high} in 8 of 10 cases",
        f"slain     {outcome.slain.mean:.4f} models on average",
        f"destroyed {outcome.destroyed:.2%}",
        f"strength  below starting {strength.below_starting:.2%}, "
        f"below half {strength.below_half:.2%}",
        *_afterwards_in_words(answer),
    ]
    if answer.efficiency:
        lines.append(f"points    {answer.efficiency['points_removed']:.2f} removed on average")
    own = answer.prepared.self_damage
    if own.mean:
        lines.append(f"own loss  {own.mean:.4f} wounds on average")
    lines += [f"chosen    {what}: {_told(how)}" for what, how in answer.choices.items()]
    if answer.unmodelled:
        lines.append(f"left out  {'; '.join(answer.unmodelled)}")
    return "\n".join(lines)


def _told(choice: Any) -> str:  # noqa: ANN401 - whatever form a choice has
    """A choice in words."""
    if isinstance(choice, dict):
        return "; ".join(f"{name} {_told(share)}" for name, share in choice.items()) or "none"
    if isinstance(choice, float):
        return f"in {choice:.1%} of cases"
    if isinstance(choice, list):
        return ", ".join(_told(each) for each in choice)
    return "nobody" if choice is None else str(choice)


def _afterwards_in_words(answer: Answer) -> list[str]:
    lines = []
    if (recovered := answer.after_recovery) is not None:
        lines.append(
            f"recovered to {recovered.damage.mean:.4f} wounds and "
            f"{recovered.slain.mean:.4f} models lost on average"
        )
    if (fighting := answer.fights_on_death) is not None:
        lines.append(f"fights on death: {fighting.mean:.4f} models on average")
    return lines

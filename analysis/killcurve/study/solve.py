"""Scenarios to answers: the questions of a file, a shell or another language (SCENARIO)."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from killcurve.engine.pmf import Pmf
from killcurve.engine.volley import Outcome, resolve
from killcurve.rules.reading import ScenarioError
from killcurve.rules.scenario import Scenario, read_scenario
from killcurve.rules.volley import prepare


@dataclass(frozen=True, slots=True)
class Answer:
    """The exact outcome of a scenario, with the choices made and what was left out."""

    scenario: Scenario
    outcome: Outcome
    choices: dict[str, Any]
    unmodelled: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The answer as SCENARIO describes it, ready for JSON."""
        outcome = self.outcome
        weapons = self.scenario.weapons
        return {
            "edition": self.scenario.edition.key,
            "damage": _law(outcome.damage),
            "slain": _law(outcome.slain),
            "destroyed": outcome.destroyed,
            "self_damage": _law(Pmf.point(0)),
            "stages": [
                {"weapon": armed.name, **asdict(stage)}
                for armed, stage in zip(weapons, outcome.stages, strict=True)
            ],
            "choices": self.choices,
            "unmodelled": list(self.unmodelled),
        }


def solve(scenario: dict[str, Any] | Scenario, *, lenient: bool = False) -> Answer:
    """The exact outcome of one scenario.

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
    prepared = prepare(scenario, lenient=lenient)
    try:
        outcome = resolve(prepared.volley)
    except ValueError as error:
        raise ScenarioError(str(error), "target.models") from None
    return Answer(scenario, outcome, _choices(scenario), prepared.unmodelled)


def _choices(scenario: Scenario) -> dict[str, Any]:
    made: dict[str, Any] = {}
    lethal = any(a.name == "lethal hits" for w in scenario.weapons for a in w.abilities)
    if lethal or any(str(e.amount) == "lethal hits" for e in scenario.attacker.effects):
        optional = scenario.edition.lethal_is_optional
        made["lethal"] = scenario.choices.lethal if optional else "always"
    if len(scenario.target.groups) > 1:
        wanted = list(scenario.choices.allocation)
        made["allocation"] = wanted + [n for n in scenario.target.names if n not in wanted]
    return made


def _law(pmf: Pmf) -> dict[str, Any]:
    return {"pmf": pmf.from_zero().tolist(), "mean": pmf.mean, "sd": pmf.sd}


def in_words(answer: Answer) -> str:
    """A short answer for people."""
    outcome = answer.outcome
    low, high = outcome.damage.quantile(0.1), outcome.damage.quantile(0.9)
    lines = [
        f"damage    {outcome.damage.mean:.4f} on average, sd {outcome.damage.sd:.4f}, "
        f"{low} to {high} in 8 of 10 cases",
        f"slain     {outcome.slain.mean:.4f} models on average",
        f"destroyed {outcome.destroyed:.2%}",
    ]
    if answer.unmodelled:
        lines.append(f"left out  {'; '.join(answer.unmodelled)}")
    return "\n".join(lines)

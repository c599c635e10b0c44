"""A scenario by hand: each roll's need, its modifiers and caps, its chance as a fraction.

What is told is read off the very objects that the engine computes with, so it cannot differ from
the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from killcurve.engine.allocation import toughness_of
from killcurve.engine.shot import shot
from killcurve.engine.weapon import WeaponLine
from killcurve.rules.account import Contribution
from killcurve.rules.modifiers import ArmedWith, modifiers
from killcurve.rules.scenario import Scenario, read_scenario
from killcurve.rules.sides import ArmedModel
from killcurve.rules.volley import Prepared, situation
from killcurve.study.explained.facts import Facts, Step
from killcurve.study.explained.rolls import steps
from killcurve.study.solve import Answer, solve
from killcurve.study.solve import in_words as answer_in_words


@dataclass(frozen=True, slots=True)
class Line:
    """One weapon line against the whole target, explained."""

    weapon: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """All lines of a scenario, and its answer."""

    lines: tuple[Line, ...]
    answer: Answer

    def to_dict(self) -> dict[str, Any]:
        """The explanation, ready for JSON; fractions are texts."""
        return {
            "edition": self.answer.scenario.edition.key,
            "weapons": [
                {
                    "weapon": line.weapon,
                    "steps": [
                        {
                            "step": step.name,
                            "says": list(step.says),
                            "chances": {name: str(value) for name, value in step.chances.items()},
                            "rules": list(step.rules),
                        }
                        for step in line.steps
                    ],
                }
                for line in self.lines
            ],
            "answer": self.answer.to_dict(),
        }


def explain(
    scenario: Mapping[str, Any] | Scenario, *, lenient: bool = False, unlimited: bool = False
) -> Explanation:
    """Explain a scenario, weapon by weapon.

    Raises:
        ScenarioError: as :func:`killcurve.study.solve.solve`.

    >>> made = explain({
    ...     "attacker": {"weapons": [{"attacks": 10, "skill": 3, "strength": 4, "damage": 1}]},
    ...     "target": {"models": [{"count": 11, "toughness": 4, "save": 3, "wounds": 1}]}})
    >>> {step.name: str(step.chances["hit"]) for step in made.lines[0].steps if step.name == "hit"}
    {'hit': '2/3'}
    """
    if not isinstance(scenario, Scenario):
        scenario = read_scenario(scenario, lenient=lenient)
    answer = solve(scenario, lenient=lenient, unlimited=unlimited)
    lines = tuple(
        Line(armed.name or f"weapon {i}", tuple(steps(_facts(armed, line, answer))))
        for i, (armed, line) in enumerate(
            zip(answer.scenario.weapons, answer.prepared.volley.lines, strict=True), start=1
        )
    )
    return Explanation(lines, answer)


def _facts(armed: ArmedModel, line: WeaponLine, answer: Answer) -> Facts:
    prepared: Prepared = answer.prepared
    target, rules = prepared.volley.target, prepared.volley.edition
    everyone = frozenset(range(len(target.groups)))
    toughness = line.modifiers.toughness_from(toughness_of(target, everyone))
    account: list[Contribution] = []
    modifiers(
        ArmedWith(armed.name, armed.abilities),
        answer.scenario.attacker.effects,
        answer.scenario.target.effects,
        situation(answer.scenario),
        lethal=answer.scenario.choices.lethal != "never",
        policy=armed.policy,
        unmodelled=[],
        account=account,
    )
    return Facts(
        armed=armed,
        line=line,
        shot=shot(line.against(everyone), toughness, target, rules),
        toughness=toughness,
        target=target,
        names=prepared.names,
        edition=rules,
        account=tuple(account),
    )


def in_words(explanation: Explanation) -> str:
    """The explanation for people."""
    out: list[str] = []
    for line in explanation.lines:
        out.append(line.weapon)
        for step in line.steps:
            rules = f"  [RULES.md {', '.join(step.rules)}]" if step.rules else ""
            out.append(f"  {step.name}{rules}")
            out += [f"    {text}" for text in step.says]
            if step.chances:
                told = (f"{name} {fraction(value)}" for name, value in step.chances.items())
                out.append(f"    = {', '.join(told)}")
        out.append("")
    out.append(answer_in_words(explanation.answer))
    return "\n".join(out)


def fraction(value: Fraction) -> str:
    """A fraction and what it is about.

    >>> fraction(Fraction(7, 12)), fraction(Fraction(20))
    ('7/12 (0.5833)', '20')
    """
    return str(value) if value.denominator == 1 else f"{value} ({float(value):.4f})"

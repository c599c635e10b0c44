"""One scenario under every rule state: what changes, and which rule accounts for it (RULES §12)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from killcurve.engine.pmf import Pmf
from killcurve.rules.edition_changes import ALL_STATES, Difference, path
from killcurve.rules.reading import ScenarioError
from killcurve.rules.scenario import Scenario, read_scenario
from killcurve.study.solve import Answer, solve

NOTHING = 1e-12
"""Laws of which so little differs are the same."""

Ask = Callable[[Scenario], Answer]
"""Answers a scenario."""

SHOWN = 5e-5
"""Smaller changes of means are not told to people."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What is compared: the laws of damage, models slain and own damage, and P(destroyed)."""

    damage: Pmf
    slain: Pmf
    destroyed: float
    self_damage: Pmf

    @classmethod
    def of(cls, answer: Answer) -> Measured:
        """The measures of an answer."""
        out = answer.outcome
        return cls(out.damage, out.slain, out.destroyed, answer.prepared.self_damage)

    def means(self) -> dict[str, float]:
        """The expected values, by name."""
        return {
            "damage": self.damage.mean,
            "slain": self.slain.mean,
            "destroyed": self.destroyed,
            "self_damage": self.self_damage.mean,
        }


@dataclass(frozen=True, slots=True)
class Effect:
    """What one rule changes: its name, where it is written, what holds now, and by how much.

    ``by`` holds the change of each expected value; ``moved`` is the share of probability that
    lies elsewhere than before, of the law that changes most (total variation, 0 to 1).
    """

    rule: str
    source: str
    says: str
    by: dict[str, float]
    moved: float


@dataclass(frozen=True, slots=True)
class Change:
    """From one rule state to the next: the whole change, and the rules that account for it.

    The rules are turned one after the other, so their changes add up to the whole.
    """

    start: str
    goal: str
    by: dict[str, float]
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A scenario under every rule state. ``failed`` tells why it has no answer in some."""

    states: dict[str, Measured]
    failed: dict[str, str]
    changes: tuple[Change, ...]

    def to_dict(self) -> dict[str, Any]:
        """The comparison, ready for JSON."""
        return {
            "states": [{"edition": key, **m.means()} for key, m in self.states.items()],
            "failed": self.failed,
            "changes": [
                {
                    "from": change.start,
                    "to": change.goal,
                    **change.by,
                    "rules": [
                        {
                            "rule": e.rule,
                            "source": e.source,
                            "says": e.says,
                            **e.by,
                            "moved": e.moved,
                        }
                        for e in change.effects
                    ],
                }
                for change in self.changes
            ],
        }


def compare_editions(
    data: Mapping[str, Any], *, lenient: bool = False, unlimited: bool = False
) -> Comparison:
    """Solve a scenario in all four rule states, and account for each change by its rules.

    Raises:
        ScenarioError: if it has no answer in any of them.

    >>> comparison = compare_editions({
    ...     "attacker": {"weapons": [{"attacks": 6, "skill": 3, "strength": 4, "damage": 1}]},
    ...     "target": {"models": [{"count": 5, "toughness": 4, "save": 4, "wounds": 1}]},
    ...     "context": {"cover": True}})
    >>> [(e.rule, round(e.by["damage"], 3)) for e in comparison.changes[-1].effects]
    [('cover', 0.083)]
    """
    if not isinstance(data, Mapping):
        read_scenario(data)  # says what is wrong with it
    read: dict[str, Scenario] = {}
    states: dict[str, Measured] = {}
    failed: dict[str, ScenarioError] = {}
    for key in ALL_STATES:
        try:
            read[key] = read_scenario({**data, "edition": key}, lenient=lenient)
            states[key] = Measured.of(solve(read[key], lenient=lenient, unlimited=unlimited))
        except ScenarioError as error:
            failed[key] = error
    if not states:
        raise next(iter(failed.values()))
    solved = list(states)
    ask = partial(solve, lenient=lenient, unlimited=unlimited)
    changes = tuple(
        _change(read[start], read[goal], states, ask) for start, goal in pairwise(solved)
    )
    return Comparison(states, {key: str(error) for key, error in failed.items()}, changes)


def _change(start: Scenario, goal: Scenario, states: Mapping[str, Measured], ask: Ask) -> Change:
    older, newer = start.edition.key, goal.edition.key
    before, after = states[older], states[newer]
    effects = tuple(_effects(start, goal, before, after, ask))
    return Change(older, newer, _difference(before, after), effects)


def _effects(
    start: Scenario, goal: Scenario, before: Measured, last: Measured, ask: Ask
) -> Iterator[Effect]:
    """What each rule changes; rules that have no answer one by one are told of together."""
    now = before
    open_rules: list[tuple[Difference, str]] = []
    steps = list(path(start.edition, goal.edition))
    for i, (difference, says, rules) in enumerate(steps):
        open_rules.append((difference, says))
        if i == len(steps) - 1:
            then = last
        else:
            try:
                then = Measured.of(ask(replace(start, edition=rules)))
            except ScenarioError:
                continue
        moved = _most_moved(now, then)
        if moved > NOTHING:
            yield Effect(
                rule=" and ".join(each.name for each, _ in open_rules),
                source=", ".join(each.source for each, _ in open_rules),
                says="; ".join(text for _, text in open_rules),
                by=_difference(now, then),
                moved=moved,
            )
        now, open_rules = then, []


def _difference(before: Measured, after: Measured) -> dict[str, float]:
    old, new = before.means(), after.means()
    return {name: new[name] - old[name] for name in old}


def _most_moved(before: Measured, after: Measured) -> float:
    return max(
        _moved(before.damage, after.damage),
        _moved(before.slain, after.slain),
        _moved(before.self_damage, after.self_damage),
    )


def _moved(before: Pmf, after: Pmf) -> float:
    """Total variation: the share of probability that lies elsewhere."""
    size = max(before.stop, after.stop)
    old, new = (np.pad(p.from_zero(), (0, size - p.stop)) for p in (before, after))
    return float(np.abs(old - new).sum() / 2)


def in_words(comparison: Comparison) -> str:
    """The comparison for people: a table of the rule states, then what accounts for each change."""
    lines = [f"{'':<12} {'damage':>9} {'slain':>9} {'destroyed':>10} {'own loss':>9}"]
    for key, measured in comparison.states.items():
        mean = measured.means()
        lines.append(
            f"{key:<12} {mean['damage']:9.4f} {mean['slain']:9.4f} "
            f"{mean['destroyed']:10.2%} {mean['self_damage']:9.4f}"
        )
    lines += [f"{key:<12} no answer: {why}" for key, why in comparison.failed.items()]
    for change in comparison.changes:
        lines += ["", f"{change.start} to {change.goal}: {_by(change.by, None)}"]
        for effect in change.effects:
            lines += [
                f"  {effect.rule} (RULES.md {effect.source}): {effect.says}",
                f"      {_by(effect.by, effect.moved)}",
            ]
    return "\n".join(lines)


def _by(by: Mapping[str, float], moved: float | None) -> str:
    """Changes of means in words; what stays is left out."""
    parts = [
        f"{'P(destroyed)' if name == 'destroyed' else name.replace('self_', 'own ')} {value:+.4f}"
        for name, value in by.items()
        if abs(value) >= SHOWN
    ]
    if not parts and moved:
        return f"the same on average, but {moved:.2g} of the probability lies elsewhere"
    return ", ".join(parts) or "nothing changes"

"""Steps of chance and choice, one after the other, over merged states (RULES.md §11: the players'
choices).

A step takes a state and what later states are worth, and returns the law of the states after it.
Chance only needs the state; a choice compares its options by what they are worth later, by
backward recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from .dice import Law, certain, expected

Worth = Callable[[Any], Fraction]
Step = Callable[[Any, Worth], Law]
Node = tuple[int, Any]
"""The number of the step that comes next, and the state it meets."""


class Rounds(NamedTuple):
    """A step that is taken again and again, until `over` says so of the state it left."""

    step: Step
    over: Callable[[Any], bool]


class Course:
    """A sequence of steps; `worth` values the states at its end."""

    def __init__(self, steps: Sequence[Step | Rounds], worth: Worth) -> None:
        self.steps = tuple(steps)
        self.worth = worth
        self._laws: dict[Node, Law] = {}
        self._values: dict[Node, Fraction] = {}
        self._later = [self._worth_after(number) for number in range(len(self.steps))]

    def law(self, number: int, state: Any) -> Law:
        """The law after step `number` taken once in `state`."""
        key = (number, state)
        if key not in self._laws:
            self._laws[key] = self._taken(number, state)
        return self._laws[key]

    def value(self, number: int, state: Any) -> Fraction:
        """What `state` is worth before step `number`."""
        key = (number, state)
        if key not in self._values:
            if number == len(self.steps):
                self._values[key] = self.worth(state)
            else:
                self._values[key] = expected(self.law(number, state), self._later[number])
        return self._values[key]

    def run(self, state: Any) -> Law:
        """The law of the states after all steps."""
        final: Law = {}
        chances: dict[Node, Fraction] = {(0, state): Fraction(1)}
        for node in self._in_order((0, state)):
            number, now = node
            chance = chances.pop(node)
            if number == len(self.steps):
                final[now] = chance
                continue
            for after, further in self.law(number, now).items():
                follower = (self._next(number, after), after)
                chances[follower] = chances.get(follower, Fraction(0)) + chance * further
        return final

    def _taken(self, number: int, state: Any) -> Law:
        step, later = self.steps[number], self._later[number]
        if not isinstance(step, Rounds):
            return step(state, later)
        return certain(state) if step.over(state) else step.step(state, later)

    def _next(self, number: int, after: Any) -> int:
        """The step that meets a state which step `number` has left."""
        step = self.steps[number]
        return number if isinstance(step, Rounds) and not step.over(after) else number + 1

    def _worth_after(self, number: int) -> Worth:
        return lambda after: self.value(self._next(number, after), after)

    def _in_order(self, start: Node) -> Iterator[Node]:
        """Every node that may be met, each before all that come out of it."""
        done: list[Node] = []
        seen: set[Node] = set()
        waiting: list[tuple[Node, bool]] = [(start, False)]
        while waiting:
            node, followed = waiting.pop()
            if followed:
                done.append(node)
            elif node not in seen:
                seen.add(node)
                waiting.append((node, True))
                number, state = node
                law = self.law(number, state) if number < len(self.steps) else {}
                waiting += [((self._next(number, after), after), False) for after in law]
        return reversed(done)


def pick(options: Sequence[Any], outcome: Callable[[Any], Law], worth: Worth, wanted: int) -> Law:
    """The law of the best option: the highest mean worth for wanted = 1, the lowest for -1.

    Equal options: the first one.
    """
    if len(options) == 1:
        return outcome(options[0])
    best_law, best_value = None, Fraction(0)
    for option in options:
        law = outcome(option)
        value = wanted * expected(law, worth)
        if best_law is None or value > best_value:
            best_law, best_value = law, value
    assert best_law is not None
    return best_law


def nobody_chooses(_: Any) -> Fraction:
    """What a state is worth where there is nothing to choose: nobody may ask."""
    raise AssertionError("a choice where none was expected")

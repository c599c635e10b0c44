"""Steps of chance and choice, one after the other, over merged states (RULES.md §11: the players'
choices).

A step takes a state and what later states are worth, and returns the law of the states after it.
Chance only needs the state; a choice compares its options by what they are worth later, by
backward recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from .dice import Law, certain, expected, spread

Worth = Callable[[Any], Fraction]
Step = Callable[[Any, Worth], Law]


class Course:
    """A fixed sequence of steps; `worth` values the states at its end."""

    def __init__(self, steps: Sequence[Step], worth: Worth) -> None:
        self.steps = tuple(steps)
        self.worth = worth
        self._laws: dict[tuple[int, Any], Law] = {}
        self._values: dict[tuple[int, Any], Fraction] = {}

    def law(self, number: int, state: Any) -> Law:
        """The law after step `number` taken in `state`."""
        key = (number, state)
        if key not in self._laws:
            self._laws[key] = self.steps[number](state, lambda later: self.value(number + 1, later))
        return self._laws[key]

    def value(self, number: int, state: Any) -> Fraction:
        """What `state` is worth before step `number`."""
        if number == len(self.steps):
            return self.worth(state)
        key = (number, state)
        if key not in self._values:
            law = self.law(number, state)
            self._values[key] = expected(law, lambda later: self.value(number + 1, later))
        return self._values[key]

    def run(self, state: Any) -> Law:
        """The law of the states after all steps."""
        law = certain(state)
        for number in range(len(self.steps)):
            law = self._after(number, law)
        return law

    def _after(self, number: int, law: Law) -> Law:
        return spread(law, lambda now: self.law(number, now))


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

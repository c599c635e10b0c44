"""Where a weapon's modifiers come from: each rule with what it contributed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

from killcurve.rules.tally import Tally


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one rule did: ``source`` is its own words, ``what`` a field of the tally.

    ``value`` is what it added to a list of numbers (``hit``), or what it set the field to.
    ``stronger`` tells that it was read for a Strength above the target's Toughness.

    >>> before, after = Tally(), Tally(hit=[1], lethal=True)
    >>> [(c.what, c.value) for c in contributed("heavy", before, after, stronger=False)]
    [('hit', 1), ('lethal', True)]
    """

    source: str
    what: str
    value: Any
    stronger: bool = False


def contributed(
    source: str, before: Tally, after: Tally, *, stronger: bool
) -> Iterator[Contribution]:
    """What a rule changed, from the tally before it and the one after."""
    for field in fields(Tally):
        old, new = getattr(before, field.name), getattr(after, field.name)
        if isinstance(new, list):
            for value in new[len(old) :]:
                yield Contribution(source, field.name, value, stronger)
        elif new != old:
            yield Contribution(source, field.name, new, stronger)

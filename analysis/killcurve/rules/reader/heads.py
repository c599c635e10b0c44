"""What a clause does, from its verb on: heads."""

from __future__ import annotations

from dataclasses import dataclass

from killcurve.rules.reader.words import Words


@dataclass(frozen=True, slots=True)
class Named:
    """A roll or a characteristic that is named.

    ``what`` is its name in the effect language, or ``other`` for one without attack maths;
    ``roll``, ``characteristic`` and ``result`` stand for one that was named before. ``on`` is
    the 1 of ``a Hit roll of 1``; ``quantity`` is ``one`` where a single roll is meant; ``owner``
    are the words before it.
    """

    what: str
    on: str | None = None
    quantity: str | None = None
    owner: Words = ()


@dataclass(frozen=True, slots=True)
class Grant:
    """One thing that a unit or its weapons have."""

    kind: str
    value: str = ""
    sign: str = ""
    against: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Head:
    """What a clause does, from its verb on; ``either`` if its names are alternatives."""

    act: str
    names: tuple[Named, ...] = ()
    amount: str | None = None
    whose: Words = ()
    grants: tuple[Grant, ...] = ()
    either: bool = False

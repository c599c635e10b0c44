"""Dice that lie on the table together, and the rights used on them (RULES.md §1.2, §9: Command
Re-roll).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache, partial
from typing import Any, NamedTuple

from .course import Worth, pick
from .dice import FACES, SIXTH, Law, certain, mapped, spread
from .rights import Tokens, kept, without

Kind = Any
"""What a face means: `fail`, `ordinary` or `critical`; for 11e saves a number to sort by."""

Pile = tuple[int, ...]
"""How many dice there are of each of the throw's kinds."""


@dataclass(frozen=True)
class Rolling:
    """What each unmodified face means, which faces are re-rolled for free, and the tokens of the
    single re-rolls and of the changes to a 6.
    """

    faces: tuple[Kind, ...]
    again: frozenset[int]
    single: Tokens = ()
    sixes: Tokens = ()

    def meaning(self, face: int) -> Kind:
        """What an unmodified face means."""
        return self.faces[face - 1]


Tables = tuple[tuple[Fraction, Rolling], ...]
"""What a die may be read from, with chances: a random Strength makes several (§2)."""


class Die(NamedTuple):
    """A die on the table: what it shows, which table it is read from, whether it may be re-rolled.

    The table is -1, and fresh is False, where no right asks for it: such dice are alike.
    """

    kind: Kind
    table: int
    fresh: bool


_LOST = Die("fail", -1, False)


class Use(NamedTuple):
    """A right used on one die: its token, and the law of the piles after it."""

    name: str
    piles: Law


class Throw:
    """Dice rolled together while `tokens` are unused."""

    def __init__(self, tables: Tables, tokens: Tokens) -> None:
        self.tables = tables
        self.tokens = tokens
        self.first = self._first()
        again = [self._shown(place, face) for place in range(len(tables)) for face in FACES]
        ranks = list(dict.fromkeys(kind for _, rolling in tables for kind in rolling.faces))
        found = set(self.first).union(again) - {_LOST}
        self.kinds = tuple(sorted(found, key=lambda die: (ranks.index(die.kind), *die[1:])))
        self._piles: list[Law] = [certain((0,) * len(self.kinds))]
        self._uses_of: dict[tuple[Pile, Tokens], tuple[Use, ...]] = {}

    def law(
        self,
        number: int,
        tokens: Tokens,
        follow: Callable[[tuple[Kind, ...], Tokens], Law],
        worth: Worth,
        wanted: int,
    ) -> Law:
        """Roll, then let the owner of the rights use them or not; `follow` tells from the dice's
        kinds (failures may be missing) and the tokens left what comes next.
        """

        @cache
        def left_alone(kinds: tuple[Kind, ...], left: Tokens) -> Law:
            return follow(kinds, left)

        @cache
        def decided(pile: Pile, left: Tokens) -> Law:
            def outcome(use: Use | None) -> Law:
                if use is None:
                    return left_alone(self._seen(pile), left)
                return spread(use.piles, lambda after: decided(after, without(left, use.name)))

            return pick([None, *self._uses(pile, left)], outcome, worth, wanted)

        return spread(self.piles(number), lambda pile: decided(pile, tokens))

    def piles(self, number: int) -> Law:
        """Law of Pile, rolled die by die."""
        while len(self._piles) <= number:
            self._piles.append(
                spread(self._piles[-1], lambda pile: mapped(self.first, self._adding(pile)))
            )
        return self._piles[number]

    def _first(self) -> Law:
        """The law of one die, free re-rolls included: a die is re-rolled once, before modifiers
        (§1.2).
        """
        law: Law = {}
        for place, (share, rolling) in enumerate(self.tables):
            for face in FACES:
                again = face in rolling.again
                for shown in FACES if again else (face,):
                    die = self._die(rolling.meaning(shown), place, not again)
                    chance = share * SIXTH * (SIXTH if again else 1)
                    law[die] = law.get(die, Fraction(0)) + chance
        return law

    def _die(self, kind: Kind, place: int, fresh: bool) -> Die:
        """A die with what matters about it. A critical one is left alone."""
        rolling = self.tables[place][1]
        if kind == "critical":
            return Die(kind, -1, False)
        fresh = fresh and bool(kept(self.tokens, rolling.single))
        changed = bool(kept(self.tokens, rolling.sixes))
        return Die(kind, place if fresh or changed else -1, fresh)

    def _seen(self, pile: Pile) -> tuple[Kind, ...]:
        """The kinds of all dice, sorted."""
        return tuple(
            sorted(
                die.kind
                for die, number in zip(self.kinds, pile, strict=True)
                for _ in range(number)
            )
        )

    def _uses(self, pile: Pile, tokens: Tokens) -> tuple[Use, ...]:
        """Each unused right on each die it may change: re-rolls first, low dice first."""
        key = (pile, tokens)
        if key not in self._uses_of:
            self._uses_of[key] = tuple(self._all_uses(pile, tokens))
        return self._uses_of[key]

    def _all_uses(self, pile: Pile, tokens: Tokens) -> Iterator[Use]:
        dice = [die for die, number in zip(self.kinds, pile, strict=True) if number]
        usable = [(die, self.tables[die.table][1]) for die in dice if die.table >= 0]
        for name in dict.fromkeys(tokens):
            for die, rolling in usable:
                if die.fresh and name in rolling.single:
                    new = mapped(_ANY_FACE, partial(self._shown, die.table))
                    yield Use(name, mapped(new, self._adding(self._less(pile, die))))
        for name in dict.fromkeys(tokens):
            for die, rolling in usable:
                if name in rolling.sixes:
                    six = self._shown(die.table, 6)
                    yield Use(name, certain(self._adding(self._less(pile, die))(six)))

    def _shown(self, place: int, face: int) -> Die:
        """A die of this table that shows this face and is not re-rolled any more."""
        return self._die(self.tables[place][1].meaning(face), place, False)

    def _adding(self, pile: Pile) -> Callable[[Die], Pile]:
        """What the pile becomes with one more die; a failure nothing can change is not kept."""
        return lambda die: tuple(
            number + (kind == die) for kind, number in zip(self.kinds, pile, strict=True)
        )

    def _less(self, pile: Pile, die: Die) -> Pile:
        """The pile without one such die."""
        return tuple(number - (kind == die) for kind, number in zip(self.kinds, pile, strict=True))


_ANY_FACE: Law = dict.fromkeys(FACES, SIXTH)


@lru_cache(maxsize=4096)
def _throw(tables: Tables, tokens: Tokens) -> Throw:
    return Throw(tables, tokens)


def throw(tables: Tables, tokens: Tokens) -> Throw:
    """Dice read from these tables while these rights are unused."""
    return _throw(tables, kept(tokens, usable(tables)))


def usable(tables: Tables) -> frozenset[str]:
    """The tokens of the rights these tables know of."""
    return frozenset(name for _, rolling in tables for name in rolling.single + rolling.sixes)

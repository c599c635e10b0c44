"""What an explanation is made of, and what it is made into."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from killcurve.engine.edition import Edition
from killcurve.engine.pmf import Pmf
from killcurve.engine.shot import Shot
from killcurve.engine.target import Target
from killcurve.engine.weapon import WeaponLine
from killcurve.rules.account import Contribution
from killcurve.rules.sides import ArmedModel


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the arithmetic: its name, what is told of it, its chances, and the rules.

    ``chances`` are probabilities or expected numbers by name, exact; ``rules`` are places in
    RULES.md, with the core rules' own numbers where the 11th edition has them.
    """

    name: str
    says: tuple[str, ...]
    chances: dict[str, Fraction]
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """What one line's explanation is made of: the engine's own objects, and where they come from.

    ``shot`` is the line against the target's Toughness with all its groups alive, ``names`` are
    those of the groups.
    """

    armed: ArmedModel
    line: WeaponLine
    shot: Shot
    toughness: int
    target: Target
    names: tuple[str, ...]
    edition: Edition
    account: tuple[Contribution, ...]

    def of(self, *what: str, stronger: bool = False) -> list[Contribution]:
        """The contributions to fields of the tally."""
        return [c for c in self.account if c.what in what and c.stronger is stronger]

    def sources(self, *what: str) -> list[str]:
        """The rules that contributed to fields of the tally, each once."""
        return list(dict.fromkeys(c.source for c in self.account if c.what in what))

    def because(self, *what: str) -> str:
        """Those rules in brackets; nothing where there are none."""
        found = self.sources(*what)
        return f" ({', '.join(found)})" if found else ""

    def apart(self) -> list[tuple[int, str, str]]:
        """Each group that has a name of its own: its place, its name, and `` of name``.

        The last is empty where the target has one group only. Characters of one name are told
        of once.
        """
        if len(self.names) == 1:
            return [(0, self.names[0], "")]
        first = {name: g for g, name in reversed(list(enumerate(self.names)))}
        return [(g, name, f" of {name}") for name, g in sorted(first.items(), key=lambda i: i[1])]


def exact(law: Pmf) -> Fraction:
    """The mean of a law of dice as a fraction.

    >>> from killcurve.engine.dice import Dice
    >>> exact(Dice.parse("D6").pmf)
    Fraction(7, 2)
    """
    return Fraction(law.mean).limit_denominator(MOST_DENOMINATOR)


def share(chance: float) -> Fraction:
    """A chance that dice made, as a fraction."""
    return Fraction(chance).limit_denominator(MOST_DENOMINATOR)


MOST_DENOMINATOR = 10**6

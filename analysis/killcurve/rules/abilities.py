"""Weapon abilities as printed: ``sustained hits D3``, ``anti-vehicle 4+`` (RULES.md §8)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from killcurve.engine.dice import Dice
from killcurve.rules.spelling import did_you_mean, normal


class Amount(Enum):
    """What follows the name of an ability."""

    NONE = "nothing"
    NUMBER = "a number"
    OPTIONAL = "a number or nothing"
    THRESHOLD = "a keyword and a roll"
    KEYWORD = "a keyword"


ABILITIES: dict[str, Amount] = {
    "anti": Amount.THRESHOLD,
    "assault": Amount.NONE,
    "blast": Amount.OPTIONAL,
    "cleave": Amount.OPTIONAL,
    "close-quarters": Amount.NONE,
    "conversion": Amount.NONE,
    "damaged": Amount.NUMBER,
    "devastating wounds": Amount.NONE,
    "extra attacks": Amount.NONE,
    "hazardous": Amount.NONE,
    "heavy": Amount.NONE,
    "hunter": Amount.KEYWORD,
    "ignores cover": Amount.NONE,
    "indirect fire": Amount.NONE,
    "lance": Amount.NONE,
    "lethal hits": Amount.NONE,
    "melta": Amount.NUMBER,
    "one shot": Amount.NONE,
    "pistol": Amount.NONE,
    "precision": Amount.NONE,
    "psychic": Amount.NONE,
    "rapid fire": Amount.NUMBER,
    "sustained hits": Amount.NUMBER,
    "torrent": Amount.NONE,
    "twin-linked": Amount.NONE,
}
"""Every ability whose rule is known, with what follows its name."""

WITHOUT_NUMBERS = frozenset({"assault", "close-quarters", "hunter", "one shot", "pistol"})
"""Abilities that say when a weapon may be used, and change no roll."""

NAMED_ONLY = (
    "bubblechukka",
    "c'tan power",
    "dead choppy",
    "harpooned",
    "hive defences",
    "hooked",
    "impaled",
    "linked fire",
    "overcharge",
    "plasma warhead",
    "psychic assassin",
    "reverberating summons",
    "blinding light",
    "snagged",
    "sonic devastation",
)
"""Abilities of single datasheets: kept by name, their rule is on the datasheet."""


@dataclass(frozen=True, slots=True)
class Ability:
    """One weapon ability.

    ``amount`` is the X of ``sustained hits X``, ``threshold`` and ``subject`` the roll and the
    keyword of ``anti-X N+``. It works against units with one of the keywords ``only``
    (when there are any), and not against those with one of ``excluding`` (RULES.md §8.1).

    >>> str(Ability.parse("[Sustained Hits d3]")), str(Ability.parse("ANTI-Fly 2"))
    ('sustained hits D3', 'anti-fly 2+')
    >>> Ability.parse("lethal hits: non-MONSTER/VEHICLE").excluding
    ('monster', 'vehicle')
    >>> Ability.parse("sustaned hits 1")
    Traceback (most recent call last):
    ...
    ValueError: 'sustaned hits 1' is no weapon ability; did you mean 'sustained hits'?
    """

    name: str
    amount: Dice | None = None
    threshold: int | None = None
    subject: str | None = None
    only: tuple[str, ...] = ()
    excluding: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Ability:
        """Read an ability in any case, with or without brackets.

        Raises:
            ValueError: if there is no such ability, or its number is missing or wrong.
        """
        return _parse(text)

    @property
    def is_known(self) -> bool:
        """Whether its rule is known (else only its name is)."""
        return self.name in ABILITIES

    def applies_to(self, keywords: frozenset[str]) -> bool:
        """Whether it works against a unit with these (normal) keywords."""
        if self.subject is not None and self.name == "anti":
            return any(part in keywords for part in self.subject.split("/"))
        allowed = not self.only or any(k in keywords for k in self.only)
        return allowed and not any(k in keywords for k in self.excluding)

    def __str__(self) -> str:
        text = self.name
        if self.name == "anti":
            return f"anti-{self.subject} {self.threshold}+"
        if self.subject is not None:
            text += f" {self.subject}"
        if self.amount is not None:
            text += f" {self.amount}"
        if self.only:
            text += f": {'/'.join(self.only)}"
        if self.excluding:
            text += f": non-{'/'.join(self.excluding)}"
        return text


@lru_cache(maxsize=4096)
def _parse(text: str) -> Ability:
    plain = normal(text).strip("[]() ")
    head, _, limits = (part.strip() for part in plain.partition(":"))
    only, excluding, head = _limits(limits, head)
    if found := re.fullmatch(r"anti[- ](.+?)[ ,]*(\d)\+?", head):
        return Ability("anti", threshold=_threshold(int(found[2]), text), subject=found[1].strip())
    if found := re.fullmatch(r"hunter[- :]?(.*)", head):
        return Ability("hunter", subject=found[1].strip() or None, only=only)
    name, amount = _name_and_amount(head)
    if name in NAMED_ONLY:
        return Ability(name)
    if name not in ABILITIES:
        raise ValueError(
            f"{text!r} is no weapon ability{did_you_mean(name, (*ABILITIES, *NAMED_ONLY))}"
        )
    needed = ABILITIES[name]
    if needed is Amount.THRESHOLD:
        raise ValueError(f"{text!r} needs a keyword and a roll, such as anti-vehicle 4+")
    if amount is None and needed is Amount.NUMBER:
        raise ValueError(f"{text!r} needs a number, such as {name} 1")
    if amount is not None and needed is Amount.NONE:
        raise ValueError(f"{text!r}: {name} takes no number")
    return Ability(name, amount=amount, only=only, excluding=excluding)


def _limits(limits: str, head: str) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """The keywords after the colon; a number there belongs to the ability."""
    if not limits:
        return (), (), head
    words, _, number = limits.rpartition(" ")
    if re.fullmatch(r"\d+|\d*d[36](\+\d+)?", number) and words:
        limits, head = words, f"{head} {number}"
    if limits.startswith("non-"):
        return (), tuple(k.strip().removeprefix("non-") for k in limits[4:].split("/")), head
    return tuple(k.strip() for k in limits.split("/")), (), head


def _name_and_amount(head: str) -> tuple[str, Dice | None]:
    found = re.fullmatch(r"(.*?)[ ]*(\d*d\d+(?:\+\d+)?|\d+)?", head)
    name, number = (found[1], found[2]) if found else (head, None)
    for spelling in (name, name.replace(" ", "-"), name.replace("-", " ")):
        if spelling in ABILITIES or spelling in NAMED_ONLY:
            return spelling, Dice.parse(number) if number else None
    return name, None


def _threshold(roll: int, text: str) -> int:
    if not 2 <= roll <= 6:
        raise ValueError(f"{text!r}: the roll of an anti ability is 2+ to 6+")
    return roll

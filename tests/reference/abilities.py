"""Weapon abilities as printed: text -> Ability (RULES.md §8, notation 24.01)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .dice import NO_DICE, Dice, parse_dice

PLAIN = frozenset(
    {
        "conversion",
        "devastating wounds",
        "hazardous",
        "heavy",
        "ignores cover",
        "indirect fire",
        "lance",
        "lethal hits",
        "precision",
        "psychic",
        "torrent",
        "twin-linked",
        "extra attacks",
    }
)
"""Abilities without a number that can change the sums."""

SILENT = frozenset({"assault", "pistol", "close-quarters", "one shot"})
"""Abilities that only say when a weapon may be used."""

NUMBERED = ("sustained hits", "rapid fire", "melta", "cleave", "blast")


@dataclass(frozen=True)
class Ability:
    """One instance of a weapon ability.

    amount: X of `sustained hits X` and the like; threshold: Y of `anti-keyword Y+`, with
    `against` its keywords; only / never: the keywords of `[ability: keyword/keyword]`, the target
    must have one of `only` (if any are given) and none of `never`.
    """

    name: str
    amount: Dice = NO_DICE
    threshold: int = 7
    against: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    never: tuple[str, ...] = ()

    def works_against(self, keywords: frozenset[str]) -> bool:
        """Whether the restriction printed after the colon lets it work against these keywords."""
        if self.only and not keywords.intersection(self.only):
            return False
        return not keywords.intersection(self.never)


def _restriction(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """`infantry/beasts` -> must have one; `non-monster/vehicle` -> must have none."""
    words = [word.strip() for word in text.split("/")]
    if words[0].startswith("non-"):
        return (), tuple(word.removeprefix("non-") for word in words)
    return tuple(words), ()


def parse_ability(text: str) -> Ability:
    """Read one weapon ability, in any case, with or without brackets."""
    words = " ".join(text.lower().strip().strip("[]").split())
    body, _, after = words.partition(":")
    only, never = _restriction(after.strip()) if after.strip() else ((), ())
    body = body.strip()
    anti = re.fullmatch(r"anti-(.+?) (\d)\+", body)
    if anti:
        against = tuple(word.strip() for word in anti[1].split("/"))
        return Ability("anti", threshold=int(anti[2]), against=against, only=only, never=never)
    if body in PLAIN or body in SILENT:
        return Ability(body, only=only, never=never)
    if body == "blast":
        return Ability("blast", amount=Dice((), 1), only=only, never=never)
    for name in NUMBERED:
        if body.startswith(name + " "):
            return Ability(
                name, amount=parse_dice(body.removeprefix(name + " ")), only=only, never=never
            )
    if body == "bubblechukka":
        raise NotImplementedError("bubblechukka: a die picks the profile")
    raise ValueError(f"unknown weapon ability or effect: {text!r}")

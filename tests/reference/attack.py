"""Hits and wounds: dice that lie on the table (RULES.md §3, §4)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from .course import Worth
from .dice import Law, certain, spread, total
from .profile import Profile
from .rights import Tokens, kept
from .throwing import throw, usable


class Hits(NamedTuple):
    """Hits: ordinary ones, critical ones, and the extra ones of Sustained Hits."""

    ordinary: int
    critical: int
    extra: int


def roll_hits(
    profile: Profile,
    dice: int,
    tokens: Tokens,
    follow: Callable[[Hits, Tokens], Law],
    worth: Worth,
) -> Law:
    """Hit dice and the attacker's rights; `follow` tells from Hits and the tokens left what comes
    next. An automatic hit is never critical; Sustained Hits are rolled for each critical (§3.3).
    """
    if profile.hit is None:
        return follow(Hits(dice, 0, 0), tokens)

    def landed(kinds: tuple[str, ...], left: Tokens) -> Law:
        ordinary, critical = kinds.count("ordinary"), kinds.count("critical")
        extra = certain(0)
        if profile.sustained is not None:
            extra = total([profile.sustained.law()] * critical)
        return spread(extra, lambda more: follow(Hits(ordinary, critical, more), left))

    tables = ((Fraction(1), profile.hit),)
    return throw(tables, tokens).law(dice, tokens, landed, worth, 1)


def roll_wounds(
    profile: Profile,
    rolls: int,
    tokens: Tokens,
    follow: Callable[[int, int, Tokens], Law],
    worth: Worth,
) -> Law:
    """Wound dice and the attacker's rights; `follow` tells from the ordinary wounds, the critical
    ones and the tokens left what comes next. A random Strength is rolled for each die.
    """
    shared = len(profile.wound) > 1 and profile.sustained is not None
    if shared and kept(tokens, usable(profile.wound)):
        raise NotImplementedError(
            "a wound die changed where hits that share a random Strength are sustained"
        )

    def counted(kinds: tuple[str, ...], left: Tokens) -> Law:
        return follow(kinds.count("ordinary"), kinds.count("critical"), left)

    return throw(profile.wound, tokens).law(rolls, tokens, counted, worth, 1)

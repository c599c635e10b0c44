"""Where the head of a clause stands, and the effects that are found there."""

from __future__ import annotations

from dataclasses import dataclass

from killcurve.rules.reader.occasions import Occasion
from killcurve.rules.reader.sides import ENEMY, OWN

ATTACKER = "attacker"
DEFENDER = "defender"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a head stands: whose it is, on which occasion, with which weapons, given what.

    ``side`` is the side whose attacks, weapons or models the words themselves name.
    """

    occasion: Occasion | None = None
    side: str | None = None
    scope: str | None = None
    ranged: str | None = None
    conditions: tuple[str, ...] = ()
    critical: str | None = None
    own_weapons: bool = False

    @property
    def kind(self) -> str:
        """The kind of its occasion, or nothing."""
        return self.occasion.kind if self.occasion is not None else ""

    @property
    def attacker(self) -> str | None:
        """Who makes the attacks of its occasion, if that is clear."""
        return self.occasion.side if self.occasion and self.kind == "attacks" else None

    @property
    def attacked(self) -> str | None:
        """Who is attacked on its occasion, if that is clear."""
        return self.occasion.side if self.occasion and self.kind != "attacks" else None


@dataclass(frozen=True, slots=True)
class Found:
    """One effect that was read: its phrase without scope and conditions, and whose it is."""

    phrase: str
    side: str
    scope: str | None = None
    ranged: str | None = None
    conditions: tuple[str, ...] = ()
    choice: int | None = None
    option: int = 0


class NotRead(ValueError):
    """A clause bears on attack maths in a way that the effect language does not know.

    ``found`` are effects of its other parts.
    """

    def __init__(self, message: str, found: tuple[Found, ...] = ()) -> None:
        super().__init__(message)
        self.found = found


def whose_attacks(place: Place, sign: str) -> str:
    """``attacker`` if the attacks of the side that has the rule change, else ``defender``.

    Where neither the words nor the occasion tell, what is worse is the enemy's.
    """
    if place.side is not None:
        return ATTACKER if place.side == OWN else DEFENDER
    if place.attacker is not None:
        return ATTACKER if place.attacker == OWN else DEFENDER
    if place.kind in ("attacked", "allocated", "unsaved") and place.attacked is not None:
        return ATTACKER if place.attacked == ENEMY else DEFENDER
    if sign == "=" and place.kind not in ("", "attacks"):
        return DEFENDER
    return DEFENDER if sign == "-" else ATTACKER


def at(place: Place, phrase: str, side: str, *, scope: bool = True) -> Found:
    """An effect in its place; ``scope`` if it is one of weapons."""
    return Found(
        phrase,
        side,
        scope=place.scope if scope else None,
        ranged=place.ranged,
        conditions=place.conditions,
    )

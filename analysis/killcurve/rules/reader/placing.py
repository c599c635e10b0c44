"""Where the head of a clause stands: on which occasion, whose weapons, given what."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from killcurve.rules.reader.arms import Arms, arms
from killcurve.rules.reader.clauses import Kind, types
from killcurve.rules.reader.heads import Head
from killcurve.rules.reader.occasions import occasion
from killcurve.rules.reader.places import Place
from killcurve.rules.reader.sides import OWN, side_of
from killcurve.rules.reader.tails import Tail
from killcurve.rules.reader.talk import Opened, Talk
from killcurve.rules.reader.users import of_user
from killcurve.rules.reader.words import Words


def place_of(talk: Talk, done: Head, subject: Words, rest: Tail, sentence: str) -> Place:
    """Where a head stands.

    Whose weapons change is told by the subject, by ``of …`` behind the characteristic, by the
    tail, or by an owner before it, in this order; else by the occasion, which may be that of a
    sentence before.
    """
    named, side = _subject(talk, subject, sentence)
    on = talk.on
    conditions = list(talk.conditions)
    if on is None and _goes_back(done, rest) and talk.occasion is not None:
        on = talk.occasion
        conditions = [*on.conditions, *conditions]
    if rest.side is not None and not is_attack(rest.whose):
        side = rest.side
    if done.whose and not is_attack(done.whose):
        named = arms(done.whose, sentence)
        side = side_of(done.whose) or side
    owners = [n.owner for n in done.names if n.owner]
    if owners and not done.whose and side is None:
        side = side_of(owners[0])
    named = _same_weapons(talk, named, subject or rest.whose or done.whose, rest)
    scope = named.scope or rest.arms.scope or (on.scope if on else None)
    ranged = named.ranged or rest.arms.ranged or (on.ranged if on else None)
    talk.arms = Arms(scope, ranged)
    conditions += [*named.conditions, *rest.arms.conditions, *_users(done.whose, side)]
    conditions += [*_users(rest.whose, side), *rest.conditions]
    if on is not None and on.kind in ("attacks", "attacked", "allocated") and not subject:
        side = None
    return Place(
        occasion=on,
        side=side,
        scope=scope,
        ranged=ranged,
        conditions=tuple(dict.fromkeys(c for c in conditions if c)),
        critical=next((o.critical for o in talk.opened if o.critical), None),
        own_weapons=side == OWN,
    )


def is_attack(whose: Words) -> bool:
    """``that attack``: the one that the occasion speaks of."""
    kinds = types(whose)
    return kinds[:2] == ["THAT", "ATTACK"] or kinds == ["ATTACK"] or kinds[:1] == ["OWN_ATTACK"]


def _goes_back(done: Head, rest: Tail) -> bool:
    """Whether an effect speaks of the attack of a sentence before."""
    named = {name.what for name in done.names}
    return (
        is_attack(done.whose)
        or is_attack(rest.whose)
        or bool(named & {"hit", "wound", "damage roll"})
    )


def _same_weapons(talk: Talk, named: Arms, said: Words, rest: Tail) -> Arms:
    """``those weapons``, or an amount that counts instead: the weapons spoken of last."""
    kinds = types(said)
    goes_back = (
        "WEAPON" in kinds
        and "THAT" in kinds[: kinds.index("WEAPON")]
        and "EQUIPPED_BY" not in kinds
    )
    if goes_back or (rest.instead and not said):
        return replace(
            named, scope=named.scope or talk.arms.scope, ranged=named.ranged or talk.arms.ranged
        )
    return named


def _subject(talk: Talk, subject: Words, sentence: str) -> tuple[Arms, str | None]:
    """The weapons that a subject names, and whose it is."""
    kinds = types(subject)
    if not kinds or is_attack(subject):
        return Arms(), None
    if "TARGETS" in kinds and "ATTACK" in kinds:
        on = occasion(subject, sentence, is_stratagem=talk.is_stratagem)
        talk.opened.append(Opened(Kind.OCCASION, on.conditions, on))
        return Arms(on.scope, on.ranged), None
    named = arms(subject, sentence)
    side = side_of(subject)
    users = of_user(subject, side) if "EQUIPPED_BY" not in kinds else _users(subject, side)
    return replace(named, conditions=(*named.conditions, *users)), side


def _users(whose: Words, side: str | None) -> list[str]:
    """What is said of those who are equipped with something."""
    kinds = types(whose)
    if "EQUIPPED_BY" not in kinds or ("BEARER", "AND") in pairwise(kinds):
        return []
    return of_user(whose[kinds.index("EQUIPPED_BY") :], side)

"""Effects made of heads, with the dice that decide on them."""

from __future__ import annotations

import re
from dataclasses import replace

from killcurve.rules.reader.dice import fights_on, mortal_wounds, on_result
from killcurve.rules.reader.heads import Head
from killcurve.rules.reader.meaning import found_of
from killcurve.rules.reader.places import Found, NotRead, Place
from killcurve.rules.reader.remembering import named_side
from killcurve.rules.reader.sides import OWN, side_of
from killcurve.rules.reader.tails import Tail
from killcurve.rules.reader.talk import Talk

_WITH_ALTERNATIVES = frozenset({"suffered", "healed", "returned", "needed"})
_BESIDE_ATTACKS = frozenset({"suffered", "survives", "healed", "returned"})
_FOUGHT = re.compile(r"\bnot (?:fought|been selected to fight|shot or fought)\b")
_CHANCE = re.compile(r"\bfail(?:s|ed)\b")
_COUNTED_OCCASIONS = frozenset({"attacks", "attacked", "allocated", "unsaved", "destroyed"})
"""Occasions that come as often as attacks or losses do: what they cause is not a number."""


def made_of(talk: Talk, done: Head, place: Place, rest: Tail) -> list[Found]:
    """The effects of a head in its place; those of survivors are kept apart.

    Raises:
        NotRead: where the language has no phrase for it.
    """
    if done.act in _BESIDE_ATTACKS:
        place = replace(place, conditions=_without_occasions(talk, place))
    if not (done.names and done.act in _WITH_ALTERNATIVES):
        return _made_once(talk, done, place, rest)
    without = tuple(c for c in place.conditions if c not in rest.conditions)
    made = _made_once(talk, replace(done, names=()), replace(place, conditions=without), rest)
    for other in done.names:
        made += _made_once(talk, replace(done, names=(), amount=other.on), place, rest)
    return made


def _made_once(talk: Talk, done: Head, place: Place, rest: Tail) -> list[Found]:
    dice = talk.dice if talk.result is not None else None
    if done.act == "suffered":
        return _suffered(talk, done, place, rest)
    if place.critical == "ROLL":
        raise NotRead("a result of the attack's own dice")
    if done.act == "survives":
        talk.survivors += talk.as_option(fights_on(dice, talk.result, place))
        return []
    made = found_of(done, place)
    if done.act in ("healed", "returned"):
        return on_result(made[0].phrase, dice, talk.result, place)
    if dice is not None:
        shown = f'"D6 roll of {talk.result}"'
        made = [replace(one, conditions=(*one.conditions, shown)) for one in made]
    return made


def _suffered(talk: Talk, done: Head, place: Place, rest: Tail) -> list[Found]:
    """Mortal wounds; those that the rule's own side suffers are no part of its attacks."""
    if _who_suffers(talk, place) == OWN:
        if talk.dice is not None and talk.dice.equal_to:
            talk.dice = replace(talk.dice, hurts_own=True)
        return []
    on = place.occasion
    counted = on is not None and on.kind in _COUNTED_OCCASIONS
    once = on is not None and on.kind == "destroyed" and talk.once
    if (counted and not once) or place.critical:
        raise NotRead("mortal wounds by attacks")
    marked = next(
        (talk.shown[t] for w in talk.subject if (t := w.text.lower()) in talk.shown), None
    )
    return mortal_wounds(done.amount or "1", talk.dice, talk.result or marked, rest.most, place)


def _who_suffers(talk: Talk, place: Place) -> str | None:
    """Whose unit suffers: the words say, or a keyword that named a unit before."""
    if talk.subject and talk.subject[0].type == "IT":
        return talk.it or talk.that
    return place.side or named_side(talk, talk.subject) or side_of(talk.subject, talk.that)


def _without_occasions(talk: Talk, place: Place) -> tuple[str, ...]:
    """Conditions without what only says when dice are rolled."""
    whens = [
        condition
        for o in talk.opened
        if o.occasion is not None and o.occasion.kind in ("other", "moved", "destroyed")
        for condition in o.conditions
        if not _CHANCE.search(condition)
    ]
    return tuple(c for c in place.conditions if c not in whens and not _FOUGHT.search(c))

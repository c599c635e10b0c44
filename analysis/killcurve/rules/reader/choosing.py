"""Choices of the player: one ability of several, or one thing that he can do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from killcurve.rules.reader import quoting
from killcurve.rules.reader.arms import Arms, arms
from killcurve.rules.reader.clauses import Kind, clauses, types
from killcurve.rules.reader.heads import Grant, Head
from killcurve.rules.reader.meaning import found_of
from killcurve.rules.reader.places import Found, NotRead, Place
from killcurve.rules.reader.sides import OWN
from killcurve.rules.reader.talk import Talk
from killcurve.rules.reader.words import Word, Words, words


def join_alternatives(talk: Talk, before: int) -> None:
    """Effects from number ``before`` on are a choice with the one before them.

    ``you can re-roll one Hit roll or you can re-roll one Wound roll``.
    """
    found = talk.found
    if not before or len(found) == before:
        return
    last = found[before - 1]
    if last.choice is None or last.choice >= 0:
        found[before - 1] = last = replace(last, choice=-before, option=0)
    for i in range(before, len(found)):
        found[i] = replace(found[i], choice=last.choice, option=last.option + 1)


def list_abilities(talk: Talk, text: str, header: str) -> None:
    """A line of abilities and no more: whose weapons get one, the header tells."""
    mains = [c.words for c in clauses(words(header)) if c.kind is Kind.MAIN]
    named = arms(mains[-1], header) if mains else Arms()
    place = Place(None, OWN, named.scope, named.ranged, talk.conditions)
    abilities = _abilities(words(text))
    if talk.told.option is None and talk.told.name:
        place = replace(place, conditions=(*place.conditions, quoting.quoted(talk.told.name)))
        talk.found += [one for word in abilities for one in _granted(talk, word, place)]
    else:
        _add_options(talk, abilities, place)


def offers_abilities(talk: Talk, given: Words, sentence: str) -> bool:
    """``select either the [A] or [B] ability``: whether a clause is such an offer."""
    abilities = _abilities(given)
    kinds = types(given)
    if len(abilities) < 2 or "UNIT" in kinds[: kinds.index("ABILITY")]:
        return False
    named = arms([w for w in given if w.type != "ABILITY"], sentence)
    place = Place(None, OWN, named.scope, named.ranged, talk.conditions)
    if "OR" in kinds or not talk.choices:
        talk.choices += 1
        _add_options(talk, abilities, place)
    else:
        made = [one for word in abilities for one in _granted(talk, word, place)]
        talk.found += [replace(one, choice=talk.choices, option=_next_option(talk)) for one in made]
    return True


def lists_only_abilities(talk: Talk, given: Words) -> bool:
    """``…: [A]; [B]; [C].``: whether a clause is a list of abilities, which are options then."""
    if not set(types(given)) <= {"ABILITY", "COMMA", "OR", "AND", "STOP"}:
        return False
    talk.choices = talk.choices or 1
    _add_options(talk, _abilities(given), Place(side=OWN, conditions=talk.conditions))
    talk.acted = True
    return True


def selects_all(talk: Talk, given: Words) -> bool:
    """``select both abilities above``: options that a condition gives all at once."""
    if not talk.choices or "above" not in {w.text.lower() for w in given}:
        return False
    offered = [one for one in talk.found if one.choice == talk.choices]
    for one in offered:
        conditions = tuple(dict.fromkeys((*one.conditions, *talk.conditions)))
        talk.found.append(replace(one, choice=None, option=0, conditions=conditions))
    return bool(offered)


def have_the_selected(talk: Talk, given: Words, sentence: str) -> bool:
    """``ranged weapons have the selected ability``: which weapons the options are for."""
    kinds = types(given)
    if "HAVE" not in kinds:
        return False
    had = kinds[kinds.index("HAVE") + 1 :]
    if "ABILITY_WORD" not in had or not {"SELECTED", "THAT"} & set(had[:3]):
        return False
    named = arms(given[: kinds.index("HAVE")], sentence)
    chosen = [i for i, one in enumerate(talk.found) if talk.choices and one.choice == talk.choices]
    for i in chosen:
        one = talk.found[i]
        scope, ranged = one.scope or named.scope, one.ranged or named.ranged
        talk.found[i] = replace(one, scope=scope, ranged=ranged)
    return bool(chosen) or "WEAPON" not in kinds


def _abilities(given: Words) -> list[Word]:
    return [w for w in given if w.type == "ABILITY"]


def _next_option(talk: Talk) -> int:
    used = [one.option for one in talk.found if one.choice == talk.choices]
    return max(used, default=-1) + 1


def _add_options(talk: Talk, abilities: Sequence[Word], place: Place) -> None:
    for word in abilities:
        option = _next_option(talk)
        talk.found += [
            replace(one, choice=talk.choices, option=option) for one in _granted(talk, word, place)
        ]


def _granted(talk: Talk, word: Word, place: Place) -> list[Found]:
    """An ability that weapons get; one without a known rule is told as unread."""
    try:
        return found_of(Head("granted", grants=(Grant("ability", word.text),)), place)
    except NotRead:
        talk.unread.append(word.text)
        return []

"""Whether words that were not understood bear on attack maths."""

from __future__ import annotations

import re

from killcurve.rules.abilities import WITHOUT_NUMBERS, Ability
from killcurve.rules.reader.vocabulary import wordset
from killcurve.rules.reader.words import Words

ACT_VERBS = wordset(
    "ADD ADDING SUBTRACT SUBTRACTING IMPROVE WORSEN CHANGE HALVE RE_ROLL IGNORE HAVE SUFFER "
    "REGAIN HEAL RETURN"
)
"""Words that begin what is done to rolls, characteristics and wounds."""


_MAY_BEAR = re.compile(
    r"hit|wound|damage|attack|sav(?:e|ing)|\[|cover|stealth|pain|mortal|strength|toughness|armou?r"
    r"|critical|reanimat|heal|return|regain|characteristic|[-+]\d|\d\+|die\b|dice|\bd\d|re-roll"
    r"|afflict|fight|fought|subtract|\badd",
    re.IGNORECASE,
)


def may_bear(text: str) -> bool:
    """Whether a text has a word without which no rule bears on attacks: others need no reading.

    >>> may_bear("Add 1 to the Hit roll."), may_bear("This unit can move through walls.")
    (True, False)
    """
    return _MAY_BEAR.search(text) is not None


def words_bear(words: Words) -> bool:
    """Whether a clause that was not understood bears on attack maths.

    >>> from killcurve.rules.reader.words import words
    >>> words_bear(words("that attack automatically hits")), words_bear(words("it can move"))
    (True, False)
    """
    kinds = [w.type for w in words]
    held = set(kinds)
    if "MORTAL" in kinds[:2] and not held & {"SUFFER", "NEED"}:
        return False  # "these mortal wounds are Psychic Attacks", "no mortal wounds are inflicted"
    texts = {w.text.lower() for w in words}
    return (
        bool(held & _ALWAYS)
        or ("ROLL" in held and bool(held & {"HIT", "WOUND"}))
        or ("CHARACTERISTIC" in held and bool(held & {"ATTACK", "STRENGTH", "WOUND"}))
        or ("automatically" in texts and bool(held & {"HIT", "WOUND"}))
        or ("WOUND" in held and bool(held & {"REGAIN", "HEAL"}))
        or "reanimation" in texts
        or any(_has_numbers(w.text) for w in words if w.type == "ABILITY")
    )


_ALWAYS = wordset(
    "AP SKILL TOUGHNESS DAMAGE INVULNERABLE FEEL_NO_PAIN MORTAL CRITICAL_HIT CRITICAL_WOUND SAVE "
    "STEALTH COVER UNMODIFIED"
)


def _has_numbers(text: str) -> bool:
    try:
        return Ability.parse(text).name not in WITHOUT_NUMBERS
    except ValueError:
        return False

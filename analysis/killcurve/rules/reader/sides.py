"""Whose: whether words speak of the side that has the rule, or of its enemy."""

from __future__ import annotations

from collections.abc import Sequence

from killcurve.rules.reader.words import Word

OWN = "own"
ENEMY = "enemy"

_OWN = frozenset({"YOUR", "THIS", "BEARER", "FRIENDLY", "FROM_YOUR_ARMY"})
_ENEMY = frozenset({"ENEMY", "OPPONENT", "ATTACKING"})
_BACK = frozenset({"THAT", "IT", "ITS", "SELECTED"})


def side_of(words: Sequence[Word], referent: str | None = None) -> str | None:
    """``own``, ``enemy``, or ``None`` where the words do not tell.

    The first word that tells decides; ``that unit`` and ``it`` are ``referent``, where one is
    given.

    >>> from killcurve.rules.reader.words import words
    >>> side_of(words("models in your unit")), side_of(words("each enemy unit within 6\\" of it"))
    ('own', 'enemy')
    """
    for i, word in enumerate(words):
        following = words[i + 1].type if i + 1 < len(words) else ""
        if word.type == "YOUR" and following == "OPPONENT":
            return ENEMY
        if word.type in _ENEMY:
            return ENEMY
        if word.type in _OWN and not _is_of_time(words, i):
            return OWN
        if word.type in _BACK and following not in _ELSEWHERE | _PERIODS:
            return ENEMY if "ENEMY" in [w.type for w in words[i + 1 : i + 5]] else referent
    return None


_ELSEWHERE = frozenset({"ENEMY", "FRIENDLY", "ATTACKING", "ATTACK"})


def _is_of_time(words: Sequence[Word], i: int) -> bool:
    """Whether ``this turn`` or ``your Shooting phase`` stands here."""
    return any(w.type in _PERIODS for w in words[i + 1 : i + 3])


_PERIODS = frozenset({"PHASE", "TURN", "BATTLE"})

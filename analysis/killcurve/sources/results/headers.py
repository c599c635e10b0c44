"""Names of columns: what is meant by them, and for which of the two sides."""

from __future__ import annotations

import re
from collections.abc import Iterator

from killcurve.rules.spelling import normal

OPPONENT = "opponent "

OF_THE_GAME = ("event", "date", "edition", "round", "winner")
OF_A_SIDE = ("player", "faction", "detachment", "score", "result")
OF_A_RECORD = ("wins", "draws", "losses", "games", "primary")
MEANINGS = (*OF_THE_GAME, *OF_A_SIDE, *(OPPONENT + m for m in OF_A_SIDE), *OF_A_RECORD)
"""What a column may be; ``result`` is from the side of ``player``."""

IGNORED = "ignored"

NAMES: dict[str, tuple[str, ...]] = {
    "event": ("event", "tournament", "event name", "tournament name", "gt", "gt name"),
    "date": ("date", "event date", "game date", "tournament date", "day", "played on"),
    "edition": ("edition", "ed", "game edition", "rules edition"),
    "round": ("round", "round number", "rnd", "round no", "game number", "game round"),
    "winner": ("winner", "game winner", "winning player", "winner name"),
    "player": ("player", "player name", "name", "user", "pilot", "player id"),
    "faction": ("faction", "army", "faction name", "army name", "codex", "army faction"),
    "detachment": ("detachment", "faction detachment", "detachment name", "army detachment"),
    "score": ("vp", "score", "victory points", "points", "game points", "vps", "total score"),
    "result": ("wld", "result", "outcome", "game result", "wl", "win loss draw", "w l d"),
    "wins": ("wins", "w", "won", "win"),
    "draws": ("draws", "d", "ties", "t", "drawn", "draw", "tie"),
    "losses": ("losses", "l", "lost", "loss", "defeats"),
    "games": ("games", "games played", "played", "rounds played"),
    "primary": ("primary", "is primary", "primary detachment"),
}
"""The names that are known for each meaning, the one to prefer first."""

OWN_SIDE = ("own", "1", "a", "p1", "player 1", "player a", "home", "my")
OTHER_SIDE = (
    "opponent",
    "opp",
    "opponents",
    "enemy",
    "2",
    "b",
    "p2",
    "player 2",
    "player b",
    "away",
)
_KNOWN = {name: meaning for meaning, names in NAMES.items() for name in names}


def words(column: str) -> str:
    """The words of a column's name: lower case, numbers apart, no other signs.

    >>> words("Opp Faction"), words("p1_VP"), words("PlayerA"), words("player2.army")
    ('opp faction', 'p1 vp', 'player a', 'player 2 army')
    """
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", column)
    text = re.sub(r"(?<=[A-Za-z]{3})(?=\d)", " ", text)
    return " ".join(re.findall(r"[a-z]+\d*|\d+", normal(text)))


def meanings(column: str) -> Iterator[tuple[str, int]]:
    """What a column's name may mean, each with the rank of the name for it (0 is best).

    >>> [list(meanings(c)) for c in ("WLD", "Opp VP", "Player 2", "faction_b", "First Result")]
    [[('result', 0)], [('opponent score', 0)], [('opponent player', 0)], \
[('opponent faction', 0)], []]
    """
    text = words(column)
    if text in _KNOWN:
        yield _KNOWN[text], NAMES[_KNOWN[text]].index(text)
    elif text in ("opponent", "opp", "opponent name", "enemy"):
        yield OPPONENT + "player", 0
    for sides, before in ((OWN_SIDE, ""), (OTHER_SIDE, OPPONENT)):
        for side in sides:
            for rest in (text.removeprefix(f"{side} "), text.removesuffix(f" {side}")):
                if rest != text and _KNOWN.get(rest) in OF_A_SIDE:
                    meaning = _KNOWN[rest]
                    yield before + meaning, NAMES[meaning].index(rest)

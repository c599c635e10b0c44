"""How often a rule may be used, as its words say."""

from __future__ import annotations

import re

_ONCE = re.compile(r"\bonce per (battle round|battle|turn|phase)\b", re.IGNORECASE)


def once_per(words: str) -> str | None:
    """``battle``, ``turn`` or ``phase`` (a battle round counts as a turn); else ``None``.

    >>> once_per("Once per battle round, it digs."), once_per("It digs.")
    ('turn', None)
    """
    found = _ONCE.search(words)
    if found is None:
        return None
    period = found[1].lower()
    return "turn" if period == "battle round" else period

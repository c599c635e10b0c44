"""Heads as effects: which roll or characteristic of whose attacks changes, and for which side."""

from __future__ import annotations

from collections.abc import Callable

from killcurve.rules.reader import changes, granting
from killcurve.rules.reader.heads import Head
from killcurve.rules.reader.places import Found, Place

ACTS: dict[str, Callable[[Head, Place], list[Found]]] = {
    "nothing": lambda _head, _place: [],
    "added": changes.added,
    "improved": changes.added,
    "subtracted": changes.subtracted,
    "worsened": changes.subtracted,
    "halved": changes.halved,
    "set": changes.set_to,
    "rerolled": changes.rerolled,
    "critical": changes.critical,
    "ignored": changes.ignored,
    "sixed": changes.sixed,
    "needed": changes.needed,
    "granted": granting.granted,
    "healed": granting.healed,
    "returned": granting.returned,
}
"""What heads do, each with what makes its effects."""


def found_of(head: Head, place: Place) -> list[Found]:
    """The effects of a head; none if it bears on no attack.

    Raises:
        NotRead: if it does, and the language has no phrase for it.
    """
    return ACTS[head.act](head, place)

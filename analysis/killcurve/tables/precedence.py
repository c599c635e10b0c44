"""Which source is believed: the stated precedence by field, and what a user prefers to it.

Values fall into four fields. For each of them the sources stand in places, the first of which is
believed where it has a value; of the sources that share a place, and of one source, the newest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from killcurve.rules.spelling import did_you_mean
from killcurve.tables.dataset import About, DataError

Places = tuple[tuple[str, ...], ...]

STATED: Mapping[str, Places] = {
    # Prices change every few months, so the newest counts; bsdata has only that of the first
    # copy at the smallest size.
    "prices": (("field manual",), ("page", "wh40kdc", "wahapedia"), ("bsdata",)),
    # Of weapons that several models share, bsdata has the first model's skill and attacks.
    "profiles": (("page",), ("wh40kdc",), ("wahapedia",), ("bsdata",)),
    "rules": (("page",), ("wh40kdc",), ("wahapedia",), ("bsdata",)),
    "legends": (("field manual",), ("wh40kdc", "wahapedia"), ("bsdata",)),
}
"""The sources of each field, the one believed first in front.

``prices`` are points and Detachment Points, ``profiles`` units with their stat lines, weapons and
sizes, ``rules`` what stratagems, enhancements and detachments do, ``legends`` whether a unit is
of Legends. Sources that are not named come behind these.
"""

SILENT: Mapping[str, frozenset[str]] = {
    "field manual": frozenset({"profiles", "rules"}),
    "page": frozenset({"legends"}),
}
"""Fields that a source says nothing of: it repeats another's, and is never preferred there."""

VERBS = {"points": "field manual", "community": "wh40kdc", "default": "wh40kdc"}
"""Sources that `killcurve import` calls by another name."""


@dataclass(frozen=True, slots=True)
class Precedence:
    """The order in which sources are believed.

    ``prefer`` stands before what is stated: names of sources, for all fields, or for one
    (``prices=wahapedia``).

    >>> Precedence(("prices=bsdata", "wahapedia")).order("prices")[:3]
    (('bsdata',), ('wahapedia',), ('field manual',))
    >>> print(Precedence().in_words()[0])
    prices: field manual > newest of page, wh40kdc, wahapedia > bsdata
    """

    prefer: tuple[str, ...] = ()

    @classmethod
    def of(cls, wishes: Iterable[str], present: Iterable[str] = ()) -> Precedence:
        """The precedence with a user's wishes first; ``present`` are further sources there are.

        Raises:
            DataError: if a wish names no field or no source, with what there is.

        >>> Precedence.of(["points", "prices = bsdata"]).prefer
        ('field manual', 'prices=bsdata')
        """
        names = sorted({*_named("prices"), *present})
        prefer = []
        for wish in wishes:
            field, _, name = wish.rpartition("=")
            field, name = field.strip(), name.strip()
            name = VERBS.get(name, name)
            if field and field not in STATED:
                raise DataError(
                    f"there is no field {field!r} to prefer a source in, only "
                    f"{', '.join(STATED)}{did_you_mean(field, STATED)}"
                )
            if name not in names:
                raise DataError(
                    f"there is no source {name!r}, only {', '.join(names)}"
                    f"{did_you_mean(name, names)}"
                )
            prefer.append(f"{field}={name}" if field else name)
        return cls(tuple(dict.fromkeys(prefer)))

    def order(self, field: str) -> Places:
        """The places of a field; a source stands in the first one that names it."""
        wishes = [wish.rpartition("=") for wish in self.prefer]
        return (*((name,) for of, _, name in wishes if of in ("", field)), *STATED[field])

    def ranked(self, field: str, sources: Sequence[tuple[About, bool]]) -> list[int]:
        """The rank of each source in a field, from 0 for the one believed first.

        A source is given with whether its values are only borrowed (for want of others).
        """
        keys = [self._key(field, about, borrowed) for about, borrowed in sources]
        order = sorted(range(len(keys)), key=lambda i: keys[i])
        ranks = [0] * len(keys)
        for rank, index in enumerate(order):
            ranks[index] = rank
        return ranks

    def is_before(self, field: str, first: About, second: About) -> bool:
        """Whether the first is believed rather than the second; not if nothing tells them apart.

        >>> older, newer = (About("wh40kdc", version, "11e", "") for version in ("1.4.9", "1.4.10"))
        >>> Precedence().is_before("prices", newer, older)
        True
        """
        return self._key(field, first) < self._key(field, second)

    def _key(self, field: str, about: About, borrowed: bool = False) -> tuple[Any, ...]:
        places = self.order(field)
        found = [i for i, place in enumerate(places) if about.source in place]
        place = found[0] if found else len(places)
        within = places[place].index(about.source) if found else 0
        silent = field in SILENT.get(about.source, ())
        newest = (_newest_first(about.date), _newest_first(about.version))
        return borrowed, silent, place, newest[0], within, about.source, newest[1]

    def in_words(self) -> list[str]:
        """One line a field."""
        lines = []
        for field in STATED:
            seen: set[str] = set()
            places = []
            for place in self.order(field):
                names = [name for name in place if name not in seen]
                seen.update(names)
                if names:
                    several = "newest of " if len(names) > 1 else ""
                    places.append(several + ", ".join(names))
            lines.append(f"{field}: {' > '.join(places)}")
        return lines


def number(version: str) -> list[int]:
    """What versions and dates are compared by.

    >>> number("1.4.10") > number("1.4.9")
    True
    """
    return [int(part) for part in re.findall(r"\d+", version)]


def _newest_first(version: str) -> tuple[float, ...]:
    """A key that sorts newer versions first."""
    return (*(-part for part in number(version)), float("inf"))


def _named(field: str) -> list[str]:
    return [name for place in STATED[field] for name in place]

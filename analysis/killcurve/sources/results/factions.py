"""Names of factions in tables of results: other spellings, short forms, and strangers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from killcurve.rules.spelling import suggestions
from killcurve.sources.results.values import MOST_REMEMBERED, normal, tidy
from killcurve.tables.naming import faction_key

OTHER_NAMES: Mapping[str, str] = {
    "admech": "adeptus mechanicus",
    "ad mech": "adeptus mechanicus",
    "cult mechanicus": "adeptus mechanicus",
    "astra militarum (imperial guard)": "astra militarum",
    "imperial guard": "astra militarum",
    "guard": "astra militarum",
    "sisters of battle": "adepta sororitas",
    "sisters": "adepta sororitas",
    "custodes": "adeptus custodes",
    "craftworlds": "aeldari",
    "eldar": "aeldari",
    "dark eldar": "drukhari",
    "csm": "chaos space marines",
    "heretic astartes": "chaos space marines",
    "daemons": "chaos daemons",
    "legiones daemonica": "chaos daemons",
    "renegade knights": "chaos knights",
    "gsc": "genestealer cults",
    "genestealer cult": "genestealer cults",
    "votann": "leagues of votann",
    "lov": "leagues of votann",
    "nids": "tyranids",
    "tau": "t'au empire",
    "t'au": "t'au empire",
    "tau empire": "t'au empire",
    "space marine": "adeptus astartes",
    "space marines (astartes)": "adeptus astartes",
}
"""Short forms and older names of one and the same faction, in normal form."""


@dataclass(slots=True)
class Factions:
    """The names to use: those of ``known`` where they are meant, else as first printed.

    ``renamed`` counts what was read as another name, ``strangers`` what is not known.
    """

    known: Mapping[str, str]
    printed: dict[str, str] = field(default_factory=dict)
    renamed: Counter[tuple[str, str]] = field(default_factory=Counter)
    strangers: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, names: Iterable[str]) -> Factions:
        """With the names of a dataset."""
        return cls({_key(name): name for name in names})

    def name(self, text: str) -> str | None:
        """The name of a faction; null of an empty cell.

        >>> factions = Factions.of(["Orks", "T’au Empire"])
        >>> factions.name("ORKS "), factions.name("Tau"), factions.name("Squats"), factions.name("")
        ('Orks', 'T’au Empire', 'Squats', None)
        >>> factions.renamed[("Tau", "T’au Empire")], factions.strangers["Squats"]
        (1, 1)
        """
        plain = tidy(text)
        if not plain:
            return None
        key = _key(plain)
        name = self.known.get(key)
        if name is None:
            name = self.printed.setdefault(key, plain)
            self.strangers[name] += 1
        elif normal(name) != normal(plain):
            self.renamed[plain, name] += 1
        return name

    def nearest(self, stranger: str) -> str | None:
        """The known name that a strange one may be a slip for."""
        close = suggestions(stranger, self.known.values(), most=1)
        return close[0] if close else None


@lru_cache(MOST_REMEMBERED)
def _key(name: str) -> str:
    key = faction_key(name)
    return OTHER_NAMES.get(key, key)

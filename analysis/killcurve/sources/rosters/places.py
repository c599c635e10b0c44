"""Where the names of a list belong in a dataset: armies, detachments, units, enhancements."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import polars as pl

from killcurve.sources.rosters.names import bare, by_key, find, holding, key, nearest, words
from killcurve.tables.dataset import Dataset
from killcurve.tables.naming import SAME_FACTION

Unit = tuple[str, str]

_SAME = {
    **{key(one): key(other) for one, other in SAME_FACTION.items()},
    **{key(other): key(one) for one, other in SAME_FACTION.items()},
    key("Imperial Guard"): key("Astra Militarum"),
    key("Chevaliers du Chaos"): key("Chaos Knights"),
    key("Chevaliers Impériaux"): key("Imperial Knights"),
    key("Démons du Chaos"): key("Chaos Daemons"),
    key("Daemons"): key("Chaos Daemons"),
    key("Empire T’au"): key("T’au Empire"),
    key("Ligues de Votann"): key("Leagues of Votann"),
    key("Space Marines du Chaos"): key("Chaos Space Marines"),
    key("Chevaliers Gris"): key("Grey Knights"),
}
MOST_MORE_WORDS = 2
"""How many words a datasheet's name may have besides the list's."""

_JOINED = re.compile(r"\s*(?:,|\+|&|/|;|\band\b|\bet\b|\bund\b)\s+")
_IN_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\s*$")


@dataclass(frozen=True, slots=True)
class Enhancement:
    """An enhancement as the dataset has it."""

    faction: str
    detachment: str
    name: str
    cost: int | None


@dataclass(frozen=True, slots=True)
class Placed:
    """A datasheet, and whether its name is another one than the list's."""

    faction: str
    datasheet: str
    otherwise: bool = False
    allied: bool = False


@dataclass(slots=True)
class Places:
    """A dataset's names of one edition, by key."""

    edition: str
    factions: dict[str, str] = field(default_factory=dict)
    parents: dict[str, str | None] = field(default_factory=dict)
    sheets: dict[str, dict[str, str]] = field(default_factory=dict)
    detachments: dict[str, dict[str, str]] = field(default_factory=dict)
    enhancements: dict[str, dict[str, list[Enhancement]]] = field(default_factory=dict)
    characters: set[Unit] = field(default_factory=set)
    leaders: dict[Unit, set[str]] = field(default_factory=dict)
    _all: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, dataset: Dataset, edition: str) -> Places:
        """The names of a dataset's edition; empty where it has none."""

        def rows(table: str, *columns: str) -> list[tuple[str, ...]]:
            held = dataset[table].filter(pl.col("edition").cast(pl.String) == edition)
            return held.select(*columns).unique(maintain_order=True).rows()

        made = cls(edition)
        sheets: dict[str, list[str]] = defaultdict(list)
        for faction, sheet in rows("datasheets", "faction", "datasheet"):
            sheets[faction].append(sheet)
        made.sheets = {faction: by_key(names) for faction, names in sheets.items()}
        detachments: dict[str, list[str]] = defaultdict(list)
        for faction, name in rows("detachments", "faction", "detachment"):
            detachments[faction].append(name)
        made.detachments = {faction: by_key(names) for faction, names in detachments.items()}
        made.parents = dict.fromkeys(sorted({*made.sheets, *made.detachments}))
        held = dataset["factions"].filter(pl.col("edition").cast(pl.String) == edition)
        made.parents.update(held.select("faction", "parent").iter_rows())
        made.factions = by_key(sorted(made.parents))
        for row in rows("enhancements", "faction", "detachment", "name", "cost"):
            one = Enhancement(row[0], row[1], row[2], row[3])  # type: ignore[arg-type]
            of_faction = made.enhancements.setdefault(one.faction, {})
            of_faction.setdefault(key(bare(one.name)), []).append(one)
        made.characters = {
            (faction, sheet)
            for faction, sheet, word in rows("keywords", "faction", "datasheet", "keyword")
            if word == "character"
        }
        for faction, leader, guard in rows("leader_attachments", "faction", "leader", "bodyguard"):
            made.leaders.setdefault((faction, leader), set()).add(guard)
        made._all = {name for names in made.sheets.values() for name in names}
        return made

    def is_unit(self, name: str) -> bool:
        """Whether any faction has a datasheet of this name."""
        return key(bare(name)) in self._all

    def faction(self, name: str) -> str | None:
        """The dataset's name of a faction."""
        wanted = key(name)
        return self.factions.get(wanted) or self.factions.get(_SAME.get(wanted, ""))

    def armies(self, printed: Iterable[str], units: Iterable[str]) -> tuple[str, ...]:
        """The factions that a list is of, the narrowest first; told by its units if it names none.

        A chapter comes before the faction whose datasheets it uses, that before its chapters.
        """
        named = [found for name in printed if (found := self.faction(name))]
        chapters = [faction for faction in named if self.parents.get(faction)]
        first = (chapters or named)[-1:] if chapters else named[:1]
        if not first:
            votes = Counter[str]()
            for unit in units:
                wanted = key(bare(unit))
                votes.update(faction for faction, names in self.sheets.items() if wanted in names)
            most = votes.most_common(2)
            if not most or (len(most) > 1 and most[0][1] == most[1][1]):
                return ()
            first = [most[0][0]]
        own = first[0]
        parent = self.parents.get(own)
        return (own, *([parent] if parent else []))

    def wider(self, armies: tuple[str, ...]) -> list[str]:
        """The factions that may lend datasheets: the army's own, its chapters, then all others."""
        chapters = [f for f, parent in sorted(self.parents.items()) if parent in armies]
        return list(dict.fromkeys([*armies, *chapters, *sorted(self.sheets)]))

    def sheet(self, name: str, armies: tuple[str, ...]) -> Placed | None:
        """The datasheet of a unit: of the army itself, also by a near miss, else of an ally."""
        plain = bare(name)
        own = [faction for faction in self.wider(armies) if self._is_own(faction, armies)]
        forms = list(dict.fromkeys([plain, *self._without_army(plain, armies)]))
        for look in (_exactly, find, _with_few_more):
            for form in forms:
                for faction in own:
                    found = look(form, self.sheets.get(faction, {}))
                    if found:
                        return Placed(faction, found, otherwise=key(found) != key(plain))
        for faction in self.wider(armies):
            found = _exactly(plain, self.sheets.get(faction, {}))
            if found:
                return Placed(faction, found, allied=bool(armies))
        return None

    def _is_own(self, faction: str, armies: tuple[str, ...]) -> bool:
        return not armies or faction in armies or self.parents.get(faction) in armies

    def _without_army(self, name: str, armies: tuple[str, ...]) -> list[str]:
        """A unit's name without the army's before it, and without an alias in brackets."""
        own = [f"{army.casefold()} " for army in (*armies, "Chaos", "Imperial")]
        without = [name[len(army) :] for army in own if name.casefold().startswith(army)]
        return [_IN_BRACKETS.sub("", name), *without]

    def nearest(self, name: str, armies: tuple[str, ...]) -> list[str]:
        """Names of datasheets that a name may be a slip for."""
        own = [sheet for army in armies for sheet in self.sheets.get(army, {}).values()]
        everything = [sheet for sheets in self.sheets.values() for sheet in sheets.values()]
        return nearest(name, own or everything)

    def split_detachments(
        self, printed: Iterable[str], armies: tuple[str, ...]
    ) -> tuple[list[str], list[str]]:
        """Detachments by the dataset's names, and what is none of the names.

        A line may hold several; a name that has "and" or a comma itself is one.
        """
        known = {k: name for army in reversed(armies) for k, name in self._of(army).items()}
        everywhere = {k: name for names in self.detachments.values() for k, name in names.items()}
        found: list[str] = []
        unknown: list[str] = []
        for line in printed:
            for text in (line, _IN_BRACKETS.sub("", line)):
                parts = _known_parts(text, known) or _known_parts(text, everywhere)
                if parts:
                    found += parts
                    break
            else:
                unknown.append(_IN_BRACKETS.sub("", line))
        return list(dict.fromkeys(found)), unknown

    def _of(self, army: str) -> Mapping[str, str]:
        return self.detachments.get(army, {})

    def enhancement(
        self,
        name: str,
        armies: tuple[str, ...],
        detachments: Iterable[str],
        *,
        slips: bool = True,
    ) -> Enhancement | None:
        """An enhancement of the army's detachments, else of another one of its factions."""
        wanted, own = key(bare(name)), set(detachments)
        found: list[Enhancement] = []
        for army in armies:
            known = self.enhancements.get(army, {})
            found += known.get(wanted) or (slips and find(bare(name), known)) or []
        found.sort(key=lambda one: one.detachment not in own)
        return found[0] if found else None

    def enhancement_names(self, armies: tuple[str, ...]) -> set[str]:
        """The names of all enhancements of an army."""
        known = [found for army in armies for found in self.enhancements.get(army, {}).values()]
        return {one.name for found in known for one in found}

    def may_lead(self, leader: Placed, guard: Placed) -> bool:
        """Whether a unit may be attached to another, as far as the dataset knows."""
        of = self.leaders.get((leader.faction, leader.datasheet))
        return guard.datasheet in of if of else bool(words(key(guard.datasheet)))


def _exactly(name: str, known: Mapping[str, str]) -> str | None:
    return known.get(key(name))


def _with_few_more(name: str, known: Mapping[str, str]) -> str | None:
    """The only name with all words of this one, if it has hardly more."""
    found = holding(name, known)
    few = found is not None and len(words(key(found)) - words(key(name))) <= MOST_MORE_WORDS
    return found if few else None


def _known_parts(text: str, known: Mapping[str, str]) -> list[str]:
    """The detachments that a line names, if all of it is names of detachments."""
    whole = known.get(key(text))
    if whole:
        return [whole]
    marks = list(_JOINED.finditer(text))
    for mark in marks:
        first = known.get(key(text[: mark.start()]))
        if first:
            rest = _known_parts(text[mark.end() :], known)
            if rest:
                return [first, *rest]
    return []

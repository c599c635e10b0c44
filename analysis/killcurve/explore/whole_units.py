"""Whole units to choose, as attackers and as targets: who, of how many models."""

from __future__ import annotations

from dataclasses import dataclass, replace

import ipywidgets as W  # noqa: N812 - as its own documentation writes it
import traitlets

from killcurve.explore.choosing import Sizes, kept, with_rows
from killcurve.explore.controls import SearchSelect, Wiring, dropdown, set_options
from killcurve.explore.unit_rules import Rules
from killcurve.study.armed import Combatant, combatant, standard_combatants
from killcurve.study.matchup import Circumstances
from killcurve.tables.dataset import Dataset


@dataclass(frozen=True, slots=True)
class Who:
    """A unit by the names of the data; ``models`` 0 is its smallest size."""

    faction: str
    datasheet: str
    models: int = 0


class WholeUnits:
    """The units of a dataset that have weapons and a stat line; what was made once is kept."""

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = dataset.of_edition()  # the newest: units of two editions have one name
        self._sizes = Sizes(self.dataset)
        self._made: dict[Who, Combatant] = {}
        self._rules: Rules | None = None
        self._standard: list[Combatant] = []
        lines = set(with_rows(self.dataset, "models"))
        self._units: dict[str, list[str]] = {}
        for faction, datasheet in with_rows(self.dataset, "weapons"):
            if (faction, datasheet) in lines:
                self._units.setdefault(faction, []).append(datasheet)

    def factions(self) -> list[str]:
        """Factions that have such units."""
        return sorted(self._units)

    def units(self, faction: str) -> list[str]:
        """Units of a faction by their names."""
        return self._units[faction]

    def sizes(self, who: Who) -> list[int]:
        """How many models the unit may have."""
        return self._sizes.of(who.faction, who.datasheet)

    def detachments(self, faction: str) -> list[str]:
        """Detachments of a faction."""
        if self._rules is None:
            self._rules = Rules(self.dataset)
        return list(self._rules.detachments(faction))

    def settled(self, who: Who) -> Who:
        """The unit, or where it does not exist the first that does."""
        faction = kept(who.faction, self.factions())
        who = replace(who, faction=faction, datasheet=kept(who.datasheet, self.units(faction)))
        return replace(who, models=kept(who.models, self.sizes(who)))

    def combatant(self, who: Who) -> Combatant:
        """A settled unit in both roles; made once."""
        if who not in self._made:
            self._made[who] = combatant(
                self.dataset, who.datasheet, who.faction, models=who.models or None
            )
        return self._made[who]

    def standard(self) -> list[Combatant]:
        """The units behind the standard profiles."""
        if not self._standard:
            self._standard = standard_combatants(self.dataset)
        return self._standard


def title(who: Who) -> str:
    """A unit as charts call it.

    >>> title(Who("Orks", "Boyz", 10)), title(Who("Necrons", "Royal Warden", 1))
    ('10 Boyz', 'Royal Warden')
    """
    return f"{who.models} {who.datasheet}" if who.models > 1 else who.datasheet


def circumstances(flags: tuple[str, ...], edition: str) -> Circumstances:
    """Those that an explorer's boxes tell."""
    return Circumstances(edition=edition or None, flags=frozenset(flags))


class WhoPanel(W.VBox):
    """Chooses a unit: faction, a list to search, a size; ``value`` is who."""

    value = traitlets.Instance(Who)

    def __init__(self, units: WholeUnits, start: Who, what: str = "Unit", of: str = "") -> None:
        self._units = units
        self.faction = dropdown(f"{of} faction".strip().capitalize(), units.factions())
        self.unit = SearchSelect(what)
        self.models = dropdown(f"{of} models".strip().capitalize())
        self._wiring = Wiring(self._changed)
        self._wiring.hear(self.faction, self.unit, self.models)
        super().__init__([self.faction, self.unit, self.models])
        self.move(units.settled(start))

    def move(self, who: Who) -> None:
        """Move the controls to a settled unit, without an echo."""
        with self._wiring.muted():
            set_options(self.faction, self._units.factions(), who.faction)
            self.unit.offer(self._units.units(who.faction), who.datasheet)
            set_options(self.models, self._units.sizes(who), who.models)
        self.value = who

    def _changed(self) -> None:
        same = self.unit.value == self.value.datasheet
        models = self.models.value if same else 0
        self.move(self._units.settled(Who(self.faction.value, self.unit.value, models or 0)))

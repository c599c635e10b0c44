"""The explorer of efficiency: a whole faction or list against the standard targets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ipywidgets as W  # noqa: N812 - as its own documentation writes it

import killcurve
from killcurve.explore.answer_panel import AnswerPanel, Draw
from killcurve.explore.circumstances import FlagBoxes, editions
from killcurve.explore.controls import SearchSelect, box, dropdown, heading
from killcurve.explore.efficiency_state import (
    MEAN,
    NAME,
    OF,
    PHASES,
    POINTS,
    SHORT,
    EfficiencyState,
    Field,
    clicked,
    measured,
    of_work,
    settled,
)
from killcurve.explore.efficiency_view import efficiency_view
from killcurve.explore.explorer import Explorer
from killcurve.explore.list_text import ListBox
from killcurve.explore.patience import Patience
from killcurve.explore.pictures import figure
from killcurve.explore.whole_units import WholeUnits
from killcurve.tables.dataset import Dataset


class EfficiencyExplorer(Explorer[EfficiencyState]):
    """Choose a faction or paste a list: each unit against each standard target, point for point."""

    kind = EfficiencyState

    def __init__(
        self,
        dataset: Dataset | None = None,
        start: EfficiencyState | None = None,
        draw: Draw = figure,
    ) -> None:
        self.units = WholeUnits(dataset or killcurve.load())
        self.field = Field(self.units)
        start = settled(self.field, start or EfficiencyState())
        targets = [one.name for one in self.units.standard()]
        self.of = dropdown("Units of", [(label, key) for key, label in OF.items()])
        self.faction = dropdown("Faction", self.units.factions())
        self.army = ListBox(self.field.lists, start.army)
        self.phase = dropdown("Phase", [(label, key) for key, label in PHASES.items()])
        self.measure = dropdown("Measure", [(label, key) for key, label in SHORT.items()])
        self.sort = dropdown("Sorted by", [MEAN, NAME, POINTS, *targets])
        self.upward = box("the least first")
        self.unit = SearchSelect("Unit")
        self.target = dropdown("Target", targets)
        self.flags = FlagBoxes()
        self.edition = editions(own=True)
        self.patience = Patience()
        footer = self.units.dataset.about.footer
        answer = AnswerPanel(footer, draw, ("heat-map", "cell"), later=("heat-map",))
        super().__init__(start, self._controls(), answer)
        self.clicked.hear("cell", self._click)

    def _controls(self) -> list[W.Widget]:
        return [
            heading("Whose units"),
            *(self.of, self.faction, self.army, self.patience),
            heading("What is measured"),
            *(self.phase, self.measure),
            heading("The cell that is looked at"),
            *(self.unit, self.target),
            heading("The table"),
            *(self.sort, self.upward),
            heading("Circumstances"),
            *(self.flags, self.edition),
        ]

    def _click(self, row: str, column: str) -> None:
        """A cell was clicked, to look at it, or a column's head, to sort by it."""
        self.state = clicked(self._state, row, column)

    def _heard(self) -> list[Any]:
        chosen = (self.of, self.faction, self.army, self.phase, self.measure, self.sort)
        return [*chosen, self.upward, self.unit, self.target, self.flags, self.edition]

    def _read(self) -> EfficiencyState:
        return EfficiencyState(
            of=self.of.value,
            faction=self.faction.value,
            army=self.army.value,
            phase=self.phase.value,
            measure=self.measure.value,
            sort=self.sort.value,
            upward=self.upward.value,
            unit=self.unit.value,
            target=self.target.value,
            flags=self.flags.value,
            edition=self.edition.value,
        )

    def _settled(self, state: EfficiencyState, before: EfficiencyState | None) -> EfficiencyState:
        del before
        return settled(self.field, state)

    def _move(self, state: EfficiencyState) -> None:
        self.of.value, self.faction.value = state.of, state.faction
        self.army.move(state.army)
        self.faction.layout.display = "" if state.of == "faction" else "none"
        self.army.layout.display = "" if state.of == "list" else "none"
        self.phase.value, self.measure.value = state.phase, state.measure
        self.sort.value, self.upward.value = state.sort, state.upward
        self.unit.offer(self.field.names(state), state.unit)
        self.target.value = state.target
        self.flags.move(state.flags)
        self.edition.value = state.edition

    def _steps(self) -> Iterator[float]:
        state = self._state
        found = yield from self.patience.steps(
            of_work(state), lambda p: measured(self.field, state, p), "measuring all units"
        )
        name = state.faction if state.of == "faction" else "army list"
        shown = efficiency_view(self.field, state, found)
        yield from self.answer.show(shown, f"{name} efficiency", self.code, self.to_json())

"""The explorer of breakpoints: grids of one weapon, one more of each thing, and rule states."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ipywidgets as W  # noqa: N812 - as its own documentation writes it

import killcurve
from killcurve.explore.answer_panel import AnswerPanel, Draw
from killcurve.explore.breakpoints_state import (
    CELLS,
    GRIDS,
    SHORT,
    BreakpointState,
    Weapons,
    breakpoints_view,
    broken,
    of_work,
)
from killcurve.explore.circumstances import FlagBoxes, editions
from killcurve.explore.controls import dropdown, heading, set_options
from killcurve.explore.explorer import Explorer
from killcurve.explore.patience import Patience
from killcurve.explore.pictures import figure
from killcurve.explore.target_panel import TargetPanel
from killcurve.explore.unit_state import PHASES, Choices
from killcurve.explore.whole_units import WhoPanel
from killcurve.tables.dataset import Dataset


class BreakpointExplorer(Explorer[BreakpointState]):
    """Choose a weapon and a target: where one more matters, and what the edition changes."""

    kind = BreakpointState

    def __init__(
        self,
        dataset: Dataset | None = None,
        start: BreakpointState | None = None,
        draw: Draw = figure,
    ) -> None:
        self.weapons = Weapons(Choices(dataset or killcurve.load()))
        start = self.weapons.settled(start or BreakpointState())
        self.unit = WhoPanel(self.weapons.units, start.unit)
        self.phase = dropdown("Phase", list(PHASES))
        self.weapon = dropdown("Weapon")
        self.target = TargetPanel(self.weapons.choices.targets, start.target)
        self.grid = dropdown("Grid", [(grid.label, key) for key, grid in GRIDS.items()])
        self.cell = dropdown("Cells tell")
        self.measure = dropdown("One more, by", [(label, key) for key, label in SHORT.items()])
        self.flags = FlagBoxes()
        self.edition = editions(own=True)
        self.patience = Patience()
        footer = self.weapons.choices.dataset.about.footer
        answer = AnswerPanel(footer, draw, ("grid", "one-more", "editions"))
        super().__init__(start, self._controls(), answer)

    def _controls(self) -> list[W.Widget]:
        return [
            heading("Weapon"),
            *(self.unit, self.phase, self.weapon),
            heading("Target"),
            self.target,
            heading("What is shown"),
            *(self.grid, self.cell, self.measure, self.patience),
            heading("Circumstances"),
            *(self.flags, self.edition),
        ]

    def _heard(self) -> list[Any]:
        chosen = (self.unit, self.phase, self.weapon, self.target, self.grid, self.cell)
        return [*chosen, self.measure, self.flags, self.edition]

    def _read(self) -> BreakpointState:
        return BreakpointState(
            unit=self.unit.value,
            phase=self.phase.value,
            weapon=self.weapon.value or "",
            target=self.target.value,
            grid=self.grid.value,
            cell=self.cell.value or "",
            measure=self.measure.value,
            flags=self.flags.value,
            edition=self.edition.value,
        )

    def _settled(self, state: BreakpointState, before: BreakpointState | None) -> BreakpointState:
        del before
        return self.weapons.settled(state)

    def _move(self, state: BreakpointState) -> None:
        self.unit.move(state.unit)
        self.phase.value = state.phase
        set_options(self.weapon, list(self.weapons.lines(state)), state.weapon)
        self.target.move(state.target)
        self.grid.value = state.grid
        set_options(self.cell, [(CELLS[c], c) for c in GRIDS[state.grid].cells], state.cell)
        self.measure.value = state.measure
        self.flags.move(state.flags)
        self.edition.value = state.edition

    def _steps(self) -> Iterator[float]:
        state = self._state
        found = yield from self.patience.steps(
            of_work(state), lambda p: broken(self.weapons, state, p), "varying the weapon"
        )
        shown = breakpoints_view(self.weapons, state, found)
        name = f"{state.unit.datasheet} {state.weapon} {state.grid}"
        yield from self.answer.show(shown, name, self.code, self.to_json())

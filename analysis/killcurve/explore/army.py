"""The explorer of an army list: output, weak spots, redundancy, and an exchange."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ipywidgets as W  # noqa: N812 - as its own documentation writes it

import killcurve
from killcurve.explore.answer_panel import AnswerPanel, Draw
from killcurve.explore.army_state import (
    EXCHANGES,
    FARTHEST,
    MOST_COPIES,
    MOST_TURNS,
    PHASES,
    SHORT,
    SHOWS,
    ArmyState,
    Muster,
    army_view,
    of_work,
    worked,
)
from killcurve.explore.circumstances import FlagBoxes, editions
from killcurve.explore.controls import SearchSelect, box, dropdown, heading, number
from killcurve.explore.explorer import Explorer
from killcurve.explore.list_text import ListBox
from killcurve.explore.patience import Patience
from killcurve.explore.pictures import figure
from killcurve.explore.whole_units import WholeUnits, WhoPanel
from killcurve.tables.dataset import Dataset


class ArmyExplorer(Explorer[ArmyState]):
    """Paste or open a list: what it does, to whom it does least, how often it can."""

    kind = ArmyState

    def __init__(
        self, dataset: Dataset | None = None, start: ArmyState | None = None, draw: Draw = figure
    ) -> None:
        self.muster = Muster(WholeUnits(dataset or killcurve.load()))
        start = self.muster.settled(start or ArmyState())
        self.army = ListBox(self.muster.lists, start.army)
        self.shows = dropdown("Shown", _pairs(SHOWS))
        self.phase = dropdown("Phase", _pairs(PHASES))
        self.distance = number("Inches (0: all)", 0, 0, FARTHEST)
        self.measure = dropdown("Measure", _pairs(SHORT))
        self.target = dropdown("Target", list(self.muster.targets))
        self.copies = number("Copies up to", 3, 1, MOST_COPIES)
        self.unit = SearchSelect("Unit")
        self.enemy = WhoPanel(self.muster.units, start.enemy, "Enemy", "Its")
        self.strikes = dropdown("They are", _pairs(EXCHANGES))
        self.turns = number("Turns", 2, 1, MOST_TURNS)
        self.enemy_first = box("the enemy begins")
        self.flags = FlagBoxes()
        self.edition = editions(own=True)
        self.patience = Patience()
        self._parts = {
            "output": W.VBox([self.measure]),
            "redundancy": W.VBox([self.target, self.copies]),
            "exchange": W.VBox([self.unit, self.enemy, self.strikes, self.turns, self.enemy_first]),
        }
        answer = AnswerPanel(self.muster.units.dataset.about.footer, draw, ("list",))
        super().__init__(start, self._controls(), answer)

    def _controls(self) -> list[W.Widget]:
        return [
            heading("The list"),
            *(self.army, self.patience),
            heading("What is shown"),
            *(self.shows, self.phase, self.distance, *self._parts.values()),
            heading("Circumstances"),
            *(self.flags, self.edition),
        ]

    def _heard(self) -> list[Any]:
        first = (self.army, self.shows, self.phase, self.distance, self.measure, self.target)
        then = (self.copies, self.unit, self.enemy, self.strikes, self.turns, self.enemy_first)
        return [*first, *then, self.flags, self.edition]

    def _read(self) -> ArmyState:
        return ArmyState(
            army=self.army.value,
            shows=self.shows.value,
            phase=self.phase.value,
            distance=self.distance.value,
            measure=self.measure.value,
            target=self.target.value,
            copies=self.copies.value,
            unit=self.unit.value,
            enemy=self.enemy.value,
            strikes=self.strikes.value,
            turns=self.turns.value,
            enemy_first=self.enemy_first.value,
            flags=self.flags.value,
            edition=self.edition.value,
        )

    def _settled(self, state: ArmyState, before: ArmyState | None) -> ArmyState:
        del before
        return self.muster.settled(state)

    def _move(self, state: ArmyState) -> None:
        self.army.move(state.army)
        self.shows.value, self.phase.value = state.shows, state.phase
        self.phase.layout.display = "none" if state.shows == "exchange" else ""
        self.distance.value = state.distance
        self.measure.value, self.target.value = state.measure, state.target
        self.copies.value = state.copies
        self.unit.offer(self.muster.names(state), state.unit)
        self.enemy.move(state.enemy)
        self.strikes.value, self.turns.value = state.strikes, state.turns
        self.enemy_first.value = state.enemy_first
        self.flags.move(state.flags)
        self.edition.value = state.edition
        for shows, part in self._parts.items():
            part.layout.display = "" if shows == state.shows else "none"

    def _steps(self) -> Iterator[float]:
        state = self._state
        found = yield from self.patience.steps(
            of_work(state), lambda p: worked(self.muster, state, p), "playing the list"
        )
        shown = army_view(self.muster, state, found)
        yield from self.answer.show(shown, f"army list {state.shows}", self.code, self.to_json())


def _pairs(told: dict[str, str]) -> list[tuple[str, str]]:
    return [(label, key) for key, label in told.items()]

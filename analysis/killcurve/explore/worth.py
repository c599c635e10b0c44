"""The explorer of what rules are worth: alone, per command point and point, and together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ipywidgets as W  # noqa: N812 - as its own documentation writes it

import killcurve
from killcurve.explore.answer_panel import AnswerPanel, Draw
from killcurve.explore.circumstances import FlagBoxes, editions
from killcurve.explore.controls import box, dropdown, heading, number, set_options
from killcurve.explore.explorer import Explorer
from killcurve.explore.patience import Patience
from killcurve.explore.pictures import figure
from killcurve.explore.whole_units import WholeUnits, WhoPanel
from killcurve.explore.worth_state import (
    GOALS,
    MOST_CP,
    PHASES,
    SHORT,
    SIDES,
    WorthState,
    of_together,
    of_worth,
    owner,
    settled,
    together,
    worth,
    worth_view,
)
from killcurve.tables.dataset import Dataset

ANY = "any legal set"


class WorthExplorer(Explorer[WorthState]):
    """Choose who attacks whom: what stratagems, detachments, enhancements and abilities add."""

    kind = WorthState

    def __init__(
        self, dataset: Dataset | None = None, start: WorthState | None = None, draw: Draw = figure
    ) -> None:
        self.units = WholeUnits(dataset or killcurve.load())
        start = settled(self.units, start or WorthState())
        self.unit = WhoPanel(self.units, start.unit, "Unit")
        self.target = WhoPanel(self.units, start.target, "Target", "Its")
        self.phase = dropdown("Phase", _pairs(PHASES))
        self.side = dropdown("Rules of", _pairs(SIDES))
        self.goal = dropdown("Judged by", _pairs(GOALS))
        self.measure = dropdown("Shown", _pairs(SHORT))
        self.together = box("best combinations, too", True)
        self.cp = number("CP at most", 2, 0, MOST_CP)
        self.detachment = dropdown("Detachment")
        self.flags = FlagBoxes()
        self.edition = editions(own=True)
        self.patience = Patience()
        answer = AnswerPanel(
            self.units.dataset.about.footer, draw, ("attacker", "defender", "together")
        )
        super().__init__(start, self._controls(), answer)

    def _controls(self) -> list[W.Widget]:
        return [
            heading("Who attacks"),
            *(self.unit, self.phase),
            heading("Who is attacked"),
            self.target,
            heading("Whose rules, and how they are weighed"),
            *(self.side, self.goal, self.measure),
            heading("Together"),
            *(self.together, self.cp, self.detachment, self.patience),
            heading("Circumstances"),
            *(self.flags, self.edition),
        ]

    def _heard(self) -> list[Any]:
        chosen = (self.unit, self.target, self.phase, self.side, self.goal, self.measure)
        return [*chosen, self.together, self.cp, self.detachment, self.flags, self.edition]

    def _read(self) -> WorthState:
        return WorthState(
            unit=self.unit.value,
            target=self.target.value,
            phase=self.phase.value,
            side=self.side.value,
            goal=self.goal.value,
            measure=self.measure.value,
            together=self.together.value,
            cp=self.cp.value,
            detachment=self.detachment.value or "",
            flags=self.flags.value,
            edition=self.edition.value,
        )

    def _settled(self, state: WorthState, before: WorthState | None) -> WorthState:
        del before
        return settled(self.units, state)

    def _move(self, state: WorthState) -> None:
        self.unit.move(state.unit)
        self.target.move(state.target)
        self.phase.value, self.side.value = state.phase, state.side
        self.goal.value, self.measure.value = state.goal, state.measure
        self.together.value, self.cp.value = state.together, state.cp
        known = self.units.detachments(owner(state).faction)
        set_options(self.detachment, [(ANY, ""), *((d, d) for d in known)], state.detachment)
        self.flags.move(state.flags)
        self.edition.value = state.edition
        self.cp.disabled = self.detachment.disabled = not state.together

    def _steps(self) -> Iterator[float]:
        state = self._state
        found = yield from self.patience.steps(
            ("alone", of_worth(state)), lambda p: worth(self.units, state, p), "weighing each rule"
        )
        name = f"{state.unit.datasheet} {state.target.datasheet} rules"
        told = name, self.code, self.to_json()
        key = "together", of_together(state)
        if state.together and key not in self.patience.kept:
            # What is ready is shown while the combinations are sought.
            yield from self.answer.pictured(worth_view(state, found), self.code)
        combined, wrong = None, ""
        if state.together:
            try:
                combined = yield from self.patience.steps(
                    key, lambda p: together(self.units, state, p), "seeking combinations"
                )
            except ValueError as error:  # what each rule is worth stays
                wrong = f"No combinations: {error}"
        yield from self.answer.show(worth_view(state, found, combined, wrong), *told)


def _pairs(told: dict[str, str]) -> list[tuple[str, str]]:
    return [(label, key) for key, label in told.items()]

"""The explorer of one unit: choices on the left, the exact answer beside them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import ipywidgets as W  # noqa: N812 - as its own documentation writes it

import killcurve
from killcurve.explore.answer_panel import AnswerPanel, Draw
from killcurve.explore.circumstances import FlagBoxes, editions
from killcurve.explore.controls import heading
from killcurve.explore.explorer import Explorer
from killcurve.explore.phrases import TARGETS, PhraseBox
from killcurve.explore.pictures import figure
from killcurve.explore.rules_panel import RulesPanel
from killcurve.explore.target_panel import TargetPanel
from killcurve.explore.unit_panel import UnitPanel
from killcurve.explore.unit_state import Choices, UnitState
from killcurve.explore.unit_view import unit_view
from killcurve.tables.dataset import Dataset

START = UnitState("Necrons", "Royal Warden")


class UnitExplorer(Explorer[UnitState]):
    """Choose a unit, its weapons and rules, a target and circumstances; the rest follows.

    ``state`` is what is chosen now; assigning to it moves the controls.
    """

    kind = UnitState

    def __init__(
        self, dataset: Dataset | None = None, start: UnitState = START, draw: Draw = figure
    ) -> None:
        self.choices = Choices(dataset or killcurve.load())
        self.panel = UnitPanel(self.choices, start)
        self.target = TargetPanel(self.choices.targets, start.target)
        self.flags = FlagBoxes()
        self.answers = RulesPanel("Its army")
        self.target_effects = PhraseBox("Its effects", TARGETS)
        self.edition = editions(own=True)
        answer = AnswerPanel(self.choices.dataset.about.footer, draw)
        super().__init__(start, self._controls(), answer)

    def _controls(self) -> list[W.Widget]:
        """The unit's controls, those of the target after its weapons."""
        own = list(self.panel.children)
        place = own.index(self.panel.weapons) + 1
        answers = [heading("Rules that the target uses"), self.answers, self.target_effects]
        target = [heading("Target"), self.target, *answers]
        circumstances = [heading("Circumstances"), self.flags, self.edition]
        return [*own[:place], *target, *circumstances, *own[place:]]

    def _heard(self) -> list[Any]:
        answers = (self.answers.detachment, self.answers.rules, self.answers.conditions)
        own = (self.panel, self.target, self.target_effects, self.flags, self.edition)
        return [*own, *answers]

    def _read(self) -> UnitState:
        return replace(
            self.panel.value,
            ticked=tuple(sorted({*self.panel.conditions.value, *self.answers.conditions.value})),
            target=self.target.value,
            target_detachment=self.answers.detachment.value or "",
            target_rules=self.answers.rules.value,
            target_effects=self.target_effects.value,
            flags=self.flags.value,
            edition=self.edition.value,
        )

    def _settled(self, state: UnitState, before: UnitState | None) -> UnitState:
        return self.choices.settled(state, before)

    def _move(self, state: UnitState) -> None:
        self.panel.move(state)
        self.target.move(state.target)
        self.answers.offer(self.choices.detachments_of_target(state), state.target_detachment)
        offered = self.choices.rules_of_target(state)
        left = self.choices.not_computed_of_target(state)
        self.answers.tick(offered, state.target_rules, state.ticked, left)
        self.target_effects.value = state.target_effects
        self.flags.move(state.flags)
        self.edition.value = state.edition

    def _steps(self) -> Iterator[float]:
        state = self._state
        shown = unit_view(self.choices, state, self.answer.scale)
        name = f"{state.datasheet} {state.phase}"
        yield from self.answer.show(shown, name, self.code, self.to_json())

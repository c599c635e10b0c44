"""The explorer that compares up to six attackers, or versions of one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import ipywidgets as W  # noqa: N812 - as its own documentation writes it

import killcurve
from killcurve.explore.answer_panel import AnswerPanel, Draw
from killcurve.explore.background import Background, Progress, Work
from killcurve.explore.circumstances import FlagBoxes, editions
from killcurve.explore.compare_state import (
    AGAINST,
    MEASURES,
    MOST,
    CompareState,
    answers,
    compare_view,
    labels,
    settled,
)
from killcurve.explore.controls import LABEL, WIDTH, Wiring, box, dropdown, heading, set_options
from killcurve.explore.explorer import Explorer
from killcurve.explore.loadouts import best_loadouts
from killcurve.explore.pictures import figure
from killcurve.explore.target_panel import TargetPanel
from killcurve.explore.unit_panel import UnitPanel
from killcurve.explore.unit_state import Choices, UnitState
from killcurve.tables.dataset import Dataset

START = CompareState((UnitState("Necrons", "Immortals"), UnitState("Orks", "Boyz")))


class CompareExplorer(Explorer[CompareState]):
    """Choose attackers, or versions of one, and what they attack; they are shown side by side."""

    kind = CompareState

    def __init__(
        self, dataset: Dataset | None = None, start: CompareState = START, draw: Draw = figure
    ) -> None:
        self.choices = Choices(dataset or killcurve.load())
        start = settled(self.choices, start)
        layout = W.Layout(width=WIDTH, max_width="100%")
        self.entries = W.Select(description="Compared", rows=MOST, style=LABEL, layout=layout)
        self.another, self.copy, self.remove = (
            W.Button(description=label, layout=W.Layout(width="7em"))
            for label in ("Add", "Copy", "Remove")
        )
        self.another.on_click(lambda _: self._add(UnitState(self.panel.value.faction, "")))
        self.copy.on_click(lambda _: self._add(self._state.entries[self._state.chosen]))
        self.remove.on_click(lambda _: self._remove())
        self.panel = UnitPanel(self.choices, start.entries[start.chosen])
        self.against = dropdown("Against", [(label, key) for key, label in AGAINST.items()])
        self.target = TargetPanel(self.choices.targets, start.target)
        self.measure = dropdown("Measure", [(label, key) for key, label in MEASURES.items()])
        self.per_point = box("for each 100 points")
        self.flags = FlagBoxes()
        self.edition = editions(own=True)
        self.search = Background("Find its best loadouts", self._search, self._found)
        self._picking = Wiring(self._pick)
        self._picking.hear(self.entries)
        answer = AnswerPanel(self.choices.dataset.about.footer, draw, ("survival", "comparison"))
        super().__init__(start, self._controls(), answer)

    def _controls(self) -> list[W.Widget]:
        return [
            heading("Attackers: choose one to change it"),
            self.entries,
            W.HBox([self.another, self.copy, self.remove], layout=W.Layout(flex_flow="row wrap")),
            heading("What is compared"),
            *(self.against, self.target, self.measure, self.per_point),
            *self.panel.children,
            self.search,
            heading("Circumstances of all"),
            *(self.flags, self.edition),
        ]

    def _heard(self) -> list[Any]:
        boxes = (self.panel, self.against, self.target, self.measure, self.per_point)
        return [*boxes, self.flags, self.edition]

    def _read(self) -> CompareState:
        entries = list(self._state.entries)
        entries[self._state.chosen] = self.panel.value
        return replace(
            self._state,
            entries=tuple(entries),
            against=self.against.value,
            target=self.target.value,
            measure=self.measure.value,
            per_point=self.per_point.value,
            flags=self.flags.value,
            edition=self.edition.value,
        )

    def _settled(self, state: CompareState, before: CompareState | None) -> CompareState:
        del before
        return settled(self.choices, state)

    def _move(self, state: CompareState) -> None:
        with self._picking.muted():
            numbered = [(f"{i}. {n}", i - 1) for i, n in enumerate(labels(state.entries), start=1)]
            set_options(self.entries, numbered, state.chosen)
        self.panel.move(state.entries[state.chosen])
        self.against.value, self.measure.value = state.against, state.measure
        self.per_point.value = state.per_point
        self.target.move(state.target)
        self.target.layout.display = "" if state.against == "target" else "none"
        self.flags.move(state.flags)
        self.edition.value = state.edition
        self.another.disabled = self.copy.disabled = len(state.entries) >= MOST
        self.remove.disabled = len(state.entries) == 1

    def _pick(self) -> None:
        if self.entries.value is not None:
            self.state = replace(self._state, chosen=self.entries.value)

    def _add(self, entry: UnitState) -> None:
        entries = (*self._state.entries, entry)[:MOST]
        self.state = replace(self._state, entries=entries, chosen=len(entries) - 1)

    def _remove(self) -> None:
        chosen = self._state.chosen
        entries = self._state.entries[:chosen] + self._state.entries[chosen + 1 :]
        if entries:
            self.state = replace(self._state, entries=entries, chosen=max(0, chosen - 1))

    def _search(self) -> Work:
        state = self._state  # as it is now: later moves of the controls do not change the search

        def work(progress: Progress) -> CompareState:
            return best_loadouts(self.choices, state, progress)

        return work

    def _found(self, state: CompareState) -> None:
        self.state = state

    def _steps(self) -> Iterator[float]:
        state = self._state
        found = []
        for number, answer in enumerate(answers(self.choices, state)):
            found.append(answer)
            if number % 6 == 5:
                yield 0.0  # what is newer may come in between
        shown = compare_view(state, found, self.answer.scale)
        yield from self.answer.show(shown, "comparison", self.code, self.to_json())

"""The explorer of one's own weapons, targets and effects, and the box that checks overrides."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ipywidgets as W  # noqa: N812 - as its own documentation writes it

import killcurve
from killcurve.explore.answer_panel import AnswerPanel, Draw
from killcurve.explore.circumstances import FlagBoxes, editions
from killcurve.explore.controls import dropdown, heading, text
from killcurve.explore.debouncing import Debounced
from killcurve.explore.downloads import Download, links
from killcurve.explore.explorer import Explorer
from killcurve.explore.own_state import OwnState, own_view, settled
from killcurve.explore.phrases import TARGETS, PhraseBox
from killcurve.explore.pictures import STARTS, STYLE, figure, note, problem
from killcurve.explore.target_panel import TargetPanel
from killcurve.explore.targets import Targets
from killcurve.explore.unit_state import PHASES
from killcurve.explore.weapon_rows import WeaponRows
from killcurve.tables.dataset import Dataset
from killcurve.tables.overrides import FILE, overridden, read

START = OwnState()

EXAMPLE = """[[stratagem]]
name = "FIRE OVERWATCH"
effects = ["snap shooting 5+"]
"""


class OwnExplorer(Explorer[OwnState]):
    """Weapons, a target and effects that no data has: type them, and the answer follows."""

    kind = OwnState

    def __init__(
        self, dataset: Dataset | None = None, start: OwnState = START, draw: Draw = figure
    ) -> None:
        self.dataset = (dataset or killcurve.load()).of_edition()
        self.targets = Targets(self.dataset)
        self.weapons = WeaponRows()
        self.phase = dropdown("Phase", list(PHASES))
        self.keywords = text("Keywords", "such as infantry, psyker")
        self.effects = PhraseBox("Own effects")
        self.target = TargetPanel(self.targets, start.target)
        self.target_effects = PhraseBox("Its effects", TARGETS)
        self.flags = FlagBoxes()
        self.edition = editions(own=False)
        answer = AnswerPanel(self.dataset.about.footer, draw)
        super().__init__(start, self._controls(), answer)

    def _controls(self) -> list[W.Widget]:
        return [
            heading("Weapons, in the order in which they attack"),
            self.weapons,
            *(self.phase, self.keywords),
            self.effects,
            heading("Target"),
            *(self.target, self.target_effects),
            heading("Circumstances"),
            *(self.flags, self.edition),
        ]

    def _heard(self) -> list[Any]:
        boxes = (self.weapons, self.phase, self.keywords, self.effects, self.target)
        return [*boxes, self.target_effects, self.flags, self.edition]

    def _read(self) -> OwnState:
        return OwnState(
            weapons=self.weapons.value,
            phase=self.phase.value,
            keywords=self.keywords.value,
            effects=self.effects.value,
            target=self.target.value,
            target_effects=self.target_effects.value,
            flags=self.flags.value,
            edition=self.edition.value,
        )

    def _settled(self, state: OwnState, before: OwnState | None) -> OwnState:
        del before
        return settled(self.targets, state)

    def _move(self, state: OwnState) -> None:
        self.weapons.move(state.weapons)
        self.phase.value, self.keywords.value = state.phase, state.keywords
        self.effects.value, self.target_effects.value = state.effects, state.target_effects
        self.target.move(state.target)
        self.flags.move(state.flags)
        self.edition.value = state.edition

    def _steps(self) -> Iterator[float]:
        shown = own_view(self.targets, self._state, self.answer.scale)
        yield from self.answer.show(shown, "own weapons", self.code, self.to_json())


class OverridesBox(W.VBox):
    """A box for ``overrides.toml``: it is checked against the data while it is typed.

    ``dataset`` is the data with what is written, or as it was where that is wrong.

    >>> checked = OverridesBox(killcurve.load(), EXAMPLE.replace("OVERWATCH", "OVERWACH"))
    >>> "did you mean" in checked.told.value and "FIRE OVERWATCH" in checked.told.value
    True
    """

    def __init__(self, dataset: Dataset, start: str = EXAMPLE) -> None:
        self._plain = self.dataset = dataset
        self.entry = W.Textarea(
            value=start,
            description="overrides.toml",
            rows=10,
            style={"description_width": "8em"},
            layout=W.Layout(width="46em", max_width="100%"),
        )
        self.told = W.HTML(layout=W.Layout(min_height="3em"))
        self.files = W.HTML()
        self.ask = Debounced(self._steps, wait=0.3)
        self.entry.observe(lambda _: self.ask(), names="value")
        super().__init__([W.HTML(STYLE + STARTS), self.entry, self.told, self.files])
        self.add_class("killcurve")
        self.ask.at_once()

    def _steps(self) -> Iterator[float]:
        try:
            changed = check_overrides(self._plain, self.entry.value)
        except ValueError as error:
            self.dataset = self._plain
            self.told.value, self.files.value = problem(str(error)), ""
        else:
            self.dataset = changed
            words = f"✓ fits the data: keep it beside a dataset's tables, or as data/{FILE}"
            self.told.value = note(f"{words} in a checkout")
            content = self.entry.value.encode()
            self.files.value = links([Download(FILE, FILE, content)])
        yield 0.0


def check_overrides(dataset: Dataset, text: str) -> Dataset:
    """The dataset with the overrides of a text.

    Raises:
        DataError: naming the entry and the word that is wrong.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / FILE
        path.write_text(text, encoding="utf-8")
        try:
            return overridden(dataset, read(path))
        except ValueError as error:
            raise type(error)(str(error).replace(str(path), FILE)) from None

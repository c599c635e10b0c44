"""The explorer of one unit: choices on the left, the exact answer beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import ipywidgets as W  # noqa: N812 - as its own documentation writes it

import killcurve
from killcurve.explore.pictures import figure, key_numbers, problem
from killcurve.explore.unit_state import FLAGS, Choices, UnitState, line_of, view
from killcurve.tables.dataset import Dataset

if TYPE_CHECKING:
    from traitlets import Bunch

START = UnitState("Necrons", "Royal Warden", "", "none", "Intercessors (MEQ)")
_LABEL = {"description_width": "6.5em"}
_WIDE = {"width": "24em"}


class UnitExplorer(W.HBox):
    """Choose faction, unit, weapon, stratagem, target and circumstances; the rest follows.

    ``state`` is what is chosen now; assigning to it moves the controls.
    """

    def __init__(self, dataset: Dataset | None = None, start: UnitState = START) -> None:
        self._choices = Choices(dataset or killcurve.load())
        self._state = self._choices.settled(start)
        self._quiet = False
        self.faction = self._dropdown("Faction")
        self.unit = self._dropdown("Unit")
        self.weapon = self._dropdown("Weapon")
        self.stratagem = self._dropdown("Stratagem")
        self.target = self._dropdown("Target")
        self.flags = {
            name: W.Checkbox(description=label, indent=False) for name, label in FLAGS.items()
        }
        self.picture = W.HTML()
        self.numbers = W.HTML()
        for control in (*self._dropdowns(), *self.flags.values()):
            control.observe(self._changed, names="value")
        self._show()
        controls = W.VBox([*self._dropdowns(), *self.flags.values()])
        answer = W.VBox([self.numbers, self.picture], layout=W.Layout(flex="1 1 30em"))
        super().__init__([controls, answer], layout=W.Layout(flex_flow="row wrap"))

    @staticmethod
    def _dropdown(label: str) -> W.Dropdown:
        return W.Dropdown(description=label, style=_LABEL, layout=W.Layout(**_WIDE))

    def _dropdowns(self) -> tuple[W.Dropdown, ...]:
        return (self.faction, self.unit, self.weapon, self.stratagem, self.target)

    @property
    def state(self) -> UnitState:
        """What is chosen."""
        return self._state

    @state.setter
    def state(self, state: UnitState) -> None:
        self._state = self._choices.settled(state)
        self._show()

    def _changed(self, _: Bunch) -> None:
        if self._quiet:
            return
        self.state = UnitState(
            faction=self.faction.value,
            datasheet=self.unit.value,
            weapon=self.weapon.value,
            stratagem=self.stratagem.value,
            target=self.target.value,
            flags=tuple(name for name, box in self.flags.items() if box.value),
        )

    def _show(self) -> None:
        """Move the controls to the state, without an echo, and show what follows from it."""
        state, choices = self._state, self._choices
        unit = choices.unit(state)
        self._quiet = True
        try:
            _set(self.faction, choices.factions(), state.faction)
            _set(self.unit, choices.units(state.faction), state.datasheet)
            _set(self.weapon, choices.weapons(unit), state.weapon)
            offered = choices.stratagems(unit, line_of(unit, state.weapon))
            _set(self.stratagem, list(offered), state.stratagem)
            _set(self.target, [t.name for t in choices.targets], state.target)
            for name, box in self.flags.items():
                box.value = name in state.flags
        finally:
            self._quiet = False
        try:
            shown = view(choices, state)
        except ValueError as error:
            self.numbers.value = problem(str(error))
            self.picture.value = ""
            return
        self.numbers.value = key_numbers(shown.numbers, shown.remarks)
        self.picture.value = figure(shown.chart, choices.dataset.about.footer)


def _set(control: W.Dropdown, options: list[str], value: str) -> None:
    if list(control.options) != options:
        control.options = options
    control.value = value

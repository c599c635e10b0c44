"""The controls of a target: standard profile, any datasheet, or own numbers."""

from __future__ import annotations

from dataclasses import replace

import ipywidgets as W  # noqa: N812 - as its own documentation writes it
import traitlets

from killcurve.explore.controls import SearchSelect, Wiring, dropdown, number, set_options, text
from killcurve.explore.pictures import note
from killcurve.explore.targets import KINDS, Targets, TargetState, stats

SAVES = [(f"{value}+", value) for value in range(2, 8)]
SPECIAL = [("none", 0), *((f"{value}+", value) for value in range(2, 7))]


class TargetPanel(W.VBox):
    """Chooses a target; ``value`` is the state, and only what counts for its kind is shown."""

    value = traitlets.Instance(TargetState)

    def __init__(self, targets: Targets, start: TargetState) -> None:
        self._targets = targets
        self.kind = dropdown("Target is", [(label, kind) for kind, label in KINDS.items()])
        self.profile = dropdown("Profile", list(targets.profiles))
        self.unit = SearchSelect("Target")
        self.models = dropdown("Models")
        self.count = number("Models", 5, 1, 100)
        self.toughness = number("Toughness", 4, 1, 30)
        self.save = dropdown("Save", SAVES)
        self.invulnerable = dropdown("Invulnerable", SPECIAL)
        self.wounds = number("Wounds each", 2, 1, 100)
        self.feel_no_pain = dropdown("Feel No Pain", SPECIAL)
        self.keywords = text("Keywords", "such as infantry, character")
        self.keywords.continuous_update = True
        self._wiring = Wiring(self._changed)
        self._wiring.hear(self.kind, self.profile, self.unit, self.models, *self._own().values())
        self._parts = {
            "profile": W.VBox([self.profile]),
            "unit": W.VBox([self.unit, self.models]),
            "own": W.VBox(list(self._own().values())),
        }
        self.told = W.HTML(layout=W.Layout(margin="0 0 0 7.6em"))
        super().__init__([self.kind, *self._parts.values(), self.told])
        self.move(start)

    def _own(self) -> dict[str, W.Widget]:
        names = ("count", "toughness", "save", "invulnerable", "wounds", "feel_no_pain", "keywords")
        return {name: getattr(self, name) for name in names}

    def move(self, state: TargetState) -> None:
        """Move the controls to a state, without an echo."""
        state = self._targets.settled(state)
        with self._wiring.muted():
            if self.kind.value != state.kind:
                self.kind.value = state.kind
            if self.profile.value != state.profile:
                self.profile.value = state.profile
            if state.kind == "unit":
                self.unit.offer(self._targets.units, state.unit)
                set_options(self.models, self._targets.sizes(state.unit), state.models)
            for name, control in self._own().items():
                if control.value != getattr(state, name):
                    control.value = getattr(state, name)
        for kind, part in self._parts.items():
            part.layout.display = "" if kind == state.kind else "none"
        told = "" if state.kind == "own" else note(stats(self._targets.defender(state).target))
        if self.told.value != told:
            self.told.value = told
        self.value = state

    def _changed(self) -> None:
        own = {name: control.value for name, control in self._own().items()}
        state = replace(self.value, kind=self.kind.value, profile=self.profile.value, **own)
        if state.kind == "unit" and self.value.kind == "unit":
            same = self.unit.value == state.unit
            models = self.models.value if same else 0
            state = replace(state, unit=self.unit.value or state.unit, models=models or 0)
        self.move(state)

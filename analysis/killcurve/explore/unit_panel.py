"""The controls of one unit: who it is, its weapons, the rules it uses, effects of one's own."""

from __future__ import annotations

from dataclasses import replace

import ipywidgets as W  # noqa: N812 - as its own documentation writes it
import traitlets

from killcurve.explore.controls import (
    CountList,
    SearchSelect,
    Tick,
    Wiring,
    dropdown,
    heading,
    set_options,
)
from killcurve.explore.phrases import PhraseBox
from killcurve.explore.rules_panel import RulesPanel
from killcurve.explore.unit_state import PHASES, Choices, UnitState
from killcurve.study.lines import Line


class UnitPanel(W.VBox):
    """Chooses a unit and what it uses; ``value`` is the state, of which the target and the
    circumstances are left as they are."""

    value = traitlets.Instance(UnitState)

    def __init__(self, choices: Choices, start: UnitState) -> None:
        self._choices = choices
        self.faction = dropdown("Faction", choices.factions())
        self.unit = SearchSelect("Unit")
        self.unit.elsewhere = choices.elsewhere
        self.models = dropdown("Models")
        self.phase = dropdown("Phase", list(PHASES))
        self.weapons = CountList()
        self.used = RulesPanel("Detachment")
        self.detachment, self.rules = self.used.detachment, self.used.rules
        self.conditions = self.used.conditions
        self.effects = PhraseBox("Own effects")
        self._wiring = Wiring(self._changed)
        lists = (self.faction, self.unit, self.models, self.phase, self.weapons, self.detachment)
        self._wiring.hear(*lists, self.rules, self.conditions, self.effects)
        super().__init__(
            [
                heading("Unit"),
                *(self.faction, self.unit, self.models, self.phase),
                heading("Weapons that attack, and how many"),
                self.weapons,
                heading("Rules that are used"),
                self.used,
                heading("Effects of your own"),
                self.effects,
            ]
        )
        self.move(choices.settled(start))

    def move(self, state: UnitState) -> None:
        """Move the controls to a settled state, without an echo."""
        with self._wiring.muted():
            self._move(state)
        self.value = state

    def _move(self, state: UnitState) -> None:
        choices = self._choices
        set_options(self.faction, choices.factions(), state.faction)
        self.unit.offer(choices.units(state.faction), state.datasheet)
        set_options(self.models, choices.sizes(state), state.models)
        self.phase.value = state.phase
        lines = choices.lines(state)
        ticks = [Tick(name, name, profile(line)) for name, line in lines.items()]
        carried = {name: max(1, line.count) for name, line in lines.items()}
        self.weapons.offer(ticks, dict(state.weapons or ()), carried)
        self.used.offer(choices.rules.detachments(state.faction), state.detachment)
        who = (state.faction, state.datasheet, state.phase, state.detachment)
        left = choices.rules.not_computed(*who)
        self.used.tick(choices.offered_rules(state), state.rules or (), state.ticked, left)
        self.effects.value = state.effects

    def _changed(self) -> None:
        before = self.value
        state = replace(
            before,
            faction=self.faction.value,
            datasheet=self.unit.value,
            models=self.models.value if self.unit.value == before.datasheet else 0,
            phase=self.phase.value,
            weapons=self.weapons.value,
            detachment=self.detachment.value,
            rules=self.rules.value,
            ticked=self.conditions.value,
            effects=self.effects.value,
        )
        self.move(self._choices.settled(state, before))


def profile(line: Line) -> str:
    """A weapon line's numbers in words."""
    skill = "hits by itself" if line.skill is None else f"{line.skill}+"
    words = ", ".join(map(str, line.abilities))
    carried = f"{line.count} in the loadout" if line.count else "an alternative"
    number = f"{line.attacks} attack{'' if str(line.attacks) == '1' else 's'}"
    numbers = f"{number}, {skill}, S{line.strength}, AP{line.ap}, D{line.damage}"
    return f"{numbers}{f', {words}' if words else ''} ({carried})"

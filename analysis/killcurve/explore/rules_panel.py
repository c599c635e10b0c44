"""The controls of the rules that one side of an attack uses: ticks, and conditions that hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import ipywidgets as W  # noqa: N812 - as its own documentation writes it

from killcurve.explore.controls import Tick, TickList, dropdown, set_options
from killcurve.explore.pictures import note
from killcurve.explore.unit_rules import Rule

NONE = "none"


class RulesPanel(W.VBox):
    """A detachment, its and the unit's rules to tick, and the conditions of those that are."""

    def __init__(self, label: str) -> None:
        self.detachment = dropdown(label)
        self.rules, self.conditions = TickList(), TickList()
        self.left_out = W.HTML()
        super().__init__([self.detachment, self.rules, self.left_out, self.conditions])

    def offer(self, detachments: Sequence[str], chosen: str) -> None:
        """Show these detachments; a faction without any has nothing to choose."""
        set_options(self.detachment, [(NONE, ""), *((d, d) for d in detachments)], chosen)
        self.detachment.layout.display = "" if detachments else "none"

    def tick(
        self,
        offered: Mapping[str, Rule],
        used: Iterable[str],
        holding: Iterable[str],
        not_computed: Sequence[str] = (),
    ) -> None:
        """Show these rules, tick those that are ``used`` and the conditions that hold."""
        used = list(used)
        ticks = [Tick(key, rule.label, rule.told) for key, rule in offered.items()]
        self.rules.offer(ticks, used, "no rule with a known effect")
        told = note(f"Not computed: {', '.join(not_computed)}") if not_computed else ""
        if self.left_out.value != told:
            self.left_out.value = told
        words = dict.fromkeys(w for key in used for w in offered[key].conditions)
        empty = "no rule that is used has a condition to tick" if offered else ""
        self.conditions.offer([Tick(w, f"It holds: {w}") for w in words], holding, empty)

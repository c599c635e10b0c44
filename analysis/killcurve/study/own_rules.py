"""A unit's own abilities, as they bear on its attacks and on attacks against it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from killcurve.rules.bearing import flat, helps_attacks, protects
from killcurve.rules.conditions import Clause
from killcurve.rules.effects import Effect
from killcurve.tables.dataset import Dataset

LEADING = Clause("flag", ("leading",))
PHASE_OF_KIND = {"ranged": "shooting", "melee": "fight"}
BESIDE = ("heal", "return models", "fight on death")
"""Effects that change no attack of this kind."""


@dataclass(frozen=True, slots=True)
class OwnRule:
    """An ability of a unit's datasheet.

    ``is_on`` is whether it counts unless told otherwise: what a person must choose to use (once
    a battle), what is given to others nearby, and what only some models or some wargear give, is
    off until it is ticked. Conditions in quotes hold once they are ticked themselves. ``unread``
    are clauses that are not expressed.
    """

    name: str
    kind: str
    side: str | None
    phases: tuple[str, ...]
    effects: tuple[Effect, ...]
    status: str
    unread: tuple[str, ...]
    is_on: bool

    @property
    def is_incomplete(self) -> bool:
        """Whether something of it bears on attacks and is not computed."""
        return self.status in ("partial", "unmodelled")

    def of_side(self, side: str, phase: str) -> Iterator[Effect]:
        """Its effects for the unit as ``attacker`` or ``defender`` in a phase."""
        if self.side not in (side, "both") or (self.phases and phase not in self.phases):
            return
        for effect in self.effects:
            if effect.what in BESIDE:
                continue
            inner = list(flat([effect]))
            if side == "defender":
                counts = any(protects(e) for e in inner)
            else:
                counts = any(helps_attacks(e, self.side) for e in inner)
            if counts:
                yield effect


def own_rules(dataset: Dataset, faction: str, datasheet: str) -> tuple[OwnRule, ...]:
    """The abilities of a unit that bear on attacks, by name.

    >>> import killcurve
    >>> rules = own_rules(killcurve.load(), "Death Guard", "Poxwalkers")
    >>> [str(e) for rule in rules if rule.kind == "core" for e in rule.effects]
    ['feel no pain 5+']
    """
    rows = dataset.of_unit("unit_abilities", faction, datasheet).sort("ability")
    return tuple(
        OwnRule(
            name=row["ability"],
            kind=row["kind"],
            side=row["side"],
            phases=tuple(row["phases"]),
            effects=tuple(_effects(row["effects"], gift=row["gift"])),
            status=row["status"],
            unread=tuple(row["unread"]),
            is_on=row["kind"] != "wargear"
            and row["once_per"] is None
            and row["aura"] is None
            and row["model"] is None,
        )
        for row in rows.rows(named=True)
        if row["status"] in ("modelled", "partial", "unmodelled")
    )


def _effects(phrases: Iterable[str], *, gift: bool) -> Iterator[Effect]:
    """The effects; those that a leader gives to the unit it leads hold while it leads one."""
    for phrase in phrases:
        effect = Effect.parse(phrase)
        if gift and LEADING not in effect.condition:
            effect = replace(effect, condition=(*effect.condition, LEADING))
        yield effect


def _is_models_own(rule: OwnRule, effect: Effect) -> bool:
    """Whether a target's models have it already: Feel No Pain as a core ability."""
    return rule.kind == "core" and effect.what == "feel no pain"


def holding(rules: Iterable[OwnRule], side: str, phase: str) -> tuple[Effect, ...]:
    """The effects of the rules that are on, for one side and phase.

    Effects with a condition in quotes are among them in any case: it is off until it is ticked.
    A target's models have Feel No Pain as a core ability themselves; it is not among them.

    >>> import killcurve
    >>> rules = own_rules(killcurve.load(), "Orks", "Boyz")
    >>> [str(effect) for effect in holding(rules, "attacker", "fight")][0]
    'lethal hits for melee if charged'
    """
    return tuple(
        effect
        for rule in rules
        for effect in rule.of_side(side, phase)
        if (rule.is_on or any(clause.kind == "words" for clause in effect.condition))
        and not _is_models_own(rule, effect)
    )


def incomplete(rules: Iterable[OwnRule], side: str, phase: str) -> tuple[str, ...]:
    """The names of the rules of which something bears on such attacks and is not computed."""
    return tuple(
        rule.name
        for rule in rules
        if rule.is_incomplete
        and (rule.side in (None, side, "both"))
        and (not rule.phases or phase in rule.phases)
    )

"""Sets of effects that a unit may have together: none, one rule, or a detachment's and a stratagem.

A set is definite: where a rule offers a choice each option is a set of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from killcurve.rules.effects import Effect
from killcurve.study.army_rules import ArmyRules, Rule, options
from killcurve.study.sweep.bundles import Bundle, Limits, bundle
from killcurve.tables.dataset import Dataset


@dataclass(frozen=True, slots=True, eq=False)
class EffectSet:
    """The effects of some rules together; ``choice`` is the option taken, in words.

    ``together`` are the sets that a pair is made of. Sets are compared as objects: each is made
    once.
    """

    side: str
    faction: str = ""
    rules: tuple[Rule, ...] = ()
    effects: tuple[Effect, ...] = ()
    choice: str = ""
    together: tuple[EffectSet, ...] = ()
    _limits: list[Limits] = field(init=False, repr=False, default_factory=list)
    _reaching: dict[tuple[bool, ...], Bundle] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._limits.extend(map(Limits.of, self.effects))

    @property
    def kind(self) -> str:
        """What its rules are: ``none``, ``stratagem``, ``detachment and stratagem``, …"""
        return " and ".join(rule.kind for rule in self.rules) or "none"

    def of(self, kind: str) -> Rule | None:
        """Its rule of that kind."""
        return next((rule for rule in self.rules if rule.kind == kind), None)

    def may_be_used(self, keywords: frozenset[str], kind: str) -> bool:
        """Whether a unit with these keywords may have it, for that kind of weapons."""
        return all(kind in rule.weapons and rule.may_be_used_by(keywords) for rule in self.rules)

    def reaching(self, keywords: frozenset[str], kind: str, name: str) -> Bundle:
        """Its effects, but for those that can never hold for such a weapon and such a unit."""
        kept = tuple(limits.allow(keywords, kind, name) for limits in self._limits)
        if kept not in self._reaching:
            effects = tuple(e for e, k in zip(self.effects, kept, strict=True) if k)
            self._reaching[kept] = bundle(effects)
        return self._reaching[kept]


NOTHING = EffectSet("attacker")
"""No help at all."""


class Army:
    """The sets that the rules of one faction's armies make."""

    def __init__(self, dataset: Dataset, faction: str, sheets: str, edition: str) -> None:
        self.faction = faction
        self._own = ArmyRules(dataset, faction, sheets, edition)

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules, stratagems first."""
        return self._own.rules

    @cached_property
    def attacking(self) -> tuple[EffectSet, ...]:
        """The sets that change a unit's own attacks."""
        return tuple(self._sets("attacker"))

    @cached_property
    def defending(self) -> tuple[EffectSet, ...]:
        """The sets that change attacks against a unit."""
        return tuple(self._sets("defender"))

    def _sets(self, side: str) -> Iterator[EffectSet]:
        single = [
            EffectSet(side, self.faction, (rule,), effects, choice)
            for rule in self.rules
            for effects, choice in options(rule, side)
        ]
        yield from single
        for one in single:
            for other in single:
                if self._legal(one.rules[0], other.rules[0]):
                    yield EffectSet(
                        side,
                        self.faction,
                        one.rules + other.rules,
                        one.effects + other.effects,
                        "; ".join(filter(None, (one.choice, other.choice))),
                        (one, other),
                    )

    def _legal(self, rule: Rule, stratagem: Rule) -> bool:
        """Whether an army with that detachment rule may have the stratagem."""
        if (rule.kind, stratagem.kind) != ("detachment", "stratagem"):
            return False
        together = (rule.detachment, stratagem.detachment or rule.detachment)
        return self._own.combined(together)

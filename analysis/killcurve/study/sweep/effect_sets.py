"""Sets of effects that a unit may have together: none, one rule, or a detachment's and a stratagem.

A set is definite: where a rule offers a choice each option is a set of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import polars as pl

from killcurve.rules.bearing import helps_attacks, protects
from killcurve.rules.effects import Effect
from killcurve.rules.eligibility import may_use
from killcurve.study.applicable import army_stratagems, ways_to_choose
from killcurve.study.own_rules import PHASE_OF_KIND
from killcurve.study.sweep.bundles import KINDS, Bundle, Limits, bundle
from killcurve.tables.dataset import Dataset

MOST_DETACHMENT_POINTS = 3
"""What the detachments of one army may cost together (RULES.md §10)."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A stratagem, detachment rule or enhancement of a faction.

    ``side`` is whose attacks it changes, ``weapons`` the kinds of weapons in whose phase it is
    used (one that is used before both lasts for both). ``bearers`` are keywords of which a unit
    needs one set, and ``never`` one that it must not have.
    """

    kind: str
    name: str
    detachment: str
    side: str
    effects: tuple[Effect, ...]
    weapons: frozenset[str] = frozenset(KINDS)
    bearers: tuple[str, ...] = ()
    never: str = ""
    cp: int | None = None
    cost: int | None = None
    status: str = ""

    def may_be_used_by(self, keywords: frozenset[str]) -> bool:
        """Whether a unit with these keywords may have it."""
        return may_use(self.bearers, keywords) and self.never not in keywords


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


def _bears(effect: Effect, rule: Rule, side: str) -> bool:
    """Whether an effect of a rule is one of the side that has it."""
    return protects(effect) if side == "defender" else helps_attacks(effect, rule.side)


class Army:
    """The rules of one faction's armies, and the sets that they make."""

    def __init__(self, dataset: Dataset, faction: str, sheets: str, edition: str) -> None:
        self.faction = faction
        own = (pl.col("faction") == faction) & (pl.col("edition") == sheets)
        stratagems = army_stratagems(dataset, faction, sheets, edition)
        key = lambda row: (row["detachment"], row["name"])  # noqa: E731
        self._detachments = {
            row["detachment"]: row for row in dataset["detachments"].filter(own).rows(named=True)
        }
        enhancements = dataset["enhancements"].filter(own).sort("detachment", "name")
        self.rules: tuple[Rule, ...] = (
            *map(_stratagem, sorted(stratagems, key=key)),
            *map(_detachment_rule, self._detachments.values()),
            *map(_enhancement, enhancements.rows(named=True)),
        )

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
            made
            for rule in self.rules
            if rule.side in (side, "both")
            for made in self._options(rule, side)
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

    def _options(self, rule: Rule, side: str) -> Iterator[EffectSet]:
        for effects, choice in ways_to_choose(rule.effects):
            own = tuple(e for e in effects if _bears(e, rule, side))
            if own:
                yield EffectSet(side, self.faction, (rule,), own, choice)

    def _legal(self, rule: Rule, stratagem: Rule) -> bool:
        """Whether an army with that detachment rule may have the stratagem."""
        if (rule.kind, stratagem.kind) != ("detachment", "stratagem"):
            return False
        if stratagem.detachment in ("", rule.detachment):
            return True
        one, other = (self._detachments.get(r.detachment) for r in (rule, stratagem))
        if one is None or other is None:
            return False
        points = [each["detachment_points"] for each in (one, other)]
        tags = [each["unique_tag"] for each in (one, other)]
        affordable = None not in points and sum(points) <= MOST_DETACHMENT_POINTS
        return affordable and (tags[0] is None or tags[0] != tags[1])


def _parsed(row: Mapping[str, Any]) -> tuple[Effect, ...]:
    return tuple(Effect.parse(phrase) for phrase in row["effects"])


def _stratagem(row: Mapping[str, Any]) -> Rule:
    phases = set(row["phase"])
    used = frozenset(kind for kind, phase in PHASE_OF_KIND.items() if phase in phases)
    return Rule(
        kind="stratagem",
        name=row["name"],
        detachment=row["detachment"],
        side=row["side"] or "",
        effects=_parsed(row),
        weapons=used or frozenset(KINDS),
        bearers=tuple(row["used_by"]),
        cp=row["cp"],
        status=row["status"],
    )


def _detachment_rule(row: Mapping[str, Any]) -> Rule:
    return Rule(
        kind="detachment",
        name=row["detachment"],
        detachment=row["detachment"],
        side=row["side"] or "",
        effects=_parsed(row),
        status=row["status"],
    )


def _enhancement(row: Mapping[str, Any]) -> Rule:
    """Characters bear them, and units that are none those that are upgrades; no epic heroes do."""
    return Rule(
        kind="enhancement",
        name=row["name"],
        detachment=row["detachment"],
        side=row["side"] or "",
        effects=_parsed(row),
        bearers=() if row["upgrade"] else ("character",),
        never="epic hero",
        cost=row["cost"],
        status=row["status"],
    )

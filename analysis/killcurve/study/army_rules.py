"""The rules that a faction's armies may have: stratagems, detachment rules, enhancements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from killcurve.rules.bearing import helps_attacks, protects
from killcurve.rules.effects import Effect
from killcurve.rules.eligibility import may_use
from killcurve.rules.ways import ways_to_choose
from killcurve.study.applicable import army_stratagems
from killcurve.study.own_rules import PHASE_OF_KIND
from killcurve.tables.dataset import Dataset

KINDS = tuple(PHASE_OF_KIND)
"""Kinds of weapons."""

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


class ArmyRules:
    """The rules of one faction's armies that have effects, and which of them go together."""

    def __init__(self, dataset: Dataset, faction: str, sheets: str, edition: str) -> None:
        self.faction = faction
        own = (pl.col("faction") == faction) & (pl.col("edition") == sheets)
        stratagems = army_stratagems(dataset, faction, sheets, edition)
        key = lambda row: (row["detachment"], row["name"])  # noqa: E731
        self.detachments = {
            row["detachment"]: row for row in dataset["detachments"].filter(own).rows(named=True)
        }
        enhancements = dataset["enhancements"].filter(own).sort("detachment", "name")
        self.rules: tuple[Rule, ...] = (
            *map(_stratagem, sorted(stratagems, key=key)),
            *map(_detachment_rule, self.detachments.values()),
            *map(_enhancement, enhancements.rows(named=True)),
        )

    def combined(self, names: Iterable[str]) -> bool:
        """Whether an army may have these detachments together (RULES.md §10).

        They must cost no more than an army has together, and no two may have the same unique
        tag; where the data has no costs, an army has one detachment.
        """
        wanted = sorted(set(names))
        if len(wanted) < 2:
            return True
        found = [self.detachments[name] for name in wanted if name in self.detachments]
        points = [row["detachment_points"] for row in found]
        tags = [row["unique_tag"] for row in found if row["unique_tag"] is not None]
        known = len(found) == len(wanted) and None not in points
        return known and sum(points) <= MOST_DETACHMENT_POINTS and len(set(tags)) == len(tags)


POOLS = frozenset({"mortal wounds", "explosives", "crushing impact", "tank shock"})
"""Effects of an attacker that are harm beside its attacks."""

SNAP = "snap shooting"
"""An effect of which a whole attack comes: without it there is none."""


def options(
    rule: Rule, side: str, also: frozenset[str] = frozenset()
) -> Iterator[tuple[tuple[Effect, ...], str]]:
    """The effects of a rule for the side that has it, one for each way to take its options.

    With each goes the option in words; ways in which nothing bears on attacks are left out.
    ``also`` are effects that count for the attacker though they change no roll of its attacks.
    """
    if rule.side not in (side, "both"):
        return
    for effects, choice in ways_to_choose(rule.effects):
        own = tuple(
            e for e in effects if _bears(e, rule, side) or (side == "attacker" and e.what in also)
        )
        if own:
            yield own, "; ".join(choice)


def _bears(effect: Effect, rule: Rule, side: str) -> bool:
    """Whether an effect of a rule is one of the side that has it."""
    return protects(effect) if side == "defender" else helps_attacks(effect, rule.side)


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

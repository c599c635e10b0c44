"""What is attacked in an explorer: a standard profile, any datasheet, or numbers of one's own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from killcurve.engine.target import Against, ModelGroup, Protection, Target
from killcurve.explore.choosing import Sizes, kept, with_rows
from killcurve.rules.spelling import normal
from killcurve.study.targets import Defender, defender, standard_targets
from killcurve.tables.dataset import Dataset

KINDS = {"profile": "standard profile", "unit": "any datasheet", "own": "own numbers"}
"""Kinds of targets, with their labels."""


@dataclass(frozen=True, slots=True)
class TargetState:
    """A target: ``kind`` tells which of the other fields count.

    ``unit`` is a datasheet with its faction (``Boyz — Orks``) of ``models`` models (0: its
    smallest size). Own numbers: ``count`` models; ``invulnerable`` and ``feel_no_pain`` are 0
    where there is none; ``keywords`` have commas between them.
    """

    kind: str = "profile"
    profile: str = "Intercessors (MEQ)"
    unit: str = ""
    models: int = 0
    count: int = 5
    toughness: int = 4
    save: int = 3
    invulnerable: int = 0
    wounds: int = 2
    feel_no_pain: int = 0
    keywords: str = "infantry"


class Targets:
    """The targets that a dataset has; what was made once is kept."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset
        self._sizes = Sizes(dataset)
        self._made: dict[tuple[str, int], Defender] = {}

    @cached_property
    def profiles(self) -> dict[str, Defender]:
        """The standard profiles by name."""
        return {target.name: target for target in standard_targets(self._dataset)}

    @cached_property
    def units(self) -> dict[str, tuple[str, str]]:
        """Datasheet and faction of every unit with a stat line, by label."""
        found = with_rows(self._dataset, "models")
        return {f"{datasheet} — {faction}": (datasheet, faction) for faction, datasheet in found}

    def sizes(self, unit: str) -> list[int]:
        """How many models a unit may have."""
        datasheet, faction = self.units[unit]
        return self._sizes.of(faction, datasheet)

    def settled(self, state: TargetState) -> TargetState:
        """The state with what no longer exists replaced by the first that does."""
        state = replace(
            state,
            kind=kept(state.kind, list(KINDS)),
            profile=kept(state.profile, list(self.profiles)),
        )
        if state.kind == "unit":
            state = replace(state, unit=kept(state.unit, list(self.units)))
            state = replace(state, models=kept(state.models, self.sizes(state.unit)))
        return state

    def defender(self, state: TargetState) -> Defender:
        """The target of a settled state."""
        if state.kind == "profile":
            return self.profiles[state.profile]
        if state.kind == "own":
            return own_target(state)
        key = state.unit, state.models
        if key not in self._made:
            datasheet, faction = self.units[state.unit]
            self._made[key] = defender(self._dataset, datasheet, faction, models=state.models)
        return self._made[key]


def _scope(protection: Protection) -> str:
    every = protection.against is Against.ALL
    return "" if every else f" against {protection.against.value}"


def stats(target: Target) -> str:
    """The numbers of a target's models, as players write them.

    >>> stats(own_target(TargetState("own", invulnerable=4, feel_no_pain=5)).target)
    '5 × T4 Sv3+ W2, 4+ invulnerable, Feel No Pain 5+'
    """
    told = []
    for group in target.groups:
        words = [f"{group.count} × T{group.toughness} Sv{group.save}+ W{group.wounds}"]
        words += [f"{one.value}+ invulnerable{_scope(one)}" for one in group.invulnerable]
        words += [f"Feel No Pain {one.value}+{_scope(one)}" for one in group.feel_no_pain]
        told.append(", ".join(words))
    return "; ".join(told)


def own_target(state: TargetState) -> Defender:
    """A target of the numbers of a state.

    >>> own_target(TargetState("own", count=3, toughness=10, invulnerable=4)).target.models
    3
    """
    group = ModelGroup(
        count=state.count,
        toughness=state.toughness,
        save=state.save,
        wounds=state.wounds,
        invulnerable=(Protection(state.invulnerable),) if state.invulnerable else (),
        feel_no_pain=(Protection(state.feel_no_pain),) if state.feel_no_pain else (),
    )
    keywords = frozenset(normal(word) for word in state.keywords.split(",") if word.strip())
    name = f"{state.count} × T{state.toughness} Sv{state.save}+ W{state.wounds}"
    return Defender(name, "", "", Target((group,)), keywords, None)

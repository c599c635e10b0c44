"""A unit in play: which models it has, what each of them carries, and in which order they fall."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from killcurve.engine.states import IntArray, States, states
from killcurve.engine.target import ModelGroup, Target
from killcurve.study.lines import Line
from killcurve.study.targets import Defender
from killcurve.tables.dataset import DataError


@dataclass(frozen=True, slots=True)
class Carried:
    """A weapon profile in the hands of a model: ``count`` of it, ``range`` in inches (0: melee).

    Profiles of one ``weapon_id`` and kind that exclude each other are one weapon.
    """

    weapon_id: str
    line: Line
    range: int
    count: int = 1


@dataclass(frozen=True, slots=True)
class Rank:
    """``count`` models of one kind that carry the same.

    ``model`` is one of them as a target (its ``count`` is 1); ``move`` in inches, ``leadership``
    (6 for 6+) and ``control`` (OC) are ``None`` where the data does not tell.
    """

    name: str
    count: int
    model: ModelGroup
    weapons: tuple[Carried, ...] = ()
    move: int | None = None
    leadership: int | None = None
    control: int | None = None


@dataclass(frozen=True, slots=True)
class Fielded:
    """A unit in play: its ranks in the order in which its player takes them off.

    That order counts among models that are alike as targets; others follow the rules of
    allocation, with the order as the player's wish.
    """

    name: str
    edition: str
    faction: str
    datasheet: str
    keywords: frozenset[str]
    points: int | None
    ranks: tuple[Rank, ...]

    @property
    def models(self) -> int:
        """How many models it has."""
        return sum(rank.count for rank in self.ranks)

    @property
    def target(self) -> Target:
        """The unit as a target: models that are alike form one group."""
        return _target(self.ranks)

    @property
    def defender(self) -> Defender:
        """The unit as one that is attacked."""
        return Defender(
            self.name, self.faction, self.datasheet, self.target, self.keywords, self.points
        )

    @property
    def points_per_model(self) -> float | None:
        """The share of the cost that one model stands for."""
        return None if self.points is None else self.points / self.models

    @property
    def space(self) -> States:
        """Its states.

        Raises:
            DataError: if they are more than can be summed.
        """
        try:
            return states(self.target)
        except ValueError as error:
            raise DataError(f"{self.name}: {error}") from None

    def in_group(self, group: int) -> tuple[int, ...]:
        """The ranks that are group ``group`` of the target, first to fall first."""
        found = list(dict.fromkeys(rank.model for rank in self.ranks))
        return tuple(r for r, rank in enumerate(self.ranks) if rank.model == found[group])

    def living(self) -> IntArray:
        """How many models of each rank live in each state; shape (states, ranks)."""
        space = self.space
        left = np.zeros((space.size, len(self.ranks)), dtype=np.int64)
        for g, dead in enumerate(space.dead):
            before = 0
            for r in self.in_group(g):
                count = self.ranks[r].count
                left[:, r] = count - np.clip(dead - before, 0, count)
                before += count
        return left

    def need(self, what: str) -> list[int]:
        """``move``, ``leadership`` or ``control`` of each rank.

        Raises:
            DataError: naming the model and what the data does not tell of it.
        """
        values = [getattr(rank, what) for rank in self.ranks]
        for rank, value in zip(self.ranks, values, strict=True):
            if value is None:
                raise DataError(
                    f"the data has no {_CALLED[what]} of {rank.name} in {self.name} "
                    f"({self.faction}); import a source that has it, or state it"
                )
        return values

    def stated(
        self, *, move: int | None = None, leadership: int | None = None, control: int | None = None
    ) -> Fielded:
        """The same unit with values that are stated for all its models; ``None`` leaves them."""

        def told(rank: Rank) -> Rank:
            return replace(
                rank,
                move=rank.move if move is None else move,
                leadership=rank.leadership if leadership is None else leadership,
                control=rank.control if control is None else control,
            )

        return replace(self, ranks=tuple(told(rank) for rank in self.ranks))


_CALLED = {"move": "Move", "leadership": "Leadership", "control": "Objective Control"}


@lru_cache(maxsize=512)
def _target(ranks: tuple[Rank, ...]) -> Target:
    alike: dict[ModelGroup, int] = {}
    for rank in ranks:
        alike[rank.model] = alike.get(rank.model, 0) + rank.count
    return Target(tuple(replace(model, count=count) for model, count in alike.items()))

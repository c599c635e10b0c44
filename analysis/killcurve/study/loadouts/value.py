"""A loadout: which models of a unit carry which weapons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

Things = tuple[tuple[str, int], ...]
"""Things with how many there are of each, sorted; a weapon is its ``weapon_id``."""


@dataclass(frozen=True, slots=True)
class Group:
    """Models of one kind that carry the same: ``weapons`` and ``wargear`` are those of each."""

    model: str
    count: int
    weapons: Things
    wargear: Things = ()


@dataclass(frozen=True, slots=True)
class Loadout:
    """What a unit of ``models`` models carries.

    ``weapons`` are all weapons of the unit by ``weapon_id``, ``wargear`` its other things by
    name. ``groups`` tell who carries what; a loadout of which only the totals are known has
    none. ``assumed`` is that the data has no default weapons for the unit, so each model is
    taken to carry every weapon once.

    >>> gunners = Group("Gunner", 4, (("gun", 1),))
    >>> boss = Group("Boss", 1, (("gun", 1), ("pike", 2)), (("Horn", 1),))
    >>> made = Loadout.of("Moles", "Diggers", [boss, gunners])
    >>> made.models, made.weapons, made.wargear
    (5, (('gun', 5), ('pike', 2)), (('Horn', 1),))
    """

    faction: str
    datasheet: str
    models: int
    weapons: Things
    wargear: Things = ()
    groups: tuple[Group, ...] = ()
    assumed: bool = False

    @classmethod
    def of(
        cls, faction: str, datasheet: str, groups: Iterable[Group], *, assumed: bool = False
    ) -> Loadout:
        """The loadout of some groups of models."""
        kept = tuple(group for group in groups if group.count)
        return cls(
            faction=faction,
            datasheet=datasheet,
            models=sum(group.count for group in kept),
            weapons=summed((group.weapons, group.count) for group in kept),
            wargear=summed((group.wargear, group.count) for group in kept),
            groups=kept,
            assumed=assumed,
        )

    @property
    def kinds(self) -> dict[str, int]:
        """How many models there are of each kind."""
        kinds: Counter[str] = Counter()
        for group in self.groups:
            kinds[group.model] += group.count
        return dict(kinds)

    def same(self) -> tuple[tuple[str, int, Things, Things], ...]:
        """What two loadouts have in common that count as one: what each kind carries in all."""
        return tuple(
            sorted(
                (
                    model,
                    count,
                    summed((g.weapons, g.count) for g in self.groups if g.model == model),
                    summed((g.wargear, g.count) for g in self.groups if g.model == model),
                )
                for model, count in self.kinds.items()
            )
        )


def things(counts: Mapping[str, int]) -> Things:
    """Counts in the form of a loadout, without those of 0.

    >>> things({"pike": 2, "bell": 0, "gun": 1})
    (('gun', 1), ('pike', 2))
    """
    return tuple(sorted((item, count) for item, count in counts.items() if count))


def summed(parts: Iterable[tuple[Things, int]]) -> Things:
    """Several times some things."""
    total: Counter[str] = Counter()
    for some, times in parts:
        for item, count in some:
            total[item] += count * times
    return things(total)

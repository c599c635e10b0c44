"""A unit as an attacker: its weapon lines at default counts, its keywords and its cost."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import polars as pl

from killcurve.engine.dice import Dice
from killcurve.engine.weapon import Weapon
from killcurve.rules.abilities import Ability
from killcurve.tables.dataset import DataError, Dataset


@dataclass(frozen=True, slots=True)
class Line:
    """One weapon profile of a unit, and how many of that weapon it carries by default."""

    weapon: str
    profile: str
    kind: str
    count: int
    abilities: tuple[Ability, ...]
    skill: int | None
    attacks: Dice
    strength: Dice
    ap: int
    damage: Dice
    exclusive: bool = False

    @property
    def name(self) -> str:
        """The weapon with its profile, as people write it."""
        return f"{self.weapon} - {self.profile}" if self.profile else self.weapon

    def armed(self, count: int | None = None) -> Weapon:
        """The engine's weapon, at the default count or another one."""
        return Weapon(
            count=self.count if count is None else count,
            attacks=self.attacks,
            skill=self.skill,
            strength=self.strength,
            ap=self.ap,
            damage=self.damage,
            ranged=self.kind == "ranged",
            psychic=any(a.name == "psychic" for a in self.abilities),
        )


@dataclass(frozen=True, slots=True)
class Attacker:
    """A unit that attacks: ``points`` is what its first copy costs at ``models`` models.

    ``edition`` is that of its datasheet; its attacks follow those rules unless told otherwise.
    """

    edition: str
    faction: str
    datasheet: str
    keywords: frozenset[str]
    models: int
    points: int | None
    lines: tuple[Line, ...]

    @property
    def default_lines(self) -> tuple[Line, ...]:
        """The lines that the default loadout has."""
        return tuple(line for line in self.lines if line.count)


def attacker(dataset: Dataset, name: str, faction: str | None = None) -> Attacker:
    """A unit with its weapons, at its smallest size and default loadout.

    Raises:
        DataError: if there is no such unit.
    """
    faction, datasheet = dataset.find(name, faction)
    models = smallest_size(dataset, faction, datasheet)
    counts = _default_counts(dataset, faction, datasheet)
    lines = tuple(
        Line(
            weapon=row["weapon"],
            profile=row["profile"],
            kind=row["kind"],
            count=counts.get(row["weapon_id"], 0),
            abilities=tuple(Ability.parse(k) for k in row["keywords"]),
            skill=row["skill"],
            attacks=Dice.parse(row["attacks"]),
            strength=Dice.parse(row["strength"]),
            ap=row["ap"],
            damage=Dice.parse(row["damage"]),
            exclusive=row["exclusive"],
        )
        for row in dataset.of_unit("weapons", faction, datasheet)
        .sort("kind", "weapon", "weapon_id", "profile")
        .rows(named=True)
    )
    return Attacker(
        edition=str(dataset.of_unit("datasheets", faction, datasheet)["edition"][0]),
        faction=faction,
        datasheet=datasheet,
        keywords=unit_keywords(dataset, faction, datasheet),
        models=models,
        points=cost(dataset, faction, datasheet, models),
        lines=lines,
    )


def unit_keywords(dataset: Dataset, faction: str, datasheet: str) -> frozenset[str]:
    """The keywords of a unit, in normal form, its name among them."""
    rows = dataset.of_unit("keywords", faction, datasheet)
    return frozenset(rows["keyword"].to_list()) | {datasheet.casefold()}


def smallest_size(dataset: Dataset, faction: str, datasheet: str) -> int:
    """The smallest number of models that a unit may have."""
    sheet = dataset.of_unit("datasheets", faction, datasheet)
    if sheet.is_empty():
        raise DataError(f"no unit {datasheet!r} of {faction}")
    return int(sheet["models_min"][0] or 1)


def cost(dataset: Dataset, faction: str, datasheet: str, models: int, copy: int = 1) -> int | None:
    """What the ``copy``-th unit of that size costs; between listed sizes the larger one counts.

    ``None`` where the data has no price.
    """
    prices = dataset.of_unit("points", faction, datasheet).filter(
        (pl.col("copies_from") <= copy)
        & (pl.col("copies_to").is_null() | (pl.col("copies_to") >= copy))
        & (pl.col("models_max") >= models)
    )
    if prices.is_empty():
        return None
    return int(prices.sort("models_max", "models")["cost"][0])


def _default_counts(dataset: Dataset, faction: str, datasheet: str) -> Counter[str]:
    """How many of each weapon the smallest unit carries by default."""
    carried = dataset.of_unit("default_weapons", faction, datasheet)
    sizes = dataset.of_unit("compositions", faction, datasheet).filter(pl.col("tier") == 1)
    models = dict(zip(sizes["model"].to_list(), sizes["count_min"].to_list(), strict=True))
    counts: Counter[str] = Counter()
    for model, weapon, count in carried.select("model", "weapon_id", "count").rows():
        counts[weapon] += count * models.get(model, 0)
    if not counts:
        size = smallest_size(dataset, faction, datasheet)
        for weapon in dataset.of_unit("weapons", faction, datasheet)["weapon_id"].to_list():
            counts[weapon] = size
    return counts

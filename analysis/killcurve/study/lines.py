"""A unit as an attacker: its weapon lines as a loadout has them, its keywords and its cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from killcurve.engine.dice import Dice
from killcurve.engine.weapon import Weapon
from killcurve.rules.abilities import Ability
from killcurve.rules.spelling import normal
from killcurve.study.loadouts import Loadout, Loadouts
from killcurve.study.loadouts.legal import custom_of, default_of
from killcurve.study.loadouts.prices import cost, price
from killcurve.study.loadouts.sheet import read_sheet
from killcurve.study.own_rules import OwnRule, own_rules
from killcurve.tables.dataset import DataError, Dataset

__all__ = ["Attacker", "Line", "attacker", "attackers", "cost", "unit_keywords"]


@dataclass(frozen=True, slots=True)
class Line:
    """One weapon profile of a unit, and how many of that weapon it carries."""

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
        """The engine's weapon, at the count of the loadout or another one."""
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
    """A unit that attacks: ``points`` is what it costs at ``models`` models with its loadout.

    ``edition`` is that of its datasheet; its attacks follow those rules unless told otherwise.
    ``rules`` are its own abilities, ``toughness`` the highest of its models, if the data tells.
    """

    edition: str
    faction: str
    datasheet: str
    keywords: frozenset[str]
    models: int
    points: int | None
    lines: tuple[Line, ...]
    loadout: Loadout | None = None
    rules: tuple[OwnRule, ...] = ()
    toughness: int | None = None

    @property
    def default_lines(self) -> tuple[Line, ...]:
        """The lines that its loadout has."""
        return tuple(line for line in self.lines if line.count)


def attacker(
    dataset: Dataset,
    name: str,
    faction: str | None = None,
    *,
    models: int | None = None,
    loadout: Loadout | Mapping[str, int] | None = None,
    copy: int = 1,
    army: str | None = None,
    enhancement: str | None = None,
) -> Attacker:
    """A unit with its weapons, by default at its smallest size and with its default loadout.

    ``loadout`` is one of :mod:`killcurve.study.loadouts`, or how many of each weapon (by name)
    the unit has; without ``models`` its own size counts. The points are those of the
    ``copy``-th such unit in an army of the faction ``army`` (``None`` for the unit's own), with
    its wargear and its enhancement.

    Raises:
        DataError: if there is no such unit, size, weapon, army or enhancement.

    >>> import killcurve
    >>> data = killcurve.load()
    >>> swarm = attacker(data, "Gargoyles", models=20)
    >>> swarm.points, [(line.name, line.count) for line in swarm.lines]
    (155, [('Fleshborer', 20), ('Blinding venom', 20)])
    >>> boat = attacker(data, "Raider", loadout={"Disintegrator cannon": 1}, copy=4)
    >>> boat.points, [line.name for line in boat.default_lines]
    (85, ['Disintegrator cannon'])
    """
    faction, datasheet = dataset.find(name, faction)
    carried = _loadout(dataset, faction, datasheet, models, loadout)
    return _armed(
        dataset, carried, price(dataset, carried, copy=copy, army=army, enhancement=enhancement)
    )


def attackers(
    dataset: Dataset, found: Loadouts, *, copy: int = 1, army: str | None = None
) -> list[Attacker]:
    """The unit once with each of the loadouts that are shown, with its points.

    >>> import killcurve
    >>> from killcurve.study.loadouts import legal_loadouts
    >>> data = killcurve.load()
    >>> boats = attackers(data, legal_loadouts(data, "Raider"))
    >>> [[line.name for line in boat.default_lines if line.kind == "ranged"] for boat in boats]
    [['Dark lance'], ['Disintegrator cannon']]
    """
    return [_armed(dataset, one, price(dataset, one, copy=copy, army=army)) for one in found.shown]


def _armed(dataset: Dataset, carried: Loadout, points: int | None) -> Attacker:
    """A unit with a loadout."""
    faction, datasheet = carried.faction, carried.datasheet
    counts = dict(carried.weapons)
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
        models=carried.models,
        points=points,
        lines=lines,
        loadout=carried,
        rules=own_rules(dataset, faction, datasheet),
        toughness=dataset.of_unit("models", faction, datasheet)["toughness"].max(),
    )


def _loadout(
    dataset: Dataset,
    faction: str,
    datasheet: str,
    models: int | None,
    given: Loadout | Mapping[str, int] | None,
) -> Loadout:
    """The loadout that is meant."""
    if not isinstance(given, Loadout):
        sheet = read_sheet(dataset, faction, datasheet)
        if given is None:
            return default_of(sheet, sheet.smallest if models is None else models)
        return custom_of(sheet, given, models)
    if (given.faction, given.datasheet) != (faction, datasheet):
        raise DataError(
            f"the loadout is one of {given.datasheet} ({given.faction}), "
            f"and not of {datasheet} ({faction})"
        )
    if models not in (None, given.models):
        raise DataError(f"the loadout is one of {given.models} models, and not of {models}")
    return given


def unit_keywords(dataset: Dataset, faction: str, datasheet: str) -> frozenset[str]:
    """The keywords of a unit, in normal form, its name among them."""
    rows = dataset.of_unit("keywords", faction, datasheet)
    return frozenset(rows["keyword"].to_list()) | {normal(datasheet)}

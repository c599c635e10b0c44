"""Whole units: one in both roles, and what its models use together in a phase.

Lines of a loadout that exclude each other are chosen as :mod:`killcurve.study.arming` does, model
by model, by what does most damage to the target.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from killcurve.engine.target import ModelGroup
from killcurve.study.arming import Arms, Use, arm, has, usable
from killcurve.study.fielding import Carried, Fielded, Rank
from killcurve.study.lines import Attacker, Line, attacker
from killcurve.study.loadouts import Loadout
from killcurve.study.matchup import Circumstances, engage
from killcurve.study.mustering import fielded
from killcurve.study.own_rules import PHASE_OF_KIND
from killcurve.study.targets import Defender, defender
from killcurve.tables.dataset import DataError, Dataset

KIND_OF_PHASE = {phase: kind for kind, phase in PHASE_OF_KIND.items()}
"""The kind of weapons of each phase: ``shooting`` and ``fight``."""

Worth = Callable[[Line], float]
"""What a line does to the target at its count: the mean damage."""

_ANYBODY = ModelGroup(count=1, toughness=4, save=7, wounds=1)
"""Who carries the weapons, as a target: nothing that decides about their use asks it."""


@dataclass(frozen=True, slots=True, eq=False)
class Combatant:
    """A unit that attacks and is attacked, of one size, loadout and cost.

    ``name`` is what frames call it; ``carriers`` are its models with what each carries;
    ``defender`` is ``None`` where the data has no stat line. Both roles cost the same: it is the
    ``copy``-th such unit of its army, with its enhancement.
    """

    name: str
    attacker: Attacker
    defender: Defender | None
    carriers: Fielded
    copy: int = 1
    enhancement: str | None = None

    @property
    def target(self) -> Defender:
        """The unit as a target.

        Raises:
            DataError: if the data has no stat line of it.
        """
        if self.defender is None:
            raise DataError(
                f"{self.attacker.datasheet} of {self.attacker.faction} has no stat line, "
                "so it cannot be a target"
            )
        return self.defender

    @property
    def unknown(self) -> tuple[str, ...]:
        """What the data does not tell of its weapons, in words."""
        return tuple(
            f"the data has no weapons of {rank.name} ({self.attacker.datasheet})"
            for rank in self.carriers.ranks
            if not rank.weapons
        )

    def lines(self, phase: str) -> tuple[Line, ...]:
        """The lines that its loadout has of a phase, those that exclude each other among them."""
        kind = KIND_OF_PHASE[phase]
        return tuple(line for line in self.attacker.default_lines if line.kind == kind)


def combatant(
    dataset: Dataset,
    name: str,
    faction: str | None = None,
    *,
    models: int | None = None,
    loadout: Loadout | Mapping[str, int] | None = None,
    copy: int = 1,
    army: str | None = None,
    enhancement: str | None = None,
    label: str | None = None,
) -> Combatant:
    """A unit in both roles; size, loadout and cost as for :func:`killcurve.study.lines.attacker`.

    Raises:
        DataError: if there is no such unit, size, weapon, army or enhancement.

    >>> import killcurve
    >>> boyz = combatant(killcurve.load(), "Boyz", "Orks", models=20)
    >>> boyz.attacker.points == boyz.target.points, boyz.target.target.models
    (True, 20)
    """
    unit = attacker(
        dataset, name, faction, models=models, loadout=loadout, copy=copy, army=army,
        enhancement=enhancement,
    )  # fmt: skip
    return Combatant(
        name=label or unit.datasheet,
        attacker=unit,
        defender=_as_target(dataset, unit, label),
        carriers=_carriers(dataset, unit),
        copy=copy,
        enhancement=enhancement,
    )


def standard_combatants(dataset: Dataset) -> list[Combatant]:
    """The units behind the dataset's target profiles, in its order, by the profiles' names.

    >>> import killcurve
    >>> units = standard_combatants(killcurve.load())
    >>> units[0].name == units[0].target.name, len(units)
    (True, 11)
    """
    return [
        combatant(
            dataset, row["datasheet"], row["faction"], models=row["models"], label=row["target"]
        )
        for row in dataset.target_profiles.sort("number").rows(named=True)
    ]


def together(unit: Combatant, phase: str, target: Defender, worth: Worth) -> tuple[Line, ...]:
    """The lines that all models of a unit use together in a phase, at their counts.

    ``worth`` decides where a model has to choose, and is asked only then; ties go to what the
    data lists first.
    """
    arsenal = _arsenal(unit)
    if phase not in arsenal.forced:
        arsenal.forced[phase] = _forced(unit, phase)
    lines = arsenal.forced[phase]
    if lines is not None:
        return lines
    known: dict[int, float] = {}

    def worth_of(carried: Carried) -> float:
        line = arsenal.line(carried.line, carried.count)
        if id(line) not in known:
            # Rounding must not decide between weapons that do the same.
            known[id(line)] = round(worth(line), 12)
        return known[id(line)]

    use = Use(ranged=phase == "shooting")
    return arsenal.summed(arm(unit.carriers, target.keywords, use, worth_of))


@dataclass(slots=True, eq=False)
class _Arsenal:
    """A unit's lines at the counts that occur, one object each; ``forced`` where nothing is chosen.

    ``forced`` is ``None`` for a phase in which models choose, or weapons ask who the target is.
    """

    unit: Combatant
    forced: dict[str, tuple[Line, ...] | None] = field(default_factory=dict)
    _lines: dict[tuple[int, int], Line] = field(default_factory=dict)
    _order: dict[Line, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for line in self.unit.attacker.lines:
            self._order.setdefault(replace(line, count=1), len(self._order))

    def line(self, single: Line, count: int) -> Line:
        """A line of one weapon at another count."""
        key = (id(single), count)
        if key not in self._lines:
            self._lines[key] = replace(single, count=count)
        return self._lines[key]

    def summed(self, arms: Arms) -> tuple[Line, ...]:
        """What all ranks use, in the data's order of lines."""
        singles: dict[int, Line] = {}
        counts: Counter[int] = Counter()
        for rank, used in zip(self.unit.carriers.ranks, arms, strict=True):
            for carried in used:
                singles[id(carried.line)] = carried.line
                counts[id(carried.line)] += rank.count * carried.count
        ordered = sorted(singles.values(), key=lambda line: self._order[line])
        return tuple(self.line(line, counts[id(line)]) for line in ordered)


@lru_cache(maxsize=8192)
def _arsenal(unit: Combatant) -> _Arsenal:
    return _Arsenal(unit)


def _forced(unit: Combatant, phase: str) -> tuple[Line, ...] | None:
    """What is used in a phase where models use everything that they may."""
    fielded_, use = unit.carriers, Use(ranged=phase == "shooting")
    carried = [one for rank in fielded_.ranks for one in rank.weapons]
    if any(has(one, "hunter") for one in carried):
        return None
    nobody: frozenset[str] = frozenset()
    arms = arm(fielded_, nobody, use, lambda _: 1.0)
    for rank, used in zip(fielded_.ranks, arms, strict=True):
        may = {id(one.line) for one in rank.weapons if usable(fielded_, one, nobody, use)}
        if may != {id(one.line) for one in used}:
            return None
    return _arsenal(unit).summed(arms)


def used_against(
    unit: Combatant, phase: str, target: Defender, how: Circumstances = Circumstances()
) -> tuple[Line, ...]:
    """What :func:`together` gives by the mean damage to that target under these circumstances.

    >>> import killcurve
    >>> data = killcurve.load()
    >>> boyz, squad = (combatant(data, name) for name in ("Boyz", "Intercessor Squad"))
    >>> in_words(boyz.lines("shooting"))
    ['9 × Shoota', '9 × Slugga']
    >>> in_words(used_against(boyz, "shooting", squad.target))
    ['9 × Shoota']
    """

    def worth(line: Line) -> float:
        return engage(unit.attacker, [line], target, how).outcome.damage.mean

    return together(unit, phase, target, worth)


def in_words(lines: tuple[Line, ...]) -> list[str]:
    """Lines as people write them: ``5 × Bolt Rifle - Saturation``."""
    return [f"{line.count} × {line.name}" for line in lines]


def _as_target(dataset: Dataset, unit: Attacker, label: str | None) -> Defender | None:
    carried = unit.loadout
    grouped = carried is not None and bool(carried.groups)
    try:
        made = defender(
            dataset,
            unit.datasheet,
            unit.faction,
            models=unit.models,
            loadout=carried if grouped else None,
            label=label,
        )
    except DataError:
        return None
    return replace(made, points=unit.points)


def _carriers(dataset: Dataset, unit: Attacker) -> Fielded:
    carried = unit.loadout
    assert carried is not None
    if not carried.groups:  # only the totals are known
        return fielded(dataset, unit.datasheet, unit.faction, loadout=carried)
    rows = dataset.of_unit("weapons", unit.faction, unit.datasheet).sort(
        "kind", "weapon", "weapon_id", "profile"
    )
    profiles: dict[str, list[Carried]] = {}
    for row, line in zip(rows.rows(named=True), unit.lines, strict=True):
        found = Carried(row["weapon_id"], replace(line, count=1), row["range"])
        profiles.setdefault(row["weapon_id"], []).append(found)

    def held(weapons: tuple[tuple[str, int], ...]) -> Iterator[Carried]:
        for weapon, count in weapons:
            yield from (replace(profile, count=count) for profile in profiles.get(weapon, []))

    return Fielded(
        name=unit.datasheet,
        edition=unit.edition,
        faction=unit.faction,
        datasheet=unit.datasheet,
        keywords=unit.keywords,
        points=unit.points,
        ranks=tuple(
            Rank(group.model, group.count, _ANYBODY, tuple(held(group.weapons)))
            for group in carried.groups
        ),
    )

"""What is chosen when one unit is explored, and what follows from it: no widget in here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from killcurve.charts.bars import titled
from killcurve.charts.export import Chart
from killcurve.charts.survival import survival_curves
from killcurve.study.applicable import Stratagem, attack_stratagems
from killcurve.study.lines import Attacker, Line, attacker
from killcurve.study.matchup import Circumstances, Result, engage
from killcurve.study.own_rules import PHASE_OF_KIND
from killcurve.study.survival import survival
from killcurve.study.targets import Defender, standard_targets
from killcurve.tables.dataset import Dataset

NO_STRATAGEM = "none"
FLAGS = {
    "half_range": "within half range",
    "cover": "target in cover",
    "stationary": "stationary",
    "charged": "charged this turn",
}
"""Circumstances a person may tick, with their labels."""


@dataclass(frozen=True, slots=True)
class UnitState:
    """Everything that is chosen; every field is a name from the data.

    >>> UnitState("Necrons", "Royal Warden", "Relic gauss blaster", "none", "Rhino (transport)")
    UnitState(faction='Necrons', datasheet='Royal Warden', weapon='Relic gauss blaster', \
stratagem='none', target='Rhino (transport)', flags=())
    """

    faction: str
    datasheet: str
    weapon: str
    stratagem: str
    target: str
    flags: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """The state as plain values, for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class View:
    """What a state shows: a chart, key numbers by label, and remarks in words."""

    chart: Chart
    numbers: dict[str, str]
    remarks: tuple[str, ...]


class Choices:
    """What can be chosen from a dataset, each list depending on the choices before it."""

    def __init__(self, dataset: Dataset) -> None:
        dataset = dataset.of_edition()  # the newest: units of two editions have one name
        self.dataset = dataset
        self.targets = standard_targets(dataset)
        sheets = dataset.datasheets.join(
            dataset.weapons.select("faction", "datasheet").unique(), on=["faction", "datasheet"]
        ).sort("faction", "datasheet")
        self._units = {
            faction: group["datasheet"].to_list()
            for (faction,), group in sheets.group_by("faction", maintain_order=True)
        }

    def factions(self) -> list[str]:
        """Factions that have units with weapons."""
        return list(self._units)

    def units(self, faction: str) -> list[str]:
        """Units of a faction."""
        return self._units[faction]

    def unit(self, state: UnitState) -> Attacker:
        """The chosen unit."""
        return attacker(self.dataset, state.datasheet, state.faction)

    def weapons(self, unit: Attacker) -> list[str]:
        """Weapon lines, the default loadout's first."""
        ordered = sorted(unit.lines, key=lambda line: (not line.count, line.kind == "melee"))
        return list(dict.fromkeys(line.name for line in ordered))

    def stratagems(self, unit: Attacker, line: Line) -> dict[str, Stratagem | None]:
        """Stratagems of the faction that bear on the weapon's attacks, by label."""
        usable = [
            s for s in attack_stratagems(self.dataset, unit) if PHASE_OF_KIND[line.kind] in s.phases
        ]
        labels = {f"{s.name} ({s.cp} CP, {s.detachment or 'core'})": s for s in usable}
        return {NO_STRATAGEM: None, **labels}

    def settled(self, state: UnitState) -> UnitState:
        """The state with every choice that no longer exists replaced by the first that does."""
        faction = _kept(state.faction, self.factions())
        state = replace(state, faction=faction)
        state = replace(state, datasheet=_kept(state.datasheet, self.units(faction)))
        unit = self.unit(state)
        state = replace(state, weapon=_kept(state.weapon, self.weapons(unit)))
        offered = list(self.stratagems(unit, line_of(unit, state.weapon)))
        state = replace(state, stratagem=_kept(state.stratagem, offered))
        return replace(state, target=_kept(state.target, [t.name for t in self.targets]))


def _kept(chosen: str, offered: Sequence[str]) -> str:
    return chosen if chosen in offered else offered[0]


def line_of(unit: Attacker, weapon: str) -> Line:
    """The weapon line of that name."""
    return next(line for line in unit.lines if line.name == weapon)


def view(choices: Choices, state: UnitState) -> View:
    """What a settled state shows."""
    unit = choices.unit(state)
    line = line_of(unit, state.weapon)
    target = next(t for t in choices.targets if t.name == state.target)
    stratagem = choices.stratagems(unit, line)[state.stratagem]
    how = Circumstances(flags=frozenset(state.flags))
    plain = engage(unit, [line], target, how)
    laws = {line.name: plain.outcome.slain}
    remarks = [f"{line.name}: {_abilities(line)}"]
    shown = plain
    if stratagem is not None:
        shown = _best(unit, line, target, stratagem, how)
        laws[f"with {titled(stratagem.name)}"] = shown.outcome.slain
        remarks += _stratagem_remarks(stratagem)
    remarks += [f"Left out: {what}" for what in shown.unmodelled]
    if shown.incomplete:
        remarks.append(f"Not, or not wholly, computed: {', '.join(shown.incomplete)}")
    models = target.target.models
    measure = "models"
    if models == 1:
        measure = "wounds"
        laws = {
            name: result.outcome.damage for name, result in zip(laws, (plain, shown), strict=False)
        }
    most = models if models > 1 else target.target.groups[0].wounds
    frame = survival(laws, most)
    conditions = ", ".join(FLAGS[flag] for flag in state.flags) or "no circumstances"
    chart = survival_curves(frame, state.datasheet, target.name, conditions, measure)
    return View(chart, _numbers(shown, unit), tuple(remarks))


def _best(
    unit: Attacker, line: Line, target: Defender, stratagem: Stratagem, how: Circumstances
) -> Result:
    assumed = stratagem.circumstances(how)
    results = [
        engage(unit, [line], target, assumed.helped(effects, "attacker"))
        for effects in stratagem.variants()
    ]
    return max(results, key=lambda result: result.outcome.damage.mean)


def _abilities(line: Line) -> str:
    count = f"{line.count} carried" if line.count else "an alternative, 1 taken"
    words = ", ".join(str(a) for a in line.abilities) or "no abilities"
    skill = "hits by itself" if line.skill is None else f"{line.skill}+"
    return (
        f"{count}; {line.attacks} attacks, {skill}, S{line.strength}, AP{line.ap}, "
        f"D{line.damage}; {words}"
    )


def _stratagem_remarks(stratagem: Stratagem) -> list[str]:
    remarks = [f"{stratagem.name}: {', '.join(str(e) for e in stratagem.effects)}"]
    if stratagem.assumes:
        remarks.append(f"Taken to hold: {', '.join(stratagem.assumes)}")
    if stratagem.status == "partial":
        remarks.append("Part of this stratagem is not read")
    return remarks


def _numbers(result: Result, unit: Attacker) -> dict[str, str]:
    outcome = result.outcome
    low, high = outcome.damage.quantile(0.1), outcome.damage.quantile(0.9)
    numbers = {
        "Damage, mean": f"{outcome.damage.mean:.2f}",
        "Damage, 10–90 %": f"{low}–{high}",
        "Models slain, mean": f"{outcome.slain.mean:.2f}",
        "P(destroyed)": f"{outcome.destroyed:.1%}",
    }
    if result.points_removed is not None and unit.points:
        per_100 = 100 * result.points_removed / unit.points
        numbers["Points removed per 100"] = f"{per_100:.1f}"
    return numbers

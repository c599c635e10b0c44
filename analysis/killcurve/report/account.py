"""What reports on units tell of their numbers: how they were made, of what, what is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping

import polars as pl

import killcurve
from killcurve.report.document import Column, Section, Table
from killcurve.report.wording import number
from killcurve.rules.spelling import normal
from killcurve.sources.default import load
from killcurve.study.armed import Combatant, combatant, standard_combatants
from killcurve.tables.coverage import coverage_line
from killcurve.tables.dataset import DataError, Dataset

Tell = Callable[[str], None]
"""Told each step; what it raises ends the work."""

MOST = 60
"""Rules of a table that are named on the page; the numbers' files name all."""

EXACT = "Means, quantiles and chances are read off exact distributions; nothing is simulated."
SIZE = (
    "Units are at their smallest size with their default loadout, and cost what their first copy "
    "in an army costs, unless a size is named."
)
WEAPONS = (
    "All models of a unit attack together, each with what does most damage to the target of what "
    "it may use at once; the target is fresh and everything is in range. Shooting and fighting are "
    "counted apart; the better phase is the one in which the target loses more wounds."
)
CIRCUMSTANCES = (
    "Where nothing else is said, no circumstance holds that a rule may ask for: no charge, no half "
    "range, no cover, nobody stood still. No leader, aura, detachment, enhancement or stratagem "
    "counts but where it is named."
)
OWN = (
    "The abilities on both units' datasheets count, but for those that somebody must choose to "
    "use, that ask for words to be true, or that only some models or wargear give."
)
WORTH = (
    "Points of wounds: the target's cost times the share of its wounds that it loses. Points "
    "removed: the cost of the models slain. Both for each 100 points of who attacks, and means "
    "unless a quantile is named."
)
PANEL = (
    "The panel are the {count} standard targets of the data ({source}), each counted once however "
    "common it is: {names}. As attackers they have their default loadouts."
)


def panel(dataset: Dataset) -> list[Combatant]:
    """The units behind the standard targets; a dataset that names none takes the embedded ones."""
    profiles = load() if dataset.target_profiles.is_empty() else dataset
    return standard_combatants(profiles)


def made(
    dataset: Dataset,
    others: Iterable[Combatant],
    *more: str,
    factions: Collection[str] | None,
    common: tuple[str, ...] = (SIZE, WEAPONS, CIRCUMSTANCES),
) -> tuple[str, ...]:
    """The sentences on how numbers were made; ``factions`` are those whose rules are counted.

    ``common`` tells which units attack, with what and when.
    """
    others = list(others)
    whence = (load() if dataset.target_profiles.is_empty() else dataset).about
    told = [EXACT, *common, OWN, WORTH]
    if others:
        names = "; ".join(f"{o.name} {sized(o)}" for o in others)
        source = f"{whence.source} {whence.version}"
        told.append(PANEL.format(count=len(others), source=source, names=names))
    return (*told, *more, f"{coverage_line(dataset, factions)}.")


def sized(unit: Combatant) -> str:
    """Size and cost in brackets."""
    models = unit.attacker.models
    cost = unit.attacker.points
    told = "cost not known" if cost is None else f"{cost} points"
    return f"({number(models, 'model')}, {told})"


def source(dataset: Dataset) -> str:
    """The line about the data, with its day."""
    about = dataset.about
    whose = f" · {about.attribution}" if about.attribution else ""
    return f"{about.footer}{whose} · killcurve {killcurve.__version__}"


def unit_of(dataset: Dataset, text: str) -> Combatant:
    """A unit as it is written: ``Boyz:20@Orks``; it must attack or be attacked.

    Raises:
        DataError: if there is no such unit or size, or the data has neither weapons nor a stat
            line of it.
    """
    name, models, faction = parted(text)
    label = None if models is None else f"{dataset.find(name, faction)[1]} ({models})"
    unit = combatant(dataset, name, faction, models=models, label=label)
    if not unit.attacker.default_lines and unit.defender is None:
        raise DataError(
            f"the data has neither weapons nor a stat line of {unit.name} "
            f"({unit.attacker.faction}): there is nothing to report; import a source that has "
            "(killcurve import --help)"
        )
    return unit


def parted(text: str) -> tuple[str, int | None, str | None]:
    """Name, number of models and faction of a unit as it is written.

    >>> parted("Boyz:20@Orks"), parted("Boyz")
    (('Boyz', 20, 'Orks'), ('Boyz', None, None))
    """
    name, _, faction = text.partition("@")
    bare, colon, models = name.rpartition(":")
    if colon and models.isdecimal() and 0 < int(models) < 1000:
        return bare.strip(), int(models), faction.strip() or None
    return name.strip(), None, faction.strip() or None


def stem(name: str) -> str:
    """A name as a part of a file's name.

    >>> stem("C'tan Shard of the Nightbringer")
    'ctan-shard-of-the-nightbringer'
    """
    kept = "".join(c if c.isalnum() and c.isascii() else " " for c in normal(name).replace("'", ""))
    return "-".join(kept.split()) or "unit"


def named_left_out(found: Iterable[Iterable[str]]) -> pl.DataFrame:
    """What is left out of attacks, and of how many: columns ``rule``, ``attacks``, most first."""
    counted = Counter(rule for rules in found for rule in rules)
    frame = pl.DataFrame(
        list(counted.items()), schema={"rule": pl.String, "attacks": pl.Int64}, orient="row"
    )
    return frame.sort(["attacks", "rule"], descending=[True, False])


def not_computed(left: pl.DataFrame, total: int, *told: str) -> Section:
    """The section that names what is not computed; ``told`` are further sentences."""
    heading = "What is not computed"
    if left.is_empty():
        nothing = "No ability on these datasheets that bears on these attacks is left out."
        return Section(heading, (nothing, *told))
    words = (
        f"{number(left.height, 'rule')} on the datasheets of these units and targets "
        f"{'bears' if left.height == 1 else 'bear'} on the {total:,} attacks computed here and "
        f"{'is' if left.height == 1 else 'are'} not, or not wholly, computed."
    )
    columns = (Column("rule", "Rule"), Column("attacks", "Attacks without it", "whole"))
    note = f"The first {MOST} of {left.height:,}." if left.height > MOST else ""
    table = Table("By name", left.head(MOST), columns, note, more=left.height > 12)
    return Section(heading, (words, *told), (), (table,))


def in_order(rows: pl.DataFrame, others: Iterable[Combatant], of: str = "target") -> pl.DataFrame:
    """The rows with the panel's units in the panel's order, else as they were."""
    place = {other.name: number for number, other in enumerate(others)}
    order = pl.col(of).replace_strict(place, default=len(place), return_dtype=pl.Int64)
    return rows.sort(order, maintain_order=True)


def with_frames(frames: Mapping[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """The frames that have rows."""
    return {name: frame for name, frame in frames.items() if frame.height}

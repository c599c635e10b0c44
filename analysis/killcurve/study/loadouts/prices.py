"""What a unit costs: by its size and copy in the army, for its wargear and an enhancement."""

from __future__ import annotations

from collections import Counter

import polars as pl

from killcurve.rules.spelling import did_you_mean, normal
from killcurve.study.loadouts.value import Loadout
from killcurve.tables.dataset import DataError, Dataset


def cost(
    dataset: Dataset,
    faction: str,
    datasheet: str,
    models: int,
    copy: int = 1,
    army: str | None = None,
) -> int | None:
    """What the ``copy``-th unit of that size costs; between listed sizes the larger one counts.

    ``army`` is the faction of the army where it is another than the unit's: prices printed for
    it, or for a keyword that most of its units have, stand before the unit's own. ``None``
    where the data has no price.

    Raises:
        DataError: if there is no such army, or ``copy`` is below 1.
    """
    if copy < 1:
        raise DataError(f"copy {copy} of {datasheet!r} was asked for: the first one is 1")
    prices = _prices(dataset, faction, datasheet, army).filter(
        (pl.col("copies_from") <= copy)
        & (pl.col("copies_to").is_null() | (pl.col("copies_to") >= copy))
        & (pl.col("models_max") >= models)
    )
    if prices.is_empty():
        return None
    return int(prices.sort("models_max", "models")["cost"][0])


def price(
    dataset: Dataset,
    loadout: Loadout,
    *,
    copy: int = 1,
    army: str | None = None,
    enhancement: str | None = None,
) -> int | None:
    """What a unit with a loadout costs: its size, its wargear (each thing it carries), all in all.

    Models that are paid for one by one do not count for the size. ``None`` where the data has no
    price of the size.

    Raises:
        DataError: if there is no such army or enhancement, or ``copy`` is below 1.
    """
    added, extra = _extras(dataset, loadout)
    base = cost(
        dataset, loadout.faction, loadout.datasheet, loadout.models - added, copy=copy, army=army
    )
    worn = 0
    if enhancement is not None:
        worn = enhancement_cost(dataset, army or loadout.faction, enhancement, loadout.faction)
    return None if base is None else base + extra + worn


def enhancement_cost(
    dataset: Dataset, faction: str, enhancement: str, of_unit: str | None = None
) -> int:
    """What an enhancement of an army costs, by its name, or ``name (detachment)``.

    ``of_unit`` is another faction whose enhancements are looked at as well.

    Raises:
        DataError: if there is none of that name, it has no cost, or detachments have it at
            different costs.
    """
    rows = dataset["enhancements"].filter(pl.col("faction").is_in([faction, of_unit or faction]))
    wanted = normal(enhancement)
    found = {
        f"{row['name']} ({row['detachment']})": row["cost"]
        for row in rows.rows(named=True)
        if wanted in (normal(row["name"]), normal(f"{row['name']} ({row['detachment']})"))
    }
    if not found:
        names = rows["name"].unique(maintain_order=True).to_list()
        raise DataError(
            f"{faction} has no enhancement {enhancement!r}{did_you_mean(enhancement, names)}"
        )
    costs = {value for value in found.values() if value is not None}
    if not costs:
        raise DataError(f"the data has no cost of the enhancement {enhancement!r}")
    if len(costs) > 1:
        told = ", ".join(f"{name}: {value}" for name, value in sorted(found.items()))
        raise DataError(
            f"{enhancement!r} has several costs ({told}): give its detachment in brackets"
        )
    return int(costs.pop())


def _prices(dataset: Dataset, faction: str, datasheet: str, army: str | None) -> pl.DataFrame:
    """The price rows that count in an army: the unit's own, or those for the army."""
    own = dataset.of_unit("points", faction, datasheet)
    if army is None or normal(army) == normal(faction):
        return own
    allied = dataset.of_unit("allied_points", faction, datasheet)
    named = {normal(name): name for name in dataset["factions"]["faction"].unique().to_list()}
    groups = allied["army"].unique(maintain_order=True).to_list()
    if normal(army) not in {*named, *map(normal, groups)}:
        raise DataError(
            f"there is no army {army!r}{did_you_mean(army, [*named.values(), *groups])}"
        )
    for group in sorted(groups, key=lambda group: normal(group) != normal(army)):
        if normal(group) == normal(army) or (
            normal(group) not in named and _mostly(dataset, named[normal(army)], group)
        ):
            return allied.filter(pl.col("army") == group)
    return own


def _mostly(dataset: Dataset, army: str, keyword: str) -> bool:
    """Whether most units of a faction (or of that it belongs to) have a keyword."""
    parents = dataset["factions"].filter(pl.col("faction") == army)["parent"].drop_nulls()
    words = dataset["keywords"].filter(pl.col("faction").is_in([army, *parents.to_list()]))
    units = words.select("faction", "datasheet").unique().height
    with_it = words.filter(pl.col("keyword") == normal(keyword))
    return 2 * with_it.select("faction", "datasheet").unique().height > units


def _extras(dataset: Dataset, loadout: Loadout) -> tuple[int, int]:
    """How many models are paid for one by one, and what these and the wargear cost."""
    rows = dataset.of_unit("wargear_costs", loadout.faction, loadout.datasheet)
    if rows.is_empty():
        return 0, 0
    weapons = dataset.of_unit("weapons", loadout.faction, loadout.datasheet)
    names = dict(weapons.select("weapon_id", "weapon").rows())
    carried: Counter[str] = Counter()
    for item, count in (*loadout.weapons, *loadout.wargear):
        carried[normal(names.get(item, item))] += count
    kinds: Counter[str] = Counter()
    for model, count in loadout.kinds.items():
        kinds[normal(model)] += count
    added = extra = 0
    for item, each, per in rows.select("item", "cost", "per").rows():
        count = (kinds if per == "model" else carried)[normal(item)]
        extra += count * each
        added += count if per == "model" else 0
    return added, extra

"""Two datasets value by value: which rows of one are which rows of the other.

Units are joined by faction and normalised name. Units of a faction that the other dataset lacks
are joined by name alone where exactly one of each is left with that name: its faction may have
another name there. Rows of a unit are joined by their names; where one stat
line of each is left over then, they are taken to be the same (``Kommando``, ``Kommandos``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

from killcurve.tables.dataset import Dataset
from killcurve.tables.naming import faction_key
from killcurve.tables.origins import key_of
from killcurve.tables.schemas import SCHEMAS
from killcurve.tables.stacking import in_form

NOTHING = "–"
"""The value of an empty cell; null is the value of a row that is not there."""

BETWEEN = "\t"
"""Stands between the parts of a key; no normalised name has it."""

OF_RULES = "detachment "
"""Stands before the names of detachments, which are no units."""

ROW = ("table", "place", "key")


@dataclass(frozen=True, slots=True)
class Compared:
    """How a table is compared: the values of its rows, and what a row is called.

    ``thing`` is the column of what the rows belong to, besides the faction.
    """

    columns: tuple[str, ...]
    words: pl.Expr
    thing: str = "datasheet"


_SIZE = (
    pl.col("models").cast(pl.String)
    + pl.when(pl.col("models") == 1).then(pl.lit(" model")).otherwise(pl.lit(" models"))
    + pl.when(pl.col("copies_from") > 1)
    .then(pl.lit(", from copy ") + pl.col("copies_from").cast(pl.String))
    .otherwise(pl.lit(""))
)
_PROFILE = (
    pl.when(pl.col("profile") == "").then(pl.lit("")).otherwise(pl.lit(" – ") + pl.col("profile"))
)
COMPARED: dict[str, Compared] = {
    "datasheets": Compared(("legends", "models_min", "models_max"), pl.lit("datasheet")),
    "models": Compared(
        (
            "move",
            "toughness",
            "save",
            "invulnerable_save",
            "invulnerable_save_against",
            "wounds",
            "leadership",
            "objective_control",
        ),
        pl.col("model"),
    ),
    "weapons": Compared(
        ("range", "attacks", "skill", "strength", "ap", "damage", "keywords"),
        pl.col("weapon") + _PROFILE + " (" + pl.col("kind").cast(pl.String) + ")",
    ),
    "points": Compared(("cost", "models_max", "copies_to"), _SIZE),
    "allied_points": Compared(
        ("cost", "models_max", "copies_to"), _SIZE + " in an army of " + pl.col("army")
    ),
    "wargear_costs": Compared(("cost",), pl.col("item")),
    "enhancements": Compared(
        ("cost",), pl.col("name") + " (" + pl.col("detachment") + ")", thing="detachment"
    ),
    "detachments": Compared(("detachment_points",), pl.col("detachment"), thing="detachment"),
    "stratagems": Compared(
        ("cp",), pl.col("name") + " (" + pl.col("detachment") + ")", thing="detachment"
    ),
}
"""Every table that is compared: prices and profiles."""


def paired(
    old: Dataset, new: Dataset, tables: Iterable[str], editions: tuple[str, str]
) -> pl.DataFrame:
    """Every value of both datasets, side by side; a side that lacks the row is null.

    Columns: ``table``, ``place`` and ``key`` (normalised), ``faction``, ``datasheet`` (empty for
    rules of detachments), ``what``, ``column``, and of each side ``old``, ``old_source``,
    ``old_version``, ``old_date`` and the same with ``new``. Tables of which one side has no rows
    are left out.
    """
    missing = left_out(old, new, editions)
    wanted = [table for table in tables if table not in missing]
    one, two = (
        pl.concat([_values(dataset, table, edition) for table in wanted] or [_nothing()])
        for dataset, edition in zip((old, new), editions, strict=True)
    )
    two = two.with_columns(pl.col("place").replace(_moved(one, two)))
    one, two = _lone_stat_lines(one, two)
    both = _numbered(one).join(
        _numbered(two), on=[*ROW, "column"], how="full", coalesce=True, suffix="_new"
    )
    named = [
        pl.coalesce(f"{name}_new", name).alias(name) for name in ("faction", "datasheet", "what")
    ]
    sides = [
        pl.col(f"{column}{suffix}").alias(f"{side}{'' if column == 'value' else f'_{column}'}")
        for side, suffix in (("old", ""), ("new", "_new"))
        for column in ("value", "source", "version", "date")
    ]
    return both.select(*ROW, *named, "column", *sides)


def held(dataset: Dataset) -> set[str]:
    """The editions that a dataset has rows of."""
    return {e for table in COMPARED for e in dataset[table]["edition"].cast(pl.String).unique()}


def left_out(old: Dataset, new: Dataset, editions: tuple[str, str]) -> list[str]:
    """The tables that cannot be compared, since only one of the datasets has rows of them."""
    sizes = [
        {table: _of_edition(dataset, table, edition).height for table in COMPARED}
        for dataset, edition in zip((old, new), editions, strict=True)
    ]
    return [table for table in COMPARED if (sizes[0][table] == 0) != (sizes[1][table] == 0)]


def _of_edition(dataset: Dataset, table: str, edition: str) -> pl.DataFrame:
    return dataset[table].filter(pl.col("edition").cast(pl.String) == edition)


def _nothing() -> pl.DataFrame:
    return pl.DataFrame(schema=dict.fromkeys((*_OF_ROWS, *_OF_VALUES), pl.String))


_OF_ROWS = ("table", "faction", "datasheet", "place", "what", "key", "source", "version")
_OF_VALUES = ("date", "column", "value")


def _values(dataset: Dataset, table: str, edition: str) -> pl.DataFrame:
    """The values of a table, one row each, with normalised keys."""
    how = COMPARED[table]
    rows = _of_edition(dataset, table, edition)
    is_unit = how.thing == "datasheet"
    kind = "" if is_unit else OF_RULES
    as_text = [
        pl.col(name).list.sort().list.join(", ")
        if isinstance(rows.schema[name], pl.List)
        else pl.col(name).cast(pl.String)
        for name in how.columns
    ]
    thing = in_form(rows[how.thing])
    thing = in_form(rows[how.thing])
    named = rows.select(
        pl.lit(table).alias("table"),
        "faction",
        (pl.col("datasheet") if is_unit else pl.lit("")).alias("datasheet"),
        (in_form(rows["faction"], faction_key) + f"{BETWEEN}{kind}" + thing).alias("place"),
        how.words.alias("what"),
        "source",
        "version",
        key_of(SCHEMAS[table].primary_key()).alias("row"),
        *as_text,
    )
    keyed = named.with_columns(in_form(named["what"]).alias("key"))
    values = keyed.unpivot(how.columns, index=[*_OF_ROWS, "row"], variable_name="column")
    return (
        _from_elsewhere(values, dataset["origins"], table, edition)
        .with_columns(pl.col("value").replace("", None).fill_null(NOTHING))
        .pipe(_dated, dataset)
        .select([*_OF_ROWS, *_OF_VALUES])
    )


def _from_elsewhere(
    values: pl.DataFrame, origins: pl.DataFrame, table: str, edition: str
) -> pl.DataFrame:
    """Values with their own source, where that is another one than their row's."""
    moved = origins.filter(
        (pl.col("table") == table) & (pl.col("edition").cast(pl.String) == edition)
    ).select(pl.col("key").alias("row"), "column", "source", "version")
    joined = values.join(moved, on=["row", "column"], how="left", suffix="_from")
    return joined.with_columns(pl.coalesce(f"{c}_from", c).alias(c) for c in ("source", "version"))


def _dated(values: pl.DataFrame, dataset: Dataset) -> pl.DataFrame:
    pairs = values.select("source", "version").unique()
    days = [dataset.day(*pair) for pair in pairs.rows()]
    dated = pairs.with_columns(pl.Series("date", days, dtype=pl.String))
    return values.join(dated, on=["source", "version"], how="left", maintain_order="left")


def _moved(one: pl.DataFrame, two: pl.DataFrame) -> dict[str, str]:
    """Places of the second that are another place of the first: the only ones of that name.

    Only places of factions that the other lacks are moved (as owners of units, or of rules).
    """
    first, second = (set(side["place"].unique()) for side in (one, two))
    owners = [{_owner(place) for place in places} for places in (first, second)]
    by_name: list[dict[str, str]] = []
    for places, others in ((first - second, owners[1]), (second - first, owners[0])):
        names = {
            place: place.partition(BETWEEN)[2] for place in places if _owner(place) not in others
        }
        times = Counter(names.values())
        by_name.append({name: place for place, name in names.items() if times[name] == 1})
    return {place: by_name[0][name] for name, place in by_name[1].items() if name in by_name[0]}


def _owner(place: str) -> tuple[str, bool]:
    """The faction of a place, and whether it is one of rules."""
    faction, _, name = place.partition(BETWEEN)
    return faction, name.startswith(OF_RULES)


def _lone_stat_lines(one: pl.DataFrame, two: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Stat lines without a name in the key, where one of a unit is left over on each side."""
    lines = [
        side.filter(pl.col("table") == "models").select("place", "key").unique()
        for side in (one, two)
    ]
    left = [
        mine.join(other, on=["place", "key"], how="anti").filter(pl.col("place").is_unique())
        for mine, other in (lines, lines[::-1])
    ]
    both = set(left[0]["place"]) & set(left[1]["place"])
    bare = [
        frame.filter(pl.col("place").is_in(sorted(both))).with_columns(
            pl.lit("models").alias("table"), pl.lit("").alias("bare")
        )
        for frame in left
    ]
    joined = [
        side.join(frame, on=["table", "place", "key"], how="left", maintain_order="left")
        .with_columns(pl.coalesce("bare", "key").alias("key"))
        .drop("bare")
        for side, frame in zip((one, two), bare, strict=True)
    ]
    return joined[0], joined[1]


def _numbered(side: pl.DataFrame) -> pl.DataFrame:
    """Rows of one name are told apart by a number, in the order of their table."""
    number = pl.int_range(1, pl.len() + 1).over([*ROW, "column"])
    again = pl.when(number > 1).then(pl.lit(" #") + number.cast(pl.String)).otherwise(pl.lit(""))
    return side.with_columns(pl.col("what") + again, pl.col("key") + BETWEEN + again)

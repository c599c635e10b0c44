"""Where sources of one edition disagree, and which of them is used."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from killcurve.tables.about import About
from killcurve.tables.cells import SAYS_NONE
from killcurve.tables.collection import Collection
from killcurve.tables.dataset import DataError, Dataset
from killcurve.tables.merging import merged, named
from killcurve.tables.precedence import Precedence
from killcurve.tables.values import NOTHING, held, paired

FIELDS = {
    "models": "profiles",
    "weapons": "profiles",
    "points": "prices",
    "allied_points": "prices",
    "wargear_costs": "prices",
    "enhancements": "prices",
    "detachments": "prices",
    "stratagems": "rules",
}
"""The tables in which sources may disagree, with the field whose precedence decides."""

ONE_PRICE = ("bsdata",)
"""Sources that give the first copy's price and say nothing of further copies."""

SIDES = ("first", "second", "used")
ENDS = ("", "_source", "_version", "_date")
COLUMNS: dict[str, pl.DataType] = dict.fromkeys(
    (
        *("edition", "faction", "datasheet", "table", "what", "column"),
        *(f"{side}{end}" for side in SIDES for end in ENDS),
    ),
    pl.String(),
)
"""What :func:`conflicts` gives, sorted by the first six."""


def conflicts(
    first: Dataset, second: Dataset, order: Sequence[str] = (), edition: str | None = None
) -> pl.DataFrame:
    """Each value that both datasets have and that differs; columns are :data:`COLUMNS`.

    ``order`` names sources to be believed before those of the stated precedence. ``edition`` is
    needed where the datasets have more than one in common.

    Raises:
        DataError: if the datasets have no edition in common, several and none was chosen, or a
            source in ``order`` is not known.
    """
    shared = _shared(first, second, edition)
    apart = _apart(first, second, shared)
    precedence = Precedence.of(order, {*apart["first_source"], *apart["second_source"]})
    used = _first_is_used(apart, precedence)
    return _ordered(
        apart.with_columns(
            pl.when(used).then(f"first{end}").otherwise(f"second{end}").alias(f"used{end}")
            for end in ENDS
        )
    )


def conflicts_within(
    collection: Collection, order: Sequence[str] = (), edition: str | None = None
) -> pl.DataFrame:
    """Each value of a source that is not used, since another source's differs and is believed.

    Columns are :data:`COLUMNS`; ``first`` is the value that is used. ``order`` stands in for
    what the collection prefers.

    Raises:
        DataError: if it has nothing of that edition, or a source in ``order`` is not known.
    """
    if order:
        collection = collection.preferring(order)
    precedence = Precedence(collection.prefer)
    whole = merged(collection.layers, precedence)
    if edition is not None and edition not in whole.editions:
        raise DataError(
            f"there is nothing of the edition {edition!r}, only of {' and '.join(whole.editions)}"
        )
    found = [
        _apart(whole, layer.dataset, layer.about.edition)
        for layer in named(collection.layers, precedence)
        if not layer.borrowed and edition in (None, layer.about.edition)
    ]
    apart = pl.concat(found) if found else _apart(whole, whole, whole.about.edition)
    return _ordered(apart.with_columns(pl.col(f"first{end}").alias(f"used{end}") for end in ENDS))


def _apart(first: Dataset, second: Dataset, edition: str) -> pl.DataFrame:
    """The values that differ and are known on both sides."""
    both = paired(first, second, FIELDS, (edition, edition))
    filled = (pl.col("old") != NOTHING) & (pl.col("new") != NOTHING)
    one_price = pl.any_horizontal(pl.col("old_source", "new_source").is_in(ONE_PRICE))
    says_none = pl.col("column").is_in(SAYS_NONE) & ~((pl.col("column") == "copies_to") & one_price)
    return both.filter((pl.col("old") != pl.col("new")) & (filled | says_none)).select(
        pl.lit(edition).alias("edition"),
        *("faction", "datasheet", "table", "what", "column"),
        *(pl.col(f"old{end}").alias(f"first{end}") for end in ENDS),
        *(pl.col(f"new{end}").alias(f"second{end}") for end in ENDS),
    )


def _ordered(apart: pl.DataFrame) -> pl.DataFrame:
    keys = [*COLUMNS][:6]
    return apart.select(list(COLUMNS)).sort(*keys, "second_source", "second")


def _shared(first: Dataset, second: Dataset, edition: str | None) -> str:
    editions = sorted(held(first) & held(second))
    if edition is not None:
        editions = [edition] if edition in editions else []
    if len(editions) == 1:
        return editions[0]
    if editions:
        raise DataError(f"both datasets have the editions {' and '.join(editions)}: choose one")
    sides = [", ".join(sorted(held(d))) or "none" for d in (first, second)]
    raise DataError(
        f"the datasets have no {edition or 'edition'} in common (they hold {sides[0]} and "
        f"{sides[1]}): only sources of one edition disagree; `killcurve data diff` compares others"
    )


def _first_is_used(apart: pl.DataFrame, precedence: Precedence) -> pl.Series:
    """Whether the first dataset's value is used; where nothing decides, the second's is."""
    columns = ["table", *(f"{side}{end}" for side in ("first", "second") for end in ENDS[1:])]
    chosen = []
    for row in apart.select(columns).rows():
        first, second = (
            About(source, version, "", date or "") for source, version, date in (row[1:4], row[4:])
        )
        chosen.append(precedence.is_before(FIELDS[row[0]], first, second))
    return pl.Series(chosen, dtype=pl.Boolean)

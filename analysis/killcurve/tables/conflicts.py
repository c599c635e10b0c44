"""Where two sources of one edition disagree, and which of them is used."""

from __future__ import annotations

import re
from collections.abc import Sequence

import polars as pl

from killcurve.rules.spelling import did_you_mean
from killcurve.tables.dataset import DataError, Dataset
from killcurve.tables.values import NOTHING, held, paired

PRICES = ("points", "allied_points", "wargear_costs", "enhancements", "detachments")
PROFILES = ("models", "weapons")

PRECEDENCE: dict[str, tuple[str, ...]] = {
    "prices": ("field manual", "page", "wh40kdc", "wahapedia", "bsdata"),
    "profiles": ("page", "wh40kdc", "wahapedia", "bsdata", "field manual"),
}
"""Which source is believed, the first that has a value: of prices, and of profiles.

A source that is not named comes last. Of one source the newer version is believed, and where
nothing else decides, the second dataset. ``field manual`` has prices only.
"""

SAYS_NONE = ("invulnerable_save", "invulnerable_save_against", "skill", "keywords", "copies_to")
"""Columns where an empty cell is a value: it has none. Elsewhere it is not known."""

ONE_PRICE = ("bsdata",)
"""Sources that give the first copy's price and say nothing of further copies."""

COLUMNS: dict[str, pl.DataType] = dict.fromkeys(
    (
        "faction",
        "datasheet",
        "table",
        "what",
        "column",
        "first",
        "first_source",
        "first_version",
        "second",
        "second_source",
        "second_version",
        "used",
        "used_source",
        "used_version",
    ),
    pl.String(),
)
"""What :func:`conflicts` gives, sorted by the first five."""


def conflicts(
    first: Dataset, second: Dataset, order: Sequence[str] = (), edition: str | None = None
) -> pl.DataFrame:
    """Each value that both datasets have and that differs; columns are :data:`COLUMNS`.

    ``order`` names sources to be believed before those of :data:`PRECEDENCE`. ``edition`` is
    needed where the datasets have more than one in common.

    Raises:
        DataError: if the datasets have no edition in common, several and none was chosen, or a
            source in ``order`` is not known.
    """
    shared = _shared(first, second, edition)
    both = paired(first, second, (*PROFILES, *PRICES), (shared, shared))
    filled = (pl.col("old") != NOTHING) & (pl.col("new") != NOTHING)
    one_price = pl.any_horizontal(pl.col("old_source", "new_source").is_in(ONE_PRICE))
    says_none = pl.col("column").is_in(SAYS_NONE) & ~((pl.col("column") == "copies_to") & one_price)
    known = filled | says_none
    apart = both.filter((pl.col("old") != pl.col("new")) & known).rename(
        {
            f"{side}{end}": f"{name}{end}"
            for side, name in (("old", "first"), ("new", "second"))
            for end in ("", "_source", "_version")
        }
    )
    used = _used(apart, _orders(order, apart))
    return (
        apart.with_columns(
            pl.when(used).then(f"first{end}").otherwise(f"second{end}").alias(f"used{end}")
            for end in ("", "_source", "_version")
        )
        .select([*COLUMNS])
        .sort([*COLUMNS][:5])
    )


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


def _orders(order: Sequence[str], apart: pl.DataFrame) -> dict[str, list[str]]:
    """The sources of each kind of table from the one believed first."""
    present = {*apart["first_source"], *apart["second_source"]}
    names = sorted({*PRECEDENCE["prices"], *present})
    for name in order:
        if name not in names:
            raise DataError(
                f"there is no source {name!r}, only {', '.join(names)}{did_you_mean(name, names)}"
            )
    return {
        kind: list(dict.fromkeys((*order, *stated, *names))) for kind, stated in PRECEDENCE.items()
    }


def _used(apart: pl.DataFrame, orders: dict[str, list[str]]) -> pl.Series:
    """Whether the first dataset's value is used, for each row."""
    columns = ("table", "first_source", "first_version", "second_source", "second_version")
    chosen = []
    for table, one, one_version, two, two_version in apart.select(columns).iter_rows():
        order = orders["profiles" if table in PROFILES else "prices"]
        if one == two:
            chosen.append(_number(one_version) > _number(two_version))
        else:
            chosen.append(order.index(one) < order.index(two))
    return pl.Series(chosen, dtype=pl.Boolean)


def _number(version: str) -> list[int]:
    """What versions and dates are compared by.

    >>> _number("1.4.10") > _number("1.4.9")
    True
    """
    return [int(part) for part in re.findall(r"\d+", version)]

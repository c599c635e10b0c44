"""Asking a sweep: lazy frames with names, joined to the results only as far as is asked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from killcurve.study.sweep.store import RESULTS, read_manifest
from killcurve.tables.dataset import DataError

LEADING = (
    *("weapon_id", "effect_set", "armament", "base", "target_class", "attack", "harm"),
    *("target_id", "plain_id", "stat", "attack_half", "target_half"),
)
"""Columns that only lead from one table to another."""

WITHOUT = ("damage", "slain", "destroyed")
"""What is told of the attack without help, too."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """A sweep's results.

    ``results`` has a row for each combination: names and numbers of the weapon, of the help it has
    (``help``, ``detachment``, ``stratagem``, ``enhancement``, ``cp``, …), its ``context``, and of
    the target with the help that has (``target_help``, …); then the outcome: means, standard
    deviations and quantiles of ``damage`` and models ``slain``, the chance ``destroyed``, points
    removed and the same for each 100 points of the weapon's unit and its enhancement. ``gains``
    are the rows in which either side has help, with the outcome ``_without`` it and the gain.
    Both are larger than memory: filter them before they are collected.

    ``weapons``, ``effect_sets`` and ``targets`` are the tables of names, ``left_out`` tells what is
    not computed, and why; ``about`` is the manifest.
    """

    results: pl.LazyFrame
    gains: pl.LazyFrame
    weapons: pl.LazyFrame
    effect_sets: pl.LazyFrame
    targets: pl.LazyFrame
    left_out: pl.LazyFrame
    about: dict[str, Any]


def load_sweep(folder: Path | str) -> Sweep:
    """The results of ``killcurve sweep`` in a folder, as lazy frames.

    Raises:
        DataError: if the folder holds no sweep, or one that is not complete.
    """
    folder = Path(folder)
    about = read_manifest(folder)
    parts = sorted((folder / RESULTS).glob("part-*.parquet"))
    if len(parts) != about["parts"]:
        raise DataError(
            f"the sweep in {folder} has {len(parts)} of {about['parts']} parts: run the same "
            "`killcurve sweep` again, it goes on where it was"
        )
    made = Joining(folder, pl.scan_parquet(parts))
    rows = made.rows().with_columns(_points("slain"))
    gains = made.with_base(made.rows().filter(_has_help())).with_columns(
        *_points("slain"), *_points("slain_without", suffix="_without"), *_gains()
    )
    return Sweep(
        results=rows.drop(LEADING),
        gains=gains.with_columns(_gain("points_removed")).drop(LEADING),
        weapons=made.table("weapons"),
        effect_sets=made.table("effect_sets"),
        targets=made.table("targets"),
        left_out=made.table("left_out"),
        about=about,
    )


def _has_help() -> pl.Expr:
    return (pl.col("help") != "none") | (pl.col("target_help") != "none")


def _points(slain: str, suffix: str = "") -> list[pl.Expr]:
    """Points removed, and for each 100 of the attacker's."""
    removed = pl.col(slain) * pl.col("target_points") / pl.col("target_models")
    own = pl.col("points") + pl.col("cost").fill_null(0)
    each = pl.when(own > 0).then(100 * removed / own)
    return [
        removed.alias(f"points_removed{suffix}"),
        each.alias(f"points_removed_per_100{suffix}"),
    ]


def _gains() -> list[pl.Expr]:
    return [_gain(name) for name in WITHOUT]


def _gain(name: str) -> pl.Expr:
    return (pl.col(name) - pl.col(f"{name}_without")).alias(f"gain_{name}")


class Joining:
    """Joins the tables of a folder: filters on names reach the small tables first."""

    def __init__(self, folder: Path, outcomes: pl.LazyFrame) -> None:
        self._folder = folder
        self._outcomes = outcomes

    def table(self, name: str) -> pl.LazyFrame:
        """One of the small tables."""
        return pl.scan_parquet(self._folder / f"{name}.parquet")

    def rows(self) -> pl.LazyFrame:
        """Every combination with its names and its outcome."""
        lines = self.named(self.table("lines")).join(self.table("armaments"), on="armament")
        targets = self.table("classes").join(self.table("targets"), on="target_id")
        return self.resolved(lines.join(targets, on="target_class"))

    def named(self, lines: pl.LazyFrame) -> pl.LazyFrame:
        """Lines with the names of their weapons and their help."""
        return lines.join(self.table("weapons"), on="weapon_id").join(
            self.table("effect_sets"), on="effect_set"
        )

    def resolved(self, rows: pl.LazyFrame, outcomes: pl.LazyFrame | None = None) -> pl.LazyFrame:
        """Rows that know their sides and their targets, with the outcome of each."""
        outcomes = self._outcomes if outcomes is None else outcomes
        return (
            rows.join(self.table("attack_keys"), on=["attack", "toughness"])
            .join(self.table("target_keys"), on=["harm", "stat"])
            .join(outcomes, on=["target_half", "attack_half"])
        )

    def with_base(self, rows: pl.LazyFrame) -> pl.LazyFrame:
        """The rows with the outcome of the same attack where neither side has help."""
        leading = ["attack", "harm", "target_class", "attack_half", "target_half"]
        renamed = rows.rename({name: f"{name}_helped" for name in leading})
        base = self.table("armaments").rename({"armament": "base"})
        classes = self.table("classes").rename({"target_id": "plain_id"})
        found = renamed.join(base, on="base").join(classes, on=["target_class", "plain_id"])
        without = self._outcomes.select(
            "attack_half",
            "target_half",
            *(pl.col(name).alias(f"{name}_without") for name in WITHOUT),
        )
        return self.resolved(found, without).drop(f"{name}_helped" for name in leading)

"""What the tests of the sweep share: a small world, and one row of a sweep asked singly."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl
from killcurve.rules.effects import Effect
from killcurve.rules.spelling import normal
from killcurve.study.lines import attacker
from killcurve.study.matchup import Circumstances, Result, attack
from killcurve.study.sweep.load import Joining
from killcurve.study.targets import defender
from killcurve.tables.dataset import Dataset

FACTIONS = ("Drukhari", "Leagues of Votann", "Necrons")


def part_of(dataset: Dataset, factions: tuple[str, ...] = FACTIONS) -> Dataset:
    """The dataset with these factions only."""
    return Dataset(
        dataset.about,
        {
            name: frame.filter(pl.col("faction").is_in([*factions, ""]))
            if "faction" in frame.columns
            else frame
            for name, frame in dataset.tables.items()
        },
        {},
    )


def flags_and_words(assumed: list[str], known: tuple[str, ...]) -> tuple[set[str], set[str]]:
    flags = {text for text in assumed if text in known}
    return flags, {normal(text) for text in assumed} - flags


def asked_singly(dataset: Dataset, row: Mapping[str, Any], flags: tuple[str, ...]) -> Result:
    """The attack that a row of a sweep is about, made by itself."""
    unit = attacker(dataset, row["datasheet"], row["faction"])
    (line,) = (
        line
        for line in unit.lines
        if (line.weapon, line.profile, line.kind) == (row["weapon"], row["profile"], row["kind"])
        and (str(line.attacks), line.skill) == (row["attacks"], row["skill"])
        and [str(a) for a in line.abilities] == row["abilities"]
    )
    own, ticked = flags_and_words(row["assumes"], flags)
    theirs, also = flags_and_words(row["target_assumes"], flags)
    theirs = {flag.replace("unit_below", "target_below") for flag in theirs}
    context = set(filter(None, row["context"].split(", ")))
    how = Circumstances(
        flags=frozenset(context | (own - CONTEXTS) | (theirs - CONTEXTS)),
        ticked=frozenset(ticked | also),
        attacker_effects=tuple(map(Effect.parse, row["effects"])),
        target_effects=tuple(map(Effect.parse, row["target_effects"])),
    )
    return attack(unit, [line], defender(dataset, row["target"], row["target_faction"]), how)


CONTEXTS = {"half_range", "cover", "stationary", "charged"}


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Every file of a sweep."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def any_rows(folder: Path, number: int, seed: int) -> list[dict[str, Any]]:
    """So many rows of a sweep, each of another line against any of its targets."""
    made = Joining(folder, pl.scan_parquet(sorted((folder / "results").glob("*.parquet"))))
    lines = made.table("lines").collect().sample(number, seed=seed).lazy()
    reached = lines.join(made.table("armaments"), on="armament").join(
        made.table("classes"), on="target_class"
    )
    one_each = ["weapon_id", "effect_set", "context", "armament"]
    chosen = (
        reached.sort(*one_each, "target_id")
        .collect()
        .sample(fraction=1.0, shuffle=True, seed=seed)
        .unique(one_each, keep="first", maintain_order=True)
        .lazy()
    )
    rows = made.named(chosen).join(made.table("targets"), on="target_id")
    return made.with_base(made.resolved(rows)).collect().to_dicts()


def error(row: Mapping[str, Any], expected: Result) -> float:
    """The largest difference between a row and the same attack by itself."""
    outcome = expected.outcome
    pairs = [(row["destroyed"], outcome.destroyed)]
    for name, law in (("damage", outcome.damage), ("slain", outcome.slain)):
        pairs += [(row[name], law.mean), (row[f"{name}_sd"], law.sd)]
        pairs += [(row[f"{name}_p{p}"], law.quantile(p / 100)) for p in (10, 50, 90)]
    return max(abs(one - other) for one, other in pairs)

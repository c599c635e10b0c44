"""The loadouts of a unit that do most against what is compared: long work with a bar."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from killcurve.explore.background import Progress
from killcurve.explore.compare_state import (
    MOST,
    CompareState,
    answers,
    column_of,
    measured,
)
from killcurve.explore.unit_state import PHASES, Choices, UnitState, default_counts
from killcurve.rules.modifiers import BIG
from killcurve.study.lines import attackers
from killcurve.study.loadouts import legal_loadouts

MOST_TRIED = 200


def versions(choices: Choices, entry: UnitState) -> list[UnitState]:
    """The unit once with each set of weapons that its legal loadouts bring into the phase.

    Its points stay those of the loadout that it has of itself.
    """
    found = legal_loadouts(
        choices.dataset,
        entry.datasheet,
        entry.faction,
        models=entry.models,
        limit=MOST_TRIED,
    )
    kind = PHASES[entry.phase]
    made: dict[tuple[tuple[str, int], ...], None] = {}
    for unit in attackers(choices.dataset, found):
        lines = [line for line in unit.default_lines if line.kind == kind]
        if lines:
            made[default_counts(lines, big=bool(unit.keywords & BIG))] = None
    return [replace(entry, weapons=weapons) for weapons in made]


def best_loadouts(choices: Choices, state: CompareState, progress: Progress) -> CompareState:
    """The state with the versions of its chosen entry that do most, the best first.

    Raises:
        Cancelled: if the person has asked to stop.
    """
    entry = state.entries[state.chosen]
    tried = versions(choices, entry)
    column, _ = column_of(state)
    worth = []
    for number, version in enumerate(tried):
        progress.step(number, len(tried))
        alone = replace(state, entries=(version,), chosen=0)
        found = measured(list(answers(choices, alone)))
        mean = found.select(pl.col(column).mean()).item()
        worth.append((-(mean or 0.0), number))
    best = [tried[number] for _, number in sorted(worth)[:MOST]]
    return replace(state, entries=tuple(best) or state.entries, chosen=0)

"""Running a sweep: plan, compute what is not there yet, keep each part as it comes."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Any

from killcurve.study.sweep.parts import Part
from killcurve.study.sweep.plan import PAIRS_A_PART, Plan, Say, make_plan
from killcurve.study.sweep.store import Store
from killcurve.study.sweep.workers import Done, computed_here, computed_on
from killcurve.tables.dataset import Dataset

Progress = Callable[[int, int], object]
"""Told how many outcomes are done, and of how many."""


@dataclass(frozen=True, slots=True)
class Swept:
    """What a run came to.

    ``seconds`` are those of this run, ``rate`` the combinations for each of them,
    ``peak_rss_mb`` the most memory of this process and its workers, ``files`` how many there are.
    ``planning`` are the seconds of ``seconds`` until the first part was begun, ``computed`` the
    outcomes of this run.
    """

    combinations: int
    distinct: int
    seconds: float
    rate: float
    peak_rss_mb: float
    files: int
    planning: float
    computed: int

    def to_dict(self) -> dict[str, Any]:
        """The form for JSON."""
        told = asdict(self)
        return {name: told[name] for name in tuple(told)[:6]}


def sweep(
    dataset: Dataset,
    folder: Path | str,
    edition: str = "11e",
    *,
    faction: str | None = None,
    limit: int | None = None,
    full: bool = False,
    workers: int | None = None,
    cluster: str | None = None,
    pairs_a_part: int = PAIRS_A_PART,
    say: Say = lambda _: None,
    progress: Progress = lambda *_: None,
) -> Swept:
    """Compute every weapon × set of effects × context × target of a dataset into a folder.

    ``faction`` and ``limit`` (weapon profiles) make it smaller, ``full`` keeps distributions,
    too. So many outcomes (``pairs_a_part``) are written together. ``workers`` are local processes
    (``None``: as many as cores), ``cluster`` is the address of a ``dask.distributed`` scheduler
    instead. A run that was cut off goes on where it was.

    Raises:
        DataError: if there is no such faction, or the folder holds something else.
    """
    start = perf_counter()
    plan = make_plan(dataset, edition, faction=faction, limit=limit, say=say)
    plan = replace(plan, pairs_a_part=pairs_a_part)
    for line in plan.describe().splitlines():
        say(line)
    store = Store(folder)
    about = {
        "edition": edition,
        "faction": faction,
        "limit": limit,
        "full": full,
        "pairs_a_part": pairs_a_part,
        "data": asdict(dataset.about),
    }
    digest = plan.digest()
    left = store.begin(plan, digest, about)
    planned = perf_counter()
    processes = workers or len(os.sched_getaffinity(0))
    parts = [(number, part) for number, part in enumerate(_parts(plan, full)) if number in left]
    rows = sum(part.rows for _, part in parts)
    if rows < plan.distinct:
        say(f"{plan.distinct - rows:,} outcomes are there already")
    done = 0
    with closing(_compute(plan, digest, parts, processes, cluster)) as made:
        sizes = {number: part.rows for number, part in parts}
        for number, content in made:
            store.write_part(number, content)
            done += sizes[number]
            progress(done, rows)
    seconds = perf_counter() - start
    return Swept(
        combinations=plan.combinations,
        distinct=plan.distinct,
        seconds=round(seconds, 3),
        rate=round(plan.combinations / seconds, 1),
        peak_rss_mb=round(_peak(1 if cluster else min(processes, max(1, len(parts)))), 1),
        files=sum(1 for _ in store.files()),
        planning=round(planned - start, 3),
        computed=done,
    )


def _parts(plan: Plan, full: bool) -> Iterator[Part]:
    for halves in plan.parts():
        edges = plan.starts[halves.start : halves.stop + 1]
        yield Part(
            halves.start,
            tuple(plan.target_halves[halves]),
            tuple(plan.met[low:high] for low, high in pairwise(edges)),
            full,
        )


def _compute(
    plan: Plan, digest: str, parts: list[tuple[int, Part]], processes: int, cluster: str | None
) -> Generator[Done, None, None]:
    if cluster is not None and parts:
        yield from computed_on(cluster, plan.attack_laws, parts, digest[:16])
    elif parts:
        yield from computed_here(plan.attack_laws, parts, min(processes, len(parts)))


def _peak(processes: int) -> float:
    """The most memory, in MB, of this process and its workers: each is taken for the largest."""
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return (own + processes * largest) / 1024

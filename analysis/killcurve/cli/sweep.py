"""The shell's verb for the whole game at once."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from killcurve.cli.datasets import Folder, say

if TYPE_CHECKING:
    from killcurve.study.sweep.run import Progress, Swept


def sweep(
    out: Annotated[Path, typer.Option("--out", help="The folder to write; or to go on with.")],
    edition: Annotated[str, typer.Option("--edition", help="The rule state: 11e, 10e, …")] = "11e",
    faction: Annotated[
        str | None, typer.Option("--faction", help="Weapons of this faction only.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="The first so many weapon profiles only.")
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Keep whole distributions, too.")] = False,
    workers: Annotated[
        int | None, typer.Option("--workers", min=1, help="Local processes; else one a core.")
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option("--cluster", help="The address of a dask.distributed scheduler, instead."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="End with one JSON object.")] = False,
    data: Folder = None,
) -> None:
    """Compute every weapon with every help it may have against every target.

    A run that was cut off goes on where it was.

    Example: killcurve sweep --faction Necrons --out necrons
    """
    from json import dumps

    from killcurve.sources.default import load
    from killcurve.study.sweep.run import sweep as run

    say("loading the tables")
    with _progress() as progress:
        swept = run(
            load(data),
            out,
            edition,
            faction=faction,
            limit=limit,
            full=full,
            workers=workers,
            cluster=cluster,
            say=say,
            progress=progress,
        )
    print(dumps(swept.to_dict()) if json else _in_words(swept, out))


@contextmanager
def _progress() -> Iterator[Progress]:
    """A bar with rate and time left on standard error, where that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

    text = TextColumn("{task.completed:,} of {task.total:,} outcomes, {task.fields[rate]:,.0f}/s")
    with Progress(
        text, BarColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True
    ) as bar:
        started: list[TaskID] = []

        def progress(done: int, of: int) -> None:
            if not started:  # planning comes before, and says itself what it does
                started.append(bar.add_task("", total=of, rate=0.0))
            elapsed = bar.tasks[0].elapsed or 0.0
            rate = done / elapsed if elapsed else 0.0
            bar.update(started[0], completed=done, total=of, rate=rate)

        yield progress


def _in_words(swept: Swept, out: Path) -> str:
    computing = swept.seconds - swept.planning
    rate = swept.computed / computing if computing > 0 else 0.0
    return (
        f"{out}: {swept.combinations:,} combinations, {swept.distinct:,} distinct outcomes\n"
        f"{swept.seconds:.1f} s ({swept.planning:.1f} s of planning, then {rate:,.0f} outcomes a "
        f"second), {swept.rate:,.0f} combinations a second\n"
        f"{swept.peak_rss_mb:,.0f} MB of memory at most, {swept.files} files"
    )

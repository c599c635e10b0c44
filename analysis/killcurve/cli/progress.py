"""Long verbs: what is being done, for as long as a person looks, and an end on Ctrl-C."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

STOPPED = 130
"""The exit status of a process that an interrupt ended."""


@contextmanager
def importing(into: Path) -> Iterator[Callable[[str], None]]:
    """Gives what tells each step on standard error, where that is a terminal.

    Ctrl-C ends in one line, which says what became of the folder.
    """
    before = _state(into)
    try:
        if sys.stderr.isatty():
            with _shown() as tell:
                yield tell
        else:
            yield lambda _: None
    except KeyboardInterrupt:
        if _state(into) != before:
            told = f"the import was done: {into} has it"
        elif before:
            told = f"{into} is as it was"
        else:
            told = "nothing was written"
        print(f"killcurve: stopped; {told}", file=sys.stderr)
        raise typer.Exit(STOPPED) from None


@contextmanager
def watching() -> Iterator[Callable[[str], None]]:
    """Gives what tells each step of work that writes nothing; Ctrl-C ends it in one line."""
    try:
        if sys.stderr.isatty():
            with _shown() as tell:
                yield tell
        else:
            yield lambda _: None
    except KeyboardInterrupt:
        print("killcurve: stopped", file=sys.stderr)
        raise typer.Exit(STOPPED) from None


@contextmanager
def _shown() -> Iterator[Callable[[str], None]]:
    """A line with the step and the time it takes, which goes when all is done."""
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("starting", total=None)
        yield lambda step: progress.update(task, description=step)


def _state(into: Path) -> bytes:
    """What tells whether a folder's dataset is another one."""
    try:
        return (into / "about.json").read_bytes()
    except OSError:
        return b""

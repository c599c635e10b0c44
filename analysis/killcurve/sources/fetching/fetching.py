"""Fetching a plan into a folder: what has changed comes, in one step or not at all.

Files come into ``.fetching`` inside the folder. When all are there, they replace the old ones
together with the manifest, so a folder never holds the files of two updates. After an
interruption, the next run goes on with what ``.fetching`` holds.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from killcurve.sources.fetching.plans import Plan, bsdata, points, wahapedia
from killcurve.sources.fetching.run import STAGE, Fetched, Run, Say
from killcurve.sources.fetching.transport import POLITE, Manners
from killcurve.tables import storage
from killcurve.tables.dataset import DataError


def fetch_wahapedia(edition: str, into: Path, say: Say) -> Fetched:
    """Fetch the Wahapedia export of an edition (``10e``, ``11e``) into a folder."""
    return fetch(wahapedia(edition), into, say=say)


def fetch_bsdata(edition: str, into: Path, say: Say) -> Fetched:
    """Fetch the BSData catalogues of an edition (``10e``, ``11e``) into a folder."""
    return fetch(bsdata(edition), into, say=say)


def fetch_points(into: Path, say: Say) -> Fetched:
    """Fetch the points of the 11th edition into a folder."""
    return fetch(points(), into, say=say)


def fetch(
    plan: Plan,
    into: Path,
    *,
    say: Say,
    base: str | None = None,
    manners: Manners = POLITE,
    every: bool = False,
) -> Fetched:
    """Bring a folder up to date with a source; ``say`` is told each step.

    Where the source's own mark of its last update stands as before, the other files are not
    asked for, unless ``every`` is given. ``base`` is another server to ask.

    Raises:
        DataError: if a file cannot be had, or the folder is another source's; the folder's files
            are the old ones then.
    """
    try:
        with _held(into):
            settle(into)
            return Run(plan.at(base) if base else plan, into, say, manners, every).run()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise DataError(f"{into} cannot be written: {error.strerror or error}") from error


def settle(into: Path) -> None:
    """Finish a replacement that was cut off in its last step; whoever reads a folder may call it.

    Folders in which no replacement was cut off are left alone.
    """
    if (into / storage.COMMIT).exists():
        storage.finish(into)


@contextlib.contextmanager
def _held(into: Path) -> Iterator[None]:
    """Hold a folder for one run at a time; a killed run's hold ends with it."""
    stage = into / STAGE
    stage.mkdir(parents=True, exist_ok=True)
    try:
        with _locked(into):
            yield
    finally:
        for folder in (stage, into):
            with contextlib.suppress(OSError):  # what holds something stays
                folder.rmdir()


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    if sys.platform == "win32":  # a folder cannot be locked there
        yield
        return
    import fcntl

    place = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DataError(f"another run is fetching into {folder}: wait for it") from None
        yield
    finally:
        os.close(place)

"""Writing files so that a killed process leaves the old ones or the new ones, never a mixture.

A set of files is replaced in three steps: every new file is written beside the old one as
``name.new`` and flushed; a small ``.commit`` file naming them is put in place in one step; the
files are renamed and ``.commit`` is removed. Whoever finds a ``.commit`` finishes the renames,
so from that one step on the new set stands.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path

COMMIT = ".commit"


def write_file(path: Path, content: bytes) -> None:
    """Write one file in one step."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    _write_through(fresh, lambda p: p.write_bytes(content))
    fresh.replace(path)


def replace_files(folder: Path, writers: Mapping[str, Callable[[Path], object]]) -> None:
    """Write a set of files of one folder in one step; each writer gets the path to write.

    Files of the folder that are not named stay as they are.
    """
    folder.mkdir(parents=True, exist_ok=True)
    finish(folder)
    for name, write in writers.items():
        _write_through(folder / f"{name}.new", write)
    write_file(folder / COMMIT, json.dumps(sorted(writers)).encode())
    finish(folder)


def finish(folder: Path) -> None:
    """Finish a replacement that was cut off after its decisive step, and drop older leftovers."""
    commit = folder / COMMIT
    if commit.exists():
        for name in json.loads(commit.read_text()):
            fresh = folder / f"{name}.new"
            if fresh.exists():
                fresh.replace(folder / name)
        commit.unlink(missing_ok=True)
    for leftover in folder.glob("*.new"):
        leftover.unlink(missing_ok=True)


def _write_through(path: Path, write: Callable[[Path], object]) -> None:
    write(path)
    with path.open("rb+") as file:
        os.fsync(file.fileno())

"""Folders that are there whole or not at all, named by what they hold, and a lock for writers.

Files that belong together are written into a folder of their own, which gets its name when it is
whole. What a reader sees is decided by a small file that names such folders: it is replaced in
one step, so that readers need no lock, and whoever is killed leaves the old set or the new one.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

LOCK = ".lock"
UNFINISHED = ".unfinished-"
DIGITS = 12
"""How many of a digest's a folder's name has."""
OLD = 3600.0
"""Seconds after which an unfinished folder is taken to be a dead process's."""

Writers = Mapping[str, Callable[[Path], object]]


def put(parent: Path, name: str, writers: Writers) -> str:
    """Write files into a new folder of ``parent``, whole or not at all, and give its name.

    That is ``name`` with a digest of the content: the same files make the same folder, and one
    that is there already stays. Each writer gets the path to write; names may have a ``/``.
    """
    parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=parent))
    try:
        for file, write in writers.items():
            path = fresh / file
            path.parent.mkdir(parents=True, exist_ok=True)
            write(path)
            _flush(path)
        fresh.chmod(0o777 & ~_umask())
        final = parent / f"{name}-{digest(fresh)[:DIGITS]}"
        if final.is_dir() and digest(final) != digest(fresh):
            shutil.rmtree(final)
        if not final.is_dir():
            _flush(fresh)
            fresh.replace(final)
            _flush(parent)
        return final.name
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def digest(folder: Path) -> str:
    """A digest of the names and contents of all files below a folder."""
    whole = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        whole.update(f"{path.relative_to(folder).as_posix()}\0{content}\n".encode())
    return whole.hexdigest()


def sweep(folder: Path, keep: Iterable[str], prefix: str = "") -> None:
    """Remove the folders named ``prefix-…`` that are not to be kept, and old unfinished ones.

    Without a prefix all other folders go.
    """
    kept = frozenset(keep)
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.name.startswith(UNFINISHED):
            gone = _age(path) > OLD
        else:
            gone = path.name.startswith(f"{prefix}-" if prefix else "") and path.name not in kept
        if gone and path.is_dir():
            shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def only_writer(folder: Path) -> Iterator[None]:
    """Wait until no other process writes into a folder, and keep others waiting.

    The system lifts the lock of a process that dies. Where it has no locks, there are none. A
    folder that was made for nothing is removed.
    """
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with (folder / LOCK).open("a+b") as file:
            with contextlib.suppress(ImportError, OSError):
                _lock(file.fileno())
            yield
    finally:
        if is_new and [path.name for path in folder.iterdir()] == [LOCK]:
            (folder / LOCK).unlink()
            folder.rmdir()


def _lock(descriptor: int) -> None:
    if os.name == "nt":
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)  # type: ignore[attr-defined,unused-ignore]
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX)


def _flush(path: Path) -> None:
    """See to it that a file, or the names in a folder, are on the disk."""
    if path.is_dir() and os.name == "nt":
        return  # folders cannot be opened there
    descriptor = os.open(path, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _age(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except OSError:
        return 0.0


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask

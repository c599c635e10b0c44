"""What was fetched: each file's address, times, validators, size and hash, as JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime
from pathlib import Path

from killcurve.tables.dataset import DataError

MANIFEST = "fetched.manifest"
"""Its name is not ``.json``: readers of catalogues take all JSON files of a folder."""
MOST_BYTES = 4_000_000


@dataclass(frozen=True, slots=True)
class Entry:
    """One file as it was fetched at ``time`` (UTC), and ``checked`` against its source since."""

    address: str
    time: str
    checked: str
    etag: str
    last_modified: str
    size: int
    sha256: str

    def is_of(self, content: bytes | None) -> bool:
        """Whether a file's content is the one that was fetched."""
        return (
            content is not None
            and len(content) == self.size
            and hashlib.sha256(content).hexdigest() == self.sha256
        )

    def age(self) -> float:
        """Seconds since it was checked; endless if that time is unreadable or to come."""
        try:
            seconds = (datetime.now(UTC) - datetime.fromisoformat(self.checked)).total_seconds()
        except (ValueError, TypeError):
            return float("inf")
        return seconds if seconds >= 0 else float("inf")

    def checked_now(self) -> Entry:
        """The same, checked now."""
        return replace(self, checked=now())


@dataclass(slots=True)
class Manifest:
    """The files of one source in a folder; ``gone`` are those that it does not have any more."""

    source: str
    credit: str = ""
    stamp: str = ""
    files: dict[str, Entry] = field(default_factory=dict)
    gone: dict[str, Entry] = field(default_factory=dict)

    def to_bytes(self) -> bytes:
        """As JSON, sorted."""
        return (json.dumps(asdict(self), indent=1, sort_keys=True) + "\n").encode()

    def save(self, path: Path) -> None:
        """Write it in one step."""
        put(path, self.to_bytes())

    @classmethod
    def load(cls, path: Path) -> Manifest | None:
        """The manifest of a path, if there is one.

        Raises:
            DataError: if there is something else.
        """
        try:
            with path.open("rb") as file:
                content = file.read(MOST_BYTES + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise DataError(f"{path} cannot be read: {error.strerror or error}") from error
        try:
            raw = json.loads(content)
            return cls(
                source=str(raw["source"]),
                credit=str(raw["credit"]),
                stamp=str(raw["stamp"]),
                files=_entries(raw["files"]),
                gone=_entries(raw["gone"]),
            )
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise DataError(
                f"{path} is no list of fetched files: fetch into another folder, or remove this one"
            ) from None


def entry(address: str, content: bytes, etag: str, last_modified: str) -> Entry:
    """The entry of a file that came just now."""
    time = now()
    digest = hashlib.sha256(content).hexdigest()
    return Entry(address, time, time, etag, last_modified, len(content), digest)


def put(path: Path, content: bytes) -> None:
    """Write one passing file in one step.

    Nothing waits for the disk: what a power cut spoils is known by its hash and fetched again.
    """
    fresh = path.with_name(f"{path.name}.new")
    fresh.write_bytes(content)
    fresh.replace(path)


def git_hash(content: bytes) -> str:
    """The hash that Git knows a file by.

    >>> git_hash(b"")
    'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'
    """
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def now() -> str:
    """The time in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _entries(raw: Mapping[str, Mapping[str, str | int]]) -> dict[str, Entry]:
    """Entries whose names stay in their folder."""
    out = {}
    for name, values in raw.items():
        if Path(name).name != name or "\\" in name or name.startswith("."):
            raise ValueError(name)
        texts = {f.name: str(values[f.name]) for f in fields(Entry) if f.name != "size"}
        out[name] = Entry(size=int(values["size"]), **texts)
    return out

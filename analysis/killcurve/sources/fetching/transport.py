"""One file from one address: patient, bounded, and never more than one request at a time."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from email.utils import parsedate_to_datetime
from http.client import HTTPException, HTTPResponse
from importlib.metadata import version as version_of
from pathlib import Path

from killcurve.sources.fetching import forms
from killcurve.sources.fetching.manifest import put
from killcurve.sources.fetching.opening import Passing, answering
from killcurve.sources.fetching.plans import MOST_BYTES
from killcurve.tables.dataset import DataError

AGENT = f"killcurve/{version_of('killcurve')} (+https://pypi.org/project/killcurve/)"
"""Who asks, and where to read about it; nothing about the person."""

_CHUNK = 65_536
_GONE = {401, 403, 404, 405, 410, 451}
_LATER = {408, 425, 429}


@dataclass(frozen=True, slots=True)
class Manners:
    """How requests are spaced, tried again and bounded; times in seconds.

    ``pause`` lies between requests, ``timeout`` is for one answer or piece of it, ``most_time``
    for one file. ``backoff`` doubles from one of the ``attempts`` to the next; a wait that a
    server asks for is kept up to ``longest_wait``. What was checked less than ``recent`` ago is
    not asked for again after an interruption.
    """

    pause: float = 1.0
    timeout: float = 30.0
    most_time: float = 600.0
    attempts: int = 4
    backoff: float = 2.0
    longest_wait: float = 120.0
    recent: float = 3600.0
    most_bytes: int = MOST_BYTES


POLITE = Manners()


@dataclass(frozen=True, slots=True)
class Version:
    """The version of a file that is at hand, as its server named it."""

    etag: str = ""
    last_modified: str = ""

    def if_changed(self) -> dict[str, str]:
        """Headers that ask for the file only if it is another one by now."""
        headers = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in headers.items() if value}

    def if_same(self) -> str:
        """What a range may be asked for with; weak tags do not do."""
        return self.etag if self.etag and not self.etag.startswith("W/") else self.last_modified


@dataclass(frozen=True, slots=True)
class Errand:
    """What to get: ``address`` into the file ``part``, unless ``known`` is still the version."""

    label: str
    address: str
    part: Path
    known: Version | None
    way_out: str


def get(errand: Errand, manners: Manners, say: Callable[[str], None]) -> Version | None:
    """Get a file; what an earlier attempt left in ``part`` is completed, not fetched again.

    Returns the version that ``part`` now holds, or ``None`` if the known one still stands.

    Raises:
        DataError: if the file cannot be had; with the address, why, and the way out.
    """
    why = ""
    for attempt in range(manners.attempts):
        try:
            return _once(errand, manners, say)
        except Passing as trouble:
            why = str(trouble)
            wait = manners.backoff * 2**attempt if trouble.wait is None else trouble.wait
        if wait > manners.longest_wait:
            why += f", and it asks to wait {wait:,.0f} seconds: fetch again then"
            break
        if attempt + 1 < manners.attempts:
            say(f"{errand.label}: {why}; trying again in {wait:.0f} s")
            time.sleep(wait)
    else:
        why += f" ({manners.attempts} attempts)"
    raise DataError(
        f"{errand.address} {why}. What has come so far is kept, and fetching again goes on from "
        f"there. If it stays so, {errand.way_out}"
    )


def _once(errand: Errand, manners: Manners, say: Callable[[str], None]) -> Version | None:
    """One attempt."""
    begun, version = _begun(errand)
    headers = {"User-Agent": AGENT, "Accept": "*/*", "Accept-Encoding": "identity"}
    if begun:
        headers |= {"Range": f"bytes={begun}-", "If-Range": version.if_same()}
    elif errand.known:
        headers |= errand.known.if_changed()
    deadline = time.monotonic() + manners.most_time
    with answering(errand.address, headers, manners.timeout) as answer:
        if answer.status == 304 and errand.known and not begun:
            return None
        if answer.status == 416:
            errand.part.unlink(missing_ok=True)
            raise Passing("has no such part of the file any more", 0)
        _check_status(answer, errand, in_part=begun > 0)
        _check_kind(answer, errand)
        if answer.status == 206:
            if not _goes_on(answer, begun, version):
                errand.part.unlink(missing_ok=True)
                raise Passing("sent another part of the file than was asked for", 0)
        else:
            begun = 0
            version = Version(answer.headers["ETag"] or "", answer.headers["Last-Modified"] or "")
            errand.part.write_bytes(b"")
            note = {"address": errand.address, **asdict(version)}
            put(_note(errand.part), json.dumps(note).encode())
        _body(answer, begun, errand, manners, deadline, say)
    return version


def _goes_on(answer: HTTPResponse, begun: int, version: Version) -> bool:
    """Whether a part of a file is the one that is wanted, and of the same version."""
    tag = answer.headers["ETag"] or version.etag
    place = answer.headers["Content-Range"] or ""
    return place.startswith(f"bytes {begun}-") and tag == version.etag


def _body(
    answer: HTTPResponse,
    begun: int,
    errand: Errand,
    manners: Manners,
    deadline: float,
    say: Callable[[str], None],
) -> None:
    """Write an answer's content behind the ``begun`` bytes that are there."""
    length = answer.headers["Content-Length"]
    total = begun + int(length) if length and length.isdigit() else None
    most = manners.most_bytes
    if total is not None and total > most:
        raise _too_large(errand, total, most)
    size, told = begun, time.monotonic()
    with errand.part.open("ab") as file:
        while chunk := _chunk(answer):
            size += len(chunk)
            if size > most:
                raise _too_large(errand, size, most)
            file.write(chunk)
            if time.monotonic() > deadline:
                raise Passing(f"is too slow: it was not whole after {manners.most_time:.0f} s")
            if time.monotonic() > told + 2:
                told = time.monotonic()
                of = f" of {total / 1e6:.1f}" if total else ""
                say(f"{errand.label}: {size / 1e6:.1f}{of} MB")
    if total is not None and size != total:
        raise Passing(f"broke off after {size:,} of {total:,} bytes")


def _chunk(answer: HTTPResponse) -> bytes:
    try:
        return answer.read1(_CHUNK)
    except TimeoutError:
        raise Passing("stalled") from None
    except (OSError, HTTPException) as error:
        raise Passing(f"broke off ({type(error).__name__})") from None


def _begun(errand: Errand) -> tuple[int, Version]:
    """How much of the file an earlier attempt got, and of which version."""
    try:
        note = json.loads(_note(errand.part).read_bytes())
        version = Version(str(note["etag"]), str(note["last_modified"]))
        size = errand.part.stat().st_size
    except (OSError, ValueError, KeyError, TypeError):
        return 0, Version()
    if note["address"] != errand.address or not version.if_same():
        return 0, Version()
    return size, version


def _note(part: Path) -> Path:
    return part.with_name(f"{part.name}.of")


def forget(part: Path) -> None:
    """Remove a part and the note on it."""
    part.unlink(missing_ok=True)
    _note(part).unlink(missing_ok=True)


def _check_status(answer: HTTPResponse, errand: Errand, *, in_part: bool) -> None:
    status = answer.status
    if status == 200 or (status == 206 and in_part):
        return
    said = f"answers {status} {answer.reason}".rstrip()
    if status in (403, 429) and answer.headers["X-RateLimit-Remaining"] == "0":
        reset = answer.headers["X-RateLimit-Reset"] or ""
        wait = max(0.0, float(reset) - time.time()) if reset.isdigit() else 3600.0
        raise Passing(f"{said}: too many requests came from here", wait)
    if status in _GONE:
        raise Missing(f"{errand.address} {said}. Instead, {errand.way_out}", status)
    if status in _LATER or status >= 500:
        raise Passing(said, _retry_after(answer.headers["Retry-After"]))
    raise DataError(f"{errand.address} {said}, which is not understood. Instead, {errand.way_out}")


class Missing(DataError):
    """A server does not give a file; ``status`` says how."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


def _check_kind(answer: HTTPResponse, errand: Errand) -> None:
    try:
        forms.content_type(answer.headers["Content-Type"] or "")
        if (answer.headers["Content-Encoding"] or "identity").lower() != "identity":
            raise DataError("is compressed, which was not asked for")
    except DataError as error:
        forget(errand.part)
        raise unfit(errand, error) from None


def unfit(errand: Errand, error: DataError) -> DataError:
    """The error for content that is not what was asked for."""
    return DataError(
        f"what came from {errand.address} {error}; it was not kept. Fetch again later, or "
        f"{errand.way_out}"
    )


def _too_large(errand: Errand, size: int, most: int) -> DataError:
    forget(errand.part)
    return unfit(
        errand,
        DataError(f"has {size:,} bytes or more, and no more than {most:,} are taken"),
    )


def _retry_after(value: str | None) -> float | None:
    """Seconds to wait, from a number or a date.

    >>> _retry_after("7"), _retry_after(None), _retry_after("soon")
    (7.0, None, None)
    """
    text = (value or "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None

"""From a file to text or a tree: bounded, whatever the file holds or says of itself."""

from __future__ import annotations

import base64
import binascii
import json
import re
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from killcurve.sources.bounded import bounded
from killcurve.sources.bsdata.nodes import Node, TooMuchError
from killcurve.sources.rosters.trees import from_json, from_xml
from killcurve.tables.dataset import DataError

MOST_BYTES = 8_000_000
"""Of one file, packed or not; the largest real one has half a million."""
MOST_TEXT = 500_000
MOST_MEMBERS = 100
MOST_RATIO = 200
"""How many times its packed size a member may unpack to; rosters have 10 to 20."""

AGAIN = "export the list again"
KINDS = "a list as text, JSON, .ros or .rosz"

_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)
_PAYLOAD = re.compile(r"^(?:https?://\S*/)?(H4sI[A-Za-z0-9+/_=-]+)\s*$")
_DAMAGED_UTF8 = re.compile("[ÂÃ][\u0080-\u00bf]|â€")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f]")


@dataclass(frozen=True, slots=True)
class Opened:
    """What a file holds: text, or a roster's tree, or the JSON of another builder."""

    text: str | None = None
    roster: Node | None = None
    other: Any = None
    kind: str = "text"


def open_list(path: Path) -> Opened:
    """What a file holds.

    Raises:
        DataError: naming the file that is empty, too large, binary or damaged.
    """
    content = bounded(path, MOST_BYTES, "army lists")
    name = path.name
    if not content.strip():
        raise DataError(f"{name} is empty: {AGAIN}")
    if content.startswith(b"PK\x03\x04"):
        return _tree(_unzipped(path), name)
    return _of_bytes(content, name)


def _of_bytes(content: bytes, name: str) -> Opened:
    start = content.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if start == b"<":
        return _tree(content, name)
    if start in (b"{", b"["):
        return _json(content, name)
    if len(content) > MOST_TEXT:
        raise DataError(f"{name} has {len(content) / 1e6:,.1f} MB of text: it is no army list")
    text = decoded(content, name)
    payload = _PAYLOAD.match(text.strip())
    if payload:
        return _json(_unpacked(payload[1], name), name)
    return Opened(text=text)


def decoded(content: bytes, name: str) -> str:
    """The text of a file in UTF-8, UTF-16 or Windows-1252, also if decoded wrongly before.

    Raises:
        DataError: if it is a binary file.

    >>> decoded("Khârn •".encode("cp1252"), "x"), decoded("Khârn".encode("utf-8-sig"), "x")
    ('Khârn •', 'Khârn')
    >>> decoded("KhÃ¢rn".encode(), "x")
    'Khârn'
    """
    try:
        if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
            text = content.decode("utf-16")
        else:
            text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", errors="replace")
    controls = len(_CONTROL.findall(text)) + text.count("\ufffd")
    if controls > len(text) / 50:
        raise DataError(f"{name} is a binary file: give {KINDS}")
    if _DAMAGED_UTF8.search(text):
        try:
            text = text.encode("cp1252").decode("utf-8")
        except UnicodeError:
            return text
    return text


def _json(content: bytes, name: str) -> Opened:
    try:
        held = json.loads(decoded(content, name))
    except ValueError as error:
        raise DataError(f"{name} is no whole JSON file ({error}): {AGAIN}") from None
    except RecursionError:
        raise DataError(f"{name} has lists within lists too deep, so it is no roster") from None
    roster = held.get("roster", held) if isinstance(held, dict) else None
    if isinstance(roster, dict) and isinstance(roster.get("forces"), list):
        node = _bounded_tree(lambda: from_json("roster", roster), name)
        for key in ("generatedBy", "gameSystemName"):
            if isinstance(held.get(key), str):
                node.facts.setdefault(key, held[key])
        return Opened(roster=node, kind="JSON")
    return Opened(other=held, kind="JSON")


def _tree(content: bytes, name: str) -> Opened:
    from lxml import etree

    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        raise DataError(
            f"{name} declares a document type or entities; rosters have none, and they are not "
            f"read: {AGAIN}"
        )
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(content.lstrip(), parser)
    except etree.XMLSyntaxError as error:
        raise DataError(f"{name} is no whole XML file ({error.msg}): {AGAIN}") from None
    node = _bounded_tree(lambda: from_xml(root), name)
    if node.kind != "roster" or "forces" not in node.parts:
        raise DataError(
            f"{name} is no roster: it holds {node.kind or 'something else'!r}, not a 'roster' "
            f"with forces; give {KINDS}"
        )
    return Opened(roster=node, kind="XML")


def _bounded_tree(make: Callable[[], Node], name: str) -> Node:
    try:
        return make()
    except (TooMuchError, RecursionError) as error:
        why = "lists within lists too deep" if isinstance(error, RecursionError) else error
        raise DataError(f"{name} has {why}, so it is no roster: {AGAIN}") from None


def _unzipped(path: Path) -> bytes:
    """The roster in a ``.rosz``; what it unpacks to is counted, whatever its header says."""
    name = path.name
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            if len(members) > MOST_MEMBERS:
                raise DataError(f"{name} holds {len(members)} files: it is no .rosz")
            for member in members:
                inside = PurePosixPath(member.filename.replace("\\", "/"))
                if inside.is_absolute() or ".." in inside.parts or ":" in member.filename:
                    raise DataError(
                        f"{name} holds {member.filename!r}, a name that leads out of it: {AGAIN}"
                    )
            found = [one for one in members if one.filename.casefold().endswith(".ros")]
            if len(found) != 1:
                raise DataError(
                    f"{name} holds {len(found) or 'no'} .ros files, a .rosz has one: {AGAIN}"
                )
            return _member(archive, found[0], name)
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}") from error
    except DataError:
        raise
    except _DAMAGED as error:
        raise DataError(f"{name} is no whole .rosz file ({error}): {AGAIN}") from None


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str) -> bytes:
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise DataError(f"{member.filename} in {name} is packed as no .rosz is: {AGAIN}")
    most = min(MOST_BYTES, max(MOST_RATIO * member.compress_size, 100_000))
    with archive.open(member) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise DataError(
            f"{member.filename} in {name} unpacks to more than {most / 1e6:,.1f} MB: no roster does"
        )
    return content


def _unpacked(payload: str, name: str) -> bytes:
    """The JSON of a shared list: packed, then written in letters."""
    try:
        letters = payload.replace("-", "+").replace("_", "/")
        packed = base64.b64decode(letters + "=" * (-len(letters) % 4), validate=True)
        unpacking = zlib.decompressobj(31)
        content = unpacking.decompress(packed, MOST_BYTES)
    except (binascii.Error, zlib.error, ValueError) as error:
        raise DataError(f"{name} is no whole shared list ({error}): {AGAIN}") from None
    if unpacking.unconsumed_tail or not unpacking.eof:
        raise DataError(f"{name} is no whole shared list, or too large a one: {AGAIN}")
    return content

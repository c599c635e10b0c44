"""From a folder to nodes: plain UTF-8 of bounded size, without entities, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from killcurve.sources.bounded import bounded, utf8
from killcurve.sources.bsdata.nodes import Maker, Node, TooMuchError
from killcurve.tables.dataset import DataError

MOST_BYTES = 24_000_000
"""Of one file; the largest real one has 7 MB."""
MOST_IN_ALL = 200_000_000
MOST_NODES = 1_500_000
"""Of all files; real folders have 250,000."""

XML, JSON = (".cat", ".gst"), (".json",)
AGAIN = "download the catalogues again and keep the files as they are"


def catalogues(folder: Path) -> Iterator[tuple[Path, Node]]:
    """The root node of every catalogue and game system of a folder, by name.

    Raises:
        DataError: naming the file that is no whole catalogue, or if there is none.
    """
    if not folder.is_dir():
        raise DataError(f"{folder} is no folder: name the one that holds the catalogues")
    paths = sorted(path for path in folder.iterdir() if path.suffix.casefold() in (*XML, *JSON))
    if not paths:
        packed = any(path.suffix.casefold() in (".catz", ".gstz") for path in folder.iterdir())
        how = "unpack its .catz and .gstz files" if packed else "name the folder of the catalogues"
        raise DataError(f"{folder} holds no .cat, .gst or .json files: {how}")
    forms = {path.suffix.casefold() in XML for path in paths}
    if len(forms) > 1:
        raise DataError(
            f"{folder} holds catalogues as XML (.cat, .gst) and as JSON, so it is of two editions: "
            "give each a folder of its own"
        )
    total, nodes = 0, MOST_NODES
    for path in paths:
        content = _bytes(path)
        total += len(content)
        if total > MOST_IN_ALL:
            raise DataError(
                f"the files of {folder} up to {path.name} have more than "
                f"{MOST_IN_ALL // 10**6} MB: it is no folder of catalogues"
            )
        maker = Maker(path.name, nodes)
        try:
            yield path, _parsed(content, path, maker)
        except (TooMuchError, RecursionError) as error:
            why = "lists within lists too deep" if isinstance(error, RecursionError) else error
            raise DataError(f"{path.name} has {why}, so it is no catalogue: {AGAIN}") from None
        nodes = maker.most


def _bytes(path: Path) -> bytes:
    content = bounded(path, MOST_BYTES, "catalogues")
    utf8(content, path.name, AGAIN)
    return content.removeprefix(b"\xef\xbb\xbf")


def _parsed(content: bytes, path: Path, maker: Maker) -> Node:
    node = _xml(content, maker) if path.suffix.casefold() in XML else _json(content, maker)
    if node.kind not in ("catalogue", "gameSystem") or not node.id or not node.name:
        raise DataError(
            f"{path.name} is no catalogue: it holds {node.kind or 'something else'!r}, not a "
            "'catalogue' or 'gameSystem' with an id and a name; take it out of the folder"
        )
    return node


def _xml(content: bytes, maker: Maker) -> Node:
    from lxml import etree

    name = maker.file
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        raise DataError(
            f"{name} declares a document type or entities; catalogues have none, and they are "
            f"not read: {AGAIN}"
        )
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        raise DataError(f"{name} is no whole XML file ({error.msg}): {AGAIN}") from None
    return maker.from_xml(root)


def _json(content: bytes, maker: Maker) -> Node:
    name = maker.file
    try:
        parsed = json.loads(content)
    except ValueError as error:
        raise DataError(f"{name} is no whole JSON file ({error}): {AGAIN}") from None
    if isinstance(parsed, dict):
        for kind in ("catalogue", "gameSystem"):
            if isinstance(parsed.get(kind), dict):
                return maker.from_json(kind, parsed[kind])
    return Node("", {})

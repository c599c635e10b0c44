"""Exchanges of wargear: the text is kept, and read where it is simple."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from killcurve.rules.spelling import normal
from killcurve.sources.pages.lines import Block

Row = dict[str, Any]

_FORMS = (
    re.compile(r".+?[’']s? (?P<old>.+?) can be replaced (?:with|by) (?P<new>.+)"),
    re.compile(
        r".+? can (?:each )?have (?:their|its|his|her) (?P<old>.+?) "
        r"replaced (?:with|by) (?P<new>.+)"
    ),
    re.compile(r".+? can (?:each )?be equipped with (?P<old>)(?P<new>.+)"),
)
_CHOICE = re.compile(r"\d+ [^:]*")
_ITEM = re.compile(r"(?:(\d{1,3}) |an? )?(.+)")
_SINGLE = 12
"""More of a thing than this is no exchange between weapons."""


def rows(block: Block | None, weapons: Sequence[str]) -> list[Row]:
    """The rows of ``wargear_options`` of a section; ``weapons`` are the names on the page.

    >>> from killcurve.sources.pages.lines import Line
    >>> text = "- This model’s 2 storm guns can be replaced with 1 pike and 1 storm gun."
    >>> block = Block(Line(1, "WARGEAR OPTIONS"), (Line(2, text),))
    >>> [row] = rows(block, ["Storm gun", "Pike"])
    >>> row["replaces"], row["choices"]
    (['Storm gun', 'Storm gun'], ['Pike + Storm gun'])
    """
    if block is None:
        return []
    options: list[list[str]] = []
    for line in block.lines:
        text = line.text.lstrip("-•■ ")
        opened = bool(options) and options[-1][0].rstrip().endswith(":")
        bullet = line.text != text
        if options and (not bullet or (opened and _CHOICE.fullmatch(text) and " can " not in text)):
            options[-1].append(text)
        else:
            options.append([text])
    return [
        {"option": number, "text": "\n".join(option), **_read(option, weapons)}
        for number, option in enumerate(options, start=1)
    ]


def _read(option: Sequence[str], weapons: Sequence[str]) -> Row:
    """What is replaced, by which choices; both empty where the text is not that simple."""
    unread: Row = {"replaces": [], "choices": []}
    found = next((m for m in (form.fullmatch(option[0]) for form in _FORMS) if m), None)
    if found is None:
        return unread
    old = _items(found["old"], weapons) if found["old"] else []
    new = found["new"]
    listed = option[1:] if new.rstrip().endswith(":") else [new]
    choices = [_items(choice, weapons) for choice in listed]
    if old is None or not choices or None in choices:
        return unread
    return {"replaces": old, "choices": [" + ".join(choice) for choice in choices if choice]}


def _items(text: str, weapons: Sequence[str]) -> list[str] | None:
    """The things of ``2 lascannons and 1 pike``, each as often as it is there."""
    names = []
    for part in re.split(r",? and |, ", text.strip().rstrip(".*")):
        found = _ITEM.fullmatch(part.strip())
        if found is None or len(part) > 50 or ":" in part:
            return None
        count = int(found[1] or 1)
        if not 1 <= count <= _SINGLE:
            return None
        names += [_printed(found[2], weapons)] * count
    return names


def _printed(name: str, weapons: Sequence[str]) -> str:
    """The weapon's name as on its line; wargear that is no weapon stays as it is."""
    for candidate in (name, name.removesuffix("s"), name.removesuffix("es")):
        for weapon in weapons:
            if normal(weapon) == normal(candidate):
                return weapon
    return name

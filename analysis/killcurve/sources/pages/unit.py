"""What a page says of its unit: composition, points, keywords, capacity, exchanges of wargear."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from killcurve.rules.spelling import normal
from killcurve.sources.pages.lines import Block, Line, Sections
from killcurve.sources.pages.text import SAVE_AGAIN
from killcurve.tables.dataset import DataError

Row = dict[str, Any]

ROLES = ("epic hero", "character", "battleline", "dedicated transport")
_MODELS = re.compile(r"[-•■] (\d{1,4})(?:[-–](\d{1,4}))? (.+)")
_COUNT = re.compile(r"(\d{1,4}) [^\d,]+")
_CELLS = re.compile(r"\| (.+?) \| ?([+]?\d{0,5}) ?\|")
_ORDINAL = re.compile(r"(\d{1,3})(?:ST|ND|RD|TH)")
_FACTION = re.compile(r"[;,] ?")


@dataclass(frozen=True, slots=True)
class Unit:
    """The facts of one unit, as columns of ``datasheets`` and rows of other tables."""

    columns: Row
    points: list[Row]
    keywords: list[Row]
    faction_keywords: tuple[str, ...]
    separator: str
    headed_points: bool
    warnings: list[str]


@dataclass(frozen=True, slots=True)
class _Cost:
    """What so many models cost, for copies ``first`` to ``last`` (``None``: all further ones)."""

    first: int
    last: int | None
    models: int
    points: int


def read(page: Sections, name: str) -> Unit:
    """Read composition, points, keywords and transport capacity.

    Raises:
        DataError: if the page has no points or no keywords.
    """
    warnings: list[str] = []
    composition = _needed(page, "UNIT COMPOSITION", name)
    smallest, largest = _size(composition, warnings)
    points, headed = _points(composition, (smallest, largest), warnings)
    if not points:
        raise DataError(
            f"{name}: there are no points under UNIT COMPOSITION (a row such as '| 5 models | 90 "
            f"|'), so the page is incomplete; {SAVE_AGAIN}"
        )
    own, separator = _own_keywords(_needed(page, "KEYWORDS", name), page.datasheet)
    faction = _faction_keywords(_needed(page, "FACTION KEYWORDS", name), name, warnings)
    words = [normal(word) for word in own]
    capacity = re.search(r"transport capacity of (\d{1,4})\b", _text(page.block("TRANSPORT")))
    columns = {
        "role": next((role.replace(" ", "-") for role in ROLES if role in words), None),
        "legends": False,
        "models_min": smallest,
        "models_max": largest,
        "transport_capacity": int(capacity[1]) if capacity else None,
    }
    keywords = [{"keyword": word, "is_faction": False} for word in dict.fromkeys(words)]
    keywords += [
        {"keyword": word, "is_faction": True}
        for word in dict.fromkeys(normal(word) for word in faction)
        if word not in words
    ]
    return Unit(columns, points, keywords, faction, separator, headed, warnings)


def _needed(page: Sections, heading: str, name: str) -> Block:
    block = page.block(heading)
    if block is None:
        raise DataError(
            f"{name}: {heading} does not stand before STRATAGEMS as on every page, so lines are "
            f"missing or out of order; {SAVE_AGAIN}"
        )
    return block


def _text(block: Block | None) -> str:
    return " ".join(line.text for line in block.lines) if block else ""


def _size(block: Block, warnings: list[str]) -> tuple[int | None, int | None]:
    """How many models the unit has, at least and at most; ``OR`` separates alternatives."""
    ways: list[list[tuple[int, int]]] = [[]]
    for line in block.lines:
        if line.text.casefold() == "or":
            ways.append([])
        elif found := _MODELS.fullmatch(line.text):
            ways[-1].append((int(found[1]), int(found[2] or found[1])))
        elif line.text[0] in "-•■":
            warnings.append(_unplaced(line))
    sums = [(sum(m[0] for m in way), sum(m[1] for m in way)) for way in ways if way]
    largest = max((most for _, most in sums), default=0)
    smallest = min((least for least, _ in sums), default=0)
    return (smallest or None, largest or None)


def _points(
    block: Block, size: tuple[int | None, int | None], warnings: list[str]
) -> tuple[list[Row], bool]:
    """The costs, and whether headings as in the 11th edition stand over them."""
    costs: list[_Cost] = []
    copies: tuple[int, int | None] | None = (1, None)
    headed = False
    for line in block.lines:
        if not line.text.startswith("|"):
            continue
        found = _CELLS.fullmatch(line.text)
        label, number = (found[1], found[2]) if found else ("", "")
        models = _models(label)
        if label and not number:
            copies = _copies(label)
            headed |= copies is not None
            understood = copies is not None
        else:
            understood = bool(models and copies and number.isdigit())
        if not understood:
            warnings.append(f"{_unplaced(line)}: it is no cost by number of models")
        elif number and models and copies:
            costs.append(_Cost(*copies, models, int(number)))
    return list(_brackets(costs, size)), headed


def _brackets(costs: Sequence[_Cost], size: tuple[int | None, int | None]) -> Iterator[Row]:
    """A size between two printed ones costs as the larger one, if the unit may have it."""
    between = None not in size and size[0] != size[1]
    for cost in dict.fromkeys(costs):
        smaller = [c.models for c in costs if c.first == cost.first and c.models < cost.models]
        yield {
            "models": max(smaller) + 1 if smaller and between else cost.models,
            "models_max": cost.models,
            "copies_from": cost.first,
            "copies_to": cost.last,
            "cost": cost.points,
        }


def _models(label: str) -> int | None:
    """The number of models of ``10 models`` or ``1 Leader, 4 Guards and 5 Recruits``."""
    counts = [int(n) for n in _COUNT.findall(f"{label} ")]
    return sum(counts) if re.match(r"\d", label) and counts else None


def _copies(label: str) -> tuple[int, int | None] | None:
    """The copies in the army of a heading such as ``YOUR 1ST TO 3RD UNITS COST``.

    >>> _copies("YOUR 1ST TO 3RD UNITS COST"), _copies("YOUR 4TH + UNIT COSTS")
    ((1, 3), (4, None))
    """
    if not re.fullmatch(r"YOUR .*(UNIT|UNITS) COSTS?", label):
        return None
    numbers = [int(n) for n in _ORDINAL.findall(label)]
    if not numbers:
        return (1, None)
    if "+" in label:
        return (numbers[0], None)
    return (numbers[0], numbers[-1])


def _own_keywords(block: Block, title: str) -> tuple[list[str], str]:
    """The unit's keywords, and what separates them.

    A tooltip may split the unit's own name in two keywords; the whole name then joins them.
    The parts stay: a datasheet may have them as keywords of their own, as the title's do.
    """
    first = block.heading.text.partition(":")[2].strip()
    text = "; ".join([first, *(line.text for line in block.lines)])
    text = re.sub(r"; [A-Z’' -]+: ", "; ", text)
    separator = "; " if ";" in block.heading.text else ", " if "," in block.heading.text else ""
    words = [word.strip() for word in re.split(r"[;,]", text) if word.strip()]
    for start in range(len(words)):
        for end in range(start + 2, len(words) + 1):
            if normal(" ".join(words[start:end])) == normal(title):
                return [*words, title.upper()], separator
    return words, separator


def _faction_keywords(block: Block, name: str, warnings: list[str]) -> tuple[str, ...]:
    """The faction keywords; the page prints their line twice."""
    lines = [line.text for line in block.lines]
    own = block.heading.text.partition(":")[2].strip()
    texts = [own, *lines] if own else lines
    if not texts:
        raise DataError(
            f"{name}: nothing stands under FACTION KEYWORDS, so the page is incomplete; "
            f"{SAVE_AGAIN}"
        )
    half = len(texts) // 2
    if texts[:half] != texts[half:]:
        warnings.append(f"line {block.heading.number}: the faction keywords are not printed twice")
    words = (word.strip() for text in texts for word in _FACTION.split(text))
    return tuple(dict.fromkeys(word for word in words if word))


def _unplaced(line: Line) -> str:
    return f"line {line.number}: {line.text[:60]!r} is not placed"

"""The weapon tables of a page: rows of ``weapons`` and ``weapon_keywords``.

Every weapon is printed twice, first its name alone, then with its characteristics. Pages of the
10th edition print abilities in brackets behind the name. Those of the 11th print them bare, so
that ``Bolt pistol pistol`` is a bolt pistol with one ability and ``Dark lance`` one without.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from killcurve.engine.dice import Dice
from killcurve.rules.abilities import Ability
from killcurve.rules.spelling import normal
from killcurve.sources.pages.lines import Block, Line
from killcurve.sources.pages.text import SAVE_AGAIN
from killcurve.tables.dataset import DataError

Row = dict[str, Any]

_KINDS = {"RANGED WEAPONS": "ranged", "MELEE WEAPONS": "melee"}
_PROFILE = re.compile(r" [–—-] ")
_NOUNS = frozenset({"assault", "blast", "lance", "pistol", "torrent"})
"""Abilities of one word with which names of weapons end, too."""
_HUNTED = frozenset({"character", "fly", "infantry", "monster", "mounted", "vehicle", "walker"})
_LONGEST = 4
"""No ability has more words than this (``anti-epic hero 4+`` has three)."""


@dataclass(frozen=True, slots=True)
class Named:
    """A printed name taken apart: the weapon's name, its abilities, and what was not read."""

    name: str
    abilities: tuple[Ability, ...]
    troubles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Armed:
    """Rows of ``weapons`` and ``weapon_keywords``, and warnings."""

    weapons: list[Row]
    keywords: list[Row]
    warnings: list[str]


def read(blocks: Sequence[Block], page: str, known: Collection[str] = ()) -> Armed:
    """Read the weapon tables among a page's sections; ``known`` are names (normal) to prefer.

    Raises:
        DataError: if a weapon's characteristics are missing.
    """
    armed = Armed([], [], [])
    for block in blocks:
        kind = _KINDS.get(block.name)
        if kind is None:
            continue
        for line, cells in _full_rows(block, page, armed.warnings):
            row, abilities, warnings = _weapon(line, cells, kind, known)
            armed.warnings.extend(warnings)
            armed.weapons.append(row)
            armed.keywords.extend(keyword_row(row, ability) for ability in abilities)
    if not armed.weapons:
        armed.warnings.append("the page has no weapons")
    profiles = Counter((row["weapon_id"], row["kind"]) for row in armed.weapons if row["profile"])
    for row in armed.weapons:
        row["exclusive"] = profiles[row["weapon_id"], row["kind"]] > 1
    return armed


def split_name(printed: str, *, melee: bool, known: Collection[str] = ()) -> Named:
    """Take a printed name apart: brackets (10th edition), else the abilities at its end.

    Of the ways to take bare abilities off, one that leaves a ``known`` name is preferred.

    >>> def show(printed, melee=False):
    ...     named = split_name(printed, melee=melee)
    ...     return named.name, [str(a) for a in named.abilities]
    >>> show("Storm gun lethal hits rapid fire 2")
    ('Storm gun', ['lethal hits', 'rapid fire 2'])
    >>> show("Missile pod [blast, anti-fly 2+]")
    ('Missile pod', ['blast', 'anti-fly 2+'])
    >>> show("Dark lance"), show("Bolt pistol pistol"), show("Bolt pistol close-quarters")
    (('Dark lance', []), ('Bolt pistol', ['pistol']), ('Bolt pistol', ['close-quarters']))
    """
    if found := re.fullmatch(r"(.+?) ?\[(.*)\]", printed):
        return _bracketed(found[1].strip(), re.split(r"[,;] ?|\. ", found[2]))
    ways = list(_ways(printed.split(), melee=melee))
    for way in reversed(ways):
        if normal(way.name) in known:
            return way
    return ways[-1]


def _bracketed(name: str, parts: Sequence[str]) -> Named:
    """An ability that nobody knows is kept by its name; one with a wrong number is left out."""
    abilities, troubles = [], []
    for part in filter(str.strip, parts):
        try:
            abilities.append(Ability.parse(part))
        except ValueError as error:
            troubles.append(str(error))
            if "is no weapon ability" in str(error):
                abilities.append(Ability(normal(part)))
    return Named(name, tuple(dict.fromkeys(abilities)), tuple(troubles))


def keyword_row(weapon: Mapping[str, Any], ability: Ability) -> Row:
    """The row of ``weapon_keywords`` for one ability of a weapon row."""
    return {
        **{column: weapon[column] for column in ("weapon_id", "profile", "kind")},
        "keyword": str(ability),
        "ability": ability.name,
        "amount": None if ability.amount is None else str(ability.amount),
        "threshold": ability.threshold,
        "subject": ability.subject,
        "known": ability.is_known,
    }


def slug(name: str) -> str:
    """A name as an id.

    >>> slug("Fârstrydr’s  Gun (heavy)")
    'farstrydr-s-gun-heavy'
    """
    return re.sub(r"[^a-z0-9]+", "-", normal(name)).strip("-")


def _full_rows(block: Block, page: str, warnings: list[str]) -> Iterator[tuple[Line, list[str]]]:
    """The rows with characteristics; each follows the row with its name alone."""
    waiting: Line | None = None
    for line in block.lines:
        cells = [cell.strip() for cell in line.text.strip().strip("|").split("|")]
        if not line.text.startswith("|") or not cells[0]:
            warnings.append(f"line {line.number}: {line.text[:60]!r} is no row of a weapon")
        elif not any(cells[1:]):
            _check_given(waiting, page)
            waiting = line
        else:
            if waiting is None or _name(waiting) != cells[0]:
                _check_given(waiting, page)
                warnings.append(f"line {line.number}: the name {cells[0]!r} is printed only once")
            waiting = None
            yield line, (cells + [""] * 7)[:7]
    _check_given(waiting, page)


def _name(line: Line) -> str:
    return line.text.strip().strip("|").split("|")[0].strip()


def _check_given(waiting: Line | None, page: str) -> None:
    if waiting is not None:
        raise DataError(
            f"{page}, line {waiting.number}: the characteristics of {_name(waiting)!r} are "
            f"missing, so the page is incomplete; {SAVE_AGAIN}"
        )


def _weapon(
    line: Line, cells: Sequence[str], kind: str, known: Collection[str]
) -> tuple[Row, tuple[Ability, ...], list[str]]:
    printed, reach, attacks, skill, strength, ap, damage = cells
    warnings = []
    is_melee = reach.casefold() == "melee"
    if is_melee != (kind == "melee"):
        warnings.append(f"line {line.number}: {printed!r} stands in the other table of weapons")
    named = _torrent(split_name(printed, melee=is_melee, known=known), skill)
    warnings += [f"line {line.number}: {trouble}" for trouble in named.troubles]
    weapon, _, profile = _PROFILE.sub("\0", named.name, count=1).partition("\0")
    row = {
        "weapon_id": slug(weapon) or slug(printed),
        "weapon": weapon,
        "profile": profile,
        "kind": "melee" if is_melee else "ranged",
        "range": 0 if is_melee else _number(reach),
        "attacks": _dice(attacks),
        "skill": _number(skill),
        "strength": _dice(strength),
        "ap": _number(ap),
        "damage": _dice(damage),
        "keywords": [str(ability) for ability in named.abilities],
    }
    return row, named.abilities, warnings


def _torrent(named: Named, skill: str) -> Named:
    """Attacks without BS hit by themselves: then a ``torrent`` at the end is the ability."""
    has = any(ability.name == "torrent" for ability in named.abilities)
    rest, _, last = named.name.rpartition(" ")
    if _number(skill) is None and not has and rest and normal(last) == "torrent":
        return Named(rest, (Ability("torrent"), *named.abilities))
    return named


def _ways(words: list[str], *, melee: bool) -> Iterator[Named]:
    """Ever more abilities taken off the end, from none to all that are likely to be ones."""
    taken: tuple[Ability, ...] = ()
    yield Named(" ".join(words), taken)
    while (found := _last_ability(words, taken, melee=melee)) is not None:
        ability, size = found
        words, taken = words[:-size], (ability, *taken)
        yield Named(" ".join(words), taken)


def _last_ability(
    words: Sequence[str], taken: Sequence[Ability], *, melee: bool
) -> tuple[Ability, int] | None:
    for size in range(1, min(_LONGEST, len(words) - 1) + 1):
        if words[-size - 1] in "–—-":
            return None
        try:
            ability = Ability.parse(" ".join(words[-size:]))
        except ValueError:
            continue
        if _is_printed_ability(ability, words[:-size], taken, melee=melee):
            return ability, size
        return None
    return None


def _is_printed_ability(
    ability: Ability, rest: Sequence[str], taken: Sequence[Ability], *, melee: bool
) -> bool:
    """Whether words that read as an ability are one, and not the end of the name.

    Pages print abilities in alphabetical order, each once; the nouns among them are names when
    that would break the order, unless the same noun stands before them once more.
    """
    if ability.name == "hunter":
        return ability.subject is not None and set(ability.subject.split("/")) <= _HUNTED
    if any(str(ability) == str(t) or ability.name == t.name != "anti" for t in taken):
        return False
    if ability.name not in _NOUNS or ability.amount is not None or normal(rest[-1]) == ability.name:
        return True
    if ability.name == "lance" and not melee:
        return False
    return not taken or str(ability) <= str(taken[0])


def _number(cell: str) -> int | None:
    found = re.fullmatch(r"([+-]?\d{1,4})[+\"”″]?", cell)
    return int(found[1]) if found else None


def _dice(cell: str) -> str:
    """The canonical dice expression; what is none stays, and breaks the table's contract."""
    try:
        return str(Dice.parse(cell))
    except ValueError:
        return cell

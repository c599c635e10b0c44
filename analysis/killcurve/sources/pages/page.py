"""One page: its rows, table by table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from killcurve.sources.pages import abilities, rules, stratagems, text, unit, wargear, weapons
from killcurve.sources.pages.edition import edition_of
from killcurve.sources.pages.lines import (
    CONTENT,
    COST,
    CP,
    Sections,
    is_name,
    lines_of,
    sections,
)
from killcurve.tables.building import checked, frame
from killcurve.tables.schemas import SCHEMAS

Row = dict[str, Any]

_FULL_STOPS = ".!?:;)]”’\"'"


@dataclass(frozen=True, slots=True)
class Page:
    """A datasheet page: rows by table (without provenance), and what was not understood.

    ``faction`` is that of the title; ``faction_keywords`` may name another one, where an army
    borrows the unit.
    """

    name: str
    edition: str
    faction: str
    datasheet: str
    faction_keywords: tuple[str, ...]
    rows: dict[str, list[Row]]
    warnings: tuple[str, ...]


def read_page(page_text: str, name: str, known_weapons: Collection[str] = ()) -> Page:
    """Read the text of a datasheet page; ``name`` is what messages call it.

    ``known_weapons`` are names of weapons (:func:`killcurve.rules.spelling.normal`): they help
    to tell names from abilities on pages of the 11th edition, which print both alike.

    What a cut page can lose unnoticed: the end of the last text, and texts of enhancements
    behind everything else. Their names and costs, every weapon, every cost and every stratagem
    are there, or the page is refused.

    Raises:
        DataError: if it is no such page, or incomplete; with what is missing and the way out.

    >>> read_page("Iron Choir – Anvil Guard\\nABILITIES", "page.txt")
    Traceback (most recent call last):
    ...
    killcurve.tables.about.DataError: page.txt is no datasheet of Warhammer 40,000: it has \
neither weapons nor any of the sections UNIT COMPOSITION, KEYWORDS, FACTION KEYWORDS, \
STRATAGEMS; open the datasheet in a browser, select all of it, paste it into an editor and save \
that as plain text in UTF-8
    """
    text.check(page_text, name)
    page = sections(lines_of(page_text), name)
    facts = unit.read(page, name)
    listed = stratagems.entries(page.lists["stratagems"], name)
    bodies = stratagems.bodies(listed, page.rest, name)
    edition, of_edition = edition_of(page, facts, listed, name)
    taken = {i for body in bodies for i in range(body.start, body.end)}
    abilities_listed = page.lists.get("detachments", ())
    ruled = rules.texts(abilities_listed, page.rest, taken, edition, name)
    taken |= {i for found in ruled for i in range(found.start, found.end)}
    armed = weapons.read(page.blocks, name, known_weapons)
    prose, of_abilities = abilities.rows(page)
    whole = {
        **_unit_rows(page, facts, armed),
        **_rule_rows(page, bodies, ruled, edition),
        "texts": [*prose, *_rule_texts(bodies, ruled)],
    }
    rows = {table: _placed(table, found, page) for table, found in whole.items()}
    warnings = (
        *of_edition,
        *facts.warnings,
        *armed.warnings,
        *of_abilities,
        *(body.trouble for body in bodies if body.trouble),
        *_about_enhancements(page, ruled),
        *_left_over(page, taken),
        *_cut_sentence(page, taken),
        *_broken(rows, edition),
    )
    return Page(name, edition, page.faction, page.datasheet, facts.faction_keywords, rows, warnings)


def _unit_rows(page: Sections, facts: unit.Unit, armed: weapons.Armed) -> dict[str, list[Row]]:
    names = list(dict.fromkeys(row["weapon"] for row in armed.weapons))
    return {
        "factions": [{"parent": None}],
        "datasheets": [{**facts.columns, "note": None}],
        "weapons": armed.weapons,
        "weapon_keywords": armed.keywords,
        "keywords": facts.keywords,
        "points": facts.points,
        "wargear_options": wargear.rows(page.block("WARGEAR OPTIONS"), names),
    }


def _rule_rows(
    page: Sections, bodies: Sequence[stratagems.Body], ruled: Sequence[rules.Text], edition: str
) -> dict[str, list[Row]]:
    listed = page.lists.get("enhancements", ())
    return {
        "stratagems": [stratagems.row(b.entry, b.when, edition, page.faction) for b in bodies],
        "detachments": rules.detachment_rows(ruled, edition, page.faction),
        "enhancements": rules.enhancement_rows(listed, edition, page.faction),
    }


def _placed(table: str, rows: Sequence[Row], page: Sections) -> list[Row]:
    """The rows with the columns that say whose they are."""
    columns = SCHEMAS[table].columns()
    place = {"faction": page.faction, "datasheet": page.datasheet}
    place = {column: value for column, value in place.items() if column in columns}
    return [{**place, **row} for row in rows]


def _rule_texts(bodies: Sequence[stratagems.Body], ruled: Sequence[rules.Text]) -> list[Row]:
    """The texts of stratagems, detachments and enhancements: they belong to no datasheet."""
    found = [("stratagem", b.entry.detachment, b.entry.name, b.text) for b in bodies]
    found += [
        ("detachment" if t.name else "enhancement", t.detachment, t.name, t.text) for t in ruled
    ]
    seen: Counter[tuple[str, ...]] = Counter()
    rows = []
    for kind, detachment, name, words in found:
        seen[kind, detachment, name] += 1
        number = seen[kind, detachment, name]
        place = {"kind": kind, "datasheet": "", "detachment": detachment, "name": name}
        rows.append({**place, "number": number, "text": words})
    return rows


def _about_enhancements(page: Sections, ruled: Sequence[rules.Text]) -> list[str]:
    listed = page.lists.get("enhancements", ())
    names = [line for line in listed if not COST.fullmatch(line.text)]
    found = sum(not t.name for t in ruled)
    warnings = []
    if len(names) != found:
        warnings.append(
            f"{len(names)} enhancements are listed, {found} have a text (pages leave some out; if "
            "most are missing, the page is cut off)"
        )
    following = next((i for i, line in enumerate(page.rest) if not is_name(line.text)), 0)
    if names and following > 1 and not CP.fullmatch(page.rest[1].text):
        doubtful = ", ".join(repr(line.text) for line in page.rest[: following - 1])
        warnings.append(f"not read as enhancements, since no cost follows: {doubtful}")
    return warnings


def _left_over(page: Sections, taken: Collection[int]) -> list[str]:
    """Lines that look like content and were not placed."""
    rest = [line for i, line in enumerate(page.rest) if i not in taken]
    loose = [*page.loose, *(line for line in rest if CONTENT.fullmatch(line.text))]
    return [f"line {line.number}: {line.text[:60]!r} is not placed" for line in loose]


def _cut_sentence(page: Sections, taken: Collection[int]) -> list[str]:
    """A text that ends the page without a full stop: nothing is lost but the rest of it."""
    if page.rest and len(page.rest) - 1 in taken and page.rest[-1].text[-1] not in _FULL_STOPS:
        line = page.rest[-1]
        return [f"line {line.number} ends within a sentence: the page may be cut off"]
    return []


def _broken(rows: dict[str, list[Row]], edition: str) -> list[str]:
    """Rows that break their table's contract, counted."""
    warnings = []
    for table, found in rows.items():
        whole = frame(table, found, source="page", edition=edition, version="")
        for reason, number in checked(table, whole)[1].items():
            warnings.append(f"{table}: {number} set aside ({reason})")
    return warnings

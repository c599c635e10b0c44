"""Invulnerable saves: a characteristic in the 11th edition, a rule's text in the 10th."""

from __future__ import annotations

import re
from dataclasses import dataclass

from killcurve.sources.bsdata.gathering import Found, Gathered
from killcurve.sources.wahapedia.units import invulnerable

_ROLL = re.compile(r"\b([2-6])\+")
_AGAINST = re.compile(r"against\s+(ranged|melee)\s+attacks")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Save:
    """A value, the kind of attacks it is limited to, and a note on what is not read."""

    value: int
    against: str | None = None
    note: str | None = None


def printed(text: str) -> Save | None:
    """The save that a text gives: a rule of the 10th edition or a value of the 11th.

    >>> printed("This model has a 4+ invulnerable save.")
    Save(value=4, against=None, note=None)
    >>> printed("This model has a 5+ invulnerable save against ranged attacks only.")
    Save(value=5, against='ranged', note=None)
    >>> printed("5+ (Ranged)"), printed("5+*").note, printed("-")
    (Save(value=5, against='ranged', note=None), '5+*', None)
    >>> printed("This unit has a 6+ invulnerable save, and a 4+ one against melee attacks").note
    'This unit has a 6+ invulnerable save, and a 4+ one against melee attacks'
    """
    said = _SPACE.sub(" ", text).strip()
    rolls = _ROLL.findall(said)
    if not rolls:
        return None
    said = re.sub(r"\((ranged|melee)\)", r"against \1 attacks", said, flags=re.IGNORECASE)
    marked = "*" in said or len(set(rolls)) > 1 or _AGAINST.search(said.casefold())
    value, against, note = invulnerable(rolls[0], said if marked else "")
    if value is None:
        return None
    return Save(value, against, said if note else None)


def of_rules(gathered: Gathered) -> list[tuple[Found, Save]]:
    """The saves that abilities named "Invulnerable Save" give, by where they stand."""
    found = []
    for one in gathered.found:
        if "invulnerable save" not in one.profile.name.casefold():
            continue
        if one.profile.facts.get("typeName") == "Abilities":
            text = one.profile.values().get("Description", "")
            save = printed(text) or printed(one.profile.name)
            if save is not None:
                found.append((one, save))
    return found


def of_line(
    line: Found, value: str, rules: list[tuple[Found, Save]], models: int
) -> tuple[Save | None, list[str]]:
    """The save of a stat line and notes on those that only some models or wargear have.

    ``value`` is its own (11th edition), ``models`` the number of kinds of models in the unit.
    """
    own = printed(value)
    applied: list[Save] = []
    partly: dict[str, list[Found]] = {}
    for one, save in rules:
        around = one.owners == line.owners[: len(one.owners)]
        inside = not around and line.owners == one.owners[: len(line.owners)]
        if one.optional and (around or inside):
            partly.setdefault(f"{save.value}+ with {one.holder.name}", []).append(one)
        elif around:
            applied.append(save)
        elif inside:
            partly.setdefault(f"{save.value}+ of {one.owners[-1].name}", []).append(one)
            same = [o for o, s in rules if s == save and not o.optional]
            if len({o.owners for o in same}) >= models:
                applied.append(save)
    if own is not None and own.note:
        exact = [save for save in applied if save.value == own.value and not save.note]
        own = exact[0] if exact else own
    options = [own] if own is not None else applied
    if not options:
        notes = [] if own is not None else sorted(partly)
        return None, notes
    best = min(options, key=lambda save: (save.against is not None, save.value))
    return best, [best.note] if best.note else []

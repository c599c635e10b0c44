"""Which models a unit has, what each carries by default, and what may be exchanged."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from killcurve.rules.spelling import normal
from killcurve.sources.wahapedia import option_texts
from killcurve.sources.wahapedia.account import NO_DATASHEET, Account, Row
from killcurve.sources.wahapedia.export import Export
from killcurve.sources.wahapedia.option_texts import Vocabulary
from killcurve.sources.wahapedia.text import plain, without_tags
from killcurve.sources.wahapedia.units import Unit, Units

ALTERNATIVE = "a heading between alternative sizes"
NO_MODELS = "it is not a number of models"
ANOTHER_LINE = "the same models in another line of one size"
NO_WEAPON = "no weapon of that name on the datasheet (wargear without attacks, or an upgrade)"
SOME_MODELS = "carried by only some models of a kind"
NO_MODEL = "its carrier is no model of the composition"
NO_OPTION = "it says that there is none"
FOOTNOTE = "a footnote to options"

_MODELS = re.compile(r"(\d{1,4})(?: ?[-–‑] ?(\d{1,4}))? (\D.*)")
_EPIC = re.compile(r"\s*[-–—] *EPIC HERO\b.*", re.IGNORECASE)
_EQUIPPED = re.compile(
    r"(?P<who>[^:.\n]+?) (?:is|are)(?: each| both)? equipped with: ?(?P<what>.*)"
)
_DETERMINER = r"(?:(?P<each>every|each|the|an?|one|(?:the )?\d+) )?(?P<other>other )?"
_SUBJECT = re.compile(rf"{_DETERMINER}(?P<names>.+)", re.IGNORECASE)
_AND = re.compile(r", (?:and )?| and (?:every |each |the )?")
_NEXT = re.compile(r", (?:and )?(?=\d)| and (?=\d)")
_ITEM = re.compile(r"(?:(\d{1,2}) )?(.+)")
_ALL = frozenset({"this model", "every model", "each model", "this unit", "all models"})


def compositions(export: Export, units: Units, models: Account) -> Account:
    """The models at each size; ``OR`` begins another size."""
    account = Account()
    lines = _by_unit(models.rows, "model")
    tiers: Counter[Unit] = Counter()
    for line in export["Datasheets_unit_composition"].rows(named=True):
        place = units.place(line["datasheet_id"])
        printed = without_tags(line["description"].partition("<br>")[0])
        text = _EPIC.sub("", printed).strip("*:. ")
        found = [m for m in map(_MODELS.fullmatch, _NEXT.split(text)) if m]
        unit = (place["faction"], place["datasheet"]) if place else ("", "")
        if place is None:
            account.set_aside(NO_DATASHEET)
        elif text.casefold() in ("or", "one of the following"):
            tiers[unit] += text.casefold() == "or"
            account.set_aside(ALTERNATIVE)
        elif not found or "models maximum" in text.casefold():
            account.set_aside(NO_MODELS)
        else:
            known = lines.get(unit, [])
            account.more += len(found) - 1
            for least, most, name in (m.groups() for m in found):
                account.keep(
                    {
                        **place,
                        "tier": tiers[unit] + 1,
                        "model": name,
                        "statline": _statline(name, known),
                        "count_min": int(least),
                        "count_max": int(most or least),
                    }
                )
    account.keep_first_of(("faction", "datasheet", "tier", "model"), ANOTHER_LINE)
    return account


def default_weapons(export: Export, units: Units, weapons: Account, composed: Account) -> Account:
    """What each model carries by default, as far as its weapons have lines of their own."""
    account = Account()
    arms = _by_unit(weapons.rows, "weapon", "weapon_id")
    for place, carriers, items in _equipped(export, units, composed):
        unit = (place["faction"], place["datasheet"])
        ids = {normal(name): weapon_id for name, weapon_id in reversed(arms.get(unit, []))}
        for item in items:
            _carry(account, place, carriers, item, ids)
        if isinstance(carriers, str) and items:
            units.note(place, "not all of its default weapons were read")
    _summed(account)
    return account


def _equipped(
    export: Export, units: Units, composed: Account
) -> Iterator[tuple[Mapping[str, str], list[str] | str, list[str]]]:
    """Who (or why nobody) is equipped with which items, as datasheets say it."""
    sizes = _by_unit(composed.rows, "model", "count_max")
    for sheet in export["Datasheets"].rows(named=True):
        place = units.place(sheet["id"])
        if place is None:
            continue
        models = dict(sizes.get((place["faction"], place["datasheet"]), []))
        for line in plain(sheet.get("loadout", "")).split("\n"):
            found = _EQUIPPED.fullmatch(line.strip())
            if found is not None:
                items = [w for w in re.split(r"; ?", found["what"].strip(" .;")) if w]
                yield place, _carriers(found["who"], models), items


def options(
    export: Export, units: Units, weapons: Account, composed: Account, carried: Account
) -> Account:
    """Exchanges of wargear, with their text; taken apart where it is understood."""
    account = Account()
    known = _vocabularies(export, units, weapons, composed, carried)
    numbers: Counter[Unit] = Counter()
    for line in export["Datasheets_options"].rows(named=True):
        place = units.place(line["datasheet_id"])
        text = plain(line["description"])
        if place is None:
            account.set_aside(NO_DATASHEET)
        elif not text or text.casefold().strip(".") == "none":
            account.set_aside(NO_OPTION)
        elif line.get("button") == "*" or text.startswith("*"):
            account.set_aside(FOOTNOTE)
            units.note(place, "a footnote to its wargear options was not read")
        else:
            unit = (place["faction"], place["datasheet"])
            read = option_texts.read(text, known[unit])
            if read is None:
                units.note(place, "not all of its wargear options were read")
            for number, row in enumerate(read or [{"replaces": [], "choices": []}]):
                numbers[unit] += 1
                said = None if number else text
                account.keep({**place, **row, "option": numbers[unit], "text": said})
            account.more += len(read or [1]) - 1
    _carried(account, _equipped(export, units, composed), known, numbers)
    return account


def _carried(
    account: Account,
    equipped: Iterable[tuple[Mapping[str, str], list[str] | str, list[str]]],
    known: Mapping[Unit, Vocabulary],
    numbers: Counter[Unit],
) -> None:
    """Rows of wargear without attacks that models have by default and exchanges replace."""
    given_up: dict[Unit, set[str]] = {}
    for row in account.rows:
        given_up.setdefault((row["faction"], row["datasheet"]), set()).update(row["replaces"])
    for place, carriers, items in equipped:
        unit = (place["faction"], place["datasheet"])
        wargear = {normal(n): n for n in given_up.get(unit, ()) if not known[unit].weapon(n)}
        for item in items:
            found = _ITEM.fullmatch(item.strip(" .*"))
            name = wargear.get(normal(found[2])) if found else None
            if name is None or found is None or isinstance(carriers, str):
                continue
            for model in carriers:
                numbers[unit] += 1
                count = int(found[1] or 1)
                row = {"kind": "carried", "model": model, "replaces": [], "choices": [name] * count}
                account.keep({**place, **row, "option": numbers[unit]})
                account.more += 1


def _vocabularies(
    export: Export, units: Units, weapons: Account, composed: Account, carried: Account
) -> dict[Unit, Vocabulary]:
    """What the options of each unit speak of."""
    arms = _by_unit(weapons.rows, "weapon", "weapon_id")
    kinds = _by_unit(composed.rows, "model")
    defaults = _by_unit(carried.rows, "model", "weapon_id", "count")
    found = {}
    for sheet in export["Datasheets"].rows(named=True):
        place = units.place(sheet["id"])
        if place is None:
            continue
        unit = (place["faction"], place["datasheet"])
        names = {weapon_id: name for name, weapon_id in arms.get(unit, [])}
        models = list(dict.fromkeys(kinds.get(unit, [])))
        has: dict[str, dict[str, int]] = {model: {} for model in models}
        for model, weapon_id, count in defaults.get(unit, []):
            has.setdefault(model, {})[names.get(weapon_id, weapon_id)] = count
        found[unit] = Vocabulary(list(names.values()), _naming(models), has)
    return found


def _naming(models: Sequence[str]) -> Callable[[str], list[str]]:
    return lambda name: _named(name, models)


def _carriers(who: str, models: Mapping[str, int]) -> list[str] | str:
    """The models of ``Every Guard and Scout``, or why they are none."""
    if normal(who) in _ALL:
        return list(models) or NO_MODEL
    found = _SUBJECT.fullmatch(who.strip())
    if found is None:
        return NO_MODEL
    carriers = _named(found["names"], models)
    if not carriers:
        parts = [_named(part, models) for part in _AND.split(found["names"])]
        if not all(parts):
            return NO_MODEL
        carriers = [name for part in parts for name in part]
    each = (found["each"] or "the").casefold().removeprefix("the ")
    number = {"one": 1, "a": 1, "an": 1}.get(each, int(each) if each.isdigit() else None)
    if found["other"] or (number and any(models[name] > number for name in carriers)):
        return SOME_MODELS
    return carriers


def _statline(model: str, known: Sequence[str]) -> str | None:
    """The stat line of a model: the one with most words of its name, and fewest others.

    >>> _statline("Guards", ["BELL SERGEANT", "GUARD", "OLD GUARD"])
    'GUARD'
    """
    words = set(_stem(model).split())
    told = [(set(_stem(name).split()), name) for name in known]
    best = max(told, key=lambda one: (len(one[0] & words), -len(one[0] - words)), default=None)
    return best[1] if best else None


def _named(name: str, models: Iterable[str]) -> list[str]:
    """The models of a name in the singular or the plural."""
    return [model for model in models if _stem(model) == _stem(name)]


@lru_cache(maxsize=4096)
def _stem(name: str) -> str:
    """A name without its number, word by word.

    >>> _stem("Hunting Wolves") == _stem("Hunting Wolf model"), _stem("Boyz") == _stem("Boy")
    (True, True)
    """
    words = normal(name).removesuffix("models").removesuffix("model").split()
    stems = (re.sub(r"e?[sz]?$", "", word.replace("men", "man")) for word in words)
    return " ".join(re.sub(r"v$", "f", re.sub(r"[yi]$", "i", stem)) for stem in stems)


def _carry(
    account: Account,
    place: Mapping[str, str],
    carriers: list[str] | str,
    item: str,
    ids: Mapping[str, str],
) -> None:
    """Rows of one item of a loadout, one for each kind of model that carries it."""
    found = _ITEM.fullmatch(item.strip(" .*"))
    count, name = (int(found[1] or 1), found[2]) if found else (1, item)
    weapon_id = _weapon_of(name, ids)
    parts = _AND.split(item)
    if weapon_id is None and len(parts) > 1 and any(_weapon_of(p, ids) for p in parts):
        for part in parts:
            _carry(account, place, carriers, part, ids)
        return
    if isinstance(carriers, str):
        account.set_aside(carriers)
    elif weapon_id is None or not count:
        account.set_aside(NO_WEAPON)
    else:
        for model in carriers:
            account.keep({**place, "model": model, "weapon_id": weapon_id, "count": count})


def _weapon_of(name: str, ids: Mapping[str, str]) -> str | None:
    """The id of a weapon, by its name in the singular or the plural."""
    word = normal(name)
    forms = (word, word.removesuffix("s"), word.removesuffix("es"), word.removeprefix("the "))
    return next((ids[form] for form in forms if form in ids), None)


def _summed(account: Account) -> None:
    """A weapon that two items give one model is carried as often as both say."""
    rows: dict[tuple[str, ...], Row] = {}
    for row in account.rows:
        key = (row["faction"], row["datasheet"], row["model"], row["weapon_id"])
        if key in rows:
            rows[key]["count"] += row["count"]
            account.set_aside("added to the same weapon of the model")
        else:
            rows[key] = row
    account.rows = list(rows.values())


def _by_unit(rows: Iterable[Row], *columns: str) -> dict[Unit, list]:  # type: ignore[type-arg]
    """The values of a column, or tuples of several, by unit."""
    found: dict[Unit, list] = {}  # type: ignore[type-arg]
    for row in rows:
        value = tuple(row[column] for column in columns) if len(columns) > 1 else row[columns[0]]
        found.setdefault((row["faction"], row["datasheet"]), []).append(value)
    return found

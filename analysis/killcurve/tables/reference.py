"""The toolkit's own reference: rules as effects in its own words, kept in ``data/reference``.

Three TOML files hold one table an entry: what a stratagem, a detachment rule or an enhancement
does to attacks, in the effect language. They say nothing that any page says in sentences.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from killcurve.rules.effects import Effect
from killcurve.rules.spelling import did_you_mean, normal
from killcurve.tables.dataset import DataError
from killcurve.tables.schemas import EDITIONS, SIDES, STATUSES

KINDS = ("stratagem", "detachment", "enhancement")
PHASES = ("command", "movement", "shooting", "charge", "fight")
TURNS = ("your", "opponent", "either")
EVERYWHERE = ("boarding actions",)
"""Detachments (normal form) that belong to no faction: armies of all factions use their rules."""

_FIELDS = {
    "stratagem": ("cp", "type", "phase", "turn", "used_by"),
    "detachment": (),
    "enhancement": ("cost",),
}
_COMMON = ("name", "edition", "faction", "detachment", "side", "effects", "status")


@dataclass(frozen=True, slots=True)
class Reference:
    """One entry: a stratagem, a rule of a detachment (``name`` is the rule's) or an enhancement.

    ``faction`` and ``detachment`` are empty where the entry belongs to none or it is not known.
    ``effects`` are phrases of the effect language (SCENARIO), ``side`` is whose attacks they
    change, ``status`` how much of the rule they express. ``cp``, ``type``, ``phase``, ``turn``
    and ``used_by`` are those of stratagems, ``cost`` (points) is that of enhancements.
    """

    kind: str
    edition: str
    faction: str
    detachment: str
    name: str
    cp: int | None
    type: str | None
    phase: tuple[str, ...]
    turn: str | None
    side: str | None
    used_by: tuple[str, ...]
    effects: tuple[str, ...]
    status: str
    cost: int | None = None


def lookup(
    kind: str, edition: str, faction: str, detachment: str | None, name: str
) -> Reference | None:
    """The entry of a rule, or ``None`` if the reference has none.

    Names are compared in any case and spelling of quotes. Entries without a faction (core
    stratagems, Boarding Actions) belong to every faction. ``detachment`` is ``""`` for core
    stratagems, and ``None`` where it is not known: then the name must be the only one of it.

    Raises:
        DataError: if there is no such kind, or the files of the reference are wrong.

    >>> lookup("stratagem", "11e", "Necrons", "", "Fire Overwatch").effects
    ('snap shooting',)
    >>> lookup("stratagem", "11e", "Necrons", "", "FIRE UNDERWATCH") is None
    True
    """
    by_name = _index(kind).get((edition, normal(name)), ())
    ours = [r for r in by_name if not r.faction or normal(r.faction) == normal(faction)]
    if detachment is None:
        return ours[0] if len(ours) == 1 else None
    return next((r for r in ours if normal(r.detachment) == normal(detachment)), None)


@cache
def all_of(kind: str) -> tuple[Reference, ...]:
    """Every entry of a kind (``stratagem``, ``detachment``, ``enhancement``), as in its file.

    Raises:
        DataError: if there is no such kind, or its file is wrong or missing.

    >>> {r.edition for r in all_of("stratagem")} == {"10e", "11e"}
    True
    >>> all_of("stratagems")
    Traceback (most recent call last):
    ...
    killcurve.tables.dataset.DataError: no reference of 'stratagems'; did you mean 'stratagem'?
    """
    if kind not in KINDS:
        raise DataError(f"no reference of {kind!r}{did_you_mean(kind, KINDS)}")
    return read_file(folder() / f"{kind}s.toml", kind)


def folder() -> Path:
    """Where the files are: in the installed package, else in the repository.

    Raises:
        DataError: if they are in neither place.
    """
    package = Path(__file__).resolve().parents[1]
    places = (package / "reference", package.parents[1] / "data" / "reference")
    for place in places:
        if place.is_dir():
            return place
    raise DataError(
        f"the reference is missing: neither {places[0]} nor {places[1]} is there; "
        "install killcurve again, or run it from its repository"
    )


def read_file(path: Path, kind: str) -> tuple[Reference, ...]:
    """The checked entries of one file.

    Raises:
        DataError: naming the file, the entry, what is wrong with it and what is allowed.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"the reference {path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise DataError(f"the reference {path.name} is not TOML in UTF-8: {error}") from error
    tables = data.get(kind)
    if not isinstance(tables, list) or not all(isinstance(t, dict) for t in tables):
        raise DataError(f"the reference {path.name} has no [[{kind}]] tables")
    entries = []
    for number, table in enumerate(tables, start=1):
        try:
            entries.append(_entry(kind, table))
        except ValueError as error:
            where = f"{path.name}, entry {number} ({table.get('name')!r})"
            raise DataError(f"{where}: {error}") from None
    _check_once(path.name, entries)
    return tuple(entries)


@cache
def _index(kind: str) -> Mapping[tuple[str, str], tuple[Reference, ...]]:
    by_name: dict[tuple[str, str], tuple[Reference, ...]] = {}
    for entry in all_of(kind):
        key = (entry.edition, normal(entry.name))
        by_name[key] = (*by_name.get(key, ()), entry)
    return by_name


def _entry(kind: str, table: Mapping[str, Any]) -> Reference:
    known = (*_COMMON, *_FIELDS[kind])
    for key in table:
        if key not in known:
            raise ValueError(f"there is no field {key!r}{did_you_mean(key, known)}")
    entry = Reference(
        kind=kind,
        edition=_choice(table, "edition", EDITIONS),
        faction=_text(table, "faction"),
        detachment=_text(table, "detachment"),
        name=_text(table, "name"),
        cp=_number(table, "cp") if kind == "stratagem" else None,
        type=_text(table, "type") if "type" in table else None,
        phase=_list(table, "phase", lambda phase: _one_of("phase", phase, PHASES)),
        turn=_choice(table, "turn", TURNS) if kind == "stratagem" else None,
        side=_choice(table, "side", SIDES) if "side" in table else None,
        used_by=_list(table, "used_by", normal),
        effects=_list(table, "effects", _effect),
        status=_choice(table, "status", STATUSES),
        cost=_number(table, "cost") if "cost" in table else None,
    )
    _check_together(entry)
    return entry


def _check_together(entry: Reference) -> None:
    if not entry.name:
        raise ValueError("name is empty")
    if entry.kind == "stratagem" and not entry.phase:
        raise ValueError(f"phase is empty: list one or more of {', '.join(PHASES)}")
    if entry.effects and (entry.side is None or entry.status not in ("modelled", "partial")):
        raise ValueError("an entry with effects has a side, and is modelled or partial")
    if entry.status == "modelled" and not entry.effects:
        raise ValueError("a modelled entry has effects; without any it is unmodelled or none")


def _check_once(file: str, entries: list[Reference]) -> None:
    """The launch state of an edition may print another cost: those count as two entries."""
    seen = set()
    for e in entries:
        key = (e.edition, normal(e.faction), normal(e.detachment), normal(e.name), e.cp)
        if key in seen:
            raise DataError(f"{file}: {e.name!r} ({e.edition}, {e.detachment!r}) is there twice")
        seen.add(key)
    for e in entries:
        if not e.faction and e.detachment and normal(e.detachment) not in EVERYWHERE:
            raise DataError(
                f"{file}: {e.name!r} has the detachment {e.detachment!r}, and no faction"
            )


def _text(table: Mapping[str, Any], key: str) -> str:
    value = table.get(key)
    if not isinstance(value, str):
        raise ValueError(f"{key} is {value!r}, and must be a text")
    return value


def _number(table: Mapping[str, Any], key: str) -> int:
    value = table.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{key} is {value!r}, and must be a whole number from 0 up")
    return value


def _choice(table: Mapping[str, Any], key: str, allowed: tuple[str, ...]) -> str:
    return _one_of(key, _text(table, key), allowed)


def _one_of(key: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise ValueError(f"{key} is {value!r}, and must be one of {', '.join(allowed)}")
    return value


def _list(table: Mapping[str, Any], key: str, read: Callable[[str], str]) -> tuple[str, ...]:
    values = table.get(key, [])
    if not isinstance(values, list) or not all(isinstance(v, str) for v in values):
        raise ValueError(f"{key} is {values!r}, and must be a list of texts")
    return tuple(read(value) for value in values)


def _effect(phrase: str) -> str:
    written = str(Effect.parse(phrase))
    if written != phrase:
        raise ValueError(f"the effect {phrase!r} is to be written {written!r}")
    return phrase

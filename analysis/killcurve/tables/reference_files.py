"""How the files of the reference are written: what an entry may say, and what is wrong with it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from killcurve.engine.edition import EDITIONS as RULE_STATES
from killcurve.rules.effects import Effect
from killcurve.rules.spelling import did_you_mean, normal
from killcurve.tables.dataset import DataError
from killcurve.tables.schemas import EDITIONS, SIDES, STATUSES

KINDS = ("stratagem", "detachment", "enhancement")
PHASES = ("command", "movement", "shooting", "charge", "fight")
TURNS = ("your", "opponent", "either")
EVERYWHERE = ("boarding actions",)
"""Detachments (normal form) that belong to no faction: armies of all factions use their rules."""

RESTRICTIONS = (
    "unengaged",
    "engaged",
    "charged",
    "not advanced",
    "not fallen back",
    "not shot",
    "not fought",
    "eligible to shoot",
    "eligible to fight",
    "eligible to charge",
    "in reserves",
    "targeted",
    "not titanic",
    "not aircraft",
    "walker if vehicle",
    "character or walker if vehicle",
    "target visible",
    "target unengaged",
    "target attached",
    "once per turn",
    "once per battle",
    "not in round 1",
)
"""What must hold of the unit, of its target, or of the time, for a stratagem to be used.

``within 8`` and the like (inches to the enemy unit) are restrictions, too.
"""
_WITHIN = re.compile(r"within [1-9]\d*")

_FIELDS = {
    "stratagem": ("cp", "type", "phase", "turn", "used_by", "also", "restrictions"),
    "detachment": (),
    "enhancement": ("cost",),
}
_COMMON = ("name", "side", "effects", "status")
_OF_AN_ARMY = ("edition", "faction", "detachment")


@dataclass(frozen=True, slots=True)
class Reference:
    """One entry: a stratagem, a rule of a detachment (``name`` is the rule's) or an enhancement.

    ``edition`` is one of the tables' (``10e``, ``11e``), for core stratagems the rule state.
    ``faction`` and ``detachment`` are empty where the entry belongs to none or it is not known.
    ``effects`` are phrases of the effect language (SCENARIO), ``side`` is whose attacks they
    change, ``status`` how much of the rule they express. ``cp``, ``type``, ``phase``, ``turn``
    and ``used_by`` are those of stratagems, ``cost`` (points) is that of enhancements. A
    stratagem may be known by ``also``, its name in another edition; :data:`RESTRICTIONS` are
    what else its use is bound to, beside the keywords of ``used_by``.
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
    also: tuple[str, ...] = ()
    restrictions: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """All its names, as they are compared."""
        return tuple(compared(name) for name in (self.name, *self.also))


def compared(name: str) -> str:
    """The form in which names of rules are compared: letters and digits alone.

    >>> compared("COUNTER-OFFENSIVE") == compared("Counteroffensive")
    True
    """
    return "".join(c for c in normal(name) if c.isalnum())


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
    entries: list[Reference] = []
    for number, table in enumerate(tables, start=1):
        try:
            entries += _entries(kind, table)
        except ValueError as error:
            where = f"{path.name}, entry {number} ({table.get('name')!r})"
            raise DataError(f"{where}: {error}") from None
    _check_once(path.name, entries)
    return tuple(entries)


def _entries(kind: str, table: Mapping[str, Any]) -> Iterator[Reference]:
    """The entry of a table; a core stratagem is one in each rule state of its ``editions``."""
    core = kind == "stratagem" and "editions" in table
    known = (*_COMMON, *_FIELDS[kind], *(("editions",) if core else _OF_AN_ARMY))
    for key in table:
        if key not in known:
            raise ValueError(f"there is no field {key!r}{did_you_mean(key, known)}")
    if not core:
        edition = _choice(table, "edition", EDITIONS)
        yield _entry(kind, edition, _text(table, "faction"), _text(table, "detachment"), table)
        return
    states = tuple(RULE_STATES)
    editions = _list(table, "editions", lambda state: _one_of("editions", state, states))
    if not editions:
        raise ValueError(f"editions is empty: list one or more of {', '.join(states)}")
    for edition in editions:
        yield _entry(kind, edition, "", "", table)


def _entry(
    kind: str, edition: str, faction: str, detachment: str, table: Mapping[str, Any]
) -> Reference:
    entry = Reference(
        kind=kind,
        edition=edition,
        faction=faction,
        detachment=detachment,
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
        also=_list(table, "also", str),
        restrictions=_list(table, "restrictions", _restriction),
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
    seen: set[tuple[str, ...]] = set()
    for e in entries:
        place = (e.edition, normal(e.faction), normal(e.detachment))
        if seen & {(*place, key) for key in e.keys}:
            raise DataError(f"{file}: {e.name!r} ({e.edition}, {e.detachment!r}) is there twice")
        seen |= {(*place, key) for key in e.keys}
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


def _restriction(words: str) -> str:
    if words in RESTRICTIONS or _WITHIN.fullmatch(words):
        return words
    raise ValueError(
        f"{words!r} is no restriction{did_you_mean(words, RESTRICTIONS)}; there are "
        f"{', '.join(RESTRICTIONS)}, and within so many inches"
    )

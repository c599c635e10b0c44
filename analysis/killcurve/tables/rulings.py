"""What a rule does to attacks, and who says so: the columns that all tables of rules share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from killcurve.rules.descriptions import Reading
from killcurve.tables.reference_files import Reference
from killcurve.tables.sourced import SAYERS


@dataclass(frozen=True, slots=True)
class Ruling:
    """What one rule does.

    ``side`` is whose attacks it changes, ``effects`` are phrases of the effect language,
    ``status`` says how much of it they express and ``unread`` what they leave out. ``read_from``
    tells who says so: ``override`` (the user), ``reference`` (the toolkit's own), ``text`` or
    ``description``. ``phases`` are those of the attacks that it changes.
    """

    side: str | None = None
    effects: tuple[str, ...] = ()
    status: str = "unread"
    unread: tuple[str, ...] = ()
    read_from: str | None = None
    phases: tuple[str, ...] = ()

    @classmethod
    def of_reference(cls, entry: Reference, read_from: str = "reference") -> Ruling:
        """What an entry of the reference says."""
        phases = tuple(p for p in entry.phase if p in ("shooting", "fight"))
        return cls(entry.side, entry.effects, entry.status, (), read_from, phases)

    @classmethod
    def of_reading(cls, reading: Reading, read_from: str) -> Ruling:
        """What was read in a text or a description."""
        effects = tuple(str(effect) for effect in reading.effects)
        phases = reading.phases
        return cls(reading.side, effects, reading.status, reading.unread, read_from, phases)

    def columns(self) -> dict[str, Any]:
        """The columns of a table's row.

        >>> Ruling("attacker", ("hit +1",), "modelled", (), "text").columns()["effects"]
        ['hit +1']
        """
        return {
            "side": self.side,
            "effects": list(self.effects),
            "status": self.status,
            "unread": list(self.unread),
            "read_from": self.read_from,
        }


def known_or_unread(entry: Reference | None) -> dict[str, Any]:
    """The columns of a rule as the reference has it; ``unread`` where it has none."""
    return (UNREAD if entry is None else Ruling.of_reference(entry)).columns()


def core_row(entry: Reference) -> dict[str, Any]:
    """The row of a core stratagem in the table ``stratagems``."""
    return {
        "faction": "",
        "detachment": "",
        "name": entry.name,
        "cp": entry.cp,
        "type": entry.type,
        "phase": list(entry.phase),
        "turn": entry.turn,
        "used_by": list(entry.used_by),
        **Ruling.of_reference(entry).columns(),
    }


UNREAD = Ruling()
"""A rule of which nobody has said anything."""


def read_text(text: str, *, name: str = "", kind: str = "", edition: str | None = None) -> Ruling:
    """What the text of a rule says.

    >>> read_text("Add 1 to the Hit roll each time this model makes an attack.").effects
    ('hit +1',)
    """
    from killcurve.rules.reader import read_rule  # its grammar is loaded when it is used

    return Ruling.of_reading(read_rule(text, name=name, kind=kind, edition=edition), "text")


def together(rulings: Sequence[Ruling]) -> Ruling:
    """Several rules of one owner as one.

    >>> together([Ruling("attacker", ("hit +1",), "modelled"), UNREAD]).status
    'partial'
    """
    if not rulings:
        return UNREAD
    statuses = {rule.status for rule in rulings}
    effects = tuple(dict.fromkeys(phrase for rule in rulings for phrase in rule.effects))
    if effects:
        status = "modelled" if statuses <= {"modelled", "none"} else "partial"
    else:
        status = next(s for s in ("unmodelled", "unread", "none") if s in statuses)
    sides = {rule.side for rule in rulings if rule.side}
    side = sides.pop() if len(sides) == 1 else ("both" if sides else None)
    unread = tuple(dict.fromkeys(clause for rule in rulings for clause in rule.unread))
    sayers = {rule.read_from for rule in rulings if rule.read_from}
    read_from = next((s for s in SAYERS if s in sayers), None)
    return Ruling(side, effects, status, unread, read_from)

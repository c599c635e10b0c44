"""The account of a reading: the fate of each row, and notes on rows that are kept."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

Place = tuple[str, int]
"""A file and the number of a row in it."""

KEPT, OTHER_SIDE, SET_ASIDE = "kept", "other side", "set aside"


@dataclass(slots=True)
class Ledger:
    """Fates and notes by place; what is written here never holds the name of a person."""

    fates: dict[Place, tuple[str, str | None]] = field(default_factory=dict)
    notes: list[tuple[Place, str]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def keep(self, place: Place) -> None:
        """The row stands for a game, or for a player's record, of its own."""
        self.fates[place] = (KEPT, None)

    def other_side(self, place: Place, of: Place) -> None:
        """The row tells the game of another row once more, from its other side."""
        self.fates[place] = (OTHER_SIDE, f"it is the other side of {where(of, place)}")

    def leave(self, place: Place, reason: str) -> None:
        """The row is not used."""
        self.fates[place] = (SET_ASIDE, reason)

    def note(self, place: Place, note: str) -> None:
        """Something about a row that may be kept all the same."""
        self.notes.append((place, note))

    def reasons(self) -> Counter[str]:
        """How many rows were set aside for each reason; rows that a reason names do not count."""
        return Counter(
            general(reason) for fate, reason in self.fates.values() if fate == SET_ASIDE and reason
        )


def where(place: Place, seen_from: Place) -> str:
    """A row as messages call it.

    >>> where(("a.csv", 7), ("a.csv", 9)), where(("a.csv", 7), ("b.csv", 9))
    ('row 7', 'row 7 of a.csv')
    """
    file, row = place
    return f"row {row}" if file == seen_from[0] else f"row {row} of {file}"


def general(reason: str) -> str:
    """A reason without the rows that it names behind a colon.

    >>> general("rows of one game contradict each other: row 7, row 9")
    'rows of one game contradict each other'
    """
    return reason.partition(": ")[0]

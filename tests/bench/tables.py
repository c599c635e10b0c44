"""Medians of one run, by table, row and column, and plain text for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Timings:
    """Seconds; rows and columns in the order in which they were measured.

    ``ratios`` are to what was timed beside, call by call.
    """

    seconds: dict[tuple[str, str, str], float] = field(default_factory=dict)
    ratios: dict[tuple[str, str, str], float] = field(default_factory=dict)

    def keep(self, table: str, row: str, column: str, seconds: float) -> None:
        """Remember one median."""
        self.seconds[table, row, column] = seconds

    def keep_ratio(self, table: str, row: str, column: str, ratio: float) -> None:
        """Remember how many times slower something was than what was timed beside it."""
        self.ratios[table, row, column] = ratio

    def get(self, table: str, row: str, column: str) -> float | None:
        """One median, if it was measured."""
        return self.seconds.get((table, row, column))

    def ratio(self, table: str, row: str, column: str) -> float | None:
        """How many times slower, if it was measured beside anything."""
        return self.ratios.get((table, row, column))

    def rows(self, table: str) -> list[str]:
        """What was measured for a table."""
        return list(dict.fromkeys(row for name, row, _ in self.seconds if name == table))

    def columns(self, table: str) -> list[str]:
        """What it was measured with."""
        return list(dict.fromkeys(column for name, _, column in self.seconds if name == table))


def aligned(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of text under their heads: the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    out = []
    for row in (head, *rows):
        first, *others = (
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        out.append("  ".join([first, *others]).rstrip())
    return out


def duration(seconds: float | None) -> str:
    """A time with its unit, three digits."""
    if seconds is None:
        return "-"
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def times(ratio: float | None) -> str:
    """How many times slower."""
    if ratio is None:
        return "-"
    return f"{ratio:.0f}x" if ratio >= 100 else f"{ratio:.1f}x" if ratio >= 10 else f"{ratio:.2f}x"

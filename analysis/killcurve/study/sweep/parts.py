"""One part of a sweep: the outcomes of some target halves, as the bytes of a Parquet file."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from itertools import count
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
import pyarrow as pa

from killcurve.engine.batch import Attacks, TargetHalf, deviations, means, outcomes, quantiles
from killcurve.engine.pmf import FloatArray

WHAT = ("damage", "slain")

SHARES = (0.1, 0.5, 0.9)
"""Quantiles that are kept: columns ``damage_p10``, …"""

ROWS_A_GROUP = 50_000
"""Rows of a Parquet row group: readers skip those without the halves they look for."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Some target halves, numbered from ``first``, each with the attack halves it meets.

    With ``full`` the laws are kept, too.
    """

    first: int
    halves: tuple[TargetHalf, ...]
    met: tuple[npt.NDArray[np.int32], ...]
    full: bool = False

    @property
    def rows(self) -> int:
        """How many outcomes it has."""
        return sum(len(ids) for ids in self.met)


def computed(attacks: Attacks, part: Part) -> bytes:
    """The outcomes of a part, sorted by the numbers of target half and attack half."""
    columns = _empty(part.rows)
    laws: dict[str, list[FloatArray]] = {what: [] for what in WHAT}
    first = 0
    for number, half, ids in zip(count(part.first), part.halves, part.met, strict=False):
        rows = slice(first, first + len(ids))
        found = outcomes(attacks, half, ids)
        columns["target_half"][rows], columns["attack_half"][rows] = number, ids
        columns["destroyed"][rows] = found.destroyed
        for what in WHAT:
            law = getattr(found, what)
            _fill(columns, what, rows, law)
            if part.full:
                laws[what].append(law)
        first = rows.stop
    frame = pl.DataFrame(columns)
    if part.full:
        frame = frame.with_columns(
            pl.Series(f"{what}_pmf", _lists(laws[what]), dtype=pl.List(pl.Float64)) for what in WHAT
        )
    buffer = BytesIO()
    frame.write_parquet(
        buffer, compression="zstd", compression_level=3, row_group_size=ROWS_A_GROUP
    )
    return buffer.getvalue()


def _empty(rows: int) -> dict[str, npt.NDArray[Any]]:
    """The columns of a part, to be filled."""
    kinds: dict[str, Any] = {"target_half": np.uint32, "attack_half": np.uint32}
    for what in WHAT:
        kinds |= {what: np.float64, f"{what}_sd": np.float64}
        kinds |= {f"{what}_p{round(100 * share)}": np.uint16 for share in SHARES}
    kinds["destroyed"] = np.float64
    return {name: np.empty(rows, dtype=kind) for name, kind in kinds.items()}


def _fill(columns: dict[str, npt.NDArray[Any]], what: str, rows: slice, laws: FloatArray) -> None:
    """What is kept of the laws of some rows."""
    columns[what][rows] = means(laws)
    columns[f"{what}_sd"][rows] = deviations(laws)
    for share, values in zip(SHARES, quantiles(laws, SHARES), strict=True):
        columns[f"{what}_p{round(100 * share)}"][rows] = values


def _lists(laws: list[FloatArray]) -> pa.LargeListArray:
    """Rows of several arrays as lists."""
    lengths = [np.full(len(law), law.shape[1]) for law in laws]
    edges = np.cumsum(np.concatenate([[0], *lengths]), dtype=np.int64)
    flat = np.concatenate([np.zeros(0), *(law.ravel() for law in laws)])
    return pa.LargeListArray.from_arrays(pa.array(edges), pa.array(flat))

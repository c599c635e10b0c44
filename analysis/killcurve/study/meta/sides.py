"""Games seen from both sides: two rows a game, and which of them are mirrors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import polars as pl

By = Literal["faction", "detachment"]
KEYS: Mapping[By, tuple[str, ...]] = {
    "faction": ("faction",),
    "detachment": ("faction", "detachment"),
}
"""What names an army: its faction, or that with its detachment."""

_SIDES = ("player", "faction", "detachment", "score")


def sides(games: pl.DataFrame, by: By = "faction") -> pl.DataFrame:
    """Two rows a game, one from each side, with ``mirror``: both armies are of one kind.

    Columns are those of ``games`` (:class:`killcurve.tables.result_schemas.Games`), of which
    ``opponent`` becomes ``opponent_player``. By detachment, sides that name none are left out.

    >>> games = pl.DataFrame({"game": [1], "player": [1], "faction": ["A"], "detachment": [None],
    ...     "score": [None], "opponent": [2], "opponent_faction": ["B"],
    ...     "opponent_detachment": [None], "opponent_score": [None], "result": [1.0]})
    >>> sides(games).select("faction", "result", "mirror").rows()
    [('A', 1.0, False), ('B', 0.0, False)]
    """
    first = games.rename({"opponent": "opponent_player"})
    turned = {name: f"opponent_{name}" for name in _SIDES}
    back = {theirs: ours for ours, theirs in turned.items()}
    second = first.rename({**turned, **back}).with_columns(result=1 - pl.col("result"))
    both = pl.concat([first, second.select(first.columns)])
    keys = KEYS[by]
    same = [pl.col(key).eq_missing(pl.col(f"opponent_{key}")) for key in keys]
    known = both.filter(pl.col(keys[-1]).is_not_null())
    return known.with_columns(mirror=pl.all_horizontal(same)).sort("game", maintain_order=True)


def unknown_detachments(games: pl.DataFrame) -> int:
    """How many sides of games name no detachment.

    >>> unknown_detachments(pl.DataFrame({"detachment": ["X"], "opponent_detachment": [None]}))
    1
    """
    return games["detachment"].null_count() + games["opponent_detachment"].null_count()


def sorted_by(frame: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    """The frame in the order of its keys, which come first."""
    rest = [name for name in frame.columns if name not in keys]
    return frame.select(*keys, *rest).sort(keys)

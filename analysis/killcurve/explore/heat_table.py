"""A heat map as a table of the page: its cells are coloured, and can be clicked and sorted."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from html import escape

import polars as pl

from killcurve.charts.heatmap import FURTHEST, cell_number, ratio
from killcurve.charts.style import diverging, house_style, sequential, upon
from killcurve.explore.clicking import TELLS_CELL

LEVELS = 96
"""Steps between the least and the greatest shade."""

NONE = "–"


@dataclass(frozen=True, slots=True)
class HeatTable:
    """A row a unit: its name, what else is told of it (``heads``), and a coloured cell a target.

    ``frame`` has the columns ``unit``, ``heads`` and ``targets``, in the order of the rows shown.
    ``chosen`` is the cell that is looked at, ``by`` the column that sorts (``upward``: the least
    first). Cells are numbers; percentages with ``share``, logarithms to base 2 with ``ratios``.
    """

    frame: pl.DataFrame
    heads: tuple[str, ...]
    targets: tuple[str, ...]
    caption: str
    chosen: tuple[str, str] = ("", "")
    by: str = ""
    upward: bool = False
    share: bool = False
    ratios: bool = False

    def html(self, style: str = "light") -> str:
        """The table, with its caption below; it scrolls by itself where it has no room."""
        far = self._furthest()
        head = "".join(map(self._head, self.frame.columns))
        rows = "".join(self._row(row, far, style) for row in self.frame.iter_rows(named=True))
        return (
            '<figure class="killcurve-heat"><div tabindex="0" role="region" '
            f'aria-label="{escape(self.caption)}"><table{TELLS_CELL}>'
            f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
            f"<figcaption>{escape(self.caption)}</figcaption></figure>"
        )

    def _furthest(self) -> float:
        """The value that has the strongest colour."""
        if self.ratios:
            return FURTHEST
        sizes = self.frame.select(pl.col(self.targets).abs()).to_numpy()
        return max([0.0, *(float(size) for size in sizes.flat if math.isfinite(size))])

    def _head(self, name: str) -> str:
        sorted_ = ""
        if name == self.by:
            way, mark = ("ascending", "▲") if self.upward else ("descending", "▼")
            sorted_, name_ = f' aria-sort="{way}"', f"{name} {mark}"
        else:
            name_ = name
        return f'<th scope="col" data-column="{escape(name)}"{sorted_}>{escape(name_)}</th>'

    def _row(self, row: dict[str, object], far: float, style: str) -> str:
        name = str(row["unit"])
        told = "".join(f"<td>{escape(self._words(row[head]))}</td>" for head in self.heads)
        cells = "".join(
            self._cell(name, target, row[target], far, style) for target in self.targets
        )
        shown = escape(name)
        return f'<tr data-row="{shown}"><th scope="row">{shown}</th>{told}{cells}</tr>'

    def _cell(self, unit: str, target: str, value: object, far: float, style: str) -> str:
        here = ' aria-current="true"' if (unit, target) == self.chosen else ""
        words = self._words(value)
        if not isinstance(value, float) or words == NONE:
            return f"<td{here}>{NONE}</td>"
        share = min(max(value / (far or 1.0), -1.0), 1.0)
        # The square root spreads the many small cells, as in the chart.
        shade = (share + 1) / 2 if self.ratios else math.sqrt(max(share, 0.0))
        colours = _colours(round(shade * LEVELS), self.ratios, style)
        return f'<td{here} style="{colours}">{words}</td>'

    def _words(self, value: object) -> str:
        """A value as its cell tells it; a ratio may be infinite, nothing else."""
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return NONE
        if not isinstance(value, float):
            return str(value)
        if self.ratios:
            return ratio(value)
        if math.isinf(value):
            return NONE
        return cell_number(100 * value if self.share else value)


@lru_cache(maxsize=5 * LEVELS)
def _colours(level: int, both_ways: bool, style: str) -> str:
    """Ground and ink of a cell, as a chart of the same numbers has them."""
    from matplotlib.colors import to_hex

    with house_style(style):
        ground = to_hex((diverging() if both_ways else sequential())(level / LEVELS))
    return f"background:{ground};color:{upon(ground)}"

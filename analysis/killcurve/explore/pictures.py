"""Charts, numbers and words as HTML that a widget's value can carry, with alt text."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import polars as pl

from killcurve.charts.export import Chart, rendered
from killcurve.charts.presets import Preset, page
from killcurve.charts.style import DRAWING
from killcurve.explore.clicking import TELLS_WIDTH, tells_opening


@dataclass(frozen=True, slots=True)
class Look:
    """How pictures look on a page: light or dark, and whether they have little room."""

    style: str = "light"
    narrow: bool = False

    def size(self, chart: Chart) -> Preset:
        """The pixels of a chart."""
        return page(chart.height, narrow=self.narrow)


STYLE = """<style>
.killcurve {font-size: 13px; color: var(--jp-ui-font-color1, inherit);}
.killcurve figure {margin: 0;}
.killcurve figcaption, .killcurve .killcurve-note {color: var(--jp-ui-font-color2, #595959);}
.killcurve-note {line-height: 1.3;}
.killcurve-heading {font-weight: 600; margin-top: .5em;
  border-bottom: 1px solid var(--jp-border-color2, #ccc);}
.killcurve .widget-checkbox {height: auto;}
.killcurve .widget-checkbox .widget-label-basic {white-space: normal; line-height: 1.3;
  align-items: center; height: auto; padding: 2px 0;}
.killcurve .killcurve-ticks {padding-right: .5em;}
.killcurve .killcurve-ticks > .widget-html, .killcurve .killcurve-ticks .widget-html-content {
  height: auto; min-height: 0;}
.killcurve-answer .widget-html-content {min-width: 0;}
.killcurve .widget-html-content {line-height: 1.4; white-space: normal;}
.killcurve table {border-collapse: collapse; font-variant-numeric: tabular-nums;}
.killcurve th, .killcurve td {padding: .15em .7em .15em 0; text-align: right;
  border-bottom: 1px solid var(--jp-border-color2, #ddd);}
.killcurve th:first-child, .killcurve td:first-child {text-align: left;}
.killcurve pre {white-space: pre-wrap; margin: .3em 0; font-size: 12px;}
.killcurve mark {background: none; color: inherit; font-weight: 700;
  text-decoration: underline wavy #D55E00;}
.killcurve a[download] {margin-right: 1em; white-space: nowrap; text-decoration: underline;
  color: var(--jp-content-link-color, #0072B2);}
.killcurve :focus-visible {outline: 2px solid #0072B2; outline-offset: 1px;}
.killcurve-heat > div {max-height: 34em; overflow: auto; max-width: 100%;}
.killcurve-heat table {font-size: 12px; border-collapse: separate; border-spacing: 1px;}
.killcurve-heat th, .killcurve-heat td {padding: .1em .3em; border: 0; text-align: center;}
.killcurve-heat thead th {position: sticky; top: 0; z-index: 1; font-weight: 600;
  vertical-align: bottom; cursor: pointer; background: var(--jp-layout-color0, Canvas);}
.killcurve-heat tbody th {text-align: left; font-weight: 400; position: sticky; left: 0;
  min-width: 11em; background: var(--jp-layout-color0, Canvas);}
.killcurve-heat tbody td, .killcurve-heat tbody th {cursor: pointer;}
.killcurve-heat [aria-current] {outline: 3px solid #D55E00; outline-offset: -2px;
  font-weight: 700;}
@media (max-width: 899px) {
.killcurve-heat tr > :nth-child(2), .killcurve-heat tr > :nth-child(3) {display: none;}
.killcurve-heat tbody th {min-width: 6.5em; max-width: 8em; overflow-wrap: anywhere;}}
.killcurve-controls > * {flex-shrink: 0;}
@media (max-width: 899px) {.killcurve-answer {order: -1;}}
.killcurve-controls::-webkit-scrollbar, .killcurve-heat > div::-webkit-scrollbar {
  width: 10px; height: 10px;}
.killcurve-controls::-webkit-scrollbar-thumb, .killcurve-heat > div::-webkit-scrollbar-thumb {
  background: #949494; border-radius: 5px;}
@media (min-width: 900px) {.killcurve-controls {max-height: 860px;
  overflow-y: auto; border-bottom: 1px solid #949494; flex: 0 0 24.5em !important;}}
</style>"""
"""What the parts of an explorer look like, in a light and in a dark theme."""

STILL = """<style>
.jp-OutputArea:has(.killcurve-answer) .killcurve-still {display: none;}
.killcurve-still figure {margin: 0;}
</style>"""
"""Hides the still answer of an explorer beside the living one."""

STARTS = (
    '<img alt="" style="display:none" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" '
    'onerror="this.onload()" onload="if(!window.killcurveKeys){window.killcurveKeys=true;'
    "document.addEventListener('focusin',function(e){if(e.target.closest('.killcurve'))"
    f"e.target.setAttribute('data-lm-suppress-shortcuts','true')}})}}{escape(TELLS_WIDTH)}\">"
)
"""Runs once an explorer is on the page. JupyterLab takes keys that are pressed in lists and boxes
for its own commands (``r`` makes a cell raw, arrows leave it); what has this mark when it has the
focus keeps its keys. And the kernel is told how much room its pictures have."""


MOST_DRAWN = 16
_drawn: dict[tuple[int, str, Look], tuple[Chart, bytes]] = {}
"""The last pictures by the chart's identity; the charts are held, so that no id comes again."""


def svg(chart: Chart, footer: str, look: Look = Look()) -> bytes:
    """The chart as SVG; the same chart is drawn once, while it is among the last."""
    key = id(chart), footer, look
    with DRAWING:
        if key not in _drawn:
            _drawn[key] = chart, rendered(chart, footer, "svg", look.size(chart), look.style)
            while len(_drawn) > MOST_DRAWN:
                del _drawn[next(iter(_drawn))]
        return _drawn[key][1]


def figure(chart: Chart, footer: str, look: Look = Look()) -> str:
    """The chart as ``<figure>`` with the picture inside, its alt text and a caption.

    The picture's size is reserved, so that nothing jumps while it loads.
    """
    picture = base64.b64encode(svg(chart, footer, look)).decode()
    size = look.size(chart)
    return (
        f'<figure><img width="{size.width}" height="{size.height}" '
        f'style="max-width:100%;height:auto;aspect-ratio:{size.width}/{size.height}" '
        f'alt="{escape(chart.alt)}" src="data:image/svg+xml;base64,{picture}">'
        f"<figcaption>{escape(chart.alt)}</figcaption></figure>"
    )


def no_figure(look: Look = Look(), height: int = 675) -> str:
    """The place of a picture that there is none of."""
    size = page(height, narrow=look.narrow)
    ratio = f"{size.width}/{size.height}"
    return f'<div style="max-width:100%;width:{size.width}px;aspect-ratio:{ratio}"></div>'


def key_numbers(numbers: Mapping[str, str], remarks: Sequence[str] = ()) -> str:
    """A row of labelled numbers, with remarks below.

    >>> key_numbers({"P(destroyed)": "5 %"}, ["a < b"]).count("&lt;")
    1
    """
    cells = "".join(
        f'<div style="padding:.2em 1.4em .2em 0"><div style="font-size:1.5em">{escape(value)}</div>'
        f"<div>{escape(label)}</div></div>"
        for label, value in numbers.items()
    )
    words = "".join(f"<li>{escape(remark)}</li>" for remark in remarks)
    told = f'<ul style="margin:.4em 0;line-height:1.4">{words}</ul>' if words else ""
    return f'<div style="display:flex;flex-wrap:wrap">{cells}</div>{told}'


def note(words: str, *, indent: bool = False) -> str:
    """Words of less weight."""
    style = ' style="padding-left:1.7em"' if indent else ""
    return f'<div class="killcurve-note"{style}>{escape(words)}</div>'


def problem(message: str) -> str:
    """An error in place, in words."""
    style = "border-left:4px solid #D55E00;padding-left:.6em;margin:.2em 0"
    return f'<p role="alert" style="{style}">{escape(message)}</p>'


def folded(summary: str, inner: str, *, is_open: bool = False, told: str = "") -> str:
    """Something that is opened by a click or the keyboard; ``inner`` is HTML.

    The first time that it is opened the kernel hears of ``told``, if that is given.
    """
    state = " open" if is_open else ""
    tells = tells_opening(told) if told else ""
    return f"<details{state}{tells}><summary>{escape(summary)}</summary>{inner}</details>"


def table(frame: pl.DataFrame, caption: str) -> str:
    """A small frame as a table; numbers with two digits behind the point.

    >>> table(pl.DataFrame({"gun": ["a"], "hits": [1.5]}), "Means").count("<td>1.50</td>")
    1
    """
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in frame.columns)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(_cell(value))}</td>' for value in row)}</tr>"
        for row in frame.rows()
    )
    return (
        f'<div style="overflow-x:auto"><table><caption style="text-align:left">{escape(caption)}'
        f"</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cell(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.2f}" if isinstance(value, float) else str(value)

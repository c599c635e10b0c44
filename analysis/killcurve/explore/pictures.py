"""Charts and numbers as HTML that a widget's value can carry, with alt text."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from html import escape

from killcurve.charts.export import Chart, rendered


def figure(chart: Chart, footer: str) -> str:
    """The chart as ``<figure>`` with the picture inside, its alt text and a caption."""
    picture = base64.b64encode(rendered(chart, footer)).decode()
    return (
        f'<figure style="margin:0"><img style="max-width:100%;height:auto" '
        f'alt="{escape(chart.alt)}" src="data:image/png;base64,{picture}">'
        f"<figcaption>{escape(chart.alt)}</figcaption></figure>"
    )


def key_numbers(numbers: Mapping[str, str], remarks: Sequence[str]) -> str:
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
    return (
        f'<div style="display:flex;flex-wrap:wrap">{cells}</div>'
        f'<ul style="margin:.4em 0;line-height:1.4">{words}</ul>'
    )


def problem(message: str) -> str:
    """An error in place, in words."""
    style = "border-left:4px solid #D55E00;padding-left:.6em"
    return f'<p role="alert" style="{style}">{escape(message)}</p>'

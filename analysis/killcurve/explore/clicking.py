"""Clicks into what a widget's value shows, told to the kernel."""

from __future__ import annotations

import json
from collections.abc import Callable
from html import escape

import ipywidgets as W  # noqa: N812 - as its own documentation writes it


def _telling(names: str) -> str:
    """A script that puts ``names`` (an expression: a list) into the box that the kernel hears.

    Where no kernel listens it does nothing.
    """
    return (
        "var all=this.closest('.killcurve'),"
        "box=all&&all.querySelector('.killcurve-clicked input');"
        f"if(box){{box.value=JSON.stringify({names}.concat(Date.now()));"
        "['input','change'].forEach(function(kind){"
        "box.dispatchEvent(new Event(kind,{bubbles:true}))})}"
    )


_CELL = (
    "var cell=event.target.closest('th,td');if(!cell)return;"
    "var row=cell.parentNode.dataset.row||'',"
    "column=this.tHead.rows[0].cells[cell.cellIndex].dataset.column||'';"
)

TELLS_CELL = f' onclick="{escape(_CELL + _telling("[row,column]"))}"'
"""What a ``<table>`` has whose clicks are told: rows of its body have ``data-row``, heads of
columns ``data-column``."""


def tells_opening(name: str) -> str:
    """What a ``<details>`` has that tells its name when it is opened."""
    return f' ontoggle="{escape(f"if(this.open){{{_telling(json.dumps([name]))}}}")}"'


class Clicked(W.Text):
    """What was clicked last; nobody sees it.

    ``cell`` is called with the names of a table's row (empty for a head) and column, ``opened``
    with the name of what was folded and is opened.

    >>> heard = []
    >>> clicked = Clicked()
    >>> clicked.cell = lambda row, column: heard.append((row, column))
    >>> clicked.value = '["Immortals", "Rhino", 1]'
    >>> clicked.value = "no table"
    >>> heard
    [('Immortals', 'Rhino')]
    """

    def __init__(self) -> None:
        self.cell: Callable[[str, str], object] = lambda *_: None
        self.opened: Callable[[str], object] = lambda *_: None
        super().__init__(layout=W.Layout(display="none"))
        self.add_class("killcurve-clicked")
        self.observe(self._heard, names="value")

    def _heard(self, _: object) -> None:
        try:
            *names, _when = json.loads(self.value)
        except (ValueError, TypeError):
            return
        if not all(isinstance(name, str) for name in names):
            return
        if len(names) == 2:
            self.cell(*names)
        elif len(names) == 1:
            self.opened(*names)

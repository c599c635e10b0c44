"""What happens in the page, told to the kernel: clicks into what it shows, and its room."""

from __future__ import annotations

import json
from collections.abc import Callable
from html import escape

import ipywidgets as W  # noqa: N812 - as its own documentation writes it

NARROW = 620
"""Pixels of an answer's width below which its pictures are drawn for a phone."""


def _telling(names: str, root: str = "this.closest('.killcurve')") -> str:
    """A script that puts ``names`` (an expression: a list) into the box that the kernel hears.

    Where no kernel listens it does nothing.
    """
    return (
        f"var all={root},box=all&&all.querySelector('.killcurve-clicked input');"
        f"if(box){{box.value=JSON.stringify({names}.concat(Date.now()));"
        "['input','change'].forEach(function(kind){"
        "box.dispatchEvent(new Event(kind,{bubbles:true}))})}"
    )


_NAMES = "['cell',row,column]"
_CELL = (
    "var cell=event.target.closest('th,td');if(!cell)return;"
    "var row=cell.parentNode.dataset.row||'',"
    "column=this.tHead.rows[0].cells[cell.cellIndex].dataset.column||'';"
)

TELLS_CELL = f' onclick="{escape(_CELL + _telling(_NAMES))}"'
"""What a ``<table>`` has whose clicks are told: rows of its body have ``data-row``, heads of
columns ``data-column``."""

_WIDTH = "['width',now]"
TELLS_WIDTH = (
    "if(!this.observed){this.observed=true;var home=this.closest('.killcurve'),said='wide';"
    "home&&new ResizeObserver(function(){var part=home.querySelector('.killcurve-answer');"
    f"if(!part||!part.clientWidth)return;var now=part.clientWidth<{NARROW}?'narrow':'wide';"
    f"if(now===said)return;{_telling(_WIDTH, 'home')}if(box)said=now;}}).observe(home)}}"
)
"""A script of an element in an explorer that tells, at each change, how much room pictures have."""


_HERE = "['reach']"
TELLS_REACHING = f' onpointerenter="{escape(_telling(_HERE))}"'
"""What an element has that tells when a pointer reaches it."""


def tells_opening(name: str) -> str:
    """What a ``<details>`` has that tells its name when it is opened."""
    names = json.dumps(["open", name])
    return f' ontoggle="{escape(f"if(this.open){{{_telling(names)}}}")}"'


class Clicked(W.Text):
    """What happened last in the page; nobody sees it.

    Those who hear of a kind of happening get its names: ``cell`` a table's row (empty for a head)
    and column, ``open`` what was folded, ``width`` that there is a ``narrow`` or ``wide`` page;
    ``reach`` none: a pointer has come to the files to keep.

    >>> heard = []
    >>> clicked = Clicked()
    >>> clicked.hear("cell", lambda row, column: heard.append((row, column)))
    >>> clicked.value = '["cell", "Immortals", "Rhino", 1]'
    >>> clicked.value = "no table"
    >>> heard
    [('Immortals', 'Rhino')]
    """

    def __init__(self) -> None:
        self._hearers: dict[str, Callable[..., object]] = {}
        super().__init__(layout=W.Layout(display="none"))
        self.add_class("killcurve-clicked")
        self.observe(self._happened, names="value")

    def hear(self, kind: str, hearer: Callable[..., object]) -> None:
        """Call ``hearer`` with the names of each happening of a kind."""
        self._hearers[kind] = hearer

    def _happened(self, _: object) -> None:
        try:
            kind, *names, _when = json.loads(self.value)
        except (ValueError, TypeError):
            return
        if kind in self._hearers and all(isinstance(name, str) for name in names):
            self._hearers[kind](*names)

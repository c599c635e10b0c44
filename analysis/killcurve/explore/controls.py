"""Controls with visible labels that are moved without an echo: lists to search, ticks, counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape

import ipywidgets as W  # noqa: N812 - as its own documentation writes it
import traitlets

from killcurve.explore.pictures import note
from killcurve.rules.spelling import normal

LABEL = {"description_width": "7em"}
WIDTH = "22.5em"
MOST_SHOWN = 200
"""Options of a list that are shown at once; to see others one searches."""


class Wiring:
    """Hears controls, and moves them without hearing its own moves."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._muted = 0

    def hear(self, *controls: W.Widget) -> None:
        """Call ``changed`` whenever the value of one of them changes."""
        for control in controls:
            control.observe(self._heard, names="value")

    def _heard(self, _: object) -> None:
        if not self._muted:
            self._changed()

    @contextmanager
    def muted(self) -> Iterator[None]:
        """Inside nothing is heard."""
        self._muted += 1
        try:
            yield
        finally:
            self._muted -= 1


def dropdown(label: str, options: Sequence[object] = ()) -> W.Dropdown:
    """A list to choose from; the keyboard's letters jump to options."""
    layout = W.Layout(width=WIDTH, max_width="100%")
    return W.Dropdown(description=label, options=options, style=LABEL, layout=layout)


def number(label: str, value: int, least: int, most: int, width: str = WIDTH) -> W.BoundedIntText:
    """A whole number between two others."""
    layout = W.Layout(width=width, max_width="100%")
    style = LABEL if width == WIDTH else {"description_width": "initial"}
    return W.BoundedIntText(
        value=value, min=least, max=most, description=label, style=style, layout=layout
    )


def text(label: str, placeholder: str = "", width: str = WIDTH) -> W.Text:
    """A line of text that tells every change while it is typed."""
    layout = W.Layout(width=width, max_width="100%")
    style = LABEL if width == WIDTH else {"description_width": "initial"}
    return W.Text(description=label, placeholder=placeholder, style=style, layout=layout)


def box(label: str, value: bool = False) -> W.Checkbox:
    """A box to tick, as wide as its label."""
    return W.Checkbox(
        value=value, description=label, indent=False, layout=W.Layout(width="auto", margin="0")
    )


def set_options(control: W.Dropdown | W.Select, options: Sequence[object], value: object) -> None:
    """Move a list to options and a value; nothing is sent where both are as they were.

    It is one message, so that the page never shows a value in between.
    """
    with control.hold_sync():
        if list(control.options) != list(options):
            control.options = list(options)
        if control.value != value:
            control.value = value


class SearchSelect(W.VBox):
    """A long list to search while typing: a line of text, and the options that have it.

    ``value`` is what is chosen; it stays while one types, until the text is an option's name or
    leaves only one, or one is chosen in the list. ``elsewhere`` tells where else a text that is
    not found is, if it is.

    >>> units = SearchSelect("Unit")
    >>> units.offer(["Boyz", "Gretchin", "Nobz"], "Boyz")
    >>> units.search.value = "gre"
    >>> units.value
    'Gretchin'
    """

    value = traitlets.Unicode()

    def __init__(self, label: str, rows: int = 4) -> None:
        self._options: list[str] = []
        self.elsewhere: Callable[[str], str] = lambda _: ""
        self._moving = Wiring(self._chosen)
        self._typing = Wiring(self._typed)
        self.search = text(f"Find {label.lower()}", "type a part of the name")
        layout = W.Layout(width=WIDTH, max_width="100%")
        self.list = W.Select(description=label, rows=rows, style=LABEL, layout=layout)
        self.told = W.HTML(layout=W.Layout(margin="0 0 0 7.6em"))
        self._typing.hear(self.search)
        self._moving.hear(self.list)
        super().__init__([self.search, self.list, self.told])

    def offer(self, options: Iterable[str], value: str) -> None:
        """Show these options with one chosen; what is typed stays while it finds something."""
        options = list(options)
        if options == self._options and value == self.value and self.list.value == value:
            return
        fresh = options != self._options
        self._options = options
        with self._typing.muted():
            if fresh or value not in self._found():
                self.search.value = ""
        self.value = value
        self._show()

    def _found(self) -> list[str]:
        """The options that have what is typed, those that begin with it first."""
        wanted = normal(self.search.value)
        has = [option for option in self._options if wanted in normal(option)]
        return sorted(has, key=lambda option: not normal(option).startswith(wanted))

    def _show(self) -> None:
        found = self._found()
        shown = found[:MOST_SHOWN]
        if self.value in self._options and self.value not in shown and not self.search.value:
            shown = [self.value, *shown[:-1]]
        with self._moving.muted():
            chosen = self.value if self.value in shown else None
            set_options(self.list, shown, chosen)
        self.told.value = note(self._in_words(len(found), len(shown)))

    def _in_words(self, found: int, shown: int) -> str:
        if not found:
            hint = self.elsewhere(self.search.value)
            return f"nothing here has “{self.search.value}” in its name{hint}; chosen: {self.value}"
        some = f"{found} of {len(self._options)}" if self.search.value else f"{found} to choose"
        more = f", the first {shown} shown" if shown < found else ""
        other = "" if self.list.value else f"; chosen: {self.value}"
        return some + more + other

    def _typed(self) -> None:
        found = self._found()
        exact = [option for option in found if normal(option) == normal(self.search.value)]
        if self.search.value and (exact or len(found) == 1):
            self.value = (exact or found)[0]
        self._show()

    def _chosen(self) -> None:
        if self.list.value is not None:
            self.value = self.list.value
            self.told.value = note(self._in_words(len(self._found()), len(self.list.options)))


@dataclass(frozen=True, slots=True)
class Tick:
    """Something to tick: its key, its label, and what is told of it."""

    key: str
    label: str
    told: str = ""


class TickList(W.VBox):
    """Boxes to tick, each with what is told of it; ``value`` are the keys of those ticked."""

    value = traitlets.Tuple()

    def __init__(self, height: str = "") -> None:
        self._ticks: tuple[Tick, ...] = ()
        self.boxes: dict[str, W.Checkbox] = {}
        self._wiring = Wiring(self._changed)
        layout = W.Layout(max_height=height, overflow_y="auto") if height else W.Layout()
        super().__init__(layout=layout)
        self.add_class("killcurve-ticks")

    def offer(self, ticks: Iterable[Tick], ticked: Iterable[str], empty: str = "") -> None:
        """Show these, and tick those."""
        ticks, ticked = tuple(ticks), set(ticked)
        if ticks != self._ticks or not (ticks or self.children):
            self._ticks = ticks
            old = self.boxes
            self.boxes = {tick.key: box(tick.label, tick.key in ticked) for tick in ticks}
            self._wiring.hear(*self.boxes.values())
            rows: list[W.Widget] = []
            for tick in ticks:
                rows.append(self.boxes[tick.key])
                if tick.told:
                    rows.append(W.HTML(note(tick.told, indent=True)))
            self.children = rows or [W.HTML(note(empty))]
            for closed in old.values():
                closed.close()
        with self._wiring.muted():
            for key, one in self.boxes.items():
                if one.value is not (key in ticked):
                    one.value = key in ticked
        self._changed()

    def _changed(self) -> None:
        self.value = tuple(key for key, one in self.boxes.items() if one.value)


class CountList(W.VBox):
    """Things to tick with how many of each; ``value`` has a key and a count for each ticked."""

    value = traitlets.Tuple()

    def __init__(self, height: str = "") -> None:
        self._ticks: tuple[Tick, ...] = ()
        self.rows: dict[str, tuple[W.Checkbox, W.BoundedIntText]] = {}
        self._wiring = Wiring(self._changed)
        layout = W.Layout(max_height=height, overflow_y="auto") if height else W.Layout()
        super().__init__(layout=layout)
        self.add_class("killcurve-ticks")

    def offer(self, ticks: Iterable[Tick], counts: dict[str, int], others: dict[str, int]) -> None:
        """Show these; ``counts`` are of those that are ticked, ``others`` of the rest."""
        ticks = tuple(ticks)
        if ticks != self._ticks:
            self._ticks = ticks
            self._rebuild(others)
        with self._wiring.muted():
            for key, (ticked, count) in self.rows.items():
                if ticked.value is not (key in counts):
                    ticked.value = key in counts
                if key in counts:
                    count.value = counts[key]
        self._changed()

    def _rebuild(self, counts: dict[str, int]) -> None:
        self.rows = {
            tick.key: (box(tick.label), number("count", counts.get(tick.key, 1), 1, 100, "8em"))
            for tick in self._ticks
        }
        for closed in self.children:
            closed.close()
        told: list[W.Widget] = []
        for tick in self._ticks:
            ticked, count = self.rows[tick.key]
            self._wiring.hear(ticked, count)
            spread = W.Layout(justify_content="space-between", align_items="center")
            told += [W.HBox([ticked, count], layout=spread), W.HTML(note(tick.told, indent=True))]
        self.children = told or [W.HTML(note("it has no weapon in this phase"))]

    def _changed(self) -> None:
        self.value = tuple((k, count.value) for k, (one, count) in self.rows.items() if one.value)


def heading(words: str) -> W.HTML:
    """A small heading over a group of controls."""
    return W.HTML(f'<div class="killcurve-heading" role="heading">{escape(words)}</div>')

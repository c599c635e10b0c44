"""The side of an explorer that answers: summary, numbers, pictures, stages, files to keep."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from html import escape

import ipywidgets as W  # noqa: N812 - as its own documentation writes it

from killcurve.charts.export import Chart, rendered
from killcurve.charts.presets import PRESETS, preset
from killcurve.explore.answers import Scale, View, explanation
from killcurve.explore.clicking import TELLS_REACHING
from killcurve.explore.controls import Wiring, box
from killcurve.explore.downloads import Download, links, stem
from killcurve.explore.pictures import (
    Look,
    figure,
    folded,
    key_numbers,
    no_figure,
    note,
    problem,
    svg,
    table,
)

Draw = Callable[[Chart, str, Look], str]
"""A chart, its footer and its look as HTML: :func:`~killcurve.explore.pictures.figure`."""

REST = 4.0
"""Seconds that pass before pictures to keep are made, unless a person reaches for them: a key that
is pressed meanwhile would have to wait."""

PICTURES = ("survival", "distribution", "stages")
PAGE = "as shown"
AS_PICTURE = "The table as a picture"


class AnswerPanel(W.VBox):
    """Shows a view; every part is the value of a widget of its own.

    ``told`` is one sentence, ``numbers`` the key numbers, ``pictures`` the charts. How pictures
    look is chosen here, and is no part of the state: ``asked`` is called when it changes. While
    axes are ``lock``-ed they go as far as they went: ``scale``. Pictures that are named in
    ``later`` say what ``heat`` says: they are folded away, and drawn when they are opened.
    """

    def __init__(
        self,
        footer: str,
        draw: Draw = figure,
        pictures: Sequence[str] = PICTURES,
        later: Sequence[str] = (),
    ) -> None:
        self._footer, self._draw, self._later = footer, draw, later
        self.asked: Callable[[], None] = lambda: None
        self.scale: Scale | None = None
        self._shown: View | None = None
        self._name, self._narrow = "", False
        self._data: list[Download] = []
        self.told = W.HTML(layout=W.Layout(min_height="3em"))
        self.numbers = W.HTML(layout=W.Layout(min_height="3.4em"))
        self.pictures = {name: W.HTML(layout=W.Layout(width="100%")) for name in pictures}
        self.heat = W.HTML(layout=W.Layout(width="100%"))
        self.funnel, self.remarks = W.HTML(), W.HTML()
        self.explained, self.code = W.HTML(), W.HTML()
        self.files = W.HTML(layout=W.Layout(min_height="2em"))
        self.lock = box("keep the axes")
        self.dark = box("dark picture")
        self.size = W.Dropdown(
            options=[(PAGE, PAGE), *((f"{p.name}: {p.about}", p.name) for p in PRESETS.values())],
            description="Files for",
            style={"description_width": "initial"},
            layout=W.Layout(width="22em", max_width="100%"),
        )
        self._wiring = Wiring(self._look)
        self._wiring.hear(self.lock, self.dark, self.size)
        looks = W.HBox(
            [self.lock, self.dark, self.size],
            layout=W.Layout(flex_flow="row wrap", grid_gap="0 1em", align_items="center"),
        )
        if "survival" not in self.pictures:
            self.lock.layout.display = "none"
        words = [self.remarks, self.funnel, self.explained, self.code]
        layout = W.Layout(flex="1 1 30em", width="auto", min_width="0")
        pictures_ = [one for name, one in self.pictures.items() if name not in later]
        shown = [self.numbers, self.told, self.heat, *pictures_, looks, self.files]
        folded_ = [self.pictures[name] for name in later]
        super().__init__([*shown, *folded_, *words], layout=layout)
        self.add_class("killcurve-answer")

    @property
    def look(self) -> Look:
        """How pictures look now."""
        return Look("dark" if self.dark.value else "light", self._narrow)

    def fit(self, width: str) -> None:
        """Draw for the room that there is, ``narrow`` or ``wide``."""
        if self._narrow is not (width == "narrow"):
            self._narrow = width == "narrow"
            self.asked()

    def _look(self) -> None:
        now = Scale.of(self._shown.charts) if self._shown else None
        self.scale = (self.scale or now) if self.lock.value else None
        self.asked()

    def show(self, view: View, name: str, code: str, state: str) -> Iterator[float]:
        """Show a view in steps, the fastest first; ``state`` is JSON, ``code`` a line of code."""
        self._name = name
        yield from self.pictured(view, code)
        self._data = list(self._data_files(view, name, state))
        follow = links(self._data) + note("pictures to keep follow …")
        self.files.value = f"<div{TELLS_REACHING}>{follow}</div>"
        yield REST
        yield from self._to_keep()

    def hasten(self) -> None:
        """Make the pictures to keep at once: a person reaches for them."""
        for _ in self._to_keep():
            pass

    def _to_keep(self) -> Iterator[float]:
        """Make the pictures to keep, unless they are made."""
        view = self._shown
        if view is None or not self._data:
            return
        pictures = []
        for kind, chart in view.charts.items():
            if kind not in self._later:
                for file in self._pictures_of(kind, chart):
                    pictures.append(file)
                    yield 0.0  # each picture takes a while: what is newer may come in between
        if self._data and self._shown is view:  # nobody was quicker, and nothing newer is shown
            self.files.value = links([*pictures, *self._data])
            self._data = []

    def pictured(self, view: View, code: str) -> Iterator[float]:
        """Show a view in steps, without files to keep."""
        self._shown, self._data = view, []
        self.numbers.value = key_numbers(view.numbers)
        self.told.value = f'<p style="margin:.2em 0" aria-live="polite">{escape(view.summary)}</p>'
        self.remarks.value = key_numbers({}, view.remarks)
        self._show_code(code)
        self.files.value = note("files to keep follow …")
        self.heat.value = view.heat.html(self.look.style) if view.heat else ""
        for kind, picture in self.pictures.items():
            if kind not in view.charts:
                picture.value = ""
            elif kind not in self._later:
                picture.value = self._draw(view.charts[kind], self._footer, self.look)
                yield 0.0
            else:
                picture.value = folded(AS_PICTURE, note("is drawn …"), told=kind)
        self.funnel.value = ""
        if view.funnel.height:
            told = table(view.funnel, view.about_funnel)
            self.funnel.value = folded("In numbers", told, is_open=True)
        self.explained.value = ""
        if view.scenario:
            words = explanation(view.scenario)
            self.explained.value = folded("The arithmetic, roll by roll", words)

    def unfold(self, kind: str) -> None:
        """Draw a picture that was left for later, with its files to keep."""
        chart = self._shown.charts.get(kind) if self._shown else None
        if chart is not None and kind in self._later:
            drawn = self._draw(chart, self._footer, self.look)
            files = links(list(self._pictures_of(kind, chart)))
            self.pictures[kind].value = folded(AS_PICTURE, drawn + files, is_open=True)

    def fail(self, error: Exception) -> None:
        """Show what is wrong where the answer would be; nothing older stays."""
        self._shown = None
        self.told.value = problem(str(error) or type(error).__name__)
        self.numbers.value = self.remarks.value = self.funnel.value = self.explained.value = ""
        self.files.value = self.heat.value = ""
        for picture in self.pictures.values():
            picture.value = ""
        first = next(name for name in self.pictures if name not in self._later)
        self.pictures[first].value = no_figure(self.look)

    def _show_code(self, code: str) -> None:
        told = (
            f'<pre style="user-select:all">{escape(code)}</pre>'
            f"{note('a click on the line selects all of it')}"
        )
        self.code.value = folded("Reproduce this", told)

    def _pictures_of(self, kind: str, chart: Chart) -> Iterator[Download]:
        base, size = stem(self._name), self.size.value
        pixels = self.look.size(chart) if size == PAGE else preset(size)
        for ending in ("svg", "png"):
            if ending == "svg" and size == PAGE:
                content = svg(chart, self._footer, self.look)
            else:
                content = rendered(chart, self._footer, ending, pixels, self.look.style)
            yield Download(f"{kind} {ending.upper()}", f"{base}-{kind}.{ending}", content)

    def _data_files(self, view: View, name: str, state: str) -> Iterator[Download]:
        base = stem(name)
        yield Download("numbers CSV", f"{base}.csv", view.law.write_csv().encode())
        yield Download("state JSON", f"{base}-state.json", state.encode())
        if view.scenario:
            question = json.dumps(view.scenario, indent=2, ensure_ascii=False)
            yield Download("scenario JSON", f"{base}-scenario.json", question.encode())

    def static(self) -> str:
        """The answer as HTML that needs no kernel: sentence, numbers, pictures, remarks."""
        first = (self.numbers, self.told, self.heat)
        parts = (*first, *self.pictures.values(), self.funnel, self.remarks)
        return "".join(part.value for part in parts)

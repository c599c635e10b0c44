"""An army list as it is pasted or opened: text, or a file's bytes, read once."""

from __future__ import annotations

import base64
import binascii
import tempfile
from collections import OrderedDict
from dataclasses import dataclass, replace
from pathlib import Path

import ipywidgets as W  # noqa: N812 - as its own documentation writes it
import traitlets

from killcurve.explore.controls import LABEL, WIDTH, Wiring
from killcurve.explore.pictures import note, problem
from killcurve.sources.rosters import read_rosters
from killcurve.study.armies import Army, army
from killcurve.tables.dataset import DataError, Dataset

ENDINGS = (".txt", ".json", ".ros", ".rosz")
MOST_KEPT = 16
PASTED = "army.txt"

HOW = (
    "paste a list as an app or a list builder prints it, with points behind its units, "
    "or open a file of one"
)


@dataclass(frozen=True, slots=True)
class ListText:
    """A list: ``text`` as it is printed; with ``file`` it is the base64 of that file's bytes."""

    text: str = ""
    file: str = ""

    def content(self) -> bytes:
        """The bytes of the list's file.

        Raises:
            DataError: if the text is no base64 of a file.
        """
        if not self.file:
            return self.text.encode()
        try:
            return base64.b64decode(self.text, validate=True)
        except binascii.Error:
            raise DataError(f"the bytes of {self.file} are damaged: open it again") from None


class Lists:
    """Army lists of texts, joined to a dataset; what was read stays for a while.

    >>> import killcurve
    >>> Lists(killcurve.load()).army(ListText("no list"))
    Traceback (most recent call last):
    ...
    killcurve.tables.about.DataError: what is pasted is no army list: no line of it has a unit \
with its points, such as 'Intercessor Squad (80 points)'; give a list as text, JSON, .ros or .rosz
    """

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset
        self._read: OrderedDict[ListText, Army | str] = OrderedDict()

    def army(self, given: ListText) -> Army:
        """The list in play.

        Raises:
            DataError: if it is no list of the dataset, with what is wrong.
        """
        if given not in self._read:
            try:
                self._read[given] = self._army(given)
            except ValueError as error:
                self._read[given] = _in_place(str(error))
            while len(self._read) > MOST_KEPT:
                self._read.popitem(last=False)
        found = self._read[given]
        if isinstance(found, str):
            raise DataError(found)
        return found

    def _army(self, given: ListText) -> Army:
        if not given.text.strip():
            raise DataError(f"there is no list yet: {HOW}")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / (Path(given.file).name or PASTED)
            path.write_bytes(given.content())
            made, _ = read_rosters([path], self._dataset)
        tables = {**self._dataset.tables, **made.tables}
        return army(replace(self._dataset, tables=tables), made["rosters"]["roster"][0])


def _in_place(message: str) -> str:
    """An error about a file as it is told beside the box."""
    told = message.replace(PASTED, "what is pasted")
    return told.replace("the dataset with --data", "explore the dataset that has its units")


def unplaced(found: Army) -> list[str]:
    """What of a list could not be placed, and what was assumed, line by line."""
    lines = [f"{unit.name}: {'; '.join(unit.notes)}" for unit in found.units if unit.notes]
    return [*lines, *(f"in the list: {told}" for told in found.notes)]


class ListBox(W.VBox):
    """A box to paste a list into, or a file of one; ``value`` is the :class:`ListText`."""

    value = traitlets.Instance(ListText)

    def __init__(self, lists: Lists, start: ListText = ListText()) -> None:
        self._lists = lists
        layout = W.Layout(width=WIDTH, max_width="100%")
        self.entry = W.Textarea(
            description="Army list", placeholder="paste it here", rows=8, style=LABEL, layout=layout
        )
        self.upload = W.FileUpload(
            accept=",".join(ENDINGS),
            description="Open a list's file",
            layout=W.Layout(width="auto"),
        )
        self.told = W.HTML(layout=W.Layout(min_height="2.8em"))
        self._wiring = Wiring(self._typed)
        self._wiring.hear(self.entry)
        self._opening = Wiring(self._opened)
        self._opening.hear(self.upload)
        super().__init__([self.entry, self.upload, self.told])
        self.move(start)

    def move(self, given: ListText) -> None:
        """Show a list, without an echo."""
        with self._wiring.muted():
            shown = "" if given.file else given.text
            if self.entry.value != shown:
                self.entry.value = shown
        self.value = given
        self._tell()

    def _typed(self) -> None:
        self.move(ListText(self.entry.value))

    def _opened(self) -> None:
        for one in self.upload.value:
            content = bytes(one["content"])
            name = str(one["name"])
            try:
                text = content.decode("utf-8-sig") if name.lower().endswith(".txt") else None
            except UnicodeDecodeError:
                text = None
            if text is None:
                self.move(ListText(base64.b64encode(content).decode(), name))
            else:
                self.move(ListText(text))

    def _tell(self) -> None:
        told = note(HOW)
        if self.value.text.strip():
            try:
                found = self._lists.army(self.value)
            except DataError as error:
                told = problem(str(error))
            else:
                points = "unknown" if found.points is None else f"{found.points}"
                name = f"{self.value.file}: " if self.value.file else ""
                told = note(
                    f"{name}{len(found.units)} units of {found.faction}, {points} points; "
                    f"{len(found.in_play)} can be computed"
                )
        if self.told.value != told:
            self.told.value = told

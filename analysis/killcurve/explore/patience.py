"""Work that takes seconds: in a thread, with a bar and Cancel, while the controls stay alive."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Generator, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import ipywidgets as W  # noqa: N812 - as its own documentation writes it

from killcurve.explore.background import Cancelled, Progress
from killcurve.explore.pictures import note
from killcurve.tables.dataset import DataError

T = TypeVar("T")

GLANCE = 0.03
"""Seconds between two looks whether a work is done."""

MOST_KEPT = 64


class Kept:
    """Answers by their questions; those not asked for longest are forgotten.

    >>> kept = Kept()
    >>> kept.put("a", 1)
    >>> "a" in kept, kept.get("a"), "b" in kept
    (True, 1, False)
    """

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._found: OrderedDict[Hashable, object] = OrderedDict()

    def __contains__(self, question: Hashable) -> bool:
        return question in self._found

    def get(self, question: Hashable) -> object:
        """The answer to a question that is kept."""
        self._found.move_to_end(question)
        return self._found[question]

    def put(self, question: Hashable, answer: object) -> None:
        """Keep an answer."""
        self._found[question] = answer
        self._found.move_to_end(question)
        while len(self._found) > self._most:
            self._found.popitem(last=False)


class Patience(W.HBox):
    """A bar and a Cancel button for the work that an answer waits for; each answer is kept.

    ``steps`` gives its turn to the event loop until the work is done. Where the answer is no
    longer wanted the generator is closed, and the work stops at its next step.
    """

    def __init__(self) -> None:
        self.kept = Kept()
        self._progress: Progress | None = None
        self.bar = W.IntProgress(max=1, layout=W.Layout(width="10em"))
        self.cancel = W.Button(description="Cancel", disabled=True, layout=W.Layout(width="6em"))
        self.told = W.HTML()
        self.cancel.on_click(lambda _: self.stop())
        layout = W.Layout(flex_flow="row wrap", align_items="center", min_height="2.4em")
        super().__init__([self.bar, self.cancel, self.told], layout=layout)
        self._rest()

    def stop(self) -> None:
        """Cancel the work that is under way."""
        if self._progress is not None:
            self._progress.cancel()

    def steps(
        self, question: Hashable, work: Callable[[Progress], T], what: str
    ) -> Generator[float, None, T]:
        """Do a work, or take its answer if it was done before; ``what`` names it.

        Raises:
            DataError: if the person cancels it.
        """
        if question in self.kept:
            return self.kept.get(question)  # type: ignore[return-value]
        if not _has_loop():
            answer = work(Progress(lambda *_: None))
        else:
            answer = yield from self._beside(work, what)
        self.kept.put(question, answer)
        return answer

    def _beside(self, work: Callable[[Progress], T], what: str) -> Generator[float, None, T]:
        state = [0, 1]

        def tell(done: int, total: int) -> None:
            state[:] = done, total

        progress = Progress(tell)
        self._progress = progress
        pool = ThreadPoolExecutor(1)
        future = pool.submit(work, progress)
        pool.shutdown(wait=False)
        try:
            while not future.done():
                yield GLANCE
                self._show(what, *state)
            return future.result()
        except Cancelled:
            raise DataError(
                f"cancelled: {what}. Change any choice to start again, or choose less"
            ) from None
        finally:
            progress.cancel()
            if self._progress is progress:
                self._progress = None
                self._rest()

    def _show(self, what: str, done: int, total: int) -> None:
        self.cancel.disabled = False
        self.bar.layout.visibility = self.cancel.layout.visibility = "visible"
        self.bar.max, self.bar.value = max(1, total), done
        self.told.value = note(f"{what} … {f'{done} of {total}' if total > 1 else ''}")

    def _rest(self) -> None:
        self.cancel.disabled = True
        self.bar.layout.visibility = self.cancel.layout.visibility = "hidden"
        self.bar.value = 0
        self.told.value = ""


def _has_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True

"""Long work beside the notebook: progress, Cancel, and an answer that comes back to the loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import ipywidgets as W  # noqa: N812 - as its own documentation writes it

from killcurve.explore.pictures import note, problem


class Cancelled(Exception):
    """The person has asked to stop."""


class Progress:
    """What a work tells of itself; it stops at the next :meth:`step` once it is cancelled."""

    def __init__(self, tell: Callable[[int, int], None]) -> None:
        self._tell = tell
        self._stop = threading.Event()

    def cancel(self) -> None:
        """Ask the work to stop."""
        self._stop.set()

    def step(self, done: int, total: int) -> None:
        """Tell that so much is done.

        Raises:
            Cancelled: if the person has asked to stop.
        """
        if self._stop.is_set():
            raise Cancelled
        self._tell(done, total)


Work = Callable[[Progress], Any]


class Background(W.VBox):
    """A button that starts a work in a thread, a bar, and a button that cancels it.

    ``work()`` gives what is to be done, with the state as it is then; ``done`` takes the answer,
    in the loop of the notebook. A newer start drops the older answer. Where no loop runs the
    work is done at once.
    """

    def __init__(self, label: str, work: Callable[[], Work], done: Callable[[Any], None]) -> None:
        self._work, self._done = work, done
        self._progress: Progress | None = None
        self.start = W.Button(description=label, layout=W.Layout(width="auto"))
        self.cancel = W.Button(description="Cancel", disabled=True, layout=W.Layout(width="6em"))
        self.bar = W.IntProgress(description="", max=1, layout=W.Layout(width="10em"))
        self.told = W.HTML(note("not started"))
        self.start.on_click(lambda _: self.begin())
        self.cancel.on_click(lambda _: self.stop())
        row = W.Layout(flex_flow="row wrap", align_items="center")
        super().__init__([W.HBox([self.start, self.bar, self.cancel, self.told], layout=row)])

    @property
    def is_running(self) -> bool:
        """Whether a work is under way."""
        return self._progress is not None

    def begin(self) -> None:
        """Start, dropping what is under way."""
        self.stop()
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            loop = None
        call = (lambda f, *a: f(*a)) if loop is None else loop.call_soon_threadsafe
        progress = Progress(lambda done, total: call(self._tell, progress, done, total))
        self._progress = progress
        self.cancel.disabled = False
        self.told.value = note("working …")
        arguments = (self._work(), progress, call)
        if loop is None:
            self._run(*arguments)
        else:
            threading.Thread(target=self._run, args=arguments, daemon=True).start()

    def stop(self) -> None:
        """Cancel what is under way."""
        if self._progress is not None:
            self._progress.cancel()
            self._progress = None
            self._rest("cancelled: nothing has changed")

    def _run(self, work: Work, progress: Progress, call: Callable[..., Any]) -> None:
        try:
            answer = work(progress)
        except Cancelled:
            return
        except ValueError as error:
            call(self._end, progress, None, problem(str(error)))
        except Exception as error:  # a fault of ours must not vanish with the thread
            call(self._end, progress, None, problem(f"{type(error).__name__}: {error}"))
        else:
            call(self._end, progress, answer, note("done"))

    def _tell(self, progress: Progress, done: int, total: int) -> None:
        if progress is self._progress:
            self.bar.max, self.bar.value = max(1, total), done
            self.told.value = note(f"{done} of {total}")

    def _end(self, progress: Progress, answer: object, words: str) -> None:
        if progress is not self._progress:
            return  # cancelled, or started anew
        self._progress = None
        self._rest("")
        self.told.value = words
        if answer is not None:
            self.bar.value = self.bar.max
            self._done(answer)

    def _rest(self, words: str) -> None:
        self.cancel.disabled = True
        self.bar.value = 0
        self.told.value = note(words)

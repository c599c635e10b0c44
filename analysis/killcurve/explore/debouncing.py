"""Answers that wait until a control rests, and never show what is no longer asked."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator

WAIT = 0.1
"""Seconds for which a control that moves on has to rest."""

FIRST = 0.015
"""Seconds until the first of several calls is answered: what else it moves comes with it."""

MOVING = 3
"""Calls that follow each other within so many waits are one movement."""

Steps = Callable[[], Iterator[float]]
"""What shows an answer, in steps; each step yields how many seconds the next one may wait."""


class Debounced:
    """Calls ``steps`` once the calls of this object rest for ``wait`` seconds.

    A call after a longer rest need not wait: one press of a key is answered at once, a slider that
    is dragged at its start and its end. ``generation`` counts what was asked. Between two steps
    the event loop has its turn; when something newer is asked by then, the steps that are left
    are dropped. Where no event loop runs (a script), all is done at once. What a step raises goes
    to ``failed``.

    >>> shown = []
    >>> ask = Debounced(lambda: iter([shown.append("drawn") or 0.0]))
    >>> ask()
    >>> shown, ask.generation, ask.is_idle
    (['drawn'], 1, True)
    """

    def __init__(
        self, steps: Steps, wait: float = WAIT, failed: Callable[[Exception], None] | None = None
    ) -> None:
        self._steps = steps
        self._failed = failed
        self.wait = wait
        self.generation = 0
        self._last = 0.0
        self._task: asyncio.Task[None] | None = None

    @property
    def is_idle(self) -> bool:
        """Whether nothing is waiting or being shown."""
        return self._task is None or self._task.done()

    def __call__(self) -> None:
        """Ask anew; what was asked before is dropped."""
        self.generation += 1
        self.cancel()
        loop = _loop()
        if loop is None:
            self.at_once()
            return
        before, self._last = self._last, time.monotonic()
        moving = self._last - before < MOVING * self.wait
        wait = self.wait if moving else min(FIRST, self.wait)
        self._task = loop.create_task(self._run(self.generation, wait))

    def cancel(self) -> None:
        """Drop what is waiting, also where another thread's event loop has it."""
        task, self._task = self._task, None
        if task is None or task.done():
            return
        loop = task.get_loop()
        if loop is _loop():
            task.cancel()
        elif not loop.is_closed():
            loop.call_soon_threadsafe(task.cancel)

    def at_once(self) -> None:
        """Do all steps now; those that may wait are left to the event loop, where one runs."""
        self.cancel()
        steps = self._steps()
        try:
            for pause in steps:
                if pause and _loop() is not None:
                    self._task = asyncio.create_task(self._run(self.generation, pause, steps))
                    return
        except Exception as error:
            self._report(error)

    async def _run(
        self, generation: int, wait: float, steps: Iterator[float] | None = None
    ) -> None:
        await asyncio.sleep(wait)
        try:
            for pause in self._steps() if steps is None else steps:
                await asyncio.sleep(pause)
                if generation != self.generation:
                    return
        except Exception as error:
            self._report(error)

    def _report(self, error: Exception) -> None:
        if self._failed is None:
            raise error
        self._failed(error)


def _loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None

"""What rules are worth in many attacks: some of them by a second process, if there is a core."""

from __future__ import annotations

import contextlib
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from typing import BinaryIO, NamedTuple, cast

import polars as pl

from killcurve.study.armed import Combatant
from killcurve.study.worth.alone import rules_worth
from killcurve.study.worth.collecting import collecting_seldom
from killcurve.tables.dataset import Dataset


class Asked(NamedTuple):
    """One side of one attack, about which :func:`~killcurve.study.worth.rules_worth` is asked."""

    unit: Combatant
    target: Combatant
    phase: str
    side: str


FEW = 40
"""So many attacks are looked at sooner than a second process is ready."""


def worth_of_each(
    dataset: Dataset, asked: Sequence[Asked], progress: Callable[[int, int], None]
) -> list[pl.DataFrame]:
    """The rows of :func:`~killcurve.study.worth.rules_worth` for each, in the order asked.

    ``progress`` is told how many are done, of how many; what it raises ends the work. The second
    process starts at the end, this one at the beginning, until they meet: should the other come
    to nothing, this one does all.

    >>> import killcurve
    >>> from killcurve.study.armed import combatant
    >>> data = killcurve.load()
    >>> boat, squad = (combatant(data, name) for name in ("Raider", "Intercessor Squad"))
    >>> each = [Asked(boat, squad, "shooting", side) for side in ("attacker", "defender")]
    >>> [frame["side"][0] for frame in worth_of_each(data, each, lambda done, of: None)]
    ['attacker', 'defender']
    """
    shared = len(asked) >= FEW and _cores() > 1
    with collecting_seldom(), _Beside(dataset, asked if shared else ()) as beside:
        found: list[pl.DataFrame] = []
        while len(found) + len(beside.answers) < len(asked):
            progress(len(found) + len(beside.answers), len(asked))
            found.append(_answer(dataset, asked[len(found)]))
        return found + [beside.answers[number] for number in range(len(found), len(asked))]


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _answer(dataset: Dataset, asked: Asked) -> pl.DataFrame:
    return rules_worth(dataset, asked.unit, asked.target, asked.phase, sides=[asked.side])


class _Beside:
    """A process that answers from the last to the first; it ends with its context.

    ``answers`` has what it has answered until now, by number: the last ones, without a gap.
    """

    def __init__(self, dataset: Dataset, asked: Sequence[Asked]) -> None:
        self.answers: dict[int, pl.DataFrame] = {}
        self._process: subprocess.Popen[bytes] | None = None
        self._listening: threading.Thread | None = None
        if not asked:
            return
        command = [sys.executable, "-P", "-m", __name__]
        try:
            self._process = subprocess.Popen(  # noqa: S603 - this interpreter, this module
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError:
            return
        question = pickle.dumps((dataset, tuple(asked)))
        told = (self._process, question)
        self._listening = threading.Thread(target=self._listen, args=told, daemon=True)
        self._listening.start()

    def _listen(self, process: subprocess.Popen[bytes], question: bytes) -> None:
        stdin, stdout = cast("BinaryIO", process.stdin), cast("BinaryIO", process.stdout)
        try:
            stdin.write(question)
            stdin.close()
            while True:
                number, frame = pickle.load(stdout)  # noqa: S301 - of the process begun here
                self.answers[number] = frame
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            return  # it has answered all, or will answer no more

    def __enter__(self) -> _Beside:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is None or self._listening is None:
            return
        self._process.kill()
        self._process.wait()
        self._listening.join()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):  # what it was not there to take any more
                    stream.close()


def main() -> None:
    """Answer the question of standard input from its end, and go with whoever asked."""
    dataset, asked = pickle.load(sys.stdin.buffer)  # noqa: S301 - of the process that began this
    with collecting_seldom():
        for number in reversed(range(len(asked))):
            pickle.dump((number, _answer(dataset, asked[number])), sys.stdout.buffer)
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()

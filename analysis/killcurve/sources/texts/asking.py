"""Many texts read at once: some of them by a second process, where there is a core for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from typing import NamedTuple

from killcurve.tables.rulings import Ruling, read_text

Tell = Callable[[str], None]


class Question(NamedTuple):
    """A text whose ruling is asked for, with the rule's name, kind and edition."""

    text: str
    name: str
    kind: str
    edition: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What the answer depends on."""
        return self.text, self.kind, self.edition


FEW = 1000
"""So many texts are read sooner than a second process is ready."""

SHARE = 0.42
"""Of the texts the second process takes so many: it has to start first."""

EVERY = 500


def answered(
    questions: Iterable[Question], tell: Tell = lambda _: None
) -> dict[tuple[str, str, str], Ruling]:
    """The rulings by :attr:`Question.key`; of questions with one key the first counts.

    ``tell`` is told how many texts are read.

    >>> asked = Question("Add 1 to the Hit roll.", "Aim", "stratagem", "10e")
    >>> answered([asked])[asked.key].effects
    ('hit +1',)
    """
    asked = list({question.key: question for question in reversed(list(questions))}.values())
    split = len(asked)
    if split >= FEW and _cores() > 1:
        split -= int(SHARE * split)
    with _Beside(asked[split:]) as beside:
        found = _read(asked[:split], tell)
        answers = beside.answers()
        if answers is None:  # whatever became of the other process, the texts get read
            answers = _read(asked[split:], tell)
    found.extend(answers)
    return {question.key: ruling for question, ruling in zip(asked, found, strict=True)}


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _read(questions: Sequence[Question], tell: Tell) -> list[Ruling]:
    rulings = []
    for number, asked in enumerate(questions, start=1):
        rulings.append(
            read_text(asked.text, name=asked.name, kind=asked.kind, edition=asked.edition)
        )
        if number % EVERY == 0:
            tell(f"{number} rules texts read")
    return rulings


class _Beside:
    """A process that reads texts while this one does something else; it ends with its context."""

    def __init__(self, questions: Sequence[Question]) -> None:
        self._number = len(questions)
        self._process: subprocess.Popen[bytes] | None = None
        if not questions:
            return
        command = [sys.executable, "-P", "-m", __name__]
        try:
            self._process = subprocess.Popen(  # noqa: S603 - this interpreter, this module
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps(questions).encode())
            self._process.stdin.close()  # it answers only when it has all of them
        except OSError:
            self._end()

    def answers(self) -> list[Ruling] | None:
        """What it has read, in order; ``None`` if it came to nothing."""
        if not self._number:
            return []
        if self._process is None or self._process.stdout is None:
            return None
        try:
            given = json.loads(self._process.stdout.read())
        except ValueError:
            return None
        return [_ruling(row) for row in given] if len(given) == self._number else None

    def _end(self) -> None:
        if self._process is None:
            return
        self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None and not stream.closed:
                stream.close()
        self._process.wait()
        self._process = None

    def __enter__(self) -> _Beside:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()


def _ruling(row: dict[str, object]) -> Ruling:
    return Ruling(**{k: tuple(v) if isinstance(v, list) else v for k, v in row.items()})  # type: ignore[arg-type]


def main() -> None:
    """Answer the questions of standard input, a JSON list, with a JSON list of rulings."""
    questions = [Question(*row) for row in json.load(sys.stdin.buffer)]
    rulings = _read(questions, lambda _: None)
    json.dump([asdict(ruling) for ruling in rulings], sys.stdout)


if __name__ == "__main__":
    main()

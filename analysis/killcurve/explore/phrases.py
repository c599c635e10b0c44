"""Phrases of the effect language while they are typed: what each is, and where it goes wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

import ipywidgets as W  # noqa: N812 - as its own documentation writes it
import traitlets

from killcurve.explore.controls import LABEL, WIDTH
from killcurve.explore.pictures import note
from killcurve.rules.effects import Effect


@dataclass(frozen=True, slots=True)
class Fault:
    """What is not understood: the phrase, the span of the wrong words in the text, and why."""

    phrase: str
    start: int
    end: int
    message: str


@dataclass(frozen=True, slots=True)
class Checked:
    """A text of phrases: what is understood of it, and what is not."""

    text: str
    effects: tuple[Effect, ...]
    faults: tuple[Fault, ...]


def check(text: str) -> Checked:
    """Read phrases with ``;`` or ``,`` between them, or one on each line.

    >>> checked = check("hit +1; reroll wound ones")
    >>> [str(effect) for effect in checked.effects]
    ['hit +1']
    >>> fault, = checked.faults
    >>> checked.text[fault.start:fault.end], fault.message
    ('wound', "'reroll wound ones' is no effect; did you mean 'reroll wounds ones'?")
    """
    effects: list[Effect] = []
    faults: list[Fault] = []
    for start, phrase in _phrases(text):
        try:
            effects.append(Effect.parse(phrase))
        except ValueError as error:
            first, last = _wrong(phrase, str(error))
            faults.append(Fault(phrase, start + first, start + last, str(error)))
    return Checked(text, tuple(effects), tuple(faults))


def _phrases(text: str) -> Iterator[tuple[int, str]]:
    """Each phrase with its place; separators in quotes and brackets do not count."""
    depth, quoted, begin = 0, False, 0
    for i, c in enumerate(f"{text};"):
        if c in '"“”':
            quoted = not quoted
        depth += 0 if quoted else (c == "(") - (c == ")")
        is_end = i == len(text) or (c in ";,\n" and depth <= 0 and not quoted)
        if not is_end:
            continue
        part = text[begin:i]
        if part.strip():
            yield begin + len(part) - len(part.lstrip()), part.strip()
        begin = i + 1


def _wrong(phrase: str, message: str) -> tuple[int, int]:
    """The span of what an error is about: what it quotes, and of that the first word that differs
    from what it suggests."""
    about = re.match(r"[^']*'(.+?)'(?: is|:| does)", message)
    named = about[1] if about else phrase
    named = re.sub(r"^for ", "", named)
    start = phrase.casefold().find(named.casefold())
    if start < 0:
        return 0, len(phrase)
    suggested = re.search(r"did you mean '(.+?)'", message)
    if suggested is None:
        return start, start + len(named)
    right = suggested[1].casefold().split()
    words = list(re.finditer(r"\S+", phrase[start : start + len(named)]))
    for i, word in enumerate(words):
        if i >= len(right) or word[0].casefold() != right[i]:
            return start + word.start(), start + word.end()
    return start, start + len(named)


ATTACKERS = "hit +1; reroll wounds ones; lethal hits if charged"
TARGETS = "feel no pain 5+; cover; damage -1"
"""Examples of phrases for each side."""


def told(checked: Checked, example: str = ATTACKERS) -> str:
    """What was read, as HTML; the words that are wrong are underlined."""
    if not checked.text.strip():
        return note(f"e.g. {example}")
    parts = []
    if checked.effects:
        parts.append(note("read: " + "; ".join(map(str, checked.effects))))
    for fault in checked.faults:
        begin = checked.text.find(fault.phrase)
        before = checked.text[begin : fault.start] if begin <= fault.start else ""
        wrong = checked.text[fault.start : fault.end]
        after = fault.phrase[len(before) + len(wrong) :]
        parts.append(
            f'<div role="alert">✗ {escape(before)}<mark>{escape(wrong)}</mark>{escape(after)}'
            f"<br>{escape(fault.message)}</div>"
        )
    return "".join(parts)


class PhraseBox(W.VBox):
    """A box for phrases; ``value`` is the text, ``checked`` what it means.

    >>> phrases = PhraseBox("Own effects")
    >>> phrases.entry.value = "hitt +1"
    >>> "<mark>hitt</mark>" in phrases.told.value
    True
    """

    value = traitlets.Unicode()

    def __init__(self, label: str, example: str = ATTACKERS) -> None:
        self._example = example
        self.entry = W.Textarea(
            description=label,
            placeholder="phrases of the effect language",
            rows=2,
            style=LABEL,
            layout=W.Layout(width=WIDTH, max_width="100%"),
        )
        self.told = W.HTML(layout=W.Layout(margin="0 0 0 7.6em", min_height="2.8em"))
        self._show()
        self.entry.observe(self._typed, names="value")
        self.observe(self._moved, names="value")
        super().__init__([self.entry, self.told])

    @property
    def checked(self) -> Checked:
        """What is understood."""
        return check(self.value)

    def _typed(self, _: object) -> None:
        self._show()
        self.value = self.entry.value

    def _moved(self, _: object) -> None:
        if self.entry.value != self.value:
            self.entry.value = self.value

    def _show(self) -> None:
        self.told.value = told(check(self.entry.value), self._example)

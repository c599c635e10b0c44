"""The lines of a rule as sentences in their lists: options of a choice, items of an enumeration."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from killcurve.rules.reader.text import Line, sentences
from killcurve.rules.reader.vocabulary import wordset


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, and where it stands.

    ``option`` is its number in a choice (``None`` outside) and ``name`` what the option, or the
    row of a table, is called; ``inherits`` if the introduction of a list goes before it.
    """

    text: str
    option: int | None = None
    name: str = ""
    inherits: bool = False


@dataclass(frozen=True, slots=True)
class _Part:
    """A line without its label; ``heading`` if it is no more than a name."""

    text: str
    name: str
    heading: bool
    marked: bool
    paragraph: int


_NOTE = re.compile(r"^(?:Designer's Notes?|Example|Note|Reminder|FAQ)\b ?:|^Note that\b", re.I)
_LABEL = re.compile(r"^([A-Z0-9'][^.:;,\"\[\]]{1,58}?): ?(?=\S)")
_HEADER = re.compile(
    r"\b(?:select|choose|use|apply|activate|gains?|do|pick|has|have|adopt)\b"
    r"(?:.{0,60}\b(?:one|either|two|three|1|2|up to)\b.{0,60}|\s+from\s+)"
    r"\b(?:following|below|listed|bullet)\b|\bone of the following\b",
    re.I,
)
_RANDOM = re.compile(
    r"\broll (?:one|a|two) D\d\b.*\b(?:below|following|consult|corresponding|relevant)\b", re.I
)
_NO_CHOICE = re.compile(r"\bkeywords?\b|\bto include\b", re.I)
_ENDS_CHOICE = frozenset({"KEYWORDS", "RESTRICTIONS", "ENHANCEMENTS", "KEYWORD", "ARMY RULE"})
_OPENERS = re.compile(
    r"^(?:Each|While|If|Until|When|Once|At|In|During|After|Before|Add|Subtract|Improve|Worsen|"
    r"Roll|Re-roll|Select|Models?|Weapons?|Ranged|Melee|This|That|These|Those|Your|You|The|"
    r"Friendly|Enemy|Attacks?|On|For|Unless|Any|Psychic|Change|Halve|Do|It|They|One|All)\b",
)
_SMALL = wordset("of the and in to a an for from on with by de wiv")
_ABILITIES_ONLY = re.compile(r"^(?:\[[^\[\]]+\][ ,.]*){1,8}$")
_ROW = re.compile(r"^\d+(?:-\d+|\+)?$")


def script(given: Sequence[Line]) -> Iterator[Sentence]:
    """The sentences of a rule's lines; notes and headings are left out.

    >>> text = ["Select one of the following:", "Fury: Add 1 to the Hit roll.", "Haste: Move."]
    >>> given = [Line(t, False, i) for i, t in enumerate(text)]
    >>> [(s.option, s.name, s.text) for s in script(given)]
    [(None, '', 'Select one of the following:'), (0, 'Fury', 'Add 1 to the Hit roll.'), \
(1, 'Haste', 'Move.')]
    """
    parts = [_part(line) for line in given if not _NOTE.match(line.text)]
    choice = _Choice()
    intro: tuple[int, bool] | None = None
    heading = row = ""
    for i, part in enumerate(parts):
        choice.step(part)
        if part.heading:
            row = f"{part.text} {heading}".strip() if _ROW.match(part.text) else ""
            heading = heading if row else part.text
            continue
        inherits = intro is not None and (part.marked if intro[1] else part.paragraph == intro[0])
        for text in sentences(part.text):
            if _NOTE.match(text):
                break
            option = choice.option if choice.is_open and not choice.random else None
            named = choice.name if choice.is_open else row
            yield Sentence(text, option, named, inherits)
            if text.endswith(":") and i + 1 < len(parts):
                intro = (parts[i + 1].paragraph, parts[i + 1].marked)
            elif intro is not None and not inherits:
                intro = None
            if not choice.is_open and (is_choice(text) or _RANDOM.search(text)):
                choice.begin(parts[i + 1 :], glued=part.paragraph)
                choice.random = not is_choice(text)


class _Choice:
    """The choice whose options the lines are: how options begin is told by what lies ahead."""

    def __init__(self) -> None:
        self.style = ""
        self.option = -1
        self.name = ""
        self.is_open = False
        self.random = False
        self.paragraph = -1

    def begin(self, ahead: Sequence[_Part], glued: int) -> None:
        """A sentence announced a choice; its options are ahead."""
        self.option, self.name, self.is_open = -1, "", False
        self.style = ""
        if not ahead:
            return
        self.paragraph = ahead[0].paragraph
        if _are_titled(ahead):
            self.style = "heading"
        elif any(part.marked for part in ahead):
            self.style = "marked"
        elif any(part.name for part in ahead):
            self.style = "label"
        elif any(part.heading for part in ahead):
            self.style = "heading"
        elif ahead[0].paragraph >= glued:
            self.style = "plain"

    def step(self, part: _Part) -> None:
        """A new line: it begins an option, goes on with one, or ends the choice."""
        if not self.style:
            return
        if part.heading and part.text.strip(" :").upper() in _ENDS_CHOICE:
            self.style, self.is_open = "", False
            return
        begins = {
            "marked": part.marked,
            "label": bool(part.name),
            "heading": part.heading,
            "plain": part.paragraph == self.paragraph,
        }[self.style]
        if begins:
            self.option += 1
            self.name = part.name or (part.text if part.heading else "")
            self.is_open = True
            self.paragraph = part.paragraph
        elif part.paragraph != self.paragraph and self.style in ("marked", "plain"):
            self.style, self.is_open = "", False
        elif self.style == "marked" and part.heading:
            self.name = part.text


def _are_titled(ahead: Sequence[_Part]) -> bool:
    """Whether options have headings of their own, and lists below them."""
    titles = [i for i, part in enumerate(ahead) if part.heading and not _ROW.match(part.text)]
    items = [i for i, part in enumerate(ahead) if part.marked]
    return bool(items) and titles[:1] == [0] and any(i > items[0] for i in titles)


def is_choice(text: str) -> bool:
    """Whether a sentence announces options to choose from.

    >>> is_choice("Select one of the abilities below."), is_choice("Select one unit.")
    (True, False)
    """
    return bool(_HEADER.search(text)) and not _NO_CHOICE.search(text)


def is_heading(text: str) -> bool:
    """Whether a line is the name of what follows.

    >>> is_heading("Psychic Maelstrom"), is_heading("Add 1 to the Hit roll"), is_heading("KEYWORDS")
    (True, False, True)
    """
    if _ROW.match(text):
        return True
    if lists_abilities(text) or not text[0].isalnum():
        return False
    if "[" in text:
        return text.isupper() and len(text) < 60
    if text[-1] in '.:;,!?"])+' and not text.endswith(("(Aura)", "(Psychic)", "!")):
        return text.isupper() and 4 < len(text) < 40
    parts = text.split()
    if len(parts) > 9 or (_OPENERS.match(text) and not text.isupper() and len(parts) > 4):
        return False
    return all(p in _SMALL or not p[:1].islower() for p in parts)


def _part(line: Line) -> _Part:
    """A line, and the name that stands before it."""
    if is_heading(line.text):
        return _Part(line.text, "", True, line.marked, line.paragraph)
    text, name = line.text, ""
    found = _LABEL.match(text)
    if found and not _OPENERS.match(found[1]):
        said = found[1].strip()
        if _ROW.match(said):
            text, name = text[found.end() :], f"D6 roll of {said}"
        elif (
            said.lower() != "or"
            and all(p in _SMALL or not p[:1].islower() for p in said.split())
            and "D6" not in said
        ):
            text, name = text[found.end() :], said
    return _Part(text, name, False, line.marked, line.paragraph)


def lists_abilities(text: str) -> bool:
    """Whether a sentence is a list of weapon abilities and no more."""
    return _ABILITIES_ONLY.match(text) is not None

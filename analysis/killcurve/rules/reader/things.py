"""What the grammar of conditions makes of a noun phrase or a clause: things that must hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lark import Transformer

from killcurve.rules.reader.vocabulary import singular
from killcurve.rules.reader.words import Word, Words


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing that must hold.

    ``kind`` is ``keywords``, ``flag``, ``within``, ``engaged`` …; whose it is, the subject says.
    """

    kind: str
    words: tuple[str, ...] = ()
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Subject:
    """Words of a condition's subject."""

    words: Words


def _words(children: Sequence[object]) -> Words:
    return tuple(c for c in children if isinstance(c, Word))


def _things(children: Sequence[object]) -> list[Thing]:
    found: list[Thing] = []
    for c in children:
        if isinstance(c, Thing):
            found.append(c)
        elif isinstance(c, list):
            found += _things(c)
    return found


def _negated(children: Sequence[object]) -> list[Thing]:
    return [replace(thing, negated=not thing.negated) for thing in _things(children)]


class Things(Transformer[Word, list[Thing]]):
    """Makes lists of things of parsed conditions; a method a rule of the grammar."""

    def noun_phrase(self, children: list[object]) -> list[Thing]:
        found = _things(children)
        kinds = [w.type for w in _words(children)]
        if "CLOSEST" in kinds:
            found.append(Thing("flag", ("closest_target",)))
        if "SELECTED" in kinds or ("THAT" in kinds and ("UNIT" in kinds or "MODEL" in kinds)):
            found.append(Thing("selected"))
        return found

    def condition(self, children: list[object]) -> list[Thing | Subject]:
        subjects: list[Thing | Subject] = [c for c in children if isinstance(c, Subject)]
        return [*subjects[:1], *_things(children)]

    def subject(self, children: list[object]) -> Subject:
        return Subject(_words(children))

    def keywords(self, children: list[object]) -> Thing:
        names = [str(c) for c in children if isinstance(c, str)]
        return Thing("keywords", tuple(dict.fromkeys(names)))

    def keyword(self, children: list[object]) -> str:
        words = [w for w in _words(children) if w.type == "KEYWORD"]
        texts = [w.text.removesuffix("'s") for w in words]
        return " ".join(singular(t) for t in texts)

    def titled(self, children: list[object]) -> Thing:
        texts = [w.text.removesuffix("'s").lower() for w in _words(children)]
        return Thing("keywords", (" ".join(texts),))

    def excluding(self, children: list[object]) -> list[Thing]:
        return _negated(children)

    def excluding_fly(self, children: list[object]) -> Thing:  # noqa: ARG002
        return Thing("keywords", ("fly",), negated=True)

    def that_is(self, children: list[object]) -> list[Thing]:
        return _things(children)

    def that_is_not(self, children: list[object]) -> list[Thing]:
        return _negated(children)

    def can_fly(self, children: list[object]) -> Thing:  # noqa: ARG002
        return Thing("keywords", ("fly",))

    def cannot_fly(self, children: list[object]) -> Thing:  # noqa: ARG002
        return Thing("keywords", ("fly",), negated=True)

    def has_keywords(self, children: list[object]) -> list[Thing]:
        return _things(children)

    def not_keywords(self, children: list[object]) -> list[Thing]:
        return _negated(children)

    def is_keywords(self, children: list[object]) -> list[Thing]:
        return _things(children)

    def is_not_keywords(self, children: list[object]) -> list[Thing]:
        return _negated(children)

    def is_thing(self, children: list[object]) -> list[Thing]:
        return _things(children)

    def is_not_thing(self, children: list[object]) -> list[Thing]:
        return _negated(children)

    def targets(self, children: list[object]) -> list[Thing]:
        return [Thing("targets"), *_things(children)]

    def leading(self, children: list[object]) -> Thing:
        who = [c for c in children if isinstance(c, str)]
        led = "character" in " ".join(who) or any(isinstance(c, Subject) for c in children)
        return Thing("flag", ("leading",)) if led else Thing("contains", tuple(who))

    def led_by(self, children: list[object]) -> str:
        return " ".join(w.text.lower() for w in _words(children) if w.type == "KEYWORD")

    def near(self, children: list[object]) -> Words:
        return _words(children)

    def objectives(self, children: list[object]) -> None:  # noqa: ARG002
        return None

    def below_half(self, children: list[object]) -> Thing:  # noqa: ARG002
        return Thing("below_half")

    def below_starting(self, children: list[object]) -> Thing:  # noqa: ARG002
        return Thing("below_starting")

    def half_range(self, children: list[object]) -> Thing:  # noqa: ARG002
        return Thing("flag", ("half_range",))

    def within(self, children: list[object]) -> Thing:
        inches = next(w.text for w in _words(children) if w.type == "INCHES")
        return Thing("within", (inches.rstrip('" '),))

    def not_within(self, children: list[object]) -> Thing:
        return replace(self.within(children), negated=True)

    def on_objective(self, children: list[object]) -> Thing:  # noqa: ARG002
        return Thing("on_objective")

    def engaged(self, children: list[object]) -> Thing:  # noqa: ARG002
        return Thing("flag", ("engaged",))

    def charged(self, children: list[object]) -> Thing:  # noqa: ARG002
        return Thing("flag", ("charged",))

    def stationary(self, children: list[object]) -> Thing:  # noqa: ARG002
        return Thing("flag", ("stationary",))

"""What has been said so far in a rule, and what was found in it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from killcurve.rules.reader.arms import Arms
from killcurve.rules.reader.clauses import Kind
from killcurve.rules.reader.dice import Dice, Result
from killcurve.rules.reader.heads import Head, Named
from killcurve.rules.reader.occasions import Occasion
from killcurve.rules.reader.places import Found
from killcurve.rules.reader.script import Sentence
from killcurve.rules.reader.sides import ENEMY
from killcurve.rules.reader.words import Words, phrase


@dataclass(frozen=True, slots=True)
class Opened:
    """An introductory clause that holds for what follows it.

    ``critical`` is the roll that must be critical, or ``ROLL`` where a result of the attack's
    own dice decides; ``counted`` is what ``for each`` counts.
    """

    kind: Kind
    conditions: tuple[str, ...] = ()
    occasion: Occasion | None = None
    result: Result | None = None
    critical: str | None = None
    counted: str | None = None


@dataclass(slots=True)
class Talk:
    """What has been said so far in a rule.

    ``opened`` are the introductions that hold now, ``intro_opened`` those of the sentence that
    introduces a list, ``offered`` the conditions of a choice. ``occasion`` is the last one spoken
    of, ``subject`` the subject of the sentence. ``that`` and ``it`` are the sides that the words
    may go back to, ``named`` and ``states`` those of keywords and of states (``suppressed``) that
    were given to units, ``shown`` the dice that gave them. ``rolls`` are those of ``that roll``,
    ``changed`` is the last change, ``chosen`` are characteristics to select from, ``offer`` is
    the price of ``if you do``. Options of a choice are counted by ``choices``. ``survivors`` are
    effects of models that fight although destroyed, ``asides`` words in brackets that are still
    to be read.
    """

    is_stratagem: bool
    of_destroyed: bool = False
    found: list[Found] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    survivors: list[Found] = field(default_factory=list)
    marked: list[tuple[str, str]] = field(default_factory=list)
    phases: set[str] = field(default_factory=set)
    told: Sentence = field(default_factory=lambda: Sentence(""))
    intro: str = ""
    intro_opened: list[Opened] = field(default_factory=list)
    offered: list[Opened] = field(default_factory=list)
    opened: list[Opened] = field(default_factory=list)
    occasion: Occasion | None = None
    subject: Words = ()
    arms: Arms = field(default_factory=Arms)
    dice: Dice | None = None
    that: str | None = None
    it: str | None = None
    named: dict[str, str] = field(default_factory=dict)
    states: dict[str, str] = field(default_factory=dict)
    shown: dict[str, Result] = field(default_factory=dict)
    rolls: tuple[Named, ...] = ()
    rolls_now: tuple[Named, ...] = ()
    changed: Head | None = None
    chosen: Head | None = None
    offer: str | None = None
    choices: int = 0
    acted: bool = False
    once: bool = False
    asides: list[Words] = field(default_factory=list)

    def begin(self, told: Sentence) -> None:
        """A new sentence: what held for the last one is over."""
        self.told = told
        self.subject = ()
        self.rolls_now = ()
        self.acted = False
        self.opened = list(self.intro_opened) if told.inherits else []
        if told.option is not None:
            self.opened = [o for o in self.offered if o not in self.opened] + self.opened

    def push(self, new: Opened) -> None:
        """Keep an introduction; one of its kind that had its effect already gives way."""
        if self.acted and any(o.kind is new.kind for o in self.opened):
            at = next(i for i, o in enumerate(self.opened) if o.kind is new.kind)
            del self.opened[at:]
        self.acted = False
        self.opened.append(new)

    def keep(self, made: list[Found], *, either: bool = False) -> None:
        """Add effects; alternatives become options of a choice."""
        if either and len(made) > 1:
            self.choices += 1
            self.found += [replace(f, choice=self.choices, option=i) for i, f in enumerate(made)]
        else:
            self.found += self.as_option(made)

    def as_option(self, made: list[Found]) -> list[Found]:
        """Effects with the number of the option that is being read."""
        if self.told.option is None:
            return made
        return [replace(one, choice=self.choices, option=self.told.option) for one in made]

    def leave(self, given: Words, sentence: str) -> None:
        """Note words that bear on attack maths and are not read."""
        text = phrase(given, sentence).strip(" ,;:")
        if text and text not in self.unread:
            self.unread.append(text)
        self.acted = True

    @property
    def conditions(self) -> tuple[str, ...]:
        """All that the introductions demand."""
        return tuple(c for o in self.opened for c in o.conditions)

    @property
    def on(self) -> Occasion | None:
        """The occasion that the sentence itself names."""
        return next((o.occasion for o in reversed(self.opened) if o.occasion is not None), None)

    @property
    def result(self) -> Result | None:
        """What the dice must show."""
        return next((o.result for o in reversed(self.opened) if o.result is not None), None)

    @property
    def counted(self) -> str | None:
        """What ``for each`` counts: ``unit``, ``model``, ``attack`` or ``other``."""
        return next((o.counted for o in reversed(self.opened) if o.counted is not None), None)

    @property
    def is_attacked(self) -> bool:
        """Whether the side that has the rule is the one attacked, as the sentence has it."""
        on = self.on
        if on is None:
            return False
        return on.kind in ("attacked", "allocated", "unsaved", "destroyed") or (
            on.kind == "attacks" and on.side == ENEMY
        )

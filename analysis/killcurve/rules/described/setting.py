"""What is known of a rule beside its description, and what the walk through the tree knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from killcurve.rules.conditions import Clause
from killcurve.rules.effects import Effect

Tree = Mapping[str, Any]

ATTACK_PHASES = ("shooting", "fight")
SCOPE_OF = {"shooting": "ranged", "fight": "melee"}
NO_WEAPONS = ("mortal", "psychic")
"""What a unit may suffer from beside its enemies' weapons, of whatever kind."""
PHASE_OF = {"ranged": "shooting", "melee": "fight"}


class Unread(ValueError):
    """A part of a description that is not understood; the message names it."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What is known of a rule beside its description.

    ``kind`` is ``stratagem``, ``enhancement``, ``detachment``, ``faction``, ``unit`` or
    ``core``; ``phases`` are those in which it is used or matters, as far as known.
    ``keywords`` (normal form) has every unit that the rule is for, and ``known`` are all
    keywords there are (empty: not known). ``leads``: "leading a unit" is said by the leader's
    own rule. ``passing`` are the words for that it is in use, if it works for a time only, on a
    unit or target that the description does not tell; ``outlasts_phase``: for longer than the
    phase in which it is used.
    ``inches`` is the size of its aura, ``bundles`` are rules that it
    may grant, by id.
    """

    kind: str = ""
    phases: tuple[str, ...] = ()
    keywords: frozenset[str] = frozenset()
    known: frozenset[str] = frozenset()
    leads: bool = False
    passing: str = ""
    outlasts_phase: bool = False
    inches: int | None = None
    bundles: Mapping[str, Tree] = field(default_factory=dict)

    @property
    def attack_phases(self) -> tuple[str, ...]:
        """The phases of attacks among its own."""
        return tuple(phase for phase in ATTACK_PHASES if phase in self.phases)

    @property
    def only_phase(self) -> str | None:
        """The phase of a stratagem that is used in one phase of attacks and no other."""
        if self.kind == "stratagem" and len(self.phases) == 1 and self.attack_phases:
            return self.phases[0]
        return None

    @property
    def is_used_openly(self) -> bool:
        """Whether what its units need is no condition of its effects (stratagems)."""
        return self.kind == "stratagem"

    @property
    def selects_openly(self) -> bool:
        """Whether whom it selects is no condition: it is for the attacks at hand (stratagems)."""
        return self.kind == "stratagem" and not self.outlasts_phase


@dataclass(frozen=True, slots=True)
class Told:
    """What conditions say: clauses, the attacks that are meant, phases, a time of use."""

    clauses: tuple[Clause, ...] = ()
    scope: str | None = None
    phases: frozenset[str] = frozenset()
    is_timed: bool = False

    def __add__(self, other: Told) -> Told:
        if self.scope and other.scope and self.scope != other.scope:
            raise Unread(f"attacks that are {self.scope} and {other.scope}")
        both = self.phases & other.phases if self.phases and other.phases else frozenset[str]()
        return Told(
            tuple(dict.fromkeys((*self.clauses, *other.clauses))),
            self.scope or other.scope,
            both or self.phases | other.phases,
            self.is_timed or other.is_timed,
        )


@dataclass(frozen=True, slots=True)
class Given:
    """Where the walk through a tree stands.

    ``told`` are the conditions passed; ``roll`` is that of a die which the effect waits for.
    ``unit`` is whom a leaf means by a unit: ``own``, ``enemy``, or ``attackers`` (friendly units
    that attack a chosen target), and ``is_selected``: one that was selected for it.
    ``is_outermost``: no sequence or choice has been passed.
    """

    setting: Setting
    told: Told = Told()
    roll: str | None = None
    unit: str = "own"
    is_selected: bool = False
    is_outermost: bool = True

    def inside(self) -> Given:
        """Past a node with several parts."""
        return replace(self, is_outermost=False)

    def when(self, told: Told) -> Given:
        """Past a condition."""
        return replace(self, told=self.told + told)

    def said(self, words: str) -> Given:
        """Past a condition in quoted words."""
        return self.when(Told((quoted(words),)))

    def on_selected(self, unit: str) -> Given:
        """Past the choice of a unit."""
        return replace(self, unit=unit, is_selected=True)


@dataclass(frozen=True, slots=True)
class Leaf:
    """One effect, the side that has it, and the phases in which it bears on attacks.

    No phases are as yet unknown ones. ``takes_roll``: the roll that it waits for is part of it;
    ``on_selected``: it is about attacks against a unit that was selected.
    """

    effect: Effect
    side: str
    phases: tuple[str, ...] | None = None
    takes_roll: bool = False
    on_selected: bool = False

    def on(self, words: str) -> Leaf:
        """The leaf with one more condition, in quoted words."""
        terms = (*self.effect.condition, quoted(words))
        return replace(self, effect=replace(self.effect, condition=terms))


def quoted(words: str) -> Clause:
    """A condition for a person to tick.

    >>> str(quoted('the "Waaagh" is active'))
    '"the Waaagh is active"'
    """
    return Clause("words", (" ".join(words.replace('"', "").split()),))

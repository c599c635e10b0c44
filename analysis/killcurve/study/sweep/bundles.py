"""Effects that hold together, with what they ask, worked out once; equal bundles are one object."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from killcurve.rules.abilities import Ability
from killcurve.rules.bearing import flat
from killcurve.rules.effects import Effect
from killcurve.rules.modifiers import BIG
from killcurve.rules.spelling import normal
from killcurve.study.own_rules import PHASE_OF_KIND

KINDS = tuple(PHASE_OF_KIND)
"""Kinds of weapons."""


@dataclass(frozen=True, slots=True, eq=False)
class Bundle:
    """Some effects. ``number`` tells bundles apart, 0 is the one without effects.

    ``flags`` and ``words`` are conditions that are circumstances, or words to be ticked;
    ``asks`` the keywords that conditions ask the ``target``, the ``unit`` that has the effects, or
    the ``attacker`` for; ``abilities`` those that are granted.
    """

    number: int
    effects: tuple[Effect, ...]
    flags: frozenset[str]
    words: frozenset[str]
    asks: dict[str, frozenset[str]] = field(repr=False)
    abilities: tuple[Ability, ...] = ()
    names_weapons: bool = False


_BUNDLES: dict[tuple[Effect, ...], Bundle] = {}


def bundle(effects: tuple[Effect, ...]) -> Bundle:
    """The bundle of these effects.

    >>> made = bundle((Effect.parse("hit +1 if charged and target is monster"),))
    >>> made.flags, made.asks["target"], bundle(made.effects) is made
    (frozenset({'charged'}), frozenset({'monster'}), True)
    """
    if effects not in _BUNDLES:
        _BUNDLES[effects] = Bundle(
            len(_BUNDLES),
            effects,
            _conditions(effects, "flag"),
            frozenset(map(normal, _conditions(effects, "words"))),
            {whose: _asked(effects, whose) for whose in ("target", "unit", "attacker")},
            tuple(e.amount for e in effects if isinstance(e.amount, Ability)),
            any((e.scope or "").startswith('"') for e in effects),
        )
    return _BUNDLES[effects]


def _conditions(effects: Iterable[Effect], kind: str) -> frozenset[str]:
    return frozenset(c.words[0] for e in flat(effects) for c in e.condition if c.kind == kind)


def _asked(effects: Iterable[Effect], whose: str) -> frozenset[str]:
    return frozenset(
        normal(word)
        for effect in effects
        for clause in effect.condition
        if clause.kind == "keyword" and clause.whose == whose
        for word in clause.words
    )


NO_EFFECTS = bundle(())
"""Nothing at all."""


def asked_by(abilities: Iterable[Ability]) -> frozenset[str]:
    """The keywords of a target that weapon abilities ask for.

    >>> sorted(asked_by([Ability.parse("anti-fly 2+"), Ability.parse("lethal hits: non-vehicle")]))
    ['fly', 'vehicle']
    """
    found: set[str] = set()
    for ability in abilities:
        found |= {*ability.only, *ability.excluding}
        if ability.name == "anti" and ability.subject:
            found |= set(ability.subject.split("/"))
    return frozenset(found)


def asked_when(flags: frozenset[str]) -> frozenset[str]:
    """The keywords that circumstances ask either side for."""
    return BIG if "engaged" in flags else frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Limits:
    """When an effect can hold at all: for which weapons, and for a unit with which keywords."""

    scope: str
    unit: tuple[tuple[frozenset[str], bool], ...]

    @classmethod
    def of(cls, effect: Effect) -> Limits:
        """Those of an effect."""
        scope = effect.scope or ""
        if scope.startswith('"'):
            scope = f'"{normal(scope)}'
        return cls(
            scope if scope in KINDS or scope.startswith('"') else "",
            tuple(
                (frozenset(map(normal, clause.words)), not clause.negated)
                for clause in effect.condition
                if clause.kind == "keyword" and clause.whose == "unit"
            ),
        )

    def allow(self, keywords: frozenset[str], kind: str, name: str) -> bool:
        """Whether it can hold for a weapon of that kind and (normal) name of such a unit."""
        if self.scope in KINDS and self.scope != kind:
            return False
        if self.scope.startswith('"') and self.scope.strip('"') != name:
            return False
        return all((not words.isdisjoint(keywords)) is wanted for words, wanted in self.unit)

"""Which rules a unit may have for an attack, as attacker or defender, one way to use each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from killcurve.rules.effects import Effect
from killcurve.rules.spelling import normal
from killcurve.study.army_rules import POOLS, SNAP, ArmyRules, Rule, options
from killcurve.study.own_rules import OwnRule
from killcurve.study.sweep.bundles import Limits
from killcurve.tables.dataset import Dataset

SIDES = ("attacker", "defender")


@dataclass(frozen=True, slots=True)
class Help:
    """A rule with the options taken (``choice``), as one side's effects on an attack."""

    rule: Rule
    effects: tuple[Effect, ...]
    choice: str = ""

    @property
    def is_attack(self) -> bool:
        """Whether it gives an attack that would not be made without it."""
        return any(effect.what == SNAP for effect in self.effects)


@dataclass(frozen=True, slots=True)
class User:
    """A unit that may use rules for an attack: ``kind`` is that of the attack's weapons.

    ``weapons`` are the names of those weapons, ``own`` the abilities of its datasheet, and
    ``known`` every word that is a keyword of some unit.
    """

    side: str
    keywords: frozenset[str]
    kind: str
    weapons: tuple[str, ...]
    own: tuple[OwnRule, ...] = ()
    known: frozenset[str] = frozenset()

    def helps(self, rules: Iterable[Rule]) -> list[Help]:
        """Every way in which it may use each of the rules, but for those that can never count."""
        return [
            Help(rule, reaching, choice)
            for rule in rules
            if self.kind in rule.weapons and rule.may_be_used_by(self.keywords)
            for effects, choice in options(rule, self.side, POOLS | {SNAP})
            if (reaching := tuple(filter(self._reaches, effects)))
            and not (self.kind == "melee" and any(effect.what == SNAP for effect in effects))
        ]

    def own_rules(self, phase: str) -> Iterator[Rule]:
        """Abilities of its datasheet that count only if somebody chooses to use them."""
        for ability in self.own:
            effects = tuple(ability.of_side(self.side, phase))
            if effects and not ability.is_on:
                yield Rule("ability", ability.name, "", self.side, effects, status=ability.status)

    def _reaches(self, effect: Effect) -> bool:
        limits = Limits.of(effect)
        names = map(normal, self.weapons) if self.side == "attacker" else [""]
        said = (clause.words[0] for clause in effect.condition if clause.kind == "words")
        return any(limits.allow(self.keywords, self.kind, name) for name in names) and all(
            may_be_said(words, self.keywords, self.known) for words in said
        )


def may_be_said(words: str, keywords: frozenset[str], known: frozenset[str]) -> bool:
    """Whether words can hold for a unit, where they ask for nothing but keywords.

    >>> orks = frozenset({"orks", "infantry", "mek"})
    >>> [may_be_said(w, frozenset({"orks", "infantry"}), orks) for w in (
    ...     "the unit is mek", "the unit is mek or the unit is orks and the unit is infantry",
    ...     "the unit is riled up")]
    [False, True, True]
    """
    ways = [way.split(" and ") for way in words.split(" or ")]
    found = [[_KEYWORD.fullmatch(part) for part in way] for way in ways]
    if not all(each and each[1] in known for way in found for each in way):
        return True
    return any(all(each and each[1] in keywords for each in way) for way in found)


_KEYWORD = re.compile(r"the unit is ([\w' -]+)")


def words_of_units(dataset: Dataset) -> frozenset[str]:
    """Every keyword of some unit; names of units are keywords, too."""
    names = map(normal, dataset.datasheets["datasheet"])
    return frozenset(dataset["keywords"]["keyword"]) | frozenset(names)


def army_of(dataset: Dataset, faction: str, datasheet: str, edition: str | None) -> ArmyRules:
    """The rules of the army of a unit, under a rule state (``None`` for its datasheet's)."""
    sheets = str(dataset.of_unit("datasheets", faction, datasheet)["edition"][0])
    return ArmyRules(dataset, faction, sheets, edition or sheets)


def near(effects: Iterable[Effect]) -> tuple[tuple[Effect, ...], tuple[str, ...]]:
    """Effects without conditions on distance, which are taken to hold, and those in words.

    >>> kept, assumed = near([Effect.parse("hit +1 if within 12")])
    >>> [str(effect) for effect in kept], assumed
    (['hit +1'], ('within 12',))
    """
    kept, assumed = [], []
    for effect in effects:
        assumed += [str(c) for c in effect.condition if c.kind == "within"]
        rest = tuple(c for c in effect.condition if c.kind != "within")
        kept.append(replace(effect, condition=rest))
    return tuple(kept), tuple(dict.fromkeys(assumed))

"""What lethal hits, sustained hits and devastating wounds are worth here, as algebra.

Two abilities often add exactly the same; the terms show whether that is a true tie.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from killcurve.engine.attack import AttackDie
from killcurve.study.explained.facts import Facts, Step, exact

ALL_HIT = (Fraction(1), Fraction(0))


def abilities(facts: Facts) -> Iterator[Step]:
    """Unsaved wounds of one attack, what each ability adds to them, and which adds more."""
    if len(facts.shot.batch.dice) > 1 or facts.shot.special_saves is not None:
        return  # a random Strength, or two kinds of saves: no short sum tells it
    for g, name, whose in facts.apart():
        against = f" against {name}" if whose else ""
        yield from _worth(facts, facts.shot.batch.dice[0][1], g, against)


def _worth(facts: Facts, die: AttackDie, g: int, whose: str) -> Iterator[Step]:
    hit, critical_hit = ALL_HIT
    if die.hit_roll is not None:
        missed, _, critical = die.hit_roll.ways()
        hit, critical_hit = Fraction(36 - missed, 36), Fraction(critical, 36)
    assert die.wound_roll is not None
    failed, _, critical = die.wound_roll.ways()
    wound, critical_wound = Fraction(36 - failed, 36), Fraction(critical, 36)
    unsaved = Fraction(facts.shot.saves[g].ways_to_fail(), 36)
    sustained = facts.line.modifiers.sustained
    extra = Fraction(0) if sustained is None else exact(sustained.pmf)
    hits = hit + critical_hit * extra
    devastating = facts.line.modifiers.devastating
    terms = _Terms(hits, critical_hit, wound, critical_wound, unsaved)
    yield _total(terms, die.lethal, devastating, extra, whose)
    yield _compared(terms, die, devastating, whose)
    if die.lethal and devastating:
        yield _choice(terms, whose, optional=facts.edition.lethal_is_optional)


@dataclass(frozen=True, slots=True)
class _Terms:
    """Expected hits of one attack, P(critical hit), P(wound), P(critical wound), P(unsaved)."""

    hits: Fraction
    critical_hit: Fraction
    wound: Fraction
    critical_wound: Fraction
    unsaved: Fraction

    def rolled(self, *, devastating: bool) -> Fraction:
        """Unsaved wounds of a hit that rolls to wound."""
        if not devastating:
            return self.wound * self.unsaved
        return self.critical_wound + (self.wound - self.critical_wound) * self.unsaved

    def lethal_adds(self) -> Fraction:
        """What lethal hits add to an attack without devastating wounds."""
        return self.critical_hit * (1 - self.wound) * self.unsaved

    def devastating_adds(self) -> Fraction:
        """What devastating wounds add to an attack without lethal hits."""
        return self.hits * self.critical_wound * (1 - self.unsaved)


def _total(terms: _Terms, lethal: bool, devastating: bool, extra: Fraction, whose: str) -> Step:
    rolled = terms.rolled(devastating=devastating)
    says = []
    if extra:
        says.append(f"hits of an attack: P(hit) + P(critical hit) x {extra} = {terms.hits}")
    if devastating:
        says.append(
            f"a hit that rolls to wound: P(critical wound) + P(other wound) x P(unsaved) = "
            f"{terms.critical_wound} + {terms.wound - terms.critical_wound} x {terms.unsaved} "
            f"= {rolled}"
        )
    else:
        says.append(
            f"a hit that rolls to wound: P(wound) x P(unsaved) = {terms.wound} x {terms.unsaved} "
            f"= {rolled}"
        )
    total = terms.hits * rolled
    if lethal:
        others = terms.hits - terms.critical_hit
        total = others * rolled + terms.critical_hit * terms.unsaved
        says.append(
            f"critical hits wound by themselves: {others} x {rolled} + "
            f"{terms.critical_hit} x {terms.unsaved}"
        )
    return Step(f"unsaved wounds of an attack{whose}", tuple(says), {"mean": total}, ("§3.3",))


def _compared(terms: _Terms, die: AttackDie, devastating: bool, whose: str) -> Step:
    lethal_adds, devastating_adds = terms.lethal_adds(), terms.devastating_adds()
    says = [
        "lethal hits alone add P(critical hit) x P(no wound) x P(unsaved) = "
        f"{terms.critical_hit} x {1 - terms.wound} x {terms.unsaved} = {lethal_adds}",
        "devastating wounds alone add hits x P(critical wound) x P(saved) = "
        f"{terms.hits} x {terms.critical_wound} x {1 - terms.unsaved} = {devastating_adds}",
    ]
    if lethal_adds == devastating_adds:
        says.append("they add exactly the same here: a true tie")
    else:
        more = "lethal hits add" if lethal_adds > devastating_adds else "devastating wounds add"
        says.append(f"{more} more here")
    has = [
        n
        for n, there in (("lethal hits", die.lethal), ("devastating wounds", devastating))
        if there
    ]
    says.append(f"this weapon has {' and '.join(has)}" if has else "this weapon has neither")
    return Step(
        f"lethal hits or devastating wounds{whose}",
        tuple(says),
        {"lethal hits add": lethal_adds, "devastating wounds add": devastating_adds},
        ("§3.3", "§6.4"),
    )


def _choice(terms: _Terms, whose: str, *, optional: bool) -> Step:
    rolled = terms.rolled(devastating=True)
    says = [
        f"wounding by itself is worth P(unsaved) = {terms.unsaved} unsaved wounds, rolling {rolled}"
    ]
    if not optional:
        says.append("in this edition it always wounds by itself")
    elif rolled == terms.unsaved:
        says.append("both are worth the same: a true tie")
    else:
        says.append(f"{'rolling' if rolled > terms.unsaved else 'wounding by itself'} is better")
    return Step(
        f"choice for a lethal critical hit{whose}",
        tuple(says),
        {"by itself": terms.unsaved, "rolling": rolled},
        ("§3.3",),
    )

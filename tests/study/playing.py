"""Units written by hand, and what they do to each other, die by die, in fractions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction as F
from functools import cache
from itertools import product
from typing import Any

from killcurve.engine.dice import Dice
from killcurve.engine.target import ModelGroup
from killcurve.rules.abilities import Ability
from killcurve.study.fielding import Carried, Fielded, Rank
from killcurve.study.lines import Line

SIX = range(1, 7)


def weapon(name="gun", attacks=1, skill=4, strength=4, ap=0, damage=1, reach=24, keywords=(),
           count=1, profile="", exclusive=False, weapon_id=None):  # fmt: skip
    """A weapon in the hands of a model; ``reach`` is its range, 0 for melee."""
    line = Line(
        weapon=name,
        profile=profile,
        kind="ranged" if reach else "melee",
        count=1,
        abilities=tuple(Ability.parse(text) for text in keywords),
        skill=skill,
        attacks=Dice.parse(attacks),
        strength=Dice.parse(strength),
        ap=ap,
        damage=Dice.parse(damage),
        exclusive=exclusive,
    )
    return Carried(weapon_id or name, line, reach, count)


def rank(count=1, *weapons, name="model", toughness=4, save=7, wounds=1, move=6, leadership=7,
         control=1):  # fmt: skip
    """Models that carry the same."""
    model = ModelGroup(count=1, toughness=toughness, save=save, wounds=wounds)
    return Rank(name, count, model, tuple(weapons), move, leadership, control)


def unit(*ranks, name="unit", edition="11e", points: int | None = 100, keywords=("infantry",)):
    """A unit in play."""
    return Fielded(name, edition, "Tests", name, frozenset(keywords), points, tuple(ranks))


def wound_need(strength: int, toughness: int) -> int:
    """The table of Strength and Toughness."""
    if strength >= 2 * toughness:
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    return 6 if 2 * strength <= toughness else 5


@cache
def chance_to_hurt(carried: Carried, model: ModelGroup) -> F:
    """P(one attack gets through), roll by roll: hit, wound and save."""
    line = carried.line
    need = wound_need(line.strength.bonus, model.toughness)
    through = F(0)
    for hit, wound, save in product(SIX, repeat=3):
        hits = hit != 1 and (hit == 6 or hit >= line.skill)
        wounds = wound != 1 and (wound == 6 or wound >= need)
        saved = save != 1 and save + line.ap >= model.save
        through += F(hits and wounds and not saved, 216)
    return through


class Hand:
    """Units as tuples of wounds left, model by model in the order in which they fall."""

    def __init__(self, fielded: Fielded) -> None:
        self.models = [r for r in fielded.ranks for _ in range(r.count)]
        self.start = tuple(r.model.wounds for r in self.models)

    def attacks(self, state: Any, kind: str, first: bool = True) -> list[tuple[F, Any]]:
        """The carried weapons of the living, as often as they attack."""
        out = []
        for wounds, model in zip(state, self.models, strict=True):
            for carried in model.weapons if wounds else ():
                once = any(a.name == "one shot" for a in carried.line.abilities)
                if carried.line.kind == kind and (first or not once):
                    out += [carried] * (carried.count * carried.line.attacks.bonus)
        return out

    def hurt(self, state: Any, damage: int) -> Any:
        """The first living model loses wounds; what it does not have is lost."""
        wounds = list(state)
        place = next((i for i, left in enumerate(wounds) if left), None)
        if place is not None:
            wounds[place] = max(0, wounds[place] - damage)
        return tuple(wounds)


def volley(law: Counter, striking: Hand, struck: Hand, kind: str, by_first: bool, first=True):
    """The law of pairs of states after every attack of the living, one after the other."""
    after: Counter = Counter()
    for pair, chance in law.items():
        own, other = pair if by_first else pair[::-1]
        found = Counter({other: chance})
        for carried in striking.attacks(own, kind, first):
            through = chance_to_hurt(carried, struck.models[0].model)
            more: Counter = Counter()
            for state, part in found.items():
                more[state] += part * (1 - through)
                damage = carried.line.damage.pmf
                for value, weight in zip(damage.values.tolist(), damage.weights, strict=True):
                    share = F(weight).limit_denominator(6)
                    more[struck.hurt(state, value)] += part * through * share
            found = more
        for state, part in found.items():
            after[(own, state) if by_first else (state, own)] += part
    return after


def hazards(law: Counter, striking: Hand, kind: str, by_first: bool):
    """Each hazardous weapon of the living: a 1 or 2 is a mortal wound on the unit (11th)."""
    after: Counter = Counter()
    for pair, chance in law.items():
        own, other = pair if by_first else pair[::-1]
        tests = sum(
            carried.count
            for wounds, model in zip(own, striking.models, strict=True)
            for carried in model.weapons
            if wounds and carried.line.kind == kind
            and any(a.name == "hazardous" for a in carried.line.abilities)
        )  # fmt: skip
        for rolls in product((True, True, False, False, False, False), repeat=tests):
            state = own
            for failed in rolls:
                state = striking.hurt(state, 1) if failed else state
            new = (state, other) if by_first else (other, state)
            after[new] += chance * F(1, 6**tests)
    return after

"""The same attacks written once more in icepool and in dyce, the exact dice libraries (PEERS §3).

One weapon's attacks on equal models, where the 10th and 11th edition agree: hits, wounds and saves
a die at a time, then packet after packet on whichever model is next, devastating ones last.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import icepool
import pytest
from dyce import H

from tests.engine.questions import answer, same


@dataclass(frozen=True)
class Case:
    """One weapon and its target; ``critical_wounds`` is an ANTI threshold."""

    attacks: str
    strength: int
    ap: int
    damage: str
    toughness: int
    save: int
    wounds: int
    count: int
    skill: int = 3
    sustained: str | None = None
    lethal: bool = False
    devastating: bool = False
    critical_wounds: int = 6
    ones_again: bool = False
    twin_linked: bool = False
    invulnerable: int | None = None
    feel_no_pain: int | None = None

    @property
    def wound_need(self) -> int:
        if self.strength >= 2 * self.toughness:
            return 2
        if 2 * self.strength <= self.toughness:
            return 6
        return 4 + (self.strength < self.toughness) - (self.strength > self.toughness)

    @property
    def save_need(self) -> int:
        return max(2, min(7, self.save - self.ap, self.invulnerable or 7))

    def hit(self, face: int) -> str:
        """What a face of the hit die means."""
        return "critical" if face == 6 else "hit" if face >= max(2, self.skill) else "miss"

    def wound(self, face: int) -> str:
        """What a face of the wound die means."""
        if face > 1 and face >= self.critical_wounds:
            return "critical"
        return "wound" if face > 1 and face >= self.wound_need else "failed"

    def left_after(self, lost: int, damage: int) -> int:
        """Wounds lost after a packet: what one model cannot lose is lost."""
        whole = self.count * self.wounds
        return lost if lost == whole else lost + min(damage, self.wounds - lost % self.wounds)

    def asked(self, rules: str):
        """The engine's answer."""
        words = [
            *([f"sustained hits {self.sustained}"] if self.sustained else []),
            *(["lethal hits"] if self.lethal else []),
            *(["devastating wounds"] if self.devastating else []),
            *([f"anti-infantry {self.critical_wounds}+"] if self.critical_wounds < 6 else []),
            *(["twin-linked"] if self.twin_linked else []),
        ]
        profile = {
            "attacks": self.attacks,
            "skill": self.skill,
            "strength": self.strength,
            "ap": self.ap,
            "damage": self.damage,
            "keywords": words,
        }
        target = {
            "count": self.count,
            "toughness": self.toughness,
            "save": self.save,
            "invulnerable": self.invulnerable,
            "feel_no_pain": self.feel_no_pain,
            "wounds": self.wounds,
        }
        return answer(
            profile,
            at=target,
            effects=["reroll hits ones"] if self.ones_again else [],
            target_keywords=["infantry"],
            rules=rules,
        ).outcome


CASES = {
    "i": Case("10", 4, -1, "1", toughness=4, save=3, wounds=2, count=10),
    "ii": Case("20", 5, -1, "2", toughness=5, save=2, invulnerable=4, feel_no_pain=5, wounds=3, count=5,
               sustained="1", lethal=True, ones_again=True),
    "iii": Case("D6+3", 10, -3, "D6+1", toughness=10, save=3, wounds=12, count=1),
    "iv": Case("D6+3", 10, -3, "D6+1", toughness=5, save=3, wounds=3, count=5),
    "v": Case("20", 5, 0, "D3", toughness=5, save=3, wounds=2, count=10,
              sustained="1", devastating=True, critical_wounds=4, twin_linked=True),
    "sustained D3, lethal and devastating": Case(
        "6", 4, -1, "2", toughness=8, save=4, wounds=3, count=4, skill=4,
        sustained="D3", lethal=True, devastating=True, critical_wounds=5),
    "lethal and twin-linked": Case(
        "2D3", 3, 0, "1", toughness=4, save=5, wounds=1, count=9, skill=2,
        lethal=True, ones_again=True, twin_linked=True),
    "devastating against Feel No Pain": Case(
        "8", 6, -2, "D6", toughness=6, save=2, invulnerable=5, feel_no_pain=4, wounds=4, count=3,
        devastating=True, critical_wounds=4),
    "damage that is lost": Case("9", 9, -4, "D6+2", toughness=4, save=3, wounds=1, count=6),
    "a lone model on sixes": Case(
        "12", 3, 0, "D3", toughness=6, save=6, feel_no_pain=6, wounds=10, count=1, skill=6, sustained="2"),
}  # fmt: skip

Law = list[Fraction]


# icepool: dice of vectors (ordinary, devastating), and a die of wounds lost that is mapped


def ice(text: str) -> icepool.Die:
    """D6+3 and the like."""
    dice, _, bonus = text.upper().partition("+")
    if "D" not in dice:
        return icepool.Die([int(dice)])
    number, sides = dice.split("D")
    return int(number or 1) @ icepool.d(int(sides)) + int(bonus or 0)


def in_icepool(case: Case) -> Law:
    nothing = icepool.vectorize(0, 0)
    failing = icepool.Die([int(face < case.save_need) for face in range(1, 7)])
    ordinary = failing.map(lambda fails: icepool.vectorize(fails, 0))
    critical = icepool.vectorize(0, 1) if case.devastating else ordinary
    wound_die, hit_die = icepool.d6, icepool.d6
    if case.twin_linked:
        wound_die = wound_die.reroll(lambda face: case.wound(face) == "failed", depth=1)
    if case.ones_again:
        hit_die = hit_die.reroll([1], depth=1)
    results = {"failed": nothing, "wound": ordinary, "critical": critical}
    rolled = wound_die.map(case.wound).map(results)
    first = ordinary if case.lethal else rolled
    extra = (ice(case.sustained) @ rolled) if case.sustained else icepool.Die([nothing])
    attack = hit_die.map(case.hit).map({"miss": nothing, "hit": rolled, "critical": first + extra})
    made = ice(case.attacks) @ attack

    packet = ice(case.damage)
    if case.feel_no_pain is not None:
        felt = icepool.Die([int(face < case.feel_no_pain) for face in range(1, 7)])
        packet = packet @ felt
    after = [icepool.Die([0])]
    for _ in range(max(sum(pair) for pair in made.outcomes())):
        after.append(icepool.map(case.left_after, after[-1], packet))
    lost = made.map(lambda n, m: after[n + m], star=True)
    return [Fraction(lost.probability(k)) for k in range(case.count * case.wounds + 1)]


# dyce: histograms of n + 1000 m, and what follows each outcome


def die(text: str) -> H:
    """D6+3 and the like."""
    dice, _, bonus = text.upper().partition("+")
    if "D" not in dice:
        return H({int(dice): 1})
    number, sides = dice.split("D")
    return int(number or 1) @ H(int(sides)) + int(bonus or 0)


def then(roll: H, follow) -> H:
    """What follows each outcome of a roll: a number, or another roll."""
    after = {outcome: follow(outcome) for outcome in roll}
    after = {o: f if isinstance(f, H) else H({f: 1}) for o, f in after.items()}
    whole = lcm(*(each.total for each in after.values()))
    return H.from_counts(
        *(
            [(k, roll[o] * number * (whole // each.total)) for k, number in each.items()]
            for o, each in after.items()
        )
    ).lowest_terms()


def times(number: int, roll: H) -> H:
    """The sum of so many rolls, none of which is 0."""
    return number @ roll if number else H({0: 1})


def in_dyce(case: Case) -> Law:
    d6, special = H(6), 1000
    ordinary = then(d6, lambda face: int(face < case.save_need))
    critical = special if case.devastating else ordinary
    wound_die = hit_die = d6
    if case.twin_linked:
        wound_die = then(d6, lambda face: d6 if case.wound(face) == "failed" else face)
    if case.ones_again:
        hit_die = then(d6, lambda face: d6 if face == 1 else face)
    results = {"failed": 0, "wound": ordinary, "critical": critical}
    rolled = then(wound_die, lambda face: results[case.wound(face)])
    first = ordinary if case.lethal else rolled
    extra = then(die(case.sustained), lambda n: times(n, rolled)) if case.sustained else H({0: 1})
    hits = {"miss": 0, "hit": rolled, "critical": first + extra}
    attack = then(hit_die, lambda face: hits[case.hit(face)])
    made = then(die(case.attacks), lambda number: times(number, attack))

    packet = die(case.damage)
    if case.feel_no_pain is not None:
        felt = then(d6, lambda face: int(face < case.feel_no_pain))
        packet = then(packet, lambda points: times(points, felt))
    after = [H({0: 1})]
    for _ in range(max(sum(divmod(code, special)) for code in made)):
        after.append(after[-1].apply(case.left_after, packet).lowest_terms())
    lost = then(made, lambda code: after[sum(divmod(code, special))])
    chances = dict(lost.probability_items())
    return [chances.get(k, Fraction(0)) for k in range(case.count * case.wounds + 1)]


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("model", [in_icepool, in_dyce])
def test_the_engine_equals_another_exact_model(model, name):
    case = CASES[name]
    damage = model(case)
    assert sum(damage) == 1
    slain = [Fraction(0)] * (case.count + 1)
    for lost, chance in enumerate(damage):
        slain[lost // case.wounds] += chance
    for rules in ("10e", "11e"):
        got = case.asked(rules)
        assert same(got.damage.from_zero().tolist(), damage, within=1e-12)
        assert same(got.slain.from_zero().tolist(), slain, within=1e-12)
        assert got.destroyed == pytest.approx(float(damage[-1]), abs=1e-12)


@pytest.mark.parametrize(
    ("name", "published"),
    [
        ("i", [0.484517, 0.445755, 0.067290, 0.002419, 0.000019]),
        ("ii", [0.177469, 0.458506, 0.283609, 0.070813, 0.008930, 0.000672]),
    ],
)
def test_published_chances_of_models_slain(name, published):
    got = CASES[name].asked("10e").slain.weights[: len(published)]
    assert got.tolist() == pytest.approx(published, abs=6e-7)


def test_published_chances_of_wounds_lost():
    published = [
        *(0.140077, 0, 0.050353, 0.050353, 0.058486, 0.066619, 0.075548),
        *(0.085271, 0.045490, 0.056964, 0.053129, 0.050309, 0.267401),
    ]
    got = CASES["iii"].asked("10e").damage.weights
    assert got.tolist() == pytest.approx(published, abs=6e-7)

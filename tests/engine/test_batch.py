"""Products of halves are the outcomes of single volleys, to the last digits."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from killcurve.engine import batch_losses
from killcurve.engine.batch import (
    Alike,
    Apart,
    Attacks,
    NotAProduct,
    attack_half,
    deviations,
    means,
    outcomes,
    quantiles,
    sides,
    summaries,
    target_half,
    work,
)
from killcurve.engine.change import Change
from killcurve.engine.dice import Dice
from killcurve.engine.edition import EDITIONS, Devastating, edition
from killcurve.engine.resolve import resolve
from killcurve.engine.roll import Reroll
from killcurve.engine.target import Against, ModelGroup, Protection, Target
from killcurve.engine.volley import Volley
from killcurve.engine.weapon import Modifiers, Weapon, WeaponLine

ELEVENTH, TENTH = edition("11e"), edition("10e")
SHARES = (0.1, 0.5, 0.9)


def dice(*texts):
    return [Dice.parse(text) for text in texts]


def any_weapon(rng):
    return Weapon(
        count=rng.choice([1, 1, 2, 3]),
        attacks=rng.choice(dice(1, 2, 3, 4, "D3", "D3+1")),
        skill=rng.choice([None, 2, 3, 4, 5]),
        strength=rng.choice(dice(3, 4, 5, 8, 12, 12, "D6+4")),
        ap=-rng.randrange(5),
        damage=rng.choice(dice(1, 1, 2, 3, "D3", "D6", "D6+1", "2D6")),
        ranged=rng.random() < 0.6,
    )


def any_modifiers(rng, *, looks):
    """Changes of everything, each now and then."""

    def now_and_then(value, usual):
        return value if rng.random() < 0.25 else usual

    usual = Modifiers()
    rerolls = [Reroll.ONES, Reroll.FAILED, Reroll.NONCRITICAL]
    seen = [*rerolls] if looks else [Reroll.ONES]
    removed = now_and_then(Change(removed=1), usual.damage)
    return Modifiers(
        attacks=now_and_then(Change(added=1), usual.attacks),
        extra_attacks=now_and_then((Dice.parse(1),), ()),
        skill=now_and_then(rng.choice([1, -1]), 0),
        ap=now_and_then(rng.choice([1, -1]), 0),
        damage=removed,
        damage_when_allocated=now_and_then(Change(divisor=2), removed),
        hit=now_and_then(rng.choice([1, -1]), 0),
        critical_hits=now_and_then(5, 6),
        reroll_hits=now_and_then(rng.choice(rerolls), Reroll.NONE),
        sustained=now_and_then(rng.choice(dice(1, 2, "D3")), None),
        lethal=now_and_then(True, False),
        wound=now_and_then(rng.choice([1, -1]), 0),
        critical_wounds=now_and_then(rng.choice([2, 4]), 6),
        reroll_wounds=now_and_then(rng.choice(rerolls), Reroll.NONE),
        devastating=now_and_then(True, False),
        critical_wound_ap=now_and_then(2, 0),
        cover=now_and_then(True, False),
        toughness=now_and_then(1, 0),
        save=now_and_then(1, 0),
        reroll_saves=now_and_then(Reroll.ONES, Reroll.NONE),
        reroll_damage=now_and_then(rng.choice(seen), Reroll.NONE),
        invulnerable=now_and_then((Protection(5, Against.RANGED),), ()),
        feel_no_pain=now_and_then((Protection(5, rng.choice(list(Against))),), ()),
    )


def any_line(rng, *, looks=False):
    plain = any_modifiers(rng, looks=looks)
    stronger = None
    if rng.random() < 0.2:
        stronger = replace(plain, wound=plain.wound - 1, ap=plain.ap + rng.choice([0, 1]))
    weapon = any_weapon(rng)
    if stronger is not None and stronger.ap != plain.ap:
        weapon = replace(weapon, strength=Dice.parse(5))
    return WeaponLine(weapon, plain, stronger)


def any_target(rng, groups=None):
    number = groups or rng.choice([1, 1, 1, 2, 2, 3])
    made = []
    for _ in range(number):
        wounds = rng.choice([1, 2, 3, 4])
        group = ModelGroup(
            count=rng.choice({1: [1, 3, 5, 10], 2: [1, 2, 3], 3: [1]}[number]),
            toughness=rng.choice([3, 4, 5, 9]),
            save=rng.choice([2, 3, 4, 6]),
            wounds=wounds,
            invulnerable=rng.choice([(), (), (Protection(4),)]),
            feel_no_pain=rng.choice([(), (), (Protection(6),), (Protection(4, Against.MORTAL),)]),
            wounds_lost=rng.choice([0, 0, wounds - 1]),
            character=number > 1 and rng.random() < 0.3,
        )
        made.append(replace(group, count=1) if group.character else group)
    return Target(tuple(made))


def product(line, target, rules, beside=()):
    """The laws of one volley, taken from a product with other attack halves beside it."""
    apart = sides(line, rules)
    toughness = max(
        [g.toughness for g in target.groups if not g.character]
        or [g.toughness for g in target.groups]
    )
    laws = [attack_half(apart, toughness, rules).law(), *beside]
    half = target_half(apart, target, rules)
    return half, Attacks(laws), outcomes(Attacks(laws), half)


def differs(line, target, rules):
    """The largest difference between a product and the single volley."""
    expected = resolve(Volley(rules, target, (line,)))
    _, attacks, found = product(line, target, rules, beside=[np.full((3, 1), 1 / 3)])
    brief = summaries(attacks, target_half(sides(line, rules), target, rules))
    return max(
        np.abs(found.damage[0] - padded(expected.damage, found.damage.shape[1])).max(),
        np.abs(found.slain[0] - padded(expected.slain, found.slain.shape[1])).max(),
        abs(means(found.damage)[0] - expected.damage.mean),
        abs(deviations(found.damage)[0] - expected.damage.sd),
        abs(deviations(found.slain)[0] - expected.slain.sd),
        abs(brief.damage[0] - expected.damage.mean),
        abs(brief.slain[0] - expected.slain.mean),
        abs(brief.destroyed[0] - expected.destroyed),
        *(
            abs(values[0] - expected.damage.quantile(share))
            for share, values in zip(SHARES, quantiles(found.damage, SHARES), strict=True)
        ),
    )


def padded(law, size):
    out = np.zeros(size)
    out[: law.stop] = law.from_zero()
    return out


@pytest.mark.parametrize("rules", EDITIONS.values(), ids=list(EDITIONS))
def test_products_are_single_volleys(rules):
    rng = random.Random(1)
    kinds = set()
    for _ in range(60):
        line, target = any_line(rng), any_target(rng)
        try:
            assert differs(line, target, rules) < 1e-12
        except NotAProduct:
            kinds.add("none")
            continue
        half = target_half(sides(line, rules), target, rules)
        kinds.add((type(half), line.modifiers.devastating))
    spills = rules.devastating is Devastating.SPILLING_MORTALS
    assert (Alike, True) in kinds or spills
    assert {(Alike, False), (Apart, False), (Apart, True)} <= kinds


def test_damage_rolls_that_the_attacker_looks_at():
    rng = random.Random(2)
    looked = 0
    for _ in range(150):
        line, target = any_line(rng, looks=True), any_target(rng, groups=1)
        try:
            half = target_half(sides(line, ELEVENTH), target, ELEVENTH)
        except NotAProduct:
            continue
        if isinstance(half, Alike) and half.looks and (looked := looked + 1):
            assert differs(line, target, ELEVENTH) < 1e-12
    assert looked >= 10


@pytest.mark.parametrize("ordinary_first", [False, True])
def test_two_pools_of_saves(ordinary_first):
    rng = random.Random(3)
    for _ in range(12):
        line = any_line(rng)
        better = replace(line.modifiers, critical_wound_ap=2, devastating=False)
        line = replace(line, modifiers=better, when_stronger=None, ordinary_first=ordinary_first)
        assert differs(line, any_target(rng, groups=2), ELEVENTH) < 1e-12


def test_what_is_no_product_is_refused():
    weapon, rng = replace(any_weapon(random.Random(4)), damage=Dice.parse("D6")), random.Random(5)
    looking = sides(WeaponLine(weapon, Modifiers(reroll_damage=Reroll.FAILED)), ELEVENTH)
    with pytest.raises(NotAProduct):
        target_half(looking, any_target(rng, groups=2), ELEVENTH)
    critical = WeaponLine(weapon, Modifiers(critical_wound_ap=1))
    with pytest.raises(NotAProduct):
        target_half(sides(critical, TENTH), any_target(rng, groups=2), TENTH)


def test_sides_share_what_they_do_not_ask():
    rng = random.Random(6)
    one, other = any_weapon(rng), replace(any_weapon(rng), ranged=True)
    one = replace(other, ap=-4, damage=Dice.parse(3), count=3, attacks=Dice.parse("D6"))
    apart, beside = sides(WeaponLine(one), ELEVENTH), sides(WeaponLine(other), ELEVENTH)
    assert apart.die == beside.die
    assert apart.number != beside.number
    assert apart.save != beside.save
    assert apart.damage != beside.damage
    changed = sides(WeaponLine(other, Modifiers(hit=1, wound=1, lethal=True)), ELEVENTH)
    assert (changed.number, *changed[2:]) == (beside.number, *beside[2:])
    assert changed.die != beside.die


def test_strength_that_decides_about_saves_stays_with_the_harm():
    weapon = replace(any_weapon(random.Random(7)), strength=Dice.parse(5))
    asks = WeaponLine(weapon, Modifiers(), Modifiers(ap=1))
    assert sides(asks, ELEVENTH).save.weapon.strength == weapon.strength
    assert sides(asks, ELEVENTH).damage.weapon.strength == Dice.parse(1)
    squads = [any_target(random.Random(8), groups=1) for _ in range(2)]
    weak, strong = (
        Target((replace(squad.groups[0], toughness=t),))
        for squad, t in zip(squads, (4, 6), strict=True)
    )
    halves = [target_half(sides(asks, ELEVENTH), each, ELEVENTH) for each in (weak, strong)]
    assert halves[0].gate.ordinary > halves[1].gate.ordinary


def test_work_grows_with_rows_alone():
    laws = [np.full((size, 1), 1 / size) for size in (3, 5, 9, 17)] * 25
    attacks = Attacks(laws)
    rng = random.Random(9)
    half = target_half(
        sides(WeaponLine(any_weapon(rng)), ELEVENTH), any_target(rng, groups=1), ELEVENTH
    )
    each = [work(attacks, half, np.arange(rows)) for rows in (4, 40, 100)]
    assert [count / each[0] for count in each] == [1, 10, 25]


@pytest.mark.parametrize("shares", [(0.5,), (0.25, 0.5), (0.2, 0.3, 0.4), (0.5, 0.5)])
def test_many_dice_are_sorted_class_by_class(shares, monkeypatch):
    rng = np.random.default_rng(10)
    maps = [rng.random((4, 4)) for _ in shares]
    classes = [
        (step / step.sum(axis=1, keepdims=True), p) for step, p in zip(maps, shares, strict=True)
    ]
    start = np.array([1.0, 0.0, 0.0, 0.0])
    at_once = batch_losses.sorted_laws(classes, start, 9)
    monkeypatch.setattr(batch_losses, "MOST_CELLS", 10)
    assert np.abs(batch_losses.sorted_laws(classes, start, 9) - at_once).max() < 1e-14

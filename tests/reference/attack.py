"""How many attacks, hits and wounds: die by die (RULES.md §2 to §4)."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from .abilities import Ability
from .damage import Tokens, rerolls, without
from .dice import FACES, SIXTH, Dice, Law, certain, mapped, roll, spread, total
from .hitting import Rolling
from .profile import Profile
from .scene import Scene, best, changed


class Tally(NamedTuple):
    """Dice so far. `fail` may still be re-rolled, `spent` is a failure that was re-rolled
    already.
    """

    fail: int = 0
    spent: int = 0
    ordinary: int = 0
    critical: int = 0

    def plus(self, name: str, number: int = 1) -> Tally:
        """One die more (or less) of a kind."""
        return self._replace(**{name: getattr(self, name) + number})


def one_die(rolling: Rolling) -> Law:
    """The law of one die's kind, free re-rolls included: a die is re-rolled once, before
    modifiers (§1.2).
    """
    law: Law = {}
    for face in FACES:
        if face not in rolling.again:
            law[rolling.meaning(face)] = law.get(rolling.meaning(face), Fraction(0)) + SIXTH
            continue
        for second in FACES:
            kind = rolling.meaning(second)
            kind = "spent" if kind == "fail" else kind
            law[kind] = law.get(kind, Fraction(0)) + SIXTH * SIXTH
    return law


def _use_reroll(law: Law, name: str, rolling: Rolling) -> Law:
    """One failed die that was not re-rolled yet, if there is one, is rolled again."""
    faces: Law = dict.fromkeys(FACES, SIXTH)

    def again(now: tuple[Tally, Tokens]) -> Law:
        tally, tokens = now
        if not tally.fail:
            return certain(now)
        kept = tally.plus("fail", -1)
        kinds = mapped(
            faces,
            lambda face: "spent" if rolling.meaning(face) == "fail" else rolling.meaning(face),
        )
        return mapped(kinds, lambda kind: (kept.plus(kind), without(tokens, name)))

    return spread(law, again)


def _use_six(law: Law, name: str, rolling: Rolling) -> Law:
    """One die that is not critical, a failed one first, is changed to an unmodified 6."""

    def change(now: tuple[Tally, Tokens]) -> tuple[Tally, Tokens]:
        tally, tokens = now
        worst = next((kind for kind in ("spent", "fail", "ordinary") if getattr(tally, kind)), None)
        if worst is None:
            return now
        return tally.plus(worst, -1).plus(rolling.meaning(6)), without(tokens, name)

    return mapped(law, change)


@lru_cache(maxsize=4096)
def tallied(dice: int, rolling: Rolling, failures: bool) -> Law:
    """The law of the Tally of dice rolled one after the other; failures are counted only where
    they matter.
    """
    if dice == 0:
        return certain(Tally())
    each = one_die(rolling)

    def one_more(tally: Tally) -> Law:
        return mapped(
            each,
            lambda kind: (
                tally.plus(kind) if failures or kind in ("ordinary", "critical") else tally
            ),
        )

    return spread(tallied(dice - 1, rolling, failures), one_more)


def roll_together(dice: int, rolling: Rolling, tokens: Tokens) -> Law:
    """Dice rolled together: law of (ordinary, critical, tokens left).

    Each single re-roll is spent on a failed die if there is one, each `set to 6` on a die that is
    not critical if there is one; otherwise they are kept.
    """
    single = [name for name in rolling.single if name in tokens]
    sixes = [name for name in rolling.sixes if name in tokens]
    law = mapped(tallied(dice, rolling, bool(single or sixes)), lambda tally: (tally, tokens))
    for name in single:
        law = _use_reroll(law, name, rolling)
    for name in sixes:
        law = _use_six(law, name, rolling)
    return mapped(law, lambda now: (now[0].ordinary, now[0].critical, now[1]))


def attack_dice(scene: Scene, abilities: tuple[Ability, ...], models: int, tokens: Tokens) -> Law:
    """Law of (number of attack dice, tokens left) of all weapons of one line (§2).

    11e: at least one die from the characteristic, then Rapid Fire, Blast or Cleave add dice to
    it. 10e: Rapid Fire raises the characteristic, Blast adds to the result; A of an EXTRA ATTACKS
    weapon is not modified, in late 10e unless the rule names the weapon (§8.2).
    """
    weapon, tenth = scene.weapon, scene.scenario.tenth
    assert weapon is not None
    again, single = rerolls(scene, "attacks")
    rapid = (
        best(abilities, "rapid fire")
        if scene.shooting and scene.scenario.flag("half_range")
        else None
    )
    extra = _extra_for_models(scene, abilities, models)
    dice = weapon.attacks
    extra_attacks = tenth and "extra attacks" in scene.names
    by_name = scene.scenario.edition == "10e"

    def number(rolled: int, more: int) -> int:
        if extra_attacks:
            value = changed(scene, "attacks", rolled, named_only=True) if by_name else rolled
        else:
            value = changed(scene, "attacks", rolled)
        return (max(1, value + more) if tenth else max(1, value) + more) + extra

    def one_weapon(so_far: int, left: Tokens) -> Law:
        spare = tuple(name for name in single if name in left)
        faces = roll(dice, again, spare)
        more = rapid.law() if rapid is not None else certain(0)
        return spread(
            faces,
            lambda now: mapped(
                more,
                lambda x: (so_far + number(now[0], x), without(left, spare[0]) if now[1] else left),
            ),
        )

    law = certain((0, tokens))
    for _ in range(weapon.count):
        law = spread(law, lambda now: one_weapon(*now))
    return law


def _extra_for_models(scene: Scene, abilities: tuple[Ability, ...], models: int) -> int:
    """BLAST X shooting, CLEAVE X fighting (11e): X for each full five models."""
    name = "blast" if scene.shooting else "cleave"
    amount = best(abilities, name)
    if amount is None or (name == "cleave" and scene.scenario.tenth):
        return 0
    if amount.random:
        raise NotImplementedError(f"{name} with a dice expression")
    if scene.scenario.tenth and amount != Dice((), 1):
        raise NotImplementedError("blast X does not exist in 10e")
    return amount.plus * (models // 5)


class Hits(NamedTuple):
    """Hits of a batch: ordinary ones, critical ones, and the extra ones of Sustained Hits."""

    ordinary: int
    critical: int
    extra: int
    tokens: Tokens


def hits(profile: Profile, dice: int, tokens: Tokens) -> Law:
    """Law of Hits. An automatic hit is never critical; Sustained Hits are rolled for each
    critical (§3.3).
    """
    if profile.hit is None:
        return certain(Hits(dice, 0, 0, tokens))

    def with_extra(now: tuple[int, int, Tokens]) -> Law:
        ordinary, critical, left = now
        extra = certain(0)
        if profile.sustained is not None:
            extra = total([profile.sustained.law()] * critical)
        return mapped(extra, lambda more: Hits(ordinary, critical, more, left))

    return spread(roll_together(dice, profile.hit, tokens), with_extra)


class Wounds(NamedTuple):
    """Wounds of a batch: to be saved at the ordinary AP, at the AP of critical wounds, and
    devastating.
    """

    ordinary: int
    sharper: int
    devastating: int
    tokens: Tokens


def wounds(profile: Profile, automatic: int, rolls: int, tokens: Tokens) -> Law:
    """Law of Wounds from automatic wounds (Lethal Hits; never critical) and hits that roll to
    wound (§4).
    """

    def sorted_out(now: tuple[int, int, Tokens]) -> Wounds:
        ordinary, critical, left = now
        if profile.devastating:
            return Wounds(automatic + ordinary, 0, critical, left)
        if profile.splits:
            return Wounds(automatic + ordinary, critical, 0, left)
        return Wounds(automatic + ordinary + critical, 0, 0, left)

    return mapped(roll_to_wound(profile, rolls, tokens), sorted_out)


def roll_to_wound(profile: Profile, rolls: int, tokens: Tokens) -> Law:
    """Law of (ordinary, critical, tokens left); a random Strength is rolled for each attack."""
    if len(profile.wound) == 1:
        return roll_together(rolls, profile.wound[0][1], tokens)
    usable = {name for _, rolling in profile.wound for name in rolling.single + rolling.sixes}
    if usable.intersection(tokens):
        raise NotImplementedError(
            "a single re-roll or change of a wound die with a random Strength"
        )
    law = certain((0, 0))
    for _ in range(rolls):
        law = spread(
            law,
            lambda now: spread(
                _index_law(profile),
                lambda index: mapped(
                    roll_together(1, profile.wound[index][1], ()),
                    lambda die: (now[0] + die[0], now[1] + die[1]),
                ),
            ),
        )
    return mapped(law, lambda now: (now[0], now[1], tokens))


def _index_law(profile: Profile) -> Law:
    return {index: chance for index, (chance, _) in enumerate(profile.wound)}

"""Pools of mortal wounds that effects make: their dice and their laws (SCENARIO, RULES.md §9)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from killcurve.engine.allocation import toughness_of
from killcurve.engine.dice import Dice
from killcurve.engine.edition import Edition
from killcurve.engine.pmf import Pmf
from killcurve.engine.pools import at_most, successes
from killcurve.engine.selfharm import rammed
from killcurve.engine.target import Target
from killcurve.rules.effects import Effect, MortalPool
from killcurve.rules.reading import ScenarioError

MOST_DICE = 100
EXPLOSIVES = (6, 4)
"""Dice of the core stratagem, and what each needs."""


@dataclass(frozen=True, slots=True)
class PoolMaker:
    """Whose pools they are: how many models, their highest Toughness, and its weapons' Strengths.

    ``models`` is 0 and ``toughness`` ``None`` where they are not known; ``ranged`` is the phase.
    """

    edition: Edition
    models: int
    toughness: int | None
    ranged: bool
    strengths: tuple[Dice, ...] = ()


def pool_laws(effects: Iterable[Effect], maker: PoolMaker, target: Target) -> Iterator[Pmf]:
    """The laws of the mortal wounds that the attacker's pools make, ramming last.

    Raises:
        ScenarioError: where a pool needs models or weapons that are not given.
    """
    found = list(effects)
    for effect in found:
        if effect.what == "explosives":
            yield successes(*EXPLOSIVES)
        elif effect.what == "mortal wounds":
            assert isinstance(effect.amount, MortalPool)
            yield _pool(effect.amount, maker)
    for _ in rams(found):
        yield rammed(ramming_dice(maker, target), 5)


def rams(effects: Iterable[Effect]) -> list[Effect]:
    """The ramming stratagems among effects."""
    return [e for e in effects if e.what in ("crushing impact", "tank shock")]


def ramming_dice(maker: PoolMaker, target: Target) -> int:
    """How many dice Crushing Impact or Tank Shock rolls.

    The own model's Toughness; in 2023 the Strength of a melee weapon, with two more dice if
    that is above the target's Toughness.
    """
    if not maker.edition.rams_with_strength:
        if maker.toughness is None:
            raise ScenarioError(
                "ramming rolls with the Toughness of the own model: give attacker.models",
                "attacker.models",
            )
        return maker.toughness
    strengths = maker.strengths
    if maker.ranged or not strengths or not all(s.is_fixed for s in strengths):
        raise ScenarioError(
            "Tank Shock of 2023 rolls with the Strength of a melee weapon: it needs a fight and "
            "weapons of a fixed Strength",
            "attacker.weapons",
        )
    strength = max(s.bonus for s in strengths)
    met = toughness_of(target, frozenset(range(len(target.groups))))
    return strength + 2 if strength > met else strength


def hurts_itself(edition: Edition, effects: Iterable[Effect]) -> bool:
    """Whether ramming hurts the unit that does it, from the same dice."""
    return edition.ramming_hurts_itself and bool(rams(effects))


def _pool(pool: MortalPool, maker: PoolMaker) -> Pmf:
    if pool.on is None:
        law = pool.dice.pmf
        return law if pool.most is None else at_most(law, pool.most)
    dice = pool.dice.count
    if pool.per_model:
        if not maker.models:
            raise ScenarioError(
                f"'mortal wounds {pool}' counts models: give attacker.models", "attacker.models"
            )
        dice *= maker.models
    if dice > MOST_DICE:
        raise ScenarioError(
            f"a pool of {dice} dice is beyond the {MOST_DICE} that are summed", "attacker.effects"
        )
    return successes(dice, pool.on, pool.most)

"""Target halves: where each number of wounds takes the state of a fresh target, as a table.

They depend on saves, damage and models, not on who shoots. They hold nothing else, so that halves
of different lines and targets that come to the same are equal.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from killcurve.engine.allocation import Order, one_by_one, toughness_of
from killcurve.engine.batch_attack import OPEN, Gate
from killcurve.engine.batch_losses import (
    Harm,
    Region,
    SavePool,
    decided_laws,
    harm_map,
    orders_from,
    pool_laws,
    powers,
    then_special,
    two_pools,
)
from killcurve.engine.batch_sides import Sides
from killcurve.engine.damage import damage_roll
from killcurve.engine.edition import Edition
from killcurve.engine.hashing import Remembers, hashed_once
from killcurve.engine.packets import DENSE_UP_TO, felt
from killcurve.engine.pmf import FloatArray, Pmf
from killcurve.engine.pools import at_most
from killcurve.engine.roll import Reroll
from killcurve.engine.saves import SaveRoll
from killcurve.engine.shot import Kind, Packet, Shot, save_roll, shot
from killcurve.engine.states import States, states
from killcurve.engine.target import ModelGroup, Target
from killcurve.engine.weapon import WeaponLine

ANY_TOUGHNESS, NO_SAVE = 4, 7
"""Stand for characteristics that decide about nothing any more."""

LOOKING = (Reroll.FAILED, Reroll.NONCRITICAL)
"""Re-rolls of damage that players may make once they see the roll."""


class NotAProduct(ValueError):
    """A volley whose outcome is no product of two halves: something is chosen during the dice."""


Results = tuple[tuple[float, Pmf], ...]
"""Results of a damage roll: the chance of each, and the law of the wounds a model loses by it."""


@hashed_once
@dataclass(frozen=True, slots=True)
class Alike(Remembers):
    """Equal models that both kinds of wounds hurt alike: only the number of unsaved ones counts.

    Where the attacker ``looks`` at a damage roll, it may be made again once where that is better
    for damage; else ``harm`` is one result.
    """

    gate: Gate
    harm: Results
    models: int
    wounds: int
    wounds_lost: int = 0
    looks: bool = False

    @property
    def space(self) -> States:
        """The states of the target."""
        return states(_bare((self.models, self.wounds, self.wounds_lost, False)))

    def losses(self, most: int) -> FloatArray:
        """The laws of the state after 0 to ``most`` unsaved wounds; shape (most + 1, states)."""
        space = self.space
        if self.looks:
            return decided_laws(space, self.harm, most)
        ((_, points),) = self.harm
        return powers(harm_map(space, ((0,),), (points,)), space.from_start(), most)


Shape = tuple[int, int, int, bool]
"""Models, their wounds, the wounds that one has lost, and whether they are characters."""


@hashed_once
@dataclass(frozen=True, slots=True)
class Apart(Remembers):
    """Any other target of one line: it matters which groups and which kinds of wounds there are.

    ``saves`` are those of each group, made together and ``sorted_saves`` (11th edition) or not;
    ``kinds`` tell which groups save together. ``harm`` is what a model of each group loses by
    an ordinary wound, ``special`` what follows a critical one (``None``: there are none apart):
    the same after better saves, or something that no save stops.
    """

    groups: tuple[Shape, ...]
    kinds: tuple[Kind, ...]
    sorted_saves: bool
    saves: tuple[SaveRoll, ...]
    harm: Harm
    special: Harm | None = None
    special_saves: tuple[SaveRoll, ...] | None = None
    ordinary_first: bool = False

    @property
    def gate(self) -> Gate:
        """Saves are part of the table."""
        return OPEN

    @property
    def target(self) -> Target:
        """The groups of models."""
        return _bare(*self.groups)

    @property
    def space(self) -> States:
        """The states of the target."""
        return states(self.target)

    def losses(self, n: int, m: int, most: int | None = None) -> FloatArray:
        """The laws of the state after so many wounds of both kinds, before any save.

        Shape ((n + 1) (m + 1), states): the counts of special wounds run fastest. ``most`` is the
        most ordinary wounds that will be asked for: tables of fewer are a part of that one.

        Raises:
            ValueError: if there are special wounds and the half knows none.
        """
        if self.special_saves is not None:
            return self._two_pools(n, m)
        ordinary = _ordinary_laws(self, max(n, most or 0))[: n + 1]
        if self.special is not None:
            step = harm_map(self.space, one_by_one(self.target), self.special)
            return then_special(ordinary, step, m)
        if m:
            raise ValueError(
                "these attacks make special wounds, of which the target half knows nothing: "
                "take both halves of one line"
            )
        return ordinary

    def _orders(self) -> tuple[tuple[Region, ...], Order]:
        """The orders in which groups suffer by state, and that from the start."""
        space = self.space
        regions = orders_from(space, self.kinds, self.sorted_saves)
        return regions, next(order for where, order in regions if where[space.start])

    def _two_pools(self, n: int, m: int) -> FloatArray:
        assert self.special_saves is not None
        regions, order = self._orders()
        first, last = (self.special_saves, m), (self.saves, n)
        if self.ordinary_first:
            first, last = last, first
        return two_pools(
            self.space,
            (self._pool(first[0], order), first[1]),
            ([(where, self._pool(last[0], again)) for where, again in regions], last[1]),
            swapped=not self.ordinary_first,
        )

    def _pool(self, saves: tuple[SaveRoll, ...], order: Order) -> SavePool:
        return SavePool(saves, order, self.harm, self.sorted_saves)


@lru_cache(maxsize=4)
def _ordinary_laws(half: Apart, most: int) -> FloatArray:
    space = half.space
    _, order = half._orders()
    return pool_laws(space, half._pool(half.saves, order), most, space.from_start())


TargetHalf: TypeAlias = Alike | Apart


def target_half(apart: Sides, target: Target, edition: Edition) -> TargetHalf:
    """The target half of one line's volley: with the attack half, all that it depends on.

    Raises:
        NotAProduct: if players choose something during the dice that the halves cannot tell.

    >>> from killcurve.engine.batch_sides import sides
    >>> from killcurve.engine.dice import Dice
    >>> from killcurve.engine.edition import edition
    >>> from killcurve.engine.weapon import Weapon
    >>> gun = Weapon(count=2, attacks=Dice.parse(3), skill=4, strength=Dice.parse(8), ap=-2,
    ...              damage=Dice.parse(2))
    >>> squad = Target((ModelGroup(count=5, toughness=4, save=3, wounds=1),))
    >>> rules = edition("11e")
    >>> half = target_half(sides(WeaponLine(gun), rules), squad, rules)
    >>> round(half.gate.ordinary, 6), half.losses(2).tolist()[2]
    (0.666667, [0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    """
    met = toughness_of(target, frozenset(range(len(target.groups))))
    saved = [_saved(apart.save, met, group, edition) for group in target.groups]
    hurt = [_hurt(apart.damage, met, group, edition) for group in target.groups]
    if len(target.groups) == 1:
        half = _alike(saved[0], hurt[0], target.groups[0])
        if half is not None:
            return half
    special_saves = tuple(s.special for s in saved if s.special is not None)
    if any(len(h.ordinary) > 1 for h in hurt) or (special_saves and not edition.sorted_saves):
        raise NotAProduct("players look at damage rolls, or attacks go on one by one")
    return Apart(
        groups=tuple(map(_shape, target.groups)),
        kinds=tuple(
            _kind(apart.save, met, _that_saves(group, met), edition) for group in target.groups
        ),
        sorted_saves=edition.sorted_saves,
        saves=tuple(s.ordinary for s in saved),
        harm=tuple(h.ordinary[0][1] for h in hurt),
        special=None if special_saves else _special(hurt),
        special_saves=special_saves or None,
        ordinary_first=bool(special_saves) and apart.save.ordinary_first,
    )


def _shape(group: ModelGroup) -> Shape:
    return group.count, group.wounds, group.wounds_lost, group.character


@lru_cache(maxsize=4096)
def _bare(*groups: Shape) -> Target:
    """A target of which only the models count."""
    return Target(
        tuple(
            ModelGroup(
                models, ANY_TOUGHNESS, NO_SAVE, wounds, wounds_lost=lost, character=character
            )
            for models, wounds, lost, character in groups
        )
    )


def _alike(saved: _Saved, hurt: _Hurt, group: ModelGroup) -> Alike | None:
    """Equal models, where both kinds of wounds hurt them alike (else ``None``)."""
    if hurt.special not in (None, hurt.ordinary) or hurt.spilling is not None:
        return None
    looks = len(hurt.ordinary) > 1
    if looks and group.total_wounds >= DENSE_UP_TO:
        return None
    special = 1.0 if saved.special is None else saved.special.failure
    return Alike(
        Gate(saved.ordinary.failure, special),
        hurt.ordinary,
        group.count,
        group.wounds,
        group.wounds_lost,
        looks,
    )


def _special(hurt: list[_Hurt]) -> Harm | None:
    """What a critical wound that no save stops does to each group."""
    if hurt[0].spilling is not None:
        return replace(hurt[0].spilling, feel_no_pain=tuple(h.ignored for h in hurt))
    if hurt[0].special is None:
        return None
    return tuple(h.special[0][1] for h in hurt if h.special is not None)


class _Saved(NamedTuple):
    """The saves of one model against an ordinary and, where they differ, a critical wound."""

    ordinary: SaveRoll
    special: SaveRoll | None


class _Hurt(NamedTuple):
    """What one model loses by a wound of each kind; how mortal wounds spill, where they do."""

    ordinary: Results
    special: Results | None
    spilling: Packet | None
    ignored: int | None


def _saved(save: WeaponLine, toughness: int, group: ModelGroup, edition: Edition) -> _Saved:
    if save.when_stronger is None:
        toughness = ANY_TOUGHNESS
    return _model_saved(save, toughness, _that_saves(group, toughness), edition)


@lru_cache(maxsize=4096)
def _that_saves(group: ModelGroup, toughness: int) -> ModelGroup:
    """One model of a group, as far as its saves go."""
    return ModelGroup(1, toughness, group.save, group.wounds, group.invulnerable)


@lru_cache(maxsize=262_144)
def _model_saved(save: WeaponLine, toughness: int, one: ModelGroup, edition: Edition) -> _Saved:
    if save.when_stronger is not None:
        ready = _ready(save, toughness, one, edition)
        better = ready.special_saves
        return _Saved(ready.saves[0], None if better is None else better[0])
    modifiers = save.modifiers
    ordinary = save_roll(save, modifiers, one, edition, 0)
    if modifiers.devastating or not modifiers.critical_wound_ap:
        return _Saved(ordinary, None)
    return _Saved(ordinary, save_roll(save, modifiers, one, edition, modifiers.critical_wound_ap))


@lru_cache(maxsize=65_536)
def _kind(save: WeaponLine, toughness: int, one: ModelGroup, edition: Edition) -> Kind:
    return _ready(save, toughness, one, edition).kinds[0]


def _hurt(damage: WeaponLine, toughness: int, group: ModelGroup, edition: Edition) -> _Hurt:
    if damage.when_stronger is None:
        toughness = ANY_TOUGHNESS
    return _model_hurt(damage, toughness, _that_is_hurt(group, toughness), edition)


@lru_cache(maxsize=4096)
def _that_is_hurt(group: ModelGroup, toughness: int) -> ModelGroup:
    """One model of a group, as far as damage goes."""
    return ModelGroup(1, toughness, NO_SAVE, group.wounds, (), group.feel_no_pain)


@lru_cache(maxsize=262_144)
def _model_hurt(damage: WeaponLine, toughness: int, one: ModelGroup, edition: Edition) -> _Hurt:
    ready = _ready(damage, toughness, one, edition)
    ordinary = _results(ready, ready.ordinary, one.wounds, edition, critical=False)
    special = ready.special
    if special is None:
        return _Hurt(ordinary, None, None, None)
    return _Hurt(
        ordinary,
        _results(ready, special, one.wounds, edition, critical=True),
        special if special.spills else None,
        special.feel_no_pain[0],
    )


def _ready(line: WeaponLine, toughness: int, model: ModelGroup, edition: Edition) -> Shot:
    return shot(line, line.modifiers.toughness_from(toughness), Target((model,)), edition)


def _results(
    ready: Shot, packet: Packet, wounds: int, edition: Edition, *, critical: bool
) -> Results:
    """What a model of so many wounds loses: one result, or several where players look."""
    (ignored,) = packet.feel_no_pain
    if ready.reroll_damage in LOOKING:
        change = ready.special_change if critical else ready.damage_change
        results = tuple(
            (result.chance, at_most(felt(Pmf.point(result.damage), ignored), wounds))
            for result in damage_roll(ready.damage, change, edition)
        )
        if len({law for _, law in results}) > 1:
            return results
    return ((1.0, at_most(felt(packet.damage, ignored), wounds)),)

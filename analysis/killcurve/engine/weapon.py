"""A weapon line as the engine takes it: characteristics, and everything that changes them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from killcurve.engine.change import UNCHANGED, Change
from killcurve.engine.dice import Dice
from killcurve.engine.hashing import Remembers, hashed_once
from killcurve.engine.roll import Reroll
from killcurve.engine.target import Protection

MOST_WEAPONS = 200


@dataclass(frozen=True, slots=True)
class Weapon:
    """``count`` equal weapons that attack one unit as one batch (RULES.md §2).

    ``skill`` is BS or WS (2 to 6), ``None`` where attacks hit by themselves; ``ap`` is 0 or
    negative, as printed.

    >>> Weapon(count=2, attacks=Dice.parse(2), skill=3, strength=Dice.parse(9), ap=-1,
    ...        damage=Dice.parse(3)).ranged
    True
    >>> Weapon(count=1, attacks=Dice.parse(2), skill=1, strength=Dice.parse(9), ap=-1,
    ...        damage=Dice.parse(3))
    Traceback (most recent call last):
    ...
    ValueError: skill is 1; 2 to 6 are possible, or none for attacks that hit by themselves
    """

    count: int
    attacks: Dice
    skill: int | None
    strength: Dice
    ap: int
    damage: Dice
    ranged: bool = True
    psychic: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.count <= MOST_WEAPONS:
            raise ValueError(f"count is {self.count}; 1 to {MOST_WEAPONS} are possible")
        if self.skill is not None and not 2 <= self.skill <= 6:
            raise ValueError(
                f"skill is {self.skill}; 2 to 6 are possible, "
                "or none for attacks that hit by themselves"
            )
        if not -10 <= self.ap <= 0:
            raise ValueError(f"ap is {self.ap}; 0 to -10 are possible, as printed")
        for name, dice in (
            ("attacks", self.attacks),
            ("strength", self.strength),
            ("damage", self.damage),
        ):
            if dice.minimum < 1:
                raise ValueError(f"{name} is {dice}; at least 1 is possible")


@hashed_once
@dataclass(frozen=True, slots=True)
class Modifiers(Remembers):
    """All that abilities, stratagems and circumstances do to a weapon's attacks on a target.

    The default changes nothing. Characteristics: ``attacks``, ``strength``, ``damage`` (of
    every attack) and ``damage_when_allocated`` (the same, with what applies only once the
    attack is allocated to a model); ``extra_attacks`` are more dice per weapon; ``skill``,
    ``ap``, ``toughness`` and ``save`` are sums of which positive ones improve. Rolls:
    ``hit``, ``wound`` and ``save_roll`` are sums before any cap; ``hit_gate`` is the
    unmodified hit roll up to which attacks fail, and where ``only_gate_counts`` all others
    hit, whatever the skill (snap shooting). ``skill_set``, ``ap_set``, ``toughness_set`` and
    ``save_set`` stand in for the printed characteristic. ``bars_hit_rerolls``: no right
    re-rolls its hits.

    >>> Modifiers(hit=1, lethal=True).critical_hits
    6
    """

    attacks: Change = UNCHANGED
    extra_attacks: tuple[Dice, ...] = ()
    skill: int = 0
    strength: Change = UNCHANGED
    ap: int = 0
    damage: Change = UNCHANGED
    damage_when_allocated: Change = UNCHANGED
    hit: int = 0
    hit_gate: int = 1
    only_gate_counts: bool = False
    hits_automatically: bool = False
    critical_hits: int = 6
    critical_hits_if_successful: int | None = None
    reroll_hits: Reroll = Reroll.NONE
    sustained: Dice | None = None
    lethal: bool = False
    wound: int = 0
    critical_wounds: int = 6
    reroll_wounds: Reroll = Reroll.NONE
    devastating: bool = False
    critical_wound_ap: int = 0
    cover: bool = False
    toughness: int = 0
    save: int = 0
    save_roll: int = 0
    reroll_saves: Reroll = Reroll.NONE
    reroll_attacks: Reroll = Reroll.NONE
    reroll_damage: Reroll = Reroll.NONE
    bars_hit_rerolls: bool = False
    invulnerable: tuple[Protection, ...] = ()
    feel_no_pain: tuple[Protection, ...] = ()
    skill_set: int | None = None
    ap_set: int | None = None
    toughness_set: int | None = None
    save_set: int | None = None

    def ap_from(self, printed: int) -> int:
        """The AP that a printed one becomes, never worse than 0.

        >>> [Modifiers(ap=1).ap_from(-1), Modifiers(ap=-1).ap_from(0)]
        [-2, 0]
        """
        return min(0, (printed if self.ap_set is None else self.ap_set) - self.ap)

    def toughness_from(self, printed: int) -> int:
        """The Toughness that a printed one becomes, at least 1."""
        base = printed if self.toughness_set is None else self.toughness_set
        return max(1, base + self.toughness)

    def save_from(self, printed: int) -> int:
        """The Sv that a printed one becomes, 2 to 7."""
        return max(2, min(7, (printed if self.save_set is None else self.save_set) - self.save))


class Rolled(Enum):
    """What is rolled: the things that may be re-rolled or changed."""

    ATTACKS = "attacks"
    HITS = "hits"
    WOUNDS = "wounds"
    SAVES = "saves"
    DAMAGE = "damage"
    ANY = "any of the attacker's"

    def covers(self, other: Rolled) -> bool:
        """Whether a right on this is one on that.

        >>> Rolled.ANY.covers(Rolled.WOUNDS), Rolled.ANY.covers(Rolled.SAVES)
        (True, False)
        """
        return self is other or (self is Rolled.ANY and other is not Rolled.SAVES)


class Use(Enum):
    """What a right lets a player do with one die or one attack."""

    REROLL = "reroll"
    SIX = "set to 6"
    NO_DAMAGE = "damage = 0"
    NO_ALLOCATED_DAMAGE = "damage = 0 when allocated"

    @property
    def spares(self) -> bool:
        """Whether it makes an attack do no damage."""
        return self in (Use.NO_DAMAGE, Use.NO_ALLOCATED_DAMAGE)


@dataclass(frozen=True, slots=True)
class Right:
    """A right to change one roll, once in the whole volley (Command Re-roll and the like).

    Saves and what spares damage are the defender's, all others the attacker's. ``name`` tells
    rights of one kind apart.
    """

    rolled: Rolled
    use: Use
    name: str = ""

    @property
    def is_defenders(self) -> bool:
        """Whose right it is."""
        return self.rolled is Rolled.SAVES or self.use.spares


@hashed_once
@dataclass(frozen=True, slots=True)
class WeaponLine(Remembers):
    """A weapon with its modifiers: those that always hold, and those against a weaker target.

    ``when_stronger`` stands in for ``modifiers`` where the attack's Strength is above the
    target's Toughness, both after changes (``wound -1 if strength > toughness``).

    ``precision`` is the group of the target that precise attacks go to first. ``rights`` are
    those of the volley that reach this line. ``ordinary_first`` has ordinary wounds saved before
    critical ones, where those have an AP of their own. ``variants`` hold what stands in for
    ``modifiers`` and ``when_stronger`` while just those groups of the target live.
    """

    weapon: Weapon
    modifiers: Modifiers = Modifiers()
    when_stronger: Modifiers | None = None
    precision: int | None = None
    rights: tuple[Right, ...] = ()
    ordinary_first: bool = False
    variants: tuple[tuple[frozenset[int], Modifiers, Modifiers | None], ...] = ()

    def against(self, living: frozenset[int]) -> WeaponLine:
        """The line as it is while those groups live."""
        for groups, modifiers, when_stronger in self.variants:
            if groups == living:
                return replace(self, modifiers=modifiers, when_stronger=when_stronger, variants=())
        return replace(self, variants=()) if self.variants else self

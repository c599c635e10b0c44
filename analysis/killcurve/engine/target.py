"""What is attacked: groups of equal models, and what protects them (RULES.md §5, §6.2)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from killcurve.engine.hashing import Remembers, hashed_once

MOST_MODELS = 100
MOST_WOUNDS = 100


class Against(Enum):
    """What an invulnerable save or Feel No Pain works against."""

    ALL = "all"
    RANGED = "ranged"
    MELEE = "melee"
    MORTAL = "mortal"
    PSYCHIC = "psychic"


@dataclass(frozen=True, slots=True)
class Protection:
    """An invulnerable save or a Feel No Pain of ``value``+ (2 to 6), and its scope.

    >>> Protection(5, Against.RANGED)
    Protection(value=5, against=<Against.RANGED: 'ranged'>)
    >>> Protection(1)
    Traceback (most recent call last):
    ...
    ValueError: a save or Feel No Pain of 1+ does not exist; 2+ to 6+ do
    """

    value: int
    against: Against = Against.ALL

    def __post_init__(self) -> None:
        if not 2 <= self.value <= 6:
            raise ValueError(f"a save or Feel No Pain of {self.value}+ does not exist; 2+ to 6+ do")


@dataclass(frozen=True, slots=True)
class Harm:
    """What kind of harm a model is about to suffer, as far as protections ask.

    ``ranged`` is ``None`` where no attack is made (a pool of mortal wounds).
    """

    ranged: bool | None
    psychic: bool = False
    mortal: bool = False

    def meets(self, against: Against) -> bool:
        """Whether a protection with that scope works."""
        return {
            Against.ALL: True,
            Against.RANGED: self.ranged is True,
            Against.MELEE: self.ranged is False,
            Against.MORTAL: self.mortal,
            Against.PSYCHIC: self.psychic,
        }[against]


def best(protections: tuple[Protection, ...], harm: Harm) -> int | None:
    """The best value that works against this harm, or ``None``; they never add up.

    >>> best((Protection(6), Protection(5, Against.MORTAL)), Harm(ranged=True))
    6
    """
    values = [p.value for p in protections if harm.meets(p.against)]
    return min(values, default=None)


@dataclass(frozen=True, slots=True)
class ModelGroup:
    """``count`` equal models of one unit.

    ``toughness``, ``save`` (2 to 7; 7 is no save) and ``wounds`` are the printed
    characteristics. ``wounds_lost`` is what one model of the group has lost already
    (0 to wounds - 1). A ``character`` group takes attacks after the others.

    >>> ModelGroup(count=5, toughness=4, save=3, wounds=2).total_wounds
    10
    >>> ModelGroup(count=1, toughness=4, save=3, wounds=0)
    Traceback (most recent call last):
    ...
    ValueError: wounds is 0; 1 to 100 are possible
    """

    count: int
    toughness: int
    save: int
    wounds: int
    invulnerable: tuple[Protection, ...] = ()
    feel_no_pain: tuple[Protection, ...] = ()
    wounds_lost: int = 0
    character: bool = False

    def __post_init__(self) -> None:
        _check("count", self.count, 1, MOST_MODELS)
        _check("toughness", self.toughness, 1, 30)
        _check("save", self.save, 2, 7)
        _check("wounds", self.wounds, 1, MOST_WOUNDS)
        _check("wounds_lost", self.wounds_lost, 0, self.wounds - 1)

    @property
    def total_wounds(self) -> int:
        """Wounds of all its models together."""
        return self.count * self.wounds


@hashed_once
@dataclass(frozen=True, slots=True)
class Target(Remembers):
    """A unit under attack: its groups, in the order in which the defender would lose them.

    The order is a wish: characters come after the others, and a group with a wounded
    model first, whatever is asked (RULES.md §5.1, §5.2).

    >>> Target((ModelGroup(count=5, toughness=4, save=3, wounds=2),)).models
    5
    """

    groups: tuple[ModelGroup, ...]

    def __post_init__(self) -> None:
        if not self.groups:
            raise ValueError("a target has at least one group of models")

    @property
    def models(self) -> int:
        """How many models it has."""
        return sum(group.count for group in self.groups)

    @property
    def is_attached(self) -> bool:
        """Whether characters stand among other models."""
        return len({group.character for group in self.groups}) == 2


def _check(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise ValueError(f"{name} is {value}; {low} to {high} are possible")

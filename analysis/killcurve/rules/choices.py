"""What a scenario leaves to the players or fixes for them, read and checked (SCENARIO)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from killcurve.engine.dice import Dice
from killcurve.rules.abilities import ABILITIES, Amount
from killcurve.rules.reading import Node, ScenarioError, one_of, placed
from killcurve.rules.sides import ArmedModel, Unit
from killcurve.rules.spelling import did_you_mean

OBJECTIVES = ("damage", "slain", "destroyed")
LETHAL = ("always", "never", "optimal")
REROLL = ("as given", "optimal")
COUNTED = (Amount.NUMBER, Amount.OPTIONAL)
POOLS = ("critical first", "ordinary first", "optimal")

CHOICES = (
    "lethal",
    "allocation",
    "precision",
    "objective",
    "order",
    "reroll",
    "duplicates",
    "pools",
)


@dataclass(frozen=True, slots=True)
class Choices:
    """What the players choose; SCENARIO has the values.

    ``order`` is that of weapons (their places), ``reroll`` whether free re-rolls are used on
    failures (``as given``) or so that they serve the objective best (``optimal``), weapon by
    weapon. ``duplicates`` names, by ability, the number that counts where a weapon has the
    ability several times: the highest on average unless named (RULES.md §8.1). ``pools`` says
    which wounds are saved first where critical ones have a better AP (RULES.md §2.1).
    """

    lethal: str = "always"
    allocation: tuple[str, ...] | str = ()
    precision: str | None = None
    objective: str = "damage"
    order: tuple[int, ...] | str = ()
    reroll: str = "as given"
    duplicates: tuple[tuple[str, Dice], ...] | str = ()
    pools: str = "critical first"


def read_choices(node: Node, target: Unit, weapons: tuple[ArmedModel, ...]) -> Choices:
    """What is fixed, and what is left to be made best."""
    allocation: Any = node.data.get("allocation") or ()
    if allocation != "optimal":
        names = []
        for item, path in node.items("allocation"):
            names.append(placed(partial(_group_name, item, target), path))
        allocation = tuple(names)
        if len(set(allocation)) < len(allocation):
            raise ScenarioError("a group is named twice", node.at("allocation"))
    precision = node.read("precision", lambda value: _precise(value, target), None)
    order: tuple[int, ...] | str = ()
    if node.data.get("order") == "optimal":
        order = "optimal"
    elif node.has("order"):
        names = [weapon.name for weapon in weapons]
        places: list[int] = []
        for item, path in node.items("order"):
            places.append(placed(partial(_weapon_place, item, names, places), path))
        order = tuple(places)
    return Choices(
        lethal=one_of(node, "lethal", LETHAL, "always"),
        allocation=allocation,
        precision=precision,
        objective=one_of(node, "objective", OBJECTIVES, "damage"),
        order=order,
        reroll=one_of(node, "reroll", REROLL, "as given"),
        duplicates=_duplicates(node),
        pools=one_of(node, "pools", POOLS, "critical first"),
    )


def _duplicates(node: Node) -> tuple[tuple[str, Dice], ...] | str:
    """The number of each ability that is to count."""
    if node.data.get("duplicates") == "optimal":
        return "optimal"
    numbered = [name for name, amount in ABILITIES.items() if amount in COUNTED]
    below = node.node("duplicates", numbered)
    return tuple(
        (name, below.read(name, Dice.parse, Dice())) for name in numbered if below.has(name)
    )


def _precise(value: object, target: Unit) -> str:
    """The group that precise attacks go to; only a character can be."""
    if value == "optimal":
        return "optimal"
    name = _group_name(value, target)
    if not target.groups[target.names.index(name)].character:
        raise ValueError(f"precise attacks go to a character, and {name!r} is none")
    return name


def _weapon_place(value: object, names: list[str], taken: list[int]) -> int:
    """The first weapon of that name that is not named yet."""
    if value not in names:
        raise ValueError(f"there is no weapon {value!r}{did_you_mean(str(value), names)}")
    left = [i for i, name in enumerate(names) if name == value and i not in taken]
    if not left:
        raise ValueError(f"{value!r} is named more often than there are such weapons")
    return left[0]


def _group_name(value: object, target: Unit) -> str:
    if value not in target.names:
        raise ValueError(
            f"the target has no group {value!r}{did_you_mean(str(value), target.names)}; "
            f"its groups are {', '.join(target.names)}"
        )
    return str(value)

"""Scenario dictionary -> plain values (SCENARIO.md, "A scenario")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .abilities import Ability, parse_ability
from .dice import Dice, parse_dice
from .phrases import Effect, parse_effects

EDITIONS = ("11e", "10e", "10e-2023-09", "10e-2023-06")


@dataclass(frozen=True)
class Limited:
    """A save or feel-no-pain value that may hold only against some kind of attack (`""`: against
    all).
    """

    value: int
    against: str = ""


@dataclass(frozen=True)
class Weapon:
    """One line of weapons: one batch."""

    name: str
    count: int
    attacks: Dice
    skill: int | None
    strength: Dice
    ap: int
    damage: Dice
    abilities: tuple[Ability, ...]


@dataclass(frozen=True)
class Group:
    """Equal models. A CHARACTER group always has one model (§5.1: each CHARACTER model alone)."""

    name: str
    count: int
    toughness: int
    save: int
    invulnerable: Limited | None
    feel_no_pain: Limited | None
    wounds: int
    wounds_lost: int
    character: bool
    keywords: frozenset[str]


@dataclass(frozen=True)
class Unit:
    """Keywords, groups and effects of one side."""

    keywords: frozenset[str]
    groups: tuple[Group, ...]
    effects: tuple[Effect, ...]


@dataclass(frozen=True)
class Scenario:
    """Everything that is asked."""

    edition: str
    phase: str
    weapons: tuple[Weapon, ...]
    attacker: Unit
    target: Unit
    context: tuple[tuple[str, bool], ...]
    lethal: str
    allocation: tuple[int, ...] | None
    precision: str | None
    objective: str

    @property
    def tenth(self) -> bool:
        """Any of the three states of the 10th edition."""
        return self.edition != "11e"

    def flag(self, name: str) -> bool:
        """A flag of `context`; those not given are false."""
        return dict(self.context).get(name, False)


def _limited(value: Any) -> Limited | None:
    if value is None:
        return None
    if isinstance(value, dict):
        return Limited(int(value["value"]), value.get("against") or "")
    return Limited(int(value))


def _weapon(raw: dict[str, Any]) -> Weapon:
    skill = raw.get("skill")
    return Weapon(
        name=str(raw.get("name", "")).lower(),
        count=int(raw.get("count", 1)),
        attacks=parse_dice(raw["attacks"]),
        skill=None if skill is None else int(skill),
        strength=parse_dice(raw["strength"]),
        ap=int(raw.get("ap", 0)),
        damage=parse_dice(raw["damage"]),
        abilities=tuple(parse_ability(text) for text in raw.get("keywords", [])),
    )


def _words(raw: Any) -> frozenset[str]:
    return frozenset(str(word).lower() for word in raw or [])


def _groups(raw: dict[str, Any]) -> list[Group]:
    """One listed group; characters become one group a model, the hurt one first."""
    count, character = int(raw.get("count", 1)), bool(raw.get("character", False))
    lost = int(raw.get("wounds_lost", 0))

    def group(models: int, wounds_lost: int) -> Group:
        return Group(
            name=str(raw.get("name", "")),
            count=models,
            toughness=int(raw["toughness"]),
            save=int(raw["save"]),
            invulnerable=_limited(raw.get("invulnerable")),
            feel_no_pain=_limited(raw.get("feel_no_pain")),
            wounds=int(raw["wounds"]),
            wounds_lost=wounds_lost,
            character=character,
            keywords=_words(raw.get("keywords")),
        )

    if lost and not 0 <= lost < int(raw["wounds"]):
        raise ValueError("wounds_lost must leave the model alive")
    if character:
        return [group(1, lost if number == 0 else 0) for number in range(count)]
    return [group(count, lost)]


def _unit(raw: dict[str, Any], side: str) -> Unit:
    groups = [group for models in raw.get("models", []) for group in _groups(models)]
    return Unit(
        _words(raw.get("keywords")),
        tuple(groups),
        parse_effects(list(raw.get("effects", [])), side),
    )


def _allocation(asked: Any, groups: tuple[Group, ...]) -> tuple[int, ...] | None:
    """The defender's order as group indices; None stands for `optimal`."""
    if asked == "optimal":
        return None
    names = [group.name for group in groups]
    unknown = [name for name in asked or [] if name not in names]
    if unknown:
        raise ValueError(f"no group named {unknown[0]!r} in the target")
    order = [
        index for name in asked or [] for index, group in enumerate(groups) if group.name == name
    ]
    order += [index for index in range(len(groups)) if index not in order]
    return tuple(dict.fromkeys(order))


def _precision(name: Any, groups: tuple[Group, ...]) -> str | None:
    if name is not None and not any(group.name == name and group.character for group in groups):
        raise ValueError(f"precision names {name!r}, which is no CHARACTER of the target")
    return None if name is None else str(name)


def _one_of(value: str, allowed: tuple[str, ...], what: str) -> str:
    if value not in allowed:
        raise ValueError(f"{what} {value!r} is none of {', '.join(allowed)}")
    return value


def read(raw: dict[str, Any]) -> Scenario:
    """Read a whole scenario."""
    choices = raw.get("choices") or {}
    attacker, target = _unit(raw["attacker"], "attacker"), _unit(raw["target"], "defender")
    if not target.groups:
        raise ValueError("the target has no models")
    return Scenario(
        edition=_one_of(raw.get("edition", "11e"), EDITIONS, "edition"),
        phase=_one_of(raw.get("phase", "shooting"), ("shooting", "fight"), "phase"),
        weapons=tuple(_weapon(weapon) for weapon in raw["attacker"].get("weapons", [])),
        attacker=attacker,
        target=target,
        context=tuple((key, bool(value)) for key, value in (raw.get("context") or {}).items()),
        lethal=_one_of(choices.get("lethal") or "always", ("always", "never", "optimal"), "lethal"),
        allocation=_allocation(choices.get("allocation"), target.groups),
        precision=_precision(choices.get("precision"), target.groups),
        objective=_one_of(
            choices.get("objective") or "damage", ("damage", "slain", "destroyed"), "objective"
        ),
    )

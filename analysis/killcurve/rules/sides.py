"""The two sides of a scenario: units, their models and weapons, read and checked (SCENARIO)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from killcurve.engine.dice import Dice
from killcurve.engine.target import Against, ModelGroup, Protection
from killcurve.engine.weapon import Weapon
from killcurve.rules.abilities import Ability
from killcurve.rules.effects import Effect, parse_all
from killcurve.rules.modifiers import AS_GIVEN, Policy
from killcurve.rules.reading import (
    Node,
    ScenarioError,
    flag,
    number,
    placed,
    placed_fields,
    whole_number,
)
from killcurve.rules.spelling import normal

T = TypeVar("T")

NO_PROTECTION: tuple[Protection, ...] = ()

ATTACKER = ("weapons", "effects", "keywords", "models", "points", "name")
TARGET = ("models", "effects", "keywords", "points", "name")
_WEAPON = ("name", "count", "attacks", "skill", "strength", "ap", "damage", "keywords", "range")
_MODELS = (
    "name",
    "count",
    "toughness",
    "save",
    "invulnerable",
    "feel_no_pain",
    "wounds",
    "wounds_lost",
    "character",
    "keywords",
)


@dataclass(frozen=True, slots=True)
class ArmedModel:
    """A weapon of a scenario: its name, the engine's weapon, its abilities, and their use."""

    name: str
    weapon: Weapon
    abilities: tuple[Ability, ...]
    policy: Policy = AS_GIVEN


@dataclass(frozen=True, slots=True)
class Unit:
    """One side of a scenario: groups of models and their names, keywords, effects, points.

    ``keywords`` are the unit's; those of a group come on top while it lives.
    """

    names: tuple[str, ...] = ()
    groups: tuple[ModelGroup, ...] = ()
    group_keywords: tuple[frozenset[str], ...] = ()
    keywords: frozenset[str] = frozenset()
    effects: tuple[Effect, ...] = ()
    points: float | None = None


class Words:
    """Reads keywords and effects; a lenient reader keeps a list of what it cannot read."""

    def __init__(self, lenient: bool) -> None:
        self.lenient = lenient
        self.unread: list[str] = []

    def read(self, node: Node, key: str, read: Callable[[str], tuple[T, ...]]) -> tuple[T, ...]:
        """What ``read`` makes of each text in a list (or of one text)."""
        out: list[T] = []
        value = node.data.get(key)
        items = [(value, node.at(key))] if isinstance(value, str) else node.items(key)
        for item, path in items:
            if not isinstance(item, str):
                raise ScenarioError(f"{item!r} is not a text", path)
            try:
                out += read(item)
            except ValueError as error:
                if not self.lenient:
                    raise ScenarioError(str(error), path) from None
                self.unread.append(item)
        return tuple(out)


def read_weapon(item: object, path: str, phase: str, words: Words) -> ArmedModel:
    """A weapon of a scenario."""
    node = Node.of(item, path, _WEAPON)
    abilities = words.read(node, "keywords", lambda text: (Ability.parse(text),))
    attacks = placed(lambda: Dice.parse(node.need("attacks")), node.at("attacks"))
    strength = node.read("strength", Dice.parse, Dice(bonus=1))
    damage = placed(lambda: Dice.parse(node.need("damage")), node.at("damage"))
    count, ap = node.integer("count", 1), node.integer("ap", 0)
    skill = node.read("skill", whole_number, None)
    weapon = placed_fields(
        lambda: Weapon(
            count=count,
            attacks=attacks,
            skill=skill,
            strength=strength,
            ap=ap,
            damage=damage,
            ranged=phase == "shooting",
            psychic=any(a.name == "psychic" for a in abilities),
        ),
        path,
        _WEAPON,
    )
    return ArmedModel(node.text("name", ""), weapon, abilities)


def read_unit(node: Node, words: Words) -> Unit:
    """One side of a scenario."""
    names: list[str] = []
    groups: list[ModelGroup] = []
    own: list[frozenset[str]] = []
    for item, path in node.items("models"):
        models = Node.of(item, path, _MODELS)
        names.append(models.text("name", f"group {len(names) + 1}"))
        groups.append(_group(models))
        own.append(frozenset(normal(str(k)) for k, _ in models.items("keywords")))
    keywords = frozenset(normal(str(item)) for item, _ in node.items("keywords"))
    effects = words.read(node, "effects", parse_all)
    if len(set(names)) < len(names):
        raise ScenarioError("two groups have the same name", node.at("models"))
    return Unit(
        tuple(names),
        tuple(groups),
        tuple(own),
        keywords,
        effects,
        node.read("points", number, None),
    )


def _group(models: Node) -> ModelGroup:
    fields = {
        "count": models.integer("count", 1),
        "toughness": models.integer("toughness", None),
        "save": models.integer("save", None),
        "wounds": models.integer("wounds", None),
        "wounds_lost": models.integer("wounds_lost", 0),
    }
    invulnerable = models.read("invulnerable", _protections, NO_PROTECTION)
    feel_no_pain = models.read("feel_no_pain", _protections, NO_PROTECTION)
    character = models.read("character", flag, False)
    return placed_fields(
        lambda: ModelGroup(
            **fields, invulnerable=invulnerable, feel_no_pain=feel_no_pain, character=character
        ),
        models.path,
        _MODELS,
    )


def _protections(value: object) -> tuple[Protection, ...]:
    if not isinstance(value, Mapping):
        return (Protection(whole_number(value)),)
    scopes = {a.value: a for a in Against}
    against = value.get("against", "all")
    if not isinstance(against, str) or against not in scopes:
        raise ValueError(f"against {against!r} is unknown; there are {', '.join(scopes)}")
    return (Protection(whole_number(value.get("value")), scopes[against]),)

"""Scenario files: one question about one volley, read and checked (SCENARIO)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from killcurve.engine.dice import Dice
from killcurve.engine.edition import Edition, edition
from killcurve.engine.target import Against, ModelGroup, Protection
from killcurve.engine.weapon import Weapon
from killcurve.rules.abilities import Ability
from killcurve.rules.effects import Effect, parse_all
from killcurve.rules.reading import (
    Node,
    ScenarioError,
    flag,
    number,
    placed,
    placed_fields,
    whole_number,
)
from killcurve.rules.situation import CONTEXT_FLAGS
from killcurve.rules.spelling import did_you_mean, normal

T = TypeVar("T")

NO_PROTECTION: tuple[Protection, ...] = ()
OBJECTIVES = ("damage", "slain", "destroyed")
LETHAL = ("always", "never", "optimal")
PHASES = ("shooting", "fight")

_TOP = ("edition", "phase", "attacker", "target", "context", "choices", "id", "name", "note")
_ATTACKER = ("weapons", "effects", "keywords", "models", "points", "name")
_TARGET = ("models", "effects", "keywords", "points", "name")
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
_CHOICES = ("lethal", "allocation", "precision", "objective", "order", "reroll")


@dataclass(frozen=True, slots=True)
class ArmedModel:
    """A weapon of a scenario: its name, the engine's weapon and its abilities."""

    name: str
    weapon: Weapon
    abilities: tuple[Ability, ...]


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


@dataclass(frozen=True, slots=True)
class Choices:
    """What the players choose; SCENARIO has the values.

    ``order`` is that of weapons (their places), ``reroll`` whether free re-rolls are used on
    failures (``as given``) or so that they serve the objective best (``optimal``).
    """

    lethal: str = "always"
    allocation: tuple[str, ...] | str = ()
    precision: str | None = None
    objective: str = "damage"
    order: tuple[int, ...] | str = ()
    reroll: str = "as given"


@dataclass(frozen=True, slots=True)
class Scenario:
    """One question, checked: who attacks whom, how, and under which rules.

    ``unmodelled`` lists what a lenient reading did not understand.
    """

    edition: Edition
    ranged: bool
    weapons: tuple[ArmedModel, ...]
    attacker: Unit
    target: Unit
    flags: frozenset[str] = frozenset()
    ticked: frozenset[str] = frozenset()
    distance: float | None = None
    choices: Choices = Choices()
    unmodelled: tuple[str, ...] = ()


def read_scenario(data: object, *, lenient: bool = False) -> Scenario:
    """Check a scenario as read from JSON or TOML.

    With ``lenient`` a keyword or effect that is not understood is listed under ``unmodelled``
    instead of being an error.

    Raises:
        ScenarioError: with the place and what is allowed there.

    >>> read_scenario({"attacker": {"weapons": [{"attacks": 1, "damage": 0.5}]}, "target": {}})
    Traceback (most recent call last):
    ...
    killcurve.rules.reading.ScenarioError: attacker.weapons[0].damage: 0.5 is neither \
a number nor dice such as 3, D6, 2D3+1
    """
    top = Node.of(data, "", _TOP)
    words = _Words(lenient)
    rules = top.read("edition", edition, edition("11e"))
    phase = _one_of(top, "phase", PHASES, "shooting")
    attacker = top.node("attacker", _ATTACKER)
    weapons = tuple(_weapon(item, path, phase, words) for item, path in attacker.items("weapons"))
    target = top.node("target", _TARGET)
    defender = _unit(target, words)
    if not defender.groups:
        raise ScenarioError("a target has at least one group of models", target.at("models"))
    context = top.node("context", (*CONTEXT_FLAGS, "ticked", "distance"))
    return Scenario(
        edition=rules,
        ranged=phase == "shooting",
        weapons=weapons,
        attacker=_unit(attacker, words),
        target=defender,
        flags=frozenset(f for f in CONTEXT_FLAGS if context.read(f, flag, False)),
        ticked=frozenset(normal(str(item)) for item, _ in context.items("ticked")),
        distance=context.read("distance", number, None),
        choices=_choices(top.node("choices", _CHOICES), defender, weapons),
        unmodelled=tuple(words.unread),
    )


class _Words:
    """Reads keywords and effects; a lenient reader keeps a list of what it cannot read."""

    def __init__(self, lenient: bool) -> None:
        self.lenient = lenient
        self.unread: list[str] = []

    def read(self, node: Node, key: str, read: Callable[[str], tuple[T, ...]]) -> tuple[T, ...]:
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


def _weapon(item: object, path: str, phase: str, words: _Words) -> ArmedModel:
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


def _unit(node: Node, words: _Words) -> Unit:
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
    if against not in scopes:
        raise ValueError(f"against {against!r} is unknown; there are {', '.join(scopes)}")
    return (Protection(whole_number(value.get("value")), scopes[against]),)


def _choices(node: Node, target: Unit, weapons: tuple[ArmedModel, ...]) -> Choices:
    allocation: Any = node.data.get("allocation") or ()
    if allocation != "optimal":
        names = []
        for item, path in node.items("allocation"):
            names.append(placed(partial(_group_name, item, target), path))
        allocation = tuple(names)
    precision = node.read("precision", lambda value: _precise(value, target), None)
    order: tuple[int, ...] | str = ()
    if node.data.get("order") == "optimal":
        order = "optimal"
    elif node.has("order"):
        names = [weapon.name for weapon in weapons]
        order = tuple(
            placed(partial(_weapon_place, item, names), path) for item, path in node.items("order")
        )
        if len(set(order)) < len(order):
            raise ScenarioError("a weapon is named twice", node.at("order"))
    return Choices(
        lethal=_one_of(node, "lethal", LETHAL, "always"),
        allocation=allocation,
        precision=precision,
        objective=_one_of(node, "objective", OBJECTIVES, "damage"),
        order=order,
        reroll=_one_of(node, "reroll", ("as given", "optimal"), "as given"),
    )


def _precise(value: object, target: Unit) -> str:
    """The group that precise attacks go to; only a character can be."""
    if value == "optimal":
        return "optimal"
    name = _group_name(value, target)
    if not target.groups[target.names.index(name)].character:
        raise ValueError(f"precise attacks go to a character, and {name!r} is none")
    return name


def _weapon_place(value: object, names: list[str]) -> int:
    if value not in names:
        raise ValueError(f"there is no weapon {value!r}{did_you_mean(str(value), names)}")
    return names.index(str(value))


def _group_name(value: object, target: Unit) -> str:
    if value not in target.names:
        raise ValueError(
            f"the target has no group {value!r}{did_you_mean(str(value), target.names)}; "
            f"its groups are {', '.join(target.names)}"
        )
    return str(value)


def _one_of(node: Node, key: str, allowed: tuple[str, ...], default: str) -> str:
    value = node.text(key, default)
    if value not in allowed:
        raise ScenarioError(f"{value!r} is not one of {', '.join(allowed)}", node.at(key))
    return value

"""Leaves about characteristics of weapons and models."""

from __future__ import annotations

from collections.abc import Iterator

from killcurve.rules.described.making import made, modifier, number, whose
from killcurve.rules.described.setting import Given, Leaf, Tree, Unread
from killcurve.rules.described.words import plain

OF_WEAPONS = {"A": "attacks", "S": "strength", "D": "damage", "Damage": "damage"}
OF_MODELS = {"T": "toughness", "Sv": "save", "W": "wounds"}
SKILLS = {"BS": "ranged", "WS": "melee"}
RANGE = frozenset({"range", "Range", "R"})
BESIDE_ATTACKS = frozenset({"M", "OC", "Ld", "detection-range", "aura-range"})

WORSE = frozenset({"subtract", "worsen"})


def characteristic(node: Tree, given: Given) -> Iterator[Leaf]:
    """A characteristic that is changed or set."""
    change = modifier(node)
    stat, operation = str(change.get("stat") or ""), str(change.get("operation") or "")
    if stat in BESIDE_ATTACKS:
        return
    if operation == "improve-vs-D1" and stat == "Sv":
        changed = {**change, "operation": "improve", "applies_when": "the attack's Damage is 1"}
        yield _of_model({**node, "modifier": changed}, given, stat)
        return
    if not stat or operation not in ("add", "subtract", "improve", "worsen", "set"):
        raise Unread(f"{stat or 'a characteristic'}: {plain(operation or 'not told')}")
    if stat in OF_WEAPONS:
        yield _of_weapon(node, given, OF_WEAPONS[stat])
    elif stat in OF_MODELS:
        yield _of_model(node, given, stat)
    elif stat in SKILLS:
        yield _skill(node, given, SKILLS[stat])
    elif stat in RANGE:
        yield _range(node, given)
    elif stat == "AP":
        yield _armour_penetration(node, given)
    elif stat == "InvSv" and operation == "set":
        yield made(node, given, f"invulnerable {change.get('value')}+", _own(node, given))
    else:
        raise Unread(plain(stat))


def _range(node: Tree, given: Given) -> Leaf:
    size = number(modifier(node).get("value"), "range")
    if whose(node, given) not in ("own", "attacker") or size < 0:
        raise Unread("ranges of others")
    return made(node, given, f"range +{size}", "attacker", phases=("shooting",))


def _own(node: Tree, given: Given) -> str:
    if whose(node, given) != "own":
        raise Unread("saves of others")
    return "defender"


def _of_model(node: Tree, given: Given, stat: str) -> Leaf:
    """Characteristics of one's own models; of an enemy's the language has none."""
    change, name = modifier(node), OF_MODELS[stat]
    if whose(node, given) != "own":
        raise Unread(f"{name} of an enemy unit")
    if name == "wounds" and given.told.phases == {"command"}:
        raise Unread("wounds in the Command phase: healed, or added, is not told")
    size = number(change.get("value"), name)
    if change.get("operation") == "set":
        return made(node, given, f"{name} = {size}", "defender")
    sign = "-" if change.get("operation") in WORSE or size < 0 else "+"
    return made(node, given, f"{name} {sign}{abs(size)}", "defender")


def _skill(node: Tree, given: Given, kind: str) -> Leaf:
    """BS or WS. Descriptions disagree about the sign: one's own gets better, an enemy's worse."""
    change, who = modifier(node), whose(node, given)
    scoped = {**node, "modifier": {**change, "attack_type": kind}}
    if change.get("operation") == "set":
        raise Unread("a skill that is set")
    size = abs(number(change.get("value"), "a skill"))
    if who == "own" and change.get("operation") != "worsen":
        return made(scoped, given, f"skill +{size}", "attacker")
    if who == "enemy":
        return made(scoped, given, f"skill -{size}", "defender")
    raise Unread("a skill of others")


def _armour_penetration(node: Tree, given: Given) -> Leaf:
    """AP. Its sign is not sure either: one's own attacks get better, those against it worse."""
    change, who = modifier(node), whose(node, given)
    size, operation = number(change.get("value"), "AP"), str(change.get("operation"))
    if operation == "set":
        if who != "own" or size > 0:
            raise Unread("AP that is set")
        return made(node, given, f"ap = {-size}", "attacker")
    if who == "own" and operation != "worsen":
        return made(node, given, f"ap +{abs(size)}", "attacker")
    if who == "incoming" or (who == "attacker" and operation == "worsen"):
        return made(node, given, f"ap -{abs(size)}", "defender")
    raise Unread(f"AP of {who} units")


def _of_weapon(node: Tree, given: Given, name: str) -> Leaf:
    """Attacks, Strength, Damage: one's own for the better, an enemy's for the worse."""
    change, who = modifier(node), whose(node, given)
    value, operation = change.get("value"), str(change.get("operation"))
    if operation == "set":
        if who != "own":
            raise Unread(f"{name} of others")
        return made(node, given, f"{name} = {value}", "attacker")
    is_negative = isinstance(value, int) and value < 0
    is_worse = operation in WORSE or is_negative
    size = abs(value) if isinstance(value, int) else value
    if who in ("own", "attacker") and not is_worse:
        return made(node, given, f"{name} +{size}", "attacker")
    if who in ("enemy", "incoming", "attacker") and is_worse:
        return made(node, given, f"{name} -{size}", "defender")
    raise Unread(f"{name} of {who} units")

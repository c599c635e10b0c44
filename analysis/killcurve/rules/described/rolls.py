"""Leaves about rolls: modifiers, re-rolls, results that are set."""

from __future__ import annotations

from collections.abc import Iterator

from killcurve.rules.described.making import made, modifier, number, whose
from killcurve.rules.described.setting import Given, Leaf, Tree, Unread
from killcurve.rules.described.words import plain

BESIDE_ATTACKS = frozenset(
    {
        *("advance", "battle-shock", "blood-surge", "charge", "desperate-escape", "hazard"),
        *("hazardous", "leadership", "psychic-test", "surge", "normal-move-distance"),
        *("miracle-dice", "dread-ability-selection", "blessings-of-khorne", "brazen-fury"),
        *("fall-back", "pile-in", "consolidation"),
    }
)
"""Rolls that no attack makes."""

REROLLED = {
    "hit": "hits",
    "wound": "wounds",
    "damage": "damage",
    "save": "saves",
    "saving-throw": "saves",
    "attacks": "attacks",
    "attacks-characteristic": "attacks",
    "weapon-attacks": "attacks",
}


def modifiers(node: Tree, given: Given) -> Iterator[Leaf]:
    """Something added to a roll, or another way it is changed."""
    change = modifier(node)
    roll, operation = str(change.get("roll") or ""), str(change.get("operation") or "")
    if roll in BESIDE_ATTACKS:
        return
    if operation == "ignore-modifiers":
        yield from _ignored(node, given, roll)
    elif change.get("critical_on") or operation == "crit-on":
        at = number(change.get("critical_on") or change.get("value"), "critical results")
        if whose(node, given) != "own":
            raise Unread("critical results of others")
        yield made(node, given, f"critical {roll}s {at}+", "attacker")
    elif operation == "set" and change.get("context") == "overwatch" and roll == "hit":
        at = number(change.get("value"), "the roll of Overwatch")
        yield made(node, given, f"snap shooting {at}+", "attacker", phases=("shooting",))
    elif operation in ("add", "subtract"):
        yield _shifted(node, given, roll)
    else:
        raise Unread(f"{plain(roll)} rolls: {plain(operation)}")


def _shifted(node: Tree, given: Given, roll: str) -> Leaf:
    change = modifier(node)
    size = number(change.get("value"), f"a change to {roll} rolls")
    by = -size if change["operation"] == "subtract" else size
    who = whose(node, given)
    if roll in ("save", "saving-throw"):
        if who not in ("own", "incoming"):
            raise Unread("saves of others")
        return made(node, given, f"save {by:+d}", "defender")
    if roll == "damage":
        if who != "own" or by < 0:
            raise Unread("damage rolls")
        return made(node, given, f"damage {by:+d}", "attacker")
    if roll not in ("hit", "wound"):
        raise Unread(f"{plain(roll)} rolls")
    return made(node, given, f"{roll} {by:+d}", _side(who, roll, by, given))


def _side(who: str, roll: str, by: int, given: Given) -> str:
    """Whose attacks get a roll modifier."""
    if who == "incoming":
        return "defender"
    if who == "enemy" and by < 0:
        return "defender"
    if who in ("attacker", "defender"):
        return "attacker" if by > 0 else "defender"
    if who == "own" and by > 0:
        return "attacker"
    if who == "own" and roll == "wound":
        return (
            "defender"  # No rule makes one's own Wound rolls worse: attacks against it are meant.
        )
    if who == "own" and _is_damaged(given):
        return "attacker"
    raise Unread(f"{roll} rolls of {who} units {by:+d}")


def _is_damaged(given: Given) -> bool:
    return any(
        "wounds left" in c.words[0] or "lost wounds" in c.words[0] for c in given.told.clauses
    )


def _ignored(node: Tree, given: Given, roll: str) -> Iterator[Leaf]:
    """Modifiers ignored; a Hit roll's are named together with those of BS and WS."""
    if whose(node, given) != "own":
        raise Unread("modifiers that others ignore")
    if roll == "all":
        if not given.setting.attack_phases:
            raise Unread("modifiers of unnamed rolls ignored")
        names: tuple[str, ...] = ("hit", "skill")
    elif roll in ("any", "BS, WS, Hit and Wound"):
        names = ("hit", "skill", "wound")
    elif roll == "hit":
        names = ("hit", "skill")
    elif roll in ("wound", "damage"):
        names = (roll,)
    else:
        raise Unread(f"modifiers of {plain(roll)} rolls ignored")
    for name in names:
        yield made(node, given, f"ignore {name} modifiers", "attacker")


def rerolls(node: Tree, given: Given) -> Iterator[Leaf]:
    """A re-roll: of ones, of one die, or of the whole roll (used on failures)."""
    change = modifier(node)
    roll = str(change.get("roll") or "")
    if roll in BESIDE_ATTACKS or change.get("context") == "dark-pact":
        return
    if roll not in REROLLED:
        raise Unread(f"re-rolls of {plain(roll)}")
    who, saves = whose(node, given), REROLLED[roll] == "saves"
    if who not in ("own", "attacker") or (saves and who != "own"):
        raise Unread(f"re-rolls of {who} units")
    is_ones = change.get("subset") in ("ones", 1) or change.get("value") == 1
    times = change.get("uses", change.get("count"))
    if times not in (None, 1):
        raise Unread(f"{times} re-rolls of {plain(roll)}")
    how = "one" if times == 1 else "ones" if is_ones else "failed"
    yield made(node, given, f"reroll {REROLLED[roll]} {how}", "defender" if saves else "attacker")


def results(node: Tree, given: Given) -> Iterator[Leaf]:
    """A roll that counts as a result."""
    change = modifier(node)
    roll, result = str(change.get("roll") or change.get("test") or ""), change.get("result")
    if roll in BESIDE_ATTACKS:
        return
    kind = {"hit": "hit", "wound": "wound", "damage": "damage", "save": "save"}.get(
        roll.replace("saving-throw", "save")
    )
    if kind is None or result != 6 or whose(node, given) != "own":
        raise Unread(f"{plain(roll)} rolls that count as {result}")
    side = "defender" if kind == "save" else "attacker"
    yield made(node, given, f"set one {kind} to 6", side)


def ballistic_skill(node: Tree, given: Given) -> Iterator[Leaf]:
    """A change of Ballistic Skill: one's own gets better, an enemy's worse."""
    change = modifier(node)
    who = whose(node, given)
    if change.get("operation") == "ignore-modifiers":
        if who != "own":
            raise Unread("modifiers that others ignore")
        yield made(node, given, "ignore skill modifiers", "attacker")
        return
    size = abs(number(change.get("value"), "a change of Ballistic Skill"))
    ranged = {**node, "modifier": {**change, "attack_type": "ranged"}}
    if who == "own":
        yield made(ranged, given, f"skill +{size}", "attacker")
    elif who == "attacker":
        yield made(ranged, given, f"skill -{size}", "defender")
    else:
        # Of enemies around it, some of these stand for Battle-shock: bs for short.
        raise Unread("Ballistic Skill, or Battle-shock, of others")


def immunity(node: Tree, given: Given) -> Iterator[Leaf]:
    """Modifiers of characteristics ignored; of attacks that is BS and WS."""
    if whose(node, given) != "own" or modifier(node).get("scope") != "characteristics":
        raise Unread("modifiers ignored")
    yield made(node, given, "ignore skill modifiers", "attacker")


def dice_of_a_pool(node: Tree, _given: Given) -> Iterator[Leaf]:
    """Rolls replaced by dice that are kept: their values are not known here."""
    pool = plain(modifier(node).get("pool_id") or "pool").removesuffix(" pool")
    raise Unread(f"{pool} in place of rolls")

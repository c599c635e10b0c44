"""The effect language: one phrase -> one Effect (SCENARIO.md, "The effect language")."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from .abilities import Ability, parse_ability
from .dice import NO_DICE, Dice, parse_dice


@dataclass(frozen=True)
class Effect:
    """One phrase.

    kind and what say which rule it is (`modify` `hit`, `reroll` `saves`, …); amount, dice and how
    are its arguments; allocated: "when allocated"; once: for a single attack; scope: after `for`;
    conditions: after `if`; token: a name for something that is used up, the same for equal phrases.
    """

    kind: str
    what: str = ""
    amount: int = 0
    dice: Dice = NO_DICE
    limit: int | None = None
    how: str = ""
    allocated: bool = False
    once: bool = False
    ability: Ability | None = None
    side: str = ""
    scope: str = ""
    conditions: tuple[str, ...] = ()
    token: str = ""


def cut(text: str, separator: str) -> list[str]:
    """Split at a separator that stands outside quotes and brackets."""
    parts, start, depth, quoted, i = [], 0, 0, False, 0
    while i < len(text):
        quoted ^= text[i] == '"'
        depth += (text[i] == "(") - (text[i] == ")")
        if not quoted and depth == 0 and text.startswith(separator, i):
            parts.append(text[start:i])
            i = start = i + len(separator)
        else:
            i += 1
    return [part.strip() for part in [*parts, text[start:]] if part.strip()]


ATTACK_NUMBERS = "hit|wound|skill|attacks|strength|damage|range|ap"
TARGET_NUMBERS = "toughness|save|wounds"
AGAINST = r"(?: against (ranged|melee|mortal|psychic))?"


def _modify(m: re.Match[str]) -> Effect:
    return Effect("modify", m[1], amount=int(m[2]), allocated=bool(m[3]))


def _set(m: re.Match[str]) -> Effect:
    tail = m[3]
    return Effect(
        "set", m[1], dice=parse_dice(m[2]), once=" once" in tail, allocated="allocated" in tail
    )


def _pool(m: re.Match[str]) -> Effect:
    if m[2]:
        raise NotImplementedError(
            "mortal wounds … per model: the models the rule counts are not in the scenario"
        )
    dice = parse_dice(m[1])
    if m[3] and (dice.plus or set(dice.sides) != {6}):
        raise ValueError(f"a pool is made of D6: {m[0]!r}")
    return Effect("pool", dice=dice, amount=int(m[3] or 0), limit=int(m[4]) if m[4] else None)


def _left_out(m: re.Match[str]) -> Effect:
    raise NotImplementedError(f"the phrase {m[0]!r} is left out of the reference")


PATTERNS: list[tuple[str, Callable[[re.Match[str]], Effect]]] = [
    (rf"({ATTACK_NUMBERS}|{TARGET_NUMBERS}) ([+-]\d+)( when allocated)?", _modify),
    (rf"({ATTACK_NUMBERS}|{TARGET_NUMBERS}) = (\S+)((?: once| when allocated)*)", _set),
    (r"halve damage( when allocated)?", lambda m: Effect("halve", "damage", allocated=bool(m[1]))),
    (
        r"reroll (hits|wounds|saves|damage|attacks) (ones|failed|noncritical|one)",
        lambda m: Effect("reroll", m[1], how=m[2]),
    ),
    (r"command re-roll", lambda _: Effect("command", how="one")),
    (r"critical (hits|wounds) (\d)\+", lambda m: Effect("critical", m[1], amount=int(m[2]))),
    (r"critical wound ap \+(\d+)", lambda m: Effect("critical ap", amount=int(m[1]))),
    (r"ignore (hit|skill|wound|ap|damage) modifiers", lambda m: Effect("ignore", m[1])),
    (r"mortal wounds ([0-9d+]+)( per model)?(?: on (\d)\+)?(?: max (\d+))?", _pool),
    (r"explosives", lambda _: Effect("pool", dice=parse_dice("6D6"), amount=4)),
    (r"crushing impact|tank shock", lambda m: Effect("ram", m[0])),
    (r"snap shooting(?: (\d)\+)?", lambda m: Effect("snap", amount=int(m[1] or 6))),
    (r"set one (hit|wound|damage|save) to 6", lambda m: Effect("set one", m[1])),
    (
        r"invulnerable (\d)\+" + AGAINST,
        lambda m: Effect("invulnerable", amount=int(m[1]), how=m[2] or ""),
    ),
    (
        r"feel no pain (\d)\+" + AGAINST,
        lambda m: Effect("feel no pain", amount=int(m[1]), how=m[2] or ""),
    ),
    (r"cover|stealth", lambda m: Effect(m[0])),
    (r"fight on death \d\+", lambda _: Effect("silent")),
    (r"heal .+|return .+|one of .+", _left_out),
]

DEFENDER_ONLY = (
    {("reroll", "saves"), ("set one", "save")}
    | {("modify", n) for n in TARGET_NUMBERS.split("|")}
    | {("set", n) for n in TARGET_NUMBERS.split("|")}
)
DEFENDER_KINDS = {"invulnerable", "feel no pain", "cover", "stealth"}
BOTH_SIDES = {("modify", n) for n in ATTACK_NUMBERS.split("|")} | {
    ("set", "damage"),
    ("halve", "damage"),
}


def _check_side(effect: Effect, phrase: str) -> None:
    """Phrases that change the user's other role (an attacker's own armour, …) are left out."""
    key = (effect.kind, effect.what)
    if effect.kind in ("silent", "command") or key in BOTH_SIDES:
        return
    belongs = "defender" if key in DEFENDER_ONLY or effect.kind in DEFENDER_KINDS else "attacker"
    if belongs != effect.side:
        raise NotImplementedError(
            f"{phrase!r} among the {effect.side}'s effects: only the {belongs}'s is modelled"
        )


def parse_effect(phrase: str, side: str) -> Effect:
    """Read one phrase of `attacker` or `defender`."""
    body, *rest = cut(phrase, " if ")
    conditions = tuple(part for text in rest for part in cut(text, " and "))
    body, *scopes = cut(body, " for ")
    if len(scopes) > 1:
        raise ValueError(f"more than one scope in {phrase!r}")
    text = " ".join(body.lower().split())
    effect = None
    for pattern, build in PATTERNS:
        match = re.fullmatch(pattern, text)
        if match:
            effect = build(match)
            break
    if effect is None:
        effect = Effect("ability", ability=parse_ability(text))
    token = f"{side}: {' '.join(phrase.lower().split())}"
    scope = scopes[0] if scopes else ""
    effect = replace(effect, side=side, scope=scope.lower(), conditions=conditions, token=token)
    _check_side(effect, phrase)
    return effect


def parse_effects(phrases: list[str], side: str) -> tuple[Effect, ...]:
    """Read a list of phrases, each of which may hold several parted by commas."""
    single = [part for phrase in phrases for part in cut(phrase, ",")]
    return tuple(parse_effect(part, side) for part in single)

"""Leaves that grant something by name: weapon abilities, abilities of units, rules."""

from __future__ import annotations

import re
from collections.abc import Iterator

from killcurve.rules.abilities import NAMED_ONLY
from killcurve.rules.described.making import KNOWN, made, modifier, number, whose
from killcurve.rules.described.protection import between_attacks
from killcurve.rules.described.setting import Given, Leaf, Tree, Unread
from killcurve.rules.described.words import STATES, plain
from killcurve.rules.spelling import normal

SILENT_KEYWORDS = frozenset(
    {
        *("deep strike", "explosives", "fights first", "grenades", "hunted", "infiltrators"),
        *("lone operative", "markerlight", "mobile", "scouts", "smoke", "transport"),
    }
)
"""Keywords that bear on no attack."""


def weapon_abilities(node: Tree, given: Given) -> Iterator[Leaf]:
    """Abilities of weapons, and what descriptions grant as if it were one."""
    change = modifier(node)
    words = [*(change.get("keywords") or ()), *([change["keyword"]] if "keyword" in change else [])]
    if change.get("anti_keyword"):
        words.append(f"anti-{change['anti_keyword']} {change.get('anti_threshold')}+")
    if not words:
        raise Unread("a keyword that is not named")
    amount = change.get("level", change.get("value"))
    for word in words:
        yield from _weapon_ability(node, given, normal(str(word)), amount)


def _weapon_ability(node: Tree, given: Given, word: str, amount: object) -> Iterator[Leaf]:
    name, who = plain(word), whose(node, given)
    if name in ("stealth", "benefit of cover"):
        if who != "own":
            raise Unread(f"{name} of others")
        yield made(node, given, "cover" if "cover" in name else name, "defender")
        return
    if _is_silent(name, given):
        return
    phrase = _phrase(word, amount)
    if who == "defender":
        yield made(node, given, phrase, "attacker", on_selected=True)
    elif who in ("own", "attacker"):
        yield made(node, given, phrase, "attacker")
    else:
        raise Unread(f"{name} of {who} units")


def _is_silent(name: str, given: Given) -> bool:
    """Whether it is a keyword of units that changes no attack by itself."""
    if name in STATES or name in NAMED_ONLY:
        raise Unread(f"a unit becomes {name}")
    base = name.rstrip(" 0123456789")
    return base in SILENT_KEYWORDS or name in given.setting.known


def _phrase(word: str, amount: object) -> str:
    """A weapon ability as a phrase: ``anti-titanic-3plus`` is ``anti-titanic 3+``."""
    word = re.sub(r"[- ](\d)plus$", r" \1+", word)
    if found := re.fullmatch(r"critical (hits|wounds) (\d)\+", word):
        return f"critical {found[1]} {found[2]}+"
    if word.startswith(("anti-", "anti ")):
        head = f"anti-{word[5:]}"
        return head if amount is None or re.search(r"\d", head) else f"{head} {amount}"
    spaced = word.replace("-", " ") if " " not in word else word
    spaced = {"twin linked": "twin-linked", "close quarters": "close-quarters"}.get(spaced, spaced)
    if amount is None or re.search(r"\d", spaced):
        return spaced
    return f"{spaced} {amount}"


GRANTS = {
    "critical-hit-on": ("critical hits {value}+", "attacker"),
    "deferred-destroyed-model-removal": ("fight on death {roll}", "defender"),
    "deferred-removal-until-fought-or-end-of-phase": ("fight on death {roll}", "defender"),
    "delayed-model-removal": ("fight on death {roll}", "defender"),
    "heal-d3-wounds": ("heal D3", "defender"),
    "heal-wounds": ("heal {amount}", "defender"),
    "ignore-hit-roll-modifiers": ("ignore hit modifiers", "attacker"),
    "melee-critical-hit-on-5-plus": ("critical hits 5+ for melee", "attacker"),
    "optional-restore-three-lost-wounds": ("heal 3", "defender"),
    "return-destroyed-models": ("return {amount} models", "defender"),
    "stealth": ("stealth", "defender"),
    "weapon-range-increase": ("range +{value}", "attacker"),
}
"""Grants that say what they do, as phrases."""

UNCOVERED = frozenset(
    {
        "cannot-benefit-from-cover",
        "cannot-have-benefit-of-cover",
        "incoming-ranged-attacks-ignore-cover-through-end-of-next-friendly-turn",
    }
)
"""Grants that take cover from an enemy."""

BEARS = re.compile(r"attack-|pulse-weapons|hit-|wound|critical|cover|ranged-w|damage|-shot-")
"""Words of grants that bear on attacks, whatever else they say."""

SILENT = re.compile(
    r"move|charge|shoot-|shooting|-again|additional-time|ingress|reserve|embark|hidden|detection"
    r"|battle-shock|fall-?back|advance|action|objective|deploy|sticky|deep-strike|withdraw|bondsman"
    r"|reposition|range-extended|lone-operative|leader|attached-unit|firing-deck|infiltrators"
    r"|scouts|metadata|warlord|reinforcement|arrival|stratagem|order|oath|limit-exempt|mobile|hover"
    r"|super-heavy|split|squads|composition|passthrough|through-models|outflank|coherency|0cp"
    r"|overwatch|reactive|eligib|redeploy|roll-off|spotted|exclusion|allowance|must-|vox|transport"
    r"|platform|desperate-escape|hunter-organism|heroic-intervention|quarry|marker|army-|relocation"
    r"|fight-one|snap-shooting|set-up|token|sub-unit|leadership|inclusion|saga|expended|teleporter"
    r"|defence-line|tank-shock|psychic-test|psychic-rolls|channelling|ritual-range|keyword|no-smoke"
    r"|act-after|declare|restricted|take-to-the-skies|engaged-enemies|stand-on"
)
"""Words of grants about moves, morale, missions, eligibility: they bear on no attack."""


def abilities(node: Tree, given: Given) -> Iterator[Leaf]:
    """An ability granted by its id."""
    change = modifier(node)
    name = normal(str(change.get("grant_type") or change.get("ability_id") or ""))
    if name in GRANTS:
        yield _grant(node, given, name)
    elif name in UNCOVERED:
        yield uncovered(node, given)
    elif not name or BEARS.search(name) or not SILENT.search(name):
        raise Unread(plain(name or change.get("ability") or "an unnamed ability"))


def _grant(node: Tree, given: Given, name: str) -> Leaf:
    if whose(node, given) != "own":
        raise Unread(f"{plain(name)} of others")
    change, (form, side) = modifier(node), GRANTS[name]
    if strange := sorted(set(change) - KNOWN):
        raise Unread(f"{plain(name)} by {plain(strange[0])}")
    phrase = form.format(
        value=change.get("value"),
        amount=change.get("amount"),
        roll=given.roll or "1+",
    )
    if phrase.startswith(("heal", "return")):
        return between_attacks(node, given, phrase)
    return made(node, given, phrase, side, takes_roll="fight on death" in phrase)


def uncovered(node: Tree, given: Given) -> Leaf:
    """An enemy unit that cannot have the benefit of cover."""
    who = whose(node, given)
    if who not in ("enemy", "defender"):
        raise Unread("no cover")
    plainly = {**node, "modifier": {}}
    return made(plainly, given, "ignores cover", "attacker", on_selected=who == "defender")


MOVES_AND_TIMES = frozenset(
    {
        *("advance", "charge", "desperate-escape", "fall-back", "fights-first", "fire-overwatch"),
        *("lone-operative", "ordered-retreat", "overwatch-against-bearer"),
    }
)
"""Rules that bear on no attack when they are switched."""


def rules(node: Tree, given: Given) -> Iterator[Leaf]:
    """A rule switched on or off."""
    change = modifier(node)
    rule, is_granted = str(change.get("rule") or ""), change.get("direction") == "granted"
    if rule in MOVES_AND_TIMES:
        return
    if rule != "benefit-of-cover":
        raise Unread(plain(rule or "an unnamed rule"))
    if not is_granted:
        yield uncovered(node, given)
    elif whose(node, given) == "own":
        yield made(node, given, "cover", "defender")
    else:
        raise Unread("cover of others")


def restrictions(node: Tree, given: Given) -> Iterator[Leaf]:
    """What units may do; one of them worsens the AP of attacks."""
    change = modifier(node)
    if change.get("restriction") == "worsen-incoming-ap":
        if whose(node, given) != "own":
            raise Unread("AP of others")
        size = number(change.get("value"), "AP")
        yield made(node, given, f"ap -{size}", "defender")


def tags(node: Tree, _given: Given) -> Iterator[Leaf]:
    """A mark on a unit."""
    tag = plain(modifier(node).get("tag") or "")
    if tag in STATES - {"battle shocked", "pinned"}:
        raise Unread(f"a unit becomes {tag}")
    return iter(())

"""Leaves of descriptions made into effects: whom they mean, for which weapons, on what terms."""

from __future__ import annotations

from dataclasses import replace

from killcurve.rules.abilities import ABILITIES
from killcurve.rules.conditions import STRONGER, Clause
from killcurve.rules.described.setting import PHASE_OF, Given, Leaf, Tree, Unread, quoted
from killcurve.rules.described.words import keyword_clauses, plain
from killcurve.rules.effects import Effect

OWN = frozenset(
    {
        *("unit", "self", "bearer", "attached-unit", "friendly-within-aura", "all-friendly"),
        *("selected-models-unit", "destroyed-model"),
    }
)
ENEMIES = frozenset({"enemy-within-aura", "all-enemy", "target"})

KNOWN = frozenset(
    {
        *("operation", "roll", "stat", "value", "subset", "result_scope", "optional", "uses"),
        *("count", "critical_on", "context", "attack_type", "weapon_type", "weapon_name"),
        *("weapon", "weapon_keyword", "weapon_filter", "scope", "incoming", "applies_when"),
        *("applies_to", "condition", "requires", "target_condition", "vs_keywords", "unit"),
        *("applies_to_keywords", "applies_to_keyword", "aura_target_keyword", "amount"),
        *("aura_source_keyword", "keyword", "keywords", "level", "threshold", "invuln_sv"),
        *("reduction", "grant_type", "ability_id", "restriction", "direction", "rule"),
        *("rule_kind", "result", "test", "anti_keyword", "anti_threshold", "models", "type"),
        *("model_type", "dice", "per_target_unit", "factor", "range", "range_inches"),
        *("frequency", "placement", "timing"),
    }
)
"""Parameters whose meaning is known; any other might narrow an effect unseen."""

_WEAPONS = {"melee-weapons": "melee", "ranged-weapons": "ranged"}

_STATED = {
    "attacker-strength-greater-than-target-toughness": Clause("stronger", (STRONGER,)),
    "attacker-strength-greater-than-toughness": Clause("stronger", (STRONGER,)),
    "target-within-half-range": Clause("flag", ("half_range",)),
}


OVERWATCH = quoted("the unit fires Overwatch")


def modifier(node: Tree) -> Tree:
    """The parameters of a leaf."""
    found = node.get("modifier") or {}
    if not isinstance(found, dict):
        raise Unread(f"{node.get('type')} without parameters")
    return found


def whose(node: Tree, given: Given) -> str:
    """Whom a leaf is about.

    ``own`` is the unit with the rule (or friends that attack a chosen target), ``incoming`` the
    attacks against it, ``enemy`` an enemy unit, ``attacker`` a unit that attacks: either's,
    ``defender`` the unit that is attacked.
    """
    change, target = modifier(node), node.get("target")
    if change.get("incoming") or change.get("applies_to") == "incoming-attacks":
        return "incoming"
    if target == "attacker":
        return "own" if given.unit == "attackers" else "attacker"
    if target == "defender":
        return "enemy" if given.unit == "enemy" else "defender"
    if target in ENEMIES:
        return "enemy"
    if target is None or target in OWN:
        return "enemy" if given.unit == "enemy" else "own"
    raise Unread(f"{node.get('type')} for {plain(target)}")


def number(value: object, what: str) -> int:
    """A whole number among the parameters."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise Unread(f"{what} of {value!r}")
    return value


def made(
    node: Tree,
    given: Given,
    phrase: str,
    side: str,
    *,
    phases: tuple[str, ...] | None = None,
    takes_roll: bool = False,
    on_selected: bool = False,
) -> Leaf:
    """The leaf of a phrase, with the weapons and terms that its parameters name.

    Raises:
        Unread: if there is no such phrase, or a parameter is not understood.
    """
    change = modifier(node)
    if strange := sorted(set(change) - KNOWN):
        raise Unread(f"{plain(node.get('type'))} by {plain(strange[0])}")
    if node.get("scaling"):
        raise Unread(
            f"{plain(node.get('type'))} that grows with {plain(node['scaling'].get('of'))}"
        )
    try:
        effect = Effect.parse(phrase)
    except ValueError as error:
        raise Unread(f"{plain(node.get('type'))}: {phrase}") from error
    terms = (*_terms(change, given), *_near(node, given))
    return Leaf(
        replace(effect, scope=_scope(change), condition=terms),
        side,
        _phases(change) if phases is None else phases,
        takes_roll,
        on_selected,
    )


def _phases(change: Tree) -> tuple[str, ...] | None:
    """The phases of weapons that are named, and said to be of one kind."""
    phase = PHASE_OF.get(str(change.get("attack_type") or change.get("weapon_type")))
    return (phase,) if phase and change.get("weapon_name") else None


def _scope(change: Tree) -> str | None:
    """The weapons meant: by name, by ability, or by kind."""
    for key in ("weapon_name", "weapon", "weapon_filter"):
        if change.get(key):
            name = plain(change[key])
            return name if name in ABILITIES else f'"{name}"'
    word = plain(change.get("weapon_keyword") or "")
    if word:
        spelled = next((w for w in (word, word.replace(" ", "-")) if w in ABILITIES), None)
        if spelled is None:
            raise Unread(f"weapons with {word}")
        return spelled
    stated = change.get("condition")
    if isinstance(stated, str) and stated in ABILITIES:
        return stated
    kind = change.get("attack_type") or change.get("weapon_type") or change.get("context")
    kind = kind or _WEAPONS.get(str(change.get("applies_to")))
    if kind in ("ranged", "melee"):
        return str(kind)
    if kind not in (None, "any", "shooting", "overwatch"):
        raise Unread(f"attacks that are {plain(kind)}")
    return None


def _terms(change: Tree, given: Given) -> tuple[Clause, ...]:
    terms: list[Clause] = []
    if change.get("vs_keywords"):
        terms += keyword_clauses(" or ".join(change["vs_keywords"]), "target", given.setting)
    for key in ("applies_to_keywords", "applies_to_keyword", "aura_target_keyword"):
        if change.get(key):
            named = change[key] if isinstance(change[key], list) else [change[key]]
            terms += keyword_clauses(" or ".join(named), "unit", given.setting)
    for key in ("applies_when", "condition", "requires", "target_condition"):
        stated = change.get(key)
        if isinstance(stated, str) and stated in ABILITIES:
            continue
        if isinstance(stated, str):
            terms.append(_STATED.get(stated) or quoted(plain(stated)))
        elif stated:
            raise Unread(f"a condition {key}")
    if change.get("applies_to") not in (None, "incoming-attacks", *_WEAPONS):
        terms.append(quoted(f"for {plain(change['applies_to'])}"))
    if change.get("context") == "overwatch":
        terms.append(OVERWATCH)
    return tuple(terms)


def _near(node: Tree, given: Given) -> tuple[Clause, ...]:
    """How near enemies must be for an aura against them, or friends for one that all have."""
    inches = modifier(node).get("range") or given.setting.inches
    if given.setting.is_used_openly or not isinstance(inches, int):
        return ()
    if node.get("target") == "enemy-within-aura":
        return (Clause("within", (str(inches),)),)
    if node.get("target") == "friendly-within-aura" and given.setting.kind == "faction":
        return (quoted(f"the unit is in the aura of {inches} inches"),)
    return ()

"""What each weapon ability does to its attacks: one small function an ability (RULES.md §8)."""

from __future__ import annotations

from collections.abc import Callable

from killcurve.engine.dice import Dice
from killcurve.engine.roll import Reroll
from killcurve.rules.abilities import WITHOUT_NUMBERS, Ability
from killcurve.rules.situation import Situation
from killcurve.rules.tally import Tally

Rule = Callable[[Tally, Ability, Situation], None]

_ONE = Dice(bonus=1)


CLOSE = frozenset({"pistol", "close-quarters"})
"""Weapons that may be fired while engaged without a penalty (RULES.md §3.2)."""

FAR = 12
"""Inches beyond which Conversion works."""

DAMAGED = -1
"""What a damaged model adds to its hit rolls."""


class Unmodelled(ValueError):
    """A rule that bears on attack maths and cannot be computed."""


def apply(tally: Tally, ability: Ability, situation: Situation) -> None:
    """Add what an ability contributes; one that does not work against the target adds nothing.

    Raises:
        Unmodelled: if the ability bears on attack maths and is not computed.
    """
    if not ability.applies_to(situation.target_keywords):
        return
    if ability.name in WITHOUT_NUMBERS:
        return
    rule = RULES.get(ability.name)
    if rule is None:
        raise Unmodelled(f"the ability '{ability}' is not computed")
    rule(tally, ability, situation)


def _number(ability: Ability) -> Dice:
    return _ONE if ability.amount is None else ability.amount


def _anti(tally: Tally, ability: Ability, situation: Situation) -> None:
    assert ability.threshold is not None
    tally.critical_wounds = min(tally.critical_wounds, ability.threshold)


def _damaged(tally: Tally, ability: Ability, situation: Situation) -> None:
    left = situation.attacker_wounds_left
    if left is None:
        raise Unmodelled(f"'{ability}' needs attacker.models with their wounds and wounds_lost")
    if left <= _number(ability).mean:
        tally.hit.append(DAMAGED)


def _extra_attacks(tally: Tally, ability: Ability, situation: Situation) -> None:
    tally.has_extra_attacks = True


def _blast(tally: Tally, ability: Ability, situation: Situation) -> None:
    if situation.ranged:
        tally.grant("per_five_models", _number(ability))


def _cleave(tally: Tally, ability: Ability, situation: Situation) -> None:
    if situation.edition.has_cleave and not situation.ranged:
        tally.grant("per_five_models", _number(ability))


def _rapid_fire(tally: Tally, ability: Ability, situation: Situation) -> None:
    if situation.ranged and situation.has("half_range"):
        tally.grant("rapid_fire", _number(ability))


def _melta(tally: Tally, ability: Ability, situation: Situation) -> None:
    if situation.ranged and situation.has("half_range"):
        tally.grant("melta", _number(ability))


def _heavy(tally: Tally, ability: Ability, situation: Situation) -> None:
    barred = situation.edition.heavy_needs_distance and situation.has("engaged")
    if situation.ranged and situation.has("stationary") and not barred:
        tally.hit.append(1)


def _lance(tally: Tally, ability: Ability, situation: Situation) -> None:
    if situation.has("charged"):
        tally.wound.append(1)


def _conversion(tally: Tally, ability: Ability, situation: Situation) -> None:
    far = situation.distance is not None and situation.distance > FAR
    if far or situation.has("long_range"):
        tally.critical_hits_if_successful = 4


def _indirect_fire(tally: Tally, ability: Ability, situation: Situation) -> None:
    if not (situation.ranged and situation.has("indirect")):
        return
    edition = situation.edition
    unspotted, spotted = edition.indirect_gates
    seen = situation.has("spotted") and situation.has("stationary")
    tally.hit_gate = max(tally.hit_gate, spotted if seen else unspotted)
    tally.cover = tally.indirect = True
    tally.only_gate_counts |= edition.indirect_flat
    if edition.indirect_hit:
        tally.hit.append(edition.indirect_hit)
    tally.no_hit_rerolls |= edition.indirect_forbids_rerolls


def _psychic(tally: Tally, ability: Ability, situation: Situation) -> None:
    tally.psychic = True
    if situation.edition.psychic_ignores_modifiers:
        tally.ignored |= {"hit", "skill"}


def _torrent(tally: Tally, ability: Ability, situation: Situation) -> None:
    tally.hits_automatically = True


def _sustained_hits(tally: Tally, ability: Ability, situation: Situation) -> None:
    tally.grant("sustained", _number(ability))


def _lethal_hits(tally: Tally, ability: Ability, situation: Situation) -> None:
    tally.lethal = True


def _devastating_wounds(tally: Tally, ability: Ability, situation: Situation) -> None:
    tally.devastating = True


def _twin_linked(tally: Tally, ability: Ability, situation: Situation) -> None:
    tally.reroll("wounds", Reroll.FAILED)


def _hazardous(tally: Tally, ability: Ability, situation: Situation) -> None:
    tally.hazardous = True


def _precision(tally: Tally, ability: Ability, situation: Situation) -> None:
    tally.precise = True


def _ignores_cover(tally: Tally, ability: Ability, situation: Situation) -> None:
    tally.ignores_cover = True


GRANTS = {
    "blast": "per_five_models",
    "cleave": "per_five_models",
    "melta": "melta",
    "rapid fire": "rapid_fire",
    "sustained hits": "sustained",
}
"""What an ability with a number contributes; of several one stands."""

RULES: dict[str, Rule] = {
    "anti": _anti,
    "blast": _blast,
    "cleave": _cleave,
    "conversion": _conversion,
    "damaged": _damaged,
    "devastating wounds": _devastating_wounds,
    "hazardous": _hazardous,
    "extra attacks": _extra_attacks,
    "heavy": _heavy,
    "ignores cover": _ignores_cover,
    "indirect fire": _indirect_fire,
    "lance": _lance,
    "lethal hits": _lethal_hits,
    "melta": _melta,
    "precision": _precision,
    "psychic": _psychic,
    "rapid fire": _rapid_fire,
    "sustained hits": _sustained_hits,
    "torrent": _torrent,
    "twin-linked": _twin_linked,
}
"""The abilities that change rolls, each with its rule."""

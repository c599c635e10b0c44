"""What tells rule states apart, rule by rule (RULES.md §12).

Each difference is a group of an edition's switches. Turned one after the other, they lead from
one rule state to another, and the change that each makes can be measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from killcurve.engine.edition import Devastating, Edition


@dataclass(frozen=True, slots=True)
class Difference:
    """One rule that differs between rule states.

    ``name`` is what players call it, ``source`` where it is written down, ``switches`` are the
    fields of :class:`~killcurve.engine.edition.Edition` that it sets, ``new`` and ``old`` what
    holds from the 11th edition on and what held before.
    """

    name: str
    source: str
    switches: tuple[str, ...]
    new: str
    old: str


DIFFERENCES = (
    Difference(
        "cover",
        "§12.1",
        ("cover_worsens_skill",),
        "cover worsens BS by 1",
        "cover adds 1 to armour saves",
    ),
    Difference(
        "Stealth",
        "§12.2",
        ("stealth_is_cover",),
        "Stealth gives cover",
        "Stealth is -1 to hit",
    ),
    Difference(
        "lethal hits",
        "§12.3",
        ("lethal_is_optional",),
        "the attacker may roll to wound with a lethal critical hit",
        "a lethal critical hit always wounds by itself",
    ),
    Difference(
        "Hazardous",
        "§12.5",
        ("hazard_fails_on", "hazard_harm", "hazard_harm_sturdy", "hazard_spills"),
        "a hazard roll fails on 1 and 2 and does 1 mortal wound, 3 to monsters and vehicles",
        "a Hazardous test fails on 1 and does 3 mortal wounds to the bearer",
    ),
    Difference(
        "Hazardous bearers",
        "§6.5",
        ("hazard_destroys",),
        "a failed test does 3 mortal wounds",
        "a failed test destroys the bearer, but characters, monsters and vehicles suffer 3",
    ),
    Difference(
        "order of changes",
        "§12.7",
        ("divide_first",),
        "a characteristic is added to before it is halved",
        "a characteristic is halved before it is added to",
    ),
    Difference(
        "limits of BS and WS",
        "§12.8",
        ("skill_clamp",),
        "BS and WS stay between 2+ and 6+ after all changes",
        "BS and WS have no limits of their own",
    ),
    Difference(
        "Psychic",
        "§12.9",
        ("psychic_ignores_modifiers",),
        "Psychic weapons ignore what worsens BS, WS and hit rolls",
        "Psychic weapons hit like others",
    ),
    Difference(
        "Heavy",
        "§12.10",
        ("heavy_needs_distance",),
        "Heavy does nothing for engaged units",
        "Heavy works wherever the unit remained stationary",
    ),
    Difference(
        "shooting while engaged",
        "§3.2",
        ("engaged_penalties_add",),
        "monsters and vehicles that shoot and that are shot at while engaged are -1 each",
        "shooting by or at monsters and vehicles while engaged is -1",
    ),
    Difference("Cleave", "§12.11", ("has_cleave",), "Cleave adds dice", "there is no Cleave"),
    Difference(
        "Rapid Fire",
        "§2.2",
        ("rapid_fire_raises_attacks",),
        "Rapid Fire adds dice after A is changed",
        "Rapid Fire raises A",
    ),
    Difference(
        "Extra Attacks",
        "§8.2",
        ("extra_attacks",),
        "A of Extra Attacks weapons may be changed by more rules",
        "A of Extra Attacks weapons is changed by fewer rules",
    ),
    Difference(
        "indirect fire",
        "§3.2",
        (
            "indirect_gates",
            "indirect_hit",
            "indirect_forbids_rerolls",
            "indirect_flat",
            "torrent_fires_indirectly",
        ),
        "the newer state's unmodified results fail when firing indirectly",
        "the older state's penalties hold when firing indirectly",
    ),
    Difference(
        "snap shooting",
        "§12.14",
        ("snap_forbids_rerolls", "torrent_ignores_snap"),
        "hit rolls of snap shooting are not re-rolled",
        "hit rolls of Overwatch may be re-rolled",
    ),
    Difference(
        "Torrent",
        "§8.1",
        ("torrent_is_imprecise",),
        "Torrent weapons cannot have Precision",
        "Torrent weapons may have Precision",
    ),
    Difference(
        "plunging fire",
        "§8.2",
        ("plunging_improves_ap",),
        "plunging fire improves BS by 1",
        "plunging fire improves AP by 1",
    ),
    Difference(
        "Command Re-roll",
        "§9",
        ("rerolls_one_die",),
        "a single re-roll is of one die",
        "a single re-roll is of a whole roll",
    ),
    Difference(
        "Tank Shock",
        "§12.16",
        ("rams_with_strength", "ramming_hurts_itself"),
        "the newer state's ramming: own Toughness in dice, in the 11th edition 1s hurt oneself",
        "the older state's ramming: 2023 rolls with a weapon's Strength",
    ),
    Difference(
        "save rolls",
        "§5.2",
        ("save_roll_cap",),
        "save rolls may be improved without limit",
        "save rolls are improved by 1 at most",
    ),
    Difference(
        "Toughness after bodyguards die",
        "§12.12",
        ("toughness_per_batch",),
        "Toughness is read for every batch",
        "Toughness stands until the unit has attacked",
    ),
    Difference(
        "saves of a batch",
        "§12.6",
        ("sorted_saves",),
        "a batch's save dice are rolled together and taken in rising order",
        "every attack is allocated and saved by itself",
    ),
    Difference(
        "devastating wounds",
        "§12.4, §12.13",
        ("devastating", "allocated_changes_spare_devastating"),
        "the newer state's devastating wounds",
        "the older state's devastating wounds",
    ),
    Difference(
        "engagement range",
        "§12.17",
        ("engagement_range",),
        'units within 2" are engaged',
        'units within 1" are engaged',
    ),
    Difference(
        "Desperate Escape",
        "§6.5",
        ("escape_is_hazard",),
        "Desperate Escape is a hazard roll for each model",
        "a model is lost for each 1 or 2 of Desperate Escape",
    ),
    Difference(
        "half-strength of attached units",
        "§7",
        ("attached_units_part",),
        "the starting strength of an attached unit stands",
        "leader and bodyguards go back to their own starting strength when the others are dead",
    ),
)
"""All differences, in the order in which they are turned from the 11th edition back.

The order matters for the last ones: the saves of a batch can be taken one by one only once
Toughness stands still, and devastating wounds wait for the unit only once attacks are made one
by one.
"""

ALL_STATES = ("10e-2023-06", "10e-2023-09", "10e", "11e")
"""The rule states from the oldest to the newest."""


def path(start: Edition, goal: Edition) -> Iterator[tuple[Difference, str, Edition]]:
    """The steps from one rule state to another: the rule, what holds now, and the state then.

    >>> from killcurve.engine.edition import edition
    >>> [rule.name for rule, *_ in path(edition("10e-2023-06"), edition("10e-2023-09"))]
    ['devastating wounds']
    """
    back = ALL_STATES.index(goal.key) < ALL_STATES.index(start.key)
    now = start
    for difference in DIFFERENCES if back else reversed(DIFFERENCES):
        there: dict[str, Any] = {name: getattr(goal, name) for name in difference.switches}
        if any(getattr(now, name) != value for name, value in there.items()):
            now = replace(now, **there)
            yield difference, _now_holds(difference, now, back), now


def _now_holds(difference: Difference, now: Edition, back: bool) -> str:
    if difference.name == "devastating wounds":
        return f"devastating wounds are {_DEVASTATING[now.devastating]}"
    if difference.name == "indirect fire":
        unspotted, spotted = now.indirect_gates
        gates = f"unmodified hit rolls of 1 to {unspotted} fail" if unspotted > 1 else "none fail"
        if unspotted != spotted:
            gates += f", of 1 to {spotted} if spotted and stationary"
        penalty = f", and {now.indirect_hit} to hit" if now.indirect_hit else ""
        return f"firing indirectly, {gates}{penalty}"
    if difference.name == "Tank Shock":
        dice = "a weapon's Strength" if now.rams_with_strength else "the own Toughness"
        return f"ramming rolls {dice} in dice" + (
            ", and each 1 hurts oneself" if now.ramming_hurts_itself else ""
        )
    if difference.name == "Extra Attacks":
        return f"A of Extra Attacks weapons is changed by {now.extra_attacks.value}"
    return difference.old if back else difference.new


_DEVASTATING = {kind: kind.value for kind in Devastating}

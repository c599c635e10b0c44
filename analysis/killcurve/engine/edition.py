"""Rule states as records of switches (RULES.md §1.3, §3.2, §5, §6.4, §6.5, §12).

A rule asks the record, never the edition's name.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from killcurve.engine.hashing import Remembers, hashed_once


class Devastating(Enum):
    """What a critical wound with devastating wounds does (RULES.md §6.4)."""

    SPILLING_MORTALS = "mortal wounds that spill, after the unit's attacks"
    UNSAVEABLE_DAMAGE = "normal damage without a save, after the unit's attacks"
    MORTALS_AFTER_UNIT = "mortal wounds on one model, after the unit's attacks"
    MORTALS_AFTER_BATCH = "mortal wounds on one model, after the batch's normal damage"


class ExtraAttacks(Enum):
    """What may modify the number of attacks of a weapon with Extra Attacks (RULES.md §8.2)."""

    ANYTHING = "any rule"
    BY_NAME = "a rule that names the weapon"
    NOTHING = "no rule"


@hashed_once
@dataclass(frozen=True, slots=True)
class Edition(Remembers):
    """One rule state.

    ``key`` is what scenario files call it. All other fields are rules of that state:

    * ``cover_worsens_skill``: cover is BS worse by 1 instead of +1 to armour saves.
    * ``stealth_is_cover``: Stealth gives cover instead of -1 to hit.
    * ``skill_clamp``: BS and WS after changes stay within these numbers (``None``: no limit;
      an unmodified 1 and 6 decide anyway).
    * ``divide_first``: halving comes before additions (else after), RULES.md §1.3.
    * ``sorted_saves``: a batch's save dice are rolled together and applied in rising order,
      group after group; else every attack is allocated and saved by itself.
    * ``save_roll_cap``: the most that a save roll may be improved, ``None`` for no limit.
    * ``toughness_per_batch``: the target's Toughness is read anew for every batch.
    * ``devastating``: see :class:`Devastating`.
    * ``allocated_changes_spare_devastating``: changes of Damage "when allocated" do not
      reach devastating mortal wounds.
    * ``lethal_is_optional``: the attacker may roll to wound with a lethal critical hit.
    * ``psychic_ignores_modifiers``: Psychic weapons ignore bad BS/WS and hit modifiers.
    * ``indirect_gates``: unmodified hit rolls up to this fail when firing indirectly
      (unspotted, spotted and stationary); ``indirect_hit`` is the roll modifier of doing so,
      ``indirect_forbids_rerolls`` bars re-rolls of those hit rolls, as ``snap_forbids_rerolls``
      does when snap shooting.
    * ``rerolls_one_die``: a single re-roll is of one die, not of a whole roll of several.
    * ``plunging_improves_ap``: plunging fire improves AP instead of BS.
    * ``rapid_fire_raises_attacks``: Rapid Fire is a modifier of A instead of more dice.
    * ``extra_attacks``: see :class:`ExtraAttacks`.
    * ``torrent_fires_indirectly``: Torrent weapons may fire at what nobody sees.
    * ``torrent_is_imprecise``: they cannot have Precision.
    * ``torrent_ignores_snap``: they hit by themselves when snap shooting, too.
    * ``indirect_flat``: indirect fire hits above its gate, whatever the skill.
    * ``heavy_needs_distance``: Heavy is of no use to units that are engaged.
    * ``engaged_penalties_add``: a monster or vehicle that shoots while engaged and one that is
      shot at while engaged are a penalty each, else there is one for both.
    * ``has_cleave``: the abilities that came with the 11th edition exist.
    * ``hazard_fails_on``, ``hazard_harm``, ``hazard_harm_sturdy``: a failed hazard roll, the
      mortal wounds of it, and those of a unit of monsters and vehicles; they ``hazard_spills``
      over the unit or stay with the bearer, which is destroyed where ``hazard_destroys``
      (RULES.md §6.5).
    * ``rams_with_strength``: Tank Shock rolls with a weapon's Strength, else with the own
      Toughness; ``ramming_hurts_itself``: its 1s hurt the unit that rams (RULES.md §9).
    * ``engagement_range``: inches within which units are engaged, and a charge has to come
      (RULES.md §12).
    * ``escape_is_hazard``: Desperate Escape is a hazard roll for each model; else a D6 for
      each, of which low ones destroy a model (RULES.md §6.5).
    * ``attached_units_part``: where all leaders or all bodyguards of an attached unit are dead
      the others are a unit of their own, with their own starting strength (RULES.md §7).

    >>> edition("11e").devastating.name, edition("10e").cover_worsens_skill
    ('MORTALS_AFTER_BATCH', False)
    """

    key: str
    cover_worsens_skill: bool
    stealth_is_cover: bool
    skill_clamp: tuple[int, int] | None
    divide_first: bool
    sorted_saves: bool
    save_roll_cap: int | None
    toughness_per_batch: bool
    devastating: Devastating
    allocated_changes_spare_devastating: bool
    lethal_is_optional: bool
    psychic_ignores_modifiers: bool
    indirect_gates: tuple[int, int]
    indirect_hit: int
    indirect_forbids_rerolls: bool
    snap_forbids_rerolls: bool
    rerolls_one_die: bool
    plunging_improves_ap: bool
    rapid_fire_raises_attacks: bool
    extra_attacks: ExtraAttacks
    torrent_fires_indirectly: bool
    torrent_is_imprecise: bool
    torrent_ignores_snap: bool
    indirect_flat: bool
    heavy_needs_distance: bool
    engaged_penalties_add: bool
    has_cleave: bool
    hazard_fails_on: int
    hazard_harm: int
    hazard_harm_sturdy: int
    hazard_spills: bool
    hazard_destroys: bool
    rams_with_strength: bool
    ramming_hurts_itself: bool
    engagement_range: int
    escape_is_hazard: bool
    attached_units_part: bool


ROLL_CAP = 1
"""Hit and wound roll modifiers add up to -1, 0 or +1 in every rule state (RULES.md §3.1)."""

_ELEVENTH = Edition(
    key="11e",
    cover_worsens_skill=True,
    stealth_is_cover=True,
    skill_clamp=(2, 6),
    divide_first=False,
    sorted_saves=True,
    save_roll_cap=None,
    toughness_per_batch=True,
    devastating=Devastating.MORTALS_AFTER_BATCH,
    allocated_changes_spare_devastating=True,
    lethal_is_optional=True,
    psychic_ignores_modifiers=True,
    indirect_gates=(5, 3),
    indirect_hit=0,
    indirect_forbids_rerolls=True,
    snap_forbids_rerolls=True,
    rerolls_one_die=True,
    plunging_improves_ap=False,
    rapid_fire_raises_attacks=False,
    extra_attacks=ExtraAttacks.ANYTHING,
    torrent_fires_indirectly=True,
    torrent_is_imprecise=True,
    torrent_ignores_snap=True,
    indirect_flat=False,
    heavy_needs_distance=True,
    engaged_penalties_add=True,
    has_cleave=True,
    hazard_fails_on=2,
    hazard_harm=1,
    hazard_harm_sturdy=3,
    hazard_spills=True,
    hazard_destroys=False,
    rams_with_strength=False,
    ramming_hurts_itself=True,
    engagement_range=2,
    escape_is_hazard=True,
    attached_units_part=False,
)
_TENTH = Edition(
    key="10e",
    cover_worsens_skill=False,
    stealth_is_cover=False,
    skill_clamp=None,
    divide_first=True,
    sorted_saves=False,
    save_roll_cap=1,
    toughness_per_batch=False,
    devastating=Devastating.MORTALS_AFTER_UNIT,
    allocated_changes_spare_devastating=False,
    lethal_is_optional=False,
    psychic_ignores_modifiers=False,
    indirect_gates=(3, 3),
    indirect_hit=-1,
    indirect_forbids_rerolls=False,
    snap_forbids_rerolls=False,
    rerolls_one_die=False,
    plunging_improves_ap=True,
    rapid_fire_raises_attacks=True,
    extra_attacks=ExtraAttacks.BY_NAME,
    torrent_fires_indirectly=False,
    torrent_is_imprecise=False,
    torrent_ignores_snap=True,
    indirect_flat=False,
    heavy_needs_distance=False,
    engaged_penalties_add=False,
    has_cleave=False,
    hazard_fails_on=1,
    hazard_harm=3,
    hazard_harm_sturdy=3,
    hazard_spills=False,
    hazard_destroys=False,
    rams_with_strength=False,
    ramming_hurts_itself=False,
    engagement_range=1,
    escape_is_hazard=False,
    attached_units_part=True,
)
_TENTH_SEPTEMBER = replace(
    _TENTH,
    key="10e-2023-09",
    devastating=Devastating.UNSAVEABLE_DAMAGE,
    indirect_gates=(1, 1),
    extra_attacks=ExtraAttacks.NOTHING,
    torrent_fires_indirectly=True,
    hazard_destroys=True,
    rams_with_strength=True,
)
_TENTH_JUNE = replace(_TENTH_SEPTEMBER, key="10e-2023-06", devastating=Devastating.SPILLING_MORTALS)

EDITIONS = {e.key: e for e in (_ELEVENTH, _TENTH, _TENTH_SEPTEMBER, _TENTH_JUNE)}


def edition(key: str) -> Edition:
    """The rule state of that name.

    Raises:
        ValueError: naming the four that exist.

    >>> edition("9e")
    Traceback (most recent call last):
    ...
    ValueError: no rules for edition '9e'; there are 11e, 10e, 10e-2023-09, 10e-2023-06
    """
    try:
        return EDITIONS[key]
    except (KeyError, TypeError):
        known = ", ".join(EDITIONS)
        raise ValueError(f"no rules for edition {key!r}; there are {known}") from None

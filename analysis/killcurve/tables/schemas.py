"""The contract of every table: columns, types, and rules that read as sentences.

Names are as printed; ``faction`` and ``datasheet`` together name a unit. Every row says where
it comes from: ``source``, ``edition`` (``10e`` or ``11e``) and ``version`` of the source.
"""

from __future__ import annotations

import dataframely as dy
import polars as pl

from killcurve.tables import sourced
from killcurve.tables.ability_schemas import UnitAbilities
from killcurve.tables.leader_schemas import LeaderAttachments
from killcurve.tables.origins import Origins
from killcurve.tables.roster_schemas import ROSTERS
from killcurve.tables.sourced import Sourced

DICE = r"^(\d*D[36](\+\d+)?|\d+)$"
KINDS = ("ranged", "melee")
EDITIONS = sourced.EDITIONS
SIDES = ("attacker", "defender", "both")
OPTION_KINDS = ("exchange", "carried", "limit")
FORCE_DISPOSITIONS = (
    "disruption",
    "priority assets",
    "purge the foe",
    "reconnaissance",
    "take and hold",
)
STATUSES = ("modelled", "partial", "unmodelled", "none", "unread")
"""How much of a rule is expressed as effects; ``unread`` is nobody having read it yet."""
SAYERS = sourced.SAYERS


class Factions(Sourced):
    """Armies; ``parent`` is the faction whose datasheets it also uses."""

    faction = dy.String(primary_key=True, min_length=1)
    parent = dy.String(nullable=True)


class Datasheets(Sourced):
    """Units. ``note`` says what a reader must know of the row, such as a missing stat line."""

    faction = dy.String(primary_key=True, min_length=1)
    datasheet = dy.String(primary_key=True, min_length=1)
    role = dy.String(nullable=True)
    legends = dy.Bool()
    models_min = dy.Integer(min=1, nullable=True)
    models_max = dy.Integer(min=1, nullable=True)
    transport_capacity = dy.Integer(min=0, nullable=True)
    note = dy.String(nullable=True)


class Models(Sourced):
    """Stat lines. ``move`` is in inches, ``save`` 7 means none.

    ``invulnerable_save_against`` is ``ranged`` or ``melee`` where it is limited to those.
    """

    faction = dy.String(primary_key=True, min_length=1)
    datasheet = dy.String(primary_key=True, min_length=1)
    model = dy.String(primary_key=True, min_length=1)
    move = dy.Integer(min=0, nullable=True)
    toughness = dy.Integer(min=1, max=20)
    save = dy.Integer(min=2, max=7)
    invulnerable_save = dy.Integer(min=2, max=6, nullable=True)
    invulnerable_save_against = dy.Enum(KINDS, nullable=True)
    wounds = dy.Integer(min=1, max=100)
    leadership = dy.Integer(min=2, max=12, nullable=True)
    objective_control = dy.Integer(min=0, nullable=True)

    @dy.rule()
    def a_limited_invulnerable_save_has_a_value(cls) -> pl.Expr:
        """``against`` goes with a value."""
        return (
            pl.col("invulnerable_save_against").is_null()
            | pl.col("invulnerable_save").is_not_null()
        )


class Weapons(Sourced):
    """Weapon profiles, one row each.

    ``weapon`` is the name, ``profile`` the name of one of several profiles (else empty); the
    profiles of one ``weapon_id`` and ``kind`` exclude each other (``exclusive``). ``range`` is
    in inches, 0 for melee. ``attacks`` and ``damage`` are dice expressions, ``skill`` is BS or
    WS, null where attacks hit by themselves. ``ap`` is 0 or negative.
    """

    faction = dy.String(primary_key=True, min_length=1)
    datasheet = dy.String(primary_key=True, min_length=1)
    weapon_id = dy.String(primary_key=True, min_length=1)
    profile = dy.String(primary_key=True)
    kind = dy.Enum(KINDS, primary_key=True)
    weapon = dy.String(min_length=1)
    exclusive = dy.Bool()
    range = dy.Integer(min=0)
    attacks = dy.String(regex=DICE)
    skill = dy.Integer(min=2, max=6, nullable=True)
    strength = dy.String(regex=DICE)
    ap = dy.Integer(min=-10, max=0)
    damage = dy.String(regex=DICE)
    keywords = dy.List(dy.String())

    @dy.rule()
    def a_weapon_without_skill_is_torrent(cls) -> pl.Expr:
        """Attacks without BS or WS hit by themselves."""
        return pl.col("skill").is_not_null() | pl.col("keywords").list.contains("torrent")


class WeaponKeywords(Sourced):
    """Weapon abilities, one row each, taken apart.

    ``amount`` is the X of ``sustained hits X``, ``threshold`` and ``subject`` those of
    ``anti-subject threshold+``. ``known`` is whether the toolkit knows the ability's rule.
    """

    faction = dy.String(primary_key=True, min_length=1)
    datasheet = dy.String(primary_key=True, min_length=1)
    weapon_id = dy.String(primary_key=True, min_length=1)
    profile = dy.String(primary_key=True)
    kind = dy.Enum(KINDS, primary_key=True)
    keyword = dy.String(primary_key=True, min_length=1)
    ability = dy.String(min_length=1)
    amount = dy.String(regex=DICE, nullable=True)
    threshold = dy.Integer(min=2, max=6, nullable=True)
    subject = dy.String(nullable=True)
    known = dy.Bool()


class Keywords(Sourced):
    """Keywords of units, in lower case."""

    faction = dy.String(primary_key=True, min_length=1)
    datasheet = dy.String(primary_key=True, min_length=1)
    keyword = dy.String(primary_key=True, min_length=1)
    is_faction = dy.Bool()


class Compositions(Sourced):
    """Which models a unit has: one row for each kind of model at each size (``tier`` 1, 2, …).

    ``statline`` is the ``model`` of the stat line it uses.
    """

    faction = dy.String(primary_key=True, min_length=1)
    datasheet = dy.String(primary_key=True, min_length=1)
    tier = dy.Integer(primary_key=True, min=1)
    model = dy.String(primary_key=True, min_length=1)
    statline = dy.String(nullable=True)
    count_min = dy.Integer(min=0)
    count_max = dy.Integer(min=0)


class DefaultWeapons(Sourced):
    """The weapons that one model of a kind carries by default, with how many of each."""

    faction = dy.String(primary_key=True, min_length=1)
    datasheet = dy.String(primary_key=True, min_length=1)
    model = dy.String(primary_key=True, min_length=1)
    weapon_id = dy.String(primary_key=True, min_length=1)
    count = dy.Integer(min=1)


class WargearOptions(Sourced):
    """What models may carry besides or instead of their default weapons, one option a row.

    Things are named as their weapon is (or by its ``weapon_id`` where two weapons of the unit
    have one name); other wargear has its printed name. ``kind`` says what the row is:

    - ``exchange``: a model gives ``replaces`` (nothing, for an addition) for one of ``choices``,
      each of them a thing or several joined by " + ". ``model`` is the kind of model that may,
      null for any. One model may do it ``each`` times (null is once), the unit ``times`` times
      for every ``per_models`` models and never more than ``at_most`` times (null is no such
      limit). It has all of ``needs`` and none of ``without`` then. ``together`` is that all
      those models do it, with the same choice, or none.
    - ``carried``: wargear without attacks in ``choices``, which each such model has by default.
    - ``limit``: of ``choices`` together one model has at most ``each``, and the unit at most
      ``times`` for every ``per_models`` models, and at most ``at_most``.
    - null: the option was not understood; only ``text`` tells what it is.

    ``text`` is the option as the user's own page words it; null in the embedded default.
    """

    faction = dy.String(primary_key=True, min_length=1)
    datasheet = dy.String(primary_key=True, min_length=1)
    option = dy.Integer(primary_key=True, min=1)
    kind = dy.Enum(OPTION_KINDS, nullable=True)
    model = dy.String(nullable=True)
    replaces = dy.List(dy.String())
    choices = dy.List(dy.String())
    each = dy.Integer(min=1, nullable=True)
    times = dy.Integer(min=1, nullable=True)
    per_models = dy.Integer(min=1, nullable=True)
    at_most = dy.Integer(min=1, nullable=True)
    needs = dy.List(dy.String(), nullable=True)
    without = dy.List(dy.String(), nullable=True)
    together = dy.Bool(nullable=True)
    text = dy.String(nullable=True)

    @dy.rule()
    def a_limit_for_every_so_many_models_says_how_many(cls) -> pl.Expr:
        """``times`` and ``per_models`` go together."""
        return pl.col("times").is_null() == pl.col("per_models").is_null()


class Points(Sourced):
    """What a unit costs: by size (``models`` to ``models_max``) and copy in the army.

    ``copies_to`` is null for "and all further ones" (``4th + unit``).
    """

    faction = dy.String(primary_key=True, min_length=1)
    datasheet = dy.String(primary_key=True, min_length=1)
    models = dy.Integer(primary_key=True, min=1)
    models_max = dy.Integer(min=1)
    copies_from = dy.Integer(primary_key=True, min=1)
    copies_to = dy.Integer(min=1, nullable=True)
    cost = dy.Integer(min=0)

    @dy.rule()
    def copies_run_upwards(cls) -> pl.Expr:
        """The last copy is not before the first."""
        return pl.col("copies_to").is_null() | (pl.col("copies_to") >= pl.col("copies_from"))


class AlliedPoints(Sourced):
    """What a unit costs in an army that is not of its own faction, where that differs.

    ``army`` is a faction (``Blood Angels`` for a unit of all Space Marines), or the keyword that
    every model of the army has (``Imperium``). The other columns are those of ``points``.
    """

    army = dy.String(primary_key=True, min_length=1)
    faction = dy.String(primary_key=True, min_length=1)
    datasheet = dy.String(primary_key=True, min_length=1)
    models = dy.Integer(primary_key=True, min=1)
    models_max = dy.Integer(min=1)
    copies_from = dy.Integer(primary_key=True, min=1)
    copies_to = dy.Integer(min=1, nullable=True)
    cost = dy.Integer(min=0)

    @dy.rule()
    def copies_run_upwards(cls) -> pl.Expr:
        """The last copy is not before the first."""
        return pl.col("copies_to").is_null() | (pl.col("copies_to") >= pl.col("copies_from"))


class WargearCosts(Sourced):
    """What is paid on top of a unit's points, each time the unit takes it.

    ``per`` is ``item`` for wargear, ``model`` for a model that is added to the unit.
    """

    faction = dy.String(primary_key=True, min_length=1)
    datasheet = dy.String(primary_key=True, min_length=1)
    item = dy.String(primary_key=True, min_length=1)
    cost = dy.Integer(min=0)
    per = dy.Enum(("item", "model"))


class Detachments(Sourced):
    """Detachments with their points, and what their rules do to attacks.

    An army has no two detachments with the same ``unique_tag`` (lower case, null for none).
    Here and in the other tables of rules ``status`` says how much of a rule is expressed,
    ``unread`` names what is not, and ``read_from`` who says it.
    """

    faction = dy.String(primary_key=True, min_length=1)
    detachment = dy.String(primary_key=True, min_length=1)
    detachment_points = dy.Integer(min=0, nullable=True)
    force_disposition = dy.Enum(FORCE_DISPOSITIONS, nullable=True)
    unique_tag = dy.String(nullable=True)
    rules = dy.List(dy.String())
    side = dy.Enum(SIDES, nullable=True)
    effects = dy.List(dy.String())
    status = dy.Enum(STATUSES)
    unread = dy.List(dy.String(), nullable=True)
    read_from = dy.Enum(SAYERS, nullable=True)


class Stratagems(Sourced):
    """Stratagems; a core one has no detachment (empty), nor a faction unless a page lists it.

    ``phase`` lists the phases it is used in, ``turn`` is ``your``, ``opponent`` or ``either``.
    ``effects`` are phrases of the effect language; ``side`` is whose attacks they change.
    ``used_by`` are the keywords of which its unit needs one, or several joined by " + ".
    """

    faction = dy.String(primary_key=True)
    detachment = dy.String(primary_key=True)
    name = dy.String(primary_key=True, min_length=1)
    cp = dy.Integer(min=0, max=5)
    type = dy.String(nullable=True)
    phase = dy.List(dy.String())
    turn = dy.Enum(("your", "opponent", "either"), nullable=True)
    used_by = dy.List(dy.String())
    side = dy.Enum(SIDES, nullable=True)
    effects = dy.List(dy.String())
    status = dy.Enum(STATUSES)
    unread = dy.List(dy.String(), nullable=True)
    read_from = dy.Enum(SAYERS, nullable=True)

    @dy.rule()
    def a_modelled_stratagem_has_effects(cls) -> pl.Expr:
        """Effects and status agree."""
        return (pl.col("status") == "modelled") == (
            (pl.col("effects").list.len() > 0) & (pl.col("status") != "partial")
        )


class Enhancements(Sourced):
    """Enhancements of a detachment; ``cost`` in points, null where none is printed.

    ``upgrade`` is whether it is tagged as an Upgrade: units that are no CHARACTER may take it.
    ``used_by`` are the keywords of which its bearer needs one, or several joined by " + ".
    """

    faction = dy.String(primary_key=True, min_length=1)
    detachment = dy.String(primary_key=True)
    name = dy.String(primary_key=True, min_length=1)
    cost = dy.Integer(min=0, nullable=True)
    upgrade = dy.Bool(nullable=True)
    used_by = dy.List(dy.String(), nullable=True)
    side = dy.Enum(SIDES, nullable=True)
    effects = dy.List(dy.String())
    status = dy.Enum(STATUSES)
    unread = dy.List(dy.String(), nullable=True)
    read_from = dy.Enum(SAYERS, nullable=True)


class Effects(Sourced):
    """Every effect phrase of the other tables, one row each, taken apart."""

    kind = dy.Enum(("stratagem", "enhancement", "detachment"), primary_key=True)
    faction = dy.String(primary_key=True)
    detachment = dy.String(primary_key=True)
    name = dy.String(primary_key=True, min_length=1)
    number = dy.Integer(primary_key=True, min=1)
    phrase = dy.String(min_length=1)
    what = dy.String(min_length=1)
    scope = dy.String(nullable=True)
    condition = dy.String(nullable=True)
    side = dy.Enum(SIDES, nullable=True)


class TargetProfiles(Sourced):
    """Standard targets: a unit at its smallest size, or at ``models`` models."""

    target = dy.String(primary_key=True, min_length=1)
    faction = dy.String(min_length=1)
    datasheet = dy.String(min_length=1)
    models = dy.Integer(min=1, nullable=True)
    number = dy.Integer(min=1)


class Texts(Sourced):
    """Rules texts from the user's own files; empty in the embedded default, never shared."""

    kind = dy.String(primary_key=True, min_length=1)
    faction = dy.String(primary_key=True, min_length=1)
    datasheet = dy.String(primary_key=True)
    detachment = dy.String(primary_key=True)
    name = dy.String(primary_key=True)
    number = dy.Integer(primary_key=True, min=1)
    text = dy.String()


SCHEMAS: dict[str, type[dy.Schema]] = {
    "factions": Factions,
    "datasheets": Datasheets,
    "models": Models,
    "weapons": Weapons,
    "weapon_keywords": WeaponKeywords,
    "keywords": Keywords,
    "compositions": Compositions,
    "default_weapons": DefaultWeapons,
    "wargear_options": WargearOptions,
    "leader_attachments": LeaderAttachments,
    "unit_abilities": UnitAbilities,
    "points": Points,
    "allied_points": AlliedPoints,
    "wargear_costs": WargearCosts,
    "detachments": Detachments,
    "stratagems": Stratagems,
    "enhancements": Enhancements,
    "effects": Effects,
    "target_profiles": TargetProfiles,
    "texts": Texts,
    "origins": Origins,
    **ROSTERS,
}
"""Every table by name."""

VERSION = 5
"""Raised whenever a schema changes: built tables of another version are built anew."""

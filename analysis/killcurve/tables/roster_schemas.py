"""The contracts of the tables of army lists: what a list prints, and where it belongs.

``roster`` is the name that the user's file has; titles of lists and names of players are not
kept. ``unit`` numbers the units of a list from 1, in its order; ``group`` the groups of equal
models within a unit, 0 for what the list gives to the unit as a whole.
"""

from __future__ import annotations

import dataframely as dy
import polars as pl

from killcurve.tables.sourced import EDITIONS, Sourced

DICE = r"^(\d*D[36](\+\d+)?|\d+)$"
KINDS = ("ranged", "melee")
ROLES = ("leader", "support", "bodyguard")
READ_AS = ("weapon", "wargear", "unknown")


class Rosters(Sourced):
    """Army lists, one row each.

    ``edition`` is that of the datasheets it is joined to, ``list_edition`` what the list itself
    tells, if it does. ``form`` is the kind of list that the file holds, ``data_version`` that
    of the app which wrote it. ``faction`` and ``detachments`` are the dataset's names where it
    has them, else as printed. ``points_printed`` is the total that the list prints,
    ``points_units`` the sum of what it prints for its units (with enhancements, where they are
    printed apart), ``points_dataset`` the sum of the dataset's prices, null where one is
    unknown.
    """

    roster = dy.String(primary_key=True, min_length=1)
    form = dy.String(min_length=1)
    list_edition = dy.Enum(EDITIONS, nullable=True)
    data_version = dy.String(nullable=True)
    faction = dy.String(nullable=True)
    detachments = dy.List(dy.String())
    force_dispositions = dy.List(dy.String())
    points_printed = dy.Integer(min=0, nullable=True)
    points_limit = dy.Integer(min=0, nullable=True)
    points_units = dy.Integer(min=0, nullable=True)
    points_dataset = dy.Integer(min=0, nullable=True)
    units = dy.Integer(min=0)


class RosterUnits(Sourced):
    """The units of lists. ``printed`` is the list's name of a unit, null with its datasheet.

    ``points_printed`` is what the list prints for the unit, its enhancement included;
    ``points_dataset`` what the dataset asks for that size and ``copy`` with its wargear and
    enhancement. ``enhancement_points`` are those that the list prints, else the dataset's.
    ``attached_to`` is the number of the unit that a leader or support is attached
    to. Several enhancements are joined by " + ". ``line`` is where the unit stands in the file.
    """

    roster = dy.String(primary_key=True, min_length=1)
    unit = dy.Integer(primary_key=True, min=1)
    printed = dy.String(min_length=1)
    faction = dy.String(nullable=True)
    datasheet = dy.String(nullable=True)
    models = dy.Integer(min=1, nullable=True)
    copy = dy.Integer(min=1, nullable=True)
    points_printed = dy.Integer(min=0, nullable=True)
    points_dataset = dy.Integer(min=0, nullable=True)
    enhancement = dy.String(nullable=True)
    enhancement_points = dy.Integer(min=0, nullable=True)
    warlord = dy.Bool()
    attached_as = dy.Enum(ROLES, nullable=True)
    attached_to = dy.Integer(min=1, nullable=True)
    line = dy.Integer(min=1, nullable=True)
    note = dy.String(nullable=True)

    @dy.rule()
    def a_placed_unit_has_a_faction_and_a_datasheet(cls) -> pl.Expr:
        """They go together."""
        return pl.col("faction").is_null() == pl.col("datasheet").is_null()


class RosterModels(Sourced):
    """The models of the units of lists: one row for each group of equal models.

    ``model`` is the kind of model of the dataset's composition, null where it has none of this
    name.
    """

    roster = dy.String(primary_key=True, min_length=1)
    unit = dy.Integer(primary_key=True, min=1)
    group = dy.Integer(primary_key=True, min=1)
    printed = dy.String(min_length=1)
    model = dy.String(nullable=True)
    count = dy.Integer(min=1)


class RosterWeapons(Sourced):
    """What the models of lists carry: one row for each thing of a group of models.

    ``count`` is for the whole group. ``weapon_id`` is that of the datasheet's weapon, null for
    other wargear and for what is not found; ``profile_id`` that in ``roster_profiles``, where
    the list itself holds profiles. ``is_default`` is whether the list names none of the group's
    weapons, so that they are the datasheet's default ones.
    """

    roster = dy.String(primary_key=True, min_length=1)
    unit = dy.Integer(primary_key=True, min=1)
    group = dy.Integer(primary_key=True, min=0)
    item = dy.Integer(primary_key=True, min=1)
    printed = dy.String(min_length=1)
    weapon_id = dy.String(nullable=True)
    profile_id = dy.String(nullable=True)
    read_as = dy.Enum(READ_AS)
    count = dy.Integer(min=1)
    is_default = dy.Bool()


class RosterStatLines(Sourced):
    """Stat lines that a list holds itself, in the columns of ``models``."""

    roster = dy.String(primary_key=True, min_length=1)
    unit = dy.Integer(primary_key=True, min=1)
    model = dy.String(primary_key=True, min_length=1)
    move = dy.Integer(min=0, nullable=True)
    toughness = dy.Integer(min=1, max=20)
    save = dy.Integer(min=2, max=7)
    invulnerable_save = dy.Integer(min=2, max=6, nullable=True)
    invulnerable_save_against = dy.Enum(KINDS, nullable=True)
    wounds = dy.Integer(min=1, max=100)
    leadership = dy.Integer(min=2, max=12, nullable=True)
    objective_control = dy.Integer(min=0, nullable=True)


class RosterProfiles(Sourced):
    """Weapon profiles that a list holds itself, in the columns of ``weapons``."""

    roster = dy.String(primary_key=True, min_length=1)
    unit = dy.Integer(primary_key=True, min=1)
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


class RosterUnplaced(Sourced):
    """What of a list has no place, one row each, with the nearest names there are.

    ``text`` is null for lines of the heading, which may name people.
    """

    roster = dy.String(primary_key=True, min_length=1)
    number = dy.Integer(primary_key=True, min=1)
    unit = dy.Integer(min=1, nullable=True)
    line = dy.Integer(min=1, nullable=True)
    text = dy.String(nullable=True)
    reason = dy.String(min_length=1)
    nearest = dy.List(dy.String())


ROSTERS: dict[str, type[dy.Schema]] = {
    "rosters": Rosters,
    "roster_units": RosterUnits,
    "roster_models": RosterModels,
    "roster_weapons": RosterWeapons,
    "roster_stat_lines": RosterStatLines,
    "roster_profiles": RosterProfiles,
    "roster_unplaced": RosterUnplaced,
}
"""The tables of army lists by name; every one has the column ``roster``."""

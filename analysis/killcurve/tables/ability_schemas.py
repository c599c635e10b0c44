"""The contract of the table of what units' own abilities do."""

from __future__ import annotations

import dataframely as dy
import polars as pl

from killcurve.tables.sourced import SAYERS, Sourced

ABILITY_KINDS = ("core", "faction", "datasheet", "wargear")
ONCE_PER = ("battle", "turn", "phase")
PHASES = ("shooting", "fight")
SIDES = ("attacker", "defender", "both")
STATUSES = ("modelled", "partial", "unmodelled", "none", "unread")


class UnitAbilities(Sourced):
    """Abilities of datasheets, one row each, with what they do to attacks.

    ``kind`` is ``core`` (Feel No Pain, Stealth, …), ``faction`` (the army's rule), ``datasheet``
    (the unit's own) or ``wargear`` (of something that it may carry). ``model`` is the model that
    has it, null for all. ``gift`` is whether the unit that the bearer leads has the effects, too;
    ``aura`` how many inches around the unit others have them. ``once_per`` is how often it can be
    used where that is limited (a battle round counts as a turn). ``effects`` are phrases of the
    effect language, ``side`` is whose attacks they change, ``phases`` (``shooting``, ``fight``)
    when; ``unread`` names what is not expressed.
    """

    faction = dy.String(primary_key=True, min_length=1)
    datasheet = dy.String(primary_key=True, min_length=1)
    ability = dy.String(primary_key=True, min_length=1)
    kind = dy.Enum(ABILITY_KINDS)
    model = dy.String(nullable=True)
    gift = dy.Bool()
    aura = dy.Integer(min=1, nullable=True)
    once_per = dy.Enum(ONCE_PER, nullable=True)
    side = dy.Enum(SIDES, nullable=True)
    phases = dy.List(dy.Enum(PHASES))
    effects = dy.List(dy.String())
    status = dy.Enum(STATUSES)
    unread = dy.List(dy.String())
    read_from = dy.Enum(SAYERS, nullable=True)

    @dy.rule()
    def a_modelled_ability_has_effects_and_nothing_unread(cls) -> pl.Expr:
        """Effects and status agree."""
        has, left = pl.col("effects").list.len() > 0, pl.col("unread").list.len() > 0
        modelled = pl.col("status") == "modelled"
        return (modelled == (has & ~left)) & ((pl.col("status") == "partial") == (has & left))

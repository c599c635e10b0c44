"""Loadouts: which models of a unit carry which weapons, and what the unit then costs."""

from killcurve.study.loadouts.legal import (
    Loadouts,
    custom_loadout,
    default_loadout,
    legal_loadouts,
)
from killcurve.study.loadouts.value import Group, Loadout

__all__ = [
    "Group",
    "Loadout",
    "Loadouts",
    "custom_loadout",
    "default_loadout",
    "legal_loadouts",
]

"""Army lists in play: their units, what they do by target and range, and how often over."""

from killcurve.study.armies.attacking import EDGES, LEFT_OUT, bands
from killcurve.study.armies.output import output, panel, weakest
from killcurve.study.armies.redundancy import redundancy
from killcurve.study.armies.units import Army, ArmyUnit, army, datasheet_in_play, unit_table

__all__ = [
    "EDGES",
    "LEFT_OUT",
    "Army",
    "ArmyUnit",
    "army",
    "bands",
    "datasheet_in_play",
    "output",
    "panel",
    "redundancy",
    "unit_table",
    "weakest",
]

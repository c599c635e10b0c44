"""Fetching sources when a person asks for it, politely; nothing else here uses the network."""

from killcurve.sources.fetching.fetching import (
    fetch,
    fetch_bsdata,
    fetch_points,
    fetch_wahapedia,
    settle,
)
from killcurve.sources.fetching.manifest import MANIFEST
from killcurve.sources.fetching.plans import Item, Plan, bsdata, points, wahapedia
from killcurve.sources.fetching.run import Fetched
from killcurve.sources.fetching.transport import AGENT, POLITE, Manners

__all__ = [
    "AGENT",
    "MANIFEST",
    "POLITE",
    "Fetched",
    "Item",
    "Manners",
    "Plan",
    "bsdata",
    "fetch",
    "fetch_bsdata",
    "fetch_points",
    "fetch_wahapedia",
    "points",
    "settle",
    "wahapedia",
]

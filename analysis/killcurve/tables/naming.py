"""By which names sources call the same thing: factions, units, rules of detachments."""

from __future__ import annotations

import re
from functools import lru_cache

from killcurve.rules.spelling import normal

SAME_FACTION = {
    "space marines": "adeptus astartes",
    "imperial agents": "agents of the imperium",
}
"""Factions that sources call by two names, in normal form; the second is the one compared."""

MANY = 1 << 16
"""More than there are names in all sources of an edition: each is put in its form once."""

_LEGENDS = re.compile(r"[\[(](?:legends|legendary)[\])]")
_TAGS = re.compile(r"(?: \((?:aura|psychic|upgrade)\))+$")
_SPELT = {"armor": "armour", "defense": "defence"}
_SPELLING = re.compile("|".join(_SPELT))


@lru_cache(maxsize=MANY)
def faction_key(name: str) -> str:
    """The form in which names of factions are compared.

    >>> faction_key("Space Marines") == faction_key("ADEPTUS ASTARTES")
    True
    >>> faction_key("Emperor’s Children")
    "emperor's children"
    """
    wanted = normal(name)
    return SAME_FACTION.get(wanted, wanted)


@lru_cache(maxsize=MANY)
def name_key(name: str) -> str:
    """The form in which names of units and detachments are compared: their normal form."""
    return normal(name)


@lru_cache(maxsize=MANY)
def loose_key(name: str) -> str:
    """A form in which spelling, spaces, hyphens and plurals do not count either.

    >>> loose_key("Rukkatrukk Squigbuggies") == loose_key("Rukkatrukk Squigbuggy")
    True
    >>> loose_key("Tarantula Air-Defense Battery [Legends]")
    'tarantulaairdefencebatterylegend'
    >>> loose_key("Hell Blade") == loose_key("Hellblade")
    True
    """
    name = _LEGENDS.sub("legends", normal(name))
    name = _SPELLING.sub(lambda found: _SPELT[found[0]], name)
    letters = "".join(c for c in name if c.isalnum())
    return re.sub(r"ie$", "y", re.sub(r"s+$", "", letters)) or letters


@lru_cache(maxsize=MANY)
def rule_key(name: str) -> str:
    """The form in which names of stratagems and enhancements are compared: tags do not count.

    >>> rule_key("Show-Off (Aura) (Upgrade)")
    'show off'
    """
    return _TAGS.sub("", normal(name)).replace("-", " ")

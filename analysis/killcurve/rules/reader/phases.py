"""In which phases a rule changes attacks: shooting, fight, both, or neither."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from killcurve.rules.reader.places import Found
from killcurve.rules.reader.sections import Sections

SHOOTING = "shooting"
FIGHT = "fight"
BOTH = (SHOOTING, FIGHT)

_LASTS = re.compile(
    r"\buntil the (?:end of the battle|start of your next|start of the next|end of your opponent's|"
    r"end of your next)\b",
    re.I,
)
_BESIDE = ("mortal wounds", "heal", "return", "tank shock", "crushing impact", "explosives")


def phases_of(parts: Sections, named: Collection[str], found: Sequence[Found]) -> tuple[str, ...]:
    """The phases of what was found; ``named`` are those that the text of the effect names."""
    if parts.is_stratagem:
        when = " ".join(line.text for line in parts.when)
        named = _named(re.split(r", (?:just|when|if|after|before|while)\b", when)[0])
    attack = tuple(phase for phase in BOTH if phase in named)
    of_attacks = [one for one in found if not one.phrase.startswith(_BESIDE)]
    if not of_attacks:
        lasting = not parts.is_stratagem or "ntil the " in _effect(parts)
        return attack or (BOTH if lasting and not found else ())
    kinds = {_kind(one) for one in of_attacks}
    if kinds == {"ranged"} or any(one.phrase.startswith("snap shooting") for one in found):
        return (SHOOTING,)
    if kinds == {"melee"}:
        return (FIGHT,)
    return _in_time(parts, set(named), attack)


def _in_time(parts: Sections, named: set[str], attack: tuple[str, ...]) -> tuple[str, ...]:
    """The phases of an effect on attacks of any kind, by when it begins and how long it lasts."""
    lasts = _LASTS.search(_effect(parts))
    if attack and not lasts:
        return attack
    return (FIGHT,) if named == {"charge"} and not lasts else BOTH


def _effect(parts: Sections) -> str:
    return " ".join(line.text for line in parts.effect)


def _kind(found: Found) -> str | None:
    """``ranged`` or ``melee`` if it changes only such attacks."""
    if found.phrase.endswith(" against ranged") or found.scope in ("torrent", "rapid fire"):
        return "ranged"
    return "melee" if found.phrase.endswith(" against melee") else found.ranged


def _named(text: str) -> set[str]:
    """The phases that a text names.

    >>> sorted(_named("Your Shooting phase or the Fight phase")), sorted(_named("Any phase"))
    (['fight', 'shooting'], ['fight', 'shooting'])
    """
    low = text.lower()
    found = {p for p in ("command", "movement", "shooting", "charge", "fight") if p in low}
    return found | (set(BOTH) if "any phase" in low else set())

"""Things that units and weapons have or get back, as effects."""

from __future__ import annotations

from killcurve.rules.abilities import Ability
from killcurve.rules.reader.changes import OF_ATTACKS, OF_MODELS, is_number, setting, shift
from killcurve.rules.reader.heads import Grant, Head
from killcurve.rules.reader.places import ATTACKER, DEFENDER, Found, NotRead, Place, at
from killcurve.rules.reader.sides import ENEMY, OWN

_UNBRACKETED = frozenset(
    {
        *(
            "lethal hits",
            "devastating wounds",
            "ignores cover",
            "precision",
            "lance",
            "twin-linked",
        ),
        *("torrent", "blast", "assault", "heavy", "hazardous", "pistol", "psychic"),
        *("indirect fire", "extra attacks"),
    }
)
"""Weapon abilities that texts also print without brackets."""


def granted(head: Head, place: Place) -> list[Found]:
    """``have the [LANCE] ability``, ``have +1 S``, ``has a 4+ invulnerable save``."""
    return [one for grant in head.grants for one in _GRANTS[grant.kind](grant, place)]


def _ability(grant: Grant, place: Place) -> list[Found]:
    enemys = place.kind == "attacks" and place.attacker == ENEMY
    ours = place.kind in ("attacked", "allocated") and place.attacked == OWN
    if place.critical or place.side == ENEMY or ((enemys or ours) and not place.own_weapons):
        raise NotRead(grant.value)
    try:
        ability = Ability.parse(grant.value)
    except ValueError:
        raise NotRead(grant.value) from None
    if ability.name == "damaged" or not ability.is_known:
        raise NotRead(grant.value)
    return [at(place, str(ability), ATTACKER)]


def _unbracketed(grant: Grant, place: Place) -> list[Found]:
    return _ability(grant, place) if grant.value.lower() in _UNBRACKETED else []


def _shifted(grant: Grant, place: Place) -> list[Found]:
    if grant.sign:
        return shift(grant.value, grant.sign[0], grant.sign[1:].rstrip('"').upper(), place)
    if grant.value in (OF_ATTACKS | OF_MODELS | {"damage roll"}) - {"wounds", "range"}:
        raise NotRead(grant.value)
    return []  # "3 wounds remaining"


def _set(grant: Grant, place: Place) -> list[Found]:
    return setting(grant.value, grant.sign.removeprefix("= "), place)


def _hidden(grant: Grant, place: Place) -> list[Found]:
    if place.side == ENEMY or place.critical:
        raise NotRead(grant.kind)
    return [at(place, grant.kind, DEFENDER)]


def _protection(grant: Grant, place: Place) -> list[Found]:
    if place.side == ENEMY or place.critical:
        raise NotRead(grant.kind)
    found = []
    for limit in grant.against or ("",):
        against = limit
        if not limit and place.kind in ("attacked", "allocated"):
            against = place.ranged or ""
        if limit != "other":
            text = f"{grant.kind} {grant.value}+" + (f" against {against}" if against else "")
            found.append(at(place, text, DEFENDER, scope=False))
    if "other" in grant.against:
        raise NotRead(grant.kind, tuple(found))
    return found


_GRANTS = {
    "ability": _ability,
    "other": _unbracketed,
    "shift": _shifted,
    "set": _set,
    "stealth": _hidden,
    "cover": _hidden,
    "invulnerable": _protection,
    "feel no pain": _protection,
}


def healed(head: Head, place: Place) -> list[Found]:
    """``regains up to D3 lost wounds``."""
    if place.side == ENEMY:
        raise NotRead("heal")
    return [at(place, f"heal {head.amount}", DEFENDER, scope=False)]


def returned(head: Head, place: Place) -> list[Found]:
    """``return D3 destroyed models to that unit``."""
    if not is_number(head.amount):
        raise NotRead("return")
    return [at(place, f"return {head.amount} models", DEFENDER, scope=False)]

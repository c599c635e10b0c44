"""Transports: what passengers add to their fire, and what the data tells of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from killcurve.engine.dice import Dice
from killcurve.rules.effects import Effect, Shift
from killcurve.rules.spelling import normal
from killcurve.study.arming import Use, has, in_words, usable
from killcurve.study.fielding import Carried, Fielded
from killcurve.study.matchup import Circumstances
from killcurve.study.striking import Striker
from killcurve.tables.dataset import DataError, Dataset


@dataclass(frozen=True, slots=True)
class PassengerBonus:
    """What each passenger with a keyword does for the transport.

    >>> PassengerBonus.parse('wracks: attacks +1 for "Bladevanes and chainsnares"').keyword
    'wracks'
    """

    keyword: str
    effect: Effect

    @classmethod
    def parse(cls, text: str) -> PassengerBonus:
        """Read ``keyword: effect``.

        Raises:
            DataError: if it has another form, or the effect is not a certain change.
        """
        keyword, colon, phrase = text.partition(":")
        if not colon or not keyword.strip():
            raise DataError(
                f"{text!r} is no bonus of passengers: write a keyword, a colon and an effect for "
                "each of them, such as 'wracks: attacks +1 for \"Bladevanes and chainsnares\"'"
            )
        try:
            effect = Effect.parse(phrase.strip())
        except ValueError as error:
            raise DataError(str(error)) from None
        if not _adds_up(effect):
            raise DataError(f"'{effect}' cannot be had several times: only a certain change can")
        return cls(normal(keyword), effect)

    def times(self, number: int) -> Effect:
        """The effect of so many passengers (1 or more)."""
        shift = self.effect.amount
        assert isinstance(shift, Shift)
        return replace(self.effect, amount=replace(shift, by=Dice(bonus=shift.by.bonus * number)))


def _adds_up(effect: Effect) -> bool:
    shift = effect.amount
    return isinstance(shift, Shift) and shift.by.is_fixed and shift.sign != "="


KNOWN_BONUSES = {
    ("drukhari", "raider"): ('wracks: attacks +1 for "Bladevanes and chainsnares"',),
}
"""Bonuses that datasheets name, by faction and datasheet."""


def known_bonuses(transport: Fielded) -> tuple[PassengerBonus, ...]:
    """The bonuses that are known of a transport."""
    key = transport.faction.casefold(), transport.datasheet.casefold()
    return tuple(PassengerBonus.parse(text) for text in KNOWN_BONUSES.get(key, ()))


def with_bonuses(
    how: Circumstances, passengers: Sequence[Fielded], bonuses: Sequence[PassengerBonus]
) -> Circumstances:
    """The circumstances of a transport's attacks with what its passengers give it."""
    effects = []
    for bonus in bonuses:
        number = sum(unit.models for unit in passengers if bonus.keyword in unit.keywords)
        if number:
            effects.append(bonus.times(number))
    return how.helped(effects, "attacker")


def core_number(dataset: Dataset, unit: Fielded, ability: str, option: str) -> str:
    """The X of a core ability of a unit (``Firing Deck X``), as the user's own pages have it.

    Raises:
        DataError: if the data does not tell; it names ``option``, by which it can be stated.
    """
    texts = dataset.of_unit("texts", unit.faction, unit.datasheet)
    for kind, name, text in texts.select("kind", "name", "text").rows():
        if kind == "core ability" or normal(name).startswith(normal(ability)):
            found = re.search(rf"{ability}:? (\d*D[36](?:\+\d+)?|\d+)", f"{name} {text}", re.I)
            if found:
                return found[1]
    raise DataError(
        f"the data does not tell the {ability} of {unit.name} ({unit.faction}): give it with "
        f"{option}, or import a page of it"
    )


def capacity(dataset: Dataset, transport: Fielded) -> int:
    """How many models a transport may carry.

    Raises:
        DataError: if the data has no transport capacity of it.
    """
    sheet = dataset.of_unit("datasheets", transport.faction, transport.datasheet)
    value = None if sheet.is_empty() else sheet["transport_capacity"][0]
    if value is None:
        raise DataError(
            f"the data has no transport capacity of {transport.name} ({transport.faction}): is "
            "it a transport? State it with --capacity, or import a source that has it"
        )
    return int(value)


def check_capacity(room: int, passengers: Sequence[Fielded], spaces: int = 1) -> None:
    """See that passengers fit in; each model takes so many ``spaces``.

    Raises:
        DataError: if they do not.
    """
    models = sum(unit.models for unit in passengers)
    if models * spaces > room:
        names = ", ".join(f"{unit.models} {unit.name}" for unit in passengers)
        raise DataError(
            f"{names} take {models * spaces} spaces and there are {room}; embark fewer models"
        )


def on_deck(
    transport: Fielded,
    passengers: Sequence[Fielded],
    target: Fielded,
    deck: int,
    how: Circumstances = Circumstances(),
    *,
    distance: float | None = None,
) -> Fielded:
    """The transport with the weapons that passengers fire from its Firing Deck.

    Up to ``deck`` models lend one ranged weapon each, those that do most damage to the target
    (on average, fired by the transport); One Shot weapons cannot be lent.

    >>> import killcurve
    >>> from killcurve.study.mustering import fielded
    >>> data = killcurve.load()
    >>> boat, crew = fielded(data, "Raider"), fielded(data, "Kabalite Warriors")
    >>> armed = on_deck(boat, [crew], fielded(data, "Intercessor Squad"), 3)
    >>> sum(c.count for c in armed.ranks[0].weapons) - sum(c.count for c in boat.ranks[0].weapons)
    3
    """
    use = Use(ranged=True, distance=distance)
    offered: list[tuple[float, int, Carried]] = []
    for unit in passengers:
        for rank in unit.ranks:
            lent = [replace(c, count=1) for c in rank.weapons if not has(c, "one shot")]
            worth = {
                c: _worth(transport, c, target, use, how)
                for c in lent
                if usable(transport, c, target.keywords, use)
            }
            if worth:
                best = max(worth, key=lambda c: worth[c])
                offered += [(worth[best], rank.count, best)]
    weapons = list(transport.ranks[0].weapons)
    left = deck
    for _, models, carried in sorted(offered, key=lambda offer: -offer[0]):
        count = min(left, models)
        if count:
            line = replace(carried.line, exclusive=False)
            weapon_id = f"{carried.weapon_id} ({line.profile}, passengers)"
            weapons.append(replace(carried, weapon_id=weapon_id, line=line, count=count))
        left -= count
    first = replace(transport.ranks[0], weapons=tuple(weapons))
    return replace(transport, ranks=(first, *transport.ranks[1:]))


def _worth(
    transport: Fielded, carried: Carried, target: Fielded, use: Use, how: Circumstances
) -> float:
    """The mean damage of one such weapon fired by the transport."""
    rank = replace(transport.ranks[0], count=1, weapons=(carried,))
    striker = Striker(replace(transport, ranks=(rank,)), target, use, how)
    return target.space.damage(striker.strike()).mean


FIRE: dict[str, pl.DataType] = {
    "transport": pl.String(),
    "passengers": pl.String(),
    "target": pl.String(),
    "phase": pl.String(),
    "weapons": pl.List(pl.String()),
    "damage": pl.Float64(),
    "damage_without": pl.Float64(),
    "slain": pl.Float64(),
    "destroyed": pl.Float64(),
    "destroyed_without": pl.Float64(),
    "points_removed": pl.Float64(),
    "points_removed_without": pl.Float64(),
    "unmodelled": pl.List(pl.String()),
}
"""What :func:`transport_fire` gives: shooting and fighting, with passengers and without."""


def transport_fire(
    transport: Fielded,
    passengers: Sequence[Fielded],
    target: Fielded,
    deck: int,
    how: Circumstances = Circumstances(),
    bonuses: Sequence[PassengerBonus] = (),
    *,
    distance: float | None = None,
) -> pl.DataFrame:
    """What a transport does to a target with its passengers, and empty; columns are :data:`FIRE`.

    One row a phase in which it has weapons.
    """
    helped = with_bonuses(how, passengers, bonuses)
    rows = []
    for ranged in (True, False):
        use = Use(ranged, distance if ranged else None)
        armed = transport
        if ranged and deck:
            armed = on_deck(transport, passengers, target, deck, helped, distance=distance)
        full, empty = Striker(armed, target, use, helped), Striker(transport, target, use, how)
        if any(full.arms):
            rows.append(_fire_row(full, empty, passengers))
    return pl.DataFrame(rows, schema=FIRE)


def _fire_row(full: Striker, empty: Striker, passengers: Sequence[Fielded]) -> dict[str, Any]:
    space, each = full.enemy.space, full.enemy.points_per_model
    laws = [striker.strike() for striker in (full, empty)]
    slain = [space.slain(law).mean for law in laws]
    removed = [None if each is None else number * each for number in slain]
    return {
        "transport": full.unit.name,
        "passengers": ", ".join(f"{unit.models} {unit.name}" for unit in passengers),
        "target": full.enemy.name,
        "phase": "shooting" if full.use.ranged else "fight",
        "weapons": in_words(full.unit, full.arms),
        "damage": space.damage(laws[0]).mean,
        "damage_without": space.damage(laws[1]).mean,
        "slain": slain[0],
        "destroyed": float(laws[0][space.destroyed]),
        "destroyed_without": float(laws[1][space.destroyed]),
        "points_removed": removed[0],
        "points_removed_without": removed[1],
        "unmodelled": list(dict.fromkeys((*full.unmodelled, *empty.unmodelled))),
    }

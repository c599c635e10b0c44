"""Devastating wounds that wait until their unit has made all its attacks (RULES.md §6.4)."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

import numpy as np

from killcurve.engine.decisions.bound import Bound
from killcurve.engine.decisions.game import Game
from killcurve.engine.decisions.links import Chain, Link, Row, Select, Shift
from killcurve.engine.decisions.meters import LineMeters, Metered
from killcurve.engine.decisions.packets import Packets
from killcurve.engine.decisions.tape import Situation
from killcurve.engine.parts import parts
from killcurve.engine.pmf import FloatArray
from killcurve.engine.shot import Shot
from killcurve.engine.weapon import Rolled, WeaponLine

MOST_CELLS = 2_000_000
"""Numbers that one situation may hold; more are refused."""


class Kind(NamedTuple):
    """Wounds that are dealt alike, and what may be chosen about them."""

    shot: Shot
    precision: int | None
    rights: tuple[object, ...]


class Waiting:
    """The devastating wounds of a volley that wait: an axis for each line and kind.

    ``lost`` are the wounds that the target has lost, by state.

    Raises:
        ValueError: if there are too many of them to choose among what may come.
    """

    def __init__(
        self, game: Game, bound: Bound, meters: Sequence[LineMeters], lost: FloatArray
    ) -> None:
        self._game = game
        self._bound = bound
        self._meters = meters
        self._lost = lost
        self._sizes: dict[tuple[int, Kind], int] = {}
        for i, line in enumerate(game.volley.lines):
            for part in parts(game.volley, line, per_attack=True):
                most = _most_hits(part.shot)
                if most:
                    key = i, _kind(line, part.shot)
                    self._sizes[key] = max(self._sizes.get(key, 0), most + 1)
        cells = prod(self._sizes.values()) * 2 ** len(game.rights.all) * len(lost)
        if cells > MOST_CELLS:
            raise ValueError(
                "too many devastating wounds wait until the unit has attacked to choose among "
                "what may come; take fewer attacks, or leave the choice out"
            )

    @property
    def none(self) -> Link:
        """The link into axes that all begin at nought."""
        return Chain(tuple(Select(0, size) for size in reversed(self._sizes.values())))

    def one_more(self, line: int, shot: Shot) -> Link:
        """One more wound of the line waits."""
        kind = _kind(self._game.volley.lines[line], shot)
        return Shift(list(self._sizes).index((line, kind)), 1)

    def dealt(self, after: Situation) -> Situation:
        """The situation with those axes, from the one after the wounds are dealt.

        They are dealt kind by kind in the order in which the kinds came up.
        """
        kinds = list(dict.fromkeys(kind for _, kind in self._sizes))
        keys = sorted(self._sizes, key=lambda key: kinds.index(key[1]))
        now = after
        for i, (line, kind) in reversed(list(enumerate(keys))):
            size, damage = self._sizes[line, kind], self._meters[line].damage
            rows = [self._game.tape.chance([(Metered(damage, self._lost), now)])]
            for _ in range(size - 1):
                rows.append(self._one(rows[-1], kind, self._game.volley.lines[line]))
            later = sorted([(line, kind), *keys[i + 1 :]], key=list(self._sizes).index)
            axis = later.index((line, kind))
            links: list[tuple[Link, Situation]] = [
                (Chain((Row(k, size, axis), Metered(damage, -self._lost))), row)
                for k, row in enumerate(rows)
            ]
            now = self._game.tape.chance(links)
        return now

    def _one(self, after: Situation, kind: Kind, line: WeaponLine) -> Situation:
        packet = kind.shot.special
        assert packet is not None
        packets = Packets(self._game, line, kind.shot, self._bound.deal)
        choices = [
            (allowed, packets.devastating(after, order))
            for order, allowed in self._bound.packet_options(packet, line.precision)
        ]
        if len(choices) == 1:
            return choices[0][1]
        return self._game.tape.choice(choices, best=np.minimum)


def _most_hits(shot: Shot) -> int:
    """How many wounds of a shot may wait at most."""
    if shot.special is None or shot.special_saves is not None:
        return 0
    extra = max(die.sustained.stop for _, die in shot.batch.dice)
    return (shot.batch.number().stop - 1) * extra


def _kind(line: WeaponLine, shot: Shot) -> Kind:
    """What matters of a shot once its wounds wait."""
    looks = tuple(right for right in line.rights if right.rolled.covers(Rolled.DAMAGE))
    return Kind(shot.after_wounding(), line.precision, looks)

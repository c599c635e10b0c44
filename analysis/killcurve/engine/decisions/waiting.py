"""Devastating wounds that wait until their unit has made all its attacks (RULES.md §6.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from killcurve.engine.decisions.bound import Bound
from killcurve.engine.decisions.game import Game
from killcurve.engine.decisions.packets import Packets
from killcurve.engine.decisions.tape import Chain, Link, Row, Select, Shift, Situation
from killcurve.engine.parts import parts
from killcurve.engine.shot import Shot
from killcurve.engine.weapon import Rolled, WeaponLine


class Kind(NamedTuple):
    """Wounds that wait and are dealt alike: by whom they are suffered, and what may be chosen."""

    shot: Shot
    precision: int | None
    rights: tuple[object, ...]


@dataclass(slots=True)
class _Waiting:
    line: WeaponLine
    size: int


class Waiting:
    """The devastating wounds of a volley that wait, an axis for each kind of them."""

    def __init__(self, game: Game, bound: Bound) -> None:
        self._game = game
        self._bound = bound
        self._kinds: dict[Kind, _Waiting] = {}
        for line in game.volley.lines:
            most: dict[Kind, int] = {}
            for part in parts(game.volley, line, per_attack=True):
                kind, hits = _kind(line, part.shot), _most_hits(part.shot)
                if hits:
                    most[kind] = max(most.get(kind, 0), hits)
            for kind, hits in most.items():
                self._kinds.setdefault(kind, _Waiting(line, 1)).size += hits

    @property
    def none(self) -> Link:
        """The link into axes that all begin at nought."""
        sizes = [kind.size for kind in self._kinds.values()]
        return Chain(tuple(Select(0, size) for size in reversed(sizes)))

    def one_more(self, line: WeaponLine, shot: Shot) -> Link:
        """One more wound of the line waits."""
        return Shift(list(self._kinds).index(_kind(line, shot)), 1)

    def dealt(self, after: Situation) -> Situation:
        """The situation with those axes, from the one after the wounds are dealt.

        The earliest kind is dealt first.
        """
        now = after
        for kind, waiting in reversed(list(self._kinds.items())):
            rows, step = [now], now
            for _ in range(waiting.size - 1):
                step = self._one(step, kind, waiting.line)
                rows.append(step)
            links: list[tuple[Link, Situation]] = [
                (Row(i, waiting.size), row) for i, row in enumerate(rows)
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
    looks = tuple(right for right in line.rights if right.rolled is Rolled.DAMAGE)
    return Kind(shot.after_wounding(), line.precision, looks)

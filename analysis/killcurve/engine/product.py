"""Volleys that are one vector times one matrix: ``law = counts @ losses``.

One line of weapons against models that are all alike, with nothing to choose and nothing that
waits: the commonest question. Both halves are made once and remembered, the product is made for
each answer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from killcurve.engine.parts import Part, parts
from killcurve.engine.pmf import FloatArray, Pmf
from killcurve.engine.shot import packet_steps
from killcurve.engine.stages import Met, Stage, mean_stage
from killcurve.engine.states import States, states
from killcurve.engine.volley import Outcome, Volley


@dataclass(frozen=True, slots=True, eq=False)
class Product:
    """The two halves of a simple volley.

    ``counts[n]`` is P(n wounds do damage), shape (n,). Row n of ``losses`` is what n of them
    do: the law of the target's state, then that of the models slain since the start; ``states``
    says where the first ends, ``start`` which state is the first. ``stages`` are the means of
    the line.
    """

    counts: FloatArray
    losses: FloatArray
    states: int
    start: int
    stages: tuple[Stage]

    def outcome(self) -> Outcome:
        """The outcome, as :func:`killcurve.engine.resolve.resolve` gives it.

        >>> from killcurve.engine.dice import Dice
        >>> from killcurve.engine.edition import edition
        >>> from killcurve.engine.target import ModelGroup, Target
        >>> from killcurve.engine.weapon import Weapon, WeaponLine
        >>> gun = Weapon(count=1, attacks=Dice.parse(2), skill=None, strength=Dice.parse(8), ap=0,
        ...              damage=Dice.parse("D6"))
        >>> squad = Target((ModelGroup(count=3, toughness=4, save=7, wounds=3),))
        >>> simple = product(Volley(edition("11e"), squad, (WeaponLine(gun),)))
        >>> round(simple.outcome().slain.probability(2), 9) == round(4 / 9 * 25 / 36, 9)
        True
        """
        found = self.counts.dot(self.losses)
        found.setflags(write=False)
        law: FloatArray = found[: self.states]
        return Outcome(
            Pmf.summed(law[self.start :]),
            Pmf.summed(found[self.states :]),
            float(law[-1]),
            self.stages,
            law,
        )


def product(volley: Volley) -> Product | None:
    """The halves of a volley, ``None`` where it is not so simple.

    What is to be chosen is not looked at: see
    :func:`killcurve.engine.resolve.asks_for_choices`.
    """
    if len(volley.lines) != 1 or len(volley.target.groups) != 1 or volley.mortal_wounds:
        return None
    met = parts(volley, volley.lines[0])
    if len(met) != 1 or not met[0].everywhere:
        return None
    return _halves(met[0], states(volley.target))


def _halves(part: Part, space: States) -> Product | None:
    shot = part.shot
    special = 1.0 if shot.special_saves is None else shot.special_saves[0].failure
    if shot.special is None:
        law = shot.batch.law(ordinary=shot.saves[0].failure)
    elif shot.special == shot.ordinary:
        law = shot.batch.law(shot.saves[0].failure, special)
    else:
        return None
    counts = np.ascontiguousarray(law[:, 0])
    losses = packet_steps(shot.ordinary, part.target, part.order).table(
        space.start, len(counts), space.size
    )
    if losses is None:
        return None
    lost = space.all_lost.total - space.all_lost.total[space.start]
    slain = np.array([space.slain(row).weights for row in losses])
    met = Met(1.0, shot, shot.saves[0].failure, part.saves_differ)
    return Product(
        counts=counts,
        losses=np.column_stack([losses, slain]),
        states=space.size,
        start=space.start,
        stages=(mean_stage([met], float(counts @ losses @ lost)),),
    )

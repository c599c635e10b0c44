"""Who decides what in a volley, and what they want."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from killcurve.engine.pmf import FloatArray
from killcurve.engine.states import States
from killcurve.engine.weapon import Right


class Objective(Enum):
    """What the attacker wants much of, and the defender little."""

    DAMAGE = "damage"
    SLAIN = "slain"
    DESTROYED = "destroyed"

    def worth(self, space: States) -> FloatArray:
        """What each final state of the target is worth."""
        if self is Objective.DAMAGE:
            return space.all_lost.total
        if self is Objective.SLAIN:
            return space.all_dead.total
        worth = np.zeros(space.size)
        worth[space.destroyed] = 1.0
        return worth


@dataclass(frozen=True, slots=True)
class Choices:
    """What is left to the players to choose best; everything else is fixed.

    ``lethal``: for each critical hit whether it wounds by itself; ``allocation``: the order
    of groups (11th edition) or the next model (10th); ``rights``: the rights of the volley.

    >>> Choices().any
    False
    """

    objective: Objective = Objective.DAMAGE
    lethal: bool = False
    allocation: bool = False
    rights: tuple[Right, ...] = ()

    @property
    def any(self) -> bool:
        """Whether anything is to be chosen."""
        return self.lethal or self.allocation or bool(self.rights)

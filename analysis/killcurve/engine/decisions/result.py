"""What a volley with choices comes to, and what was chosen."""

from __future__ import annotations

from dataclasses import dataclass

from killcurve.engine.pmf import FloatArray
from killcurve.engine.stages import Stage
from killcurve.engine.weapon import Right


@dataclass(frozen=True, slots=True)
class Played:
    """The law of the target's state under the best choices, and the choices.

    ``allocated`` says how often each order of groups was declared (11th edition; the tuple has
    all groups) or each group was picked (10th; a tuple of one); ``lethal`` is the expected share
    of critical hits that were let wound by themselves, ``None`` without any; ``used`` the chance
    that each right was used.
    """

    law: FloatArray
    stages: tuple[Stage, ...]
    allocated: dict[tuple[int, ...], float]
    lethal: float | None
    used: dict[Right, float]

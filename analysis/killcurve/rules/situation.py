"""What is known when a unit attacks: edition, phase, circumstances, keywords."""

from __future__ import annotations

from dataclasses import dataclass, field

from killcurve.engine.edition import Edition
from killcurve.rules.conditions import Facts

CONTEXT_FLAGS = (
    "half_range",
    "cover",
    "stationary",
    "charged",
    "snap_shooting",
    "indirect",
    "spotted",
    "plunging_fire",
    "target_below_half",
    "target_below_starting",
    "target_on_objective",
    "attacker_on_objective",
    "leading",
    "long_range",
    "closest_target",
    "engaged",
    "unit_below_half",
    "unit_below_starting",
)
"""The circumstances a scenario may name; all are false unless set (SCENARIO)."""


@dataclass(frozen=True, slots=True)
class Situation:
    """The circumstances of one unit's attacks on one target.

    ``ranged`` is the phase: shooting, or else fighting. ``flags`` are those of
    :data:`CONTEXT_FLAGS` that are set. Keywords are in normal form (lower case).
    ``target_models`` is the number of models when targets are selected (Blast, Cleave),
    ``attacker_wounds_left`` the wounds of the attacker's most damaged model, where known.

    >>> from killcurve.engine.edition import edition
    >>> Situation(edition("11e"), ranged=True, flags=frozenset({"half_range"})).has("half_range")
    True
    """

    edition: Edition
    ranged: bool = True
    flags: frozenset[str] = frozenset()
    ticked: frozenset[str] = frozenset()
    distance: float | None = None
    attacker_keywords: frozenset[str] = frozenset()
    target_keywords: frozenset[str] = frozenset()
    target_models: int = 1
    attacker_wounds_left: int | None = None
    facts: dict[str, Facts] = field(init=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        for side, unit in (
            ("attacker", self.attacker_keywords),
            ("defender", self.target_keywords),
        ):
            keywords = {
                "unit": unit,
                "target": self.target_keywords,
                "attacker": self.attacker_keywords,
            }
            self.facts[side] = Facts(self._flags_of(side), self.ticked, self.distance, keywords)

    def has(self, flag: str) -> bool:
        """Whether a circumstance is set."""
        return flag in self.flags

    def _flags_of(self, side: str) -> frozenset[str]:
        """The flags as the user of a rule sees them: the defender's unit is the target."""
        if side == "attacker":
            return self.flags
        own = {
            f"unit_{state}"
            for state in ("below_half", "below_starting")
            if self.has(f"target_{state}")
        }
        return self.flags - {"unit_below_half", "unit_below_starting"} | own

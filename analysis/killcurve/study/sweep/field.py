"""Targets of the sweep: every unit at its smallest size, alone and with each help it may have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from killcurve.engine.target import Target
from killcurve.study.sweep.bundles import KINDS, NO_EFFECTS, Bundle
from killcurve.study.sweep.effect_sets import NOTHING, EffectSet
from killcurve.study.targets import Defender

Ids = npt.NDArray[np.int64]

FIVE = 5
"""Models of a target for which Blast and Cleave add attacks."""


@dataclass(slots=True)
class Field:
    """All targets, numbered: a unit by itself, or with a set of effects.

    ``plain`` tells for each the same unit without any. ``casts`` are the targets of a kind of
    weapons by the effects that may hold against it. ``stats`` are the distinct
    :class:`~killcurve.engine.target.Target` objects, ``stat_of`` their numbers.
    """

    units: list[Defender] = field(default_factory=list)
    unit_of: list[int] = field(default_factory=list)
    set_of: list[EffectSet] = field(default_factory=list)
    plain: list[int] = field(default_factory=list)
    stats: dict[Target, int] = field(default_factory=dict)
    casts: dict[str, dict[Bundle, list[int]]] = field(
        default_factory=lambda: {kind: {} for kind in KINDS}
    )
    class_members: list[Ids] = field(default_factory=list)
    _classes: dict[bytes, int] = field(default_factory=dict)
    _alike: dict[object, list[tuple[frozenset[str], int, Ids]]] = field(default_factory=dict)

    def add(self, unit: Defender, sets: Sequence[EffectSet]) -> None:
        """One more unit, with the sets that its army has against attacks."""
        self.units.append(unit)
        self.stats.setdefault(unit.target, len(self.stats))
        plain = self._add_target(NOTHING, len(self.unit_of))
        for kind in self.casts:
            self.casts[kind].setdefault(NO_EFFECTS, []).append(plain)
        for effects in sets:
            self._protect(unit, effects, plain)

    def _protect(self, unit: Defender, effects: EffectSet, plain: int) -> None:
        number = None
        for kind in self.casts:
            if not effects.may_be_used(unit.keywords, kind):
                continue
            reaching = effects.reaching(unit.keywords, kind, "")
            each = (part.reaching(unit.keywords, kind, "") for part in effects.together)
            if reaching is NO_EFFECTS or NO_EFFECTS in each:
                continue
            if number is None:
                number = self._add_target(effects, plain)
            self.casts[kind].setdefault(reaching, []).append(number)

    def _add_target(self, effects: EffectSet, plain: int) -> int:
        self.unit_of.append(len(self.units) - 1)
        self.set_of.append(effects)
        self.plain.append(plain)
        return len(self.unit_of) - 1

    def __len__(self) -> int:
        """How many targets there are."""
        return len(self.unit_of)

    def unit(self, target: int) -> Defender:
        """The unit that a target is."""
        return self.units[self.unit_of[target]]

    def stat_of(self) -> Ids:
        """The number of each target's characteristics."""
        of_unit = np.array([self.stats[unit.target] for unit in self.units])
        return np.asarray(of_unit[np.array(self.unit_of)])

    def alike(
        self, kind: str, defence: Bundle, words: frozenset[str], *, by_models: bool
    ) -> list[tuple[frozenset[str], int, Ids]]:
        """The targets with that defence, in parts that have the same of these keywords.

        Each part with those keywords and its least number of models; where ``by_models`` parts
        also have equally many sets of five models.
        """
        key = (kind, defence, words, by_models)
        if key not in self._alike:
            parts: dict[tuple[frozenset[str], int], list[int]] = {}
            for target in self.casts[kind][defence]:
                unit = self.unit(target)
                models = unit.target.models // FIVE * FIVE if by_models else 1
                parts.setdefault((unit.keywords & words, models), []).append(target)
            self._alike[key] = [
                (keywords, models, np.array(members))
                for (keywords, models), members in parts.items()
            ]
        return self._alike[key]

    def class_of(self, members: Ids) -> int:
        """The number of a set of targets."""
        key = members.tobytes()
        if key not in self._classes:
            self._classes[key] = len(self.class_members)
            self.class_members.append(members)
        return self._classes[key]

"""Many volleys among the same units: what recurs is worked out once.

The laws are those of :func:`killcurve.study.matchup.engage`. Rules ask a weapon's abilities and a
target's keywords, not its numbers, so modifiers are made once for all that they treat alike; and
lines against equal models are vectors of counts times the powers of one map.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from killcurve.engine.batch import Sides
from killcurve.engine.batch import sides as taken_apart
from killcurve.engine.edition import Edition, edition
from killcurve.engine.pmf import FloatArray
from killcurve.engine.resolve import resolve
from killcurve.engine.states import states
from killcurve.engine.target import Target
from killcurve.engine.volley import Volley
from killcurve.engine.weapon import WeaponLine
from killcurve.rules.effect_rules import BESIDE_ATTACKS
from killcurve.rules.modifiers import ArmedWith, modifiers
from killcurve.rules.modifiers import Arms as Modified
from killcurve.rules.situation import Situation
from killcurve.rules.ways import ways_to_choose
from killcurve.study.chains import Chains
from killcurve.study.lines import Attacker, Line
from killcurve.study.matchup import Circumstances
from killcurve.study.own_rules import PHASE_OF_KIND, holding, incomplete
from killcurve.study.sweep.arming import PER_MODELS
from killcurve.study.sweep.bundles import Bundle, asked_by, asked_when, bundle
from killcurve.study.targets import Defender

Way = tuple[int, int]
"""The numbers of the options that the attacker and the target take."""

FIRST: Way = (0, 0)


@dataclass(slots=True, eq=False)
class _Side:
    """What a unit brings to a phase in one role: the effects that hold, and what is incomplete.

    ``asks`` are the keywords that its effects, and as an attacker its weapons, ask a target for;
    ``counts`` is whether weapons count its models.
    """

    unit: Attacker | Defender
    effects: Bundle
    incomplete: tuple[str, ...]
    asks: frozenset[str]
    counts: bool


@dataclass(frozen=True, slots=True, eq=False)
class Ready:
    """A line as rules make it against a class of targets, whole and taken apart.

    ``unmodelled`` are effects that are left out.
    """

    source: Line
    line: WeaponLine
    apart: Sides
    unmodelled: tuple[str, ...] = ()

    def changed(self, line: WeaponLine, rules: Edition) -> Ready:
        """The same with another line in its place."""
        return replace(self, line=line, apart=taken_apart(line, rules))


@dataclass(frozen=True, slots=True)
class Struck:
    """The law of a target's states after an attack, and the effects that are left out of it."""

    law: FloatArray
    unmodelled: tuple[str, ...]


class Engagements:
    """Attacks under the same circumstances, by both sides' own abilities and those of ``how``.

    >>> import killcurve
    >>> import numpy as np
    >>> from killcurve.study.lines import attacker
    >>> from killcurve.study.matchup import engage
    >>> from killcurve.study.targets import defender
    >>> data = killcurve.load()
    >>> boat, squad = attacker(data, "Raider"), defender(data, "Boyz")
    >>> lines = [line for line in boat.default_lines if line.kind == "ranged"]
    >>> law = Engagements().attack(boat, lines, squad).law
    >>> bool(np.allclose(law, engage(boat, lines, squad).outcome.law, rtol=0, atol=1e-12))
    True
    """

    def __init__(self, how: Circumstances = Circumstances()) -> None:
        self._how = how
        self._sides: dict[tuple[int, str, int], _Side] = {}
        self._offered: dict[tuple[int, str], list[Bundle]] = {}
        self._kept: list[Attacker | Defender] = []
        self._ready: dict[object, Ready] = {}
        self._modified: dict[object, tuple[Modified, tuple[str, ...]]] = {}
        self._chains = Chains()

    def attack(self, unit: Attacker, lines: Sequence[Line], target: Defender) -> Struck:
        """What lines in order do to the fresh target; it stays as it is if there are none."""
        ways = self.ways(unit, lines, target)
        ready = [
            self.ready(unit, line, target, way=ways[PHASE_OF_KIND[line.kind]]) for line in lines
        ]
        law = self.law(ready, target.target, self.rules(unit))
        return Struck(law, tuple(dict.fromkeys(rule for one in ready for rule in one.unmodelled)))

    def ways(self, unit: Attacker, lines: Sequence[Line], target: Defender) -> dict[str, Way]:
        """Which options both sides take in each phase of the lines, against the fresh target."""
        phases = dict.fromkeys(PHASE_OF_KIND[line.kind] for line in lines)
        return {
            phase: self._way(
                unit, [line for line in lines if PHASE_OF_KIND[line.kind] == phase], target, phase
            )
            for phase in phases
        }

    def _way(self, unit: Attacker, lines: Sequence[Line], target: Defender, phase: str) -> Way:
        own = range(len(self._offers(unit, "attacker", phase)))
        against = range(len(self._offers(target, "defender", phase)))
        if len(own) == len(against) == 1:
            return FIRST
        lost = states(target.target).all_lost.total

        def damage(way: Way) -> float:
            ready = [self.ready(unit, line, target, way=way) for line in lines]
            law = self.law(ready, target.target, self.rules(unit))
            return round(float(law @ lost), 12)

        return min(
            (max(((mine, theirs) for mine in own), key=damage) for theirs in against), key=damage
        )

    def _offers(self, unit: Attacker | Defender, side: str, phase: str) -> list[Bundle]:
        """The effects of a unit for each way to take the options they offer."""
        key = (id(unit), phase)
        if key not in self._offered:
            given = self._how.target_effects if side == "defender" else self._how.attacker_effects
            ways = ways_to_choose(given + holding(unit.rules, side, phase))
            self._offered[key] = [bundle(effects) for effects, _ in ways]
            self._kept.append(unit)  # so that its place in memory is not given to another one
        return self._offered[key]

    def rules(self, unit: Attacker) -> Edition:
        """The rule state of a unit's attacks."""
        return edition(self._how.edition or unit.edition)

    def law(self, lines: Sequence[Ready], target: Target, rules: Edition) -> FloatArray:
        """The law of a target's states after lines that were made ready, in order."""
        if not any(one.line.rights for one in lines):
            law = self._chains.law([(one.line, one.apart) for one in lines], target, rules)
            if law is not None:
                return law
        return resolve(Volley(rules, target, tuple(one.line for one in lines))).law

    def incomplete(self, unit: Attacker, target: Defender, phase: str) -> tuple[str, ...]:
        """The abilities of both units that are not, or not wholly, expressed as effects."""
        own, other = self._side(unit, "attacker", phase), self._side(target, "defender", phase)
        return own.incomplete + other.incomplete

    def _side(self, unit: Attacker | Defender, side: str, phase: str, way: int = 0) -> _Side:
        key = (id(unit), phase, way)
        if key not in self._sides:
            effects = self._offers(unit, side, phase)[way]
            asks = [effects.asks["target"], effects.asks["attacker"], effects.asks["unit"]]
            abilities = list(effects.abilities)
            if isinstance(unit, Attacker):
                abilities += [ability for line in unit.lines for ability in line.abilities]
            asks += [asked_by(abilities), asked_when(self._how.flags)]
            self._sides[key] = _Side(
                unit,
                effects,
                tuple(f"{rule} ({unit.datasheet})" for rule in incomplete(unit.rules, side, phase)),
                frozenset().union(*asks),
                any(ability.name in PER_MODELS for ability in abilities),
            )
        return self._sides[key]

    def ready(
        self,
        unit: Attacker,
        line: Line,
        target: Defender,
        models: int | None = None,
        way: Way = FIRST,
    ) -> Ready:
        """A line as rules make it against a target, of which so many models are left.

        ``way`` tells which options both sides take (:meth:`ways`).
        """
        phase, rules = PHASE_OF_KIND[line.kind], self.rules(unit)
        own = self._side(unit, "attacker", phase, way[0])
        other = self._side(target, "defender", phase, way[1])
        asked = own.asks | other.asks
        left = target.target.models if models is None else models
        key = (
            id(line),
            id(own),
            other.effects.number,
            target.keywords & asked,
            left if own.counts else 1,
        )
        if key not in self._ready:
            arms, unmodelled = self._modify(line, target, left, rules, own, other)
            made = WeaponLine(
                line.armed(max(1, line.count)),
                arms.modifiers,
                arms.when_stronger,
                rights=arms.rights,
            )
            self._ready[key] = Ready(line, made, taken_apart(made, rules), unmodelled)
        return self._ready[key]

    def _modify(
        self,
        line: Line,
        target: Defender,
        models: int,
        rules: Edition,
        own: _Side,
        other: _Side,
    ) -> tuple[Modified, tuple[str, ...]]:
        """What rules make of a line; once for all lines and units that they treat alike."""
        unit, asks, answers = own.unit, own.effects.asks, other.effects.asks
        abilities = line.abilities + own.effects.abilities
        always = asked_when(self._how.flags) | asks["attacker"] | answers["attacker"]
        answered = asks["target"] | answers["target"] | answers["unit"]
        key = (
            line.abilities,
            line.kind,
            line.weapon if own.effects.names_weapons or other.effects.names_weapons else "",
            rules,
            own.effects.number,
            other.effects.number,
            unit.keywords & (always | asks["unit"]),
            target.keywords & (always | answered | asked_by(abilities)),
            models if any(ability.name in PER_MODELS for ability in abilities) else 1,
        )
        if key not in self._modified:
            unmodelled = [str(e) for e in own.effects.effects if e.what in BESIDE_ATTACKS]
            where = Situation(
                edition=rules,
                ranged=line.kind == "ranged",
                flags=self._how.flags,
                ticked=self._how.ticked,
                attacker_keywords=unit.keywords,
                target_keywords=target.keywords,
                target_models=models,
            )
            arms = modifiers(
                ArmedWith(line.weapon, line.abilities),
                own.effects.effects,
                other.effects.effects,
                where,
                unmodelled=unmodelled,
            )
            self._modified[key] = arms, tuple(unmodelled)
        return self._modified[key]

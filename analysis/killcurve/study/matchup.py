"""One unit against another: the exact outcome of chosen weapon lines, effects and circumstances."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from killcurve.engine.edition import edition
from killcurve.engine.pmf import Pmf
from killcurve.engine.resolve import resolve
from killcurve.engine.volley import Outcome, Volley
from killcurve.engine.weapon import WeaponLine
from killcurve.rules.effect_rules import BESIDE_ATTACKS
from killcurve.rules.effects import Effect
from killcurve.rules.modifiers import ArmedWith, modifiers
from killcurve.rules.pools import PoolMaker, pool_laws
from killcurve.rules.reading import ScenarioError
from killcurve.rules.situation import Situation
from killcurve.rules.volley import holding as holding_now
from killcurve.rules.ways import ways_to_choose
from killcurve.study.lines import Attacker, Line
from killcurve.study.own_rules import PHASE_OF_KIND, holding, incomplete
from killcurve.study.targets import Defender


@dataclass(frozen=True, slots=True)
class Circumstances:
    """How and under what help a unit attacks.

    ``edition`` is the rule state, ``None`` for that of the attacking unit's datasheet. ``flags``
    are those of SCENARIO's context, ``ticked`` quoted conditions that hold;
    ``attacker_effects`` and ``target_effects`` are phrases already read.
    """

    edition: str | None = None
    flags: frozenset[str] = frozenset()
    ticked: frozenset[str] = frozenset()
    attacker_effects: tuple[Effect, ...] = ()
    target_effects: tuple[Effect, ...] = ()

    def helped(self, effects: Sequence[Effect], side: str) -> Circumstances:
        """The same with more effects on one side (``attacker`` or ``defender``)."""
        if side == "defender":
            return replace(self, target_effects=self.target_effects + tuple(effects))
        return replace(self, attacker_effects=self.attacker_effects + tuple(effects))


@dataclass(frozen=True, slots=True)
class Result:
    """What an attack does to a target: the outcome, and what could not be computed.

    ``unmodelled`` are effects that are left out, ``incomplete`` abilities of both units that bear
    on attacks and are not, or not wholly, expressed as effects.
    """

    outcome: Outcome
    defender: Defender
    unmodelled: tuple[str, ...] = ()
    incomplete: tuple[str, ...] = ()

    @property
    def points_removed(self) -> float | None:
        """Expected points of the models slain; ``None`` where the target has no cost."""
        each = self.defender.points_per_model
        return None if each is None else self.outcome.slain.mean * each


def attack(
    unit: Attacker,
    lines: Sequence[Line],
    target: Defender,
    how: Circumstances = Circumstances(),
) -> Result:
    """The exact outcome of weapon lines of one phase, in order, at their default counts.

    >>> import killcurve
    >>> from killcurve.study.lines import attacker
    >>> from killcurve.study.targets import defender
    >>> data = killcurve.load()
    >>> warden, squad = attacker(data, "Royal Warden"), defender(data, "Intercessor Squad")
    >>> gun = [line for line in warden.lines if line.kind == "ranged"]
    >>> 0 < attack(warden, gun, squad).outcome.damage.mean < 4
    True
    """
    unmodelled: list[str] = []
    ready = tuple(_line(line, unit, target, how, unmodelled) for line in lines)
    pools = _pools(unit, lines, target, how, unmodelled)
    volley = Volley(edition(how.edition or unit.edition), target.target, ready, pools)
    return Result(resolve(volley), target, tuple(unmodelled))


def engage(
    unit: Attacker,
    lines: Sequence[Line],
    target: Defender,
    how: Circumstances = Circumstances(),
) -> Result:
    """An attack of lines of one phase in which both units' own abilities count.

    Those that a person must choose to use do not, unless ``how`` has their effects
    (:mod:`killcurve.study.own_rules`). Of the options that effects offer each side takes what is
    best for it: the attacker the most mean damage, the target the least.

    >>> import killcurve
    >>> from killcurve.study.lines import attacker
    >>> from killcurve.study.targets import defender
    >>> data = killcurve.load()
    >>> boyz, squad = attacker(data, "Boyz"), defender(data, "Intercessor Squad")
    >>> blades = [line for line in boyz.default_lines if line.kind == "melee"][:1]
    >>> charging = Circumstances(flags=frozenset({"charged"}))
    >>> more = engage(boyz, blades, squad, charging).outcome.damage.mean
    >>> more > attack(boyz, blades, squad, charging).outcome.damage.mean
    True
    """
    phase = PHASE_OF_KIND[lines[0].kind] if lines else PHASE_OF_KIND["ranged"]
    how = how.helped(holding(unit.rules, "attacker", phase), "attacker")
    how = how.helped(holding(target.rules, "defender", phase), "defender")
    found = _played(how, lambda settled: attack(unit, lines, target, settled))
    left = [
        f"{rule} ({datasheet})"
        for datasheet, rules, side in (
            (unit.datasheet, unit.rules, "attacker"),
            (target.datasheet, target.rules, "defender"),
        )
        for rule in incomplete(rules, side, phase)
    ]
    return replace(found, incomplete=tuple(left))


def _played(how: Circumstances, attacked: Callable[[Circumstances], Result]) -> Result:
    """The attack with the options that players take: most mean damage, of what the target leaves.

    The attacker's options are taken knowing the target's (RULES.md §1.2 leaves that open).
    """
    own, against = ways_to_choose(how.attacker_effects), ways_to_choose(how.target_effects)
    return min(
        (
            max(
                (
                    attacked(replace(how, attacker_effects=mine, target_effects=theirs))
                    for mine, _ in own
                ),
                key=_mean_damage,
            )
            for theirs, _ in against
        ),
        key=_mean_damage,
    )


def _mean_damage(result: Result) -> float:
    return round(result.outcome.damage.mean, 12)


def _situation(unit: Attacker, target: Defender, how: Circumstances, *, ranged: bool) -> Situation:
    return Situation(
        edition=edition(how.edition or unit.edition),
        ranged=ranged,
        flags=how.flags,
        ticked=how.ticked,
        attacker_keywords=unit.keywords,
        target_keywords=target.keywords,
        target_models=target.target.models,
    )


def _pools(
    unit: Attacker,
    lines: Sequence[Line],
    target: Defender,
    how: Circumstances,
    unmodelled: list[str],
) -> tuple[Pmf, ...]:
    """Mortal wounds that effects inflict beside the attacks."""
    if not any(effect.what in BESIDE_ATTACKS for effect in how.attacker_effects):
        return ()
    ranged = not lines or lines[0].kind == "ranged"
    where = _situation(unit, target, how, ranged=ranged)
    strengths = tuple(line.strength for line in lines)
    maker = PoolMaker(where.edition, unit.models, unit.toughness, ranged, strengths)
    laws: list[Pmf] = []
    for effect in holding_now(how.attacker_effects, where, "attacker"):
        try:
            laws += pool_laws([effect], maker, target.target)
        except ScenarioError as error:
            unmodelled.append(f"{effect}: {error}")
    return tuple(laws)


def _line(
    line: Line, unit: Attacker, target: Defender, how: Circumstances, unmodelled: list[str]
) -> WeaponLine:
    where = _situation(unit, target, how, ranged=line.kind == "ranged")
    arms = modifiers(
        ArmedWith(line.weapon, line.abilities),
        how.attacker_effects,
        how.target_effects,
        where,
        unmodelled=unmodelled,
    )
    return WeaponLine(
        line.armed(max(1, line.count)), arms.modifiers, arms.when_stronger, rights=arms.rights
    )

"""A match-up of a dataset's units written as a scenario: what explanations and editions ask for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from killcurve.engine.target import Against, Protection, Target
from killcurve.rules.effects import Effect
from killcurve.study.lines import Attacker, Line
from killcurve.study.matchup import Circumstances
from killcurve.study.own_rules import PHASE_OF_KIND, holding
from killcurve.study.targets import Defender

Plain = dict[str, Any]


def as_scenario(
    unit: Attacker,
    lines: Sequence[Line],
    target: Defender,
    how: Circumstances = Circumstances(),
) -> Plain:
    """The attack of lines of one phase as a scenario, with both units' own abilities that are on.

    Solved, it gives what :func:`killcurve.study.matchup.engage` does; protections of a target
    beside its first one of each kind become effects on it.

    Raises:
        ValueError: without lines.

    >>> import killcurve
    >>> from killcurve.study.lines import attacker
    >>> from killcurve.study.matchup import engage
    >>> from killcurve.study.solve import solve
    >>> from killcurve.study.targets import defender
    >>> data = killcurve.load()
    >>> boat, squad = attacker(data, "Raider"), defender(data, "Boyz")
    >>> lines = [line for line in boat.default_lines if line.kind == "ranged"]
    >>> solved = solve(as_scenario(boat, lines, squad)).outcome
    >>> abs(solved.damage.mean - engage(boat, lines, squad).outcome.damage.mean) < 1e-12
    True
    """
    if not lines:
        raise ValueError(f"{unit.datasheet} has no weapons for a scenario")
    phase = PHASE_OF_KIND[lines[0].kind]
    own = (*how.attacker_effects, *holding(unit.rules, "attacker", phase))
    theirs = (*how.target_effects, *holding(target.rules, "defender", phase))
    return {
        "edition": how.edition or unit.edition,
        "phase": phase,
        "attacker": {
            "weapons": [weapon_line(line) for line in lines],
            "effects": [str(effect) for effect in own],
            "keywords": sorted(unit.keywords),
            **({"points": unit.points} if unit.points else {}),
        },
        "target": {
            "models": groups(target.target),
            "effects": [*(str(effect) for effect in theirs), *map(str, scoped_protections(target))],
            "keywords": sorted(target.keywords),
            **({"points": target.points} if target.points else {}),
        },
        "context": {**dict.fromkeys(sorted(how.flags), True), "ticked": sorted(how.ticked)},
    }


def weapon_line(line: Line) -> Plain:
    """A weapon line as a scenario has it."""
    return {
        "name": line.name,
        "count": line.count,
        "attacks": str(line.attacks),
        "skill": line.skill,
        "strength": str(line.strength),
        "ap": line.ap,
        "damage": str(line.damage),
        "keywords": [str(ability) for ability in line.abilities],
    }


def groups(target: Target) -> list[Plain]:
    """The groups of a target's models as a scenario has them."""
    return [
        {
            "name": f"group {number}",
            "count": group.count,
            "toughness": group.toughness,
            "save": group.save,
            "wounds": group.wounds,
            "invulnerable": _protection(group.invulnerable),
            "feel_no_pain": _protection(group.feel_no_pain),
        }
        for number, group in enumerate(target.groups, start=1)
    ]


def _protection(given: Iterable[Protection]) -> int | Plain | None:
    """The best that works against everything; one with a scope where there is no other."""
    protections = list(given)
    general = [p for p in protections if p.against is Against.ALL]
    chosen = min(general or protections, key=lambda p: p.value, default=None)
    if chosen is None or chosen.against is Against.ALL:
        return None if chosen is None else chosen.value
    return {"value": chosen.value, "against": chosen.against.value}


def scoped_protections(target: Defender) -> tuple[Effect, ...]:
    """What a scenario's groups cannot say: protections beside their first, as effects."""
    found = {
        Effect(what, protection)
        for group in target.target.groups
        for what, given in (
            ("invulnerable", group.invulnerable),
            ("feel no pain", group.feel_no_pain),
        )
        if len(given) > 1
        for protection in given
    }
    return tuple(sorted(found, key=str))

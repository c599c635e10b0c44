"""One weapon line aimed at a target: as rules make it, to be changed number by number."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from killcurve.engine.dice import Dice
from killcurve.engine.edition import Edition, edition
from killcurve.engine.resolve import resolve
from killcurve.engine.target import Target
from killcurve.engine.volley import Outcome, Volley
from killcurve.engine.weapon import Modifiers, WeaponLine
from killcurve.rules.modifiers import ArmedWith, modifiers
from killcurve.rules.situation import Situation
from killcurve.rules.spelling import did_you_mean, normal
from killcurve.study.lines import Attacker, Line
from killcurve.study.matchup import Circumstances
from killcurve.study.own_rules import PHASE_OF_KIND, holding, incomplete
from killcurve.study.targets import Defender
from killcurve.tables.dataset import DataError


@dataclass(frozen=True, slots=True)
class Aimed:
    """A line against a target with all rules of both: ``line`` and ``target`` are the engine's.

    ``left_out`` names the rules that could not be computed.
    """

    source: Line
    defender: Defender
    line: WeaponLine
    target: Target
    rules: Edition
    left_out: tuple[str, ...] = ()

    def outcome(self) -> Outcome:
        """What it does to the fresh target."""
        return resolve(Volley(self.rules, self.target, (self.line,)))

    def with_weapon(self, **characteristics: Any) -> Aimed:  # noqa: ANN401 - those of a weapon
        """The same with other characteristics of the weapon."""
        weapon = replace(self.line.weapon, **characteristics)
        return replace(self, line=replace(self.line, weapon=weapon))

    def with_modifiers(self, change: Callable[[Modifiers], Modifiers]) -> Aimed:
        """The same with other modifiers, also where those against a weaker target hold."""
        other = self.line.when_stronger
        line = replace(
            self.line,
            modifiers=change(self.line.modifiers),
            when_stronger=None if other is None else change(other),
        )
        return replace(self, line=line)

    def with_models(self, **characteristics: Any) -> Aimed:  # noqa: ANN401 - those of models
        """The same with other characteristics of all the target's models."""
        groups = tuple(replace(group, **characteristics) for group in self.target.groups)
        return replace(self, target=Target(groups))


def aimed(
    unit: Attacker, line: Line, target: Defender, how: Circumstances = Circumstances()
) -> Aimed:
    """A line of a unit against a target, with both units' own rules that are on.

    It does what :func:`killcurve.study.matchup.engage` says of it.

    >>> import killcurve
    >>> from killcurve.study.lines import attacker
    >>> from killcurve.study.matchup import engage
    >>> from killcurve.study.targets import defender
    >>> data = killcurve.load()
    >>> boat, squad = attacker(data, "Raider"), defender(data, "Boyz")
    >>> gun = weapon_line(boat, "Disintegrator cannon")
    >>> ours, same = aimed(boat, gun, squad).outcome(), engage(boat, [gun], squad).outcome
    >>> ours.slain.mean == same.slain.mean
    True
    """
    phase, rules = PHASE_OF_KIND[line.kind], edition(how.edition or unit.edition)
    where = Situation(
        edition=rules,
        ranged=line.kind == "ranged",
        flags=how.flags,
        ticked=how.ticked,
        attacker_keywords=unit.keywords,
        target_keywords=target.keywords,
        target_models=target.target.models,
    )
    unmodelled: list[str] = []
    arms = modifiers(
        ArmedWith(line.weapon, line.abilities),
        how.attacker_effects + holding(unit.rules, "attacker", phase),
        how.target_effects + holding(target.rules, "defender", phase),
        where,
        unmodelled=unmodelled,
    )
    made = WeaponLine(
        line.armed(max(1, line.count)), arms.modifiers, arms.when_stronger, rights=arms.rights
    )
    unmodelled += [f"{one} ({unit.datasheet})" for one in incomplete(unit.rules, "attacker", phase)]
    unmodelled += [
        f"{one} ({target.datasheet})" for one in incomplete(target.rules, "defender", phase)
    ]
    return Aimed(line, target, made, target.target, rules, tuple(dict.fromkeys(unmodelled)))


def weapon_line(unit: Attacker, name: str | None = None) -> Line:
    """The line of a unit that is meant: by weapon, or ``weapon - profile``; its only one if none.

    Raises:
        DataError: if there is no such line, or several are meant, with their names.

    >>> import killcurve
    >>> from killcurve.study.lines import attacker
    >>> weapon_line(attacker(killcurve.load(), "Raider"), "dark lance").name
    'Dark lance'
    """
    lines = unit.default_lines if name is None else unit.lines
    found = [
        line
        for line in lines
        if name is None or normal(name) in (normal(line.weapon), normal(line.name))
    ]
    exact = [line for line in found if name is not None and normal(line.name) == normal(name)]
    # A weapon that is both may be meant in either way: of one name the ranged one comes first.
    found = exact or found
    if name is not None and len({line.name for line in found}) == 1:
        return max(found, key=lambda line: (line.count > 0, line.kind == "ranged"))
    if len(found) == 1:
        return found[0]
    told = ", ".join(dict.fromkeys(line.name for line in found or unit.lines))
    if found:
        raise DataError(f"{unit.datasheet} has several weapon lines: name one of {told}")
    raise DataError(
        f"{unit.datasheet} has no weapon {name!r}"
        f"{did_you_mean(name or '', [line.name for line in unit.lines])}; it may have "
        f"{told or 'none at all'}"
    )


def fixed(number: int) -> Dice:
    """A characteristic that is a plain number.

    >>> str(fixed(4))
    '4'
    """
    return Dice(bonus=number)


def all_left_out(some: Iterable[Aimed]) -> list[str]:
    """What could not be computed of any of them, each once."""
    return list(dict.fromkeys(one for each in some for one in each.left_out))

"""Units written by hand in both roles, as efficiency, durability and matrices take them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction as F

from killcurve.study.armed import Combatant
from killcurve.study.fielding import Fielded
from killcurve.study.lines import Attacker, Line

from tests.study.playing import rank, unit, weapon


def standing(fielded: Fielded, points: int | None = 100, **known) -> Combatant:
    """A unit that attacks with what its ranks carry, and is attacked."""
    counts: Counter[Line] = Counter()
    for each in fielded.ranks:
        for carried in each.weapons:
            counts[carried.line] += each.count * carried.count
    attacker = Attacker(
        edition=fielded.edition,
        faction=fielded.faction,
        datasheet=fielded.datasheet,
        keywords=fielded.keywords,
        models=fielded.models,
        points=points,
        lines=tuple(replace(line, count=count) for line, count in counts.items()),
    )
    return Combatant(
        name=fielded.name,
        attacker=attacker,
        defender=replace(fielded.defender, points=points),
        carriers=fielded,
        **known,
    )


def squad(count=1, *weapons, name="squad", points: int | None = 100, edition="11e", **model):
    """Models that carry the same."""
    return standing(unit(rank(count, *weapons, **model), name=name, edition=edition), points)


def binomial(n: int, p: F) -> list[F]:
    """P(k of n), in fractions."""
    law = [F(1)]
    for _ in range(n):
        law = [
            a * (1 - p) + b * p for a, b in zip([*law, F(0)], [F(0), *law], strict=True)
        ]  # fmt: skip
    return law


def hurt(skill: int, wound: int, fails: int) -> F:
    """P(an attack gets through): hits on ``skill``+, wounds on ``wound``+, saves fail so often."""
    return F(7 - skill, 6) * F(7 - wound, 6) * F(fails, 6)


__all__ = ["binomial", "hurt", "rank", "squad", "standing", "unit", "weapon"]

"""The steps of one weapon line in words and fractions, in the order of the game's sequence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from killcurve.engine.attack import AttackDie, modifiers_at
from killcurve.engine.edition import ROLL_CAP
from killcurve.engine.roll import FACES, Reroll, Result, Roll
from killcurve.rules.account import Contribution
from killcurve.study.explained.abilities import abilities
from killcurve.study.explained.damage import damage, saves
from killcurve.study.explained.facts import Facts, Step, exact, share


def steps(facts: Facts) -> Iterator[Step]:
    """All steps of a line."""
    yield _attacks(facts)
    dice = facts.shot.batch.dice
    yield _hit(facts, dice[0][1])
    yield from _wounds(facts)
    yield from saves(facts)
    yield from damage(facts)
    yield from abilities(facts)


def sources(contributions: Sequence[Contribution]) -> str:
    """Numbers with what they come from: ``+1 (heavy), -1 (stealth)``."""
    return ", ".join(f"{c.value:+d} ({c.source})" for c in contributions)


def _attacks(facts: Facts) -> Step:
    batch, printed = facts.shot.batch, facts.armed.weapon.attacks
    says = [f"A {printed}"]
    changed = facts.sources("attacks", "attacks_by_name", "rapid_fire", "reroll_attacks")
    says += [f"changed by {source}" for source in changed]
    for c in facts.of("per_five_models"):
        fives = facts.target.models // 5
        says.append(f"{c.source}: {fives} times {c.value} for {facts.target.models} models")
    each, count = exact(batch.attacks), batch.weapons
    if count > 1:
        says.append(f"{count} weapons with {each} each")
    return Step("attacks", tuple(says), {"dice": each * count}, ("§2",))


def _hit(facts: Facts, die: AttackDie) -> Step:
    roll, modifiers = die.hit_roll, facts.line.modifiers
    if roll is None:
        return Step("hit", ("hits by itself, never critical",), {"hit": Fraction(1)}, ("§1.1",))
    says = []
    skill = facts.armed.weapon.skill
    name = "BS" if facts.armed.weapon.ranged else "WS"
    if modifiers.only_gate_counts:
        says.append(f"only the unmodified result counts, whatever the {name}")
    else:
        told = f"{name} {skill}+"
        changes = facts.of("skill")
        if changes:
            told += f", changed by {sources(changes)}"
        if modifiers.cover and facts.armed.weapon.ranged and facts.edition.cover_worsens_skill:
            told += ", worsened by 1 (cover)"
        says.append(f"{told}: needs {roll.need}+")
    says += _modified(facts.of("hit"), modifiers.hit)
    rules = ["§3.1", "§3.2"]
    says += _roll(facts, roll, "reroll_hits", "critical_hits")
    return Step("hit", tuple(says), chances(roll, "hit"), tuple(rules))


def _modified(contributions: Sequence[Contribution], total: int) -> list[str]:
    if not contributions:
        return []
    capped = max(-ROLL_CAP, min(ROLL_CAP, total))
    told = f"roll modifiers {sources(contributions)}"
    if total != sum(c.value for c in contributions):
        told += f"; bad ones are ignored: {total:+d}"
    elif len(contributions) > 1:
        told += f": {total:+d} in all"
    return [told if capped == total else f"{told}, of which {capped:+d} counts"]


def _roll(facts: Facts, roll: Roll, reroll: str, critical: str) -> list[str]:
    """What of the faces and re-rolls is out of the ordinary, and what each face means."""
    says = []
    if roll.gate > 1:
        why = facts.because("hit_gate")
        says.append(f"unmodified 1 to {roll.gate} fails whatever the rest{why}")
    if roll.critical < 6:
        says.append(f"unmodified {roll.critical}+ is critical{facts.because(critical)}")
    if roll.critical_if_successful is not None:
        says.append(f"a success of unmodified {roll.critical_if_successful}+ is critical")
    if roll.reroll is not Reroll.NONE:
        says.append(f"rolled again: {_AGAIN[roll.reroll]}{facts.because(reroll)}")
    good = [f for f in FACES if roll.result(f) is not Result.FAILURE]
    if good:
        faces = ", ".join(f"{f}!" if roll.result(f) is Result.CRITICAL else str(f) for f in good)
        says.append(f"faces that succeed: {faces} (! critical)")
    return says


_AGAIN = {
    Reroll.ONES: "1s",
    Reroll.FAILED: "failures",
    Reroll.NONCRITICAL: "all that is not critical",
}


def chances(roll: Roll, name: str) -> dict[str, Fraction]:
    """P(success) and P(critical) of a roll, exact."""
    failure, _, critical = roll.ways()
    return {name: Fraction(36 - failure, 36), f"critical {name}": Fraction(critical, 36)}


def _wounds(facts: Facts) -> Iterator[Step]:
    """The wound roll, for each Strength where that is rolled."""
    strengths = facts.line.modifiers.strength.law(facts.armed.weapon.strength, facts.edition)
    pairs = list(zip(strengths.values.tolist(), facts.shot.batch.dice, strict=True))
    several = len(pairs) > 1
    for strength, (chance, die) in pairs:
        assert die.wound_roll is not None
        modifiers = modifiers_at(facts.line, strength, facts.toughness)
        stronger = modifiers is not facts.line.modifiers
        told = f"S {strength} against T {facts.toughness}: needs {die.wound_roll.need}+"
        says = [told + (f", in {share(chance)} of rolls" * several)]
        says[0] += facts.because("strength", "toughness")
        says += _modified(facts.of("wound", stronger=stronger), modifiers.wound)
        says += _roll(facts, die.wound_roll, "reroll_wounds", "critical_wounds")
        yield Step(
            f"wound with S {strength}" if several else "wound",
            tuple(says),
            chances(die.wound_roll, "wound"),
            ("§1.4", "§4"),
        )

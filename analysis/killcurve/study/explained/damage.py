"""Saves, damage and Feel No Pain of one weapon line in words and fractions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from killcurve.engine.packets import felt
from killcurve.engine.pmf import Pmf
from killcurve.engine.roll import Reroll
from killcurve.engine.shot import Packet
from killcurve.rules.tally import DamageChange
from killcurve.study.explained.facts import Facts, Step, exact, share


def saves(facts: Facts) -> Iterator[Step]:
    """The save of each group, and that against critical wounds where they have a better AP."""
    for g, _, whose in facts.apart():
        yield _save(facts, f"save{whose}", g)
        special = facts.shot.special_saves
        if special is not None and special[g] != facts.shot.saves[g]:
            yield Step(
                f"save{whose} against critical wounds",
                (f"the AP of critical wounds is better: needs {_need(special[g].need)}",),
                {"unsaved": Fraction(special[g].ways_to_fail(), 36)},
                ("§2.1", "§5"),
            )


def _save(facts: Facts, name: str, g: int) -> Step:
    _, sv, invulnerable = facts.shot.kinds[g]
    modifiers, weapon, roll = facts.line.modifiers, facts.armed.weapon, facts.shot.saves[g]
    ap = modifiers.ap_from(weapon.ap)
    told = [f"Sv {_need(sv)}" + facts.because("save")]
    told.append(f"AP {ap}" + facts.because("ap"))
    if modifiers.cover and weapon.ranged and not facts.edition.cover_worsens_skill:
        spared = sv <= 3 and ap == 0
        told.append("cover does nothing for 3+ or better against AP 0" if spared else "cover +1")
    if modifiers.save_roll:
        told.append(f"save rolls {modifiers.save_roll:+d}{facts.because('save_roll')}")
    says = [", ".join(told)]
    if invulnerable is not None:
        says.append(f"invulnerable {invulnerable}+, which AP leaves alone")
    if facts.edition.save_roll_cap is not None and (modifiers.cover or modifiers.save_roll):
        says.append(f"a save roll is improved by {facts.edition.save_roll_cap} at most")
    says.append(f"needs {_need(roll.need)}")
    if roll.reroll is not Reroll.NONE:
        says.append(f"rolled again: {roll.reroll.value}{facts.because('reroll_saves')}")
    rule = "§5.1" if facts.edition.sorted_saves else "§5.2"
    return Step(name, tuple(says), {"unsaved": Fraction(roll.ways_to_fail(), 36)}, (rule,))


def _need(need: int) -> str:
    return f"{need}+" if need <= 6 else "more than 6: no save"


def damage(facts: Facts) -> Iterator[Step]:
    """What an unsaved wound takes, and what a devastating one does."""
    ordinary, special = facts.shot.ordinary, facts.shot.special
    yield _packet(facts, "damage of an unsaved wound", ordinary)
    if facts.line.modifiers.devastating and special is not None:
        spills = "what is left over goes on to the next model" if special.spills else "no spill"
        yield _packet(
            facts,
            "devastating wound",
            special,
            f"{facts.edition.devastating.value}; {spills}",
        )


def _packet(facts: Facts, name: str, packet: Packet, *more: str) -> Step:
    spared = bool(more) and facts.edition.allocated_changes_spare_devastating
    says = [*more, f"D {facts.armed.weapon.damage}{_changes(facts, spared=spared)}"]
    says.append(f"does {_law(packet.damage)}")
    chances = {"mean damage": exact(packet.damage)}
    for g, _, whose in facts.apart():
        need = packet.feel_no_pain[g]
        if need is not None:
            says.append(f"Feel No Pain {need}+{whose}: each point is lost in {need - 1} of 6")
        points, wounds = felt(packet.damage, need), facts.target.groups[g].wounds
        slays = sum(w for v, w in zip(points.values, points.weights, strict=True) if v >= wounds)
        chances[f"slays a fresh model{whose}"] = share(float(slays))
    return Step(name, tuple(says), chances, ("§1.3", "§6.1", "§6.2"))


def _changes(facts: Facts, *, spared: bool) -> str:
    """What changes Damage, and in which order; ``spared``: not what is so when allocated."""
    found = [
        c.source
        for c in facts.of("damage", "melta", "reroll_damage")
        if not (spared and isinstance(c.value, DamageChange) and c.value.when_allocated)
    ]
    if not found:
        return ""
    first = "halving, additions" if facts.edition.divide_first else "additions, halving"
    told = ", ".join(dict.fromkeys(found))
    return f", changed by {told} (in this order: set, {first}, subtractions; at least 1)"


def _law(law: Pmf) -> str:
    pairs = list(zip(law.values.tolist(), law.weights.tolist(), strict=True))
    if len(pairs) == 1:
        return str(pairs[0][0])
    told = (f"{v} in {share(w)}" for v, w in pairs if w)
    return ", ".join(told)

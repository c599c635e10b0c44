"""What each effect of the language does to an attack: one small function a kind (SCENARIO)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from killcurve.engine.change import Change, added
from killcurve.engine.dice import Dice
from killcurve.engine.roll import Reroll
from killcurve.engine.target import Protection
from killcurve.engine.weapon import Right, Rolled, Use
from killcurve.rules import ability_rules
from killcurve.rules.abilities import Ability
from killcurve.rules.ability_rules import Unmodelled
from killcurve.rules.effects import Effect, Shift
from killcurve.rules.situation import Situation
from killcurve.rules.tally import DamageChange, Tally


@dataclass(frozen=True, slots=True)
class Given:
    """An effect, who has it (``attacker`` or ``defender``), and the situation.

    ``number`` tells equal effects of one side apart.
    """

    effect: Effect
    situation: Situation
    side: str
    number: int = 0


Rule = Callable[[Tally, Given], None]

BESIDE_ATTACKS = frozenset(
    {
        "wounds",
        "mortal wounds",
        "explosives",
        "crushing impact",
        "tank shock",
        "fight on death",
        "heal",
        "return models",
    }
)
"""Effects that are made or suffered beside attacks."""

WITHOUT_ATTACKS = BESIDE_ATTACKS | {
    "range",
    "leadership",
    "move",
    "objective control",
    "reroll advance",
    "reroll charge",
}
"""Effects that change no roll of an attack."""

DEFENDERS_ONLY = frozenset(
    {"toughness", "save", "invulnerable", "feel no pain", "cover", "stealth", "reroll saves"}
)
"""What an effect does to attacks against the unit that has it, and not to its own."""

ATTACKERS_ONLY = frozenset(
    {
        "ability",
        "critical hits",
        "critical wounds",
        "critical wound ap",
        "ignore modifiers",
        "reroll attacks",
        "reroll damage",
        "reroll hits",
        "reroll wounds",
        "snap shooting",
    }
)
"""What an effect does to the unit's own attacks, and not to those against it."""


def apply(tally: Tally, effect: Effect, situation: Situation, side: str, number: int = 0) -> None:
    """Add what an effect contributes when ``side`` (``attacker`` or ``defender``) has it.

    Raises:
        Unmodelled: if it bears on attack maths and is not computed.
    """
    if effect.what in WITHOUT_ATTACKS:
        return
    if effect.what in (DEFENDERS_ONLY if side == "attacker" else ATTACKERS_ONLY):
        return
    rule = RULES.get(effect.what)
    if rule is None:
        raise Unmodelled(f"the effect '{effect}' is not computed")
    rule(tally, Given(effect, situation, side, number))


def _shift(effect: Effect) -> Shift:
    assert isinstance(effect.amount, Shift)
    return effect.amount


def _number(effect: Effect) -> int:
    assert isinstance(effect.amount, int)
    return effect.amount


def _certain(effect: Effect) -> Shift:
    """The shift of an effect that can only be by a number."""
    shift = _shift(effect)
    if not shift.by.is_fixed:
        raise Unmodelled(f"the effect '{effect}' is not computed: only a certain number is")
    return shift


def _roll(name: str) -> Rule:
    def rule(tally: Tally, given: Given) -> None:
        shift = _certain(given.effect)
        if shift.sign == "=":
            raise Unmodelled(f"the effect '{given.effect}': a roll cannot be set")
        getattr(tally, name).append(shift.signed)

    return rule


def _characteristic(name: str, *, low: int, high: int) -> Rule:
    """A characteristic of which changes are summed, or that is set within its bounds."""

    def rule(tally: Tally, given: Given) -> None:
        shift = _certain(given.effect)
        if shift.sign == "=":
            if not low <= shift.by.bonus <= high:
                raise Unmodelled(f"the effect '{given.effect}': {low} to {high} are possible")
            tally.replaced[name] = -shift.by.bonus if name == "ap" else shift.by.bonus
        elif isinstance(held := getattr(tally, name), list):
            held.append(shift.signed)
        else:
            setattr(tally, name, held + shift.signed)

    return rule


def _change(effect: Effect) -> Change:
    shift = _shift(effect)
    if shift.sign == "=":
        return Change(replaced=shift.by)
    if shift.sign == "-":
        return Change(removed=-_certain(effect).signed)
    return added(shift.by)


def _attacks(tally: Tally, given: Given) -> None:
    change = _change(given.effect)
    if (given.effect.scope or "").startswith('"'):
        tally.attacks_by_name += change
    else:
        tally.attacks += change


def _strength(tally: Tally, given: Given) -> None:
    tally.strength += _change(given.effect)


def _damage(tally: Tally, given: Given) -> None:
    shift = _shift(given.effect)
    if shift.once:
        _once(tally, given, shift)
        return
    change = _change(given.effect)
    bad = shift.sign == "-" or (shift.sign == "=" and given.side == "defender")
    tally.damage.append(DamageChange(change, bad=bad, when_allocated=shift.when_allocated))


def _once(tally: Tally, given: Given, shift: Shift) -> None:
    if given.side == "attacker":
        raise Unmodelled(f"the effect '{given.effect}' is one of the unit that is attacked")
    if shift.sign != "=" or shift.by != Dice():
        raise Unmodelled(f"the effect '{given.effect}': only Damage 0 can be had once")
    use = Use.NO_ALLOCATED_DAMAGE if shift.when_allocated else Use.NO_DAMAGE
    tally.rights.append(_right(given, Rolled.DAMAGE, use))


def _set_one(tally: Tally, given: Given) -> None:
    rolled = {"hit": "hits", "wound": "wounds", "save": "saves"}.get(
        str(given.effect.amount), "damage"
    )
    if (rolled == "saves") is (given.side == "defender"):
        tally.rights.append(_right(given, Rolled(rolled), Use.SIX))


def _right(given: Given, rolled: Rolled, use: Use) -> Right:
    again = f" ({given.number})" if given.number else ""
    return Right(rolled, use, f"{given.effect}{again}")


def _halve_damage(tally: Tally, given: Given) -> None:
    tally.damage.append(DamageChange(Change(divisor=2), bad=True))


def _reroll(what: str) -> Rule:
    def rule(tally: Tally, given: Given) -> None:
        if given.effect.amount == "one":
            tally.rights.append(_right(given, Rolled(what), Use.REROLL))
        else:
            tally.reroll(what, Reroll(given.effect.amount))

    return rule


def _command_reroll(tally: Tally, given: Given) -> None:
    """One die (or roll) of any kind that the side makes; saves are the defender's."""
    rolled = Rolled.SAVES if given.side == "defender" else Rolled.ANY
    tally.rights.append(_right(given, rolled, Use.REROLL))


def _critical_hits(tally: Tally, given: Given) -> None:
    tally.critical_hits = min(tally.critical_hits, _number(given.effect))


def _critical_wounds(tally: Tally, given: Given) -> None:
    tally.critical_wounds = min(tally.critical_wounds, _number(given.effect))


def _critical_wound_ap(tally: Tally, given: Given) -> None:
    tally.critical_wound_ap += _certain(given.effect).signed


def _ability(tally: Tally, given: Given) -> None:
    assert isinstance(given.effect.amount, Ability)
    ability_rules.apply(tally, given.effect.amount, given.situation)


def _ignore(tally: Tally, given: Given) -> None:
    tally.ignored.add(str(given.effect.amount))


def _cover(tally: Tally, given: Given) -> None:
    tally.cover |= given.situation.ranged


def _stealth(tally: Tally, given: Given) -> None:
    if not given.situation.ranged:
        return
    if given.situation.edition.stealth_is_cover:
        tally.cover = True
    else:
        tally.hit.append(-1)


def _snap_shooting(tally: Tally, given: Given) -> None:
    if not given.situation.ranged:
        return
    snap(tally, given.situation, _number(given.effect) - 1)


def snap(tally: Tally, situation: Situation, gate: int) -> None:
    """Snap shooting: hits on unmodified results above ``gate`` only (RULES.md §3.2)."""
    tally.hit_gate = max(tally.hit_gate, gate)
    tally.only_gate_counts = tally.snap = True
    tally.no_hit_rerolls |= situation.edition.snap_forbids_rerolls


def _invulnerable(tally: Tally, given: Given) -> None:
    assert isinstance(given.effect.amount, Protection)
    tally.invulnerable.append(given.effect.amount)


def _feel_no_pain(tally: Tally, given: Given) -> None:
    assert isinstance(given.effect.amount, Protection)
    tally.feel_no_pain.append(given.effect.amount)


RULES: dict[str, Rule] = {
    "hit": _roll("hit"),
    "wound": _roll("wound"),
    "skill": _characteristic("skill", low=2, high=6),
    "ap": _characteristic("ap", low=0, high=10),
    "attacks": _attacks,
    "strength": _strength,
    "damage": _damage,
    "halve damage": _halve_damage,
    "toughness": _characteristic("toughness", low=1, high=20),
    "save": _characteristic("save", low=2, high=7),
    "reroll hits": _reroll("hits"),
    "reroll wounds": _reroll("wounds"),
    "reroll saves": _reroll("saves"),
    "reroll damage": _reroll("damage"),
    "reroll attacks": _reroll("attacks"),
    "command re-roll": _command_reroll,
    "set one": _set_one,
    "critical hits": _critical_hits,
    "critical wounds": _critical_wounds,
    "critical wound ap": _critical_wound_ap,
    "ability": _ability,
    "ignore modifiers": _ignore,
    "cover": _cover,
    "stealth": _stealth,
    "snap shooting": _snap_shooting,
    "invulnerable": _invulnerable,
    "feel no pain": _feel_no_pain,
}
"""The effects that change attacks, each with its rule."""


def improves_attacks(effect: Effect) -> bool:
    """Whether an effect changes the attacks of the unit that has it.

    >>> [improves_attacks(Effect.parse(p)) for p in ("hit +1", "save +1", "snap shooting")]
    [True, False, False]
    """
    others = DEFENDERS_ONLY | {"snap shooting"}
    return effect.what in RULES and effect.what not in others

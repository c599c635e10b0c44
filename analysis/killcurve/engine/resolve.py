"""The exact outcome of a volley: by plain sums, or under the players' best choices."""

from __future__ import annotations

from functools import lru_cache

from killcurve.engine.decisions.choices import Choices
from killcurve.engine.decisions.eleventh import play_batches
from killcurve.engine.decisions.result import Played
from killcurve.engine.decisions.tenth import play_attacks
from killcurve.engine.edition import Devastating
from killcurve.engine.plain import plain_stage_laws, play_plainly
from killcurve.engine.product import Product, product
from killcurve.engine.roll import Reroll
from killcurve.engine.states import states
from killcurve.engine.volley import Outcome, Volley, outcome
from killcurve.engine.weapon import WeaponLine


def resolve(volley: Volley) -> Outcome:
    """The exact outcome of a volley whose rights are used at the best moment, for damage.

    Without any, which is the usual case, plain sums give it.

    >>> from killcurve.engine.dice import Dice
    >>> from killcurve.engine.edition import edition
    >>> from killcurve.engine.target import ModelGroup, Target
    >>> from killcurve.engine.weapon import Weapon, WeaponLine
    >>> gun = Weapon(count=1, attacks=Dice.parse(2), skill=None, strength=Dice.parse(8), ap=0,
    ...              damage=Dice.parse("D6"))
    >>> squad = Target((ModelGroup(count=3, toughness=4, save=7, wounds=3),))
    >>> out = resolve(Volley(edition("11e"), squad, (WeaponLine(gun),)))
    >>> round(out.slain.probability(2), 9) == round(4 / 9 * 25 / 36, 9)
    True
    """
    if (halves := _for_damage(volley)) is not None:
        return halves.outcome()
    return _played_for_damage(volley)


@lru_cache(maxsize=256)
def _played_for_damage(volley: Volley) -> Outcome:
    played = play(volley, Choices(rights=volley.rights))
    return outcome(states(volley.target), played.law, played.stages)


@lru_cache(maxsize=256)
def _for_damage(volley: Volley) -> Product | None:
    return simple(volley, Choices(rights=volley.rights))


@lru_cache(maxsize=256)
def simple(volley: Volley, choices: Choices) -> Product | None:
    """The two halves of a volley that is a mere product and in which nothing is chosen."""
    return None if asks_for_choices(volley, choices) else product(volley)


def play(volley: Volley, choices: Choices, *, laws: bool = False) -> Played:
    """A volley under the players' best choices, with what they choose.

    With ``laws`` the distributions of its stages are there as well as their means.
    """
    if not asks_for_choices(volley, choices):
        law, stages = play_plainly(volley)
        found = tuple(plain_stage_laws(volley)) if laws else ()
        return Played(law, stages, {}, None, {}, found)
    if volley.edition.sorted_saves:
        return play_batches(volley, choices, laws=laws)
    if volley.edition.devastating is Devastating.MORTALS_AFTER_BATCH:
        raise ValueError("choices are solved only where devastating wounds wait for the unit")
    return play_attacks(volley, choices, laws=laws)


@lru_cache(maxsize=1024)
def asks_for_choices(volley: Volley, choices: Choices) -> bool:
    """Whether plain sums do not do: something is to be chosen, or read attack by attack."""
    by_attack = not volley.edition.sorted_saves and any(line.variants for line in volley.lines)
    lethal = choices.lethal and volley.edition.lethal_is_optional
    allocation = choices.allocation and len(volley.target.groups) > 1
    looks = any(_looks_at_damage(line) for line in volley.lines)
    return by_attack or lethal or allocation or bool(choices.rights) or looks


def _looks_at_damage(line: WeaponLine) -> bool:
    """Whether damage is rolled, and the rolls may be made again by whoever sees them."""
    if line.weapon.damage.is_fixed:
        return False
    again = (Reroll.FAILED, Reroll.NONCRITICAL)
    kinds = [line.modifiers, *([line.when_stronger] if line.when_stronger else [])]
    return any(m.reroll_damage in again for m in kinds)

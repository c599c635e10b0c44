"""11th edition: a weapon is a batch; sorted save dice, then its devastating wounds (RULES.md
§2.1, §5.1, §6.4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import permutations, product

from .attack import Hits, Wounds, attack_dice, hits, wounds
from .batchsaves import Order, SaveRoll
from .course import Course, Step, Worth, pick
from .damage import damage_points
from .dice import Law, certain, expected, spread
from .profile import Profile
from .target import State, Table, suffer


def batch_step(table: Table, index: int) -> Step:
    """The step that resolves weapon `index`."""
    start = table.profile(index, table.start)
    models = sum(map(len, table.start.groups))
    batches: dict[tuple[bool, ...], Batch] = {}

    def step(state: State, worth: Worth) -> Law:
        if not any(state.groups):
            return certain(state)
        if state.living not in batches:
            batches[state.living] = Batch(table, table.profile(index, state))
        dice = attack_dice(start.scene, start.abilities, models, state.tokens)
        return batches[state.living].resolve(state, dice, worth)

    return step


class Batch:
    """One weapon against the target as it stands at the start of the batch."""

    def __init__(self, table: Table, profile: Profile) -> None:
        self.table = table
        self.profile = profile
        self._save_rolls: dict[tuple[Order, int, int, State], Law] = {}

    def resolve(self, state: State, dice: Law, worth: Worth) -> Law:
        """From the number of attack dice to the states after the batch."""
        outcomes: dict[Wounds, Law] = {}

        def resolved(wound: Wounds) -> Law:
            if wound not in outcomes:
                outcomes[wound] = self.inflict(state, wound, worth)
            return outcomes[wound]

        rolled = spread(dice, lambda now: hits(self.profile, *now))
        wounded = spread(rolled, lambda hit: self.after_hits(hit, resolved, worth))
        return spread(wounded, resolved)

    def after_hits(self, hit: Hits, resolved: Callable[[Wounds], Law], worth: Worth) -> Law:
        """Law of Wounds. Lethal Hits are the attacker's choice for each critical hit, all hit
        dice seen (§3.3).
        """
        choice = self.table.scenario.lethal if self.profile.lethal else "never"
        options = {
            "always": [hit.critical],
            "never": [0],
            "optimal": list(range(hit.critical, -1, -1)),
        }[choice]

        def option(automatic: int) -> Law:
            rolls = hit.ordinary + hit.critical - automatic + hit.extra
            return wounds(self.profile, automatic, rolls, hit.tokens)

        return pick(options, option, lambda wound: expected(resolved(wound), worth), 1)

    def inflict(self, state: State, wound: Wounds, worth: Worth) -> Law:
        """Saves and damage: first the pool with the AP of critical wounds, then the ordinary one,
        then the devastating wounds.
        """
        steps: list[Step] = []
        for sharper, number in ((1, wound.sharper), (0, wound.ordinary)):
            if number:
                steps.append(partial(self.saves, number, sharper))
        steps += [self.devastating] * wound.devastating
        return Course(steps, worth).run(state._replace(tokens=wound.tokens))

    def saves(self, number: int, sharper: int, state: State, worth: Worth) -> Law:
        """The order is declared, the dice are rolled together and taken in ascending order
        (§5.1).
        """
        if not any(state.groups):
            return certain(state)
        named = self.table.singled_out(self.profile, state)
        first: Order = () if named is None else ((named,),)
        options = [
            (*first, *(members for members in order if members not in first))
            for order in orders(self.table, self.profile, state)
        ]
        return pick(options, lambda order: self.save_roll(order, number, sharper, state), worth, -1)

    def save_roll(self, order: Order, number: int, sharper: int, state: State) -> Law:
        """One save roll under one declared order."""
        key = (order, number, sharper, state)
        if key not in self._save_rolls:
            self._save_rolls[key] = SaveRoll(self.table, self.profile, order, sharper).law(
                state, number
            )
        return self._save_rolls[key]

    def devastating(self, state: State, worth: Worth) -> Law:
        """One critical wound: its Damage as mortal wounds on one model, the rest is lost (§6.4).

        The model is chosen as for any mortal wound, or is the CHARACTER that PRECISION names.
        """
        if not any(state.groups):
            return certain(state)
        named = self.table.singled_out(self.profile, state)
        options = self.table.candidates(state) if named is None else [named]
        return pick(options, partial(self.harmed, state), worth, -1)

    def harmed(self, state: State, group: int) -> Law:
        """A critical wound's damage roll and what the chosen model loses."""
        ignored = self.profile.defences[group].mortal_ignored
        return spread(
            damage_points(self.profile.devastating_damage, state.tokens),
            lambda roll: suffer(state._replace(tokens=roll[1]), group, roll[0], ignored),
        )


def orders(table: Table, profile: Profile, state: State) -> Iterator[Order]:
    """The orders the defender may declare (§5.1): wounded non-CHARACTER, other non-CHARACTER,
    wounded CHARACTER, other CHARACTER groups. With a fixed order exactly one.
    """
    kinds: dict[object, list[int]] = {}
    for group in table.order():
        if state.groups[group]:
            key = group if table.character(group) else profile.defences[group].kind
            kinds.setdefault((table.character(group), key), []).append(group)
    ranks: dict[tuple[bool, bool], list[tuple[int, ...]]] = {}
    for members in map(tuple, kinds.values()):
        hurt = any(table.wounded(state, group) for group in members)
        ranks.setdefault((table.character(members[0]), not hurt), []).append(members)
    ranked = [ranks[rank] for rank in sorted(ranks)]
    if table.scenario.allocation is None:
        _alike(table, profile, list(map(tuple, kinds.values())))
        for choice in product(*map(permutations, ranked)):
            yield tuple(members for part in choice for members in part)
    else:
        yield tuple(members for part in ranked for members in part)


def _alike(table: Table, profile: Profile, groups: list[tuple[int, ...]]) -> None:
    """An optimal pick inside one allocation group is left out where its models differ."""
    listed = table.scenario.target.groups
    for members in groups:
        looks = {(profile.defences[g], listed[g].toughness, listed[g].keywords) for g in members}
        if len(looks) > 1:
            raise NotImplementedError(
                "optimal allocation inside a group of equal W, Sv and InSv but unlike models"
            )

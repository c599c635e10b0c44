"""11th edition: a weapon is a batch; sorted save dice, then its devastating wounds (RULES.md
§2.1, §5.1, §6.4).

A batch goes through positions, each with the state so far and the groups that were living at its
start: Gathered, Landed, Hit, Wounded and Saving, back to Wounded, and at last the state alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from typing import NamedTuple

from .attack import Hits, roll_hits, roll_wounds
from .batchsaves import Dice, Order, SaveRoll
from .counting import Attacks
from .course import Rounds, Step, Worth, pick
from .dice import Law, certain, mapped
from .profile import Profile
from .rights import Tokens, kept, useful
from .target import State, Table, damaged, finished, forget, tidy

Living = tuple[bool, ...]


class Gathered(NamedTuple):
    """Attack dice, not yet rolled to hit."""

    state: State
    met: Living
    dice: int


class Landed(NamedTuple):
    """All hits are seen; Lethal Hits are to be used or not."""

    state: State
    met: Living
    hits: Hits


class Hit(NamedTuple):
    """Wounds that need no roll, and hits that roll to wound."""

    state: State
    met: Living
    automatic: int
    rolls: int


class Wounded(NamedTuple):
    """Wounds to be saved at the AP of critical wounds and at the ordinary one, and devastating
    wounds.
    """

    state: State
    met: Living
    sharper: int
    ordinary: int
    devastating: int


class Saving(NamedTuple):
    """Save dice of one pool that are still to be taken, the lowest first, and the wounds that come
    after them.
    """

    state: State
    met: Living
    order: Order
    sharp: int
    dice: Dice
    ordinary: int
    devastating: int


def batch_steps(table: Table, index: int) -> list[Step | Rounds]:
    """The steps that resolve weapon `index`."""
    start = table.profile(index, table.start)
    attacks = Attacks(start.scene, start.abilities, sum(map(len, table.start.groups)))
    batches: dict[Living, Batch] = {}

    def gather(state: State, worth: Worth) -> Law:
        def gathered(dice: int, left: Tokens) -> Law:
            return certain(Gathered(state._replace(tokens=left), state.living, dice))

        return attacks.law(state.tokens, gathered, worth) if any(state.groups) else certain(state)

    def go_on(position: Gathered, worth: Worth) -> Law:
        if position.met not in batches:
            batches[position.met] = Batch(table, index, table.profile(index, position.state))
        return batches[position.met].move(position, worth)

    return [gather, Rounds(go_on, finished), forget(table.useful_from(index + 1))]


class Batch:
    """One weapon against the target as it stands at the start of the batch."""

    def __init__(self, table: Table, index: int, profile: Profile) -> None:
        self.table = table
        self.profile = profile
        weapon = table.scenario.weapons[index]
        self.harmful = useful(table.scenario, weapon, True) | table.useful_from(index + 1)
        self._save_rolls: dict[tuple[Order, int], SaveRoll] = {}

    def move(self, position: object, worth: Worth) -> Law:
        """The law of the positions after this one."""
        match position:
            case Gathered():
                return self.hit(position, worth)
            case Landed():
                return self.choose_lethal(position, worth)
            case Hit():
                return self.wound(position, worth)
            case Wounded():
                return self.harm(position, worth)
            case Saving():
                return self.take(position, worth)
        raise TypeError(position)

    def hit(self, now: Gathered, worth: Worth) -> Law:
        """All hit dice lie on the table."""

        def landed(hits: Hits, left: Tokens) -> Law:
            return certain(Landed(now.state._replace(tokens=left), now.met, hits))

        return roll_hits(self.profile, now.dice, now.state.tokens, landed, worth)

    def choose_lethal(self, now: Landed, worth: Worth) -> Law:
        """Lethal Hits are the attacker's choice for each critical hit, all hit dice seen (§3.3)."""
        hits = now.hits
        choice = self.table.scenario.lethal if self.profile.lethal else "never"
        options = {
            "always": [hits.critical],
            "never": [0],
            "optimal": list(range(hits.critical, -1, -1)),
        }[choice]

        def option(automatic: int) -> Law:
            return certain(Hit(now.state, now.met, automatic, sum(hits) - automatic))

        return pick(options, option, worth, 1)

    def wound(self, now: Hit, worth: Worth) -> Law:
        """All wound dice lie on the table. Automatic wounds are never critical (§4)."""

        def wounded(ordinary: int, critical: int, left: Tokens) -> Law:
            plain = now.automatic + ordinary
            state = now.state._replace(tokens=kept(left, self.harmful))
            if self.profile.devastating:
                return certain(self.left(state, now.met, 0, plain, critical))
            if self.profile.splits:
                return certain(self.left(state, now.met, critical, plain, 0))
            return certain(self.left(state, now.met, 0, plain + critical, 0))

        return roll_wounds(self.profile, now.rolls, now.state.tokens, wounded, worth)

    def left(
        self, state: State, met: Living, sharper: int, ordinary: int, devastating: int
    ) -> State | Wounded:
        """The position with these wounds left: the state alone where there are none, or nobody to
        suffer them.
        """
        if any(state.groups) and sharper + ordinary + devastating:
            return Wounded(state, met, sharper, ordinary, devastating)
        return tidy(state)

    def harm(self, now: Wounded, worth: Worth) -> Law:
        """First the pool with the AP of critical wounds, then the ordinary one, then the
        devastating wounds.
        """
        if now.sharper:
            return self.saves(now, now.sharper, 1, now.ordinary, worth)
        if now.ordinary:
            return self.saves(now, now.ordinary, 0, 0, worth)
        return self.devastating(now, worth)

    def saves(self, now: Wounded, number: int, sharp: int, ordinary: int, worth: Worth) -> Law:
        """The order is declared, then the dice are rolled together (§5.1)."""
        named = self.table.singled_out(self.profile, now.state)
        first: Order = () if named is None else ((named,),)
        options = [
            (*first, *(members for members in order if members not in first))
            for order in orders(self.table, self.profile, now.state)
        ]

        def declared(order: Order) -> Law:
            roll = self.save_roll(order, sharp)
            if not roll.offers(now.state.tokens):
                return mapped(
                    roll.face_by_face(now.state, number),
                    lambda after: self.left(after, now.met, 0, ordinary, now.devastating),
                )

            def seen(dice: Dice, left: Tokens) -> Law:
                state = now.state._replace(tokens=left)
                saving = Saving(state, now.met, order, sharp, dice, ordinary, now.devastating)
                return certain(self.saving(saving))

            return roll.dice_seen(now.state, number, seen, worth)

        return pick(options, declared, worth, -1)

    def save_roll(self, order: Order, sharp: int) -> SaveRoll:
        """The save dice under one declared order."""
        if (order, sharp) not in self._save_rolls:
            self._save_rolls[order, sharp] = SaveRoll(self.table, self.profile, order, sharp)
        return self._save_rolls[order, sharp]

    def saving(self, now: Saving) -> Saving | Wounded | State:
        """The position with these dice left, or what comes after them."""
        if now.dice and any(now.state.groups):
            return now
        return self.left(now.state, now.met, 0, now.ordinary, now.devastating)

    def take(self, now: Saving, worth: Worth) -> Law:
        """The lowest die is taken."""
        face, *others = now.dice

        def after(state: State) -> Saving | Wounded | State:
            return self.saving(now._replace(state=state, dice=tuple(others)))

        law = self.save_roll(now.order, now.sharp).take(
            now.state, face, lambda state: worth(after(state))
        )
        return mapped(law, after)

    def devastating(self, now: Wounded, worth: Worth) -> Law:
        """One critical wound: its Damage as mortal wounds on one model, the rest is lost (§6.4).

        The model is chosen as for any mortal wound, or is the CHARACTER that PRECISION names.
        """

        def after(state: State) -> State | Wounded:
            return self.left(state, now.met, 0, 0, now.devastating - 1)

        def harmed(group: int) -> Law:
            ignored = self.profile.defences[group].mortal_ignored
            rule = self.profile.devastating_damage
            law = damaged(now.state, group, rule, ignored, lambda state: worth(after(state)))
            return mapped(law, after)

        named = self.table.singled_out(self.profile, now.state)
        options = self.table.candidates(now.state) if named is None else [named]
        return pick(options, harmed, worth, -1)


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

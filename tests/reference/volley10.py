"""10th edition, all three states: attack by attack (RULES.md §2.2, §5.2, §6.3, §6.4)."""

from __future__ import annotations

from operator import add
from typing import NamedTuple

from .attack import Hits, roll_hits, roll_wounds
from .counting import Attacks
from .course import Course, Rounds, Step, Worth, nobody_chooses, pick
from .damage import dealt
from .dice import Law, certain, mapped
from .profile import Profile
from .rights import Tokens, useful
from .singlesave import allocated, released, roll_save
from .target import State, Table, damaged, finished, forget, mortal_wound, suffer, tidy


class Firing(NamedTuple):
    """The middle of a weapon's attacks: attack dice not yet rolled; of the present attack wounds
    that need no roll and hits that roll to wound; of the present hit the group it is allocated to
    (-1: none), 1 for the AP of critical wounds, and whether the save has failed.
    """

    state: State
    left: int
    automatic: int = 0
    rolls: int = 0
    group: int = -1
    sharper: int = 0
    failed: bool = False


def weapon_steps(table: Table, index: int) -> list[Step | Rounds]:
    """Roll the number of attacks, then make them, one after the other."""
    start = table.profile(index, table.start)
    attacks = Attacks(start.scene, start.abilities, sum(map(len, table.start.groups)))

    def gather(state: State, worth: Worth) -> Law:
        def gathered(dice: int, left: Tokens) -> Law:
            return certain(going_on(Firing(state._replace(tokens=left), dice)))

        return attacks.law(state.tokens, gathered, worth) if any(state.groups) else certain(state)

    every = [useful(table.scenario, weapon, True) for weapon in table.scenario.weapons]
    later = table.useful_from(index + 1).union(*every)
    return [gather, Rounds(Volley(table, index).move, finished), forget(later)]


def going_on(position: Firing) -> Firing | State:
    """The position, or the state alone where nothing is left to do."""
    alive = any(position.state.groups)
    if alive and (position.left or position.automatic or position.rolls):
        return position
    return tidy(position.state)


class Volley:
    """One weapon's attacks."""

    def __init__(self, table: Table, index: int) -> None:
        self.table = table
        self.index = index
        self.rights = useful(table.scenario, table.scenario.weapons[index])
        self._known: dict[State, Law] = {}

    def profile(self, now: Firing) -> Profile:
        """The weapon against the target as it stands."""
        return self.table.profile(self.index, now.state)

    def move(self, now: Firing, worth: Worth) -> Law:
        """The law of the positions after this one."""
        if now.failed:
            return self.damage(now, worth)
        if now.group >= 0:
            return self.save(now, worth)
        if now.automatic or now.rolls:
            return self.wound(now, worth)
        return self.hit(now, worth) if self.offers(now.state) else self.whole_attack(now)

    def offers(self, state: State) -> bool:
        """Whether anybody may have something to choose."""
        if self.table.scenario.allocation is None and len(state.groups) > 1:
            return True
        free = self.table.rolls_damage_again(self.index)
        return free or any(token in self.rights for token in state.tokens)

    def whole_attack(self, now: Firing) -> Law:
        """Without choices an attack does not depend on what is owed or left: it is worked out
        once.
        """
        bare = now.state._replace(owed=self.table.start.owed)
        if bare not in self._known:

            def attack(position: Firing, worth: Worth) -> Law:
                return self.hit(position, worth) if position.left else self.move(position, worth)

            steps = [Rounds(attack, finished)]
            self._known[bare] = Course(steps, nobody_chooses).run(Firing(bare, 1))

        def after(state: State) -> Firing | State:
            owed = tuple(map(add, now.state.owed, state.owed))
            return going_on(Firing(state._replace(owed=owed), now.left - 1))

        return mapped(self._known[bare], after)

    def hit(self, now: Firing, worth: Worth) -> Law:
        """The hit roll. Lethal Hits are forced (§3.3)."""
        profile = self.profile(now)

        def landed(hits: Hits, left: Tokens) -> Law:
            automatic = hits.critical if profile.lethal else 0
            state = now.state._replace(tokens=left)
            return certain(going_on(Firing(state, now.left - 1, automatic, sum(hits) - automatic)))

        return roll_hits(profile, 1, now.state.tokens, landed, worth)

    def wound(self, now: Firing, worth: Worth) -> Law:
        """One hit: a wound without a roll, or the wound roll."""
        if now.automatic:
            return self.allocate(now._replace(automatic=now.automatic - 1), False, worth)
        rest = now._replace(rolls=now.rolls - 1)

        def wounded(ordinary: int, critical: int, left: Tokens) -> Law:
            after = rest._replace(state=now.state._replace(tokens=left))
            if not ordinary + critical:
                return certain(going_on(after))
            return self.allocate(after, bool(critical), worth)

        return roll_wounds(self.profile(now), 1, now.state.tokens, wounded, worth)

    def allocate(self, now: Firing, critical: bool, worth: Worth) -> Law:
        """A wounding attack: owed until later if devastating, else allocated (§5.2)."""
        profile, state = self.profile(now), now.state
        if critical and profile.devastating:
            owed = list(state.owed)
            owed[self.index] += 1
            return certain(going_on(now._replace(state=state._replace(owed=tuple(owed)))))
        sharper = int(critical and profile.splits)

        def to(group: int) -> Law:
            bound = allocated(self.table, state, group)
            return certain(now._replace(state=bound, group=group, sharper=sharper))

        return pick(receivers(self.table, profile, state), to, worth, -1)

    def save(self, now: Firing, worth: Worth) -> Law:
        """The save of the model the attack is allocated to."""

        def rolled(saved: bool, left: Tokens) -> Law:
            state = now.state._replace(tokens=left)
            if not saved:
                return certain(now._replace(state=state, failed=True))
            return certain(self.dealt_with(now, state))

        tokens = now.state.tokens
        return roll_save(self.profile(now), now.group, now.sharper, tokens, rolled, worth)

    def damage(self, now: Firing, worth: Worth) -> Law:
        """The damage of an attack that was not saved."""
        profile = self.profile(now)

        def after(state: State) -> Firing | State:
            return self.dealt_with(now, released(now.state, state, now.group))

        ignored = profile.defences[now.group].ignored
        law = damaged(
            now.state, now.group, profile.damage, ignored, lambda state: worth(after(state))
        )
        return mapped(law, after)

    def dealt_with(self, now: Firing, state: State) -> Firing | State:
        """The position after the present hit."""
        return going_on(Firing(state, now.left, now.automatic, now.rolls))


def receivers(table: Table, profile: Profile, state: State) -> list[int]:
    """The groups an attack may be allocated to: PRECISION's, the wounded model's, the one that
    already had an attack allocated, else the defender's pick among bodyguards, then CHARACTERs
    (§5.2).
    """
    named = table.singled_out(profile, state)
    if named is not None:
        return [named]
    found = table.candidates(state)
    return [state.bound] if state.bound in found and not table.wounded(state, found[0]) else found


class Spilling(NamedTuple):
    """June 2023: mortal wounds of one critical wound that are still to be suffered."""

    state: State
    points: int


class Settling:
    """After all the unit's other attacks: the devastating wounds of one weapon (§6.4)."""

    def __init__(self, table: Table, index: int) -> None:
        self.table = table
        self.index = index
        self.profile = table.profile(index, table.start)

    def steps(self) -> list[Step | Rounds]:
        """One critical wound after the other, until none is owed."""
        return [Rounds(self.move, self.over)]

    def over(self, position: State | Spilling) -> bool:
        """Whether this weapon owes nothing more."""
        return isinstance(position, State) and not position.owed[self.index]

    def move(self, now: State | Spilling, worth: Worth) -> Law:
        """The law of the positions after this one."""
        if isinstance(now, Spilling):
            return self.spill(now, worth)
        owed = (*now.owed[: self.index], now.owed[self.index] - 1, *now.owed[self.index + 1 :])
        return self.devastating(now._replace(owed=owed), worth)

    def devastating(self, state: State, worth: Worth) -> Law:
        """One critical wound. June 2023: mortal wounds that spill. September 2023: normal damage
        without a save. Late: mortal wounds on the model it is allocated to, the rest is lost.
        """
        rule = self.profile.devastating_damage
        if self.table.scenario.edition == "10e-2023-06":

            def spilling(points: int, left: Tokens) -> Law:
                return certain(self.spilling(state._replace(tokens=left), points))

            return dealt(rule, state.tokens, spilling, worth)
        late = self.table.scenario.edition == "10e"

        def one_model(group: int) -> Law:
            defence = self.profile.defences[group]
            before = allocated(self.table, state, group)

            def after(now: State) -> State:
                return tidy(released(before, now, group))

            ignored = defence.mortal_ignored if late else defence.ignored
            law = damaged(before, group, rule, ignored, lambda now: worth(after(now)))
            return mapped(law, after)

        return pick(receivers(self.table, self.profile, state), one_model, worth, -1)

    def spilling(self, state: State, points: int) -> Spilling | State:
        """The position with these mortal wounds left."""
        return Spilling(state, points) if points and any(state.groups) else tidy(state)

    def spill(self, now: Spilling, worth: Worth) -> Law:
        """June 2023: each point is a mortal wound; PRECISION lets them follow to the CHARACTER
        (§8.2).
        """

        def after(state: State) -> Spilling | State:
            return self.spilling(state, now.points - 1)

        ignored = tuple(defence.mortal_ignored for defence in self.profile.defences)
        named = self.table.singled_out(self.profile, now.state)
        if named is not None:
            return mapped(suffer(now.state, named, 1, ignored[named]), after)
        law = mortal_wound(self.table, now.state, lambda state: worth(after(state)), ignored)
        return mapped(law, after)

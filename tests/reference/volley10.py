"""10th edition, all three states: attack by attack (RULES.md §2.2, §5.2, §6.3, §6.4)."""

from __future__ import annotations

from operator import add

from .attack import Hits, attack_dice, hits, roll_to_wound
from .course import Course, Step, Worth, pick
from .damage import damage_points
from .dice import Law, certain, mapped, spread
from .profile import Profile
from .singlesave import allocated, released, save
from .target import State, Table, mortal_wounds, suffer


def weapon_steps(table: Table, index: int) -> list[Step]:
    """Roll the number of attacks, then one step an attack."""
    start = table.profile(index, table.start)
    models = sum(map(len, table.start.groups))

    def gather(state: State, _: Worth) -> Law:
        dice = attack_dice(start.scene, start.abilities, models, state.tokens)
        return mapped(dice, lambda now: _tidy(state._replace(left=now[0], tokens=now[1])))

    if _sixes(start):
        _check_together(table, start)
        return [gather, lambda state, worth: all_attacks(table, index, state, worth)]
    most = max(
        now[0] for now in attack_dice(start.scene, start.abilities, models, table.start.tokens)
    )
    known: dict[State, Law] = {}

    def attack(state: State, worth: Worth) -> Law:
        """Without choices an attack does not depend on what is owed or left, so it is worked out
        once.
        """
        if table.scenario.allocation is None or not state.left:
            return one_attack(table, index, state, worth)
        bare = state._replace(owed=table.start.owed, left=1)
        if bare not in known:
            known[bare] = one_attack(table, index, bare, worth)
        return mapped(
            known[bare],
            lambda after: _tidy(
                after._replace(owed=tuple(map(add, state.owed, after.owed)), left=state.left - 1)
            ),
        )

    return [gather, *[attack] * most]


def _sixes(profile: Profile) -> bool:
    """Whether a hit or wound die may be changed to a 6: that needs all dice in sight."""
    rollings = [rolling for _, rolling in profile.wound] + ([profile.hit] if profile.hit else [])
    return any(rolling.sixes for rolling in rollings)


def _check_together(table: Table, profile: Profile) -> None:
    if len(table.full) > 1 or profile.splits:
        raise NotImplementedError(
            "10e: a hit or wound changed to 6 against several groups or with two APs"
        )


def _tidy(state: State) -> State:
    """Nothing is left to do to a dead unit."""
    if any(state.groups):
        return state
    return state._replace(left=0, owed=(0,) * len(state.owed), bound=-1)


def one_attack(table: Table, index: int, state: State, worth: Worth) -> Law:
    """One attack from the hit roll to lost wounds."""
    if not state.left:
        return certain(state)
    profile = table.profile(index, state)
    state = state._replace(left=state.left - 1)
    return spread(
        hits(profile, 1, state.tokens), lambda hit: after_hits(table, index, state, hit, worth)
    )


def all_attacks(table: Table, index: int, state: State, worth: Worth) -> Law:
    """All hit dice, then all wound dice in sight, then wound by wound: "fast dice", for one group
    only.
    """
    if not state.left:
        return certain(state)
    profile = table.profile(index, state)
    number, state = state.left, state._replace(left=0)

    def after(hit: Hits) -> Law:
        automatic = hit.critical if profile.lethal else 0
        rolls = hit.ordinary + hit.critical - automatic + hit.extra
        return spread(
            roll_to_wound(profile, rolls, hit.tokens), lambda now: wounded(automatic, *now)
        )

    def wounded(automatic: int, ordinary: int, critical: int, tokens: tuple[str, ...]) -> Law:
        steps: list[Step] = [lambda now, later: wound(table, index, now, later, False)] * (
            automatic + ordinary
        )
        steps += [lambda now, later: wound(table, index, now, later, True)] * critical
        return Course(steps, worth).run(state._replace(tokens=tokens))

    return spread(hits(profile, number, state.tokens), after)


def after_hits(table: Table, index: int, state: State, hit: Hits, worth: Worth) -> Law:
    """The hits of one attack in turn. Lethal Hits are forced (§3.3)."""
    profile = table.profile(index, state)
    automatic = hit.critical if profile.lethal else 0
    rolls = hit.ordinary + hit.critical - automatic + hit.extra
    steps: list[Step] = [lambda now, later: wound(table, index, now, later, False)] * automatic
    steps += [lambda now, later: roll_wound(table, index, now, later)] * rolls
    return mapped(Course(steps, worth).run(state._replace(tokens=hit.tokens)), _tidy)


def roll_wound(table: Table, index: int, state: State, worth: Worth) -> Law:
    """One wound roll and what follows."""
    if not any(state.groups):
        return certain(state)
    profile = table.profile(index, state)

    def follow(now: tuple[int, int, tuple[str, ...]]) -> Law:
        ordinary, critical, tokens = now
        after = state._replace(tokens=tokens)
        return (
            wound(table, index, after, worth, bool(critical))
            if ordinary or critical
            else certain(after)
        )

    return spread(roll_to_wound(profile, 1, state.tokens), follow)


def wound(table: Table, index: int, state: State, worth: Worth, critical: bool) -> Law:
    """A wounding attack: owed until later if devastating, else allocated, saved or not (§5.2)."""
    if not any(state.groups):
        return certain(state)
    profile = table.profile(index, state)
    if critical and profile.devastating:
        owed = list(state.owed)
        owed[index] += 1
        return certain(state._replace(owed=tuple(owed)))
    sharper = int(critical and profile.splits)
    return pick(
        receivers(table, profile, state),
        lambda group: save(profile, allocated(table, state, group), group, sharper),
        worth,
        -1,
    )


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


def settle(table: Table, index: int) -> Step:
    """After all the unit's other attacks: the devastating wounds of one weapon (§6.4)."""

    def step(state: State, worth: Worth) -> Law:
        number = state.owed[index]
        owed = (*state.owed[:index], 0, *state.owed[index + 1 :])
        each: list[Step] = [lambda now, later: devastating(table, index, now, later)]
        return Course(each * number, worth).run(state._replace(owed=owed))

    return step


def devastating(table: Table, index: int, state: State, worth: Worth) -> Law:
    """One critical wound. June 2023: mortal wounds that spill. September 2023: normal damage
    without a save. Late: mortal wounds on the model it is allocated to, the rest is lost.
    """
    if not any(state.groups):
        return certain(state)
    profile = table.profile(index, table.start)
    late = table.scenario.edition == "10e"

    def harmed(group: int, points: int, tokens: tuple[str, ...]) -> Law:
        defence = profile.defences[group]
        ignored = defence.mortal_ignored if late else defence.ignored
        before = allocated(table, state, group)._replace(tokens=tokens)
        return mapped(
            suffer(before, group, points, ignored), lambda after: released(before, after, group)
        )

    def one_model(group: int) -> Law:
        return spread(
            damage_points(profile.devastating_damage, state.tokens), lambda now: harmed(group, *now)
        )

    if table.scenario.edition != "10e-2023-06":
        return pick(receivers(table, profile, state), one_model, worth, -1)
    return spread(
        damage_points(profile.devastating_damage, state.tokens),
        lambda now: spilling(table, profile, state._replace(tokens=now[1]), worth, now[0]),
    )


def spilling(table: Table, profile: Profile, state: State, worth: Worth, points: int) -> Law:
    """June 2023: each point is a mortal wound; PRECISION lets them follow to the CHARACTER
    (§8.2).
    """
    ignored = tuple(defence.mortal_ignored for defence in profile.defences)

    def one(now: State, later: Worth) -> Law:
        named = table.singled_out(profile, now)
        if named is not None:
            return suffer(now, named, 1, ignored[named])
        return mortal_wounds(table, now, later, 1, ignored)

    return Course([one] * points, worth).run(state)

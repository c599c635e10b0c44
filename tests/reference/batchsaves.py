"""The save dice of an 11th edition batch in ascending order (RULES.md §5.1, steps 4 to 6)."""

from __future__ import annotations

from fractions import Fraction

from .damage import without
from .dice import FACES, SIXTH, Law, certain, mapped, spread, successes
from .profile import Profile
from .target import State, Table, damaged

Order = tuple[tuple[int, ...], ...]
"""Allocation groups in the order they take attacks, each a tuple of listed groups."""

Seen = tuple[tuple[tuple[int, bool], ...], tuple[str, ...]]
"""Sorted dice (face, still re-rollable) and the tokens left."""


class SaveRoll:
    """One roll of save dice under a declared order; sharper is 1 for the AP of critical wounds."""

    def __init__(self, table: Table, profile: Profile, order: Order, sharper: int) -> None:
        self.table = table
        self.profile = profile
        self.order = order
        self.sharper = sharper
        self.first = profile.defences[order[0][0]].saved[sharper]
        self.names = names_of_faces(profile, sharper)
        self._taken: dict[tuple[State, int, int], Law] = {}

    def law(self, state: State, number: int) -> Law:
        """The law of the states after `number` dice."""
        if any(
            name in state.tokens for name in (*self.profile.save_single, *self.profile.save_sixes)
        ):
            return self.dice_seen(state, number)
        return self.face_by_face(state, number)

    def die(self) -> Law:
        """Law of (face, still re-rollable) of one die; a re-rolled failure is one against the
        first group.

        Neighbouring faces that no group tells apart share a name: their order cannot matter.
        """
        law: Law = {}
        kind = self.profile.save_again
        for face in FACES:
            if (kind == "ones" and face == 1) or (kind == "failed" and face not in self.first):
                for second in FACES:
                    law[second, False] = law.get((second, False), Fraction(0)) + SIXTH * SIXTH
            else:
                law[face, True] = SIXTH
        return mapped(law, lambda die: (self.names[die[0]], die[1]))

    def take(self, state: State, face: int) -> Law:
        """One die against the current group: the first of the order with a living model. A
        wounded model is picked first, else the first listed of the group.
        """
        for members in self.order:
            living = [group for group in members if state.groups[group]]
            if living:
                hurt = [group for group in living if self.table.wounded(state, group)]
                group = (hurt or living)[0]
                defence = self.profile.defences[group]
                if face in defence.saved[self.sharper]:
                    return certain(state)
                return damaged(state, group, self.profile.damage, defence.ignored)
        return certain(state)

    def taken(self, state: State, face: int, times: int) -> Law:
        """Several dice that show the same face, one by one."""
        if times == 0:
            return certain(state)
        key = (state, face, times)
        if key not in self._taken:
            self._taken[key] = spread(
                self.taken(state, face, times - 1), lambda now: self.take(now, face)
            )
        return self._taken[key]

    def face_by_face(self, state: State, number: int) -> Law:
        """All counts of 1s, 2s, … 6s: of the dice not yet placed each shows the next face with
        that face's share of the chance that is left.
        """

        def next_face(law: Law, face: int, share: Fraction) -> Law:
            return spread(
                law,
                lambda now: spread(
                    successes(now[0], share),
                    lambda times: mapped(
                        self.taken(now[1], face, times), lambda after: (now[0] - times, after)
                    ),
                ),
            )

        law: Law = {(number, state): Fraction(1)}
        rest = Fraction(1)
        for face, chance in sorted(mapped(self.die(), lambda die: die[0]).items()):
            law = next_face(law, face, chance / rest)
            rest -= chance
        return mapped(law, lambda now: now[1])

    def dice_seen(self, state: State, number: int) -> Law:
        """All sorted dice in sight: for single re-rolls and changes of a die, which come before
        sorting.

        Each is spent on the lowest die that fails against the current group, if there is one.
        """
        each = self.die()
        law: Law = certain(())
        for _ in range(number):
            law = spread(law, lambda dice: mapped(each, lambda die: tuple(sorted([*dice, die]))))
        law = mapped(law, lambda dice: (dice, state.tokens))
        for name in self.profile.save_single:
            law = _rolled_again(law, name, self.first, self.names)
        for name in self.profile.save_sixes:
            law = _changed_to_six(law, name, self.first, self.names[6])
        law = mapped(law, lambda now: (tuple(face for face, _ in now[0]), now[1]))
        known: dict[object, Law] = {}

        def inflicted(faces: tuple[int, ...], tokens: tuple[str, ...]) -> Law:
            if not faces:
                return certain(state._replace(tokens=tokens))
            if (faces, tokens) not in known:
                before = inflicted(faces[:-1], tokens)
                known[faces, tokens] = spread(before, lambda now: self.take(now, faces[-1]))
            return known[faces, tokens]

        return spread(law, lambda now: inflicted(*now))


def names_of_faces(profile: Profile, sharper: int) -> dict[int, int]:
    """Face -> the lowest of the neighbours that every group treats just like it."""
    names: dict[int, int] = {}
    previous, name = None, 0
    for face in FACES:
        verdicts = [face in defence.saved[sharper] for defence in profile.defences]
        name = name if verdicts == previous else face
        names[face], previous = name, verdicts
    return names


def _rolled_again(law: Law, name: str, saved: frozenset[int], names: dict[int, int]) -> Law:
    """A single re-roll, over laws of (sorted dice, tokens left)."""
    faces = mapped(dict.fromkeys(FACES, SIXTH), lambda face: names[face])

    def again(now: Seen) -> Law:
        dice, tokens = now
        failed = [place for place, (face, fresh) in enumerate(dice) if fresh and face not in saved]
        if name not in tokens or not failed:
            return certain(now)
        kept = dice[: failed[0]] + dice[failed[0] + 1 :]
        return mapped(
            faces, lambda face: (tuple(sorted([*kept, (face, False)])), without(tokens, name))
        )

    return spread(law, again)


def _changed_to_six(law: Law, name: str, saved: frozenset[int], six: int) -> Law:
    """A save die set to 6, where a 6 saves."""

    def change(now: Seen) -> Seen:
        dice, tokens = now
        failed = [place for place, (face, _) in enumerate(dice) if face not in saved]
        if name not in tokens or not failed or six not in saved:
            return now
        kept = dice[: failed[0]] + dice[failed[0] + 1 :]
        return tuple(sorted([*kept, (six, False)])), without(tokens, name)

    return mapped(law, change)

"""The save dice of an 11th edition batch in ascending order (RULES.md §5.1, steps 4 to 6)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from .course import Worth, nobody_chooses
from .dice import FACES, Law, certain, mapped, spread, successes
from .profile import Profile
from .rights import Tokens, kept
from .target import State, Table, damaged
from .throwing import Rolling, throw

Order = tuple[tuple[int, ...], ...]
"""Allocation groups in the order they take attacks, each a tuple of listed groups."""

Dice = tuple[int, ...]
"""Faces of save dice, ascending."""


class SaveRoll:
    """One roll of save dice under a declared order; sharper is 1 for the AP of critical wounds."""

    def __init__(self, table: Table, profile: Profile, order: Order, sharper: int) -> None:
        self.table = table
        self.profile = profile
        self.order = order
        self.sharper = sharper
        self.rolling = save_rolling(profile, order[0][0], sharper)
        self._taken: dict[tuple[State, int, int], Law] = {}
        self._laws: dict[tuple[State, int], Law] = {}

    def offers(self, tokens: Tokens) -> bool:
        """Whether anybody has something to choose for the save dice or the damage rolls."""
        rights = kept(tokens, self.rolling.single + self.rolling.sixes)
        return bool(rights) or self.profile.damage.offers(tokens)

    def take(self, state: State, face: int, worth: Worth) -> Law:
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
                return damaged(state, group, self.profile.damage, defence.ignored, worth)
        return certain(state)

    def taken(self, state: State, face: int, times: int) -> Law:
        """Several dice that show the same face, one by one."""
        if times == 0:
            return certain(state)
        key = (state, face, times)
        if key not in self._taken:
            self._taken[key] = spread(
                self.taken(state, face, times - 1),
                lambda now: self.take(now, face, nobody_chooses),
            )
        return self._taken[key]

    def face_by_face(self, state: State, number: int) -> Law:
        """The law of the states after `number` dice, where nobody has anything to choose.

        All counts of 1s, 2s, … 6s: of the dice not yet placed each shows the next face with that
        face's share of the chance that is left.
        """
        if (state, number) not in self._laws:
            self._laws[state, number] = self._face_by_face(state, number)
        return self._laws[state, number]

    def _face_by_face(self, state: State, number: int) -> Law:
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
        die = mapped(throw(((Fraction(1), self.rolling),), ()).first, lambda one: one.kind)
        for face, chance in sorted(die.items()):
            law = next_face(law, face, chance / rest)
            rest -= chance
        return mapped(law, lambda now: now[1])

    def dice_seen(
        self, state: State, number: int, follow: Callable[[Dice, Tokens], Law], worth: Worth
    ) -> Law:
        """All dice lie on the table and the defender may change some before they are sorted;
        `follow` tells from the dice and the tokens left what comes next.

        Dice that every living group saves make no difference.
        """
        living = [
            defence.saved[self.sharper]
            for defence, models in zip(self.profile.defences, state.groups, strict=True)
            if models
        ]
        always = frozenset(FACES).intersection(*living)

        def sort(faces: Dice, left: Tokens) -> Law:
            return follow(tuple(face for face in faces if face not in always), left)

        dice = throw(((Fraction(1), self.rolling),), state.tokens)
        return dice.law(number, state.tokens, sort, worth, -1)


def save_rolling(profile: Profile, first: int, sharper: int) -> Rolling:
    """The save dice of a batch; a failure that is re-rolled for free is one against the `first`
    group. Neighbouring faces that no group tells apart share a name: their order cannot matter.
    """
    saved = profile.defences[first].saved[sharper]
    again = {
        "none": frozenset[int](),
        "ones": frozenset({1}),
        "failed": frozenset(FACES) - saved,
    }[profile.save_again]
    names = names_of_faces(profile, sharper)
    return Rolling(
        tuple(names[face] for face in FACES), again, profile.save_single, profile.save_sixes
    )


def names_of_faces(profile: Profile, sharper: int) -> dict[int, int]:
    """Face -> the lowest of the neighbours that every group treats just like it."""
    names: dict[int, int] = {}
    previous, name = None, 0
    for face in FACES:
        verdicts = [face in defence.saved[sharper] for defence in profile.defences]
        name = name if verdicts == previous else face
        names[face], previous = name, verdicts
    return names

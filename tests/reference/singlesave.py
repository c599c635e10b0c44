"""10th edition: one attack allocated to one model, one save (RULES.md §5.2)."""

from __future__ import annotations

from .damage import without
from .dice import FACES, SIXTH, Law, certain, mapped, spread
from .profile import Profile
from .target import State, Table, damaged


def allocated(table: Table, state: State, group: int) -> State:
    """Remember an unhurt model that has had an attack allocated; only an optimal defender could
    stray.
    """
    return state._replace(bound=group) if table.scenario.allocation is None else state


def released(before: State, after: State, group: int) -> State:
    """A model that died, or is wounded now, no longer needs to be remembered."""
    same = before.groups[group] == after.groups[group]
    return after if same or after.bound != group else after._replace(bound=-1)


def save(profile: Profile, state: State, group: int, sharper: int) -> Law:
    """One save with re-rolls, and damage if it fails; the better of armour and invulnerable save
    is used.
    """
    defence = profile.defences[group]
    saved = defence.saved[sharper]
    single = [name for name in profile.save_single if name in state.tokens]
    sixes = [name for name in profile.save_sixes if name in state.tokens]

    def failed(tokens: tuple[str, ...]) -> Law:
        usable = [name for name in sixes if name in tokens]
        if usable and 6 in saved:
            return certain(state._replace(tokens=without(tokens, usable[0])))
        return damaged(state._replace(tokens=tokens), group, profile.damage, defence.ignored)

    def again(tokens: tuple[str, ...]) -> Law:
        law: Law = {True: len(saved) * SIXTH, False: 1 - len(saved) * SIXTH}
        return spread(
            law, lambda good: certain(state._replace(tokens=tokens)) if good else failed(tokens)
        )

    def first(face: int) -> Law:
        if face in saved:
            return certain(state)
        if profile.save_again == "failed" or (profile.save_again == "ones" and face == 1):
            return again(state.tokens)
        return again(without(state.tokens, single[0])) if single else failed(state.tokens)

    law = spread(dict.fromkeys(FACES, SIXTH), first)
    return mapped(law, lambda after: released(state, after, group))

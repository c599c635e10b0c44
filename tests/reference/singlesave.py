"""10th edition: one attack allocated to one model, one save (RULES.md §5.2)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from .course import Worth
from .dice import FACES, Law
from .profile import Profile
from .rights import Tokens
from .target import State, Table
from .throwing import Rolling, throw


def allocated(table: Table, state: State, group: int) -> State:
    """Remember an unhurt model that has had an attack allocated; only an optimal defender could
    stray.
    """
    return state._replace(bound=group) if table.scenario.allocation is None else state


def released(before: State, after: State, group: int) -> State:
    """A model that died, or is wounded now, no longer needs to be remembered."""
    same = before.groups[group] == after.groups[group]
    return after if same or after.bound != group else after._replace(bound=-1)


def roll_save(
    profile: Profile,
    group: int,
    sharper: int,
    tokens: Tokens,
    follow: Callable[[bool, Tokens], Law],
    worth: Worth,
) -> Law:
    """One save and the defender's rights; `follow` tells from its success and the tokens left what
    comes next.
    """
    rolling = _rolling(
        profile.defences[group].saved[sharper],
        profile.save_again,
        profile.save_single,
        profile.save_sixes,
    )

    def known(kinds: tuple[str, ...], left: Tokens) -> Law:
        return follow(kinds == ("ordinary",), left)

    return throw(((Fraction(1), rolling),), tokens).law(1, tokens, known, worth, -1)


@lru_cache(maxsize=4096)
def _rolling(saved: frozenset[int], again: str, single: Tokens, sixes: Tokens) -> Rolling:
    """The save die: the better of armour and invulnerable save is used."""
    faces = tuple("ordinary" if face in saved else "fail" for face in FACES)
    rolled_again = {
        "none": frozenset[int](),
        "ones": frozenset({1}),
        "failed": frozenset(FACES) - saved,
    }[again]
    return Rolling(faces, rolled_again, single, sixes)

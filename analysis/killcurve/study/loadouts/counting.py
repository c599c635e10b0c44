"""Several models with the same slot: what they may have together, counted and listed.

What counts is what they carry in all: two spreads of weapons over models with the same totals
are one. A spread is (state, how many models) for each state that is taken, in the slot's order.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterator, Sequence
from math import comb

import numpy as np

from killcurve.study.loadouts.equipment import Front, State, Usage, least
from killcurve.study.loadouts.value import Things, summed

Spread = tuple[tuple[int, int], ...]

MOST_SUMS = 400_000
"""More sums than this are not made to count totals that several spreads give."""

NOTHING: Front = frozenset({()})


def added(one: Front, two: Front, caps: Usage) -> Front:
    """What both use together, within the limits; empty if there is no way.

    >>> sorted(added(frozenset({(1, 0), (0, 1)}), frozenset({(1, 0)}), (1, 1)))
    [(1, 1)]
    """
    if one == NOTHING:
        return two
    sums = (tuple(map(operator.add, u, v)) for u in one for v in two)
    within = [s for s in sums if all(map(operator.le, s, caps))]
    return frozenset(within) if len(within) < 2 else least(within)


def zero(caps: Usage) -> Front:
    """Nothing is used."""
    return frozenset({(0,) * len(caps)})


def counted(states: Sequence[State], models: int, caps: Usage) -> Counter[Front] | None:
    """How many totals there are, by what they use of the limits; ``None`` if too many to count."""
    free = not caps
    if models == 1:
        return Counter(front for state in states if (front := added(zero(caps), state.uses, caps)))
    if _told_apart(states):
        if free:
            return Counter({NOTHING: comb(models + len(states) - 1, models)})
        return _counted_by_state(states, models, caps)
    return _counted_by_sums(states, models, caps)


def _told_apart(states: Sequence[State]) -> bool:
    """Whether totals tell how many models are in each state."""
    items = sorted({item for state in states for item, _ in state.items})
    if len(states) > len(items) + 1:
        return False
    rows = [[1, *(dict(state.items).get(item, 0) for item in items)] for state in states]
    return int(np.linalg.matrix_rank(np.array(rows, dtype=float))) == len(states)


def _counted_by_state(states: Sequence[State], models: int, caps: Usage) -> Counter[Front]:
    """State by state: how many models are placed, and what they use."""
    found: Counter[tuple[int, Front]] = Counter({(0, zero(caps)): 1})
    for state in states:
        after: Counter[tuple[int, Front]] = Counter()
        for (placed, front), number in found.items():
            more: Front = front
            for count in range(models - placed + 1):
                after[placed + count, more] += number
                more = added(more, state.uses, caps)
                if not more:
                    break
        found = after
    return Counter({f: n for (placed, f), n in found.items() if placed == models})


def _counted_by_sums(states: Sequence[State], models: int, caps: Usage) -> Counter[Front] | None:
    """Model by model: all totals so far, each once."""
    base = 1 + models * max(count for state in states for _, count in state.items)
    places = {item: base**n for n, item in enumerate(sorted(_items(states)))}
    codes = [sum(places[item] * count for item, count in state.items) for state in states]
    found: dict[int, Front] = {0: zero(caps)}
    made = 0
    for _ in range(models):
        made += len(found) * len(states)
        if made > MOST_SUMS:
            return None
        if not caps:
            found = dict.fromkeys((code + c for code in found for c in codes), NOTHING)
            continue
        after: dict[int, Front] = {}
        for code, front in found.items():
            for c, state in zip(codes, states, strict=True):
                more = added(front, state.uses, caps)
                if more:
                    known = after.get(code + c)
                    after[code + c] = more if known is None else least(known | more)
        found = after
    return Counter(found.values())


def _items(states: Sequence[State]) -> set[str]:
    return {item for state in states for item, _ in state.items}


def spreads(states: Sequence[State], models: int, caps: Usage) -> Iterator[tuple[Spread, Front]]:
    """Every total once, with a spread that gives it; the default first, then few changes first."""
    told_apart = models == 1 or _told_apart(states)
    seen: dict[Things, Front] = {}
    for spread, front in _placed(states, 0, models, zero(caps), caps):
        if told_apart:
            yield spread, front
            continue
        total = totals(states, spread)
        known = seen.get(total)
        # The same total may be had with other uses of the limits: those count as well.
        more = front if known is None else least(known | front)
        if more != known:
            seen[total] = more
            yield spread, (front if known is None else frozenset(front - known) or front)


def _placed(
    states: Sequence[State], first: int, models: int, front: Front, caps: Usage
) -> Iterator[tuple[Spread, Front]]:
    if models == 0:
        yield (), front
        return
    for number in range(first, len(states)):
        ways = [front]
        while len(ways) <= models and (more := added(ways[-1], states[number].uses, caps)):
            ways.append(more)
        for count in range(len(ways) - 1, 0, -1):
            for rest, used in _placed(states, number + 1, models - count, ways[count], caps):
                yield ((number, count), *rest), used


def corners(states: Sequence[State], models: int, caps: Usage) -> Iterator[tuple[Spread, Front]]:
    """Spreads with as many models as possible in one state, then in another, and so on.

    Whatever each thing is worth, one of these is worth most in this slot, where limits are such
    that filling up in the order of worth is best.
    """
    seen: set[Things] = set()
    parts: list[tuple[dict[int, int], int, Front]] = [({}, models, zero(caps))]
    known: set[Spread] = {()}
    for part, left, front in parts:
        for number, state in enumerate(states):
            if number in part:
                continue
            count, more = 0, front
            while count < left and (next_ := added(more, state.uses, caps)):
                count, more = count + 1, next_
            after = {**part, number: count}
            spread = tuple(sorted(after.items()))
            if not count or spread in known:
                continue
            known.add(spread)
            if count < left:
                parts.append((after, left - count, more))
            elif (total := totals(states, spread)) not in seen:
                seen.add(total)
                yield spread, more


def totals(states: Sequence[State], spread: Spread) -> Things:
    """What the models of a spread have in all."""
    return summed((states[number].items, count) for number, count in spread)

"""A unit with the number of models of each kind settled: its slots, limits, and loadouts.

Slots of models that share a limit of the unit which they could exceed are tied; everything else is
free of each other, so that numbers of loadouts are products.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product
from math import prod

from killcurve.study.loadouts import counting
from killcurve.study.loadouts.counting import Spread
from killcurve.study.loadouts.equipment import Front, Limits, Slot, State, Usage, least, slots
from killcurve.study.loadouts.sheet import Allocation, Exchange, Sheet
from killcurve.study.loadouts.value import Group, Loadout, Things, summed

Carried = Mapping[str, tuple[str, ...]]
Chosen = tuple[Spread, ...]
"""A spread for each node, in their order."""


@dataclass(frozen=True, slots=True)
class Node:
    """The same slot of all models of a kind; what its states use is told for one tie's limits."""

    model: str
    count: int
    states: tuple[State, ...]
    caps: Usage


@dataclass(frozen=True, slots=True)
class Setting:
    """The nodes of a unit, which of them are tied together, and what no exchange touches."""

    sheet: Sheet
    allocation: Allocation
    nodes: tuple[Node, ...]
    ties: tuple[tuple[int, ...], ...]
    rests: Mapping[str, Things]

    def number(self, known: dict[object, Counter[Front] | None]) -> int | None:
        """How many different loadouts there are; ``None`` if they are too many to count."""
        numbers = []
        for tie in self.ties:
            found: Counter[Front] | None = None
            for index in tie:
                node = self.nodes[index]
                key = (node.states, node.count, node.caps)
                if key not in known:
                    known[key] = counting.counted(node.states, node.count, node.caps)
                here = known[key]
                if here is None:
                    return None
                found = here if found is None else _both(found, here, node.caps)
            numbers.append(sum((found or Counter()).values()))
        return prod(numbers)

    def every(self) -> Iterator[Chosen]:
        """All of them, the default first; the last nodes change first."""
        return self._from(0, {})

    def _from(self, index: int, used: dict[int, Front]) -> Iterator[Chosen]:
        if index == len(self.nodes):
            yield ()
            return
        node = self.nodes[index]
        tie = next(number for number, tie in enumerate(self.ties) if index in tie)
        for spread, front in counting.spreads(node.states, node.count, node.caps):
            before = used.get(tie)
            more = front if before is None else counting.added(before, front, node.caps)
            if more:
                for rest in self._from(index + 1, {**used, tie: more}):
                    yield (spread, *rest)

    def corners(self, limit: int) -> Iterator[Chosen]:
        """Corners of every slot, the default first, then those in which one slot changes, two, …"""
        found = [
            list(islice(counting.corners(n.states, n.count, n.caps), limit)) for n in self.nodes
        ]
        default = [ways[0] for ways in found]
        for changed in range(len(self.nodes) + 1):
            for indices in combinations(range(len(self.nodes)), changed):
                for ways in product(*(found[i][1:] for i in indices)):
                    chosen = list(default)
                    for index, way in zip(indices, ways, strict=True):
                        chosen[index] = way
                    if self._within(chosen):
                        yield tuple(spread for spread, _ in chosen)

    def _within(self, chosen: Sequence[tuple[Spread, Front]]) -> bool:
        """Whether what is chosen in tied slots is within their limits together."""
        for tie in self.ties:
            front = chosen[tie[0]][1]
            for index in tie[1:]:
                front = counting.added(front, chosen[index][1], self.nodes[index].caps)
            if not front:
                return False
        return True

    def loadout(self, chosen: Chosen) -> Loadout:
        """The loadout of some spreads: slots are put together model by model."""
        groups = []
        for model, count in self.allocation:
            mine = [(n, s) for n, s in zip(self.nodes, chosen, strict=True) if n.model == model]
            each = [
                [node.states[number].items for number, times in spread[::-1] for _ in range(times)]
                for node, spread in mine
            ]
            rest = self.rests.get(model, ())
            alike = Counter(
                summed([(rest, 1), *((items[i], 1) for items in each)]) for i in range(count)
            )
            groups += [self._group(model, number, carried) for carried, number in alike.items()]
        return Loadout.of(self.sheet.faction, self.sheet.datasheet, groups)

    def _group(self, model: str, count: int, carried: Things) -> Group:
        weapons = tuple((item, n) for item, n in carried if item in self.sheet.weapons)
        wargear = tuple((item, n) for item, n in carried if item not in self.sheet.weapons)
        return Group(model, count, weapons, wargear)


def _both(one: Counter[Front], two: Counter[Front], caps: Usage) -> Counter[Front]:
    found: Counter[Front] = Counter()
    for a, n in one.items():
        for b, m in two.items():
            if together := counting.added(a, b, caps):
                found[together] += n * m
    return found


def setting(
    sheet: Sheet,
    carried: Carried,
    exchanges: Iterable[Exchange],
    limits: Limits,
    allocation: Allocation,
    known: dict[str, tuple[list[Slot], Things]],
) -> Setting:
    """The setting of an allocation; ``known`` keeps the slots of kinds from one to the next.

    A limit never takes away what the unit has by default.

    Raises:
        TooManyStates: if a slot has more states than are looked into.
    """
    for model, _ in allocation:
        if model not in known:
            own = [e for e in exchanges if e.model in (None, model)]
            known[model] = slots(carried.get(model, ()), own, sheet, limits)
    rests = {model: known[model][1] for model, _ in allocation}
    placed = [(m, count, slot.states) for m, count in allocation for slot in known[m][0]]
    caps = _caps(limits, placed, rests, dict(allocation))
    binding = [i for i, cap in enumerate(caps) if _most(placed, i) > cap]
    ties = _ties(placed, binding)
    nodes: dict[int, Node] = {}
    for tie in ties:
        common = [i for i in binding if any(_uses(placed[n][2], i) for n in tie)]
        for n in tie:
            model, count, states = placed[n]
            kept = tuple(_told_of(state, common) for state in states)
            nodes[n] = Node(model, count, kept, tuple(caps[i] for i in common))
    return Setting(sheet, allocation, tuple(nodes[n] for n in sorted(nodes)), tuple(ties), rests)


Placed = tuple[str, int, tuple[State, ...]]


def _caps(
    limits: Limits, placed: Sequence[Placed], rests: Mapping[str, Things], kinds: Mapping[str, int]
) -> list[int]:
    """What the slots may use of each limit: less what is untouched, at least the default."""
    untouched = limits.used({}, dict(summed((rests[model], kinds[model]) for model in kinds)))
    default = [0] * len(untouched)
    for _, count, states in placed:
        uses = min(states[0].uses)
        default = [a + count * b for a, b in zip(default, uses, strict=True)]
    return [
        max(cap - other, own)
        for cap, other, own in zip(limits.caps, untouched, default, strict=True)
    ]


def _uses(states: Sequence[State], limit: int) -> int:
    return max(way[limit] for state in states for way in state.uses)


def _most(placed: Sequence[Placed], limit: int) -> int:
    return sum(count * _uses(states, limit) for _, count, states in placed)


def _ties(placed: Sequence[Placed], binding: Sequence[int]) -> list[tuple[int, ...]]:
    """Which nodes share limits, in the order of the first of each."""
    groups: list[tuple[set[int], list[int]]] = []
    for number, (_, _, states) in enumerate(placed):
        own = {i for i in binding if _uses(states, i)}
        touching = [group for group in groups if group[0] & own]
        groups = [group for group in groups if group not in touching]
        members = [n for group in touching for n in group[1]]
        groups.append((own.union(*(group[0] for group in touching)), [*members, number]))
    return sorted(tuple(sorted(group)) for _, group in groups)


def _told_of(state: State, limits: Sequence[int]) -> State:
    return State(state.items, least(tuple(way[i] for i in limits) for way in state.uses))

"""Statements become games: the two sides of one are one, what contradicts itself is set aside."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from killcurve.sources.results.ledger import Ledger, where
from killcurve.sources.results.statements import Side, Statement

CONTRADICTION = "rows of one game contradict each other about the result"
OTHER_FACTIONS = "rows of one game contradict each other about the factions"
NO_RESULT = "there is no result"
NO_FACTION = "the faction of one side is not told"
DUPLICATE = "the same game stands in another row"
OWN_ROW_COUNTS = "rows of the game tell different factions: each player's own row counts"
OTHER_SCORES = "rows of the game tell different scores: neither is kept"
FROM_OTHER_GAMES = "a faction is missing; that of the player's other games at the event was taken"
ALONE = "no row tells the other side of the game"
MOSTLY = 0.8
"""The share of rows with a counterpart from which a table without players tells both sides."""

Group = list[Statement]
Armies = Mapping[tuple[str, str], str]
"""The one faction of each player at each event."""


class Contradiction(Exception):
    """Rows of one game do not go together; the reason is the message."""


def games(statements: Sequence[Statement], ledger: Ledger) -> list[Statement]:
    """One statement for each game; the fate of every row goes into the ledger."""
    named = [s for s in statements if s.own.player and s.other.player]
    unnamed = [s for s in statements if not (s.own.player and s.other.player)]
    armies = _armies(statements)
    made = []
    for group in (*_by_people(named), *_by_factions(unnamed, ledger)):
        try:
            made.append(_one(group, armies, ledger))
        except Contradiction as contradiction:
            _leave(group, str(contradiction), ledger)
    return made


def _armies(statements: Iterable[Statement]) -> Armies:
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for told in statements:
        for side in (told.own, told.other):
            if side.player and side.faction:
                found[told.event, side.player].add(side.faction)
    return {key: next(iter(names)) for key, names in found.items() if len(names) == 1}


def _by_people(statements: Iterable[Statement]) -> Iterator[Group]:
    """Statements of one event, round and pair of players; all turned to the same side.

    One without a round goes to the only game of the pair at the event.
    """
    groups: dict[tuple[str, str, str], dict[int | None, Group]] = defaultdict(dict)
    for told in statements:
        own, other = str(told.own.player), str(told.other.player)
        turned = told if own < other else told.turned()
        rounds = groups[told.event, min(own, other), max(own, other)]
        rounds.setdefault(told.round, []).append(turned)
    for rounds in groups.values():
        if None in rounds and len(rounds) == 2:
            yield [
                *(told for number in sorted(rounds, key=_unknown_last) for told in rounds[number])
            ]
        else:
            yield from rounds.values()


def _unknown_last(number: int | None) -> tuple[bool, int]:
    return number is None, number or 0


def _by_factions(statements: Sequence[Statement], ledger: Ledger) -> Iterator[Group]:
    """Statements without both players: pairs of counterparts, if nearly all rows have one."""
    waiting: dict[Hashable, list[int]] = defaultdict(list)
    second: dict[int, int] = {}
    for number, told in enumerate(statements):
        known = waiting[_seen(told.turned())]
        first = next((n for n in known if _may_meet(statements[n], told)), None)
        if first is None:
            waiting[_seen(told)].append(number)
        else:
            known.remove(first)
            second[first] = number
    if 2 * len(second) < MOSTLY * len(statements):
        yield from ([told] for told in statements)
        return
    seconds = frozenset(second.values())
    for number, told in enumerate(statements):
        if number in second:
            yield [told, statements[second[number]].turned()]
        elif number not in seconds:
            ledger.note(told.place, ALONE)
            yield [told]


def _seen(told: Statement) -> Hashable:
    """What of a game both sides must tell alike."""
    own, other = (
        (told.own.faction, told.own.score),
        (told.other.faction, told.other.score),
    )
    return told.event, told.round, told.result, own, other


def _may_meet(one: Statement, two: Statement) -> bool:
    """Whether two statements may be of the two players of one game."""
    return one.own.player is None or one.own.player != two.own.player


@dataclass(frozen=True, slots=True)
class _Told:
    """What the rows of a game say of one side, the rows of its own player first."""

    sides: tuple[Side, ...]
    own_rows: int

    @property
    def player(self) -> str | None:
        return next((side.player for side in self.sides if side.player), None)

    @property
    def detachment(self) -> str | None:
        return next((side.detachment for side in self.sides if side.detachment), None)

    @property
    def factions(self) -> frozenset[str]:
        return frozenset(side.faction for side in self.sides if side.faction)

    @property
    def scores(self) -> frozenset[float]:
        return frozenset(side.score for side in self.sides if side.score is not None)

    def faction(self) -> str | None:
        """The faction, if the rows agree on it or the player's own rows do."""
        own = {side.faction for side in self.sides[: self.own_rows] if side.faction}
        names = own if len(self.factions) > 1 else self.factions
        if len(names) > 1 or (self.factions and not names):
            raise Contradiction(OTHER_FACTIONS)
        return next(iter(names), None)


def _one(group: Group, armies: Armies, ledger: Ledger) -> Statement:
    """The game that several rows tell.

    Raises:
        Contradiction: if they do not go together, or tell too little.
    """
    first = group[0]
    results = {told.result for told in group} - {None}
    if len(results) != 1:
        raise Contradiction(CONTRADICTION if results else NO_RESULT)
    own = _Told(*_sides((told.own, not told.is_turned) for told in group))
    other = _Told(*_sides((told.other, told.is_turned) for told in group))
    made = replace(
        first,
        own=_side(own, first, armies, ledger),
        other=_side(other, first, armies, ledger),
        result=results.pop(),
        date=min((told.date for told in group if told.date), default=None),
        edition=next((told.edition for told in group if told.edition), None),
        round=next((told.round for told in group if told.round), None),
    )
    if max(len(own.factions), len(other.factions)) > 1:
        ledger.note(first.place, OWN_ROW_COUNTS)
    if max(len(own.scores), len(other.scores)) > 1:
        ledger.note(first.place, OTHER_SCORES)
    _settle(group, ledger)
    return made


def _sides(told: Iterable[tuple[Side, bool]]) -> tuple[tuple[Side, ...], int]:
    """Sides with those that their own player's row tells in front, and how many these are."""
    rows = [*told]
    own = [side for side, is_own in rows if is_own]
    return (*own, *(side for side, is_own in rows if not is_own)), len(own)


def _side(told: _Told, first: Statement, armies: Armies, ledger: Ledger) -> Side:
    faction = told.faction()
    if faction is None:
        faction = armies.get((first.event, told.player or ""))
        if faction is None:
            raise Contradiction(NO_FACTION)
        ledger.note(first.place, FROM_OTHER_GAMES)
    score = next(iter(told.scores)) if len(told.scores) == 1 else None
    return Side(told.player, faction, told.detachment, score)


def _settle(group: Group, ledger: Ledger) -> None:
    """The fates of the rows of a game: one is kept, one is its other side, others are too many."""
    first = group[0]
    ledger.keep(first.place)
    sides = {first.is_turned}
    for told in group[1:]:
        if told.is_turned in sides:
            ledger.leave(told.place, f"{DUPLICATE}: {where(first.place, told.place)}")
        else:
            ledger.other_side(told.place, first.place)
            sides.add(told.is_turned)


def _leave(group: Group, reason: str, ledger: Ledger) -> None:
    """All rows of a game that cannot be used, each with the others."""
    for told in group:
        others = ", ".join(where(o.place, told.place) for o in group if o is not told)
        ledger.leave(told.place, f"{reason}: {others}" if others else reason)

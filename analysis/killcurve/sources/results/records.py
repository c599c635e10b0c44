"""Rows that tell a player's whole event: wins, draws and losses, without the games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from killcurve.sources.results import values
from killcurve.sources.results.files import Line
from killcurve.sources.results.ledger import Ledger, Place, where
from killcurve.sources.results.players import player_key
from killcurve.sources.results.statements import NO_OWN_FACTION, Reader

NO_RECORD = "wins, draws and losses are not all numbers"
NO_GAMES = "the player has no game"
FURTHER = "a further detachment of an army that has its row"
CONTRADICTION = "rows of one player at one event contradict each other"
OTHER_SUM = "wins, draws and losses do not add up to the games"


@dataclass(frozen=True, slots=True)
class Record:
    """What one row says of a player's event; ``player`` is a key that does not leave the reading.

    ``primary`` is whether the row is said to be the army's main one, null where none is.
    """

    place: Place
    event: str
    date: date | None
    edition: str | None
    player: str | None
    faction: str
    detachment: str | None
    wins: int
    draws: int
    losses: int
    primary: bool | None

    @property
    def told(self) -> tuple[int, int, int]:
        """Wins, draws, losses."""
        return self.wins, self.draws, self.losses


def records(reader: Reader) -> Iterator[Record]:
    """The records of all rows of a sheet; other rows go into the ledger."""
    for line in reader.sheet.lines:
        if line.fault:
            reader.ledger.leave(reader.place(line), line.fault)
            continue
        made = _record(reader, line)
        if isinstance(made, str):
            reader.ledger.leave(reader.place(line), made)
        else:
            yield made


def _record(reader: Reader, line: Line) -> Record | str:
    place = reader.place(line)
    faction = reader.factions.name(reader.text(line, "faction"))
    if faction is None:
        return NO_OWN_FACTION
    counts = []
    for meaning in ("wins", "draws", "losses"):
        text = reader.text(line, meaning)
        value = values.number(text) if text else 0.0
        if value is None or value != int(value) or value < 0:
            return NO_RECORD
        counts.append(int(value))
    wins, draws, losses = counts
    if not sum(counts):
        return NO_GAMES
    games = values.number(reader.text(line, "games"))
    if games is not None and games != sum(counts):
        reader.ledger.note(place, OTHER_SUM)
    primary = None
    if "primary" in reader.columns:
        primary = reader.text(line, "primary").lower() in ("1", "1.0", "true", "yes", "y", "x")
    return Record(
        place=place,
        event=reader.event(line),
        date=reader.day(line),
        edition=reader.edition_of(line),
        player=player_key(reader.text(line, "player")),
        faction=faction,
        detachment=values.tidy(reader.text(line, "detachment")) or None,
        wins=wins,
        draws=draws,
        losses=losses,
        primary=primary,
    )


def one_each(rows: Sequence[Record], ledger: Ledger) -> list[Record]:
    """One record for each player at each event; the fate of every row goes into the ledger.

    Of an army told in several rows the primary one counts, else the first.
    """
    groups: dict[tuple[str, str], list[Record]] = defaultdict(list)
    out = []
    for row in rows:
        if row.player is None:
            ledger.keep(row.place)
            out.append(row)
        else:
            groups[row.event, row.player].append(row)
    for group in groups.values():
        chosen = _chosen(group)
        if chosen is None:
            _leave(group, ledger)
            continue
        ledger.keep(chosen.place)
        out.append(chosen)
        for row in group:
            if row is not chosen:
                ledger.leave(row.place, f"{FURTHER}: {where(chosen.place, row.place)}")
    return out


def _chosen(group: Sequence[Record]) -> Record | None:
    """The record that counts, or nothing if several would and differ."""
    main = [row for row in group if row.primary] or group
    if len({row.told for row in group}) > 1 or len({row.faction for row in main[:2]}) > 1:
        return None
    return main[0]


def _leave(group: Iterable[Record], ledger: Ledger) -> None:
    rows = [*group]
    for row in rows:
        others = ", ".join(where(o.place, row.place) for o in rows if o is not row)
        ledger.leave(row.place, f"{CONTRADICTION}: {others}")

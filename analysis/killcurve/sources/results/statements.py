"""Rows as statements about games: who with what met whom with what, and how it ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import PurePath

from killcurve.sources.results import values
from killcurve.sources.results.dates import Dates
from killcurve.sources.results.factions import Factions
from killcurve.sources.results.files import Line, Sheet
from killcurve.sources.results.headers import OPPONENT
from killcurve.sources.results.ledger import Ledger, Place
from killcurve.sources.results.mapping import Mapped, Told
from killcurve.sources.results.players import player_key
from killcurve.sources.results.values import normal, tidy

BYE = "a bye, there is no opponent"
BLANK = "there is neither an opponent nor a result"
NO_OWN_FACTION = "the faction of the player is not told"
OWN_CONTRADICTION = "the row contradicts itself about the result"
ONESELF = "a player against themself"

FIRST = ("1", "a", "p1", "player 1", "player a")
SECOND = ("2", "b", "p2", "player 2", "player b")
"""What a winner may be called by the side of the row."""


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a game; ``player`` is a key that does not leave the reading."""

    player: str | None
    faction: str | None
    detachment: str | None
    score: float | None


@dataclass(frozen=True, slots=True)
class Statement:
    """What one row says of a game, from the side of ``own``.

    ``is_turned`` is whether the row itself speaks from the other side.
    """

    place: Place
    event: str
    date: date | None
    edition: str | None
    round: int | None
    own: Side
    other: Side
    result: float | None
    is_turned: bool = False

    def turned(self) -> Statement:
        """The same from the other side."""
        result = None if self.result is None else 1 - self.result
        return replace(
            self, own=self.other, other=self.own, result=result, is_turned=not self.is_turned
        )


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the cells of a sheet's rows."""

    sheet: Sheet
    columns: Mapping[str, str]
    dates: Dates
    scales: Mapping[str, Mapping[float, float]]
    factions: Factions
    ledger: Ledger
    edition: str | None

    @classmethod
    def of(
        cls,
        sheet: Sheet,
        mapping: Mapped,
        told: Told,
        factions: Factions,
        ledger: Ledger,
        edition: str | None,
    ) -> Reader:
        """For a sheet whose columns are mapped."""
        columns = mapping.columns
        dates = Dates.of(sheet.texts(columns["date"])) if "date" in columns else Dates()
        scales = {
            meaning: values.scale(sheet.texts(columns[meaning]))
            for meaning in ("result", OPPONENT + "result")
            if meaning in columns
        }
        edition = edition or values.edition_of_name(sheet.name)
        order = told.order or dates.order
        return cls(sheet, columns, Dates(order), scales, factions, ledger, edition)

    def text(self, line: Line, meaning: str) -> str:
        """The text of a cell by its meaning; empty where there is no such column."""
        column = self.columns.get(meaning)
        return "" if column is None else line.cells.get(column, "")

    def place(self, line: Line) -> Place:
        """Where a row stands."""
        return self.sheet.name, line.number

    def event(self, line: Line) -> str:
        """The event; where none is told it is the file."""
        return tidy(self.text(line, "event")) or PurePath(self.sheet.name).stem

    def day(self, line: Line) -> date | None:
        """The day, with a note where the cell is not understood."""
        text = self.text(line, "date")
        if not text:
            return None
        day = self.dates.read(text)
        if isinstance(day, str):
            self.ledger.note(self.place(line), day)
            return None
        return day

    def edition_of(self, line: Line) -> str | None:
        """The edition of a row."""
        text = self.text(line, "edition")
        edition = values.edition(text) if text else self.edition
        if text and edition is None:
            self.ledger.note(self.place(line), "the edition is not understood")
        return edition

    def number(self, line: Line, meaning: str) -> float | None:
        """A number, with a note where the cell is not understood."""
        text = self.text(line, meaning)
        value = values.number(text) if text else None
        if text and value is None:
            self.ledger.note(self.place(line), f"the {meaning} is no number")
        return value

    def side(self, line: Line, before: str) -> Side:
        """One side of a game."""
        return Side(
            player=player_key(self.text(line, before + "player")),
            faction=self.factions.name(self.text(line, before + "faction")),
            detachment=tidy(self.text(line, before + "detachment")) or None,
            score=self.number(line, before + "score"),
        )

    def statements(self) -> Iterator[Statement]:
        """The statements of all rows; other rows go into the ledger."""
        for line in self.sheet.lines:
            if line.fault:
                self.ledger.leave(self.place(line), line.fault)
                continue
            made = self._statement(line)
            if made is not None:
                yield made

    def _statement(self, line: Line) -> Statement | None:
        place = self.place(line)
        own, other = self.side(line, ""), self.side(line, OPPONENT)
        told = [*self._told(line)]
        if fault := self._no_game(line, own, other, told):
            self.ledger.leave(place, fault)
            return None
        by_scores = values.by_scores(own.score, other.score)
        result = told[0] if told else by_scores
        if told and by_scores not in (None, result):
            self.ledger.note(place, "the scores give another result than the one that is told")
        text = self.text(line, "round")
        number = values.round_number(text) if text else None
        if text and number is None:
            self.ledger.note(place, "the round is no number")
        return Statement(
            place=place,
            event=self.event(line),
            date=self.day(line),
            edition=self.edition_of(line),
            round=number,
            own=own,
            other=other,
            result=result,
        )

    def _no_game(self, line: Line, own: Side, other: Side, told: list[float]) -> str | None:
        """Why a row is no game, if so."""
        opponent = normal(self.text(line, OPPONENT + "player"))
        faction = normal(self.text(line, OPPONENT + "faction"))
        nobody = not faction and (not opponent or opponent in values.BYES)
        if nobody or opponent in ("bye", "bye round") or faction == "bye":
            return BYE if told or own.score is not None else BLANK
        if own.faction is None and own.player is None:
            return NO_OWN_FACTION
        if own.player is not None and own.player == other.player:
            return ONESELF
        return OWN_CONTRADICTION if len(set(told)) > 1 else None

    def _told(self, line: Line) -> Iterator[float]:
        """What the cells of a row say of the result, from the side of the player."""
        for meaning, numbers in self.scales.items():
            text = self.text(line, meaning)
            value = values.result(text, numbers) if text else None
            if text and value is None:
                self.ledger.note(self.place(line), f"the {meaning} is not understood")
            if value is not None:
                yield 1 - value if meaning.startswith(OPPONENT) else value
        if winner := normal(self.text(line, "winner")):
            won = self._won(line, winner)
            if won is None:
                self.ledger.note(self.place(line), "the winner is neither side")
            else:
                yield won
        if "result" not in self.columns:
            for meaning, value in (("wins", 1.0), ("draws", 0.5), ("losses", 0.0)):
                if values.number(self.text(line, meaning)) == 1:
                    yield value

    def _won(self, line: Line, winner: str) -> float | None:
        """The result that the name of the winner tells: of a player, a faction, or a side."""
        for meaning in ("player", "faction"):
            sides = [normal(self.text(line, before + meaning)) for before in ("", OPPONENT)]
            if sides[0] != sides[1] and winner in sides:
                return 1.0 if winner == sides[0] else 0.0
        if winner in FIRST or winner in SECOND:
            return float(winner in FIRST)
        return 0.5 if values.WORDS.get(winner) == 0.5 else None

"""Which column of a table is what: found by names and contents, or told by the user."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from killcurve.rules.spelling import did_you_mean
from killcurve.sources.results.dates import ORDERS, Order
from killcurve.sources.results.files import Sheet
from killcurve.sources.results.headers import IGNORED, MEANINGS, OPPONENT, meanings
from killcurve.sources.results.values import number, result, scale
from killcurve.tables.dataset import DataError

OF_ONE_GAME = {"result", "winner", OPPONENT + "player", OPPONENT + "faction"}
"""What only tables of games have."""
MOST_EXAMPLES = 3
BY_NAME = "by its name"
NAMES_PEOPLE = ("player", OPPONENT + "player", "winner")

Row = dict[str, object]


@dataclass(frozen=True, slots=True)
class Told:
    """What the user says of columns: column → meaning; ``order`` is that of ambiguous dates."""

    columns: Mapping[str, str] = field(default_factory=dict)
    order: Order | None = None

    @classmethod
    def of(cls, given: Iterable[str]) -> Told:
        """From texts such as ``"Army 2=opponent faction"`` and ``"Day=date, month first"``.

        Raises:
            DataError: if one of them is not understood.

        >>> Told.of(["Army=faction", "Day=date, month first"])
        Told(columns={'Army': 'faction', 'Day': 'date'}, order='month first')
        """
        columns: dict[str, str] = {}
        order: Order | None = None
        for text in given:
            column, sign, meaning = (part.strip() for part in text.rpartition("="))
            if not sign or not column:
                raise DataError(f"{text!r} is no mapping; write COLUMN=MEANING ({_allowed()})")
            meaning, _, extra = (part.strip() for part in meaning.lower().partition(","))
            if extra:
                order = next((o for o in ORDERS if o == extra), None)
                if meaning != "date" or order is None:
                    raise DataError(f"{text!r}: only a date has a form, {' or '.join(ORDERS)}")
            if meaning not in (*MEANINGS, IGNORED):
                near = did_you_mean(meaning, (*MEANINGS, IGNORED))
                raise DataError(f"{meaning!r} is no meaning of a column{near} ({_allowed()})")
            if column in columns:
                raise DataError(f"the column {column!r} is mapped twice")
            columns[column] = meaning
        return cls(columns, order)


def _allowed() -> str:
    return f"meanings are {', '.join(MEANINGS)}, {IGNORED}"


@dataclass(frozen=True, slots=True)
class Mapped:
    """The columns of a sheet by meaning, and ``preview``: a row for each column."""

    columns: Mapping[str, str]
    preview: tuple[Row, ...]

    @property
    def is_record(self) -> bool:
        """Whether rows tell a player's whole event: wins and losses, and no opponent."""
        has = self.columns.keys()
        return {"wins", "losses"} <= has and not has & OF_ONE_GAME


def mapped(sheet: Sheet, told: Told) -> Mapped:
    """Take each column for what its name says, unless the user says otherwise.

    Of several columns with names for one meaning the one with the better known name counts.
    """
    by_user = {c: m for c, m in told.columns.items() if c in sheet.columns}
    chosen: dict[str, str] = {}
    why: dict[str, str] = {}
    for column, meaning in by_user.items():
        why[column] = "you said so"
        if meaning != IGNORED:
            if meaning in chosen:
                both = f"{chosen[meaning]!r} and {column!r}"
                raise DataError(f"{sheet.name}: both {both} are said to be {meaning}")
            chosen[meaning] = column
    candidates = sorted(
        (rank, position, column, meaning)
        for position, column in enumerate(sheet.columns)
        if column not in by_user
        for meaning, rank in meanings(column)
    )
    for _, _, column, meaning in candidates:
        if column in chosen.values():
            continue
        fault = _unfit(sheet, column, meaning)
        if fault:
            why[column] = f"{fault}, so it is no {meaning}"
        elif meaning in chosen:
            why[column] = f"{chosen[meaning]!r} was taken as {meaning}"
        else:
            chosen[meaning] = column
            why[column] = BY_NAME
    _leave_out(chosen, why)
    return Mapped(chosen, tuple(_preview(sheet, chosen, why)))


def _leave_out(chosen: dict[str, str], why: dict[str, str]) -> None:
    """Columns that were taken by their name, but that such a table does not need."""
    if not chosen.keys() & OF_ONE_GAME:
        return
    needless = ["games", "primary", *(("wins", "draws", "losses") if "result" in chosen else ())]
    for meaning in needless:
        if meaning in chosen and why[chosen[meaning]] == BY_NAME:
            told = repr(chosen["result"]) if "result" in chosen else "another column"
            why[chosen.pop(meaning)] = f"{told} tells the result"


def _unfit(sheet: Sheet, column: str, meaning: str) -> str | None:
    """Why the contents of a column do not fit its name, if so."""
    texts = Counter(sheet.texts(column))
    if not texts:
        return "the column is empty"
    numbers = sum(times for text, times in texts.items() if number(text) is not None)
    base = meaning.removeprefix(OPPONENT)
    if base in ("faction", "detachment", "event") and numbers == texts.total():
        return None if base == "event" else "it holds only numbers"
    if base == "score" and numbers < texts.total() / 2:
        return "it holds few numbers"
    if base == "result" and not _tells_results(texts):
        return "it holds few results"
    return None


def _tells_results(texts: Counter[str]) -> bool:
    numbers = scale(texts)
    told = sum(times for text, times in texts.items() if result(text, numbers) is not None)
    return told >= texts.total() / 2


def _preview(sheet: Sheet, chosen: Mapping[str, str], why: Mapping[str, str]) -> Iterable[Row]:
    """A row for each column; names of people and columns that are not used show nothing."""
    meaning_of = {column: meaning for meaning, column in chosen.items()}
    for column in sheet.columns:
        meaning = meaning_of.get(column)
        texts = [*sheet.texts(column)]
        examples: list[str] = []
        if meaning is not None and meaning not in NAMES_PEOPLE:
            examples = [*dict.fromkeys(texts)][:MOST_EXAMPLES]
        yield {
            "file": sheet.name,
            "column": column,
            "meaning": meaning,
            "why": why.get(column, "its name is not known"),
            "filled": len(texts) / len(sheet.lines),
            "examples": examples,
        }


def missing(columns: Mapping[str, str], *, is_record: bool) -> list[str]:
    """What a table lacks to be read at all, as sentences.

    >>> missing({"faction": "Army", "score": "VP"}, is_record=False)
    ['the faction of the opponent', 'a result (or both scores, or a winner)']
    """
    has = columns.keys()
    out = [] if "faction" in has else ["a faction"]
    if is_record:
        return out
    if OPPONENT + "faction" not in has and not {"player", OPPONENT + "player"} <= has:
        out.append("the faction of the opponent")
    told = has & {"result", OPPONENT + "result", "winner", "wins"}
    if not told and not {"score", OPPONENT + "score"} <= has:
        out.append("a result (or both scores, or a winner)")
    return out

"""Sentences about results, made of the numbers: the summary, and what stands over charts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from killcurve.report.results_parts import ALPHA, Part, events, told_apart
from killcurve.report.wording import listed, number, percent
from killcurve.study.meta import samples
from killcurve.study.meta.by_event import EXACT
from killcurve.study.meta.top_finishes import STARTS


def summary(part: Part) -> list[str]:
    """What the numbers of a part say, the most important first; rows of few games are not named."""
    told = [_what(part), *rates(part), *_played(part), *_tops(part), *_over_time(part)]
    return [*told, *_skill(part)]


def between(row: Mapping[str, Any], low: str = "low", high: str = "high") -> str:
    """An interval of rates: ``45 % to 60 %``."""
    return f"{percent(row[low])} to {percent(row[high])}"


def _what(part: Part) -> str:
    counts = []
    if part.games.height:
        counts.append(number(part.games.height, "game"))
    if part.standings.height:
        counts.append(number(part.standings.height, "player's record", "players' records"))
    when = f" from {part.days[0]} to {part.days[1]}" if part.days else ""
    return f"{part.headed}{listed(counts)} at {number(events(part), 'tournament')}{when}."


def rates(part: Part) -> list[str]:
    """Who wins most and least, and whether that is more than chance."""
    known = part.known
    if known.is_empty():
        return [f"No faction has {samples.GAMES} games, so none is called strong or weak."]
    best, worst = known.row(0, named=True), known.row(-1, named=True)
    of = f"Of {number(known.height, 'faction')} with {samples.RULES['win rate']}, "
    if not part.is_of_games:
        of = f"Of {number(known.height, 'faction')} with at least {samples.GAMES} games, "
    if known.height == 1:
        return [f"Only {_rated(best)} has at least {samples.GAMES} games."]
    return [f"{of}{_rated(best)} stands highest and {_rated(worst)} lowest.", doubt(part)]


def _rated(row: Mapping[str, Any]) -> str:
    return (
        f"{row['faction']} ({percent(row['shrunk'])} of {number(row['games'], 'game')}, "
        f"95 % interval {between(row)})"
    )


def doubt(part: Part) -> str:
    """Which win rates differ from one half when all are tested at once."""
    known = part.known
    above, below = told_apart(known, "rate", 0.5)
    tested = number(known.height, "test")
    found = []
    if above:
        found.append(f"{listed(above)} {_wins(above)} more than half of the games")
    if below:
        found.append(f"{listed(below)} {_wins(below)} less")
    lead = f"With {tested} allowed for (Holm, 5 %), "
    if not found:
        return f"{lead}no faction's win rate can be told from one half."
    other = known.height - len(above) - len(below)
    rest = f"; the other {other} cannot be told from one half" if other else ""
    return f"{lead}{' and '.join(found)}{rest}."


def _wins(names: list[str]) -> str:
    return "wins" if len(names) == 1 else "win"


def most_played(part: Part) -> Mapping[str, Any]:
    """The row of win rates of the faction with the most games."""
    frame = part.ranked.sort(["games", "faction"], descending=[True, False])
    return {**frame.row(0, named=True), "share": frame["games"][0] / max(frame["games"].sum(), 1)}


def _played(part: Part) -> list[str]:
    row = most_played(part)
    if not row["enough"]:
        return []
    what = "sides of games that are no mirrors" if part.is_of_games else "games"
    return [
        f"{row['faction']} is played most, with {percent(row['share'], 1)} of all {what}, "
        f"and wins {percent(row['shrunk'])} ({between(row)})."
    ]


def tops(part: Part) -> tuple[str, pl.DataFrame, str]:
    """What is known of top finishes: the kind in words, its frame, and its key in the studies."""
    if not part.meta.starts.is_empty():
        return f"{STARTS}-0 starts", part.meta.starts, "starts"
    return f"perfect records of {STARTS} games or more", part.meta.perfect, "perfect"


def _tops(part: Part) -> list[str]:
    what, frame, _ = tops(part)
    if frame.is_empty() or not frame["tops"].sum():
        return []
    return [over_represented(what, frame)]


def over_represented(what: str, frame: pl.DataFrame) -> str:
    """Who has more and fewer top finishes than its number of players promises."""
    above, below = told_apart(frame, "ratio", 1.0)
    tested = number(frame["p"].drop_nulls().len(), "test")
    count = number(int(frame["tops"].sum()), "player")
    lead = f"Of the {what} ({count}, {tested} allowed for), "
    if not above and not below:
        return (
            f"{lead}no faction has demonstrably more or fewer than its number of players promises."
        )
    found = []
    for names, word in ((above, "more"), (below, "fewer")):
        if names:
            has, whose = ("has", "its") if len(names) == 1 else ("have", "their")
            found.append(f"{listed(names)} {has} {word} than {whose} number of players promises")
    return f"{lead}{'; '.join(found)}."


def _over_time(part: Part) -> list[str]:
    frame = part.meta.changes
    return [] if frame.is_empty() else [changed(frame)]


def changed(frame: pl.DataFrame) -> str:
    """Which win rates changed at a date, of all factions and dates tested at once."""
    dates = frame["date"].n_unique()
    where = "date" if dates == 1 else f"{dates} dates"
    tested = number(frame["p"].drop_nulls().len(), "test")
    found = frame.filter(pl.col("enough") & (pl.col("p_holm") < ALPHA)).sort(
        [pl.col("change").abs(), pl.col("faction")], descending=[True, False]
    )
    lead = f"At the {where} looked at ({tested} allowed for), "
    if found.is_empty():
        return f"{lead}no faction's win rate changed by more than chance may explain."
    told = [
        f"{row['faction']} went from {percent(row['before'])} to {percent(row['after'])} "
        f"at {row['date']}"
        for row in found.rows(named=True)
    ]
    return f"{lead}{listed(told)}; other things may have changed on the same days."


def _skill(part: Part) -> list[str]:
    better = part.meta.skill.better_player
    if better is None:
        return []
    known = part.meta.skill.factions
    above, below = told_apart(known, "rate", 0.5)
    spread = (
        f"A player one standard deviation better than the other wins {percent(better)} of games "
        "between equal armies; with players' skill allowed for"
    )
    if not above and not below:
        return [f"{spread}, no faction can be told from the average one."]
    found = [f"{listed(above)} {_is(above)} above the average"] if above else []
    found += [f"{listed(below)} {_is(below)} below it"] if below else []
    return [f"{spread}, {' and '.join(found)}."]


def _is(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"


def spread_over_events(part: Part) -> str:
    """How much pooled win rates differ between events."""
    frame = part.meta.pooled.filter((pl.col("method") == EXACT) & pl.col("enough"))
    if frame.is_empty():
        return f"No faction was at {samples.EVENTS} events, so nothing is pooled."
    differing = frame.filter(pl.col("p") < ALPHA).height
    by_chance = ALPHA * frame.height
    return (
        f"Of {number(frame.height, 'faction')} at {samples.EVENTS} events or more, "
        f"{differing} {'differs' if differing == 1 else 'differ'} between events at 5 % each, "
        f"where {by_chance:.1f} would by chance "
        "alone. The interval of a further event is where the true win rate of such an event lies: "
        "it is wider than that of the mean."
    )

"""Tables of a report on results: match-ups, time, skill, detachments, and how many tests."""

from __future__ import annotations

import polars as pl

from killcurve.report.document import Column, Table
from killcurve.report.results_cells import FLAG, FLAGGED, flag, interval, p_value
from killcurve.report.results_parts import ALPHA, Part
from killcurve.report.results_words import tops
from killcurve.study.meta import samples


def extremes(part: Part) -> Table:
    """Each faction's best and worst match-up among those with enough games."""
    known = part.meta.matchups.filter("enough")
    whole = {"faction": pl.String(), "n": pl.UInt32()}
    made = known.group_by("faction").agg(n=pl.len()) if known.height else pl.DataFrame(schema=whole)
    for name, most in (("best", True), ("worst", False)):
        ends = known.sort(["shrunk", "opponent_faction"], descending=[most, False]).unique(
            "faction", keep="first", maintain_order=True
        )
        told = ends.with_columns(interval("low", "high", f"{name}_interval")).select(
            "faction",
            pl.col("opponent_faction").alias(name),
            pl.col("games").alias(f"{name}_games"),
            pl.col("shrunk").alias(f"{name}_rate"),
            f"{name}_interval",
        )
        made = made.join(told, on="faction", how="left")
    columns = [Column("faction", "Faction"), Column("n", "Match-ups with enough games", "whole")]
    for name in ("best", "worst"):
        columns += [
            Column(name, f"{name.title()} against"),
            Column(f"{name}_games", "Games", "whole"),
            Column(f"{name}_rate", "Win rate", "percent"),
            Column(f"{name}_interval", "95 % interval"),
        ]
    return Table(
        "Best and worst match-ups",
        made.sort("faction"),
        tuple(columns),
        note=f"Only match-ups with {samples.RULES['match-up']}. The highest and lowest of many "
        "look more extreme than they are, though rates are drawn towards what both factions' "
        "strengths promise.",
        more=True,
    )


def windows(part: Part) -> Table:
    """Win rates and popularity in each window of time."""
    frame = part.meta.windows.sort("faction", "start").with_columns(
        interval("low", "high"), flag(), share="share"
    )
    return Table(
        "Win rates in each window of time",
        frame,
        (
            Column("faction", "Faction"),
            Column("start", "First day"),
            Column("end", "Last day"),
            Column("games", "Games", "whole"),
            FLAGGED,
            Column("rate", "Plain rate", "percent"),
            Column("interval", "95 % interval"),
            Column("share", "Share of games", "percent"),
        ),
        note=f"“{FLAG}”: fewer than {samples.GAMES_OF_WINDOW} games.",
        more=True,
    )


def changes(part: Part) -> Table:
    """Changes at given dates, those least likely by chance first."""
    ends = [
        pl.col(end).map_elements(lambda x: f"{100 * x:+.1f}".replace("-", "−"), pl.String)
        for end in ("low", "high")
    ]
    frame = part.meta.changes.sort(
        ["enough", "p", "faction", "date"], descending=[True, False, False, False], nulls_last=True
    ).with_columns(
        pl.concat_str([ends[0], pl.lit(" to "), ends[1]]).alias("interval"),
        (pl.col("change") * 100).alias("change"),
        *(p_value(name) for name in ("p", "p_holm", "p_bh")),
        flag(),
    )
    return Table(
        "Win rates before and after each date",
        frame,
        (
            Column("faction", "Faction"),
            Column("date", "Date"),
            Column("games_before", "Games before", "whole"),
            Column("games_after", "Games after", "whole"),
            FLAGGED,
            Column("before", "Before", "percent"),
            Column("after", "After", "percent"),
            Column("change", "Change, points of percent", "signed"),
            Column("interval", "95 % interval"),
            Column("p", "p"),
            Column("p_holm", "p, Holm"),
            Column("p_bh", "p, Benjamini–Hochberg"),
        ),
        note=f"“{FLAG}”: not {samples.RULES['change']}.",
        more=True,
    )


def skill(part: Part) -> Table:
    """Strengths with players' skill allowed for, beside the plain win rates."""
    rates = part.meta.win_rates.select("faction", plain="rate")
    frame = part.meta.skill.factions.join(rates, on="faction", how="left")
    return Table(
        "Win rates with players' skill allowed for",
        frame.sort(["enough", "rate", "faction"], descending=[True, True, False]).with_columns(
            interval("low", "high"), p_value("p"), p_value("p_holm"), flag()
        ),
        (
            Column("faction", "Faction"),
            Column("games", "Games", "whole"),
            FLAGGED,
            Column("players", "Players", "whole"),
            Column("switchers", "Also played others", "whole"),
            Column("plain", "Plain rate", "percent"),
            Column("rate", "With skill allowed for", "percent"),
            Column("interval", "95 % interval"),
            Column("p", "p"),
            Column("p_holm", "p, Holm"),
        ),
        more=True,
    )


def detachments(part: Part) -> Table:
    """Win rates of detachments, the highest first."""
    order = ["enough", "shrunk", "faction", "detachment"]
    ranked = part.detachments.sort(order, descending=[True, True, False, False])
    return Table(
        "Win rates of detachments",
        ranked.with_columns(interval("low", "high"), p_value("p_holm"), flag()),
        (
            Column("faction", "Faction"),
            Column("detachment", "Detachment"),
            Column("games", "Games", "whole"),
            FLAGGED,
            Column("rate", "Plain rate", "percent"),
            Column("shrunk", "Win rate", "percent"),
            Column("interval", "95 % interval"),
            Column("p_holm", "p, Holm"),
        ),
    )


def questions(part: Part) -> Table:
    """How many questions were put to the same games, and how many answers are called findings."""
    rows = [_tested(name, frame) for name, frame in _families(part) if frame.height]
    columns = ("question", "tests", "plain", "by_chance", "bh", "holm")
    frame = pl.DataFrame(rows, schema=dict(zip(columns, (pl.String(), *KINDS), strict=True)),
                         orient="row")  # fmt: skip
    return Table(
        "Tests made, and what is left of them",
        frame,
        (
            Column("question", "Question"),
            Column("tests", "Tests", "whole"),
            Column("plain", f"p under {ALPHA:g}, each for itself", "whole"),
            Column("by_chance", "As many by chance alone", "number", 1),
            Column("bh", "Left by Benjamini–Hochberg", "whole"),
            Column("holm", "Left by Holm", "whole"),
        ),
        note="Only what Holm's rule leaves is called a finding here: with it, the chance of any "
        "false one in a row of the table is at most 5 %.",
    )


KINDS = (pl.Int64(), pl.Int64(), pl.Float64(), pl.Int64(), pl.Int64())


def _families(part: Part) -> list[tuple[str, pl.DataFrame]]:
    meta, (what, top, _) = part.meta, tops(part)
    once = meta.matchups
    if once.height:
        once = once.filter(pl.col("faction") < pl.col("opponent_faction"))
    return [
        ("Does a faction win other than half?", meta.win_rates),
        (f"Has it more or fewer {what} than promised?", top),
        ("Does a match-up differ from what strengths promise?", once),
        ("Did a win rate change at a date?", meta.changes),
        ("Is a faction other than average with skill allowed for?", meta.skill.factions),
    ]


def _tested(name: str, frame: pl.DataFrame) -> tuple[str, int, int, float, int, int]:
    made = frame.drop_nulls("p")
    plain, bh, holm = (int((made[c] < ALPHA).sum()) for c in ("p", "p_bh", "p_holm"))
    return name, made.height, plain, ALPHA * made.height, bh, holm

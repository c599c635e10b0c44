"""Tables of a report on results: win rates, representation, pooled rates and top finishes."""

from __future__ import annotations

import polars as pl

from killcurve.report.document import Column, Table
from killcurve.report.results_cells import FLAG, FLAGGED, flag, interval, p_value
from killcurve.report.results_parts import Part
from killcurve.report.results_words import tops
from killcurve.study.meta import samples


def win_rates(part: Part) -> Table:
    """Every faction's win rate, the highest first."""
    mirrors = (Column("mirrors", "Mirrors", "whole"),) if part.is_of_games else ()
    return Table(
        "Win rates of all factions, draws as half a win",
        part.ranked.with_columns(
            interval("low", "high"), interval("joint_low", "joint_high", "joint"), flag(),
            p_value("p"), p_value("p_holm"), p_value("p_bh"),
            pl.format("{}–{}–{}", "wins", "draws", "losses").alias("record"),
        ),
        (
            Column("faction", "Faction"),
            Column("games", "Games", "whole"),
            FLAGGED,
            Column("record", "Won–drawn–lost"),
            *mirrors,
            Column("rate", "Plain rate", "percent"),
            Column("shrunk", "Win rate", "percent"),
            Column("interval", "95 % interval"),
            Column("joint", "Interval for all at once"),
            Column("p", "p"),
            Column("p_holm", "p, Holm"),
            Column("p_bh", "p, Benjamini–Hochberg"),
        ),
        note=f"Win rate and interval are drawn towards the other factions, the more the fewer "
        f"games there are. p is for a rate of one half. “{FLAG}”: not "
        f"{samples.RULES['win rate']}; such rows are not tested and not named.",
    )  # fmt: skip


def representation(part: Part) -> Table:
    """Who brings what, and wins how much with it."""
    rates = part.meta.win_rates.select("faction", "shrunk", "enough")
    frame = part.meta.shares.join(rates, on="faction", how="left").with_columns(
        pl.col("enough").fill_null(value=False)
    )
    return Table(
        "Representation of all factions",
        frame.sort(["entries", "faction"], descending=[True, False]).with_columns(flag()),
        (
            Column("faction", "Faction"),
            Column("entries", "Entries", "whole"),
            FLAGGED,
            Column("people", "People", "whole"),
            Column("events", "Events", "whole"),
            Column("share", "Share of entries", "percent"),
            Column("share_of_games", "Share of games", "percent"),
            Column("undefeated", "Undefeated", "whole"),
            Column("shrunk", "Win rate", "percent"),
        ),
        note="Entries count a player once for each event, people once in all; games are seen from "
        "each side, mirrors included. Undefeated: won as many games as anybody at the event "
        "played.",
        more=True,
    )


def pooled(part: Part) -> Table:
    """Both ways of pooling, two rows a faction, in the order of win rates."""
    order = part.ranked.select("faction").with_row_index("_place")
    frame = part.meta.pooled.join(order, on="faction").sort(["_place", "method"])
    return Table(
        "Win rates pooled over events, in two ways",
        frame.with_columns(
            interval("low", "high"), interval("predict_low", "predict_high", "further"),
            p_value("p"), flag(),
        ),
        (
            Column("faction", "Faction"),
            Column("method", "Method"),
            Column("events", "Events", "whole"),
            Column("games", "Games", "whole"),
            FLAGGED,
            Column("rate", "Pooled rate", "percent"),
            Column("interval", "95 % interval"),
            Column("further", "A further event"),
            Column("tau2", "τ²", "number", 3),
            Column("i2", "I²", "percent", 0),
            Column("p", "p of no spread"),
        ),
        note=f"“{FLAG}”: not {samples.RULES['pooling']}. τ² is the variance of log-odds between "
        "events, I² its share of all variance (of the first method only); p is not adjusted.",
        more=True,
    )  # fmt: skip


def top_finishes(part: Part) -> Table:
    """Over-representation among top finishes, the highest first."""
    what, frame, _ = tops(part)
    ranked = frame.sort(["enough", "ratio", "faction"], descending=[True, True, False])
    ends = [pl.col(end).map_elements(lambda x: f"{x:.2f}", pl.String) for end in ("low", "high")]
    return Table(
        f"Over-representation among {what}",
        ranked.with_columns(
            pl.concat_str([ends[0], pl.lit("–"), ends[1]]).alias("interval"),
            p_value("p"), p_value("p_holm"), flag(),
        ),
        (
            Column("faction", "Faction"),
            Column("players", "Players", "whole"),
            FLAGGED,
            Column("tops", "Of these at the top", "whole"),
            Column("rate", "Share of its players", "percent"),
            Column("ratio", "Over-representation", "number", 2),
            Column("interval", "95 % interval"),
            Column("p", "p"),
            Column("p_holm", "p, Holm"),
        ),
        note="Over-representation is the share of all top finishes over the share of all players: "
        f"1 is as many as promised. “{FLAG}”: not {samples.RULES['top finishes']}.",
        more=True,
    )  # fmt: skip


def winning_position(part: Part) -> Table | None:
    """At how many events a faction had somebody undefeated before the last round."""
    frame = part.meta.winning_position
    if frame.is_empty():
        return None
    return Table(
        "Events with a player in winning position: undefeated before the last round",
        frame.sort(["share", "events", "faction"], descending=[True, True, False]),
        (
            Column("faction", "Faction"),
            Column("events", "Events of 3 rounds or more", "whole"),
            Column("winning_position", "In winning position", "whole"),
            Column("share", "Share", "percent"),
        ),
        more=True,
    )

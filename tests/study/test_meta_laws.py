"""Laws of all studies: names, sides and order of rows do not matter; mirrors change no rate."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from killcurve.study.meta import study_results
from killcurve.study.meta.by_event import event_rates, pooled
from killcurve.study.meta.matchups import matchups
from killcurve.study.meta.multiplicity import benjamini_hochberg, holm
from killcurve.study.meta.records import records_of_games, shares
from killcurve.study.meta.skill import skill_adjusted
from killcurve.study.meta.top_finishes import undefeated_starts
from killcurve.study.meta.trend import changes, windows
from killcurve.study.meta.win_rates import win_rates
from killcurve.tables.result_schemas import Games, Standings
from polars.testing import assert_frame_equal

from tests.study.test_meta_simulated import simulated

GAMES = simulated(3, factions=6, people=40, events=4, per_event=24, draws=0.1, skill_sd=0.5)[0]
GAMES = GAMES.with_columns(
    date=pl.date(2031, 1, 1) + pl.duration(days=20 * pl.col("event").str.slice(6).cast(pl.Int64))
)
MIDDLE = GAMES["date"].unique().sort()[2]

STUDIES = {
    "win rates": win_rates,
    "pooled": lambda games: pooled(event_rates(games)),
    "match-ups": matchups,
    "skill": lambda games: skill_adjusted(games).factions,
    "shares": lambda games: shares(records_of_games(games)),
    "starts": lambda games: undefeated_starts(records_of_games(games), start=3),
    "windows": windows,
    "changes": lambda games: changes(games, [MIDDLE]),
}
EACH = pytest.mark.parametrize("study", STUDIES.values(), ids=STUDIES.keys())


def turned(games: pl.DataFrame) -> pl.DataFrame:
    """Every game told from its other side."""
    pairs = {name: f"opponent_{name}" for name in ("faction", "detachment", "score")}
    pairs["player"] = "opponent"
    pairs |= {theirs: ours for ours, theirs in pairs.items()}
    return games.rename(pairs).select(games.columns).with_columns(result=1 - pl.col("result"))


def ordered(frame: pl.DataFrame) -> pl.DataFrame:
    texts = [n for n, t in frame.schema.items() if t in (pl.String, pl.Date)]
    return frame.sort(texts)


@EACH
def test_the_side_that_tells_a_game_does_not_matter(study):
    half = pl.col("game") % 2 == 0
    mixed = pl.concat([GAMES.filter(half), turned(GAMES.filter(~half))])
    assert_frame_equal(ordered(study(mixed)), ordered(study(GAMES)), rel_tol=1e-6, abs_tol=1e-7)


@EACH
def test_the_order_of_games_does_not_matter(study):
    assert_frame_equal(
        ordered(study(GAMES.sample(fraction=1, shuffle=True, seed=1))),
        ordered(study(GAMES)),
        rel_tol=1e-6,
        abs_tol=1e-7,
    )


@EACH
def test_new_names_of_factions_permute_the_rows(study):
    names = sorted({*GAMES["faction"], *GAMES["opponent_faction"]})
    new = dict(zip(names, names[2:] + names[:2], strict=True))
    back = {theirs: ours for ours, theirs in new.items()}
    both = ("faction", "opponent_faction")
    renamed = study(GAMES.with_columns(pl.col(both).replace_strict(new)))
    known = [name for name in both if name in renamed.columns]
    renamed = renamed.with_columns(pl.col(known).replace_strict(back))
    if "group" in renamed.columns:
        renamed = renamed.with_columns(group=pl.lit(1, pl.Int64))
    assert_frame_equal(ordered(renamed), ordered(study(GAMES)), rel_tol=1e-5, abs_tol=1e-6)


def test_players_that_change_places_mirror_win_rates():
    """Each army gets the result of the other: rates w become 1 - w.

    Without numbers of players: which games hang together by them is another matter.
    """
    swap = {"faction": "opponent_faction", "opponent_faction": "faction"}
    games = GAMES.with_columns(pl.lit(None, pl.Int64).alias(n) for n in ("player", "opponent"))
    swapped = games.rename(swap).select(games.columns)
    one, two = win_rates(games), win_rates(swapped)
    for name, other in (
        ("rate", "rate"), ("wilson_low", "wilson_high"), ("shrunk", "shrunk"),
        ("low", "high"), ("joint_low", "joint_high"),
    ):  # fmt: skip
        assert two[other].to_list() == pytest.approx((1 - one[name]).to_list(), abs=1e-6)
    for name in ("games", "mirrors", "draws"):
        assert one[name].equals(two[name])
    assert two["p"].to_list() == pytest.approx(one["p"].to_list())
    one, two = (
        pooled(event_rates(g)).filter(pl.col("method") == "binomial-normal")
        for g in (games, swapped)
    )
    assert two["rate"].to_list() == pytest.approx((1 - one["rate"]).to_list(), abs=1e-4)
    assert two["low"].to_list() == pytest.approx((1 - one["high"]).to_list(), abs=1e-3)
    assert two["predict_low"].to_list() == pytest.approx(
        (1 - one["predict_high"]).to_list(), abs=2e-3
    )


def mirrors(count: int) -> pl.DataFrame:
    """Games of an army against its like between new people, won by either."""
    faction = GAMES["faction"][0]
    games = GAMES.head(1).select(pl.all().repeat_by(count).explode()).with_columns(
        game=pl.int_range(10_001, 10_001 + count),
        player=pl.int_range(1_001, 1_001 + count),
        opponent=pl.int_range(2_001, 2_001 + count),
        faction=pl.lit(faction),
        opponent_faction=pl.lit(faction),
        result=(pl.int_range(0, count) % 2).cast(pl.Float64),
    )  # fmt: skip
    return Games.validate(games.select(GAMES.columns), cast=True)


@pytest.mark.parametrize("study", [win_rates, STUDIES["pooled"], matchups, STUDIES["changes"]])
def test_mirrors_change_no_rate(study):
    before, after = study(GAMES), study(pl.concat([GAMES, mirrors(30)]))
    if "mirrors" in before.columns:
        assert after["mirrors"].sum() == before["mirrors"].sum() + 30
        before, after = before.drop("mirrors"), after.drop("mirrors")
    assert_frame_equal(before, after)


def test_wins_and_losses_balance():
    rates = win_rates(GAMES)
    assert rates["wins"].sum() == rates["losses"].sum()
    assert (rates["games"] * rates["rate"]).sum() == pytest.approx(rates["games"].sum() / 2)
    assert rates["games"].sum() + 2 * rates["mirrors"].sum() == 2 * GAMES.height
    assert shares(records_of_games(GAMES))["share"].sum() == pytest.approx(1)


def test_both_rows_of_a_pair_say_the_same():
    frame = matchups(GAMES)
    other = frame.rename({"faction": "opponent_faction", "opponent_faction": "faction"})
    pairs = frame.join(other, on=["faction", "opponent_faction"], suffix="_other")
    assert pairs.height == frame.height
    for name, opposite in (
        ("rate", "rate"),
        ("expected", "expected"),
        ("shrunk", "shrunk"),
        ("low", "high"),
    ):
        total = pairs[name] + pairs[f"{opposite}_other"]
        assert total.to_list() == pytest.approx([1] * pairs.height)
    assert pairs["p_bh"].equals(pairs["p_bh_other"].rename("p_bh"))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_adjusted_p_values_keep_their_order(p):
    frame = pl.DataFrame({"p": p})["p"].to_numpy()
    strict, mild = holm(frame), benjamini_hochberg(frame)
    assert (frame <= mild + 1e-12).all()
    assert (mild <= strict + 1e-12).all()
    assert (strict <= 1).all()
    assert (strict[frame.argsort()] == sorted(strict)).all()


SIDE = st.sampled_from(["Moles", "Owls", "Bats"])
GAME = st.tuples(
    st.sampled_from(["a", "b"]), st.integers(1, 3), SIDE, SIDE, st.sampled_from([0, 0.5, 1])
)


@settings(max_examples=25, deadline=None)
@given(st.lists(GAME, min_size=1, max_size=12), st.booleans())
def test_any_games_can_be_studied(rows, with_players):
    columns = ["event", "round", "faction", "opponent_faction", "result"]
    frame = pl.DataFrame(rows, schema=columns, orient="row").with_row_index("game", offset=1)
    missing = [name for name in Games.columns() if name not in frame.columns]
    frame = frame.with_columns(pl.lit(None).alias(name) for name in missing)
    if with_players:
        frame = frame.with_columns(player=1 + pl.col("game") % 3, opponent=4 + pl.col("game") % 2)
    games = Games.validate(frame, cast=True)
    meta = study_results(games, Standings.create_empty())
    rates = meta.win_rates.filter(pl.col("games") > 0)
    assert (rates["low"] <= rates["shrunk"]).all()
    assert (rates["shrunk"] <= rates["high"]).all()
    assert {"windows", "changes"} <= meta.missing.keys()

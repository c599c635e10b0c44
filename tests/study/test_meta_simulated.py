"""Simulated tournaments with known strengths: 95 % intervals hold the truth 93 to 97 % of the time.

Where the truth is that there is no difference at all, intervals that draw rates together hold it
more often; that they then do so is what ``at least`` says.
"""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from killcurve.study.meta import logit_normal
from killcurve.study.meta.intervals import newcombe, wilson
from killcurve.study.meta.matchups import matchups
from killcurve.study.meta.pooling import dersimonian_laird, log_odds
from killcurve.study.meta.prediction import prediction
from killcurve.study.meta.shrinkage import fit_prior, shrink
from killcurve.study.meta.skill import skill_adjusted
from killcurve.study.meta.win_rates import design_effect, win_rates
from killcurve.tables.result_schemas import Games
from scipy.special import expit


def simulated(
    seed: int,
    factions: int = 10,
    people: int = 120,
    events: int = 8,
    rounds: int = 5,
    per_event: int = 48,
    strength_sd: float = 0.3,
    skill_sd: float = 0.0,
    pair_sd: float = 0.0,
    draws: float = 0.0,
    switch: float = 0.15,
) -> tuple[pl.DataFrame, np.ndarray, np.ndarray]:
    """Games with random pairings, the factions' strengths, and what is special about pairs."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(0, strength_sd, factions)
    skill = rng.normal(0, skill_sd, people)
    special = np.triu(rng.normal(0, pair_sd, (factions, factions)), 1)
    special = special - special.T
    popular = rng.dirichlet(np.full(factions, 4.0))
    army_of = rng.choice(factions, people, p=popular)
    parts = []
    for event in range(events):
        who = rng.choice(people, per_event, replace=False)
        switched = rng.random(per_event) < switch
        army = np.where(switched, rng.choice(factions, per_event, p=popular), army_of[who])
        for number in range(rounds):
            first, second = rng.permutation(per_event).reshape(2, -1)
            odds = (
                strength[army[first]] - strength[army[second]] + special[army[first], army[second]]
            )
            odds = odds + skill[who[first]] - skill[who[second]]
            result = (rng.random(len(first)) < expit(odds)).astype(float)
            result[rng.random(len(first)) < draws] = 0.5
            parts.append(
                (event, number, who[first], army[first], who[second], army[second], result)
            )
    frame = pl.concat(
        pl.DataFrame({
            "event": f"event {e}", "round": r + 1, "player": p + 1, "faction": a,
            "opponent": q + 1, "opponent_faction": b, "result": w,
        }) for e, r, p, a, q, b, w in parts
    )  # fmt: skip
    name = pl.format("Army {}", pl.col("faction", "opponent_faction").cast(pl.String).str.zfill(2))
    turn = pl.col("player") > pl.col("opponent")
    columns = {"player": "opponent", "faction": "opponent_faction"}
    columns |= {theirs: ours for ours, theirs in columns.items()}
    frame = frame.with_columns(name).with_columns(
        *(
            pl.when(turn).then(theirs).otherwise(ours).alias(ours)
            for ours, theirs in columns.items()
        ),
        result=pl.when(turn).then(1 - pl.col("result")).otherwise("result"),
    )
    missing = {
        n: c.dtype for n, c in Games.columns().items() if n not in frame.columns and n != "game"
    }
    frame = frame.with_columns(pl.lit(None, t).alias(n) for n, t in missing.items())
    games = frame.with_row_index("game", offset=1).cast({"game": pl.Int64})
    return Games.validate(games, cast=True), strength, special


def within(low, truth, high) -> np.ndarray:
    return (np.asarray(low) <= truth) & (truth <= np.asarray(high))


def number(names) -> list[int]:
    return [int(name.removeprefix("Army ")) for name in names]


@pytest.mark.parametrize("spread", [0.04, 0.08])
def test_shrunk_rates_of_many_groups(spread):
    rng = np.random.default_rng(20)
    shrunk, plain, shorter = [], [], []
    for _ in range(20):
        games = rng.integers(10, 300, 40)
        truth = np.clip(rng.normal(0.5, spread, 40), 0.02, 0.98)
        wins = rng.binomial(games, truth)
        rate, low, high = shrink(fit_prior(wins, games), wins, games)
        shrunk.append(within(low, truth, high))
        ends = wilson(wins, games)
        plain.append(within(ends[0], truth, ends[1]))
        shorter.append(np.mean(np.abs(rate - truth)) / np.mean(np.abs(wins / games - truth)))
    assert 0.93 < np.mean(shrunk) < 0.97
    assert 0.93 < np.mean(plain) < 0.97
    assert np.mean(shorter) < 0.9  # and they are nearer to the truth


def test_without_differences_shrunk_intervals_are_short_and_hold():
    rng = np.random.default_rng(21)
    held, width = [], []
    for _ in range(8):
        games = rng.integers(10, 300, 30)
        wins = rng.binomial(games, 0.5)
        _, low, high = shrink(fit_prior(wins, games), wins, games)
        held.append(within(low, 0.5, high))
        width.append(np.mean(high - low) / np.mean(np.subtract(*wilson(wins, games)[::-1])))
    assert np.mean(held) >= 0.97
    assert np.mean(width) < 0.6


@pytest.mark.parametrize("draws", [0.0, 0.1])
def test_win_rates_of_tournaments(draws):
    held, joint = [], []
    for seed in range(20):
        games, strength, _ = simulated(seed, draws=draws)
        frame = win_rates(games)
        who = number(frame["faction"])
        armies = number(games["faction"]), number(games["opponent_faction"])
        met = np.zeros((10, 10))
        for own, other in (armies, armies[::-1]):
            np.add.at(met, (own, other), 1)
        np.fill_diagonal(met, 0)
        chance = expit(np.subtract.outer(strength, strength)) * (1 - draws) + draws / 2
        truth = ((met * chance).sum(axis=1) / np.maximum(met.sum(axis=1), 1))[who]
        held.append(within(frame["low"], truth, frame["high"]))
        joint.append(within(frame["joint_low"], truth, frame["joint_high"]).all())
    assert 0.93 < np.mean(np.concatenate(held)) < 0.97
    assert np.mean(joint) >= 0.9


def test_players_that_play_several_games_widen_intervals():
    alone = [design_effect(simulated(seed)[0]) for seed in range(3)]
    skilled = [design_effect(simulated(seed, skill_sd=1.2)[0]) for seed in range(3)]
    assert np.mean(alone) < 1.15
    assert np.mean(skilled) > 1.4


def test_rates_pooled_over_events():
    events, tau, size = 20, 0.3, 30
    rng = np.random.default_rng(events)
    exact, knapp, further = [], [], []
    for _ in range(60):
        games = rng.integers(size // 2, 3 * size // 2, events)
        wins = rng.binomial(games, expit(0.2 + tau * rng.normal(size=events)))
        fitted = logit_normal.fit(wins, games)
        pooled = dersimonian_laird(*log_odds(wins, games))
        exact.append(fitted.low <= 0.2 <= fitted.high)
        knapp.append(pooled.hk_low <= 0.2 <= pooled.hk_high)
        low, high = prediction(fitted, wins, games)
        further.append(within(low, 0.2 + tau * rng.normal(size=40), high).mean())
    for held in (exact, knapp, further):
        assert 0.93 <= np.mean(held) <= 0.97


def test_match_ups():
    held = []
    for seed in range(40):
        games, strength, special = simulated(seed, pair_sd=0.2, events=12)
        frame = matchups(games)
        one, two = number(frame["faction"]), number(frame["opponent_faction"])
        truth = expit(strength[one] - strength[two] + special[one, two])
        held.append(within(frame["low"], truth, frame["high"]))
    assert 0.93 < np.mean(np.concatenate(held)) < 0.97


def test_false_alarms_of_match_ups_are_as_many_as_the_level_says():
    alarms = []
    for seed in range(12):
        frame = matchups(simulated(seed, events=12)[0])
        alarms.append(frame["p"].drop_nulls().to_numpy() < 0.05)
    assert 0.03 < np.mean(np.concatenate(alarms)) < 0.07


def test_strengths_with_skill_allowed_for():
    held, spread = [], []
    for seed in range(1000, 1014):
        games, strength, _ = simulated(seed, skill_sd=0.8)
        found = skill_adjusted(games)
        frame = found.factions
        weights = frame["games"].to_numpy()
        own = strength[number(frame["faction"])]
        truth = expit(own - (weights * own).sum() / weights.sum())
        held.append(within(frame["low"], truth, frame["high"]))
        spread.append(found.player_sd)
    assert 0.93 < np.mean(np.concatenate(held)) < 0.97
    assert np.mean(spread) == pytest.approx(0.8, rel=0.1)


def test_skill_that_prefers_one_faction_is_told_from_its_strength():
    """The best players take one army, sometimes lend it to others, and it is as good as others."""
    rng = np.random.default_rng(5)
    skill = np.sort(rng.normal(0, 1.0, 60))
    rows = []
    for round_ in range(1, 60):
        order = rng.permutation(60)
        best = np.where(rng.random(60) < 0.7, np.arange(60) >= 40, rng.random(60) < 0.3)
        for one, two in zip(order[::2], order[1::2], strict=True):
            first, second = sorted((int(one), int(two)))
            won = float(rng.random() < expit(skill[first] - skill[second]))
            armies = [f"Army {int(best[i]):02}" for i in (first, second)]
            rows.append(
                (f"event {round_ // 5}", round_, first + 1, armies[0], second + 1, armies[1], won)
            )
    columns = ["event", "round", "player", "faction", "opponent", "opponent_faction", "result"]
    games = pl.DataFrame(rows, schema=columns, orient="row").with_row_index("game", offset=1)
    missing = [n for n in Games.columns() if n not in games.columns]
    games = Games.validate(games.with_columns(pl.lit(None).alias(n) for n in missing), cast=True)
    plain = win_rates(games).filter(faction="Army 01").row(0, named=True)
    found = skill_adjusted(games).factions.filter(faction="Army 01").row(0, named=True)
    assert plain["low"] > 0.6
    assert found["low"] < 0.5 < found["high"]
    assert found["switchers"] > 30


def test_changes_of_rates():
    rng = np.random.default_rng(9)
    n, m = rng.integers(20, 120, 3000), rng.integers(20, 120, 3000)
    before, after = rng.uniform(0.35, 0.65, 3000), rng.uniform(0.35, 0.65, 3000)
    low, high = newcombe(rng.binomial(n, after), n, rng.binomial(m, before), m)
    assert 0.94 < within(low, after - before, high).mean() < 0.965

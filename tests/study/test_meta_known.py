"""Statistics against published worked examples, other libraries, and plain sums."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from killcurve.study.meta import bradley_terry, logit_normal, pair_effects, shrinkage
from killcurve.study.meta.intervals import newcombe, wilson
from killcurve.study.meta.multiplicity import benjamini_hochberg, holm
from killcurve.study.meta.pooling import dersimonian_laird, log_odds
from killcurve.study.meta.prediction import prediction
from killcurve.study.meta.top_finishes import _fisher
from killcurve.study.meta.trend import _likelihood_ratio
from scipy.integrate import quad
from scipy.optimize import minimize
from scipy.special import betaln, expit
from statsmodels.stats.meta_analysis import combine_effects
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

# The 13 trials of the BCG vaccine (Colditz et al., JAMA 1994), the textbook example of
# random-effects meta-analysis: with tuberculosis and without, vaccinated and not.
BCG = np.array(
    [
        (4, 119, 11, 128), (6, 300, 29, 274), (3, 228, 11, 209), (62, 13536, 248, 12619),
        (33, 5036, 47, 5761), (180, 1361, 372, 1079), (8, 2537, 10, 619), (505, 87886, 499, 87892),
        (29, 7470, 45, 7232), (17, 1699, 65, 1600), (186, 50448, 141, 27197), (5, 2493, 3, 2338),
        (27, 16886, 29, 17825),
    ],
    dtype=float,
)  # fmt: skip


def bcg() -> tuple[np.ndarray, np.ndarray]:
    """Log risk ratios and their variances."""
    a, b, c, d = BCG.T
    return np.log(a / (a + b) * (c + d) / c), 1 / a - 1 / (a + b) + 1 / c - 1 / (c + d)


def test_dersimonian_laird_on_the_bcg_trials():
    """Printed by metafor (method "DL"), and the same in textbooks since Berkey et al. (1995)."""
    pooled = dersimonian_laird(*bcg())
    assert round(pooled.effect, 4) == -0.7141
    assert round(pooled.error, 4) == 0.1787
    assert (round(pooled.low, 4), round(pooled.high, 4)) == (-1.0644, -0.3638)
    assert round(pooled.tau2, 4) == 0.3088
    assert round(pooled.q, 4) == 152.2330
    assert round(100 * pooled.i2, 2) == 92.12
    assert pooled.q_p < 1e-15
    assert pooled.weights.sum() == pytest.approx(1)
    half = scipy.stats.t.ppf(0.975, 11) * np.sqrt(pooled.tau2 + pooled.error**2)
    assert pooled.predict_high == pytest.approx(pooled.effect + half)


@pytest.mark.parametrize("seed", range(4))
def test_dersimonian_laird_against_statsmodels(seed):
    rng = np.random.default_rng(seed)
    variances = rng.uniform(0.01, 0.4, 8)
    effects = rng.normal(0.2, np.sqrt(variances + 0.6 + 0.3 * seed))
    ours = dersimonian_laird(effects, variances)
    theirs = combine_effects(effects, variances, method_re="dl", use_t=False)
    assert ours.effect == pytest.approx(theirs.mean_effect_re)
    assert ours.error == pytest.approx(theirs.sd_eff_w_re)
    assert ours.tau2 == pytest.approx(theirs.tau2)
    assert ours.q == pytest.approx(theirs.q)
    assert (ours.low, ours.high) == pytest.approx(theirs.conf_int(use_t=False)[1])
    knapp = combine_effects(effects, variances, method_re="dl", use_t=True)
    if knapp.scale_hksj_re >= 1:
        assert (ours.hk_low, ours.hk_high) == pytest.approx(knapp.conf_int()[3])


def test_wilson_and_newcombe_as_published():
    """Newcombe (Statistics in Medicine 1998), the examples of both his papers."""
    assert np.round(wilson(81, 263), 4).tolist() == [0.2553, 0.3662]
    assert np.round(wilson(15, 148), 4).tolist() == [0.0624, 0.1605]
    assert np.round(wilson(0, 20), 4).tolist() == [0.0, 0.1611]
    assert np.round(wilson(1, 29), 4).tolist() == [0.0061, 0.1718]
    assert np.round(newcombe(56, 70, 48, 80), 4).tolist() == [0.0524, 0.3339]
    assert np.round(newcombe(9, 10, 3, 10), 4).tolist() == [0.1705, 0.8090]


@pytest.mark.parametrize(("wins", "games"), [(0, 7), (5, 9), (30, 31), (12.5, 40)])
def test_intervals_against_statsmodels(wins, games):
    for level in (0.9, 0.95, 0.999):
        theirs = proportion_confint(wins, games, alpha=1 - level, method="wilson")
        assert wilson(wins, games, level) == pytest.approx(theirs)
    theirs = confint_proportions_2indep(wins, games, 11, 23, method="newcomb")
    assert newcombe(wins, games, 11, 23) == pytest.approx(theirs)


def test_adjusted_p_values_against_statsmodels_and_scipy():
    p = np.random.default_rng(3).beta(0.4, 2, 25)
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1])
    assert benjamini_hochberg(p) == pytest.approx(multipletests(p, method="fdr_bh")[1])
    assert benjamini_hochberg(p) == pytest.approx(scipy.stats.false_discovery_control(p))
    gaps = np.insert(p, 7, np.nan)
    assert np.isnan(holm(gaps)[7])
    assert np.delete(holm(gaps), 7) == pytest.approx(holm(p))


EVENTS = [
    ([3.0, 12.0, 7.5, 20.0, 0.0, 2.0], [10.0, 20.0, 18.0, 26.0, 3.0, 2.0]),
    ([6.0, 14.0, 9.0, 18.0, 3.0], [20.0, 20.0, 20.0, 20.0, 10.0]),
]


def plain(wins, games, mu: float, tau: float) -> float:
    """The log-likelihood of the binomial-normal model by adaptive integration."""
    total = 0.0
    for w, n in zip(wins, games, strict=True):

        def inside(z, w=w, n=n):
            at = mu + tau * z
            return np.exp(w * at - n * np.logaddexp(0, at)) * scipy.stats.norm.pdf(z)

        total += np.log(quad(inside, -12, 12, epsabs=0, epsrel=1e-11, limit=200)[0])
    return total


@pytest.mark.parametrize(("wins", "games"), EVENTS)
@pytest.mark.parametrize(("mu", "tau"), [(0.0, 0.0), (0.3, 0.2), (-0.5, 0.8), (1.0, 1.5)])
def test_the_exact_likelihood_is_that_of_integration(wins, games, mu, tau):
    w, n = np.array(wins), np.array(games)
    expected = plain(wins, games, mu, tau)
    assert logit_normal.log_likelihood(w, n, mu, tau) == pytest.approx(expected, abs=1e-8)
    if tau:
        [many] = logit_normal.log_likelihoods(w, n, np.array([mu]), np.array([tau]))
        assert many == pytest.approx(expected, abs=1e-8)


Z = np.linspace(-12, 12, 1201)


def summed(wins, games, mu: float, tau: float) -> float:
    """The same by a plain sum, which is as good for so smooth an integrand and much faster."""
    at = mu + tau * Z
    w, n = np.array(wins)[:, None], np.array(games)[:, None]
    inside = np.exp(w * at - n * np.logaddexp(0, at)) * scipy.stats.norm.pdf(Z)
    return float(np.log(inside.sum(axis=1) * (Z[1] - Z[0])).sum())


@pytest.mark.parametrize(("wins", "games"), EVENTS)
def test_the_exact_fit_is_where_the_plain_likelihood_is_greatest(wins, games):
    found = minimize(
        lambda at: -summed(wins, games, at[0], abs(at[1])), [0.1, 0.4], method="Nelder-Mead",
        options={"xatol": 1e-5, "fatol": 1e-9},
    )  # fmt: skip
    fitted = logit_normal.fit(wins, games)
    assert fitted.mu == pytest.approx(found.x[0], abs=2e-4)
    assert fitted.tau == pytest.approx(abs(found.x[1]), abs=2e-4)
    fall = scipy.stats.t.ppf(0.975, len(games) - 1) ** 2 / 2
    for end in (fitted.low, fitted.high):
        best = max(summed(wins, games, end, tau) for tau in np.linspace(0, 2.5, 26))
        assert best == pytest.approx(fitted.log_likelihood - fall, abs=0.02)
    statistic = 2 * (
        fitted.log_likelihood - summed(wins, games, np.log(sum(wins) / (sum(games) - sum(wins))), 0)
    )
    assert fitted.tau_p == pytest.approx(scipy.stats.chi2.sf(statistic, 1) / 2, abs=1e-6)


def test_without_spread_the_exact_form_is_the_plain_rate():
    wins, games = [50, 48, 52, 51], [100, 100, 100, 100]
    fitted = logit_normal.fit(wins, games)
    assert fitted.tau == 0
    assert expit(fitted.mu) == pytest.approx(201 / 400)
    assert fitted.tau_p == 1
    pooled = dersimonian_laird(*log_odds(wins, games))
    assert (pooled.tau2, pooled.i2) == (0, 0)
    assert pooled.effect == pytest.approx(fitted.mu, abs=1e-4)


def test_predictions_are_quantiles_of_all_means_and_spreads():
    """Against a plain sum over a much finer grid."""
    wins, games = EVENTS[1]
    w, n = np.array(wins), np.array(games)
    fitted = logit_normal.fit(wins, games)
    low, high = prediction(fitted, wins, games)
    mu, tau = (
        g.ravel() for g in np.meshgrid(np.linspace(-3.3, 3.9, 73), (np.arange(60) + 0.5) * 3.0 / 60)
    )
    level = logit_normal.log_likelihoods(w, n, mu, tau, 15)
    weights = np.exp(level - level.max())
    weights /= weights.sum()
    below = [float((weights * scipy.stats.norm.cdf(end, mu, tau)).sum()) for end in (low, high)]
    assert below == pytest.approx([0.025, 0.975], abs=0.004)


def test_the_prior_is_the_beta_binomial_of_greatest_likelihood():
    rng = np.random.default_rng(5)
    games = rng.integers(20, 300, 30)
    wins = rng.binomial(games, rng.beta(20, 22, 30))

    def minus(at):
        a, b = np.exp(at)
        return -scipy.stats.betabinom.logpmf(wins, games, a, b).sum()

    a, b = np.exp(
        minimize(minus, [2.0, 2.0], method="Nelder-Mead", options={"xatol": 1e-7, "fatol": 1e-9}).x
    )
    prior = shrinkage.fit_prior(wins, games)
    assert prior.mean == pytest.approx(a / (a + b), abs=1e-4)
    assert prior.sd == pytest.approx(scipy.stats.beta(a, b).std(), abs=1e-4)
    known = shrinkage.Prior(0.5, 0.05, np.array([0.5]), np.array([99.0]), np.array([1.0]))
    rate, low, high = shrinkage.shrink(known, [7], [10])
    after = scipy.stats.beta(49.5 + 7, 49.5 + 3)
    assert (rate[0], low[0], high[0]) == pytest.approx((after.mean(), *after.interval(0.95)))


def test_weights_of_priors_are_their_likelihoods():
    wins, games = np.array([60.0, 40, 52]), np.array([100.0, 100, 100])
    prior = shrinkage.fit_prior(wins, games)
    a = prior.concentrations * prior.means
    b = prior.concentrations - a
    level = sum(betaln(a + w, b + n - w) - betaln(a, b) for w, n in zip(wins, games, strict=True))
    expected = np.exp(level - level.max())
    assert prior.weights == pytest.approx(expected / expected.sum())


def played(rng, players=12, armies=4, games=90) -> bradley_terry.Games:
    pairs = [rng.choice(players, 2, replace=False) for _ in range(games)]
    first, second = np.array(pairs).T
    return bradley_terry.Games(
        first, second, rng.integers(0, armies, games), rng.integers(0, armies, games),
        rng.choice([0.0, 0.5, 1.0], games, p=[0.4, 0.1, 0.5]), players, armies,
    )  # fmt: skip


def dense(games: bradley_terry.Games, sd: float):
    """Strengths, their covariance and the Laplace likelihood by a general optimiser."""
    count = len(games.result)
    design = np.zeros((count, games.players + games.armies))
    for sign, people, armies in (
        (1, games.player, games.army),
        (-1, games.opponent, games.opponent_army),
    ):
        np.add.at(design, (np.arange(count), people), sign)
        np.add.at(design, (np.arange(count), games.players + armies), sign)
    tight = np.r_[np.full(games.players, sd**-2), np.full(games.armies, bradley_terry.ARMY_SD**-2)]

    def minus(at):
        odds = design @ at
        return -(games.result * odds - np.logaddexp(0, odds)).sum() + (tight * at**2).sum() / 2

    def slope(at):
        return -design.T @ (games.result - expit(design @ at)) + tight * at

    found = minimize(
        minus, np.zeros(design.shape[1]), jac=slope, method="BFGS", options={"gtol": 1e-9}
    )
    p = expit(design @ found.x)
    curve = design.T @ (design * (p * (1 - p))[:, None]) + np.diag(tight)
    level = -minus(found.x) - games.players * np.log(sd) - np.linalg.slogdet(curve)[1] / 2
    covariance = np.linalg.inv(curve)[games.players :, games.players :]
    return found.x[games.players :], covariance, level


@pytest.mark.parametrize("sd", [0.3, 1.2])
def test_strengths_are_those_of_a_general_optimiser(sd):
    games = played(np.random.default_rng(11))
    ours = bradley_terry.strengths(games, sd)
    armies, covariance, level = dense(games, sd)
    assert ours.armies == pytest.approx(armies, abs=1e-5)
    assert ours.covariance == pytest.approx(covariance, abs=1e-5)
    assert ours.level == pytest.approx(level, abs=1e-5)


def test_the_spread_of_players_is_the_likeliest():
    rng = np.random.default_rng(2)
    games = played(rng, players=20, games=400)
    skill = rng.normal(0, 1, 20)
    result = (rng.random(400) < expit(skill[games.player] - skill[games.opponent])).astype(float)
    games = bradley_terry.Games(
        games.player, games.opponent, games.army, games.opponent_army, result, 20, 4
    )
    found = bradley_terry.strengths(games)
    levels = {sd: dense(games, sd)[2] for sd in np.exp(np.linspace(np.log(0.3), np.log(2), 25))}
    assert found.player_sd == pytest.approx(max(levels, key=levels.get), rel=0.1)
    assert found.level >= max(levels.values()) - 1e-3


@pytest.mark.parametrize("spread", [0.0, 0.4])
def test_pairs_are_those_of_a_general_optimiser(spread):
    rng = np.random.default_rng(8)
    first, second = np.triu_indices(5, 1)
    n = rng.integers(1, 30, 10).astype(float)
    score = rng.binomial(n.astype(int), 0.55) - 0.5 * (n > 3)
    score = np.clip(score, 0, n)
    pairs = pair_effects.Pairs(first, second, n, score, 5)
    count = 10 if spread else 0
    design = np.zeros((10, 5 + count))
    design[np.arange(10), first], design[np.arange(10), second] = 1, -1
    if spread:
        design[:, 5:] = np.eye(10)
    tight = np.r_[np.full(5, pair_effects.STRENGTH_SD**-2), np.full(count, (spread or 1) ** -2.0)]

    def minus(at):
        odds = design @ at
        return -(score * odds - n * np.logaddexp(0, odds)).sum() + (tight * at**2).sum() / 2

    found = minimize(minus, np.zeros(5 + count), method="BFGS", options={"gtol": 1e-8})
    p = expit(design @ found.x)
    curve = design.T @ (design * (n * p * (1 - p))[:, None]) + np.diag(tight)
    fit = pair_effects.fitted(pairs, spread)
    assert fit.odds == pytest.approx(design @ found.x, abs=1e-4)
    error = np.sqrt(np.einsum("ij,jk,ik->i", design, np.linalg.inv(curve), design))
    assert fit.error == pytest.approx(error, abs=1e-4)
    level = -found.fun - np.linalg.slogdet(curve)[1] / 2 - count * np.log(spread or 1)
    assert fit.level == pytest.approx(level, abs=1e-4)


def test_change_points_against_the_g_test():
    w, n, v, m = 30.0, 50.0, 22.0, 61.0
    theirs = scipy.stats.chi2_contingency(
        [[w, n - w], [v, m - v]], correction=False, lambda_="log-likelihood"
    )
    ours = _likelihood_ratio(*(np.array([x]) for x in (w, n, v, m)))
    assert ours[0] == pytest.approx(theirs.statistic)


def test_top_finishes_against_fishers_test():
    players, tops = np.array([20.0, 30.0, 50.0]), np.array([6.0, 1.0, 5.0])
    theirs = [
        scipy.stats.fisher_exact([[x, n - x], [12 - x, 88 - n + x]])[1]
        for x, n in zip(tops, players, strict=True)
    ]
    assert _fisher(players, tops) == pytest.approx(theirs)

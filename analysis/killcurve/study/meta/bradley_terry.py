"""Strengths from pairwise games, by penalised likelihood.

The log-odds that one side beats the other are the difference of their strengths; a side's
strength is that of its army plus that of its player. Strengths of players are random, of the
normal law with mean 0: their spread is what makes the (Laplace) likelihood greatest after
players and armies are integrated out. Draws count as half a win and half a loss.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ARMY_SD = 1.0
"""How far armies' strengths are spread beforehand (log-odds): so wide that it only keeps an army
that won or lost all of few games from an infinite strength."""
MOST_SD = 2.0
STEPS = 50
CLOSE = 1e-6


@dataclass(frozen=True, slots=True)
class Games:
    """Games by the numbers of both players and both armies (from 0), and the first's result."""

    player: Ints
    opponent: Ints
    army: Ints
    opponent_army: Ints
    result: Floats
    players: int
    armies: int


@dataclass(frozen=True, slots=True)
class Strengths:
    """Armies' strengths with the covariance of their errors; ``player_sd`` of players' spread."""

    armies: Floats
    covariance: Floats
    players: Floats
    player_sd: float
    level: float


def strengths(games: Games, player_sd: float | None = None) -> Strengths:
    """Armies' strengths, with the likeliest spread of players unless one is given (0: none)."""
    if player_sd is None:
        player_sd = _likeliest_sd(games)
    return _fitted(games, player_sd)


def _likeliest_sd(games: Games) -> float:
    from scipy.optimize import minimize_scalar

    last: list[Strengths] = []

    def minus(log_sd: float) -> float:
        last[:] = [_fitted(games, float(np.exp(log_sd)), *last)]
        return -last[0].level

    found = minimize_scalar(
        minus, bounds=(np.log(0.02), np.log(MOST_SD)), method="bounded", options={"xatol": 0.02}
    )
    sd = float(np.exp(found.x))
    return 0.0 if _fitted(games, 0.0).level >= -found.fun else sd


def _fitted(games: Games, player_sd: float, near: Strengths | None = None) -> Strengths:
    """Newton's method on the penalised likelihood, with the Laplace value of the likelihood.

    ``near`` are strengths to start from.
    """
    from scipy.special import expit

    with_players = player_sd > 0
    people = _differences(games.player, games.opponent, games.players if with_players else 0)
    armies = _differences(games.army, games.opponent_army, games.armies).toarray()
    own = near.players if near else np.zeros(people.shape[1])
    army = near.armies if near else np.zeros(games.armies)
    tight = 1 / player_sd**2 if with_players else 0.0
    for _ in range(STEPS):
        odds = people @ own + armies @ army
        p = expit(odds)
        off = games.result - p
        blocks = _Blocks.of(people, armies, p * (1 - p), tight)
        step_own, step_army = blocks.solve(
            people.T @ off - tight * own, armies.T @ off - army / ARMY_SD**2
        )
        own, army = own + step_own, army + step_army
        if max(np.abs(step_own).max(initial=0), np.abs(step_army).max(initial=0)) < CLOSE:
            break
    odds = people @ own + armies @ army
    level = float((games.result * odds - np.logaddexp(0, odds)).sum())
    level -= float((own**2).sum()) * tight / 2 + float((army**2).sum()) / (2 * ARMY_SD**2)
    level += len(own) * np.log(tight) / 2 if with_players else 0.0
    level -= blocks.log_determinant() / 2
    return Strengths(army, blocks.covariance(), own, player_sd, level)


def _differences(first: Ints, second: Ints, count: int) -> Any:  # noqa: ANN401  a sparse array
    """A sparse matrix with 1 for the first and -1 for the second of each game."""
    from scipy.sparse import csr_array

    games = np.arange(len(first))
    if not count:
        return csr_array((len(first), 0))
    signs = np.concatenate([np.ones(len(first)), -np.ones(len(first))])
    places = (np.concatenate([games, games]), np.concatenate([first, second]))
    return csr_array((signs, places), shape=(len(first), count))


@dataclass(frozen=True, slots=True)
class _Blocks:
    """The curvature of the penalised likelihood: players (sparse), armies, and both.

    ``behind`` is what players owe to armies, ``armies`` the curvature in armies after players
    are integrated out.
    """

    people: Any
    behind: Floats
    armies: Floats

    @classmethod
    def of(cls, people: Any, armies: Floats, weight: Floats, tight: float) -> _Blocks:  # noqa: ANN401
        from scipy.sparse import diags_array, eye_array
        from scipy.sparse.linalg import splu

        weighted = armies * weight[:, None]
        whole = armies.T @ weighted + np.eye(armies.shape[1]) / ARMY_SD**2
        if not people.shape[1]:
            return cls(None, np.zeros((0, armies.shape[1])), whole)
        own = people.T @ diags_array(weight) @ people + tight * eye_array(people.shape[1])
        factor = splu(own.tocsc(), permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True})
        across = people.T @ weighted
        behind = factor.solve(across)
        return cls(factor, behind, whole - across.T @ behind)

    def solve(self, of_people: Floats, of_armies: Floats) -> tuple[Floats, Floats]:
        """Newton's step."""
        left = of_armies - self.behind.T @ of_people
        army = np.linalg.solve(self.armies, left).astype(np.float64)
        if self.people is None:
            return of_people, army
        return self.people.solve(of_people) - self.behind @ army, army

    def covariance(self) -> Floats:
        """The covariance of armies' strengths."""
        return np.asarray(np.linalg.inv(self.armies))

    def log_determinant(self) -> float:
        """The logarithm of the determinant of the whole."""
        armies = float(np.linalg.slogdet(self.armies)[1])
        if self.people is None:
            return armies
        return armies + float(np.log(np.abs(self.people.U.diagonal())).sum())

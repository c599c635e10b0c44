"""Factions' strengths with the skill of their players allowed for (Bradley–Terry).

Good players may prefer good armies. Where people are numbered and play several games, each has a
skill of their own, and a faction's strength is what is left. A faction whose players played
nothing else is told apart from their skill only by the assumption that players' skill is 0 on
average there too; ``switchers`` counts those that played another faction as well.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from killcurve.study.meta import samples
from killcurve.study.meta.bradley_terry import Games, Strengths, strengths
from killcurve.study.meta.intervals import LEVEL, normal_quantile
from killcurve.study.meta.multiplicity import with_adjusted

Floats = NDArray[np.float64]

NO_NUMBERS = "players have no numbers, so skill cannot be told from armies"
NO_REPEATS = "hardly any player plays a second game, so skill cannot be told from armies"
ONE_FACTION = "there is one faction only, so there is nothing to compare"

COLUMNS = pl.Schema(
    {
        "faction": pl.String(),
        "games": pl.Int64(),
        "players": pl.Int64(),
        "switchers": pl.Int64(),
        "group": pl.Int64(),
        "strength": pl.Float64(),
        "error": pl.Float64(),
        "rate": pl.Float64(),
        "low": pl.Float64(),
        "high": pl.Float64(),
        "enough": pl.Boolean(),
        "p": pl.Float64(),
        "p_holm": pl.Float64(),
        "p_bh": pl.Float64(),
    }
)


@dataclass(frozen=True, slots=True)
class Skill:
    """Factions' strengths, or ``why_not``.

    ``factions`` has the columns of :data:`COLUMNS`: ``strength`` in log-odds against the average
    opponent, ``rate`` the same as a win rate between players of equal skill, with the interval
    ``low`` to ``high``; factions of different ``group`` never met, even through others, and
    cannot be compared. ``player_sd`` is the spread of players' skill in log-odds: a player one
    ``player_sd`` better than an equal army's wins ``better_player`` of the games.
    """

    factions: pl.DataFrame
    player_sd: float | None = None
    why_not: str | None = None

    @property
    def better_player(self) -> float | None:
        """The win rate of a player one standard deviation better, with equal armies."""
        return None if self.player_sd is None else float(1 / (1 + np.exp(-self.player_sd)))


def skill_adjusted(games: pl.DataFrame, level: float = LEVEL) -> Skill:
    """Strengths of factions with players' skill allowed for; mirrors tell of players only."""
    known = games.drop_nulls(["player", "opponent"])
    if known.height < max(games.height / 2, 1):
        return Skill(pl.DataFrame(schema=COLUMNS), why_not=NO_NUMBERS)
    people = sorted({*known["player"], *known["opponent"]})
    factions = sorted({*known["faction"], *known["opponent_faction"]})
    if 2 * known.height < 1.5 * len(people):
        return Skill(pl.DataFrame(schema=COLUMNS), why_not=NO_REPEATS)
    if len(factions) < 2:
        return Skill(pl.DataFrame(schema=COLUMNS), why_not=ONE_FACTION)
    coded = coded_games(known, people, factions)
    found = strengths(coded)
    return Skill(_frame(coded, found, factions, level), found.player_sd)


def coded_games(games: pl.DataFrame, people: list[int], factions: list[str]) -> Games:
    """Games by number: of people (none if there are no ``people``) and of factions."""
    of_faction = {name: number for number, name in enumerate(factions)}
    of_person = {name: number for number, name in enumerate(people)}

    def codes(column: str, numbers: dict[str, int] | dict[int, int]) -> NDArray[np.int64]:
        return np.array([numbers[value] for value in games[column]], dtype=np.int64)

    nobody = np.zeros(games.height, dtype=np.int64)
    return Games(
        player=codes("player", of_person) if people else nobody,
        opponent=codes("opponent", of_person) if people else nobody,
        army=codes("faction", of_faction),
        opponent_army=codes("opponent_faction", of_faction),
        result=games["result"].to_numpy().astype(np.float64),
        players=len(people),
        armies=len(factions),
    )


def _frame(games: Games, found: Strengths, factions: list[str], level: float) -> pl.DataFrame:
    from scipy.special import expit, ndtr

    other = games.army != games.opponent_army
    sides = np.concatenate([games.army[other], games.opponent_army[other]])
    played = np.bincount(sides, minlength=games.armies)
    centre = np.eye(games.armies) - played / max(played.sum(), 1)
    strength = centre @ found.armies
    error = np.sqrt(np.diag(centre @ found.covariance @ centre.T))
    z = normal_quantile(level)
    enough = played >= samples.GAMES
    p = np.where(enough, 2 * ndtr(-np.abs(strength) / error), np.nan)
    players, switchers = _people(games)
    frame = pl.DataFrame(
        {
            "faction": factions,
            "games": played,
            "players": players,
            "switchers": switchers,
            "group": _groups(games),
            "strength": strength,
            "error": error,
            "rate": expit(strength),
            "low": expit(strength - z * error),
            "high": expit(strength + z * error),
            "enough": enough,
            "p": pl.Series(p, nan_to_null=True),
        }
    )
    return with_adjusted(frame).select(*COLUMNS).cast(COLUMNS).sort("faction")


def _people(games: Games) -> tuple[list[int], list[int]]:
    """How many people played each army, and how many of them another one too."""
    pairs = {*zip(games.player.tolist(), games.army.tolist(), strict=True)}
    pairs |= {*zip(games.opponent.tolist(), games.opponent_army.tolist(), strict=True)}
    armies = np.bincount([person for person, _ in pairs], minlength=games.players)
    players, switchers = [0] * games.armies, [0] * games.armies
    for person, army in pairs:
        players[army] += 1
        switchers[army] += int(armies[person] > 1)
    return players, switchers


def _groups(games: Games) -> NDArray[np.int64]:
    """Factions that met, directly or through others, have the same number (from 1)."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ones = np.ones(len(games.army))
    met = coo_array((ones, (games.army, games.opponent_army)), shape=(games.armies,) * 2)
    _, labels = connected_components(met, directed=False)
    return np.asarray(labels, dtype=np.int64) + 1

"""Invented tables of results, with names of players that cannot be mistaken for anything else."""

from __future__ import annotations

import csv
import io
import random
from pathlib import Path

HEAD = ("Date", "Event", "Round", "Player", "Faction", "Opponent", "Opponent Faction", "Result")
STRENGTHS = {
    "Orks": 1.6, "Necrons": 0.0, "Drukhari": 0.5, "Aeldari": -0.1, "Tyranids": -1.5,
    "Moon Moles": 0.0,
}  # fmt: skip
"""In log-odds; the last is no faction that anybody knows."""
PLAYER = "Zebulon Quaxmoor"
DAYS = ("2026-08-22", "2026-08-29", "2026-09-05", "2026-09-12", "2026-09-19", "2026-09-26")
EDITION = "11e"


def rows(factions: list[str], seed: int = 3, players: int = 24, rounds: int = 5) -> list[list[str]]:
    """A row a game; who beats whom is drawn with the strengths."""
    draw = random.Random(seed)
    strengths = dict(zip(factions, STRENGTHS.values(), strict=True))
    made = []
    for number, day in enumerate(DAYS):
        people = [
            (f"{PLAYER} {place + 7 * number}", factions[(place + number) % len(factions)])
            for place in range(players)
        ]
        for game in range(1, rounds + 1):
            draw.shuffle(people)
            for (one, ours), (other, theirs) in zip(people[::2], people[1::2], strict=True):
                gap = strengths[ours] - strengths[theirs]
                chance = draw.random()
                won = 1 / (1 + 2.718281828**-gap)
                result = "D" if abs(chance - won) < 0.02 else "W" if chance < won else "L"
                event = f"Open {number + 1}"
                made.append([day, event, str(game), one, ours, other, theirs, result])
    return made


def bad_rows(made: list[list[str]]) -> list[list[str]]:
    """Rows that are set aside, or the same game once more."""
    first, second = made[0], made[1]
    turned = {"W": "L", "L": "W", "D": "D"}
    day, event, game, one, ours, other, theirs, result = second
    wrong = {"W": "L", "L": "D", "D": "W"}[result]
    return [
        [*first[:3], *first[5:7], *first[3:5], turned[first[7]]],  # the other side of the first
        [day, event, game, other, theirs, one, ours, turned[wrong]],  # contradicts the second
        ["2026-08-22", "Open 1", "6", f"{PLAYER} 900", "Orks", "", "", "W"],  # a bye
        ["2026-08-22", "Open 1", "6", f"{PLAYER} 901", "Orks", f"{PLAYER} 902", "Necrons", "?"],
    ]


def few(faction: str) -> list[list[str]]:
    """A faction that won all its games, which are too few to say anything."""
    return [
        [
            "2026-09-26",
            "Open 6",
            str(game),
            f"{PLAYER} 800",
            faction,
            f"{PLAYER} {n}",
            "Drukhari",
            "W",
        ]
        for game, n in enumerate((801, 802, 803), start=1)
    ]


def write(path: Path, made: list[list[str]], head: tuple[str, ...] = HEAD) -> Path:
    """A table as CSV."""
    out = io.StringIO()
    csv.writer(out).writerows([head, *made])
    path.write_text(out.getvalue(), encoding="utf-8")
    return path

"""How much is enough: below these numbers a row is shown, but flagged and not tested."""

from __future__ import annotations

from collections.abc import Mapping

GAMES = 30
"""Games against other factions, for a win rate."""
GAMES_OF_PAIR = 10
"""Games of two factions against each other, for a match-up."""
GAMES_OF_WINDOW = 20
"""Games on either side of a date, for a change."""
PLAYERS = 20
"""Players at events, for a share of undefeated starts."""
EVENTS = 3
"""Events, for pooling: two tell no spread."""

RULES: Mapping[str, str] = {
    "win rate": f"at least {GAMES} games that are no mirrors",
    "match-up": f"at least {GAMES_OF_PAIR} games of the two factions",
    "change": f"at least {GAMES_OF_WINDOW} games before and after the date",
    "top finishes": f"at least {PLAYERS} players at events that are long enough",
    "pooling": f"at least {EVENTS} events with a game that is no mirror",
}
"""The rules in words; the column ``enough`` says whether a row keeps its rule."""

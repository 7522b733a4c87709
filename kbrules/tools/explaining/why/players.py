"""Players as people call them: by the letter on the board, by colour, by the number of the seat."""

from __future__ import annotations

from kbrules.engine.logs.writing import player_name

COLOURS = ("red", "blue", "white", "black", "orange", "purple")
"""The colours in which players are painted, in the order of their letters."""


def parse_player(word: str, players: int) -> int | None:
    """The seat that a word names among so many players; None if it names none."""
    for player in range(players):
        if word in (player_name(player), str(player + 1), COLOURS[player % len(COLOURS)]):
            return player
    return None


def player_text(player: int) -> str:
    """A player's letter and colour."""
    colour = COLOURS[player] if player < len(COLOURS) else ""
    return f"{player_name(player)} ({colour})" if colour else player_name(player)

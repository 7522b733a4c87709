"""Whose turn it is: turns go round the table, and the start player stays or passes on."""

from __future__ import annotations

MAX_FURTHER = 20
"""So many further turns a player may take in a row."""


def player_of(turn: int, players: int, passes: bool) -> int:
    """The player of a turn, counted from 0 through all rounds.

    passes: whether each round begins with the player after the one who began the last.
    """
    first = turn // players if passes else 0
    return (turn + first) % players


def place_in_round(player: int, turn: int, players: int, passes: bool) -> int:
    """How many take their turn before a player in the round of a turn."""
    first = turn // players if passes else 0
    return (player - first) % players

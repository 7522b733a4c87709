"""What our figures are held against: two ordinary packages that play games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

from kbrules.tools.measuring.bench.timing import Work

CHESS, PERFT = "python-chess moves", "python-chess perft"
HEX_MOVES, HEX = "OpenSpiel moves", "OpenSpiel games"
MISSING = "not measured: pip install 'kbrules[bench]'"
HEX_GAME = "hex(board_size=11)"
SIMULATIONS = 200
_ROLLOUTS = 4000
_LONGEST = 400  # plies of a game of chess that is left then


class Missing(Exception):
    """A peer that cannot be had here; it says why."""


def peers() -> dict[str, Work]:
    """The loops of those that are installed, by what they count."""
    return dict(_peers())


def _peers() -> Iterator[tuple[str, Work]]:
    if find_spec("chess"):
        yield CHESS, chess_moves
        yield PERFT, chess_nodes
    if find_spec("pyspiel"):
        yield HEX, hex_games
        yield HEX_MOVES, hex_moves


def chess_moves() -> int:
    """Random games of chess; the moves made. No legal move is the end, as it is quickest asked."""
    import chess

    chance, made = random.Random(1), 0
    for _ in range(10):
        board = chess.Board()
        for _ in range(_LONGEST):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(chance.choice(moves))
            made += 1
    return made


def chess_nodes() -> int:
    """The positions three moves ahead of the first one; the last moves are only counted."""
    import chess

    def ahead(board: chess.Board, depth: int) -> int:
        if depth == 1:
            return board.legal_moves.count()
        found = 0
        for move in board.legal_moves:
            board.push(move)
            found += ahead(board, depth - 1)
            board.pop()
        return found

    return ahead(chess.Board(), 3)


def hex_games() -> int:
    """Random games of Hex on 11 x 11, played by a program in C++ that is asked from Python."""
    return _hex(600)[0]


def hex_moves() -> int:
    """The same, and the moves made."""
    return _hex(600)[1]


def _hex(games: int) -> tuple[int, int]:
    import pyspiel

    game, chance, made = pyspiel.load_game(HEX_GAME), random.Random(1), 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
            made += 1
    return games, made


def hex_rollouts() -> int:
    """The same games, played by nothing but C++: what its tree search finds out about a position.

    A search of one simulation asks for that of the first position only, in so many games from it.
    """
    import pyspiel

    _search(_ROLLOUTS, 1).mcts_search(pyspiel.load_game(HEX_GAME).new_initial_state())
    return _ROLLOUTS


def hex_searched() -> int:
    """A game of Hex in which its tree search decides, in C++; the decisions made."""
    import pyspiel

    state, bot, made = pyspiel.load_game(HEX_GAME).new_initial_state(), _search(1, SIMULATIONS), 0
    while not state.is_terminal():
        state.apply_action(bot.step(state))
        made += 1
    return made


def _search(games: int, simulations: int) -> Any:
    """A player who searches with so many games for each position that it looks at."""
    import pyspiel

    chance = pyspiel.RandomRolloutEvaluator(games, 1)
    return pyspiel.MCTSBot(
        pyspiel.load_game(HEX_GAME), chance, 2.0, simulations, 100, False, 1, False
    )

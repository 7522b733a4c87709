"""What our figures are held against: packages that play chess and Hex."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

from kbrules.tools.measuring.bench.timing import Workload

CHESS, PERFT = "python-chess moves", "python-chess perft"
HEX_MOVES, HEX = "OpenSpiel moves", "OpenSpiel games"
MISSING = "not measured: pip install 'kbrules[bench]'"
HEX_GAME = "hex(board_size=11)"
SIMULATIONS = 200
_ROLLOUTS = 4000
_LONGEST = 400  # plies of a game of chess that is left then


class MissingPeer(Exception):
    """A peer that cannot be had here; it says why."""


def peers() -> dict[str, Workload]:
    """The loops of those that are installed, by what they count."""
    return dict(_peers())


def _peers() -> Iterator[tuple[str, Workload]]:
    if find_spec("chess"):
        yield CHESS, chess_moves
        yield PERFT, chess_nodes
    if find_spec("pyspiel"):
        yield HEX, hex_games
        yield HEX_MOVES, hex_moves


def chess_moves() -> int:
    """Random games of chess; the moves made. No legal move is the end, as it is quickest asked."""
    import chess

    chance, count = random.Random(1), 0
    for _ in range(10):
        board = chess.Board()
        for _ in range(_LONGEST):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(chance.choice(moves))
            count += 1
    return count


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

    game, chance, count = pyspiel.load_game(HEX_GAME), random.Random(1), 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
            count += 1
    return games, count


def hex_rollouts() -> int:
    """The same games, played by nothing but C++: what its tree search finds out about a position.

    A search of one simulation asks for that of the first position only, in so many games from it.
    """
    import pyspiel

    _search_bot(_ROLLOUTS, 1).mcts_search(pyspiel.load_game(HEX_GAME).new_initial_state())
    return _ROLLOUTS


def hex_search_decisions() -> int:
    """A game of Hex in which its tree search decides, in C++; the decisions made."""
    import pyspiel

    state, bot = pyspiel.load_game(HEX_GAME).new_initial_state(), _search_bot(1, SIMULATIONS)
    decisions = 0
    while not state.is_terminal():
        state.apply_action(bot.step(state))
        decisions += 1
    return decisions


def _search_bot(games: int, simulations: int) -> Any:
    """A player who searches with so many games for each position that it looks at."""
    import pyspiel

    chance = pyspiel.RandomRolloutEvaluator(games, 1)
    return pyspiel.MCTSBot(
        pyspiel.load_game(HEX_GAME), chance, 2.0, simulations, 100, False, 1, False
    )


# Pgx, which plays many games side by side on one core, as one program compiled by JAX

SIDE_BY_SIDE = 1024
"""More do not make it any faster."""
ONE_CORE = {
    "JAX_PLATFORMS": "cpu",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}
SampleMoves = Callable[[Any, Any], Any]
"""Draws a move for each game, of a key and of what is legal in each."""


def sample_as_documented(key: Any, legal: Any) -> Any:
    """The way of its documentation: a random number for each move, and the best of them."""
    from pgx.experimental import act_randomly

    return act_randomly(key, legal)


def sample_quickly(key: Any, legal: Any) -> Any:
    """The same by one random number for each game."""
    import jax

    so_far = legal.cumsum(axis=-1)
    place = (jax.random.uniform(key, legal.shape[:1]) * so_far[:, -1]).astype(int)
    return (so_far > place[:, None]).argmax(axis=-1)


def compiled_hex_games(draw: SampleMoves) -> Workload:
    """Whole random games; MissingPeer without the extra `bench-jax`."""
    if not find_spec("pgx"):
        raise MissingPeer("pip install 'kbrules[bench-jax]'")
    os.environ.update(ONE_CORE)  # it is read when jax is first imported
    import jax

    play, keys = jax.jit(_whole_games(draw)), iter(range(1, 1 << 30))

    def work() -> int:
        return int(play(jax.random.PRNGKey(next(keys))))

    return work


def _whole_games(draw: SampleMoves) -> Callable[[Any], Any]:
    """What JAX is to compile: games until all are over; how many that are."""
    import jax
    import pgx

    env = pgx.make("hex")

    def step(now: tuple[Any, Any]) -> tuple[Any, Any]:
        states, key = now
        key, chance = jax.random.split(key)
        return jax.vmap(env.step)(states, draw(chance, states.legal_action_mask)), key

    def games(key: Any) -> Any:
        begun = jax.vmap(env.init)(jax.random.split(key, SIDE_BY_SIDE)), key
        states, _ = jax.lax.while_loop(lambda now: ~now[0].terminated.all(), step, begun)
        return states.terminated.sum()

    return games

"""The programs our speed is compared with: chess, Hex by OpenSpiel and Pgx, and our game in C.

Each is measured where it is installed; the report says why another one is missing.
"""

from __future__ import annotations

import os
import random
import struct
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from benchmarks.games import (
    BASE,
    boxes,
    decisions_of_bot,
    games_of,
    hex_table,
    playouts,
    raw_playouts,
)
from benchmarks.measurement import NO_KERNEL, Absent, Goal, Rates, Row, Workload, measure_in_turns
from kbrules.engine.configuration import NATIVE, PYTHON
from kbrules.engine.game import Game
from kbrules.tools.bots import native_bot_named

CHESS, PERFT = "python-chess moves", "python-chess perft"
HEX_MOVES, HEX_GAMES = "OpenSpiel moves", "OpenSpiel games"
MISSING = "not measured: pip install 'kbrules[bench]'"
OPENSPIEL_HEX = "hex(board_size=11)"
SIMULATIONS = 200
_ROLLOUTS = 4000
_LONGEST = 400  # plies of a game of chess that is left then


class MissingPeer(Exception):
    """A peer that is not available here, and why."""


def installed_peers() -> dict[str, Workload]:
    """Return the loops of the peers that are installed, by what they count."""
    return dict(_installed())


def _installed() -> Iterator[tuple[str, Workload]]:
    if find_spec("chess"):
        yield CHESS, chess_moves
        yield PERFT, chess_nodes
    if find_spec("pyspiel"):
        yield HEX_GAMES, hex_games
        yield HEX_MOVES, hex_moves


def chess_moves() -> int:
    """Play random games of chess until there is no legal move; return the moves made."""
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
    """Count the positions three moves ahead of the first one, the last moves unplayed."""
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
    """Play random games of Hex on 11 x 11 by a program in C++, called from Python."""
    return _play_hex(600)[0]


def hex_moves() -> int:
    """Play the same games; return the moves made."""
    return _play_hex(600)[1]


def _play_hex(games: int) -> tuple[int, int]:
    import pyspiel

    game, chance, count = pyspiel.load_game(OPENSPIEL_HEX), random.Random(1), 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
            count += 1
    return games, count


def hex_rollouts() -> int:
    """Play the same games in C++ alone: the rollouts by which its search rates a position.

    A search of one simulation rates only the first position, by that many games from it.
    """
    import pyspiel

    _search_bot(_ROLLOUTS, 1).mcts_search(pyspiel.load_game(OPENSPIEL_HEX).new_initial_state())
    return _ROLLOUTS


def hex_search_decisions() -> int:
    """Play a game of Hex by its tree search, in C++; return the decisions made."""
    import pyspiel

    state, bot = pyspiel.load_game(OPENSPIEL_HEX).new_initial_state(), _search_bot(1, SIMULATIONS)
    decisions = 0
    while not state.is_terminal():
        state.apply_action(bot.step(state))
        decisions += 1
    return decisions


def _search_bot(games: int, simulations: int) -> Any:
    """Return a player who searches, with so many games for each position it examines."""
    import pyspiel

    chance = pyspiel.RandomRolloutEvaluator(games, 1)
    return pyspiel.MCTSBot(
        pyspiel.load_game(OPENSPIEL_HEX), chance, 2.0, simulations, 100, False, 1, False
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
    """Draw as Pgx documents it: a random number for each move, the highest wins."""
    from pgx.experimental import act_randomly

    return act_randomly(key, legal)


def sample_quickly(key: Any, legal: Any) -> Any:
    """Draw by one random number for each game."""
    import jax

    so_far = legal.cumsum(axis=-1)
    place = (jax.random.uniform(key, legal.shape[:1]) * so_far[:, -1]).astype(int)
    return (so_far > place[:, None]).argmax(axis=-1)


def compiled_hex_games(draw: SampleMoves) -> Workload:
    """Return a workload of whole random games; raise MissingPeer without the extra `bench-jax`."""
    if not find_spec("pgx"):
        raise MissingPeer("pip install 'kbrules[bench-jax]'")
    os.environ.update(ONE_CORE)  # it is read when jax is first imported
    import jax

    play, keys = jax.jit(_whole_games(draw)), iter(range(1, 1 << 30))

    def work() -> int:
        return int(play(jax.random.PRNGKey(next(keys))))

    return work


def _whole_games(draw: SampleMoves) -> Callable[[Any], Any]:
    """Return what JAX compiles: play until all games are over, and count them."""
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


# The game of the base box in C, written by hand, compiled where there is a compiler

SOURCE = Path("tests/peers/limit.c")
"""The program, which only a checkout has."""
COMPILERS = "gcc", "cc"
FLAGS = "-O3", "-march=native"
BYTES = 64
"""Size of a set of hexes; everything in the file begins at a multiple of it."""
KINDS, PLACES = 8, 8
"""Kinds of hexes and places that the program knows; the kinds after them are places."""


class ProgramResult(NamedTuple):
    """What the program prints."""

    games: int
    decisions: int
    gold: int


class Program(NamedTuple):
    """The program and the file of its tables."""

    program: Path
    tables: Path

    def play(self, games_per_table: int) -> ProgramResult:
        """Play random games on each table, in a separate process."""
        command = [str(self.program.absolute()), str(self.tables.absolute()), str(games_per_table)]
        output = subprocess.run(command, capture_output=True, check=True, text=True).stdout
        return ProgramResult(*map(int, output.split()))


def compile_program(games: Sequence[Game], folder: Path, flags: Sequence[str] = FLAGS) -> Program:
    """Compile the program into a folder and write its tables; raise MissingPeer if that fails."""
    compiler = next(filter(None, map(which, COMPILERS)), None)
    if not SOURCE.is_file():
        raise MissingPeer("only a checkout has the program")
    if compiler is None:
        raise MissingPeer("there is no C compiler")
    program = Program(folder / SOURCE.stem, folder / "tables")
    command = [compiler, *flags, str(SOURCE), "-o", str(program.program)]
    environment = {**os.environ, "LC_ALL": "C"}
    process = subprocess.run(command, capture_output=True, check=False, env=environment, text=True)
    if process.returncode:
        raise MissingPeer(_first_error(process.stderr))
    program.tables.write_bytes(b"".join(map(table_bytes, games)))
    return program


def _first_error(output: str) -> str:
    errors = (line.partition("error: ")[2] for line in output.splitlines())
    return next(filter(None, errors), "the compiler failed").removeprefix("#error ")


def table_bytes(game: Game) -> bytes:
    """Return a table as the program reads it: sets of hexes, places with their tiles, cards."""
    board, grid = game.board, game.board.grid
    cards = list(game.ruleset.catalog.cards)
    sets = grid.full, *board.kinds[:KINDS], grid.edge(), *board.sectors, *grid.rows()
    places = [(place, board.tiles[place]) for place in board.places]
    free = [(-1, -1)] * (PLACES - len(places))
    numbers = len(places), *chain(*places, *free), *map(cards.index, game.cards)
    packed = struct.pack(f"<{len(numbers)}i", *numbers)
    return b"".join(mask.to_bytes(BYTES, "little") for mask in sets) + _padded(packed)


def _padded(packed: bytes) -> bytes:
    return packed + bytes(-len(packed) % BYTES)


# Our figures compared with all of them

RAW, PYTHON_KERNEL, OUR_HEX, DECIDED = "raw", "python", "hex", "decisions_of_bot"
IN_C, JAVA, SEARCH = "program in C", "engine in Java", "OpenSpiel MCTSBot in C++"
ROLLOUTS, PGX, PGX_QUICK = "OpenSpiel rollouts in C++", "Pgx on the CPU", "Pgx, moves drawn quickly"
C_TO_JAVA = 166_900 / 1_066
"""Speed of the program in C over the fastest engine in another language, measured once."""


class PeerRow(NamedTuple):
    """A figure, its workload and the peer to compare with. scale: a factor of the ratio."""

    what: str
    name: str
    peer: str
    goal: Goal | None
    peer_text: str = ""
    scale: float = 1.0


FIGURES = (
    PeerRow("playouts, base game, bare native kernel", RAW, IN_C, Goal(0.4, 0.9)),
    PeerRow("playouts, base game, in Python; Java as computed from C", PYTHON_KERNEL, IN_C,
           Goal(0.5, 1.5), JAVA, C_TO_JAVA),
    PeerRow("playouts, Hex 11 x 11, bare native kernel", OUR_HEX, ROLLOUTS, Goal(5.9, 10)),
    PeerRow("playouts, Hex 11 x 11, bare native kernel", OUR_HEX, PGX, Goal(45, 80)),
    PeerRow("playouts, Hex 11 x 11, bare native kernel", OUR_HEX, PGX_QUICK, None),
    PeerRow(f"decisions by `mc:{SIMULATIONS}`, base game, native", DECIDED, SEARCH, Goal(5.7, 30)),
)  # fmt: skip


def rows() -> Iterator[Row | Absent]:
    """Yield each figure, or why it cannot be measured."""
    if not find_spec("numba"):
        yield from (Absent(figure.what, NO_KERNEL) for figure in FIGURES)
        return
    with TemporaryDirectory() as folder:
        workloads, absent = available_workloads(_optional_workloads(Path(folder)))
        rates = measure_in_turns(_workloads() | workloads)
    yield from (figure_row(figure, rates, absent) for figure in FIGURES)


def _workloads() -> dict[str, Workload]:
    base, few = _base(), games_of(boxes(*BASE), 2, 3, NATIVE)
    bot = native_bot_named(f"mc:{SIMULATIONS}")
    return {
        RAW: lambda: sum(raw_playouts(game, 2000) for game in base),
        PYTHON_KERNEL: lambda: playouts(base, 10).games,
        DECIDED: lambda: decisions_of_bot(few, bot),
    }


def _base() -> list[Game]:
    return games_of(boxes(*BASE), 2, engine=PYTHON)


MakeWorkload = Callable[[], Workload]
"""Makes a workload; raises MissingPeer if it is not available here."""


def _optional_workloads(folder: Path) -> dict[str, MakeWorkload]:
    """Return what is not available everywhere, by name; the program in C goes into a folder."""
    return {
        IN_C: lambda: _in_c(compile_program(_base(), folder)),
        OUR_HEX: _our_hex,
        ROLLOUTS: lambda: _spiel(hex_rollouts),
        PGX: lambda: compiled_hex_games(sample_as_documented),
        PGX_QUICK: lambda: compiled_hex_games(sample_quickly),
        SEARCH: lambda: _spiel(hex_search_decisions),
    }


def available_workloads(
    makers: Mapping[str, MakeWorkload],
) -> tuple[dict[str, Workload], dict[str, str]]:
    """Return the available workloads, and why the others are missing."""
    workloads: dict[str, Workload] = {}
    absent: dict[str, str] = {}
    for name, make in makers.items():
        try:
            workloads[name] = make()
        except MissingPeer as error:
            absent[name] = f"not measured: {error}"
    return workloads, absent


def figure_row(figure: PeerRow, rates: Rates, absent: Mapping[str, str]) -> Row | Absent:
    """Return a figure as a row; absent if one of its workloads is."""
    for name in (figure.name, figure.peer):
        if name in absent:
            return Absent(figure.what, absent[name])
    ratio = rates.ratio(figure.name, figure.peer) * figure.scale
    of = figure.peer_text or figure.peer
    return Row(figure.what, rates.rate(figure.name), "per s", figure.goal, ratio, of)


def _in_c(program: Program) -> Workload:
    return lambda: program.play(3000).games


def _our_hex() -> Workload:
    table = hex_table()
    if table is None:
        raise MissingPeer("only a checkout has this game")
    return lambda: raw_playouts(table, 16000)


def _spiel(work: Workload) -> Workload:
    if not find_spec("pyspiel"):
        raise MissingPeer("pip install 'kbrules[bench]'")
    return work

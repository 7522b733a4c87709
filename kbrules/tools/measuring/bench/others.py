"""Beside programs in other languages: whole games, and decisions by games played on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from kbrules.engine.game import Game
from kbrules.engine.simulation.kernels import NATIVE, PYTHON
from kbrules.tools.measuring.bench import in_jax, loops, peers
from kbrules.tools.measuring.bench.in_c import Program, compiled
from kbrules.tools.measuring.bench.peers import SIMULATIONS, Missing
from kbrules.tools.measuring.bench.rows import NO_KERNEL, Absent, Goal, Row
from kbrules.tools.measuring.bench.tables import BASE, boxes, games_of, hex_table
from kbrules.tools.measuring.bench.timing import Rates, Work, in_turns
from kbrules.tools.playing.bots import native_bot_named

RAW, PYTHON_KERNEL, HEX, DECIDED = "raw", "python", "hex", "decided"
IN_C, JAVA, SEARCH = "program in C", "engine in Java", "OpenSpiel MCTSBot in C++"
ROLLOUTS, PGX, PGX_QUICK = "OpenSpiel rollouts in C++", "Pgx on the CPU", "Pgx, moves drawn quickly"
C_TO_JAVA = 166_900 / 1_066
"""The program in C to the fastest engine in another language, measured once, side by side."""


class Figure(NamedTuple):
    """What is measured, by which work, beside which peer. scale: what the ratio is to be times."""

    what: str
    name: str
    peer: str
    goal: Goal | None
    said: str = ""
    scale: float = 1.0


FIGURES = (
    Figure("playouts, base game, bare native kernel", RAW, IN_C, Goal(0.4, 0.9)),
    Figure("playouts, base game, in Python; Java as computed from C", PYTHON_KERNEL, IN_C,
           Goal(0.5, 1.5), JAVA, C_TO_JAVA),
    Figure("playouts, Hex 11 x 11, bare native kernel", HEX, ROLLOUTS, Goal(5.9, 10)),
    Figure("playouts, Hex 11 x 11, bare native kernel", HEX, PGX, Goal(45, 80)),
    Figure("playouts, Hex 11 x 11, bare native kernel", HEX, PGX_QUICK, None),
    Figure(f"decisions by `mc:{SIMULATIONS}`, base game, native", DECIDED, SEARCH, Goal(5.7, 30)),
)  # fmt: skip


def rows() -> Iterator[Row | Absent]:
    """Each figure, or why it cannot be taken."""
    if not find_spec("numba"):
        yield from (Absent(figure.what, NO_KERNEL) for figure in FIGURES)
        return
    with TemporaryDirectory() as folder:
        works, absent = taken(_makers(Path(folder)))
        rates = in_turns(_works() | works)
    yield from (row_of(figure, rates, absent) for figure in FIGURES)


def _works() -> dict[str, Work]:
    base, few = _base(), games_of(boxes(*BASE), 2, 3, NATIVE)
    bot = native_bot_named(f"mc:{SIMULATIONS}")
    return {
        RAW: lambda: sum(loops.raw_playouts(game, 2000) for game in base),
        PYTHON_KERNEL: lambda: loops.playouts(base, 10).games,
        DECIDED: lambda: loops.decided(few, bot),
    }


def _base() -> list[Game]:
    return games_of(boxes(*BASE), 2, engine=PYTHON)


Make = Callable[[], Work]
"""Makes a work; Missing if it cannot be had here."""


def _makers(folder: Path) -> dict[str, Make]:
    """What is not everywhere, by name; the program in C goes into a folder."""
    return {
        IN_C: lambda: _in_c(compiled(_base(), folder)),
        HEX: _hex,
        ROLLOUTS: lambda: _spiel(peers.hex_rollouts),
        PGX: lambda: in_jax.hex_games(in_jax.drawn_as_told),
        PGX_QUICK: lambda: in_jax.hex_games(in_jax.drawn_quickly),
        SEARCH: lambda: _spiel(peers.hex_searched),
    }


def taken(makers: Mapping[str, Make]) -> tuple[dict[str, Work], dict[str, str]]:
    """The works that can be had, and why the others cannot."""
    works: dict[str, Work] = {}
    absent: dict[str, str] = {}
    for name, make in makers.items():
        try:
            works[name] = make()
        except Missing as error:
            absent[name] = f"not measured: {error}"
    return works, absent


def row_of(figure: Figure, rates: Rates, absent: Mapping[str, str]) -> Row | Absent:
    """A figure as a row; absent if one of its works is."""
    for name in (figure.name, figure.peer):
        if name in absent:
            return Absent(figure.what, absent[name])
    ratio = rates.ratio(figure.name, figure.peer) * figure.scale
    of = figure.said or figure.peer
    return Row(figure.what, rates.rate(figure.name), "per s", figure.goal, ratio, of)


def _in_c(program: Program) -> Work:
    return lambda: program.play(3000).games


def _hex() -> Work:
    table = hex_table()
    if table is None:
        raise Missing("only a checkout has this game")
    return lambda: loops.raw_playouts(table, 16000)


def _spiel(work: Work) -> Work:
    if not find_spec("pyspiel"):
        raise Missing("pip install 'kbrules[bench]'")
    return work

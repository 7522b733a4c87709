"""Beside programs in other languages: whole games, and decisions by games played on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from kbrules.engine.game import Game
from kbrules.engine.simulation.kernels import NATIVE, PYTHON
from kbrules.tools.measuring.bench import loops, peers
from kbrules.tools.measuring.bench.peer_in_c import Program, compile_program
from kbrules.tools.measuring.bench.peers import SIMULATIONS, MissingPeer
from kbrules.tools.measuring.bench.rows import NO_KERNEL, Absent, Goal, Row
from kbrules.tools.measuring.bench.tables import BASE, boxes, games_of, hex_table
from kbrules.tools.measuring.bench.timing import Rates, Workload, measure_in_turns
from kbrules.tools.playing.bots import native_bot_named

RAW, PYTHON_KERNEL, HEX, DECIDED = "raw", "python", "hex", "decisions_of_bot"
IN_C, JAVA, SEARCH = "program in C", "engine in Java", "OpenSpiel MCTSBot in C++"
ROLLOUTS, PGX, PGX_QUICK = "OpenSpiel rollouts in C++", "Pgx on the CPU", "Pgx, moves drawn quickly"
C_TO_JAVA = 166_900 / 1_066
"""The program in C to the fastest engine in another language, measured once, side by side."""


class PeerRow(NamedTuple):
    """What is measured, by which workload, beside which peer. scale: a factor of the ratio."""

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
    PeerRow("playouts, Hex 11 x 11, bare native kernel", HEX, ROLLOUTS, Goal(5.9, 10)),
    PeerRow("playouts, Hex 11 x 11, bare native kernel", HEX, PGX, Goal(45, 80)),
    PeerRow("playouts, Hex 11 x 11, bare native kernel", HEX, PGX_QUICK, None),
    PeerRow(f"decisions by `mc:{SIMULATIONS}`, base game, native", DECIDED, SEARCH, Goal(5.7, 30)),
)  # fmt: skip


def rows() -> Iterator[Row | Absent]:
    """Each figure, or why it cannot be taken."""
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
        RAW: lambda: sum(loops.raw_playouts(game, 2000) for game in base),
        PYTHON_KERNEL: lambda: loops.playouts(base, 10).games,
        DECIDED: lambda: loops.decisions_of_bot(few, bot),
    }


def _base() -> list[Game]:
    return games_of(boxes(*BASE), 2, engine=PYTHON)


MakeWorkload = Callable[[], Workload]
"""Makes a workload; MissingPeer if it cannot be had here."""


def _optional_workloads(folder: Path) -> dict[str, MakeWorkload]:
    """What is not everywhere, by name; the program in C goes into a folder."""
    return {
        IN_C: lambda: _in_c(compile_program(_base(), folder)),
        HEX: _hex,
        ROLLOUTS: lambda: _spiel(peers.hex_rollouts),
        PGX: lambda: peers.compiled_hex_games(peers.sample_as_documented),
        PGX_QUICK: lambda: peers.compiled_hex_games(peers.sample_quickly),
        SEARCH: lambda: _spiel(peers.hex_search_decisions),
    }


def available_workloads(
    makers: Mapping[str, MakeWorkload],
) -> tuple[dict[str, Workload], dict[str, str]]:
    """The workloads that can be had, and why the others cannot."""
    workloads: dict[str, Workload] = {}
    absent: dict[str, str] = {}
    for name, make in makers.items():
        try:
            workloads[name] = make()
        except MissingPeer as error:
            absent[name] = f"not measured: {error}"
    return workloads, absent


def figure_row(figure: PeerRow, rates: Rates, absent: Mapping[str, str]) -> Row | Absent:
    """A figure as a row; absent if one of its workloads is."""
    for name in (figure.name, figure.peer):
        if name in absent:
            return Absent(figure.what, absent[name])
    ratio = rates.ratio(figure.name, figure.peer) * figure.scale
    of = figure.peer_text or figure.peer
    return Row(figure.what, rates.rate(figure.name), "per s", figure.goal, ratio, of)


def _in_c(program: Program) -> Workload:
    return lambda: program.play(3000).games


def _hex() -> Workload:
    table = hex_table()
    if table is None:
        raise MissingPeer("only a checkout has this game")
    return lambda: loops.raw_playouts(table, 16000)


def _spiel(work: Workload) -> Workload:
    if not find_spec("pyspiel"):
        raise MissingPeer("pip install 'kbrules[bench]'")
    return work

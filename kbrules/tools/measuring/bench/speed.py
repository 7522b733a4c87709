"""The rates: whole games in turns with the peers, and what they come to as ratios."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from importlib.util import find_spec

from kbrules.engine.simulation.kernels import NATIVE, PYTHON
from kbrules.engine.simulation.playthrough import Playthrough
from kbrules.tools.measuring.bench import loops
from kbrules.tools.measuring.bench.peers import CHESS, HEX, HEX_MOVES, MISSING, PERFT, peers
from kbrules.tools.measuring.bench.rows import NO_KERNEL, Absent, Goal, Row
from kbrules.tools.measuring.bench.tables import BASE, boxes, games_of, hex_table, simulate_tables
from kbrules.tools.measuring.bench.timing import Rates, Work, in_turns

STATES, ALL_STATES, WALKED, TOLD, TWIN = "states", "all boxes", "walked", "told", "as walked"
NATIVE_STATES, COPIED = "native states", "copied"
PLAYOUTS, ALL_PLAYOUTS, HEX_PLAYOUTS = "playouts", "playouts, all boxes", "playouts, hex"
NATIVE_ALL, HEX_NATIVE = "native, all boxes", "native, hex"
RAW, ASKED, BATCH, NODES, SAVED = "raw", "asked", "batch", "nodes", "saved"
SIMULATED = "simulated"
GAMES = 500


def rows() -> Iterator[Row | Absent]:
    """Decisions and games per second, held against the peers and against each other."""
    rates = in_turns(_works())
    yield from _by_states(rates)
    yield from _in_python(rates)
    yield from _natively(rates)


def _works() -> dict[str, Work]:
    base = games_of(boxes(*BASE), 2, engine=PYTHON)
    few, walked = base[:8], games_of(boxes(*BASE), 2, 8)
    every, stones = games_of(boxes(), 2, engine=PYTHON), hex_table()
    works: dict[str, Work] = {
        **peers(),
        STATES: lambda: loops.by_steps(base, 4).decisions,
        ALL_STATES: lambda: loops.by_steps(every, 1).decisions,
        TWIN: lambda: loops.by_steps(few, 2).games,
        WALKED: lambda: loops.by_steps(walked, 2).games,
        TOLD: lambda: loops.by_steps_told(walked, 2).games,
        PLAYOUTS: lambda: loops.playouts(base, 10).games,
        ALL_PLAYOUTS: lambda: loops.playouts(every, 1).games,
    }
    if stones is not None:
        works[HEX_PLAYOUTS] = lambda: loops.playouts([stones], 40).games
    if find_spec("numba"):
        tables = simulate_tables(*BASE)
        native = games_of(boxes(*BASE), 2, engine=NATIVE)
        works |= {
            NATIVE_STATES: lambda: loops.by_steps(native, 4).decisions,
            NATIVE: lambda: loops.playouts(base, GAMES, NATIVE).games,
            NATIVE_ALL: lambda: loops.playouts(every, 50, NATIVE).games,
            RAW: lambda: sum(loops.raw_playouts(game, GAMES) for game in base),
            SIMULATED: lambda: loops.simulated(tables, 4000),
            ASKED: lambda: loops.in_place(base, 20, NATIVE).decisions,
            BATCH: lambda: loops.batched(base[0], 1000).decisions,
            NODES: lambda: loops.perft(base[0], 4),
            SAVED: lambda: _saved(base[0].playthrough(1, NATIVE)),
            COPIED: lambda: _copied(base[0].playthrough(1, NATIVE)),
        }
        if stones is not None:
            works[HEX_NATIVE] = lambda: loops.playouts([stones], 8000, NATIVE).games
    return works


def _saved(play: Playthrough) -> int:
    """A game saved and restored so often."""
    for _ in range(2000):
        play.restore(play.save())
    return 2000


def _copied(play: Playthrough) -> int:
    """A game copied so often."""
    for _ in range(2000):
        copy(play)
    return 2000


def _by_states(rates: Rates) -> Iterator[Row | Absent]:
    what = "decisions, base game, by states, kernel in Python"
    yield _beside(rates, STATES, CHESS, Row(what, rates.rate(STATES), "per s", Goal(1.9, 4)))
    if NATIVE_STATES in rates.of:
        row = Row("the same by the native kernel", rates.rate(NATIVE_STATES), "per s", Goal(1.9, 4))
        yield _beside(rates, NATIVE_STATES, CHESS, row)
    what, ratio = "the same with all boxes on", rates.ratio(ALL_STATES, STATES)
    yield Row(what, rates.rate(ALL_STATES), "per s", None, ratio, "base game")
    ratio, told = rates.ratio(TWIN, WALKED), rates.ratio(TOLD, WALKED)
    what = "games by states, kernel in Python"
    yield Row(what, rates.rate(TWIN), "per s", None, ratio, "reference")
    what = "games by the reference, every event told"
    yield Row(what, rates.rate(TOLD), "per s", Goal(0.6), told, "untold")


def _in_python(rates: Rates) -> Iterator[Row | Absent]:
    what, ratio = "playouts, base game, in Python", rates.ratio(PLAYOUTS, WALKED)
    yield Row(what, rates.rate(PLAYOUTS), "per s", Goal(2, 5), ratio, "reference")
    what, ratio = "the same with all boxes on", rates.ratio(ALL_PLAYOUTS, PLAYOUTS)
    yield Row(what, rates.rate(ALL_PLAYOUTS), "per s", None, ratio, "base game")
    if HEX_PLAYOUTS in rates.of:
        row = Row("playouts, Hex 11 x 11, in Python", rates.rate(HEX_PLAYOUTS), "per s")
        yield _beside(rates, HEX_PLAYOUTS, HEX, row)


def _natively(rates: Rates) -> Iterator[Row | Absent]:
    if NATIVE not in rates.of:
        yield Absent("everything by the native kernel", NO_KERNEL)
        return
    what, ratio = "playouts, base game, native", rates.ratio(NATIVE, RAW)
    yield Row(what, rates.rate(NATIVE), "per s", Goal(0.8, 0.95), ratio, "as arrays")
    what, ratio = "the same with all boxes on", rates.ratio(NATIVE_ALL, NATIVE)
    yield Row(what, rates.rate(NATIVE_ALL), "per s", Goal(0.2, 0.5), ratio, "base game")
    what, ratio = "`simulate --fast`, base game, end to end", rates.ratio(SIMULATED, RAW)
    yield Row(what, rates.rate(SIMULATED), "per s", Goal(0.3, 0.6), ratio, "bare kernel")
    ratio = rates.ratio(NATIVE, PLAYOUTS)
    yield Row("the same as playouts in Python", rates.rate(NATIVE), "per s", None, ratio, "Python")
    if HEX_NATIVE in rates.of:
        row = Row("playouts, Hex 11 x 11, native", rates.rate(HEX_NATIVE), "per s")
        yield _beside(rates, HEX_NATIVE, HEX, row)
    for name, what, goal, peer in (
        (ASKED, "decisions one by one, base game, native", Goal(0.5, 1), HEX_MOVES),
        (BATCH, "decisions in a batch of 1,000, base game", Goal(3, 8), HEX_MOVES),
        (NODES, "perft, base game, native, nodes", Goal(5, 50), PERFT),
    ):
        yield _beside(rates, name, peer, Row(what, rates.rate(name), "per s", goal))
    goal = Goal(2, 0.5, is_most=True)
    yield Row("a native game saved and restored", 1e6 / rates.rate(SAVED), "us", goal)
    yield Row("a native game copied", 1e6 / rates.rate(COPIED), "us", goal)


def _beside(rates: Rates, name: str, peer: str, row: Row) -> Row | Absent:
    """A row with its ratio to a peer, if that is installed."""
    if peer not in rates.of:
        return Absent(row.what, MISSING)
    return Row(row.what, row.value, row.unit, row.goal, rates.ratio(name, peer), peer)

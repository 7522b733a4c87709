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
from kbrules.tools.measuring.bench.timing import Rates, Workload, measure_in_turns

STATES, ALL_STATES, IN_KERNEL = "states", "all boxes", "on the tables of the reference"
BY_REFERENCE, WITH_EVENTS = "reference", "reference with events"
NATIVE_STATES, COPIED = "native states", "copied"
PLAYOUTS, ALL_PLAYOUTS, HEX_PLAYOUTS = "playouts", "playouts, all boxes", "playouts, hex"
NATIVE_ALL_BOXES, HEX_NATIVE = "native, all boxes", "native, hex"
RAW, ONE_BY_ONE, BATCH, NODES, SAVED = "raw", "one by one", "batch", "nodes", "saved"
SIMULATED = "simulated"
GAMES = 500


def rows() -> Iterator[Row | Absent]:
    """Decisions and games per second, held against the peers and against each other."""
    rates = measure_in_turns(_workloads())
    yield from _by_states(rates)
    yield from _in_python(rates)
    yield from _natively(rates)


def _workloads() -> dict[str, Workload]:
    base = games_of(boxes(*BASE), 2, engine=PYTHON)
    few, by_reference = base[:8], games_of(boxes(*BASE), 2, 8)
    all_boxes, hex_game = games_of(boxes(), 2, engine=PYTHON), hex_table()
    workloads: dict[str, Workload] = {
        **peers(),
        STATES: lambda: loops.by_steps(base, 4).decisions,
        ALL_STATES: lambda: loops.by_steps(all_boxes, 1).decisions,
        IN_KERNEL: lambda: loops.by_steps(few, 2).games,
        BY_REFERENCE: lambda: loops.by_steps(by_reference, 2).games,
        WITH_EVENTS: lambda: loops.by_steps_with_events(by_reference, 2).games,
        PLAYOUTS: lambda: loops.playouts(base, 10).games,
        ALL_PLAYOUTS: lambda: loops.playouts(all_boxes, 1).games,
    }
    if hex_game is not None:
        workloads[HEX_PLAYOUTS] = lambda: loops.playouts([hex_game], 40).games
    if find_spec("numba"):
        tables = simulate_tables(*BASE)
        native = games_of(boxes(*BASE), 2, engine=NATIVE)
        workloads |= {
            NATIVE_STATES: lambda: loops.by_steps(native, 4).decisions,
            NATIVE: lambda: loops.playouts(base, GAMES, NATIVE).games,
            NATIVE_ALL_BOXES: lambda: loops.playouts(all_boxes, 50, NATIVE).games,
            RAW: lambda: sum(loops.raw_playouts(game, GAMES) for game in base),
            SIMULATED: lambda: loops.simulated(tables, 4000),
            ONE_BY_ONE: lambda: loops.in_place(base, 20, NATIVE).decisions,
            BATCH: lambda: loops.side_by_side(base[0], 1000).decisions,
            NODES: lambda: loops.perft(base[0], 4),
            SAVED: lambda: _saved(base[0].playthrough(1, NATIVE)),
            COPIED: lambda: _copied(base[0].playthrough(1, NATIVE)),
        }
        if hex_game is not None:
            workloads[HEX_NATIVE] = lambda: loops.playouts([hex_game], 8000, NATIVE).games
    return workloads


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
    what, ratio = "games by states, kernel in Python", rates.ratio(IN_KERNEL, BY_REFERENCE)
    yield Row(what, rates.rate(IN_KERNEL), "per s", None, ratio, "reference")
    what, ratio = "games by the reference, with events", rates.ratio(WITH_EVENTS, BY_REFERENCE)
    yield Row(what, rates.rate(WITH_EVENTS), "per s", Goal(0.6), ratio, "without")


def _in_python(rates: Rates) -> Iterator[Row | Absent]:
    what, ratio = "playouts, base game, in Python", rates.ratio(PLAYOUTS, BY_REFERENCE)
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
    what, ratio = "the same with all boxes on", rates.ratio(NATIVE_ALL_BOXES, NATIVE)
    yield Row(what, rates.rate(NATIVE_ALL_BOXES), "per s", Goal(0.2, 0.5), ratio, "base game")
    what, ratio = "`simulate --fast`, base game, end to end", rates.ratio(SIMULATED, RAW)
    yield Row(what, rates.rate(SIMULATED), "per s", Goal(0.3, 0.6), ratio, "bare kernel")
    ratio = rates.ratio(NATIVE, PLAYOUTS)
    yield Row("the same as playouts in Python", rates.rate(NATIVE), "per s", None, ratio, "Python")
    if HEX_NATIVE in rates.of:
        row = Row("playouts, Hex 11 x 11, native", rates.rate(HEX_NATIVE), "per s")
        yield _beside(rates, HEX_NATIVE, HEX, row)
    for name, what, goal, peer in (
        (ONE_BY_ONE, "decisions one by one, base game, native", Goal(0.5, 1), HEX_MOVES),
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

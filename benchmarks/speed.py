"""How fast games are played: rates in turns with the peers, and bytecodes per decision.

Time is for reading; a count of bytecodes is the same on every machine, so that a test can hold it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Any

from benchmarks.games import (
    BASE,
    HEX_RULES,
    PlayCount,
    boxes,
    by_steps,
    by_steps_with_events,
    games_of,
    hex_table,
    in_place,
    perft,
    playouts,
    raw_playouts,
    side_by_side,
    simulate_tables,
    simulated,
)
from benchmarks.measurement import NO_KERNEL, Absent, Goal, Rates, Row, Workload, measure_in_turns
from benchmarks.peers import CHESS, HEX_GAMES, HEX_MOVES, MISSING, PERFT, installed_peers
from kbrules.engine.configuration import NATIVE, PYTHON
from kbrules.engine.game import Game
from kbrules.engine.simulation.playthrough import Playthrough
from kbrules.library.load import load

STATES, ALL_STATES, IN_KERNEL = "states", "all boxes", "on the tables of the reference"
BY_REFERENCE, WITH_EVENTS = "reference", "reference with events"
NATIVE_STATES, COPIED = "native states", "copied"
PLAYOUTS, ALL_PLAYOUTS, HEX_PLAYOUTS = "playouts", "playouts, all boxes", "playouts, hex"
NATIVE_ALL_BOXES, HEX_NATIVE = "native, all boxes", "native, hex"
RAW, ONE_BY_ONE, BATCH, NODES, SAVED = "raw", "one by one", "batch", "nodes", "saved"
SIMULATED = "simulated"
GAMES = 500


def rate_rows() -> Iterator[Row | Absent]:
    """Yield decisions and games per second, compared with the peers and with each other."""
    rates = measure_in_turns(_workloads())
    yield from _by_states(rates)
    yield from _in_python(rates)
    yield from _natively(rates)


def _workloads() -> dict[str, Workload]:
    base = games_of(boxes(*BASE), 2, engine=PYTHON)
    few, by_reference = base[:8], games_of(boxes(*BASE), 2, 8)
    all_boxes, hex_game = games_of(boxes(), 2, engine=PYTHON), hex_table()
    workloads: dict[str, Workload] = {
        **installed_peers(),
        STATES: lambda: by_steps(base, 4).decisions,
        ALL_STATES: lambda: by_steps(all_boxes, 1).decisions,
        IN_KERNEL: lambda: by_steps(few, 2).games,
        BY_REFERENCE: lambda: by_steps(by_reference, 2).games,
        WITH_EVENTS: lambda: by_steps_with_events(by_reference, 2).games,
        PLAYOUTS: lambda: playouts(base, 10).games,
        ALL_PLAYOUTS: lambda: playouts(all_boxes, 1).games,
    }
    if hex_game is not None:
        workloads[HEX_PLAYOUTS] = lambda: playouts([hex_game], 40).games
    if find_spec("numba"):
        tables = simulate_tables(*BASE)
        native = games_of(boxes(*BASE), 2, engine=NATIVE)
        workloads |= {
            NATIVE_STATES: lambda: by_steps(native, 4).decisions,
            NATIVE: lambda: playouts(base, GAMES, NATIVE).games,
            NATIVE_ALL_BOXES: lambda: playouts(all_boxes, 50, NATIVE).games,
            RAW: lambda: sum(raw_playouts(game, GAMES) for game in base),
            SIMULATED: lambda: simulated(tables, 4000),
            ONE_BY_ONE: lambda: in_place(base, 20, NATIVE).decisions,
            BATCH: lambda: side_by_side(base[0], 1000).decisions,
            NODES: lambda: perft(base[0], 4),
            SAVED: lambda: _saved(base[0].playthrough(1, NATIVE)),
            COPIED: lambda: _copied(base[0].playthrough(1, NATIVE)),
        }
        if hex_game is not None:
            workloads[HEX_NATIVE] = lambda: playouts([hex_game], 8000, NATIVE).games
    return workloads


def _saved(play: Playthrough) -> int:
    """Save and restore a game; return how often."""
    for _ in range(2000):
        play.restore(play.save())
    return 2000


def _copied(play: Playthrough) -> int:
    """Copy a game; return how often."""
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
        yield _beside(rates, HEX_PLAYOUTS, HEX_GAMES, row)


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
        yield _beside(rates, HEX_NATIVE, HEX_GAMES, row)
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
    """Return a row with its ratio to a peer, if that is installed."""
    if peer not in rates.of:
        return Absent(row.what, MISSING)
    return Row(row.what, row.value, row.unit, row.goal, rates.ratio(name, peer), peer)


# Bytecodes: they miss the time in C code, which changes seldom; each Python has its own record

RECORD = Path("tests/benchmarks/bytecodes.json")
SLACK = 1.1
"""A count may exceed the recorded one by this factor."""
_WARM = 2  # the functions of a kernel are made when they are first called
Play = Callable[[list[Game]], PlayCount]


def count_rows() -> Iterator[Row | Absent]:
    """Yield the counts, compared with those recorded."""
    record = recorded_counts()
    for what, count in counts().items():
        recorded = record.get(what)
        goal = None if recorded is None else Goal(round(recorded * SLACK), recorded, is_most=True)
        yield Row(f"bytecodes per decision, {what}", count, "", goal)


def counts() -> dict[str, float]:
    """Return bytecodes per decision, by what is played and how."""
    return {what: round(_per_decision(games, play), 1) for what, games, play in _cases()}


def _cases() -> Iterator[tuple[str, list[Game], Play]]:
    # Rule sets of their own: what was compiled for others is not to count.
    for what, players, ruleset in (("base game", 2, load(*BASE)), ("all boxes", 3, load())):
        games = games_of(ruleset, players, 2)
        yield f"{what}, in place", games, in_place
        yield f"{what}, by states", games, by_steps
        yield f"{what}, playouts", games, playouts
    if HEX_RULES.is_dir():
        games = games_of(load(folders=[HEX_RULES]), 2, 1)
        yield "Hex, in place", games, in_place
        yield "Hex, by states", games, by_steps
        yield "Hex, playouts", games, playouts


def _per_decision(games: list[Game], play: Play) -> float:
    for _ in range(_WARM):
        play(games)
    played: list[PlayCount] = []
    count = bytecodes(lambda: played.append(play(games)))
    return count / played[0].decisions


def bytecodes(work: Callable[[], Any]) -> int:
    """Count the bytecodes that a call runs."""
    count = 0

    def inside(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal count
        count += event == "opcode"
        return inside

    def entering(frame: FrameType, event: str, arg: Any) -> Any:
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return inside

    before = sys.gettrace()
    sys.settrace(entering)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def recorded_counts() -> Mapping[str, float]:
    """Return the counts recorded for this version of Python; empty if there are none."""
    return _record().get(_version(), {})


def record() -> None:
    """Write the current counts for this version of Python."""
    RECORD.write_text(json.dumps({**_record(), _version(): counts()}, indent=1) + "\n")


def _record() -> dict[str, dict[str, float]]:
    """Return the recorded counts by version of Python."""
    found: dict[str, dict[str, float]] = json.loads(RECORD.read_text()) if RECORD.is_file() else {}
    return found


def _version() -> str:
    return f"{sys.version_info.major}.{sys.version_info.minor}"

"""The rates: whole games in turns with the peers, and what they come to as ratios."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

from kbrules.engine.evaluators import reference
from kbrules.tools.bench import loops
from kbrules.tools.bench.peers import CHESS, HEX, HEX_MOVES, MISSING, SURVEYED, peers
from kbrules.tools.bench.rows import Absent, Goal, Row
from kbrules.tools.bench.tables import BASE, boxes, games_of, hex_table
from kbrules.tools.bench.timing import Rates, Work, in_turns

IN_PLACE, ALL_IN_PLACE, HEX_IN_PLACE = "in place", "all boxes in place", "hex in place"
ASKED, ALL_ASKED, HEX_ASKED = "asked", "all boxes asked", "hex asked"
STEPS, ALL, WALKED, TOLD, TWIN = "steps", "all boxes", "walked", "told", "as walked"
FUSED, FUSED_ALL, HEX_STEPS, HEX_FUSED = "fused", "fused, all boxes", "hex", "hex fused"
NATIVE, NATIVE_ALL, HEX_NATIVE = "native", "native, all boxes", "hex native"
NO_KERNEL = "not measured: pip install 'kbrules[fast]'"
NO_HEX = "not measured: only a checkout has the game"


def rows() -> Iterator[Row | Absent]:
    """Decisions and games per second, held against the peers and against each other."""
    works = _works()
    rates = in_turns(works)
    yield from _decisions(rates)
    yield from _fused(rates)
    yield from _hex(rates)
    yield from _native(rates)
    yield from _ways(rates)


def _works() -> dict[str, Work]:
    base, few = games_of(boxes(*BASE), 2), games_of(boxes(*BASE), 2, 8)
    walked = games_of(boxes(*BASE), 2, 8, reference)
    every, stones = games_of(boxes(), 2), hex_table()
    works: dict[str, Work] = {
        **peers(),
        IN_PLACE: lambda: loops.in_place(base, 10).decisions,
        ALL_IN_PLACE: lambda: loops.in_place(every, 2).decisions,
        STEPS: lambda: loops.by_steps(base, 4).decisions,
        ALL: lambda: loops.by_steps(every, 1).decisions,
        FUSED: lambda: loops.fused(base, 30).games,
        FUSED_ALL: lambda: loops.fused(every, 4).games,
        TWIN: lambda: loops.by_steps(few, 2).games,
        WALKED: lambda: loops.by_steps(walked, 2).games,
        TOLD: lambda: loops.by_steps_told(few, 2).games,
    }
    if find_spec("numba"):
        works[ASKED] = lambda: loops.in_place_natively(base, 20).decisions
        works[ALL_ASKED] = lambda: loops.in_place_natively(every, 6).decisions
        if stones is not None:
            works[HEX_ASKED] = lambda: loops.in_place_natively([stones], 120).games
        works[NATIVE] = lambda: loops.native(base, 500).games
        works[NATIVE_ALL] = lambda: loops.native(every, 50).games
        if stones is not None:
            works[HEX_NATIVE] = lambda: loops.native([stones], 8000).games
    if stones is not None:
        works[HEX_IN_PLACE] = lambda: loops.in_place([stones], 60).games
        works[HEX_STEPS] = lambda: loops.by_steps([stones], 24).games
        works[HEX_FUSED] = lambda: loops.fused([stones], 100).games
    return works


def _decisions(rates: Rates) -> Iterator[Row | Absent]:
    what, rate = "decisions, base game, played in place", rates.rate(IN_PLACE)
    yield _beside(rates, IN_PLACE, CHESS, Row(what, rate, "per s", Goal(10, 13)))
    yield _beside(rates, IN_PLACE, HEX_MOVES, Row(what, rate, "per s", Goal(0.5, 0.8)))
    what, ratio = "the same with all boxes on", rates.ratio(ALL_IN_PLACE, IN_PLACE)
    yield Row(what, rates.rate(ALL_IN_PLACE), "per s", Goal(0.5), ratio, "base game")
    yield from _asked(rates)
    what = "decisions, base game, by states that are kept"
    yield _beside(rates, STEPS, CHESS, Row(what, rates.rate(STEPS), "per s"))
    what, ratio = "the same with all boxes on, by states", rates.ratio(ALL, STEPS)
    yield Row(what, rates.rate(ALL), "per s", None, ratio, "base game")


def _asked(rates: Rates) -> Iterator[Row | Absent]:
    """The same where a native program runs the rules and Python decides."""
    what = "decisions, base game, in place by the native kernel"
    all_boxes = "the same with all boxes on, by the native kernel"
    if ASKED not in rates.of:
        yield from (Absent(what, NO_KERNEL), Absent(all_boxes, NO_KERNEL))
        return
    rate, ratio = rates.rate(ASKED), rates.ratio(ALL_ASKED, ASKED)
    yield _beside(rates, ASKED, CHESS, Row(what, rate, "per s", Goal(10, 13)))
    yield _beside(rates, ASKED, HEX_MOVES, Row(what, rate, "per s", Goal(0.5, 0.8)))
    yield Row(all_boxes, rates.rate(ALL_ASKED), "per s", Goal(0.5), ratio, "base game")


def _fused(rates: Rates) -> Iterator[Row | Absent]:
    yield Row("fused games, base game, two players", rates.rate(FUSED), "per s")
    what = f"the same where python-chess makes {SURVEYED:,} moves"
    if CHESS in rates.of:
        yield Row(what, SURVEYED * rates.ratio(FUSED, CHESS), "per s", Goal(5_000, 7_000))
    else:
        yield Absent(what, MISSING)
    yield Row("fused games, all boxes on", rates.rate(FUSED_ALL), "per s")


def _hex(rates: Rates) -> Iterator[Row | Absent]:
    ways = (
        (HEX_IN_PLACE, "played in place", Goal(1)),
        (HEX_ASKED, "in place by the native kernel", Goal(1)),
        (HEX_STEPS, "by states that are kept", None),
        (HEX_FUSED, "fused", Goal(2)),
    )
    for name, how, goal in ways:
        what = f"games of Hex 11 x 11, {how}"
        if name in rates.of:
            row = Row(what, rates.rate(name), "per s", goal)
            yield _beside(rates, name, HEX, row)
        else:
            yield Absent(what, NO_KERNEL if HEX_STEPS in rates.of else NO_HEX)


def _native(rates: Rates) -> Iterator[Row | Absent]:
    whats = {NATIVE: ("base game", FUSED), HEX_NATIVE: ("Hex 11 x 11", HEX_FUSED),
             NATIVE_ALL: ("all boxes on", FUSED_ALL)}  # fmt: skip
    for name, (of, twin) in whats.items():
        what = f"games by the native kernel, {of}"
        if name not in rates.of:
            yield Absent(what, NO_KERNEL)
            continue
        goal = Goal(20) if name != NATIVE_ALL else None
        yield Row(what, rates.rate(name), "per s", goal, rates.ratio(name, twin), "fused")


def _ways(rates: Rates) -> Iterator[Row]:
    ratio, told = rates.ratio(TWIN, WALKED), rates.ratio(TOLD, TWIN)
    yield Row("games, generated", rates.rate(TWIN), "per s", Goal(1.6), ratio, "reference")
    yield Row("games, every event told", rates.rate(TOLD), "per s", Goal(0.6), told, "untold")


def _beside(rates: Rates, name: str, peer: str, row: Row) -> Row | Absent:
    """A row with its ratio to a peer, if that is installed."""
    if peer not in rates.of:
        return Absent(row.what, MISSING)
    return Row(row.what, row.value, row.unit, row.goal, rates.ratio(name, peer), peer)

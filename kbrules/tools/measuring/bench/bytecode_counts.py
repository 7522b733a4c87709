"""What a decision costs in bytecodes: the same on every machine, so that a test can hold it.

Time is for reading; a count never flakes. It misses what C code takes, which changes seldom, and
differs between versions of Python, so that each has its own record.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

from kbrules.engine.game import Game
from kbrules.library.load import load
from kbrules.tools.measuring.bench import loops
from kbrules.tools.measuring.bench.loops import PlayCount
from kbrules.tools.measuring.bench.rows import Absent, Goal, Row
from kbrules.tools.measuring.bench.tables import BASE, HEX, games_of

RECORD = Path("tests/tools/bytecodes.json")
SLACK = 1.1
"""A count may be so many times the recorded one."""
_WARM = 2  # the functions of a kernel are made when they are first called
Play = Callable[[list[Game]], PlayCount]


def rows() -> Iterator[Row | Absent]:
    """The counts beside those recorded."""
    record = recorded_counts()
    for what, count in counts().items():
        recorded = record.get(what)
        goal = None if recorded is None else Goal(round(recorded * SLACK), recorded, is_most=True)
        yield Row(f"bytecodes per decision, {what}", count, "", goal)


def counts() -> dict[str, float]:
    """Bytecodes per decision, by what is played and how."""
    return {what: round(_per_decision(games, play), 1) for what, games, play in _cases()}


def _cases() -> Iterator[tuple[str, list[Game], Play]]:
    # Rule sets of their own: what was compiled for others is not to count.
    for what, players, ruleset in (("base game", 2, load(*BASE)), ("all boxes", 3, load())):
        games = games_of(ruleset, players, 2)
        yield f"{what}, in place", games, loops.in_place
        yield f"{what}, by states", games, loops.by_steps
        yield f"{what}, playouts", games, loops.playouts
    if HEX.is_dir():
        games = games_of(load(folders=[HEX]), 2, 1)
        yield "Hex, in place", games, loops.in_place
        yield "Hex, by states", games, loops.by_steps
        yield "Hex, playouts", games, loops.playouts


def _per_decision(games: list[Game], play: Play) -> float:
    for _ in range(_WARM):
        play(games)
    played: list[PlayCount] = []
    count = bytecodes(lambda: played.append(play(games)))
    return count / played[0].decisions


def bytecodes(work: Callable[[], Any]) -> int:
    """How many bytecodes are run by doing something."""
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
    """The counts that are recorded for this Python; none for one that nobody has tried."""
    return _record().get(_version(), {})


def record() -> None:
    """Write down the counts of now, for this Python."""
    RECORD.write_text(json.dumps({**_record(), _version(): counts()}, indent=1) + "\n")


def _record() -> dict[str, dict[str, float]]:
    """The counts by version of Python."""
    found: dict[str, dict[str, float]] = json.loads(RECORD.read_text()) if RECORD.is_file() else {}
    return found


def _version() -> str:
    return f"{sys.version_info.major}.{sys.version_info.minor}"

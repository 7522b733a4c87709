"""Games that were broken off: what their logs hold, for going on with them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from kbrules.engine.game import Game
from kbrules.engine.logs.reader import Log
from kbrules.engine.logs.replay import Replay, table_of
from kbrules.engine.logs.writer import MatchInfo
from kbrules.game.moves import Move

_TAIL = 64 * 1024  # bytes of the end of a log that are looked at


@dataclass(frozen=True, slots=True, eq=False)
class Unfinished:
    """A game broken off: the table with its seats, the moves made, and the lines of its log.

    half_line: what was written of the line after them, which is no part of the game.
    """

    game: Game
    seating: MatchInfo
    moves: tuple[Move, ...]
    lines: tuple[str, ...]
    half_line: str


def unfinished_of(log: Log, replayed: Replay) -> Unfinished:
    """The game of a log that was replayed to its end; ValueError if it was not, or is closed."""
    if replayed.game is None or replayed.findings or not log.is_broken_off:
        raise ValueError("only a log that breaks off and replays can be gone on with")
    data = log.header.data
    texts = (log.source.line_text(line) for line in range(1, log.source.line_count))
    return Unfinished(
        replayed.game,
        MatchInfo(table_of(log), data["seed"], tuple(data["bots"])),
        replayed.logged,
        tuple(f"{text}\n" for text in texts),
        log.half_line,
    )


def is_unfinished(path: Path) -> bool:
    """Whether a file looks like the log of a game broken off, by its last line alone.

    A file that cannot be read, or is no log, does not.
    """
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - _TAIL))
            *_, last, half = file.read().split(b"\n")
        record = json.loads(last)
    except (OSError, ValueError):  # ValueError: no line, no UTF-8, no JSON
        return False
    return isinstance(record, dict) and "hash" in record and ("sum" not in record or bool(half))

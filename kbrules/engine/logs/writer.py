"""The log of a game: JSON lines that any program can read and that replay without a generator.

The first line is the header: what was played, by which rules. Then one line per move, draws by
chance among them: its number, who decided, the move in notation, the events with the hash of the
facts on the table after each, and the hash of the state after all. The last line closes the log:
totals, winners, and a sum over all lines above. A log without it is not finished.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from kbrules import __version__
from kbrules.engine.game import Game
from kbrules.engine.interface import Transition
from kbrules.engine.setup import TableSetup
from kbrules.game.events import Event, to_json
from kbrules.game.moves import CHANCE, Move
from kbrules.game.notation import write_move
from kbrules.game.state import State
from kbrules.library.boards.cells import OWNERS
from kbrules.library.locks.brief import brief
from kbrules.library.resources import real_path

FORMAT = 1
CHANCE_NAME = "chance"  # who decides a draw
_EXACT = 1 << 53  # larger numbers are not exact in every reader of JSON


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """What the header of a log says: the table, the seed of chance, and names of the bots."""

    table: TableSetup
    seed: int
    bots: tuple[str, ...] = ()


def player_name(player: int) -> str:
    """`a` for the first player, `chance` for a draw."""
    return CHANCE_NAME if player == CHANCE else OWNERS[player]


class Recorder:
    """Makes the lines of a log while a game is played: `watch` each event, `add` each move."""

    def __init__(self, game: Game, start: State, info: MatchInfo) -> None:
        self.lines = [_line(_header(game, start, info))]
        self._game = game
        self._hashes: list[str] = []

    def watch(self, event: Event, state: State) -> None:
        """Take note of an event as it happens; to be handed to `Game.play`."""
        self._hashes.append(state.facts_hash())

    def add(self, player: int, move: Move, transition: Transition) -> str:
        """The line of a move that was watched."""
        events = zip(transition.events, self._hashes, strict=True)
        entry = {
            "number": len(self.lines),
            "player": player_name(player),
            "move": write_move(move, self._game.board),
            "events": [event_entry(event, digest) for event, digest in events],
            "hash": transition.state.hash(),
        }
        self._hashes = []
        self.lines.append(_line(entry))
        return self.lines[-1]

    def drop(self, count: int) -> None:
        """Forget the last moves."""
        if not 0 <= count < len(self.lines):
            raise ValueError(f"there are {len(self.lines) - 1} moves, not {count}")
        del self.lines[len(self.lines) - count :]

    def resume(self, lines: Sequence[str]) -> None:
        """Take the lines of a log that is gone on with for those made of the same moves.

        The header may be that of another version, and the sum is taken over what the file has.
        """
        if len(lines) != len(self.lines):
            raise ValueError(f"{len(self.lines) - 1} moves were made, not {len(lines) - 1}")
        self.lines[:] = lines

    def close(self, state: State) -> str:
        """The last line of the log of a finished game."""
        closing = {
            "moves": len(self.lines) - 1,
            "totals": totals_of(self._game, state),
            "winners": winners_of(self._game, state),
            "hash": state.hash(),
            "sum": checksum(self.lines),
        }
        self.lines.append(_line(closing))
        return self.lines[-1]


def _header(game: Game, start: State, info: MatchInfo) -> dict[str, Any]:
    table, ruleset, stand_ins = info.table, game.ruleset, list(game.board.stand_ins)
    return {
        "format": FORMAT,
        "kbrules": __version__,
        "rules": ruleset.digest,
        "boxes": list(ruleset.boxes),
        "contents": brief(ruleset.contents),
        "folders": [real_path(Path(folder)).name for folder in ruleset.folders],
        "seed": info.seed,
        "players": table.players,
        "layout": str(table.layout),
        **({"stand_ins": stand_ins} if stand_ins else {}),
        "cards": list(table.cards),
        "tiles": dict(table.tiles),
        "options": dict(table.options),
        "bots": list(info.bots),
        "hash": start.hash(),
    }


def _line(data: Mapping[str, Any]) -> str:
    return json.dumps(data) + "\n"


def event_entry(event: Event, digest: str) -> dict[str, Any]:
    """An event as a log has it, with the hash of the facts after it."""
    facts = {name: _plain(value) for name, value in to_json(event).items()}
    return {**facts, "hash": digest}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return hex(value) if isinstance(value, int) and value > _EXACT else value


def totals_of(game: Game, state: State) -> list[int]:
    """The gold of each player, as the closing line has it."""
    return list(game.score(state).totals)


def winners_of(game: Game, state: State) -> list[str]:
    """The names of those who win, as the closing line has them."""
    return [player_name(player) for player in game.score(state).winners]


def checksum(lines: Sequence[str]) -> str:
    """A 128-bit BLAKE2b digest over lines, line ends and all, in hexadecimal."""
    return blake2b("".join(lines).encode(), digest_size=16).hexdigest()

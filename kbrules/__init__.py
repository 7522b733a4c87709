"""kbrules: a declarative rules engine for the board game Kingdom Builder, and games like it.

The front door. Importing it loads nothing; each name is fetched when it is first used.

    load, check_all            files -> rule set, or every mistake in them
    new_game, choose_table, game_at, SetupError
    read_position              the text of a position -> a game and a state in the middle of it
    Game                       start, legal_moves, offered, apply, play, explain, score
    State, Move, MoveSet, Offered, Random, read_move, write_move
    IllegalMove, InvalidMove, AmbiguousMove, TableMismatch, RulesError
    read_log, replay           logs of games, and playing them again
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from kbrules.diagnostics import Diagnostic, RulesError
    from kbrules.engine.configuration import IllegalMove, Refusal, TableMismatch, Transition
    from kbrules.engine.game import Game
    from kbrules.engine.logs.replay import read_log, replay
    from kbrules.engine.scoring import Sheet
    from kbrules.engine.setup import SetupError, choose_table, game_at, new_game
    from kbrules.game.moves import (
        AmbiguousMove,
        InvalidMove,
        Move,
        MoveSet,
        Offered,
        read_move,
        write_move,
    )
    from kbrules.game.random import Random
    from kbrules.game.state import State
    from kbrules.library.load import check_all, load
    from kbrules.library.ruleset import Ruleset
    from kbrules.scenario.position import read_position

_ROOMS = {
    "kbrules.diagnostics": "Diagnostic RulesError",
    "kbrules.engine.configuration": "IllegalMove Refusal TableMismatch Transition",
    "kbrules.engine.game": "Game",
    "kbrules.engine.logs.replay": "read_log replay",
    "kbrules.engine.scoring": "Sheet",
    "kbrules.engine.setup": "SetupError choose_table game_at new_game",
    "kbrules.game.moves": "AmbiguousMove InvalidMove Move MoveSet Offered read_move write_move",
    "kbrules.game.random": "Random",
    "kbrules.game.state": "State",
    "kbrules.library.load": "check_all load",
    "kbrules.library.ruleset": "Ruleset",
    "kbrules.scenario.position": "read_position",
}
_ROOM_OF = {name: room for room, names in _ROOMS.items() for name in names.split()}

__all__ = [
    "AmbiguousMove", "Diagnostic", "Game", "IllegalMove", "InvalidMove", "Move", "MoveSet",
    "Offered", "Random", "Refusal", "RulesError", "Ruleset", "SetupError", "Sheet", "State",
    "TableMismatch", "Transition", "check_all", "choose_table", "game_at", "load", "new_game",
    "read_log", "read_move", "read_position", "replay", "write_move",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Fetch a public name from its room."""
    if name not in _ROOM_OF:
        raise AttributeError(f"module `kbrules` has no attribute `{name}`")
    import_module("kbrules.hooks").use_renderer(_rendered)
    return getattr(import_module(_ROOM_OF[name]), name)


def _rendered(value: object, form: str) -> str | None:
    """What a notebook shows of a value; what draws it is loaded when it is first shown."""
    drawn: str | None = import_module("kbrules.tools.pictures.notebook").rendered(value, form)
    return drawn


def __dir__() -> list[str]:
    """The public names."""
    return sorted([*__all__, "__version__"])

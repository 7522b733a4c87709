"""Games of the base box that are played by chance, and their logs, for tests of the engine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from kbrules.engine.game import Game
from kbrules.engine.logs.writing import MatchInfo, Recorder
from kbrules.engine.matches import Match, MatchMove
from kbrules.engine.setup import TableSetup, choose_table, game_at
from kbrules.game.moves import Move as AnyMove
from kbrules.game.moves import MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset


@lru_cache(maxsize=1)
def base() -> Ruleset:
    return load("base")


@lru_cache(maxsize=64)
def table_of(seed: int, players: int = 2) -> tuple[TableSetup, Game]:
    table = choose_table(base(), players, seed)
    return table, game_at(base(), table)


def any_move(game: Game, state: State, moves: MoveSet, random: Random) -> AnyMove:
    return moves.sample(random)


@dataclass(frozen=True)
class Logged:
    game: Game
    start: State
    played: tuple[MatchMove, ...]
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        return "".join(self.lines)


@lru_cache(maxsize=64)
def logged(seed: int, players: int = 2) -> Logged:
    """A whole game and its log."""
    table, game = table_of(seed, players)
    recorder = Recorder(game, game.start(), MatchInfo(table, seed, ("any",) * players))
    match = Match(game, seed, [any_move] * players, recorder.watch)
    start = match.state
    played = []
    for each in match:
        recorder.add(each.player, each.move, each.transition)
        played.append(each)
    recorder.close(match.state)
    return Logged(game, start, tuple(played), tuple(recorder.lines))

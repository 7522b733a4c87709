"""Matches: a game played on, chance by the seed's own stream and each seat by its bot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from kbrules.engine.interface import GameLike, Transition
from kbrules.game.events import Event
from kbrules.game.moves import CHANCE, Move, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State

Bot = Callable[[GameLike, State, MoveSet, Random], Move]
Watch = Callable[[Event, State], Any]


@dataclass(frozen=True, slots=True)
class MatchMove:
    """One move of a match: its number from 1, who decided, where, what, and what came of it."""

    number: int
    player: int
    before: State
    move: Move
    transition: Transition


@dataclass(frozen=True, slots=True, eq=False)
class Checkpoint:
    """A moment of a match to which it can return; chance will then say the same again."""

    number: int
    state: State
    chance: Random
    randoms: tuple[Random, ...]


class Match:
    """A game under way. A seat without a bot is a person's: the match stops and waits for it.

    bots: one per player. `watch` sees every event as it happens.
    """

    def __init__(
        self, game: GameLike, seed: int, bots: Sequence[Bot | None], watch: Watch | None = None
    ) -> None:
        if len(bots) != game.players:
            raise ValueError(f"{game.players} players need as many bots, not {len(bots)}")
        self.game = game
        self.state = game.start()
        self.number = 0
        self._bots = tuple(bots)
        self._watch = watch
        self._seed = seed
        self._chance = Random(seed, "deck")
        self._randoms = tuple(Random(seed, f"bot {player}") for player in range(game.players))

    @property
    def moves(self) -> MoveSet:
        """What can be decided now; empty when the game is over."""
        return self.game.legal_moves(self.state)

    @property
    def waits(self) -> bool:
        """Whether a person must decide."""
        moves = self.moves
        return bool(moves) and moves.player != CHANCE and self._bots[moves.player] is None

    def __iter__(self) -> Iterator[MatchMove]:
        """Play on until the game is over or a person must decide."""
        while self.moves and not self.waits:
            yield self.play(self._choice(self.moves))

    def _choice(self, moves: MoveSet) -> Move:
        if moves.player == CHANCE:
            return moves.sample(self._chance)
        bot = self._bots[moves.player]
        assert bot is not None, "the match waits for a person"
        return bot(self.game, self.state, moves, self._randoms[moves.player])

    def play(self, move: Move) -> MatchMove:
        """Carry out a move; IllegalMove, and nothing changed, if the rules refuse it."""
        before, player = self.state, self.moves.player
        transition = self.game.play(before, move, self._watch)
        self.state = transition.state
        self.number += 1
        return MatchMove(self.number, player, before, move, transition)

    def repeat(self, move: Move) -> MatchMove:
        """Carry out a move of a match with this seed that was broken off; else as `play`.

        Chance will go on where it was then. What bots drew is not known: each draws from a new
        stream, which the seed and the number of the move decide.
        """
        if self.moves.player == CHANCE:
            self.moves.sample(self._chance)
        played = self.play(move)
        streams = (f"bot {player} after {self.number}" for player in range(self.game.players))
        self._randoms = tuple(Random(self._seed, stream) for stream in streams)
        return played

    def checkpoint(self) -> Checkpoint:
        """Where the game is now."""
        randoms = tuple(copy(random) for random in self._randoms)
        return Checkpoint(self.number, self.state, copy(self._chance), randoms)

    def restore(self, checkpoint: Checkpoint) -> None:
        """Return to a checkpoint; it can be used again."""
        self.number, self.state = checkpoint.number, checkpoint.state
        self._chance = copy(checkpoint.chance)
        self._randoms = tuple(copy(random) for random in checkpoint.randoms)


def play_to_end(game: GameLike, seed: int, bots: Sequence[Bot]) -> State:
    """The final state of a game played by bots."""
    match = Match(game, seed, bots)
    for _ in match:
        pass
    return match.state

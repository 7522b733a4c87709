"""A game under way that is changed in place: the quick way through, where no state is kept."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any, Self

from kbrules.compile.whole.running import Over, Rare
from kbrules.compile.whole.table import Play
from kbrules.engine.bound import ASKED, ASKING, Bound, whole_of
from kbrules.engine.game import NO_MOVE, Game
from kbrules.engine.outcome import Outcome, outcome
from kbrules.engine.playouts import outcome_of, record_of
from kbrules.engine.refusal import IllegalMove
from kbrules.game.moves import CHANCE, Group, Move, MoveSet, new_moves
from kbrules.game.random import Random
from kbrules.game.state import State

__all__ = ["Playthrough"]

Due = tuple[int, tuple[Group, ...]]
"""Who decides, and what there is to choose from."""
NOBODY: Due = CHANCE, ()


class Playthrough:
    """One game from its start to its end, changed in place by every move.

    Chance draws by itself, from the stream `deck` of the seed. moves: what can be decided now,
    empty when the game is over; it is what `game.legal_moves` would offer, in the same order.
    """

    __slots__ = ("_log", "_send", "_table", "game", "moves", "seed")
    moves: MoveSet

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.seed = game, seed
        self._log: list[Move] = []
        self._table: Play | None = None
        self._send: Callable[[Any], Due]
        self._begin()

    def _begin(self) -> None:
        record = record_of(self.game)
        if not record.pays:
            self._by_states()
            return
        record.tried += 1
        bound = asked(self.game)
        self._table = bound.table(self.seed)
        self._send = bound.run(self._table).send
        try:
            self.moves = new_moves(self._send(None))
        except (StopIteration, Over, Rare) as why:
            self._cease(why)

    def __copy__(self) -> Self:
        """Another game that stands where this one does: the same moves are made once more."""
        twin = type(self)(self.game, self.seed)
        for move in self._log:
            twin.apply(move)
        return twin

    def __deepcopy__(self, _known: object) -> Self:
        return self.__copy__()

    @property
    def player(self) -> int:
        """Who decides; -1 when the game is over."""
        return self.moves.player

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return not self.moves.groups

    def apply(self, move: Move) -> None:
        """Carry out a move; IllegalMove, and nothing changed, if the rules refuse it."""
        if not isinstance(move, tuple):
            raise TypeError(NO_MOVE)
        verb, rule, hex = move
        index = 0
        for its_verb, its_rule, hexes, _ in self.moves.groups:
            fits = hexes >> hex & 1 if hex >= 0 else hex == -1 and not hexes
            if fits and its_rule == rule and its_verb == verb:
                break
            index += 1
        else:
            raise self._refusal(move)
        try:
            self.moves = new_moves(self._send((index, hex)))
            self._log.append(move)
        except (StopIteration, Over, Rare) as why:
            self._log.append(move)
            self._cease(why)
        except BaseException:
            # Ctrl-C, say: the program has stopped halfway, but it is known what was done before.
            self._send = self._send_again
            raise

    def _send_again(self, chosen: tuple[int, int]) -> Due:
        """Carry out what was chosen where the game stood before it was interrupted."""
        twin = copy(self)
        self._table, self._send = twin._table, twin._send
        return self._send(chosen)

    def _refusal(self, move: Move) -> IllegalMove:
        return IllegalMove(self.game.explain(self.state, move))

    def _cease(self, why: Exception) -> None:
        """The game is over, or its program does not know how to go on."""
        if isinstance(why, Rare):
            record_of(self.game).rare += 1
            self._by_states()
        else:
            self.moves = new_moves(NOBODY)

    def _by_states(self) -> None:
        """Play on move by move, from where it stands."""
        self._table = None
        steps = self._again()
        self._send = steps.send
        self.moves = new_moves(steps.due())

    def _again(self) -> _States:
        """The same game by states, up to where it stands."""
        steps = _States(self.game, self.seed)
        for move in self._log:
            steps.choose(move)
        return steps

    @property
    def state(self) -> State:
        """The table as a state, found by playing the same moves again."""
        return self._again().state

    def outcome(self) -> Outcome:
        """What came of the game; ValueError if it is not over."""
        if not self.is_over:
            raise ValueError("the game is not over")
        if self._table is not None:
            return outcome_of(self.game, self._table)
        log = iter(self._log)

        def again(_game: Game, _state: State, _moves: MoveSet, _random: Random) -> Move:
            return next(log)

        return outcome(self.game, self.seed, [again] * self.game.players)


def asked(game: Game) -> Bound:
    """The program of a game in which players are asked, bound to its board once."""
    found = game.kept.get(Bound)
    if found is None:
        found = game.kept[Bound] = Bound(whole_of(game, ASKING), game, ASKED)
    return found


class _States:
    """The same game by states, with chance drawn as soon as it is due."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.state = game, game.start()
        self._chance = Random(seed, "deck")
        self._draw()

    def _draw(self) -> None:
        moves = self.game.legal_moves(self.state)
        while moves and moves.player == CHANCE:
            self.state = self.game.apply(self.state, moves.sample(self._chance))
            moves = self.game.legal_moves(self.state)

    def choose(self, move: Move) -> None:
        """Carry out a move, and what chance draws then."""
        self.state = self.game.apply(self.state, move)
        self._draw()

    def due(self) -> Due:
        """Who decides, and of what; nobody if the game is over."""
        moves = self.game.legal_moves(self.state)
        return (moves.player, moves.groups) if moves else NOBODY

    def send(self, chosen: tuple[int, int]) -> Due:
        """Carry out what was chosen: the number of a group, and a hex; then the same."""
        index, hex = chosen
        verb, rule, _, _ = self.game.legal_moves(self.state).groups[index]
        self.choose(Move(verb, rule, hex))
        return self.due()

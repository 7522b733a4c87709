"""A game under way that is changed in place: the quick way through, where no state is kept."""

from __future__ import annotations

from typing import Any

from kbrules.compile.whole.running import Over, Rare
from kbrules.compile.whole.table import Play
from kbrules.engine.bound import ASKED, ASKING, Bound, whole_of
from kbrules.engine.game import NO_MOVE, Game
from kbrules.engine.outcome import Outcome, outcome
from kbrules.engine.playouts import Record, outcome_of, record_of
from kbrules.engine.refusal import IllegalMove
from kbrules.game.moves import CHANCE, Group, Move, MoveSet, new_move
from kbrules.game.random import Random
from kbrules.game.state import State

__all__ = ["Playthrough"]

Due = tuple[int, tuple[Group, ...]]
"""Who decides, and what there is to choose from."""


class Playthrough:
    """One game from its start to its end, changed in place by every move.

    Chance draws by itself, from the stream `deck` of the seed. player: who decides, -1 when the
    game is over. The moves are those that `game.legal_moves` would offer, in the same order.
    """

    __slots__ = ("_due", "_log", "_send", "_table", "game", "player", "seed")

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.seed = game, seed
        self._log: list[tuple[int, int]] = []
        self._table: Play | None = None
        self._begin(record_of(game))

    def _begin(self, record: Record) -> None:
        if not record.pays:
            self._by_states()
            return
        record.tried += 1
        bound = asked(self.game)
        self._table = bound.table(self.seed)
        self._send: Any = bound.run(self._table).send
        try:
            self.player, self._due = self._send(None)
        except (StopIteration, Over, Rare) as why:
            self._cease(why)

    @property
    def moves(self) -> MoveSet:
        """What can be decided now; empty when the game is over."""
        return MoveSet(self.player, self._due)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return not self._due

    def apply(self, move: Move) -> None:
        """Carry out a move; IllegalMove, and nothing changed, if the rules refuse it."""
        if not isinstance(move, tuple):
            raise TypeError(NO_MOVE)
        verb, rule, hex = move
        index = 0
        for its_verb, its_rule, hexes, _ in self._due:
            fits = hexes >> hex & 1 if hex >= 0 else not hexes
            if fits and its_rule == rule and its_verb == verb:
                break
            index += 1
        else:
            raise IllegalMove(self.game.explain(self.state, move))
        chosen = index, hex
        self._log.append(chosen)
        try:
            self.player, self._due = self._send(chosen)
        except (StopIteration, Over, Rare) as why:
            self._cease(why)

    def _cease(self, why: Exception) -> None:
        """The game is over, or its program does not know how to go on."""
        if isinstance(why, Rare):
            record_of(self.game).rare += 1
            self._by_states()
        else:
            self.player, self._due = CHANCE, ()

    def _by_states(self) -> None:
        """Play on move by move, from where it stands."""
        self._table = None
        steps = _States(self.game, self.seed)
        for index, hex in self._log:
            steps.choose(index, hex)
        self._send = steps.send
        self.player, self._due = steps.due()

    @property
    def state(self) -> State:
        """The table as a state, found by playing the same moves again."""
        steps = _States(self.game, self.seed)
        for index, hex in self._log:
            steps.choose(index, hex)
        return steps.state

    def outcome(self) -> Outcome:
        """What came of the game; ValueError if it is not over."""
        if not self.is_over:
            raise ValueError("the game is not over")
        if self._table is not None:
            return outcome_of(self.game, self._table)
        chosen = iter(self._log)

        def again(_game: Game, _state: State, moves: MoveSet, _random: Random) -> Move:
            return _move(moves.groups, *next(chosen))

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

    def choose(self, index: int, hex: int) -> None:
        """Carry out what was chosen, and what chance draws then."""
        groups = self.game.legal_moves(self.state).groups
        self.state = self.game.apply(self.state, _move(groups, index, hex))
        self._draw()

    def due(self) -> Due:
        """Who decides, and of what; nobody if the game is over."""
        moves = self.game.legal_moves(self.state)
        return (moves.player, moves.groups) if moves else (CHANCE, ())

    def send(self, chosen: tuple[int, int]) -> Due:
        """Both."""
        self.choose(*chosen)
        return self.due()


def _move(groups: tuple[Group, ...], index: int, hex: int) -> Move:
    verb, rule, _, _ = groups[index]
    return new_move((verb, rule, hex))

"""Games changed in place against the same games by states: after every move the same is offered.

By hand: `python -m tests.equal.playthroughs --tables 50 --seed 7`. It ends with 0 if they agree.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace

from kbrules.engine.configuration import NATIVE, PYTHON, REFERENCE
from kbrules.engine.game import Game
from kbrules.engine.matches import Outcome, outcome
from kbrules.engine.simulation.playthrough import Playthrough
from kbrules.game.moves import CHANCE, Move, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State
from tests.equal.games import LONGEST, SLOTS, agree
from tests.equal.settings import Setting
from tests.equal.unequal import where

SELDOM = 24
"""Of so many moves one is followed by what takes long."""


def compared(setting: Setting, engine: str = PYTHON) -> int:
    """Play the game of a setting in both ways.

    Raises `Unequal` where the moves differ, the states, or what came of it.
    """
    both = Both(Playthrough(setting.game(REFERENCE), setting.seed, engine), setting.game(REFERENCE))
    try:
        both.play()
    except Exception as error:
        error.add_note(where(setting, f"move {both.number}", "playthroughs --tables"))
        raise
    return 0


def compared_natively(setting: Setting, games: int = 1) -> int:
    """The same of games by the native kernel, which takes seconds to be made."""
    seeds = range(setting.seed, setting.seed + games)
    return sum(compared(replace(setting, seed=seed), NATIVE) for seed in seeds)


def by_chance(play: Playthrough) -> Playthrough:
    """A game played to its end by players who choose evenly, as in `Game.playout`."""
    streams = [Random(play.seed, f"bot {player}") for player in range(play.game.players)]
    while not play.is_over:
        play.apply(play.moves.sample(streams[play.player]))
    return play


class Both:
    """One game under way in both ways; the states are those that are believed."""

    def __init__(self, mine: Playthrough, twin: Game) -> None:
        self.mine, self.twin, seed = mine, twin, mine.seed
        self.state = twin.start()
        self.number = 0
        self.log: list[Move] = []
        self._chance, self._random = Random(seed, "deck"), Random(seed, "moves")
        self._kinds = bool(seed % 2)

    def play(self, most: int = LONGEST) -> None:
        """Move by move until the game is over, or so many moves are done."""
        while (moves := self._drawn()) and self.number < most:
            agree("legal moves", self.mine.moves, moves)
            if self._random.below(SELDOM) == 0:
                self._agree_on_state()
            self._agree_on_chance(moves)
            groups = moves.groups
            some = self._random.choice(groups).moves() if self._kinds else None
            move = moves.sample(self._random) if some is None else self._random.choice(some)
            self._choose(move)
            self.state = self.twin.apply(self.state, move)
            self.number += 1
        if moves:
            self._agree_on_state()
            return
        agree("legal moves at the end", self.mine.moves, MoveSet(CHANCE, ()))
        self._agree_on_state()
        self._agree_on_outcome()

    def _choose(self, move: Move) -> None:
        """Carry out a move: by its index or as such, now by a copy and now not."""
        if self.number % SELDOM == SELDOM - 1:
            self.mine = copy(self.mine)
        index = self.mine.moves.index_of(move)
        agree("how many moves", self.mine.count, len(self.mine.moves))
        if self.number % 2 and index is not None:
            self.mine.choose(index)
        else:
            self.mine.apply(move)
        self.log.append(move)

    def _drawn(self) -> MoveSet:
        """What is to be decided, after chance has drawn what is due."""
        moves = self.twin.legal_moves(self.state)
        while moves and moves.player == CHANCE:
            self.state = self.twin.apply(self.state, moves.sample(self._chance))
            moves = self.twin.legal_moves(self.state)
        return moves

    def _agree_on_chance(self, moves: MoveSet) -> None:
        """The same move is drawn, and as much of the stream is used up."""
        one, other = copy(self._random), copy(self._random)
        agree("move drawn", self.mine.moves.sample(one), moves.sample(other))
        agree("next number", one.next64(), other.next64())

    def _agree_on_outcome(self) -> None:
        """What came of it, and of the very same moves by states."""
        log = iter(self.log)

        def again(*_given: object) -> Move:
            return next(log)

        theirs = outcome(self.twin, self.mine.seed, [again] * self.twin.players)
        mine = self.mine.outcome()
        for name in Outcome._fields:
            agree(f"{name} of the outcome", getattr(mine, name), getattr(theirs, name))
        agree("gold at the end", mine.totals, self.twin.totals(self.state))

    def _agree_on_state(self) -> None:
        mine: State = self.mine.state
        for slot in SLOTS:
            agree(f"{slot} of the state", getattr(mine, slot), getattr(self.state, slot))


if __name__ == "__main__":
    from tests.equal.by_hand import go_through

    go_through()

"""Whole games played in two ways at once: after every move the two must agree in everything.

By hand: `python -m tests.equal.games --games 50 --seed 7`. What it finds it says with the command
that finds it again. It ends with 0 if the ways agree, 1 if they do not.
"""

from __future__ import annotations

from collections import Counter
from copy import copy
from dataclasses import dataclass, field
from pickle import dumps, loads
from typing import Any

from kbrules.engine.configuration import IllegalMove
from kbrules.engine.game import Game
from kbrules.game.events import Event
from kbrules.game.moves import CHANCE, Move, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State, draft_of
from kbrules.hex.sets import bits
from tests.equal.settings import Setting
from tests.equal.unequal import Unequal, told_apart, where

LONGEST = 4_000
SLOTS = tuple(sorted(set(State.__slots__) - {"cache"}))
HASHED, COLD, SCORED, REFUSED, SWAPPED = 16, 16, 24, 48, 32
"""Of so many moves one is followed by what takes long: hashes, sheets, refusals and so on."""


@dataclass
class Tally:
    """What was seen: games, moves, and the events by their name."""

    games: int = 0
    moves: int = 0
    events: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        return f"{self.games} games, {self.moves} moves, {sum(self.events.values())} events"


def compared(setting: Setting, mine: str, theirs: str, tally: Tally | None = None) -> None:
    """Play the game of a setting in both ways. Raises `Unequal` where they differ."""
    pair = Pair(setting.game(mine), setting.game(theirs), setting.seed, tally or Tally())
    try:
        pair.play()
    except Unequal as found:
        found.place(setting, pair.number, pair.theirs, pair.after)
        raise
    except Exception as error:
        error.add_note(where(setting, f"move {pair.number}", "games --games"))
        raise


class Pair:
    """One game under way in two ways; the second is the one that is believed."""

    def __init__(self, mine: Game, theirs: Game, seed: int, tally: Tally) -> None:
        self.mine, self.theirs = mine, theirs
        self.tally = tally
        self.number = 0
        self._chance, self._random = Random(seed, "deck"), Random(seed, "moves")
        self._kinds = bool(seed % 2)
        self.before, self.after = mine.start(), theirs.start()

    def play(self, most: int = LONGEST) -> None:
        """Move by move until the game is over, or so many moves are done."""
        self.tally.games += 1
        openings = (game.opening().events for game in (self.mine, self.theirs))
        agree("events before the first move", *openings)
        self._agree_on_states(True)
        while self.number < most and (moves := self._agree_on_moves()):
            self._now_and_then(moves)
            self._move(self._chosen(moves))
            self.number += 1
            assert self.number < LONGEST, "the game does not end"
        self._agree_on_states(True)
        self._agree_on_gold()
        self.tally.moves += self.number

    def _chosen(self, moves: MoveSet) -> Move:
        """Every other game all kinds of moves are alike, so that rare ones come up."""
        if moves.player == CHANCE:
            return moves.sample(self._chance)
        if self._kinds:
            return self._random.choice(self._random.choice(moves.groups).moves())
        return moves.sample(self._random)

    def _is_time(self, often: int) -> bool:
        return self._random.below(often) == 0

    def _now_and_then(self, moves: MoveSet) -> None:
        if self._is_time(COLD):
            self._agree_without_memory(moves)
        if self._is_time(REFUSED):
            self._agree_on_refusal(moves)
        if self._is_time(SCORED):
            self._agree_on_gold()
        if self._is_time(SWAPPED):
            self.before, self.after = bare(self.after), bare(self.before)

    # what they must agree on

    def _agree_on_moves(self) -> MoveSet:
        moves = self.theirs.legal_moves(self.after)
        agree("legal moves", self.mine.legal_moves(self.before), moves)
        return moves

    def _agree_without_memory(self, moves: MoveSet) -> None:
        """A state that comes from elsewhere has its moves found anew; it stays what it is."""
        known = facts(self.before)
        for state in (bare(self.before), loads(dumps(self.before)), copy(self.before)):
            agree("legal moves found anew", self.mine.legal_moves(state), moves)
            agree("the state whose moves were found anew", facts(state), known)

    def _agree_on_refusal(self, moves: MoveSet) -> None:
        """What one refuses the other refuses, for the same reason; nothing changes by it."""
        move = _any_move(self.theirs, moves, self._random)
        agree(f"whether {move} is legal", move in self.mine.legal_moves(self.before), move in moves)
        if move in moves:
            return
        agree(f"refusing {move}", refusal(self.mine, self.before, move),
              refusal(self.theirs, self.after, move))  # fmt: skip
        self._agree_on_states(True)
        self._agree_on_moves()

    def _move(self, move: Move) -> None:
        """A move without a word about it, with its events, or with somebody watching them."""
        way = self._random.below(8)
        if way < 4:
            self.before = self.mine.apply(self.before, move)
            self.after = self.theirs.apply(self.after, move)
        elif way < 7:
            mine, theirs = self.mine.play(self.before, move), self.theirs.play(self.after, move)
            agree(f"events of {move}", mine.events, theirs.events)
            self.before, self.after = mine.state, theirs.state
            self.tally.events.update(type(event).__name__ for event in theirs.events)
        else:
            seen, known = Seen(), Seen()
            self.before = self.mine.play(self.before, move, seen).state
            self.after = self.theirs.play(self.after, move, known).state
            agree(f"events of {move} as they happened", seen.told, known.told)
        self._agree_on_states(self._is_time(HASHED), move)

    def _agree_on_states(self, thoroughly: bool, move: Move | None = None) -> None:
        after = f" after {move}" if move else ""
        for slot in SLOTS:
            mine, theirs = getattr(self.before, slot), getattr(self.after, slot)
            if mine != theirs:
                agree(f"{slot} of the state{after}", mine, theirs)
        if thoroughly:
            agree(f"state as data{after}", self.before.to_json(), self.after.to_json())
            agree(f"hash of the state{after}", self.before.hash(), self.after.hash())

    def _agree_on_gold(self) -> None:
        mine, theirs = self.mine.score(self.before), self.theirs.score(self.after)
        agree("score sheet", mine, theirs)
        agree("totals", self.mine.totals(self.before), theirs.totals)
        agree("what decides who wins", mine.win_values, theirs.win_values)
        agree("winners", mine.winners, theirs.winners)


class Seen:
    """Events as somebody sees them who watches: each with the facts on the table after it."""

    def __init__(self) -> None:
        self.told: list[tuple[Event, str]] = []

    def __call__(self, event: Event, state: State) -> None:
        self.told.append((event, state.facts_hash()))


def agree(what: str, mine: Any, theirs: Any) -> None:
    """Raise `Unequal` if two things that must be equal are not."""
    if mine != theirs or type(mine) is not type(theirs):
        raise Unequal(what, told_apart(mine, theirs))


def facts(state: State) -> tuple[Any, ...]:
    """All of a state but what a game remembers about it."""
    return tuple(getattr(state, slot) for slot in SLOTS)


def bare(state: State) -> State:
    """The same state as if it came from elsewhere."""
    return draft_of(state).seal()


def refusal(game: Game, state: State, move: Move) -> str:
    """What a game says to a move that it refuses."""
    try:
        game.apply(state, move)
    except IllegalMove as refused:
        return str(refused)
    return "it was not refused"


def _any_move(game: Game, moves: MoveSet, random: Random) -> Move:
    """A move like those that are legal, on any hex or without one, legal or not."""
    group = random.choice([*moves.groups, ("end", "turn"), ("stop", "nothing")])
    return Move(group[0], group[1], random.choice([-1, *bits(game.board.grid.full)]))


if __name__ == "__main__":
    from tests.equal.by_hand import play

    play()

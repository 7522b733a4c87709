"""Matches: a game played on by bots, and its outcome in numbers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, NamedTuple

from kbrules.engine.configuration import Table, Transition
from kbrules.game.events import Event, Gained, Received, Took, TurnStarted, Used
from kbrules.game.moves import CHANCE, Move, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State

# Matches: a game played on, chance by the seed's own stream and each seat by its bot.

Bot = Callable[[Table, State, MoveSet, Random], Move]
Watch = Callable[[Event, State], Any]


def random_bot(game: Table, state: State, moves: MoveSet, random: Random) -> Move:
    """Return any legal move, all as likely."""
    return moves.sample(random)


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
        self, game: Table, seed: int, bots: Sequence[Bot | None], watch: Watch | None = None
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


def play_to_end(game: Table, seed: int, bots: Sequence[Bot]) -> State:
    """The final state of a game played by bots."""
    match = Match(game, seed, bots)
    for _ in match:
        pass
    return match.state


# The outcome of a whole game in numbers, for statistics of many games.


class Outcome(NamedTuple):
    """A game that is over: what was paid, who won, how long it took, which tiles it needed.

    gold: for each player what each paying rule paid, in the order of `game.scoring.rules`.
    gained: for each player the gold got in play. winners: players; empty if nothing decides.
    turns: how many began. decisions: by player; what chance decides is nobody's. used: for each
    player and kind of tile how often an action of one was begun. taken: for each player and kind
    of tile how many were got. gains: what `gained` is made of, for each player the ids of the
    rules that gave it, sorted, with the gold of each.
    """

    gold: tuple[tuple[int, ...], ...]
    gained: tuple[int, ...]
    winners: tuple[int, ...]
    turns: int
    decisions: tuple[int, ...]
    used: tuple[tuple[int, ...], ...]
    taken: tuple[tuple[int, ...], ...]
    gains: tuple[tuple[tuple[str, int], ...], ...]

    @property
    def totals(self) -> tuple[int, ...]:
        """The total gold of each player."""
        return tuple(sum(paid) + got for paid, got in zip(self.gold, self.gained, strict=True))

    def paid(self, rules: Sequence[str]) -> tuple[dict[str, int], ...]:
        """Return the gold that each rule paid, at the end and in play, for each player.

        rules: `game.scoring.ids` of the game that was played.
        """
        found = tuple(dict(zip(rules, gold, strict=True)) for gold in self.gold)
        for paid, gains in zip(found, self.gains, strict=True):
            for rule, gold in gains:
                paid[rule] = paid.get(rule, 0) + gold
        return found


def gains_of(events: Iterable[Event], player: int) -> dict[str, int]:
    """Return the gold that each rule gave a player in play, in the order in which rules did."""
    gains: Counter[str] = Counter()
    for event in events:
        if isinstance(event, Gained) and event.player == player:
            gains[event.rule] += event.gold
    return dict(gains)


def outcome(game: Table, seed: int, bots: Sequence[Bot]) -> Outcome:
    """The outcome of a game played to its end.

    bots: one per player. Chance draws from the stream `deck` of the seed, each bot from its own.
    """
    match = Match(game, seed, bots)
    events = [*game.opening().events]
    decisions: Counter[int] = Counter()
    for played in match:
        decisions[played.player] += 1
        events += played.transition.events
    by_type: defaultdict[type, list[Any]] = defaultdict(list)
    for event in events:
        by_type[type(event)].append(event)
    sheet, players = game.score(match.state), range(game.players)
    used = Counter((event.player, event.kind) for event in by_type[Used])
    taken = Counter((e.player, e.kind) for e in by_type[Took] + by_type[Received])
    gains = (gains_of(by_type[Gained], player) for player in players)
    kinds = range(len(game.ruleset.catalog.tiles))
    return Outcome(
        gold=tuple(tuple(line.gold for line in lines) for lines in sheet.lines),
        gained=sheet.gained,
        winners=sheet.winners,
        turns=len(by_type[TurnStarted]),
        decisions=tuple(decisions[player] for player in players),
        used=tuple(tuple(used[player, kind] for kind in kinds) for player in players),
        taken=tuple(tuple(taken[player, kind] for kind in kinds) for player in players),
        gains=tuple(tuple(sorted(filter(itemgetter(1), each.items()))) for each in gains),
    )

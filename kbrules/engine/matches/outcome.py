"""The outcome of a whole game in numbers, for statistics of many games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from kbrules.engine.interface import GameLike
from kbrules.engine.matches.match import Bot, Match
from kbrules.engine.scoring.sheet import Sheet
from kbrules.game.events import Event, Gained, Received, Took, TurnStarted, Used
from kbrules.game.moves import CHANCE


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


def outcome(game: GameLike, seed: int, bots: Sequence[Bot]) -> Outcome:
    """The outcome of a game played to its end.

    bots: one per player. Chance draws from the stream `deck` of the seed, each bot from its own.
    """
    match, tally = Match(game, seed, bots), _OutcomeCounter(game)
    tally.count(game.opening().events)
    for played in match:
        if played.player != CHANCE:
            tally.decisions[played.player] += 1
        tally.count(played.transition.events)
    return tally.outcome(game.score(match.state))


class _OutcomeCounter:
    """What is counted while a game goes on."""

    def __init__(self, game: GameLike) -> None:
        players, kinds = range(game.players), len(game.ruleset.catalog.tiles)
        self.turns = 0
        self.decisions = [0 for _ in players]
        self._used = [[0] * kinds for _ in players]
        self._taken = [[0] * kinds for _ in players]
        self._gains: list[Counter[str]] = [Counter() for _ in players]
        self._handlers: Mapping[type[Event], Callable[[Any], None]] = {
            TurnStarted: self._turn,
            Used: self._use,
            Took: self._take,
            Received: self._take,
            Gained: self._gain,
        }

    def count(self, events: Iterable[Event]) -> None:
        for event in events:
            counted = self._handlers.get(type(event))
            if counted is not None:
                counted(event)

    def _turn(self, _event: TurnStarted) -> None:
        self.turns += 1

    def _use(self, event: Used) -> None:
        if event.kind >= 0:
            self._used[event.player][event.kind] += 1

    def _take(self, event: Took | Received) -> None:
        self._taken[event.player][event.kind] += 1

    def _gain(self, event: Gained) -> None:
        self._gains[event.player][event.rule] += event.gold

    def outcome(self, sheet: Sheet) -> Outcome:
        return Outcome(
            gold=tuple(tuple(line.gold for line in lines) for lines in sheet.lines),
            gained=sheet.gained,
            winners=sheet.winners,
            turns=self.turns,
            decisions=tuple(self.decisions),
            used=tuple(map(tuple, self._used)),
            taken=tuple(map(tuple, self._taken)),
            gains=tuple(map(_sums, self._gains)),
        )


def _sums(gains: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted((rule, gold) for rule, gold in gains.items() if gold))

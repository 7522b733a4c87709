"""A game: rules, board and players, without history; and matches, games played on by bots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from kbrules.diagnostics import shortened
from kbrules.engine import configuration
from kbrules.engine.configuration import GameLike, Transition
from kbrules.engine.explanation import explain
from kbrules.engine.scoring import Sheet
from kbrules.game.events import Event, Gained, Received, Took, TurnStarted, Used
from kbrules.game.moves import CHANCE, Move, MoveGroup, MoveSet, Offered
from kbrules.game.random import Random
from kbrules.game.state import Draft, State, StateCache, draft_of
from kbrules.game.view import MoveContext, View
from kbrules.hex.sets import bits
from kbrules.hooks import html_of, svg_of

if TYPE_CHECKING:
    from kbrules.engine.simulation.playouts import Batch
    from kbrules.engine.simulation.playthrough import Playthrough, StateStepper


# Matches: a game played on by bots, and its outcome in numbers.


# Matches: a game played on, chance by the seed's own stream and each seat by its bot.

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


# A game: rules, board and players, without history. States go in, states come out.


class Game(configuration.Configuration):
    """A table to be played at; see `Configuration` for what it is made of.

    `legal_moves`, `apply` and `totals` are answered by its `engine`, `reference` unless another
    was requested. Whatever explains is answered by the reference: `play` with its events, `score`
    with its lines, `explain`. All of them raise TableMismatch for a state of another table, and
    TypeError for what is no state or no move.
    """

    def __repr__(self) -> str:
        """The table in one line, with its engine if it is not the usual one."""
        cards = ", ".join(self.cards) or "no cards"
        by = "" if self.engine == configuration.REFERENCE else f", states by {self.engine}"
        return f"<Game of {self.players} with {cards}{by}>"

    def _repr_svg_(self) -> str | None:
        """The board as a notebook shows it."""
        return svg_of(self)

    def _repr_html_(self) -> str | None:
        """The table as a notebook shows it."""
        return html_of(self)

    @cached_property
    def _stepper(self) -> StateStepper | None:
        """The kernel that answers for states; None where the reference does."""
        if self.engine == configuration.REFERENCE:
            return None
        from kbrules.engine.simulation.playthrough import StateStepper

        return StateStepper(self, self.engine)

    def with_engine(self, engine: str) -> Game:
        """The same table, its states answered by another engine."""
        more = self.players, self.cards, self.options, engine, self.plan.linking
        return Game(self.ruleset, self.board, *more)

    def start(self) -> State:
        """The first state that needs a decision (the first draw of a card, as a rule)."""
        return self.opening().state

    def opening(self) -> configuration.Transition:
        """The first state that needs a decision, and what happened until then."""
        table = self._context(self.empty())
        state = table.draft.seal(StateCache(self, self._machine.run(table)))
        return configuration.Transition(state, tuple(table.events))

    def run_to_decision(self, draft: Draft, begins_turn: bool = False) -> State:
        """Run a draft to its first decision and seal it; `begins_turn` first begins its turn."""
        if not isinstance(draft, Draft):
            raise TypeError(f"a draft is wanted, as `empty` returns it, not {shortened(draft)}")
        configuration.check_draft(self, draft)
        table = self._context(draft)
        if begins_turn:
            self._machine.begin_turn(table)
        return table.draft.seal(StateCache(self, self._machine.run(table)))

    def _context(self, draft: Draft) -> MoveContext:
        known = self.ruleset.memories, self._machine.trigger_events, self.card_indexes
        return MoveContext(self.board, draft, *known)

    def legal_moves(self, state: State) -> MoveSet:
        """The moves of whoever must decide; empty when the game is over."""
        cache = getattr(state, "cache", None)
        if type(cache) is not StateCache or cache.game is not self:
            configuration.check_state(self, state)
            configuration.check_decision(state)
            cache = self._cached(state, self._moves(state))
        moves: MoveSet = cache.moves
        return moves

    def _cached(self, state: State, moves: MoveSet) -> StateCache:
        """Let a state know that this game answers for it; a draft may still change."""
        read = None if state.cache is None else state.cache.read
        cache = StateCache(self, moves, read)
        if type(state) is not Draft:
            object.__setattr__(state, "cache", cache)
        return cache

    def _check(self, state: State) -> None:
        """Raise TableMismatch for a state of another table, TypeError for what is none."""
        cache = getattr(state, "cache", None)
        if type(cache) is not StateCache or cache.game is not self:
            configuration.check_state(self, state)

    def view(self, state: State, me: int, env: Mapping[str, Any]) -> View:
        """The table as a player sees it; for tools that ask words outside of play."""
        self._check(state)
        return super().view(state, me, env)

    def _moves(self, state: State) -> MoveSet:
        if self._stepper is not None:
            return self._stepper.moves(state)
        moves = self._machine.run(self._context(draft_of(state)))
        assert moves is not None, "without a base depth it runs until a decision"
        return moves

    def offered(self, state: State) -> tuple[Offered, ...]:
        """The same by names; nothing when the game is over."""
        name = self.board.grid.name
        return tuple(
            Offered(group.rule, group.verb, tuple(name(hex) for hex in bits(group.hexes)))
            for group in self.legal_moves(state).groups
        )

    def apply(self, state: State, move: Move) -> State:
        """The state after a move; IllegalMove, with the reason, if the rules refuse it.

        OutOfRoom if the engine is a kernel that has no room for what comes.
        """
        move, group = self._legal(state, move)
        if self._stepper is not None:
            return self._stepper.apply(state, move, group)
        return self._transition(self._context(draft_of(state)), move, group)

    def _legal(self, state: State, move: Move) -> tuple[Move, MoveGroup]:
        """A legal move and its group."""
        move = configuration.move_of(move)
        group = self.legal_moves(state).group_of(move)
        if group is None:
            raise configuration.IllegalMove(self.explain(state, move))
        return move, group

    def _transition(self, table: MoveContext, move: Move, group: MoveGroup) -> State:
        self._machine.resume(table, move, group)
        return table.draft.seal(StateCache(self, self._machine.run(table)))

    def play(
        self, state: State, move: Move, watch: Callable[[Event, State], Any] | None = None
    ) -> configuration.Transition:
        """The state after a move and what happened; `watch` sees each event as it happens."""
        move, group = self._legal(state, move)
        table = self._context(draft_of(state))
        table.on_event = watch
        return configuration.Transition(self._transition(table, move, group), tuple(table.events))

    def after_events(self, state: State, events: Iterable[Event]) -> Draft:
        """The table after the rules followed these events, as if they had just happened.

        The events themselves are not carried out; for positions set up by hand.
        """
        self._check(state)
        table = self._context(draft_of(state))
        table.pending += [event for event in events if type(event) in table.trigger_events]
        if table.pending:
            self._machine.dispatch(table)
        return table.draft

    def playout(self, seed: int, engine: str = configuration.PYTHON) -> Outcome:
        """What came of the game of a seed between players who choose evenly.

        It is the game that `outcome` plays with such players, several times as fast. engine: see
        `playouts`.
        """
        return next(self.playouts([seed], engine))

    def playouts(
        self, seeds: Sequence[int], engine: str = configuration.PYTHON
    ) -> Iterator[Outcome]:
        """What came of the games of some seeds, in their order, as `playout` says it.

        engine: `python`, or `native`, which is many times as fast, takes seconds to be made for
        new rules and needs the extra `fast` (else MissingNumba). NotLowered for rules of which no
        kernel can be made, OutOfRoom after the last game before one that needs more room than a
        kernel has; `reference` plays them all, by states.
        """
        from kbrules.engine.simulation.playouts import Playouts, reference_playouts, seeds_of

        seeds = seeds_of(seeds)
        if isinstance(engine, str) and engine == configuration.REFERENCE:
            return reference_playouts(self, seeds)
        found = self.cache.get((Playouts, engine)) if isinstance(engine, str) else None
        if found is None:
            found = self.cache[Playouts, engine] = Playouts(self, engine)
        return found.outcomes(seeds)

    def playthrough(self, seed: int, engine: str = configuration.PYTHON) -> Playthrough:
        """The game of a seed, to be played move by move and changed in place.

        It offers the moves that `legal_moves` offers, and is the quickest way to make them.
        engine: as for `playouts`.
        """
        from kbrules.engine.simulation.playthrough import Playthrough

        return Playthrough(self, seed, engine)

    def batch(self, seeds: Sequence[int]) -> Batch:
        """The games of some seeds side by side, stepped together with arrays of numpy.

        They are those of `playthrough`, by the native kernel: it needs the extra `fast`.
        """
        from kbrules.engine.simulation.playouts import Batch

        return Batch(self, seeds)

    def explain(self, state: State, move: Move) -> configuration.Refusal:
        """Why a move is not legal now: the clauses that stand against it."""
        return explain(self, state, configuration.move_of(move))

    def score(self, state: State) -> Sheet:
        """The score sheet, as if the game ended in this state."""
        self._check(state)
        return self.scoring.sheet(state)

    def totals(self, state: State) -> tuple[int, ...]:
        """The total gold of each player, as if the game ended in this state."""
        self._check(state)
        if self._stepper is not None:
            return self._stepper.totals(state)
        return self.scoring.totals(state)

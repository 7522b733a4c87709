"""A game: rules, board and players, without history. States go in, states come out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from kbrules.diagnostics import shortened
from kbrules.engine.configuration import (
    PYTHON,
    REFERENCE,
    Configuration,
    IllegalMove,
    Refusal,
    Transition,
    check_decision,
    check_draft,
    check_state,
    move_of,
)
from kbrules.engine.derivation import derive
from kbrules.engine.scoring import Sheet
from kbrules.game.events import Event
from kbrules.game.moves import Move, MoveGroup, MoveSet, Offered
from kbrules.game.state import Draft, State, StateCache, draft_of
from kbrules.game.view import MoveContext, View
from kbrules.hex.sets import bits
from kbrules.hooks import html_of, svg_of

if TYPE_CHECKING:
    from kbrules.engine.matches import Outcome
    from kbrules.engine.simulation.playouts import Batch
    from kbrules.engine.simulation.playthrough import Playthrough, StateStepper


class Game(Configuration):
    """A table to be played at; see `Configuration` for what it is made of.

    `legal_moves`, `apply` and `totals` are answered by its `engine`, `reference` unless another
    was requested. Whatever explains is answered by the reference: `play` with its events, `score`
    with its lines, `explain`. All of them raise TableMismatch for a state of another table, and
    TypeError for what is no state or no move.
    """

    def __repr__(self) -> str:
        """The table in one line, with its engine if it is not the usual one."""
        cards = ", ".join(self.cards) or "no cards"
        by = "" if self.engine == REFERENCE else f", states by {self.engine}"
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
        if self.engine == REFERENCE:
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

    def opening(self) -> Transition:
        """The first state that needs a decision, and what happened until then."""
        table = self._context(self.empty())
        state = table.draft.seal(StateCache(self, self._machine.run(table)))
        return Transition(state, tuple(table.events))

    def run_to_decision(self, draft: Draft, begins_turn: bool = False) -> State:
        """Run a draft to its first decision and seal it; `begins_turn` first begins its turn."""
        if not isinstance(draft, Draft):
            raise TypeError(f"a draft is wanted, as `empty` returns it, not {shortened(draft)}")
        check_draft(self, draft)
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
            check_state(self, state)
            check_decision(state)
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
            check_state(self, state)

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
        move = move_of(move)
        group = self.legal_moves(state).group_of(move)
        if group is None:
            raise IllegalMove(self.explain(state, move))
        return move, group

    def _transition(self, table: MoveContext, move: Move, group: MoveGroup) -> State:
        self._machine.resume(table, move, group)
        return table.draft.seal(StateCache(self, self._machine.run(table)))

    def play(
        self, state: State, move: Move, watch: Callable[[Event, State], Any] | None = None
    ) -> Transition:
        """The state after a move and what happened; `watch` sees each event as it happens."""
        move, group = self._legal(state, move)
        table = self._context(draft_of(state))
        table.on_event = watch
        return Transition(self._transition(table, move, group), tuple(table.events))

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

    def playout(self, seed: int, engine: str = PYTHON) -> Outcome:
        """What came of the game of a seed between players who choose evenly.

        It is the game that `outcome` plays with such players, several times as fast. engine: see
        `playouts`.
        """
        return next(self.playouts([seed], engine))

    def playouts(self, seeds: Sequence[int], engine: str = PYTHON) -> Iterator[Outcome]:
        """What came of the games of some seeds, in their order, as `playout` says it.

        engine: `python`, or `native`, which is many times as fast, takes seconds to be made for
        new rules and needs the extra `fast` (else MissingNumba). NotLowered for rules of which no
        kernel can be made, OutOfRoom after the last game before one that needs more room than a
        kernel has; `reference` plays them all, by states.
        """
        from kbrules.engine.simulation.playouts import Playouts, reference_playouts, seeds_of

        seeds = seeds_of(seeds)
        if isinstance(engine, str) and engine == REFERENCE:
            return reference_playouts(self, seeds)
        found = self.cache.get((Playouts, engine)) if isinstance(engine, str) else None
        if found is None:
            found = self.cache[Playouts, engine] = Playouts(self, engine)
        return found.outcomes(seeds)

    def playthrough(self, seed: int, engine: str = PYTHON) -> Playthrough:
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

    def explain(self, state: State, move: Move) -> Refusal:
        """Why a move is not legal now: the clauses that stand against it."""
        return derive(self, state, move_of(move)).refusal()

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

"""A game: rules, board and players, without history. States go in, states come out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from kbrules.engine.explain import explain
from kbrules.engine.playable import Transition
from kbrules.engine.refusal import NO_MOVE, IllegalMove, Refusal
from kbrules.engine.scoring import Scoring, Sheet
from kbrules.engine.stepping import Constants, step
from kbrules.engine.works import Works, works_of, written_for
from kbrules.game.board import Board
from kbrules.game.events import Event
from kbrules.game.moves import Move, MoveSet, Offered
from kbrules.game.state import NONE, Draft, Seat, State, draft_of
from kbrules.game.table import Table
from kbrules.game.view import View
from kbrules.hex.masks import bits
from kbrules.library.ruleset import Ruleset
from kbrules.plan.evaluators import Linking, generated

if TYPE_CHECKING:
    from kbrules.engine.batch import Batch
    from kbrules.engine.outcome import Outcome
    from kbrules.engine.playthrough import Playthrough


class Game:
    """Rules, board, players, cards and options of one table.

    players: how many. cards: names of the scoring cards in play. options: values that
    differ from their defaults; KeyError for a card or option that does not exist. linking: how
    expressions are evaluated; the reference is slower and answers the same.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        board: Board,
        players: int,
        cards: tuple[str, ...] = (),
        options: Mapping[str, bool | int] | None = None,
        linking: Linking = generated,
    ) -> None:
        self.ruleset = ruleset
        self.board = board
        self.players = players
        self.cards = cards
        self.options = dict(options or {})
        for name in self.options:
            ruleset.options[name]
        indexes = tuple(_card_index(ruleset, card) for card in cards)
        self.card_indexes = indexes
        self.kept: dict[Any, Any] = {}
        works = works_of(ruleset, players, indexes, self.options, linking)
        self.program, self.choices, self._machine = works.program, works.choices, works.machine
        self._is_generated = linking is generated
        self.scoring = Scoring(self.program.with_cards(indexes), board, indexes)

    def __repr__(self) -> str:
        """The table in one line; what is played there is a matter of states."""
        return f"<Game of {self.players} with {', '.join(self.cards) or 'no cards'}>"

    @cached_property
    def _silent(self) -> Constants:
        """What generated steps take of this table where nobody is told what happens."""
        works = self._written
        return Constants(self, self.board, works.steps, self.program, self._machine)

    @cached_property
    def _telling(self) -> Constants:
        """The same where somebody is."""
        works = self._written
        return Constants(self, self.board, works.telling, self.program, self._machine)

    @property
    def _written(self) -> Works:
        return written_for(self.ruleset, self.players, self.card_indexes, self.options)

    def view(self, state: State, me: int, env: Mapping[str, Any]) -> View:
        """The table as a player sees it; for whoever asks words outside of play."""
        return View(self.board, state, me, self.program.with_cards(self.card_indexes), env)

    def start(self) -> State:
        """The first state that needs a decision (the first draw of a card, as a rule)."""
        return self.opening().state

    def opening(self) -> Transition:
        """The first state that needs a decision, and what happened until then."""
        table = self._table(self.empty())
        return Transition(self._sealed(table, self._machine.run(table)), tuple(table.events))

    def empty(self) -> Draft:
        """A draft of the table before set-up: full supplies, full places, a full deck."""
        catalog = self.ruleset.catalog
        counts = tuple(card.count for card in catalog.deck)
        nothing = (0,) * len(counts)
        draft = draft_of(_BLANK)
        draft.seats = (self._seat(),) * self.players
        draft.neutral = (0,) * len(catalog.pieces)
        draft.stock = tuple(self._stock(hex) for hex in self.board.places)
        draft.piles = (counts, nothing, nothing)
        draft.memory = (0,) * len(self.ruleset.memories)
        return draft

    def _seat(self) -> Seat:
        pieces = self.ruleset.catalog.pieces
        supply = tuple(0 if piece.neutral else piece.supply for piece in pieces)
        memory = (0,) * len(self.ruleset.memories)
        return Seat((0,) * len(pieces), 0, supply, (), (), memory, 0)

    def _stock(self, hex: int) -> tuple[int, ...]:
        kind = self.board.tiles[hex]
        return (kind,) * self.ruleset.catalog.tiles[kind].each

    def settle(self, draft: Draft) -> State:
        """Run a draft to its first decision and seal it."""
        table = self._table(draft)
        return self._sealed(table, self._machine.run(table))

    def _table(self, draft: Draft) -> Table:
        return Table(self.board, draft, self.ruleset.memories, self._machine.followed)

    def _sealed(self, table: Table, moves: MoveSet | None) -> State:
        return table.draft.seal((self, moves))

    def legal_moves(self, state: State) -> MoveSet:
        """The moves of whoever must decide; empty when the game is over."""
        cache = state.cache
        if cache is None or cache[0] is not self:
            table = self._table(draft_of(state))
            cache = (self, self._machine.run(table))
            object.__setattr__(state, "cache", cache)
        moves: MoveSet = cache[1]
        return moves

    def offered(self, state: State) -> tuple[Offered, ...]:
        """The same by names; nothing when the game is over."""
        name = self.board.grid.name
        return tuple(
            Offered(group.rule, group.verb, tuple(name(hex) for hex in bits(group.hexes)))
            for group in self.legal_moves(state).groups
        )

    def apply(self, state: State, move: Move) -> State:
        """The state after a move; IllegalMove, with the reason, if the rules refuse it."""
        if self._is_generated:
            after = step(self._silent, None, state, move)
            if after is not None:
                return after
        return self._applied(self._table(draft_of(state)), state, move)

    def _applied(self, table: Table, state: State, move: Move) -> State:
        if not isinstance(move, tuple):
            raise TypeError(NO_MOVE)
        group = self.legal_moves(state).group_of(move)
        if group is None:
            raise IllegalMove(self.explain(state, move))
        self._machine.resume(table, move, group)
        return table.draft.seal((self, self._machine.run(table)))

    def play(
        self, state: State, move: Move, watch: Callable[[Event, State], Any] | None = None
    ) -> Transition:
        """The state after a move and what happened; `watch` sees each event as it happens."""
        table = self._table(draft_of(state))
        table.watch = watch
        after = step(self._telling, table, state, move) if self._is_generated else None
        if after is None:
            after = self._applied(table, state, move)
        return Transition(after, tuple(table.events))

    def told(self, state: State, events: Iterable[Event]) -> Draft:
        """The table after the rules followed these events, as if they had just happened.

        The events themselves are not carried out; for positions set up by hand.
        """
        table = self._table(draft_of(state))
        table.news += [event for event in events if type(event) in table.followed]
        if table.news:
            self._machine.tell(table)
        return table.draft

    def playout(self, seed: int, engine: str = "python") -> Outcome:
        """What came of the game of a seed between players who choose evenly.

        It is the game that `outcome` plays with such players, several times as fast. engine: see
        `playouts`.
        """
        return next(self.playouts([seed], engine))

    def playouts(self, seeds: Sequence[int], engine: str = "python") -> Iterator[Outcome]:
        """What came of the games of some seeds, in their order, as `playout` says it.

        engine: `python`, or `native`, which is many times as fast, takes seconds to be made for
        new rules and needs the extra `fast` (else MissingNumba). NotLowered for rules of which no
        kernel can be made; `reference` plays them by states.
        """
        from kbrules.engine.playouts import REFERENCE, Playouts, by_states

        if engine == REFERENCE:
            return by_states(self, seeds)
        found = self.kept.get((Playouts, engine))
        if found is None:
            found = self.kept[Playouts, engine] = Playouts(self, engine)
        return found.many(seeds)

    def playthrough(self, seed: int, engine: str = "python") -> Playthrough:
        """The game of a seed, to be played move by move and changed in place.

        It offers the moves that `legal_moves` offers, and is the quickest way to make them.
        engine: as for `playouts`.
        """
        from kbrules.engine.playthrough import Playthrough

        return Playthrough(self, seed, engine)

    def batch(self, seeds: Sequence[int]) -> Batch:
        """The games of some seeds side by side, stepped together with arrays of numpy.

        They are those of `playthrough`, by the native kernel: it needs the extra `fast`.
        """
        from kbrules.engine.batch import Batch

        return Batch(self, seeds)

    def explain(self, state: State, move: Move) -> Refusal:
        """Why a move is not legal now: the clauses that stand against it."""
        if not isinstance(move, tuple):
            raise TypeError(NO_MOVE)
        return explain(self, state, move)

    def score(self, state: State) -> Sheet:
        """The score sheet, as if the game ended in this state."""
        return self.scoring.sheet(state)

    def totals(self, state: State) -> tuple[int, ...]:
        """The total gold of each player, as if the game ended in this state."""
        return self.scoring.totals(state)


def _card_index(ruleset: Ruleset, card: str) -> int:
    if card not in ruleset.catalog.cards:
        raise KeyError(card)
    return ruleset.catalog.cards.index(card)


def _blank() -> State:
    draft = Draft.__new__(Draft)
    for name, value in _EMPTY.items():
        setattr(draft, name, value)
    return draft.seal()


_EMPTY: Mapping[str, Any] = {
    "seats": (),
    "neutral": (),
    "occupied": 0,
    "stock": (),
    "piles": ((), (), ()),
    "shown": (),
    "aside": (),
    "choice": NONE,
    "revealed": NONE,
    "memory": (),
    "active": 0,
    "stage": ("setup", 0),
    "ending": False,
    "used": (),
    "stack": (),
    "firings": 0,
    "cache": None,
}
_BLANK = _blank()

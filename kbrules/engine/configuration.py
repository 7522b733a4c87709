"""A configuration at a table: rules, board, players, cards, options, and what is made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Self

from kbrules.diagnostics import shortened
from kbrules.engine.fingerprint import (
    Fingerprint,
    check_board,
    check_options,
    check_players,
    fingerprint_of,
)
from kbrules.engine.scoring.sheet import Scoring
from kbrules.game.board import Board
from kbrules.game.catalog import NONE, cards_beside
from kbrules.game.state import Draft, Seat, State, draft_of
from kbrules.game.view import View
from kbrules.hex.masks import mask_of
from kbrules.library.ruleset import Ruleset
from kbrules.plan.linking import LinkerFactory, default_linker
from kbrules.plan.plan import Plan
from kbrules.reference.legal_hexes import LegalHexes
from kbrules.reference.machine import machine_of

REFERENCE, PYTHON, NATIVE = "reference", "python", "native"
"""The engines: the reference walks the rules, the others run their kernel, `native` as machine
code, which needs the extra `fast`."""
ENGINES = (REFERENCE, PYTHON, NATIVE)


class Configuration:
    """Rules, board, players, cards and options of one table.

    players: how many. cards: names of the scoring cards in play. options: values that
    differ from their defaults; KeyError for a card or option that does not exist. engine: which
    one answers for states; ValueError if there is none of that name. linking: how the reference
    evaluates expressions, for tools that watch them. TypeError for a value of another type,
    TableMismatch for a board that was laid for other rules.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        board: Board,
        players: int,
        cards: tuple[str, ...] = (),
        options: Mapping[str, bool | int] | None = None,
        engine: str = REFERENCE,
        linking: LinkerFactory = default_linker,
    ) -> None:
        if not isinstance(engine, str) or engine not in ENGINES:
            raise ValueError(f"no engine is called {shortened(engine)}: {', '.join(ENGINES)}")
        _check_types(ruleset, board, cards)
        check_board(ruleset, board)
        self.ruleset = ruleset
        self.board = board
        self.players: int = check_players(players)
        self.cards = cards
        self.options: dict[str, bool | int] = check_options(ruleset, options or {})
        self.engine = engine
        self.card_indexes: tuple[int, ...] = tuple(_card_index(ruleset, card) for card in cards)
        self.cache: dict[Any, Any] = {}
        self._machine = machine_of(ruleset, players, self.card_indexes, self.options, linking)
        self.plan: Plan = self._machine.plan
        self.choices: LegalHexes = self._machine.choices
        plan = self.plan.with_cards(self.card_indexes)
        self.scoring: Scoring = Scoring(plan, board, self.card_indexes)

    @cached_property
    def fingerprint(self) -> Fingerprint:
        """What makes this table, for telling its states and saves from those of another."""
        return fingerprint_of(self, cards_beside(self.ruleset.catalog, self.card_indexes))

    def __deepcopy__(self, _known: object) -> Self:
        """Itself: nothing of it changes, and copies of what plays on it share it."""
        return self

    def view(self, state: State, me: int, env: Mapping[str, Any]) -> View:
        """The table as a player sees it; for whoever asks words outside of play."""
        return View(self.board, state, me, self.plan.with_cards(self.card_indexes), env)

    def empty(self) -> Draft:
        """A draft of the table before set-up: full supplies, full places, a full deck."""
        catalog = self.ruleset.catalog
        counts = tuple(card.count for card in catalog.deck)
        no_cards = (0,) * len(counts)
        draft = draft_of(_BLANK)
        draft.seats = (self._empty_seat(),) * self.players
        draft.neutral = (0,) * len(catalog.pieces)
        draft.stock = tuple(self._place_stock(hex) for hex in self.board.places)
        draft.piles = (counts, no_cards, no_cards)
        draft.memory = (0,) * len(self.ruleset.memories)
        draft.beside = mask_of(cards_beside(self.ruleset.catalog, self.card_indexes))
        return draft

    def _empty_seat(self) -> Seat:
        pieces = self.ruleset.catalog.pieces
        supply = tuple(0 if piece.neutral else piece.supply for piece in pieces)
        memory = (0,) * len(self.ruleset.memories)
        return Seat((0,) * len(pieces), 0, supply, (), (), memory, 0)

    def _place_stock(self, hex: int) -> tuple[int, ...]:
        kind = self.board.tiles[hex]
        return (kind,) * self.ruleset.catalog.tiles[kind].each


def check_game(game: object) -> None:
    """Raise TypeError for what is no game."""
    if not isinstance(game, Configuration):
        raise TypeError(f"a game is wanted, as `new_game` returns it, not {shortened(game)}")


def _check_types(ruleset: object, board: object, cards: object) -> None:
    """Raise TypeError for what is no rule set, no board or no sequence of cards."""
    if not isinstance(ruleset, Ruleset):
        raise TypeError(f"a rule set is wanted, as `load` returns it, not {shortened(ruleset)}")
    if not isinstance(board, Board):
        raise TypeError(f"a board is wanted, as `game.board` is one, not {shortened(board)}")
    if isinstance(cards, str) or not isinstance(cards, Sequence):
        raise TypeError(f"cards are a tuple of names, not {shortened(cards)}")


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
    "cut": 0,
    "further": 0,
    "beside": 0,
    "retired": 0,
    "cache": None,
}
_BLANK = _blank()

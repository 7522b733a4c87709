"""The check of all names and moves that a scenario writes; it needs a board, but no game.

`setup.game` checks players, cards, options and the board.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from kbrules.game.board import Board
from kbrules.library.yaml import Loc
from kbrules.scenario.setup.resolver import NOBODY, PLAYERS, TABLE, NameResolver

if TYPE_CHECKING:
    from kbrules.scenario.format.expectations import (
        ExpectedStateModel,
        ExpectModel,
        PartialOfferModel,
        TileModel,
    )
    from kbrules.scenario.format.models import NeutralPiecesModel, SeatModel

Memory = Mapping[str, int | Sequence[str]]


def check_names(resolver: NameResolver, board: Board | None) -> None:
    """Resolve every name of a scenario, hexes only with a board; it collects the findings."""
    check = _NameCheck(resolver, board)
    check.position()
    check.turn()
    check.steps()
    if resolver.scenario.model.expect is not None:
        check.expectation(resolver.scenario.model.expect, ("expect",))


class _NameCheck:
    def __init__(self, resolver: NameResolver, board: Board | None) -> None:
        self._resolver = resolver
        self._scenario = resolver.scenario
        self._board = board

    # the position

    def position(self) -> None:
        """Check the position."""
        position = self._scenario.model.position
        for letter in PLAYERS:
            seat = getattr(position, letter)
            if seat is not None:
                self._resolver.player(letter, self._scenario.where_key("position", letter))
                self._seat(seat, ("position", letter))
        if position.nobody is not None:
            self._pieces(position.nobody, ("position", NOBODY))
        self._hex_keys(position.left, ("position", "left"))
        self._card_keys(position.deck or {}, ("position", "deck"))
        self._card_keys(position.discards, ("position", "discards"))
        self._resolver.scoring_cards(position.beside or (), "position", "beside")
        self._resolver.scoring_cards(position.retired, "position", "retired")
        self._memory(TABLE, position.memory, ("position", "memory"))

    def _seat(self, seat: SeatModel, at: Loc) -> None:
        self._pieces(seat, at)
        for index, held in enumerate(seat.tiles):
            self._tile(held, (*at, "tiles", index))
        self._piece_keys(seat.supply, (*at, "supply"))
        self._resolver.cards(seat.hand, *at, "hand")
        self._memory("player", seat.memory, (*at, "memory"))

    def _tile(self, held: str | TileModel | Mapping[str, str], at: Loc) -> None:
        if isinstance(held, str):
            self._resolver.tile(held, self._scenario.where(*at))
        elif isinstance(held, Mapping):
            for id in held:
                self._resolver.tile(id, self._scenario.where_key(*at, id))
        else:
            self._resolver.tile(held.tile, self._scenario.where(*at, "tile"))
            self._hexes(() if held.origin is None else (held.origin,), (*at, "from"))

    def _pieces(self, owner: NeutralPiecesModel, at: Loc) -> None:
        self._piece_keys(owner.pieces, (*at, "pieces"))
        for id, hexes in owner.pieces.items():
            self._hexes(hexes, (*at, "pieces", id))

    def turn(self) -> None:
        """Check the player in turn, the cards face up and the rules done."""
        turn = self._scenario.model.turn
        self._resolver.player(turn.player, self._scenario.where("turn", "player"))
        if isinstance(turn.played, str):
            self._resolver.card(turn.played, self._scenario.where("turn", "played"))
        else:
            self._resolver.cards(turn.played, "turn", "played")
        for index, id in enumerate(turn.done):
            self._resolver.rule(id, self._scenario.where("turn", "done", index))

    # the steps

    def steps(self) -> None:
        """Check moves, draws, and expectations between them."""
        for index, step in enumerate(self._scenario.model.steps):
            at = ("steps", index)
            if isinstance(step, str):
                self._resolver.move(self._board, step, at)
            elif step.move is not None:
                self._resolver.move(self._board, step.move, (*at, "move"))
            elif step.draw is not None:
                self._resolver.card(step.draw, self._scenario.where(*at, "draw"))
            elif step.expect is not None:
                self.expectation(step.expect, (*at, "expect"))

    # the expectations

    def expectation(self, expect: ExpectModel, at: Loc) -> None:
        """Check an expectation."""
        self._expected_state(expect, at)
        for key in ("reachable", "unreachable"):
            search = getattr(expect, key)
            if search is not None:
                self._expected_state(search, (*at, key))

    def _expected_state(self, expect: ExpectedStateModel, at: Loc) -> None:
        self._decision(expect, at)
        self._components(expect, at)
        for key in ("tiles", "gold", "numbers", "supply", "pieces", "hand", "memory"):
            for letter in getattr(expect, key):
                if letter in PLAYERS:
                    self._resolver.player(letter, self._scenario.where_key(*at, key, letter))
        for letter, gold in expect.gold.items():
            for id in gold if not isinstance(gold, int) else ():
                where = self._scenario.where_key(*at, "gold", letter, id)
                self._resolver.scoring_rule(id, self._scenario.model.cards, where)

    def _decision(self, expect: ExpectedStateModel, at: Loc) -> None:
        for action, offer in expect.offered.items():
            rule, *verbs = action.split()
            key = self._scenario.where_key(*at, "offered", action)
            self._resolver.rule(rule, key)
            for verb in verbs:
                self._resolver.verb(verb, key)
            self._offer(offer, (*at, "offered", action))
        for index, id in enumerate(expect.choices or ()):
            self._resolver.choice(id, self._scenario.where(*at, "choices", index))
        for index, entry in enumerate(expect.refused):
            loc = (*at, "refused", index)
            if isinstance(entry, str):
                self._resolver.move(self._board, entry, loc)
                continue
            self._resolver.move(self._board, entry.move, (*loc, "move"))
            if entry.because:
                self._resolver.rule(entry.because, self._scenario.where(*loc, "because"))

    def _offer(self, offer: str | tuple[str, ...] | PartialOfferModel, at: Loc) -> None:
        if isinstance(offer, tuple):
            self._hexes(offer, at)
        elif not isinstance(offer, str):
            self._hexes(offer.includes, (*at, "includes"))
            self._hexes(offer.excludes, (*at, "excludes"))

    def _components(self, expect: ExpectedStateModel, at: Loc) -> None:
        for letter, tiles in expect.tiles.items():
            for index, entry in enumerate(tiles):
                self._tile(entry, (*at, "tiles", letter, index))
        self._hex_keys(expect.left, (*at, "left"))
        for letter, values in expect.numbers.items():
            for id in values:
                self._resolver.number(id, self._scenario.where_key(*at, "numbers", letter, id))
        for letter, counts in expect.supply.items():
            self._piece_keys(counts, (*at, "supply", letter))
        for letter, lists in expect.pieces.items():
            self._piece_keys(lists, (*at, "pieces", letter))
            for id, hexes in lists.items():
                self._hexes(hexes, (*at, "pieces", letter, id))
        for letter, cards in expect.hand.items():
            self._resolver.cards(cards, *at, "hand", letter)
        self._resolver.cards(expect.shown or (), *at, "shown")
        self._card_keys(expect.deck, (*at, "deck"))
        self._card_keys(expect.discards, (*at, "discards"))
        self._resolver.scoring_cards(expect.beside or (), *at, "beside")
        self._resolver.scoring_cards(expect.retired or (), *at, "retired")
        for letter, memory in expect.memory.items():
            scope = TABLE if letter == TABLE else "player"
            self._memory(scope, memory, (*at, "memory", letter))

    # lists and keys

    def _hexes(self, hexes: Sequence[str], at: Loc) -> None:
        if self._board is not None:
            self._resolver.hexes(self._board, hexes, *at)

    def _hex_keys(self, hexes: Mapping[str, object], at: Loc) -> None:
        for name in hexes if self._board is not None else ():
            assert self._board is not None
            self._resolver.hex(self._board, name, self._scenario.where_key(*at, name))

    def _piece_keys(self, ids: Mapping[str, object], at: Loc) -> None:
        for id in ids:
            self._resolver.piece(id, self._scenario.where_key(*at, id))

    def _card_keys(self, cards: Mapping[str, object], at: Loc) -> None:
        for name in cards:
            self._resolver.card(name, self._scenario.where_key(*at, name))

    def _memory(self, scope: str, values: Memory, at: Loc) -> None:
        for id, value in values.items():
            self._resolver.memory(id, scope, self._scenario.where_key(*at, id))
            if not isinstance(value, int):
                self._hexes(value, (*at, id))

"""Names and moves as a scenario writes them, looked up without a game: all that are wrong.

What stands in the setting (players, cards, options, board) is looked up where that is made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from kbrules.game.board import Board
from kbrules.library.document import Loc
from kbrules.scenario.names import NOBODY, PLAYERS, Names

if TYPE_CHECKING:
    from kbrules.scenario.expected import ExpectModel, HoldsModel, SomeModel, TileModel
    from kbrules.scenario.models import NobodyModel, SeatModel

__all__ = ["look_up"]

Memory = Mapping[str, int | Sequence[str]]
TABLE = "table"


def look_up(names: Names, board: Board | None) -> None:
    """Look up every name of a scenario, with a board also hexes; the names note what is wrong."""
    spelling = _Spelling(names, board)
    spelling.position()
    spelling.turn()
    spelling.steps()
    if names.case.model.expect is not None:
        spelling.expected(names.case.model.expect, ("expect",))


class _Spelling:
    def __init__(self, names: Names, board: Board | None) -> None:
        self._names = names
        self._case = names.case
        self._board = board

    # what is set up

    def position(self) -> None:
        """Names in the position."""
        position = self._case.model.position
        for letter in PLAYERS:
            seat = getattr(position, letter)
            if seat is not None:
                self._names.player(letter, self._case.key("position", letter))
                self._seat(seat, ("position", letter))
        if position.nobody is not None:
            self._pieces(position.nobody, ("position", NOBODY))
        self._hex_keys(position.left, ("position", "left"))
        self._card_keys(position.deck or {}, ("position", "deck"))
        self._card_keys(position.discards, ("position", "discards"))
        self._memory(TABLE, position.memory, ("position", "memory"))

    def _seat(self, seat: SeatModel, at: Loc) -> None:
        self._pieces(seat, at)
        for index, held in enumerate(seat.tiles):
            self._tile(held, (*at, "tiles", index))
        self._piece_keys(seat.supply, (*at, "supply"))
        self._names.cards(seat.hand, *at, "hand")
        self._memory("player", seat.memory, (*at, "memory"))

    def _tile(self, held: str | TileModel | Mapping[str, str], at: Loc) -> None:
        if isinstance(held, str):
            self._names.tile(held, self._case.span(*at))
        elif isinstance(held, Mapping):
            for id in held:
                self._names.tile(id, self._case.key(*at, id))
        else:
            self._names.tile(held.tile, self._case.span(*at, "tile"))
            self._hexes(() if held.origin is None else (held.origin,), (*at, "from"))

    def _pieces(self, owner: NobodyModel, at: Loc) -> None:
        self._piece_keys(owner.pieces, (*at, "pieces"))
        for id, hexes in owner.pieces.items():
            self._hexes(hexes, (*at, "pieces", id))

    def turn(self) -> None:
        """Names of who is in turn, of cards face up and of what is done."""
        turn = self._case.model.turn
        self._names.player(turn.player, self._case.span("turn", "player"))
        if isinstance(turn.played, str):
            self._names.card(turn.played, self._case.span("turn", "played"))
        else:
            self._names.cards(turn.played, "turn", "played")
        for index, id in enumerate(turn.done):
            self._names.rule(id, self._case.span("turn", "done", index))

    # what is done

    def steps(self) -> None:
        """Moves, draws, and what is expected on the way."""
        for index, step in enumerate(self._case.model.steps):
            at = ("steps", index)
            if isinstance(step, str):
                self._names.move(self._board, step, at)
            elif step.move is not None:
                self._names.move(self._board, step.move, (*at, "move"))
            elif step.draw is not None:
                self._names.card(step.draw, self._case.span(*at, "draw"))
            elif step.expect is not None:
                self.expected(step.expect, (*at, "expect"))

    # what is expected

    def expected(self, expect: ExpectModel, at: Loc) -> None:
        """Names in what is expected at some point."""
        self._holds(expect, at)
        for key in ("reachable", "unreachable"):
            within = getattr(expect, key)
            if within is not None:
                self._holds(within, (*at, key))

    def _holds(self, expect: HoldsModel, at: Loc) -> None:
        self._decision(expect, at)
        self._holdings(expect, at)
        for key in ("tiles", "gold", "numbers", "supply", "pieces", "hand", "memory"):
            for letter in getattr(expect, key):
                if letter in PLAYERS:
                    self._names.player(letter, self._case.key(*at, key, letter))
        for letter, gold in expect.gold.items():
            for id in gold if not isinstance(gold, int) else ():
                span = self._case.key(*at, "gold", letter, id)
                self._names.paying(id, self._case.model.cards, span)

    def _decision(self, expect: HoldsModel, at: Loc) -> None:
        for asked, offer in expect.offered.items():
            rule, *verbs = asked.split()
            key = self._case.key(*at, "offered", asked)
            self._names.rule(rule, key)
            for verb in verbs:
                self._names.verb(verb, key)
            self._offer(offer, (*at, "offered", asked))
        for index, id in enumerate(expect.choices or ()):
            self._names.choice(id, self._case.span(*at, "choices", index))
        for index, entry in enumerate(expect.refused):
            loc = (*at, "refused", index)
            if isinstance(entry, str):
                self._names.move(self._board, entry, loc)
                continue
            self._names.move(self._board, entry.move, (*loc, "move"))
            if entry.because:
                self._names.rule(entry.because, self._case.span(*loc, "because"))

    def _offer(self, offer: str | tuple[str, ...] | SomeModel, at: Loc) -> None:
        if isinstance(offer, tuple):
            self._hexes(offer, at)
        elif not isinstance(offer, str):
            self._hexes(offer.includes, (*at, "includes"))
            self._hexes(offer.excludes, (*at, "excludes"))

    def _holdings(self, expect: HoldsModel, at: Loc) -> None:
        for letter, tiles in expect.tiles.items():
            for index, entry in enumerate(tiles):
                self._tile(entry, (*at, "tiles", letter, index))
        self._hex_keys(expect.left, (*at, "left"))
        for letter, values in expect.numbers.items():
            for id in values:
                self._names.number(id, self._case.key(*at, "numbers", letter, id))
        for letter, counts in expect.supply.items():
            self._piece_keys(counts, (*at, "supply", letter))
        for letter, lists in expect.pieces.items():
            self._piece_keys(lists, (*at, "pieces", letter))
            for id, hexes in lists.items():
                self._hexes(hexes, (*at, "pieces", letter, id))
        for letter, cards in expect.hand.items():
            self._names.cards(cards, *at, "hand", letter)
        self._names.cards(expect.shown or (), *at, "shown")
        self._card_keys(expect.deck, (*at, "deck"))
        self._card_keys(expect.discards, (*at, "discards"))
        for letter, memory in expect.memory.items():
            scope = TABLE if letter == TABLE else "player"
            self._memory(scope, memory, (*at, "memory", letter))

    # lists and keys

    def _hexes(self, hexes: Sequence[str], at: Loc) -> None:
        if self._board is not None:
            self._names.hexes(self._board, hexes, *at)

    def _hex_keys(self, names: Mapping[str, object], at: Loc) -> None:
        for name in names if self._board is not None else ():
            assert self._board is not None
            self._names.hex(self._board, name, self._case.key(*at, name))

    def _piece_keys(self, ids: Mapping[str, object], at: Loc) -> None:
        for id in ids:
            self._names.piece(id, self._case.key(*at, id))

    def _card_keys(self, names: Mapping[str, object], at: Loc) -> None:
        for name in names:
            self._names.card(name, self._case.key(*at, name))

    def _memory(self, scope: str, values: Memory, at: Loc) -> None:
        for id, value in values.items():
            self._names.memory(id, scope, self._case.key(*at, id))
            if not isinstance(value, int):
                self._hexes(value, (*at, id))

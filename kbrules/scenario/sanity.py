"""What play could not have led to: pieces, tiles and cards that do not add up.

`unchecked: yes` in a scenario says that this is meant.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.game.state import Draft
from kbrules.hex.masks import bits
from kbrules.library.document import Loc
from kbrules.library.pools import surplus
from kbrules.library.positions import drawn_tiles
from kbrules.scenario.names import PLAYERS
from kbrules.scenario.setting import Setting
from kbrules.text import Span

__all__ = ["Laid", "doubts"]

_ANYHOW = "say `unchecked: yes` if it is meant"
_WAYS = ("build", "move", "place")  # in which a piece comes to a hex


@dataclass(slots=True)
class Laid:
    """A draft, and where the scenario says what lies on it.

    where: by hex; drawn pieces are not in it. crowded: hexes given to a second piece. held:
    (player, kind of tile, the hex it comes from, place in the scenario).
    """

    draft: Draft
    where: dict[int, Loc] = field(default_factory=dict)
    crowded: list[tuple[int, Loc]] = field(default_factory=list)
    held: list[tuple[int, int, int, Loc]] = field(default_factory=list)


def doubts(setting: Setting, laid: Laid) -> list[Diagnostic]:
    """All that play could not have led to."""
    sanity = _Sanity(setting, laid)
    return [
        *sanity.crowds(), *sanity.closed(), *sanity.supplies(), *sanity.neutrals(),
        *sanity.tiles(), *sanity.stocks(), *sanity.copies(), *sanity.cards(),
    ]  # fmt: skip


class _Sanity:
    def __init__(self, setting: Setting, laid: Laid) -> None:
        self._case = setting.names.case
        self._game = setting.game
        self._board = setting.game.board
        self._catalog = setting.game.board.catalog
        self._laid = laid
        self._draft = laid.draft

    def _doubt(self, span: Span, message: str, help: str = _ANYHOW) -> Diagnostic:
        return Diagnostic("KB504", span, message, help)

    def crowds(self) -> Iterator[Diagnostic]:
        """Two pieces on a hex."""
        for hex, loc in self._laid.crowded:
            message = f"another piece is on {self._board.grid.name(hex)}"
            yield self._doubt(self._case.span(*loc), message)

    def closed(self) -> Iterator[Diagnostic]:
        """Pieces where no piece can come, even if the board were empty."""
        closed = self._board.grid.full
        view = self._game.view(self._game.empty(), 0, {})
        for verb in _WAYS:
            closed &= self._game.program.forbidden(view, verb)
        for hex in bits(self._draft.occupied & closed):
            kind = self._catalog.hexes[self._board.kind_at(hex)].title
            message = f"no piece can come to {self._board.grid.name(hex)}, which is a {kind}"
            yield self._doubt(self._where(hex), message)

    def _where(self, hex: int) -> Span:
        loc = self._laid.where.get(hex)
        return self._case.span(*loc) if loc is not None else self._case.key("board", "drawing")

    def supplies(self) -> Iterator[Diagnostic]:
        """Pieces on the board and in the supply that are not as many as the box has."""
        for player, seat in enumerate(self._draft.seats):
            for piece, kind in enumerate(self._catalog.pieces):
                if kind.neutral:
                    continue
                on, left = seat.pieces[piece].bit_count() // kind.size, seat.supply[piece]
                if on + left != kind.supply:
                    who = PLAYERS[player]
                    message = (
                        f"{who} has {on} of {quoted(kind.id)} on the board and {left} left, "
                        f"but there are {kind.supply}"
                    )
                    yield self._doubt(self._pieces_span(who, kind.id), message)

    def _pieces_span(self, who: str, id: str) -> Span:
        """Where a player's pieces are counted: their supply, their list, or the drawing."""
        position = self._case.model.position
        seat = getattr(position, who)
        if seat is not None and id in seat.supply:
            return self._case.span("position", who, "supply", id)
        if seat is not None and id in seat.pieces:
            return self._case.key("position", who, "pieces", id)
        return self._case.key("board", "drawing")

    def neutrals(self) -> Iterator[Diagnostic]:
        """More pieces of nobody than there are."""
        for piece, kind in enumerate(self._catalog.pieces):
            on = self._draft.neutral[piece].bit_count() // kind.size
            if kind.neutral and on > kind.supply:
                loc = "position", "nobody", "pieces", kind.id
                message = f"{on} of {quoted(kind.id)} are on the board, but there are {kind.supply}"
                yield self._doubt(self._case.key(*loc), message)

    def tiles(self) -> Iterator[Diagnostic]:
        """Tiles from a hex that is no place of theirs, or that no piece of the holder touches."""
        for player, kind, hex, loc in self._laid.held:
            tile = self._catalog.tiles[kind]
            if not tile.place:
                continue
            span = self._case.span(*loc)
            if self._board.tiles.get(hex) != kind:
                yield self._nowhere(tile.id, hex, span)
            elif not self._board.grid.neighbours(1 << hex) & self._draft.seats[player].all:
                name = self._board.grid.name(hex)
                message = f"no piece of {PLAYERS[player]} touches {name}, where the tile comes from"
                yield self._doubt(span, message)

    def _nowhere(self, id: str, hex: int, span: Span) -> Diagnostic:
        if self._board.grid.full >> hex & 1:
            message = f"{self._board.grid.name(hex)} is no place of {quoted(id)}"
            return self._doubt(span, message)
        message = f"no place of {quoted(id)} is on this board"
        return self._doubt(span, message, f"draw it by a digit of the `legend`, or {_ANYHOW}")

    def stocks(self) -> Iterator[Diagnostic]:
        """More tiles of a place than it has."""
        origins = [hex for _, _, hex, _ in self._laid.held]
        for hex, left in zip(self._board.places, self._draft.stock, strict=True):
            each = self._catalog.tiles[self._board.tiles[hex]].each
            held = origins.count(hex)
            if len(left) + held > each:
                name = self._board.grid.name(hex)
                message = f"{len(left)} left and {held} held of {name}, but there are {each}"
                yield self._doubt(self._stock_span(hex, name), message)

    def _stock_span(self, hex: int, name: str) -> Span:
        if name in self._case.model.position.left:
            return self._case.span("position", "left", name)
        return self._case.span(*[loc for *_, origin, loc in self._laid.held if origin == hex][-1])

    def copies(self) -> Iterator[Diagnostic]:
        """A tile drawn by chance that lies on more places than there are copies of it."""
        laid = drawn_tiles(self._board).items()
        lying = {self._board.grid.name(hex): self._catalog.tiles[tile].id for hex, tile in laid}
        board = self._case.model.board
        key = "tiles" if board is not None and board.tiles else "drawing"
        for message in surplus(self._catalog, lying).values():
            yield self._doubt(self._case.key("board", key), message)

    def cards(self) -> Iterator[Diagnostic]:
        """More terrain cards of a kind than there are."""
        for card, kind in enumerate(self._catalog.deck):
            hands = sum(seat.hand.count(card) for seat in self._draft.seats)
            total = hands + self._draft.shown.count(card) + sum(p[card] for p in self._draft.piles)
            if total > kind.count:
                name = self._catalog.card_name(card)
                message = f"{total} cards {quoted(name)} are in play, but there are {kind.count}"
                yield self._doubt(self._card_span(name, card), message)

    def _card_span(self, name: str, card: int) -> Span:
        """The likeliest place of one card too many."""
        model = self._case.model
        for pile in ("deck", "discards"):
            if name in (getattr(model.position, pile) or ()):
                return self._case.span("position", pile, name)
        for player, seat in enumerate(self._draft.seats):
            if card in seat.hand:
                return self._case.span("position", PLAYERS[player], "hand")
        return self._case.span("turn", "played")

"""The consistency of a position: pieces, tiles and cards that play could not have led to.

`unchecked: yes` in a scenario turns the check off.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.engine.game import Game
from kbrules.game.events import TurnEnded
from kbrules.game.moves import Move
from kbrules.game.state import FRESH, Draft, State
from kbrules.hex.sets import bits
from kbrules.library.boards import positions, tables
from kbrules.library.yaml import Loc
from kbrules.scenario.reader import PLAYERS, NameResolver, Where
from kbrules.text import Span

_UNCHECKED = "say `unchecked: yes` if it is meant"
_ORIGIN = "say its place by `from`, drawn by a digit of the `legend`, or end before the turn does"
_VERBS = ("build", "move", "place")  # by which a piece comes to a hex


@dataclass(slots=True)
class LocatedDraft:
    """A draft, and the places of the scenario that say what lies on it.

    pieces: by hex, without those of the drawing. crowded: hexes given to a second piece. tiles:
    (player, kind of tile, the hex it comes from, place in the scenario).
    """

    draft: Draft
    pieces: dict[int, Loc] = field(default_factory=dict)
    crowded: list[tuple[int, Loc]] = field(default_factory=list)
    tiles: list[tuple[int, int, int, Loc]] = field(default_factory=list)


def inconsistencies(resolver: NameResolver, game: Game, located: LocatedDraft) -> list[Diagnostic]:
    """All findings about a position that play could not have led to."""
    check = _Consistency(resolver, game, located)
    return [
        *check.crowded_hexes(), *check.closed_hexes(), *check.supplies(), *check.neutral_pieces(),
        *check.tile_origins(), *check.stocks(), *check.tile_copies(), *check.cards(),
    ]  # fmt: skip


def _finding(span: Span, message: str, help: str = _UNCHECKED) -> Diagnostic:
    return Diagnostic("KB504", span, message, help)


class _Consistency:
    def __init__(self, resolver: NameResolver, game: Game, located: LocatedDraft) -> None:
        self._position = resolver.position
        self._written = resolver.written
        self._game = game
        self._board = game.board
        self._catalog = game.board.catalog
        self._located = located
        self._draft = located.draft

    def crowded_hexes(self) -> Iterator[Diagnostic]:
        """Find two pieces on a hex."""
        for hex, loc in self._located.crowded:
            message = f"another piece is on {self._board.grid.name(hex)}"
            yield _finding(self._written.span(*loc), message)

    def closed_hexes(self) -> Iterator[Diagnostic]:
        """Find pieces where no piece can come, even on an empty board."""
        closed = self._board.grid.full
        view = self._game.view(self._game.empty(), 0, {})
        for verb in _VERBS:
            closed &= self._game.plan.forbidden(view, verb)
        for hex in bits(self._draft.occupied & closed):
            kind = self._catalog.hexes[self._board.kind_at(hex)].title
            message = f"no piece can come to {self._board.grid.name(hex)}, which is a {kind}"
            loc = self._located.pieces.get(hex)
            drawing = self._written.key("board", "drawing")
            yield _finding(drawing if loc is None else self._written.span(*loc), message)

    def supplies(self) -> Iterator[Diagnostic]:
        """Find pieces on the board and in the supply that are not as many as the box has."""
        for player, seat in enumerate(self._draft.seats):
            for piece, kind in enumerate(self._catalog.pieces):
                if kind.neutral:
                    continue
                on_board, left = seat.pieces[piece].bit_count() // kind.size, seat.supply[piece]
                if on_board + left != kind.supply:
                    who = PLAYERS[player]
                    message = (
                        f"{who} has {on_board} of {quoted(kind.id)} on the board and {left} left, "
                        f"but there are {kind.supply}"
                    )
                    yield _finding(self._supply_span(who, kind.id), message)

    def _supply_span(self, who: str, id: str) -> Span:
        """Where a player's pieces are written: their supply, their list, or the drawing."""
        seat = self._position.seat(who)
        if id in seat.supply:
            return self._written.span("position", who, "supply", id)
        if id in seat.pieces:
            return self._written.key("position", who, "pieces", id)
        return self._written.key("board", "drawing")

    def neutral_pieces(self) -> Iterator[Diagnostic]:
        """Find more pieces of nobody than there are."""
        for piece, kind in enumerate(self._catalog.pieces):
            on_board = self._draft.neutral[piece].bit_count() // kind.size
            if kind.neutral and on_board > kind.supply:
                loc = "position", "nobody", "pieces", kind.id
                message = (
                    f"{on_board} of {quoted(kind.id)} are on the board, but there are {kind.supply}"
                )
                yield _finding(self._written.key(*loc), message)

    def tile_origins(self) -> Iterator[Diagnostic]:
        """Find tiles from a hex that is no place of theirs or that the holder does not touch."""
        for player, kind, hex, loc in self._located.tiles:
            tile = self._catalog.tiles[kind]
            if not tile.place:
                continue
            span = self._written.span(*loc)
            if self._board.tiles.get(hex) != kind:
                yield self._wrong_origin(tile.id, hex, span)
            elif not self._board.grid.neighbours(1 << hex) & self._draft.seats[player].all:
                name = self._board.grid.name(hex)
                message = f"no piece of {PLAYERS[player]} touches {name}, where the tile comes from"
                yield _finding(span, message)

    def _wrong_origin(self, id: str, hex: int, span: Span) -> Diagnostic:
        if self._board.grid.full >> hex & 1:
            message = f"{self._board.grid.name(hex)} is no place of {quoted(id)}"
            return _finding(span, message)
        message = f"no place of {quoted(id)} is on this board"
        return _finding(span, message, f"draw it by a digit of the `legend`, or {_UNCHECKED}")

    def stocks(self) -> Iterator[Diagnostic]:
        """Find more tiles of a place than it has."""
        origins = [hex for _, _, hex, _ in self._located.tiles]
        for hex, left in zip(self._board.places, self._draft.stock, strict=True):
            each = self._catalog.tiles[self._board.tiles[hex]].each
            held = origins.count(hex)
            if len(left) + held > each:
                name = self._board.grid.name(hex)
                message = f"{len(left)} left and {held} held of {name}, but there are {each}"
                holders = [loc for *_, origin, loc in self._located.tiles if origin == hex]
                is_said = name in self._position.left
                loc = ("position", "left", name) if is_said else holders[-1]
                yield _finding(self._written.span(*loc), message)

    def tile_copies(self) -> Iterator[Diagnostic]:
        """Find a tile laid by chance on more places than it has copies."""
        drawn = positions.drawn_tiles(self._board).items()
        tiles = {self._board.grid.name(hex): self._catalog.tiles[tile].id for hex, tile in drawn}
        board = self._position.board
        key = "tiles" if board is not None and board.tiles else "drawing"
        for message in tables.surplus(self._catalog, tiles).values():
            yield _finding(self._written.key("board", key), message)

    def cards(self) -> Iterator[Diagnostic]:
        """Find more terrain cards of a kind than there are."""
        for card, kind in enumerate(self._catalog.deck):
            hands = sum(seat.hand.count(card) for seat in self._draft.seats)
            total = hands + self._draft.shown.count(card) + sum(p[card] for p in self._draft.piles)
            if total > kind.count:
                name = self._catalog.card_name(card)
                message = f"{total} cards {quoted(name)} are in play, but there are {kind.count}"
                yield _finding(self._card_span(name, card), message)

    def _card_span(self, name: str, card: int) -> Span:
        """The most likely place of one card too many."""
        for pile in ("deck", "discards"):
            if name in (getattr(self._position, pile) or ()):
                return self._written.span("position", pile, name)
        for player, seat in enumerate(self._draft.seats):
            if card in seat.hand:
                return self._written.span("position", PLAYERS[player], "hand")
        return self._written.span("turn", "played")


# Tiles that came from no place


def tile_origin_finding(game: Game, state: State, move: Move, where: Where) -> Diagnostic | None:
    """The finding about a move that ends a turn whose player holds such a tile; None if it is good.

    Rules take tiles away by the places they came from. The check is for tiles that chance lays on
    places: they serve for a time, while others are lost where something leaves their place.
    """
    if not any(_without_origin(game, state, player) for player in range(game.players)):
        return None
    transition = game.play(state, move)
    for event in transition.events:
        if not isinstance(event, TurnEnded):
            continue
        tile = _without_origin(game, transition.state, event.player)
        if tile:
            message = f"{PLAYERS[event.player]}'s turn ends, and {quoted(tile)} came from no place"
            return _finding(where(), message, _ORIGIN)
    return None


def _without_origin(game: Game, state: State, player: int) -> str:
    """The first tile of chance, not fresh, that a player holds and that came from no place."""
    for tile in state.seats[player].tiles:
        kind = game.board.catalog.tiles[tile.kind]
        is_on_board = tile.origin >= 0 and game.board.grid.full >> tile.origin & 1
        if kind.place and kind.copies and not is_on_board and tile.status != FRESH:
            return kind.id
    return ""

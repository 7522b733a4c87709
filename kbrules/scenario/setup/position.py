"""The position of a scenario, built on a draft and brought to its first decision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from kbrules.diagnostics import quoted
from kbrules.game.draft_changes import set_seat, with_item
from kbrules.game.state import READY, State, Tile
from kbrules.hex.masks import Mask, bits, lowest
from kbrules.library.yaml import Loc
from kbrules.scenario.setup.consistency import LocatedDraft, inconsistencies
from kbrules.scenario.setup.game import GameSetup
from kbrules.scenario.setup.position_edits import add_tile, derive_memories, place_pieces
from kbrules.scenario.setup.resolver import NOBODY, PLAYERS, TABLE
from kbrules.scenario.setup.turn import set_turn

if TYPE_CHECKING:
    from kbrules.scenario.format.models import NeutralPiecesModel, SeatModel


def build_position(setup: GameSetup) -> State | None:
    """The state a scenario begins in; None if anything is wrong, with findings in its resolver.

    Consistency is checked only where nothing else is wrong: the cause may be the same.
    """
    resolver = setup.resolver
    located = _PositionBuilder(setup).build()
    if not resolver.findings and not resolver.scenario.model.unchecked:
        resolver.add(*inconsistencies(setup, located))
    begins_turn = resolver.scenario.model.turn.stage == "start"
    return None if resolver.findings else setup.game.run_to_decision(located.draft, begins_turn)


class _PositionBuilder:
    def __init__(self, setup: GameSetup) -> None:
        self._resolver = setup.resolver
        self._scenario = setup.resolver.scenario
        self._game = setup.game
        self._board = setup.game.board
        self._drawn_pieces = setup.pieces
        self._located = LocatedDraft(setup.game.empty())
        self._draft = self._located.draft

    def build(self) -> LocatedDraft:
        """Set everything, pieces first: the rest may depend on them."""
        position = self._scenario.model.position
        seats = dict(self._seats())
        self._place_drawn()
        if position.nobody is not None:
            self._place_listed(-1, position.nobody, NOBODY)
        for player, seat in seats.items():
            self._place_listed(player, seat, PLAYERS[player])
        for player, seat in seats.items():
            self._add_tiles(player, seat)
        derive_memories(self._game, self._draft)
        for player, seat in seats.items():
            self._set_seat(player, seat)
        self._set_stock(position.left)
        self._set_scoring_cards(position.beside, position.retired)
        for slot, value in self._memory(TABLE, position.memory, ("position", "memory")):
            self._draft.memory = with_item(self._draft.memory, slot, value)
        set_turn(self._resolver, self._game, self._draft)
        return self._located

    def _set_scoring_cards(self, beside: Sequence[str] | None, retired: Sequence[str]) -> None:
        bits_of = self._resolver.scoring_cards
        if beside is not None:
            self._draft.beside = bits_of(beside, "position", "beside")
        self._draft.retired = bits_of(retired, "position", "retired")
        self._draft.beside &= ~self._draft.retired

    def _seats(self) -> Iterator[tuple[int, SeatModel]]:
        for letter in PLAYERS:
            seat = getattr(self._scenario.model.position, letter)
            if seat is None:
                continue
            player = self._resolver.player(letter, self._scenario.where_key("position", letter))
            if player >= 0:
                yield player, seat

    # pieces

    def _place_drawn(self) -> None:
        for (owner, piece), hexes in self._drawn_pieces.items():
            if owner < self._resolver.players:
                place_pieces(self._draft, owner, piece, hexes, self._size(piece))
            else:
                self._resolver.player(PLAYERS[owner], self._scenario.where_key("board", "drawing"))

    def _place_listed(self, player: int, seat: NeutralPiecesModel, letter: str) -> None:
        for id, hexes in seat.pieces.items():
            loc = "position", letter, "pieces", id
            piece = self._resolver.piece(id, self._scenario.where_key(*loc))
            if piece < 0 or not self._may_own(player, piece, loc):
                continue
            for index, name in enumerate(hexes):
                self._place(player, piece, name, (*loc, index))

    def _may_own(self, player: int, piece: int, loc: Loc) -> bool:
        kind = self._board.catalog.pieces[piece]
        if kind.neutral == (player < 0):
            return True
        owner = NOBODY if kind.neutral else "a player"
        message = f"the piece {quoted(kind.id)} belongs to {owner}"
        self._resolver.report("KB504", self._scenario.key(*loc), message)
        return False

    def _place(self, player: int, piece: int, name: str, loc: Loc) -> None:
        hex = self._resolver.hex(self._board, name, self._scenario.where(*loc))
        if hex < 0:
            return
        hexes = self._board.covered(piece, 1 << hex)
        if hexes.bit_count() != self._size(piece):
            message = f"a piece around {name} would reach beyond the board"
            self._resolver.report("KB504", self._scenario.span(*loc), message)
            return
        if crowded := self._draft.occupied & hexes:
            self._located.crowded.append((lowest(crowded), loc))
        self._located.pieces.update(dict.fromkeys(bits(hexes), loc))
        is_there = player >= 0 and self._draft.seats[player].pieces[piece] & hexes
        if not is_there:  # the same piece twice on a hex would take two from the supply
            place_pieces(self._draft, player, piece, hexes, self._size(piece))

    def _size(self, piece: int) -> int:
        return self._board.catalog.pieces[piece].size

    # seats

    def _add_tiles(self, player: int, seat: SeatModel) -> None:
        for index, held in enumerate(seat.tiles):
            loc = "position", PLAYERS[player], "tiles", index
            origin, status = (None, READY) if isinstance(held, str) else (held.origin, held.status)
            id, at = (held, loc) if isinstance(held, str) else (held.tile, (*loc, "tile"))
            kind = self._resolver.tile(id, self._scenario.where(*at))
            if kind < 0:
                continue
            if origin is not None:
                hex = self._resolver.hex(self._board, origin, self._scenario.where(*loc, "from"))
            else:
                hex = self._only_origin(player, kind, loc)
            self._located.tiles.append((player, kind, hex, loc))
            add_tile(self._draft, player, Tile(kind, hex, status))

    def _only_origin(self, player: int, kind: int, loc: Loc) -> int:
        """The only place a tile can come from; beyond the board if there is none."""
        origins = [hex for hex, tile in self._board.tiles.items() if tile == kind]
        neighbours = self._board.grid.neighbours(self._draft.seats[player].all)
        adjacent = [hex for hex in origins if neighbours >> hex & 1]
        if len(adjacent) == 1 or len(origins) == 1:
            return (adjacent if len(adjacent) == 1 else origins)[0]
        if origins:
            names = ", ".join(self._board.grid.name(hex) for hex in adjacent or origins)
            message = f"the tile may come from {names}"
            self._resolver.report(
                "KB504", self._scenario.span(*loc), message, "say which by `from`"
            )
        return self._board.grid.full.bit_length()

    def _set_seat(self, player: int, seat: SeatModel) -> None:
        letter = PLAYERS[player]
        old = self._draft.seats[player]
        supply, memory = list(old.supply), old.memory
        for id, count in seat.supply.items():
            where = self._scenario.where_key("position", letter, "supply", id)
            piece = self._resolver.piece(id, where)
            if piece >= 0:
                supply[piece] = count
        for slot, value in self._memory("player", seat.memory, ("position", letter, "memory")):
            memory = with_item(memory, slot, value)
        hand = self._resolver.cards(seat.hand, "position", letter, "hand")
        new = old._replace(supply=tuple(supply), memory=memory, hand=hand, gold=seat.gold)
        set_seat(self._draft, player, new)

    def _memory(
        self, scope: str, values: Mapping[str, int | Sequence[str]], loc: Loc
    ) -> Iterator[tuple[int, Mask]]:
        for id, written in values.items():
            slot = self._resolver.memory(id, scope, self._scenario.where_key(*loc, id))
            value: Mask | None = written if isinstance(written, int) else None
            if not isinstance(written, int):
                value = self._resolver.hexes(self._board, written, *loc, id)
            if slot >= 0 and value is not None:
                yield slot, value

    # places

    def _set_stock(self, left: Mapping[str, int]) -> None:
        """Set the tiles left on each place: as given, or all that nobody holds."""
        counts = dict(self._tiles_not_held())
        for name, count in left.items():
            where = self._scenario.where_key("position", "left", name)
            hex = self._resolver.hex(self._board, name, where)
            if hex >= 0 and hex not in counts:
                self._resolver.report("KB504", where(), f"{name} is no place with tiles")
            counts[hex] = count
        self._draft.stock = tuple(
            (self._board.tiles[hex],) * counts[hex] for hex in self._board.places
        )

    def _tiles_not_held(self) -> Iterator[tuple[int, int]]:
        origins = [hex for _, _, hex, _ in self._located.tiles]
        for hex, kind in self._board.tiles.items():
            yield hex, max(0, self._board.catalog.tiles[kind].each - origins.count(hex))

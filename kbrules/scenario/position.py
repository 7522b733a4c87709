"""The position of a scenario, laid out on a draft and brought to its first decision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from kbrules.diagnostics import quoted
from kbrules.game.folding import set_seat, with_item
from kbrules.game.state import READY, State, Tile
from kbrules.hex.masks import Mask, bits, lowest
from kbrules.library.document import Loc
from kbrules.scenario.laying import hold, put
from kbrules.scenario.names import NOBODY, PLAYERS
from kbrules.scenario.remembering import remember
from kbrules.scenario.sanity import Laid, doubts
from kbrules.scenario.setting import Setting
from kbrules.scenario.standing import stand

if TYPE_CHECKING:
    from kbrules.scenario.models import NobodyModel, SeatModel

__all__ = ["lay"]


def lay(setting: Setting) -> State | None:
    """The state a scenario begins in; None if anything is wrong, which the names then know.

    What is doubtful is not asked while something else is wrong: it may come of that.
    """
    names = setting.names
    laid = _Laying(setting).everything()
    if not names.findings and not names.case.model.unchecked:
        names.add(*doubts(setting, laid))
    return None if names.findings else setting.game.settle(laid.draft)


class _Laying:
    """A position in the making."""

    def __init__(self, setting: Setting) -> None:
        self._names = setting.names
        self._case = setting.names.case
        self._game = setting.game
        self._board = setting.game.board
        self._pieces = setting.pieces
        self._laid = Laid(setting.game.empty())
        self._draft = self._laid.draft

    def everything(self) -> Laid:
        """Pieces first: what else there is may depend on them."""
        position = self._case.model.position
        seats = dict(self._seats())
        self._draw()
        if position.nobody is not None:
            self._list(-1, position.nobody, NOBODY)
        for player, seat in seats.items():
            self._list(player, seat, PLAYERS[player])
        for player, seat in seats.items():
            self._tiles(player, seat)
        remember(self._game, self._draft)
        for player, seat in seats.items():
            self._rest(player, seat)
        self._places(position.left)
        for slot, value in self._memory("table", position.memory, ("position", "memory")):
            self._draft.memory = with_item(self._draft.memory, slot, value)
        stand(self._names, self._game, self._laid)
        return self._laid

    def _seats(self) -> Iterator[tuple[int, SeatModel]]:
        for letter in PLAYERS:
            seat = getattr(self._case.model.position, letter)
            if seat is None:
                continue
            player = self._names.player(letter, self._case.key("position", letter))
            if player >= 0:
                yield player, seat

    # pieces

    def _draw(self) -> None:
        for (owner, piece), hexes in self._pieces.items():
            if owner < self._names.players:
                put(self._draft, owner, piece, hexes, self._size(piece))
            else:
                self._names.player(PLAYERS[owner], self._case.key("board", "drawing"))

    def _list(self, player: int, seat: NobodyModel, letter: str) -> None:
        for id, hexes in seat.pieces.items():
            loc = "position", letter, "pieces", id
            piece = self._names.piece(id, self._case.key(*loc))
            if piece < 0 or not self._may_own(player, piece, loc):
                continue
            for index, name in enumerate(hexes):
                self._put(player, piece, name, (*loc, index))

    def _may_own(self, player: int, piece: int, loc: Loc) -> bool:
        kind = self._board.catalog.pieces[piece]
        if kind.neutral == (player < 0):
            return True
        owner = "nobody" if kind.neutral else "a player"
        message = f"the piece {quoted(kind.id)} belongs to {owner}"
        self._names.report("KB504", self._case.key(*loc), message)
        return False

    def _put(self, player: int, piece: int, name: str, loc: Loc) -> None:
        hex = self._names.hex(self._board, name, self._case.span(*loc))
        if hex < 0:
            return
        hexes = self._board.covered(piece, 1 << hex)
        if hexes.bit_count() != self._size(piece):
            message = f"a piece around {name} would reach beyond the board"
            self._names.report("KB504", self._case.span(*loc), message)
            return
        if crowded := self._draft.occupied & hexes:
            self._laid.crowded.append((lowest(crowded), loc))
        self._laid.where.update(dict.fromkeys(bits(hexes), loc))
        mine = player >= 0 and self._draft.seats[player].pieces[piece] & hexes
        if not mine:  # a piece cannot stand on a hex twice, whatever is meant
            put(self._draft, player, piece, hexes, self._size(piece))

    def _size(self, piece: int) -> int:
        return self._board.catalog.pieces[piece].size

    # what a player has

    def _tiles(self, player: int, seat: SeatModel) -> None:
        for index, held in enumerate(seat.tiles):
            loc = "position", PLAYERS[player], "tiles", index
            origin, status = (None, READY) if isinstance(held, str) else (held.origin, held.status)
            id, at = (held, loc) if isinstance(held, str) else (held.tile, (*loc, "tile"))
            kind = self._names.tile(id, self._case.span(*at))
            if kind < 0:
                continue
            if origin is not None:
                hex = self._names.hex(self._board, origin, self._case.span(*loc, "from"))
            else:
                hex = self._origin(player, kind, loc)
            self._laid.held.append((player, kind, hex, loc))
            hold(self._draft, player, Tile(kind, hex, status))

    def _origin(self, player: int, kind: int, loc: Loc) -> int:
        """Where a tile comes from, if that is plain; beyond the board if from nowhere."""
        places = [hex for hex, tile in self._board.tiles.items() if tile == kind]
        near = self._board.grid.neighbours(self._draft.seats[player].all)
        touched = [hex for hex in places if near >> hex & 1]
        if len(touched) == 1 or len(places) == 1:
            return (touched if len(touched) == 1 else places)[0]
        if places:
            names = ", ".join(self._board.grid.name(hex) for hex in touched or places)
            message = f"the tile may come from {names}"
            self._names.report("KB504", self._case.span(*loc), message, "say which by `from`")
        return self._board.grid.full.bit_length()

    def _rest(self, player: int, seat: SeatModel) -> None:
        letter = PLAYERS[player]
        supply = list(self._draft.seats[player].supply)
        for id, count in seat.supply.items():
            piece = self._names.piece(id, self._case.key("position", letter, "supply", id))
            if piece >= 0:
                supply[piece] = count
        memory = self._draft.seats[player].memory
        loc = "position", letter, "memory"
        for slot, value in self._memory("player", seat.memory, loc):
            memory = with_item(memory, slot, value)
        hand = self._names.cards(seat.hand, "position", letter, "hand")
        changed = self._draft.seats[player]._replace(
            supply=tuple(supply), memory=memory, hand=hand, gold=seat.gold
        )
        set_seat(self._draft, player, changed)

    def _memory(
        self, scope: str, given: Mapping[str, int | Sequence[str]], loc: Loc
    ) -> Iterator[tuple[int, Mask]]:
        for id, written in given.items():
            slot = self._names.memory(id, scope, self._case.key(*loc, id))
            value: Mask | None = written if isinstance(written, int) else None
            if not isinstance(written, int):
                value = self._names.hexes(self._board, written, *loc, id)
            if slot >= 0 and value is not None:
                yield slot, value

    # places

    def _places(self, left: Mapping[str, int]) -> None:
        """What is left on each place: what is said, or all that nobody holds."""
        counts = dict(self._untaken())
        for name, count in left.items():
            span = self._case.key("position", "left", name)
            hex = self._names.hex(self._board, name, span)
            if hex >= 0 and hex not in counts:
                self._names.report("KB504", span, f"{name} is no place with tiles")
            counts[hex] = count
        self._draft.stock = tuple(
            (self._board.tiles[hex],) * counts[hex] for hex in self._board.places
        )

    def _untaken(self) -> Iterator[tuple[int, int]]:
        origins = [hex for _, _, hex, _ in self._laid.held]
        for hex, kind in self._board.tiles.items():
            yield hex, max(0, self._board.catalog.tiles[kind].each - origins.count(hex))

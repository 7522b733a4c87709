"""A player's part of a table that is changed in place."""

from __future__ import annotations

from kbrules.game.events import first_of, readied
from kbrules.game.state import READY, USED, Tile, tile_of
from kbrules.hex.floods import Floods
from kbrules.hex.masks import Mask


class Place:
    """What is a player's own; `near` are the hexes that touch one of `all`.

    The main kind of piece is told apart from all others: `left` are those in the supply. others:
    by kind of piece but the main one the hexes with one; supplies: how many of the same are left.
    kinds: those of the tiles, one for each, in the order they came; ready: the same of those that
    may be used.
    floods: the last ones of those places in the text that ask for some.
    """

    __slots__ = (
        "_spent",
        "_stale",
        "_tiles",
        "all",
        "decisions",
        "floods",
        "gold",
        "hand",
        "kinds",
        "left",
        "memory",
        "near",
        "others",
        "ready",
        "supplies",
    )

    all: Mask
    others: list[Mask]
    near: Mask
    left: int
    supplies: list[int]
    hand: tuple[int, ...]
    ready: list[int]
    memory: list[int]
    gold: int
    decisions: int
    floods: Floods
    _tiles: tuple[Tile, ...]
    kinds: list[int]
    _spent: list[int]
    _stale: bool

    @property
    def pieces(self) -> list[Mask]:
        """The hexes with a piece of each kind."""
        main = self.all
        for other in self.others:
            main &= ~other
        return [main, *self.others[1:]]

    @property
    def supply(self) -> list[int]:
        """How many of each kind of piece are left."""
        return [self.left, *self.supplies[1:]]

    def kind_at(self, hex: Mask) -> int:
        """The kind of the player's piece that lies on a hex."""
        for kind, other in enumerate(self.others):
            if other & hex:
                return kind
        return 0

    def supplied(self, piece: int, number: int) -> None:
        """So many more of a kind of piece are in the supply."""
        if piece:
            self.supplies[piece] += number
        else:
            self.left += number

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles in hand. Uses are only noted, and marked when somebody looks."""
        if self._spent:
            spent, self._spent = self._spent, []
            for kind in spent:
                self._mark(kind)
        return self._tiles

    @tiles.setter
    def tiles(self, tiles: tuple[Tile, ...]) -> None:
        self._tiles = tiles
        self.kinds = [kind for kind, _, _ in tiles]
        self.ready = [kind for kind, _, status in tiles if status == READY]
        self._stale = len(self.ready) < len(tiles)
        self._spent = []

    def _mark(self, kind: int) -> None:
        """Mark the tile that a use marks: a usable one, else one that is not used yet."""
        tiles, index = [*self._tiles], first_of(self._tiles, kind)
        tiles[index] = tile_of((kind, tiles[index].origin, USED))
        self._tiles, self._stale = tuple(tiles), True

    def spend(self, kind: int) -> None:
        """A tile of a kind is used."""
        if kind in self.ready:
            self.ready.remove(kind)
            self._spent.append(kind)
        else:
            self.tiles  # noqa: B018  what was noted comes first
            self._mark(kind)

    def get(self, tile: Tile) -> None:
        """One more tile, which is not usable yet."""
        self._tiles, self._stale = (*self._tiles, tile), True
        self.kinds = [*self.kinds, tile.kind]

    def make_ready(self, held: Mask) -> None:
        """All tiles may be used (again), but for those from some places."""
        if self._stale or self._spent:
            self.tiles = readied(self.tiles, held)

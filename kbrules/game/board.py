"""A board: the grid, what every hex is, and which tiles lie where. Fixed for a whole game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import index as as_index
from typing import Any

from kbrules.display import svg_of
from kbrules.game.catalog import NONE, Catalog, TerrainCard
from kbrules.hex.grid import Grid
from kbrules.hex.masks import Mask, bits, mask_of

MAX_SIDE = 4  # sections of a table one way


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """The table as laid: one mask per kind of hex, sectors, and the tile kind of each place.

    Sectors are those of the table; what lies on the other parts of the grid is in none.
    `kinds[i]` is the mask of hex kind `i` of the catalog; `tiles` maps a hex (bit index)
    to the tile kind whose tiles lie there; `stand_ins` names sections whose map is invented.
    `cache` keeps values that the board, with the options of a table, alone decides.
    """

    catalog: Catalog
    grid: Grid
    kinds: tuple[Mask, ...]
    sectors: tuple[Mask, ...]
    tiles: Mapping[int, int] = field(default_factory=dict)
    stand_ins: tuple[str, ...] = ()
    cache: dict[Any, Any] = field(init=False, default_factory=dict, repr=False)
    places: tuple[int, ...] = field(init=False, default=())
    tagged: Mapping[str, Mask] = field(init=False, default_factory=dict)
    terrains_of_card: tuple[tuple[int, ...], ...] = field(init=False, default=())
    """For each card of the deck its terrains; of several only those that are on this board."""
    only_terrain: tuple[int, ...] = field(init=False, default=())
    """For each card of the deck its terrain, `NONE` if there is more than one to choose from."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "places", tuple(sorted(self.tiles)))
        object.__setattr__(self, "tagged", self._tag_masks())
        object.__setattr__(self, "terrains_of_card", tuple(map(self._present, self.catalog.deck)))
        single_terrains = (
            terrains[0] if len(terrains) == 1 else NONE for terrains in self.terrains_of_card
        )
        object.__setattr__(self, "only_terrain", tuple(single_terrains))

    def _repr_svg_(self) -> str | None:
        """The board as a notebook shows it."""
        return svg_of(self)

    def _present(self, card: TerrainCard) -> tuple[int, ...]:
        """The terrains of a card that are on the board; all of them if none is."""
        return tuple(t for t in card.terrains if self.kinds[t]) or card.terrains

    def _tag_masks(self) -> dict[str, Mask]:
        masks: dict[str, Mask] = {}
        for kind, mask in zip(self.catalog.hexes, self.kinds, strict=True):
            for tag in kind.tags:
                masks[tag] = masks.get(tag, 0) | mask
        on_board = {part.name for part in self.grid.parts}
        for grid in (grid for grid in self.catalog.grids if grid.id in on_board):
            for tag in grid.tags:
                masks[tag] = masks.get(tag, 0) | self.grid.part(grid.id)
        return masks

    def kind_at(self, hex: int) -> int:
        """The index of the kind of a hex; ValueError if the hex is not on the board."""
        hex = as_index(hex)
        for index, mask in enumerate(self.kinds):
            if mask >> hex & 1:
                return index
        raise ValueError(f"there is no hex {hex} on this board")

    def covered(self, piece: int, hexes: Mask) -> Mask:
        """The hexes that pieces of a kind cover which are put on these hexes, their centres."""
        if not isinstance(hexes, int):
            raise TypeError("a set of hexes is a number")
        if self.catalog.pieces[piece].size == 1:
            return hexes
        return hexes | self.grid.neighbours(hexes)

    def mask(self, names: Iterable[str]) -> Mask:
        """The set of the hexes of some names; ValueError for a name of none."""
        return mask_of(self.grid.index(name) for name in names)

    @property
    def note(self) -> str:
        """What to say wherever this board or what was scored on it is shown; empty if nothing."""
        return stand_in_note(self.stand_ins)

    def names(self, mask: Mask) -> list[str]:
        """The names of the hexes of a set, in board order; ValueError for one not on the board."""
        if not isinstance(mask, int) or mask < 0 or mask & ~self.grid.full:
            raise ValueError("a set of hexes is a number, with a bit for each hex of the board")
        return [self.grid.name(hex) for hex in bits(mask)]


def stand_in_note(sections: Sequence[str]) -> str:
    """That the maps of these sections are invented, in one line; empty if there are none.

    Whoever shows a board or a result says it in these words, so that one can search for them.
    """
    if not sections:
        return ""
    return f"stand-in maps, not the printed ones: {', '.join(sections)}"

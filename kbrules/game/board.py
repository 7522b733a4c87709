"""The things of a game by index, and a board: what every hex is, and which tiles lie where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import index as as_index
from typing import Any, Literal, get_args

from kbrules.hex.grid import Grid
from kbrules.hex.sets import Mask, bits, mask_of
from kbrules.hooks import svg_of

# How things may look in pictures: closed lists of names, from which data chooses.
#
# A picture draws each name; what the things are, no name says.

Texture = Literal[
    "plain", "tufts", "strata", "grains", "blossoms", "trees", "waves", "peaks", "furrows",
    "reeds", "scales", "crosses", "rings", "hatching", "stairs", "chevrons",
]  # fmt: skip
"""What is drawn upon the colour of a hex."""
TEXTURES: tuple[Texture, ...] = get_args(Texture)

Icon = Literal[
    "keep", "house", "tent", "crown", "drum", "arch", "columns", "star", "flag", "shield", "wheel",
    "sail", "gable", "eye", "bricks",
]  # fmt: skip
"""What stands on a hex, or is shown by a piece."""
ICONS: tuple[Icon, ...] = get_args(Icon)


# The things of a game, by index: kinds of hex, pieces, tiles, cards, grids. Names are data.

SIZES = {"one": 1, "seven": 7}
"""How many hexes a piece of each shape covers; seven are a hex and all around it."""


CARDS_IN_PLAY, CARDS_BESIDE = "cards_in_play", "cards_beside"
"""The number that says how many cards a game has: the only one that the engine asks for itself."""


NONE = -1
"""In the place of an index: there is no such thing."""


@dataclass(frozen=True, slots=True)
class HexKind:
    """What a hex is: a terrain, or a place. `letter` draws it, `tags` name sets it is in.

    `texture` is a `Texture` and `icon` an `Icon`, or empty.
    """

    id: str
    letter: str
    title: str
    colour: str = ""
    tags: tuple[str, ...] = ()
    is_place: bool = False
    texture: str = ""
    icon: str = ""


@dataclass(frozen=True, slots=True)
class GridKind:
    """A grid beside the table, on which a section lies; `tags` name sets that its hexes are in."""

    id: str
    title: str
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """A kind of piece: how many each player has, or, for `neutral` ones, the table has.

    `icon` is an `Icon`, or empty.
    """

    id: str
    letter: str
    title: str
    supply: int
    tags: tuple[str, ...] = ()
    neutral: bool = False
    shape: str = "one"
    icon: str = ""

    @property
    def size(self) -> int:
        """How many hexes one of it covers."""
        return SIZES[self.shape]


@dataclass(frozen=True, slots=True)
class TileKind:
    """A kind of tile; `each` of them lie on every hex that is its, which are of kind `place`.

    Which hexes are its is drawn by chance for as many of them as there are `copies`; if there
    are none, the maps say it.
    """

    id: str
    kind: str
    title: str
    place: str = ""
    each: int = 0
    copies: int = 0


@dataclass(frozen=True, slots=True)
class TerrainCard:
    """A card of the deck: the terrains it shows (indexes of hex kinds) and how many there are."""

    terrains: tuple[int, ...]
    count: int


@dataclass(frozen=True, slots=True)
class Catalog:
    """Everything the loaded boxes contain; every index of the engine is a position here.

    `tasks` are those of the cards that come into play with a section, not by number. `by_sector`
    has for a kind of place the tiles of which one is drawn for each sector.
    """

    hexes: tuple[HexKind, ...] = ()
    pieces: tuple[Piece, ...] = ()
    tiles: tuple[TileKind, ...] = ()
    cards: tuple[str, ...] = ()
    deck: tuple[TerrainCard, ...] = ()
    numbers: Mapping[str, int] = field(default_factory=dict)
    tasks: tuple[str, ...] = ()
    by_sector: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    grids: tuple[GridKind, ...] = ()

    @property
    def scoring(self) -> tuple[str, ...]:
        """The cards that are no tasks."""
        return tuple(card for card in self.cards if card not in self.tasks)

    def hex_index(self, id: str) -> int:
        """The index of a kind of hex; KeyError when there is none."""
        return _index(self.hexes, id)

    def tile_index(self, id: str) -> int:
        """The index of a tile; KeyError when there is none."""
        return _index(self.tiles, id)

    def card_name(self, card: int) -> str:
        """A card of the deck in words: its terrains joined by `+`."""
        return "+".join(self.hexes[t].id for t in self.deck[card].terrains)

    def card_title(self, card: int) -> str:
        """A card of the deck as players call it: the titles of its terrains joined by `or`."""
        return " or ".join(self.hexes[t].title for t in self.deck[card].terrains)

    def card_named(self, name: str) -> int | None:
        """The index of the card of the deck with that name, its terrains in any order."""
        return card_among([self.card_name(card) for card in range(len(self.deck))], name)


def card_among(names: Sequence[str], name: str) -> int | None:
    """The index of the card of a name; each may write the terrains of a card in any order."""
    wanted = sorted(name.split("+"))
    return next((i for i, other in enumerate(names) if sorted(other.split("+")) == wanted), None)


def _index(things: Sequence[HexKind | Piece | TileKind], id: str) -> int:
    return {thing.id: index for index, thing in enumerate(things)}[id]


def cards_beside(catalog: Catalog, cards: Iterable[int]) -> list[int]:
    """Of the cards of a table, in their order, those that lie beside it when the game begins.

    Where a box says how many lie beside it, they are the scoring cards beyond those in play.
    """
    if not catalog.numbers.get(CARDS_BESIDE, 0):
        return []
    scoring = [card for card in cards if catalog.cards[card] not in catalog.tasks]
    return scoring[catalog.numbers.get(CARDS_IN_PLAY, 0) :]


# A board: the grid, what every hex is, and which tiles lie where. Fixed for a whole game.

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
    """For each card of the deck its terrains that are on this board; all of them if none is."""
    only_terrain: tuple[int, ...] = field(init=False, default=())
    """For each card of the deck its terrain, `NONE` if there is more than one to choose from."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "places", tuple(sorted(self.tiles)))
        object.__setattr__(self, "tagged", self._tag_masks())
        shown = [
            tuple(terrain for terrain in card.terrains if self.kinds[terrain]) or card.terrains
            for card in self.catalog.deck
        ]
        object.__setattr__(self, "terrains_of_card", tuple(shown))
        only = (terrains[0] if len(terrains) == 1 else NONE for terrains in shown)
        object.__setattr__(self, "only_terrain", tuple(only))

    def _repr_svg_(self) -> str | None:
        """The board as a notebook shows it."""
        return svg_of(self)

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

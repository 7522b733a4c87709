"""The things of a game, by index: kinds of hex, pieces, tiles, cards, grids. Names are data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

SIZES = {"one": 1, "seven": 7}
"""How many hexes a piece of each shape covers; seven are a hex and all around it."""


CARDS_IN_PLAY, CARDS_BESIDE = "cards_in_play", "cards_beside"
"""The number that says how many cards a game has: the only one that the engine asks for itself."""


NONE = -1
"""In the place of an index: there is no such thing."""


@dataclass(frozen=True, slots=True)
class HexKind:
    """What a hex is: a terrain, or a place. `letter` draws it, `tags` name sets it is in.

    `texture` and `icon` are of `looks`, or empty.
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

    `icon` is of `looks`, or empty.
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
    for index, thing in enumerate(things):
        if thing.id == id:
            return index
    raise KeyError(id)


def cards_beside(catalog: Catalog, cards: Iterable[int]) -> list[int]:
    """Of the cards of a table, in their order, those that lie beside it when the game begins.

    Where a box says how many lie beside it, they are the scoring cards beyond those in play.
    """
    if not catalog.numbers.get(CARDS_BESIDE, 0):
        return []
    scoring = [card for card in cards if catalog.cards[card] not in catalog.tasks]
    return scoring[catalog.numbers.get(CARDS_IN_PLAY, 0) :]

"""A position of the mixed game in plain words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from tests.oracle.geometry import Cell, neighbours, touched
from tests.oracle.ground import BUILDABLE, Ground

NOBODY = -1
WALLS = 25
SUPPLY = {"settlement": 40, "warrior": 2, "wagon": 1, "ship": 1, "hall": 1}
OPTIONS = {
    "lift_first": True,
    "null_moves": False,
    "meeples_move": True,
    "lords_rank_zero": True,
    "build_without_card": False,
    "barred_from_both": False,
    "miners_on_mountains": False,
    "any_home_country": True,
    "sword_takes_any": True,
    "zones_hem_in": False,
    "both_capitols": True,
    "capitol_chosen": True,
    "caves_chosen": False,
    "caves_occupied": False,
    "placing_counts": True,
    "outpost_for_pieces": False,
    "coast_is_water": True,
    "halls_off_table": False,
}
MOVABLE = ("settlement", "warrior", "wagon", "ship")


class Piece(NamedTuple):
    """One hex of a piece: whose, and of what kind. Walls are nobody's; a hall is seven of them."""

    owner: int
    kind: str


@dataclass
class Held:
    """A tile in hand: `ready`, `used`, or `fresh`; `origin` is the place it came from."""

    kind: str
    origin: Cell
    status: str = "ready"


@dataclass
class Scene:
    """Everything on the table. options: those that differ from `OPTIONS`.

    turn: how many are over. shown: the terrain cards that `mover` may use, one of them as soon as
    `chosen` says which terrain; aside: those not chosen; hands: of the others. deck, discards and
    removed: all other terrain cards. cards: the red ones. nomads: the tile on each nomad place;
    stock: tiles left on each place. uses_left: how often `mover` may still use each kind of
    tile; begun: the actions of the table that were used; regular: what the mandatory action built.
    """

    ground: Ground = field(repr=False)
    players: int
    mover: int
    shown: list[str] = field(default_factory=list)
    chosen: str | None = None
    aside: list[str] = field(default_factory=list)
    cards: tuple[str, ...] = ()
    options: dict[str, bool] = field(default_factory=dict)
    pieces: dict[Cell, Piece] = field(default_factory=dict)
    supply: list[Counter[str]] = field(default_factory=list)
    held: list[list[Held]] = field(default_factory=list)
    visited: list[set[Cell]] = field(default_factory=list)
    nomads: dict[Cell, str] = field(default_factory=dict)
    stock: dict[Cell, int] = field(default_factory=dict)
    caves: list[Cell] = field(default_factory=list)
    capitols: list[Cell] = field(default_factory=list)
    hands: list[list[str]] = field(default_factory=list)
    deck: Counter[str] = field(default_factory=Counter)
    discards: Counter[str] = field(default_factory=Counter)
    removed: Counter[str] = field(default_factory=Counter)
    ending: bool = False
    turn: int = 0
    gold: list[int] = field(default_factory=list)
    uses_left: Counter[str] = field(default_factory=Counter)
    begun: set[str] = field(default_factory=set)
    regular: list[Cell] = field(default_factory=list)

    def has(self, option: str) -> bool:
        """Whether an option is on."""
        return self.options.get(option, OPTIONS[option])

    @property
    def terrain(self) -> str | None:
        """The terrain in use; None without a card, and while there are two to choose from."""
        found = set(self.shown)
        return self.chosen or (min(found) if len(found) == 1 else None)

    def to_choose(self) -> list[str]:
        """The terrains of which the first action that needs one must use one."""
        found = sorted(set(self.shown))
        return found if self.chosen is None and len(found) > 1 else []

    def own(self, player: int) -> list[Cell]:
        return [cell for cell, piece in self.pieces.items() if piece.owner == player]

    def touches(self, player: int, cell: Cell) -> bool:
        return any(near in self.pieces and self.pieces[near].owner == player
                   for near in neighbours(cell))  # fmt: skip

    def walls_left(self) -> int:
        return WALLS - sum(piece.kind == "wall" for piece in self.pieces.values())

    def available(self, *terrains: str) -> set[Cell]:
        """The hexes of these terrains without a piece and out of every warrior's reach."""
        closed = self.zones() | set(self.caves if self.has("caves_occupied") else [])
        return {c for c in self.ground.of(*terrains) if c not in self.pieces} - closed

    def open_ground(self) -> set[Cell]:
        """The available hexes that a settlement may stand on as a rule."""
        return self.available(*BUILDABLE)

    def zones(self) -> set[Cell]:
        """The hexes next to any warrior."""
        return touched(cell for cell, piece in self.pieces.items() if piece.kind == "warrior")

    def without(self, cell: Cell) -> Scene:
        """The same with a piece taken up."""
        pieces = {c: piece for c, piece in self.pieces.items() if c != cell}
        return replace(self, pieces=pieces)

"""A position in plain words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tests.oracle.geometry import Cell, neighbours
from tests.oracle.ground import SPECIAL, Ground

OPTIONS = {
    "lift_first": True,
    "null_moves": False,
    "meeples_move": True,
    "lords_rank_zero": True,
    "build_without_card": False,
    "barred_from_both": False,
    "miners_on_mountains": False,
}


@dataclass
class Tile:
    """A tile somebody holds; `fresh` if it came this turn."""

    kind: str
    origin: Cell
    fresh: bool = True


@dataclass
class Picture:
    """Everything on the table. `uses_left` counts, per kind, what `mover` may still use."""

    ground: Ground = field(repr=False)
    players: int
    options: dict[str, bool]
    pieces: dict[Cell, int] = field(default_factory=dict)
    supply: list[int] = field(default_factory=list)
    held: list[list[Tile]] = field(default_factory=list)
    visited: list[set[Cell]] = field(default_factory=list)
    stock: dict[Cell, int] = field(default_factory=dict)
    deck: Counter[str] = field(default_factory=Counter)
    discards: Counter[str] = field(default_factory=Counter)
    removed: Counter[str] = field(default_factory=Counter)
    hands: list[str | None] = field(default_factory=list)
    card: str | None = None
    uses_left: Counter[str] = field(default_factory=Counter)
    ending: bool = False

    def own(self, player: int) -> list[Cell]:
        return [cell for cell, owner in self.pieces.items() if owner == player]

    def special(self) -> list[Cell]:
        return self.ground.of(*SPECIAL)

    def touches(self, player: int, cell: Cell) -> bool:
        return any(self.pieces.get(near) == player for near in neighbours(cell))


def new_table(ground: Ground, players: int, **options: bool) -> Picture:
    """The table before the first card is dealt."""
    return Picture(
        ground,
        players,
        OPTIONS | options,
        supply=[40] * players,
        held=[[] for _ in range(players)],
        visited=[set() for _ in range(players)],
        stock=dict.fromkeys(ground.tile, 2),
        deck=Counter(dict.fromkeys(("grass", "canyon", "desert", "flower", "forest"), 5)),
        hands=[None] * players,
    )

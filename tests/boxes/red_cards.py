"""The cards that pay during play, for what was just built."""

from __future__ import annotations

from collections.abc import Sequence

from tests.boxes.scene import NOBODY, Scene
from tests.oracle.geometry import WAYS, Cell, neighbours, step

RED = ("families", "shepherds", "ambassadors")


def shepherds(s: Scene, cells: Sequence[Cell]) -> int:
    """Two gold for each of the hexes just built on that has no empty hex of its terrain beside it.

    A hex that a warrior closes is empty all the same, unless the option says otherwise.
    """
    kind = s.ground.kind
    full = s.pieces.keys() | (s.zones() if s.has("zones_hem_in") else set())
    return sum(
        2
        for cell in cells
        if not any(kind[near] == kind[cell] and near not in full for near in neighbours(cell))
    )


def ambassadors(s: Scene, me: int, cells: Sequence[Cell]) -> int:
    """One gold for each of the hexes just built on that touches another player's piece."""
    strangers = {c for c, piece in s.pieces.items() if piece.owner not in (me, NOBODY)}
    return sum(1 for cell in cells if neighbours(cell) & strangers)


def families(regular: Sequence[Cell]) -> int:
    """Two gold when the three settlements of the mandatory action stand in a row."""
    if len(regular) != 3:
        return 0
    cells = set(regular)
    return 2 * any(
        {c, step(c, way), step(step(c, way), way)} == cells for c in cells for way in WAYS
    )


def paid(s: Scene, me: int, cells: Sequence[Cell]) -> int:
    """What the red cards in play pay for hexes on which the player has just built or placed."""
    gold = shepherds(s, cells) if "shepherds" in s.cards else 0
    return gold + (ambassadors(s, me, cells) if "ambassadors" in s.cards else 0)

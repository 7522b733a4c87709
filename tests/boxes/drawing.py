"""Positions for people to read when a test fails."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tests.boxes.scattered import Scattered
from tests.boxes.scene import NOBODY, Scene
from tests.oracle.geometry import SIZE, Cell

GROUND = {
    "grass": "G", "canyon": "C", "desert": "D", "flower": "F", "forest": "T", "water": "W",
    "mountain": "M", "castle": "K", "location": "X", "nomad": "N",
}  # fmt: skip
PIECES = {"settlement": "", "wall": "wall", "warrior": "w", "wagon": "g", "ship": "p", "hall": "h"}
SEATS = "abcde"


def drawing(s: Scene) -> str:
    """The board: ground, then whose piece (and which, unless it is a settlement), * for caves."""
    rows = [
        f"{row:3} "
        + "  " * (row % 2)
        + "".join(f"{_cell(s, (row, column)):4}" for column in COLUMNS).rstrip()
        for row in sorted({row for row, _ in s.ground.kind})
    ]
    return "\n".join(["    " + "".join(f"{column:<4}" for column in COLUMNS), *rows])


COLUMNS = range(SIZE)


def _cell(s: Scene, cell: Cell) -> str:
    if cell not in s.ground.kind:
        return "-"
    ground = GROUND[s.ground.kind[cell]] + ("*" if cell in s.caves else "")
    if cell not in s.pieces:
        return ground
    owner, kind = s.pieces[cell]
    return f"{ground}=" if owner == NOBODY else f"{ground}{SEATS[owner]}{PIECES[kind]}"


@contextmanager
def told(scattered: Scattered) -> Iterator[Scene]:
    """The scene; an error inside says which position it was and how it stands."""
    scene = scattered.scene
    try:
        yield scene
    except Exception as error:
        hand = [f"{tile.kind} {tile.status}" for tile in scene.held[scene.mover]]
        error.add_note(f"seed {scattered.seed}: {scattered.rows}, {scattered.side}")
        error.add_note(f"{SEATS[scene.mover]} of {scene.players} moves, cards {scene.shown}")
        error.add_note(f"chosen {scene.chosen}, aside {scene.aside}, in hand {scene.hands}")
        error.add_note(f"options that differ: {scene.options}")
        error.add_note(f"cards {scene.cards}, tiles {hand}, uses left {dict(scene.uses_left)}")
        error.add_note(drawing(scene))
        raise

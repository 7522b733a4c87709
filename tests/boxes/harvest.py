"""Positions on Harvest sections, and hex by hex where its tiles may be used and what it pays."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import Any

from tests.oracle.geometry import SIZE, Cell, neighbours, touched
from tests.oracle.ground import box, lay_sections

HALF = 10
CARDS = ("grass", "canyon", "desert", "flower", "forest")
GROUND = (*CARDS, "farmland")
PLACES = ("castle", "silo", "location")
MOVABLE = ("settlement", "warrior", "wagon", "ship")
SUPPLY = {"settlement": 40, "warrior": 2, "wagon": 1, "ship": 1, "scout": 2}
Cells = set[Cell]


@lru_cache(maxsize=1)
def sections() -> dict[str, Any]:
    return {id: section for name in ("base", "harvest") for id, section in box(name).items()}


@dataclass
class Position:
    """What every hex is, whose pieces of what kind stand where, and what `me` has beside."""

    rows: tuple[tuple[tuple[str, bool], ...], ...]
    kind: dict[Cell, str] = field(default_factory=dict)
    pieces: dict[Cell, tuple[int, str]] = field(default_factory=dict)
    terrain: str = ""
    blocks: int = 0
    settlements: int = 40
    claimed: Cells = field(default_factory=set)

    def of(self, *kinds: str) -> Cells:
        return {cell for cell, kind in self.kind.items() if kind in kinds}

    def own(self, *kinds: str) -> Cells:
        """The hexes with a piece of the first player, of some kinds only if they are named."""
        found = {c: kind for c, (owner, kind) in self.pieces.items() if owner == 0}
        return {c for c, kind in found.items() if not kinds or kind in kinds}

    def free(self, *kinds: str) -> Cells:
        zones = touched(c for c, (_, kind) in self.pieces.items() if kind == "warrior")
        return self.of(*kinds) - set(self.pieces) - zones

    def near(self, cells: Cells) -> Cells:
        return cells & touched(self.own()) or cells

    def without(self, cell: Cell) -> Position:
        pieces = {c: piece for c, piece in self.pieces.items() if c != cell}
        return Position(self.rows, self.kind, pieces, self.terrain)


def scattered(seed: int) -> Position:
    """The position of a seed."""
    random = Random(seed)
    names = [*random.sample(sorted(sections()), 3), random.choice(HARVEST)]
    random.shuffle(names)
    a, b, c, d = ((name, random.random() < 0.5) for name in names)
    p = Position(((a, b), (c, d)))
    p.kind |= lay_sections(p.rows, sections()).kind
    _strew(p, random)
    p.blocks = random.choice([0, 1, 3])
    p.claimed = {(row, 0) for row in range(SIZE) if random.random() < 0.3}
    able = [terrain for terrain in CARDS if p.free(terrain)]
    p.terrain = random.choice(able)
    return p


HARVEST = (
    "bazaar_water_mill", "mountain_station_scout_cabin", "cathedral_watchtower",
    "university_palisade",
)  # fmt: skip


def _strew(p: Position, random: Random) -> None:
    """Pieces of three players, most of them together, some beside places."""
    for player in range(3):
        anchors = sorted(p.of(*PLACES))
        together = random.choice([0.3, 0.7, 0.95])
        left = dict(SUPPLY, settlement=random.choice([1, 5, 15, 30]), scout=0)
        for kind in [k for k, n in left.items() for _ in range(n)]:
            where = (
                sorted(p.kind)
                if random.random() > together
                else sorted(neighbours(random.choice(anchors)))
            )
            cell = random.choice(where)
            some = kind == "settlement" or random.random() < 0.4
            if some and cell not in p.pieces and p.kind[cell] not in PLACES:
                p.pieces[cell] = (player, kind)
                anchors = [*anchors, cell] if random.random() < 0.9 else anchors
    if random.random() < 0.5:
        for cell in random.sample(sorted(p.free(*GROUND, "water", "mountain")), 2):
            p.pieces[cell] = (0, "scout")


# where


def building(p: Position, own: Iterable[Cell]) -> Cells:
    return p.near(p.free(*GROUND) & touched(own))


def kin(p: Position, cell: Cell) -> Cells:
    """The pieces connected with that on a hex, without it."""
    own, found, last = p.own(), {cell}, {cell}
    while last:
        last = (touched(last) & own) - found
        found |= last
    return found - {cell}


def palisade(p: Position, cell: Cell) -> Cells:
    return p.without(cell).free(*GROUND) & touched(kin(p, cell)) - {cell}


def silo_moves(p: Position, cell: Cell) -> Cells:
    lifted = p.without(cell)
    return lifted.free(*GROUND) & touched(lifted.own()) - {cell}


def lifts(p: Position, targets: Callable[[Position, Cell], Cells]) -> Cells:
    return {cell for cell in p.own(*MOVABLE) if targets(p, cell)}


def offered(p: Position) -> dict[tuple[str, str], Cells]:
    """Where each of the tiles, and the farm action, may begin."""
    others = {c for c, (owner, _) in p.pieces.items() if owner > 0}
    scouts = SUPPLY["scout"] - len(p.own("scout"))
    near_own = touched(p.own())
    found = {
        ("build", "water_mill"): building(p, p.of("water")),
        ("build", "mountain_station"): building(p, p.of("mountain")),
        ("build", "watchtower"): building(p, others),
        ("build", "university"): building(p, p.of(*PLACES)),
        ("build", "farm_action"): p.free("farmland") & near_own,
        ("build", "cathedral"): p.near(p.free(p.terrain)) if p.blocks else set(),
        ("place", "scout_cabin"): p.free(*GROUND, "water", "mountain") & near_own
        if scouts
        else set(),
        ("lift", "palisade"): lifts(p, palisade),
    }
    return {what: cells for what, cells in found.items() if cells}


def relocated(p: Position) -> dict[tuple[str, str], Cells]:
    """The scouts that a repetition may put elsewhere."""
    cells = {cell for cell in p.own("scout") if scout_moves(p, cell)}
    return {("lift", "scout_cabin"): cells} if cells else {}


def scout_moves(p: Position, cell: Cell) -> Cells:
    lifted = p.without(cell)
    return lifted.free(*GROUND, "water", "mountain") & touched(lifted.own()) - {cell}


def markable(p: Position, cell: Cell, in_line: bool) -> Cells:
    """The first hex of the row that may be marked after a piece came to a hex, if it may be."""
    row, own = cell[0], p.own(*MOVABLE)
    columns = [column for column in range(SIZE) if (row, column) in own]
    runs = any(all((row, start + i) in own for i in range(4)) for start in range(SIZE))
    many = runs if in_line else len(columns) >= 4
    return {(row, 0)} if many and (row, 0) not in p.claimed else set()


# gold


def gold(p: Position) -> dict[str, int]:
    """What the cards pay to the first player, counted piece by piece."""
    own = p.own()
    rows = [sum(cell[0] == row for cell in own) for row in range(SIZE)]
    sectors = [
        sum((cell[0] // HALF, cell[1] // HALF) == quarter for cell in own)
        for quarter in ((0, 0), (0, 1), (1, 0), (1, 1))
    ]
    rim = (0, SIZE - 1)
    return {
        "rangers": 2 * rows.count(1),
        "travellers": sum(row in rim or column in rim for row, column in own),
        "chainers": sum(len(neighbours(cell) & own) == 2 for cell in own),
        "homesteaders": max(sectors),
    }

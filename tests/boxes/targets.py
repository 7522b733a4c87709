"""Where a piece may go under each rule, hex by hex."""

from __future__ import annotations

from collections.abc import Iterable

from tests.boxes.ground import BUILDABLE
from tests.boxes.scene import MOVABLE, Piece, Scene
from tests.oracle.geometry import WAYS, Cell, is_on_board, is_rim, neighbours, step, touched

ON_TERRAIN = {
    "farm": "grass", "oasis": "desert", "garden": "flower", "foresters_lodge": "forest",
    "monastery": "canyon",
}  # fmt: skip
BUILDERS = ("oracle", *ON_TERRAIN, "tower", "tavern", "village")
MOVERS = ("barn", "harbor", "paddock", "caravan")
DONATION = "donation_"
ROVERS = {"wagon_yard": "wagon", "lighthouse": "ship"}
ROADS = {"wagon": (*BUILDABLE, "mountain"), "ship": ("water",)}

Cells = set[Cell]


def on_card(s: Scene) -> Cells:
    """The available hexes of the card's terrain."""
    return s.available(s.card) if s.card else set()


def near_if_possible(s: Scene, me: int, cells: Cells) -> Cells:
    """Those next to an own piece, if there are any."""
    return cells & touched(s.own(me)) or cells


# building


def builds(s: Scene, me: int, rule: str) -> Cells:
    """The hexes on which a rule lets a player build, whatever they touch."""
    if rule.startswith(DONATION):
        return s.available(rule.removeprefix(DONATION))
    if rule in ON_TERRAIN:
        return s.available(ON_TERRAIN[rule])
    if rule == "tower":
        return {cell for cell in s.open_ground() if is_rim(cell)}
    if rule == "tavern":
        return {cell for cell in s.open_ground() if continues_a_line(s, me, cell)}
    if rule == "village":
        own = set(s.own(me))
        return {cell for cell in s.open_ground() if len(neighbours(cell) & own) >= 3}
    assert rule in ("mandatory", "oracle")
    return on_card(s)


def built(s: Scene, me: int, base: Cells) -> Cells:
    """Of these hexes those where the player may build: an outpost frees from adjacency."""
    if not s.supply[me]["settlement"]:
        return set()
    if s.uses_left["outpost"] > 0:
        return base
    return near_if_possible(s, me, base)


def strays(s: Scene, me: int, base: Cells, cell: Cell) -> bool:
    """Whether only an outpost lets the player build here."""
    return cell not in near_if_possible(s, me, base)


def continues_a_line(s: Scene, me: int, cell: Cell) -> bool:
    """Whether three own pieces in a row follow right after the hex."""
    own = set(s.own(me))
    return any(set(ray(cell, way, 3)) <= own for way in WAYS)


def ray(cell: Cell, way: int, length: int) -> list[Cell]:
    found = []
    for _ in range(length):
        cell = step(cell, way)
        found.append(cell)
    return found


# moving


def movers(s: Scene, me: int) -> Cells:
    """The pieces that tiles may move: all but halls."""
    return {c for c, piece in s.pieces.items() if piece.owner == me and piece.kind in MOVABLE}


def lifts(s: Scene, me: int, rule: str) -> Cells:
    """The pieces that a rule may take up: those with somewhere to go."""
    able = movers(s, me)
    if rule in ROVERS:
        able = {c for c in able if s.pieces[c].kind == ROVERS[rule]}
    if rule == "cave_walk":
        able &= touched(s.caves)
    return {cell for cell in able if moves(s, me, rule, cell)}


def moves(s: Scene, me: int, rule: str, source: Cell) -> Cells:
    """The hexes where a piece that a rule has taken up may be put down."""
    lifted = s.without(source)
    free = lifted.open_ground()
    if rule == "paddock":
        return free & {ray(source, way, 2)[-1] for way in WAYS}
    if rule == "caravan":
        return {last for way in WAYS for last in slide(source, way, free)}
    if rule == "resettlement":
        return free & neighbours(source)
    if rule == "cave_walk":
        return free & touched(s.caves) - {source}
    if rule in ROVERS:
        return lifted.available(*ROADS[ROVERS[rule]]) & neighbours(source)
    base = lifted.available("water") if rule == "harbor" else on_card(lifted)
    return near_if_possible(lifted, me, base) - {source}


def slide(source: Cell, way: int, free: Cells) -> list[Cell]:
    """Where a piece comes to rest that goes that way as long as hexes are free."""
    cell = source
    while step(cell, way) in free:
        cell = step(cell, way)
    return [] if cell == source else [cell]


# placing and removing


def walls(s: Scene, me: int) -> Cells:
    """The hexes for a stone wall."""
    return on_card(s) & touched(s.own(me)) if s.walls_left() > 0 else set()


def warriors(s: Scene, me: int) -> Cells:
    """The hexes for a warrior of the supply."""
    return near_if_possible(s, me, s.open_ground()) if s.supply[me]["warrior"] else set()


def rovers(s: Scene, me: int, kind: str) -> Cells:
    """The hexes for a wagon or ship of the supply."""
    return near_if_possible(s, me, s.available(*ROADS[kind])) if s.supply[me][kind] else set()


def flower_of(cell: Cell) -> list[Cell]:
    """A hex and its six neighbours, which may be off the board."""
    return [cell, *(step(cell, way) for way in WAYS)]


def halls(s: Scene, me: int) -> Cells:
    """The centres on which a hall can be laid."""
    if not s.supply[me]["hall"]:
        return set()
    free, near = s.open_ground(), touched(s.own(me))
    return {
        cell
        for cell in free
        if all(is_on_board(part) and part in free for part in flower_of(cell))
        and any(part in near for part in flower_of(cell))
    }


def of_kind(s: Scene, me: int, kind: str) -> Cells:
    """Where the player has pieces of a kind."""
    return {cell for cell, piece in s.pieces.items() if piece == Piece(me, kind)}


def victims(s: Scene, other: int) -> Cells:
    """The pieces of another player that a sword may strike."""
    return movers(s, other)


def first_of(groups: Iterable[Cells]) -> Cells:
    """The first set that is not empty."""
    return next((group for group in groups if group), set())

"""Where a piece may go under each rule, hex by hex."""

from __future__ import annotations

from collections.abc import Iterable

from tests.boxes.scene import MOVABLE, Scene
from tests.oracle.geometry import WAYS, Cell, is_on_table, is_rim, neighbours, step, touched
from tests.oracle.ground import BUILDABLE
from tests.oracle.twin_moves import ray

ON_TERRAIN = {
    "farm": "grass", "oasis": "desert", "garden": "flower", "foresters_lodge": "forest",
    "monastery": "canyon",
}  # fmt: skip
BUILDERS = ("oracle", *ON_TERRAIN, "tower", "tavern", "village")
TO_TERRAIN = {"harbor": "water", "rope_bridge": "canyon", "tree_house": "forest"}
MOVERS = ("barn", *TO_TERRAIN, "paddock", "caravan")
DONATION = "donation_"
ROVERS = {"wagon_yard": "wagon", "lighthouse": "ship"}
ROADS = {"warrior": BUILDABLE, "wagon": (*BUILDABLE, "mountain"), "ship": ("water",)}

Cells = set[Cell]


def on_card(s: Scene) -> Cells:
    """The available hexes of the card's terrain."""
    return s.available(s.terrain) if s.terrain else set()


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
    if rule == "mandatory" and not s.shown and s.has("build_without_card"):
        return s.open_ground()
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


# moving


def of_kinds(s: Scene, me: int, *kinds: str) -> Cells:
    """Where the player has pieces of these kinds."""
    return {c for c, piece in s.pieces.items() if piece.owner == me and piece.kind in kinds}


def movers(s: Scene, me: int) -> Cells:
    """The pieces that tiles may move: all but halls."""
    return of_kinds(s, me, *(MOVABLE if s.has("meeples_move") else ("settlement",)))


def lifts(s: Scene, me: int, rule: str) -> Cells:
    """The pieces that a rule may take up: those with somewhere to go."""
    able = of_kinds(s, me, ROVERS[rule]) if rule in ROVERS else movers(s, me)
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
    back = set() if s.has("null_moves") else {source}
    if rule == "cave_walk":
        return free & touched(s.caves) - back
    if rule in ROVERS:
        return lifted.available(*ROADS[ROVERS[rule]]) & neighbours(source)
    base = lifted.available(TO_TERRAIN[rule]) if rule in TO_TERRAIN else on_card(lifted)
    own = lifted.own(me) if s.has("lift_first") else s.own(me)
    return (base & touched(own) or base) - back


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
    return placed(s, me, "warrior", s.open_ground())


def rovers(s: Scene, me: int, kind: str) -> Cells:
    """The hexes for a wagon or ship of the supply."""
    return placed(s, me, kind, s.available(*ROADS[kind]))


def placed(s: Scene, me: int, kind: str, base: Cells) -> Cells:
    """Of these hexes those for a piece of the supply."""
    if not s.supply[me][kind]:
        return set()
    if s.uses_left["outpost"] > 0 and s.has("outpost_for_pieces"):
        return base
    return near_if_possible(s, me, base)


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
        if (is_on_table(cell) or s.has("halls_off_table"))
        and all(part in free for part in flower_of(cell))
        and any(part in near for part in flower_of(cell))
    }


def victims(s: Scene, other: int) -> Cells:
    """The pieces of another player that a sword may strike."""
    return of_kinds(s, other, *(MOVABLE if s.has("sword_takes_any") else ["settlement"]))


def first_of(groups: Iterable[Cells]) -> Cells:
    """The first set that is not empty."""
    return next((group for group in groups if group), set())

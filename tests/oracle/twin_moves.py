"""Where a piece may go: the mandatory build and the eight tiles, hex by hex."""

from __future__ import annotations

from collections.abc import Iterable

from tests.oracle.geometry import WAYS, Cell, is_rim, step, touched
from tests.oracle.ground import BUILDABLE
from tests.oracle.picture import Picture

BUILDERS = ("oracle", "farm", "oasis", "tower", "tavern")
MOVERS = ("barn", "harbor", "paddock")


def mandatory(p: Picture, me: int) -> set[Cell]:
    """The hexes of the mandatory build."""
    if p.card is None and p.options["build_without_card"]:
        return built(p, me, p.ground.of(*BUILDABLE))
    return built(p, me, on_card(p))


def on_card(p: Picture) -> list[Cell]:
    return p.ground.of(p.card) if p.card else []


def built(p: Picture, me: int, base: Iterable[Cell]) -> set[Cell]:
    """Free hexes of the set, those beside an own piece if there are any."""
    if p.supply[me] == 0:
        return set()
    free = {cell for cell in base if cell not in p.pieces}
    return free & touched(p.own(me)) or free


def build_with(p: Picture, me: int, tile: str) -> set[Cell]:
    """The hexes a building tile may build on."""
    if tile == "oracle":
        return built(p, me, on_card(p))
    if tile == "farm":
        return built(p, me, p.ground.of("grass"))
    if tile == "oasis":
        return built(p, me, p.ground.of("desert"))
    buildable = p.ground.of(*BUILDABLE)
    if tile == "tower":
        return built(p, me, [cell for cell in buildable if is_rim(cell)])
    return built(p, me, [cell for cell in buildable if continues_a_line(p, me, cell)])


def continues_a_line(p: Picture, me: int, cell: Cell) -> bool:
    """Whether three own pieces in a row follow right after the hex."""
    return any(all(p.pieces.get(c) == me for c in ray(cell, way, 3)) for way in WAYS)


def ray(cell: Cell, way: int, length: int) -> list[Cell]:
    found = []
    for _ in range(length):
        cell = step(cell, way)
        found.append(cell)
    return found


def lifts_with(p: Picture, me: int, tile: str) -> set[Cell]:
    """The pieces that a moving tile may take up: those with somewhere to go."""
    return {cell for cell in p.own(me) if targets_with(p, me, tile, cell)}


def targets_with(p: Picture, me: int, tile: str, source: Cell) -> set[Cell]:
    """The hexes where a piece that a tile has taken up may be put down."""
    others = {cell: owner for cell, owner in p.pieces.items() if cell != source}
    if tile == "paddock":
        jumps = {ray(source, way, 2)[-1] for way in WAYS}
        ground = p.ground.kind
        return {c for c in jumps if ground.get(c) in BUILDABLE and c not in others}
    base = p.ground.of("water") if tile == "harbor" else on_card(p)
    free = {cell for cell in base if cell not in others}
    own = [cell for cell, owner in others.items() if owner == me]
    near = touched(own if p.options["lift_first"] else [*own, source])
    found = free & near or free
    return found if p.options["null_moves"] else found - {source}

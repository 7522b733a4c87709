"""The Marshlands, hex by hex: what their tiles allow and what their cards pay.

Written from the rule book alone. A `Marsh` is a position in plain words: pieces by hex, the
terrain of the card, the tiles that the first player holds ready.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from random import Random
from typing import Any

from tests.boxes.ground import distances
from tests.oracle.geometry import SIZE, WAYS, Cell, areas, is_on_board, neighbours, step, touched
from tests.oracle.ground import box, lay_sections

BOXES = ("base", "nomads", "crossroads", "marshlands")
SIDE = SIZE // 2
BUILDABLE = ("grass", "canyon", "desert", "flower", "forest", "swamp")
SPECIAL = ("castle", "palace", "nomad", "location")
NOBODY, ME = -1, 0
PIECES = ("settlement",) * 12 + ("warrior", "wagon", "ship")
Cells = set[Cell]
Spot = tuple[str, bool]


@lru_cache(maxsize=1)
def sections() -> dict[str, Any]:
    return {id: section for name in BOXES for id, section in box(name).items()}


@dataclass(frozen=True)
class Marsh:
    """A position. pieces: owner and kind by hex; tiles: those of the first player, all ready."""

    rows: tuple[tuple[Spot, ...], ...]
    kinds: dict[Cell, str] = field(repr=False)
    players: int
    terrain: str
    tiles: tuple[str, ...]
    gone: str
    pieces: dict[Cell, tuple[int, str]]

    @cached_property
    def closed(self) -> Cells:
        """The hexes next to a warrior."""
        return touched(cell for cell, (_, kind) in self.pieces.items() if kind == "warrior")

    def of(self, *kinds: str) -> Cells:
        return {cell for cell, kind in self.kinds.items() if kind in kinds}

    def own(self, player: int) -> Cells:
        return {cell for cell, (owner, _) in self.pieces.items() if owner == player}

    def theirs(self, player: int) -> Cells:
        return {c for c, (owner, _) in self.pieces.items() if owner not in (player, NOBODY)}

    def free(self, *kinds: str) -> Cells:
        return self.of(*kinds) - self.pieces.keys() - self.closed

    def near(self, cells: Cells) -> Cells:
        """Those next to an own piece, or all if there are none."""
        return cells & touched(self.own(ME)) or cells

    def without(self, cell: Cell) -> Marsh:
        return replace(self, pieces={c: p for c, p in self.pieces.items() if c != cell})


def scattered(seed: int) -> Marsh:
    """Any position; pieces stand together, as they do in play."""
    random = Random(seed)
    marshy = random.sample(["temple", "refuge", "canoe", "fountain"], 2)
    others = random.sample(sorted(sections().keys() - set(marshy)), 2)
    four = [(id, random.random() < 0.5) for id in random.sample([*marshy, *others], 4)]
    kinds = lay_sections((tuple(four[:2]), tuple(four[2:])), sections()).kind
    players = random.randrange(2, 5)
    pieces: dict[Cell, tuple[int, str]] = {}
    for player in range(players):
        for _ in range(random.randrange(4)):
            _grow(random, kinds, pieces, player)
    for cell in random.sample(sorted(kinds), 8):
        if kinds[cell] in BUILDABLE and cell not in pieces:
            pieces[cell] = (NOBODY, "wall")
    held = [t for t in ACTIONS if random.random() < 0.6]
    bonus = [t for t in ("temple_bonus", "fountain_bonus") if random.random() < 0.5]
    return Marsh(
        (tuple(four[:2]), tuple(four[2:])), kinds, players, random.choice(BUILDABLE[:5]),
        (*held, *bonus), random.choice(BUILDABLE[:5]), pieces,
    )  # fmt: skip


def _grow(
    random: Random, kinds: dict[Cell, str], pieces: dict[Cell, tuple[int, str]], player: int
) -> None:
    """A group of a player's pieces, some of them on water or mountains."""
    cell = random.choice(sorted(kinds))
    for _ in range(random.randrange(1, 9)):
        if kinds[cell] not in SPECIAL and cell not in pieces:
            kind = random.choice(PIECES)
            held = sum(each == (player, kind) for each in pieces.values())
            most = {"settlement": 40, "warrior": 2}.get(kind, 1)
            pieces[cell] = (player, kind if held < most else "settlement")
        cell = random.choice(sorted(neighbours(cell)))


# what may be done


def canoe(m: Marsh) -> Cells:
    return m.near(m.free("swamp")) | m.near(m.free("water"))


def fountain(m: Marsh) -> Cells:
    ground = (*BUILDABLE, "mountain") if "fountain_bonus" in m.tiles else BUILDABLE
    own, theirs = m.own(ME), m.theirs(ME)
    return {
        cell
        for cell in m.free(*ground)
        if len(neighbours(cell) & own) == 1 and not neighbours(cell) & theirs
    }


def temple(m: Marsh) -> Cells:
    return {cell for cell, piece in m.pieces.items() if piece == (ME, "settlement")}


def mandatory(m: Marsh) -> Cells:
    base = m.free(m.terrain)
    return base if "temple_bonus" in m.tiles else m.near(base)


def refuge_to(m: Marsh, source: Cell) -> Cells:
    return m.without(source).free(*BUILDABLE) & neighbours(source)


def refuge_bonus_to(m: Marsh, source: Cell) -> Cells:
    """In each direction the first hex that is free, whatever comes before it."""
    free, found = m.without(source).free(*BUILDABLE), set()
    for way in WAYS:
        cell = step(source, way)
        while is_on_board(cell) and cell not in free:
            cell = step(cell, way)
        if cell in free:
            found.add(cell)
    return found


BUILDS = {"canoe_bonus": canoe, "fountain": fountain, "temple": temple}
MOVES = {"refuge": refuge_to, "refuge_bonus": refuge_bonus_to}
ACTIONS = (*BUILDS, *MOVES)


# what pays


def geologists(m: Marsh, player: int) -> int:
    ridges = areas(m.of("mountain"))
    joined = set()
    for group in areas(m.own(player)):
        met = [i for i, ridge in enumerate(ridges) if ridge & (touched(group) | group)]
        joined |= set(met) if len(met) > 1 else set()
    return 2 * len(joined)


def messengers(m: Marsh, player: int) -> int:
    ways = [
        1 + max(distances(one)[other] for other in group for one in group)
        for group in areas(m.own(player))
        if len(group) > 1
    ]
    return 2 * max(ways, default=0)


def majorities(m: Marsh, player: int, *kinds: str) -> int:
    """Five for each place of these kinds where nobody has more pieces beside it."""
    gold = 0
    for place in m.of(*kinds):
        counts = [len(neighbours(place) & m.own(each)) for each in range(m.players)]
        gold += 5 * (counts[player] > 0 and counts[player] == max(counts))
    return gold


def palaces(m: Marsh, player: int) -> int:
    return majorities(m, player, "palace")


def noblewomen(m: Marsh, player: int) -> int:
    return majorities(m, player, *SPECIAL)


def vassals(m: Marsh, player: int) -> int:
    inner = (SIDE - 1, SIDE)
    return sum(row in inner or column in inner for row, column in m.own(player))


def captains(m: Marsh, player: int) -> int:
    own = m.own(player)
    return sum(len(neighbours(cell) & own) >= 3 for cell in own)


def scouts(m: Marsh, player: int) -> int:
    gone = m.of(m.gone)
    return len((m.own(player) & touched(gone)) - gone)


CARDS = {
    each.__name__: each
    for each in (geologists, messengers, noblewomen, vassals, captains, scouts)
}  # fmt: skip

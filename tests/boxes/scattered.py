"""Positions scattered at random: all sections, all pieces, full hands; play may never come there.

The same seed gives the same position for ever.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random

from tests.boxes.dealing import ALL_CARDS, deal, take_cards
from tests.boxes.ground import capitol_grounds, cave_grounds, lay, sections, sides
from tests.boxes.patterns import PATTERNS
from tests.boxes.red_cards import RED
from tests.boxes.scene import NOBODY, OPTIONS, SUPPLY, WALLS, Held, Piece, Scene
from tests.boxes.targets import flower_of
from tests.oracle.geometry import ISLAND, Cell, is_on_board, neighbours
from tests.oracle.ground import BUILDABLE, SPECIAL, Ground, Spot

DONATIONS = tuple(f"donation_{kind}" for kind in (*BUILDABLE, "water", "mountain"))
NOMAD_TILES = (*DONATIONS, *("resettlement", "outpost", "sword", "treasure") * 2)
USABLE_NOMADS = tuple(kind for kind in NOMAD_TILES if kind != "treasure")
LOCATION_TILES = (
    "oracle", "farm", "oasis", "tower", "tavern", "barn", "harbor", "paddock",
    "quarry", "caravan", "village", "garden",
    "lighthouse", "foresters_lodge", "barracks", "city_hall", "fort", "monastery", "wagon_yard",
    "crossroads", "rope_bridge", "tree_house",
)  # fmt: skip

PLAYERS = range(5)
SECOND_CARDS = "barracks_crossroads"
"""The section that gives them."""
CHANGED: tuple[tuple[str, ...], ...] = (
    *[()] * 6,
    ("null_moves", "placing_counts"),
    ("lift_first", "caves_occupied", "lords_rank_zero"),
    ("meeples_move", "caves_chosen", "outpost_for_pieces", "halls_off_table"),
    ("coast_is_water", "halls_off_table"),
    ("build_without_card", "capitol_chosen"),
    ("lift_first", "null_moves", "outpost_for_pieces"),
    ("barred_from_both", "any_home_country", "both_capitols"),
    ("miners_on_mountains", "sword_takes_any", "zones_hem_in"),
    ("both_capitols", "capitol_chosen"),
)
"""Options that are not as usual, one set for each table."""

Rows = tuple[tuple[Spot, ...], ...]


@dataclass(frozen=True)
class Scattered:
    """A position, the seed that made it, the sections it lies on, and the side of the island."""

    seed: int
    rows: Rows
    side: str
    scene: Scene


def scattered(seed: int) -> Scattered:
    """The position of a seed."""
    random = Random(seed)
    rows, side = _sections(random), random.choice(sides())
    return Scattered(seed, rows, side, _scene(lay(rows, side), random))


def opening(seed: int) -> Scattered:
    """A table at the first turn, everybody having a card; every second one may give two later."""
    random = Random(seed)
    rows, side = _sections(random, *[SECOND_CARDS] * (seed % 2)), random.choice(sides())
    s = _table(lay(rows, side), random)
    s.mover = 0
    _lay_tiles(s, random)
    s.held, s.visited = [[] for _ in s.supply], [set() for _ in s.supply]
    s.stock = dict.fromkeys(s.ground.tile, 2) | dict.fromkeys(s.nomads, 1)
    s.uses_left.clear()
    s.deck = ALL_CARDS.copy()
    s.hands = [take_cards(s, 1, random) for _ in s.supply]
    s.shown, s.hands[0] = s.hands[0], []
    return Scattered(seed, rows, side, s)


def _sections(random: Random, *wanted: str) -> Rows:
    others = random.sample(sorted(sections().keys() - set(wanted)), 4 - len(wanted))
    chosen = random.sample([*wanted, *others], 4)
    a, b, c, d = ((section, random.random() < 0.5) for section in chosen)
    return ((a, b), (c, d))


def _table(ground: Ground, random: Random) -> Scene:
    """An empty board with its players, cards, options, capitols and caves."""
    players = random.randint(2, 5)
    cards = tuple(card for card in RED if random.random() < 0.7)
    s = Scene(ground, players, random.randrange(players), cards=cards, gold=[0] * players)
    s.options = {name: not OPTIONS[name] for name in random.choice(CHANGED)}
    castles = capitol_grounds(ground)
    if castles and not s.has("both_capitols"):
        castles = [sorted(cell for each in castles for cell in each)]
    s.capitols = [random.choice(c) if s.has("capitol_chosen") else c[0] for c in castles]
    mountains = cave_grounds(ground)
    s.caves = [random.choice(c) if s.has("caves_chosen") else c[0] for c in mountains]
    s.supply = [Counter(SUPPLY) for _ in range(players)]
    return s


def _scene(ground: Ground, random: Random) -> Scene:
    s = _table(ground, random)
    present = [player for player in range(s.players) if random.random() < 0.85]
    for player in present:
        _lay_hall(s, player, random)
        _strew_rovers(s, player, random)
    for player in present:
        if random.random() < 0.4:
            _claim(s, player, random.choice(PATTERNS)(s, random))
        _strew(s, player, random)
    full = _fill(s, random)
    _strew_walls(s, random)
    for supply in s.supply:
        if random.random() < 0.15:
            supply["settlement"] = random.choice([0, 1, 2])
    _lay_tiles(s, random)
    deal(s, full, random)
    return s


# pieces


def _fits(s: Scene, cell: Cell) -> bool:
    return is_on_board(cell) and cell not in s.pieces and s.ground.kind[cell] not in SPECIAL


def _claim(s: Scene, player: int, cells: list[Cell]) -> None:
    """Settlements on as many of these hexes as are free and the supply allows."""
    for cell in cells:
        if _fits(s, cell) and s.supply[player]["settlement"] > 0:
            s.pieces[cell] = Piece(player, "settlement")
            s.supply[player]["settlement"] -= 1


def _lay_hall(s: Scene, player: int, random: Random) -> None:
    """A hall somewhere, on any terrain."""
    if random.random() < 0.6:
        return
    for _ in range(20):
        cells = flower_of(random.choice([*s.ground.kind, *sorted(ISLAND) * 3]))
        if all(_fits(s, cell) for cell in cells):
            s.pieces |= dict.fromkeys(cells, Piece(player, "hall"))
            s.supply[player]["hall"] = 0
            return


def _strew_rovers(s: Scene, player: int, random: Random) -> None:
    """Warriors, wagons and ships, most where they may go, some where none of them could."""
    anywhere = (*BUILDABLE, "water", "mountain")
    for kind, most in (("warrior", 2), ("wagon", 1), ("ship", 1)):
        ground = ("water",) if kind == "ship" and random.random() < 0.8 else anywhere
        for _ in range(random.choice([0, 1, most])):
            cell = random.choice(s.ground.of(*ground))
            if _fits(s, cell):
                s.pieces[cell] = Piece(player, kind)
                s.supply[player][kind] -= 1


def _strew(s: Scene, player: int, random: Random) -> None:
    """Settlements anywhere, or in clumps around places, caves and each other."""
    open_ = s.ground.of(*BUILDABLE, *random.choice([(), ("water", "mountain")]))
    together = random.choice([0, 0.5, 0.9])
    anchors = [*s.ground.of(*SPECIAL), *s.caves, *s.own(player)]
    for _ in range(random.choice([0, 1, 3, 8, 15, 25, 37])):
        cell = random.choice(open_)
        if random.random() < together:
            cell = random.choice(sorted(neighbours(random.choice(anchors))))
        if _fits(s, cell):
            _claim(s, player, [cell])
            anchors.append(cell)


def _strew_walls(s: Scene, random: Random) -> None:
    free = sorted(cell for cell in s.ground.kind if _fits(s, cell))
    for cell in random.sample(free, random.choice([0, 0, 3, 10, WALLS - 1, WALLS])):
        s.pieces[cell] = Piece(NOBODY, "wall")


def _fill(s: Scene, random: Random) -> str | None:
    """Now and then all but a few hexes of a terrain; cards of it die."""
    if random.random() < 0.8:
        return None
    terrain = random.choice(BUILDABLE)
    free = [cell for cell in s.ground.of(terrain) if cell not in s.pieces]
    for cell in free[random.choice([0, 0, 1, 2]) :]:
        able = [player for player in range(s.players) if s.supply[player]["settlement"]]
        if able:
            _claim(s, random.choice(able), [cell])
    return terrain


# tiles


def _lay_tiles(s: Scene, random: Random) -> None:
    places = sorted(s.ground.of("nomad"))
    drawn = random.sample(NOMAD_TILES, len(NOMAD_TILES))
    if random.random() < 0.3:
        drawn.sort(key=lambda kind: kind != "treasure")
    s.nomads = dict(zip(reversed(places), drawn, strict=False))
    s.stock = {place: random.choice([0, 1, 2]) for place in s.ground.tile}
    for player in range(s.players):
        s.visited.append({place for place in s.ground.tile if random.random() < 0.3})
        s.held.append(_hand(s, player, random))
    origins = {tile.origin for hand in s.held for tile in hand}
    s.stock |= {place: 0 if place in origins else random.choice([0, 1, 1]) for place in places}
    s.uses_left = Counter(t.kind for t in s.held[s.mover] if t.status == "ready")


def _hand(s: Scene, player: int, random: Random) -> list[Held]:
    """Tiles of any kind, as if they came from places of this board, most of them touched."""
    locations, nomads = sorted(s.ground.tile), sorted(s.nomads)
    touched = [place for place in locations if s.touches(player, place)] or locations
    tiles = []
    for kind in random.sample(LOCATION_TILES, random.choice([2, 5, 8]) if player == s.mover else 1):
        origin = random.choice(touched if random.random() < 0.8 else locations)
        for _ in range(random.choice([1, 1, 1, 2])):
            tiles.append(Held(kind, origin, random.choice(["ready", "ready", "ready", "used"])))
        s.visited[player].add(origin)
    for kind in random.sample(USABLE_NOMADS, random.choice([0, 1, 3]) if nomads else 0):
        tiles.append(Held(kind, nomads[0]))  # the other places may still have theirs
    return tiles

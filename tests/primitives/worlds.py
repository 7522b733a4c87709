"""Random worlds: boards of any shape with any kind of hex, pieces, tiles and cards, and sets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from hypothesis import strategies as st

from kbrules.engine.game import Game
from kbrules.game.board import Board as Table
from kbrules.game.state import FRESH, READY, USED, Draft, State, Tile
from kbrules.game.view import View
from kbrules.lang.typed import Sort
from tests.hex.boards import Board, boards
from tests.hex.twin import Hex, Twin
from tests.primitives.probe import expression, vale, value

PLAYERS = 3
VARIABLES = {
    "a": Sort.HEXES, "b": Sort.HEXES, "c": Sort.HEXES, "gs": Sort.GROUPS, "n": Sort.NUMBER,
    "m": Sort.NUMBER, "big": Sort.NUMBER, "p": Sort.PLAYER, "t": Sort.TRUTH, "u": Sort.TRUTH,
    "kind": Sort.PIECE, "ground": Sort.TERRAIN, "tile": Sort.TILE, "site": Sort.PLACE,
}  # fmt: skip


@dataclass(repr=False)
class World:
    """A position twice: as the engine holds it, and as dictionaries of hexes."""

    board: Board
    table: Table
    game: Game
    state: State
    me: int
    kind: dict[Hex, str]
    pieces: dict[Hex, tuple[int, str]]
    sectors: list[set[Hex]]
    tiles: dict[Hex, str]
    bound: dict[str, Any]
    env: dict[str, Any] = field(default_factory=dict)

    @property
    def twin(self) -> Twin:
        return self.board.twin

    @property
    def view(self) -> View:
        return self.game.view(self.state, self.me, self.env)

    def __getattr__(self, name: str) -> Any:
        """A bound value: sets of hexes for `a`, `b`, `c`, lists of them for `gs`."""
        try:
            return self.__dict__["bound"][name]
        except KeyError:
            raise AttributeError(name) from None

    def __repr__(self) -> str:
        return f"World({self.kind}, {self.pieces}, me={self.me}, {self.bound})"

    def of(self, *kinds: str) -> set[Hex]:
        return {place for place, kind in self.kind.items() if kind in kinds}

    def held_by(self, *players: int) -> set[Hex]:
        return {place for place, (owner, _) in self.pieces.items() if owner in players}

    def with_piece(self, *pieces: str) -> set[Hex]:
        return {place for place, (_, piece) in self.pieces.items() if piece in pieces}

    def order(self, place: Hex) -> int:
        return self.board.grid.index_at(place[1], place[2], place[0])

    def asked(self, text: str, *defines: str) -> Any:
        """The value of an expression: sets for hexes, lists of sets for groups."""
        found = value(text, self.view, VARIABLES, *defines)
        sort = expression(text, VARIABLES, *defines).sort
        if sort is Sort.HEXES:
            assert found & ~self.board.grid.full == 0, f"{text} leaves the board"
            return self.board.places(found)
        if sort is Sort.GROUPS:
            return [self.board.places(mask) for mask in found]
        return found


def groups(twin: Twin, places: set[Hex]) -> list[set[Hex]]:
    """The connected groups of a set."""
    left, found = set(places), []
    while left:
        group = twin.group_of(left, {min(left)})
        found.append(group)
        left -= group
    return found


def share(random: Random, places: Iterable[Hex]) -> set[Hex]:
    """Any share of some hexes."""
    part = random.choice([0.05, 0.2, 0.4, 0.7, 1])
    return {place for place in sorted(places) if random.random() < part}


@st.composite
def worlds(draw: st.DrawFn, largest: int = 9) -> World:
    """Hypothesis draws the shape of the board and a seed; the seed fills it."""
    board = draw(boards(largest))
    random = Random(draw(st.integers(0, 2**32)))
    catalog = vale().catalog
    places = sorted(board.twin.hexes)
    choices = random.sample([kind.id for kind in catalog.hexes], random.randrange(2, 9))
    kind = {place: random.choice(choices) for place in places}
    tiles = {p: random.choice(["mill", "oracle", "farm"]) for p in places if random.random() < 0.1}
    for place in tiles:
        kind[place] = "mound" if tiles[place] == "mill" else "location"
    sectors = [{p for p in places if (p[1] > 3, p[2] > 4) == half} for half in HALVES]
    table = _table(board, kind, tiles, sectors)
    game = Game(vale(), table, PLAYERS, random.choice([(), ("rowers",), ("rowers", "lords")]))
    pieces = _pieces(random, places)
    state = random_state(game, board, pieces, random)
    return World(
        board, table, game, state, random.randrange(PLAYERS), kind, pieces, sectors, tiles,
        *_bound(random, board, game),
    )  # fmt: skip


HALVES = [(False, False), (False, True), (True, False), (True, True)]


def _table(
    board: Board, kind: dict[Hex, str], tiles: dict[Hex, str], sectors: list[set[Hex]]
) -> Table:
    catalog = vale().catalog
    kinds = tuple(board.mask(p for p, k in kind.items() if k == each.id) for each in catalog.hexes)
    lying = {
        board.grid.index_at(r, c, part): catalog.tile_index(t) for (part, r, c), t in tiles.items()
    }
    return Table(catalog, board.grid, kinds, tuple(map(board.mask, sectors)), lying)


def _pieces(random: Random, places: list[Hex]) -> dict[Hex, tuple[int, str]]:
    found: dict[Hex, tuple[int, str]] = {}
    many = random.choice([0, 0.2, 0.5, 0.9])
    for place in places:
        if random.random() < many:
            owner = random.choice([*range(PLAYERS), 0, -1])
            found[place] = owner, "fence" if owner < 0 else random.choice(["settlement", "hut"])
    return found


def random_state(
    game: Game, board: Board, pieces: dict[Hex, tuple[int, str]], random: Random
) -> State:
    draft: Draft = game.empty()
    catalog = vale().catalog
    masks = {
        owner: tuple(
            board.mask(p for p, each in pieces.items() if each == (owner, piece.id))
            for piece in catalog.pieces
        )
        for owner in range(-1, PLAYERS)
    }
    held = [_tiles(random, game) for _ in range(PLAYERS)]
    draft.seats = tuple(
        seat._replace(
            pieces=masks[player], all=sum(masks[player]), tiles=held[player],
            supply=tuple(random.randrange(4) for _ in catalog.pieces),
            hand=tuple(random.sample(range(len(catalog.deck)), random.randrange(3))),
            memory=tuple(random.getrandbits(60) & board.grid.full for _ in seat.memory),
        )
        for player, seat in enumerate(draft.seats)
    )  # fmt: skip
    draft.neutral = masks[-1]
    draft.occupied = board.mask(pieces)
    draft.stock = tuple(stock[: random.randrange(len(stock) + 1)] for stock in draft.stock)
    cards = range(len(catalog.deck))
    draft.piles = tuple(tuple(random.randrange(4) for _ in cards) for _ in range(3))
    draft.shown = tuple(random.sample(cards, random.choice([0, 1, 1, 2])))
    draft.aside = tuple(random.sample(cards, random.choice([0, 0, 1])))
    offered = [terrain for card in draft.shown for terrain in catalog.deck[card].terrains]
    draft.choice = random.choice([-1, *offered])
    draft.revealed = random.choice([-1, *cards])
    for card in game.card_indexes:
        where = random.choice(["play", "play", "beside", "retired"])
        draft.beside |= (where == "beside") << card
        draft.retired |= (where == "retired") << card
    draft.active = random.randrange(PLAYERS)
    draft.stage = (random.choice(["setup", "turn", "turn", "finish"]), draft.active)
    return draft.seal()


def _tiles(random: Random, game: Game) -> tuple[Tile, ...]:
    """Tiles from some of the places, and one that came from none."""
    found = [
        Tile(kind, hex, random.choice([FRESH, READY, USED]))
        for hex, kind in game.board.tiles.items()
        if random.random() < 0.5
    ]
    nowhere = Tile(game.ruleset.catalog.tile_index("mill"), -1, random.choice([FRESH, READY]))
    return (*found, *random.sample([nowhere], random.randrange(2)))


def _bound(random: Random, board: Board, game: Game) -> tuple[dict[str, Any], dict[str, Any]]:
    """Values of the variables, for the twin and for the engine."""
    places = sorted(board.twin.hexes)
    sets = {name: share(random, places) for name in "abc"}
    gs = [share(random, places) for _ in range(random.randrange(5))]
    catalog = game.ruleset.catalog
    grounds = [i for i, kind in enumerate(catalog.hexes) if not kind.is_place]
    sites = [i for i, kind in enumerate(catalog.hexes) if kind.is_place]
    plain: dict[str, Any] = {
        "n": random.randrange(-2, 8), "m": random.randrange(-3, 9),
        "big": random.choice([-999_999, -1001, 999, 500_000, 999_999]),
        "p": random.randrange(PLAYERS), "t": random.random() < 0.5, "u": random.random() < 0.5,
        "kind": random.randrange(len(catalog.pieces)), "ground": random.choice([-1, *grounds]),
        "tile": random.randrange(len(catalog.tiles)), "site": random.choice(sites),
    }  # fmt: skip
    masks = {name: board.mask(places) for name, places in sets.items()}
    engine = {**plain, **masks, "gs": tuple(map(board.mask, gs))}
    return {**plain, **sets, "gs": gs, "kind_of_piece": plain["kind"]}, engine

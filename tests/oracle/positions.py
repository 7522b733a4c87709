"""Random positions of the real game, for the engine and the twin alike."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random

from hypothesis import strategies as st

from kbrules.engine.game import Game
from kbrules.engine.setup import TableSetup, game_at
from kbrules.game.state import Draft, Frame, Seat, State, Tile
from kbrules.lang.typed import Step
from kbrules.library.boards.tables import Layout
from tests.oracle.geometry import Cell, neighbours
from tests.oracle.ground import BUILDABLE, Ground, box, lay
from tests.oracle.picture import Picture
from tests.oracle.seen import addresses, mask_of, picture_of, rules

SUPPLY = 40


@dataclass
class Wanted:
    """What a position should hold: pieces and tiles by player, cards by where they are.

    tiles: (player, kind of tile, its place, status). hands and shown: names of terrains;
    what is in no hand and not named in `removed` or `discards` is in the deck. supply: where
    it is not 40 less what is on the board.
    """

    pieces: dict[Cell, int] = field(default_factory=dict)
    tiles: list[tuple[int, str, Cell, str]] = field(default_factory=list)
    visited: list[tuple[int, Cell]] = field(default_factory=list)
    taken: list[Cell] = field(default_factory=list)
    active: int = 0
    round: int = 0
    shown: str | None = "grass"
    hands: dict[int, str] = field(default_factory=dict)
    discards: Counter[str] = field(default_factory=Counter)
    removed: Counter[str] = field(default_factory=Counter)
    supply: dict[int, int] = field(default_factory=dict)
    ending: bool | None = None


def stand(game: Game, wanted: Wanted) -> State:
    """The state of a turn whose cards are shown and whose actions are still to come."""
    return game.run_to_decision(lay_out(game, wanted))


def lay_out(game: Game, wanted: Wanted) -> Draft:
    """The same before the rules have looked at it: its card may be a dead one."""
    draft = game.empty()
    seats = tuple(_seat(game, wanted, i, seat) for i, seat in enumerate(draft.seats))
    draft.seats = seats
    draft.occupied = mask_of(game.board.grid, wanted.pieces)
    draft.stock = _stock(game, wanted, draft)
    draft.piles = _piles(game, wanted)
    draft.shown = (_cards(game)[wanted.shown],) if wanted.shown else ()
    draft.active = wanted.active
    draft.stage = ("turn", wanted.round * game.players + wanted.active)
    finished = any(seat.supply[0] == 0 for seat in seats)
    draft.ending = finished if wanted.ending is None else wanted.ending
    draft.stack = (_at_actions(game, wanted.active),)
    return draft


def _cards(game: Game) -> dict[str, int]:
    catalog = game.ruleset.catalog
    return {catalog.card_name(card): card for card in range(len(catalog.deck))}


def _seat(game: Game, wanted: Wanted, player: int, seat: Seat) -> Seat:
    grid = game.board.grid
    own = mask_of(grid, [cell for cell, owner in wanted.pieces.items() if owner == player])
    seen = {cell for owner, _, cell, _ in wanted.tiles if owner == player}
    seen |= {cell for owner, cell in wanted.visited if owner == player}
    slot = game.ruleset.memories["visited"][1]
    return seat._replace(
        pieces=(own, *seat.pieces[1:]),
        all=own,
        supply=(wanted.supply.get(player, SUPPLY - own.bit_count()), *seat.supply[1:]),
        hand=(_cards(game)[wanted.hands[player]],) if player in wanted.hands else (),
        tiles=_tiles(game, wanted, player),
        memory=tuple(mask_of(grid, seen) if i == slot else 0 for i in range(len(seat.memory))),
    )


def _tiles(game: Game, wanted: Wanted, player: int) -> tuple[Tile, ...]:
    bit = addresses(game.board.grid)[1]
    return tuple(
        Tile(game.ruleset.catalog.tile_index(kind), bit[place], status)
        for owner, kind, place, status in wanted.tiles
        if owner == player
    )


def _stock(game: Game, wanted: Wanted, draft: Draft) -> tuple[tuple[int, ...], ...]:
    bit = addresses(game.board.grid)[1]
    gone = Counter(bit[place] for place in wanted.taken)
    gone.update(bit[place] for _, _, place, _ in wanted.tiles)
    pairs = zip(game.board.places, draft.stock, strict=True)
    return tuple(tiles[gone[place] :] for place, tiles in pairs)


def _piles(game: Game, wanted: Wanted) -> tuple[tuple[int, ...], ...]:
    catalog = game.ruleset.catalog
    names = [catalog.card_name(i) for i in range(len(catalog.deck))]
    out = Counter([*wanted.hands.values(), *([wanted.shown] if wanted.shown else [])])
    out += wanted.discards + wanted.removed
    deck = tuple(c.count - out[n] for n, c in zip(names, catalog.deck, strict=True))
    assert min(deck) >= 0, "no terrain has so many cards"
    return deck, tuple(wanted.discards[n] for n in names), tuple(wanted.removed[n] for n in names)


def _at_actions(game: Game, player: int) -> Frame:
    """The frame of a turn that has come to the players' own actions."""
    for phase, _ in game.ruleset.phases("turn"):
        for pc, doing in enumerate(phase.body.steps):
            if isinstance(doing, Step) and doing.name == "actions":
                return Frame(phase.body.path, pc, player, {})
    raise AssertionError("a turn has actions")


CARDS = tuple(sorted(rules().catalog.cards))


@lru_cache(maxsize=64)
def _game(layout: Layout, players: int, cards: tuple[str, ...], options: tuple[str, ...]) -> Game:
    changed = {name: not rules().options[name] for name in options}
    return game_at(rules(), TableSetup(players, layout, cards, changed))


def table(
    layout: Layout, players: int, cards: tuple[str, ...] = CARDS, *changed: str
) -> tuple[Game, TableSetup]:
    """A game; `changed` are the options that are not as usual."""
    options = {name: not rules().options[name] for name in changed}
    return _game(layout, players, cards, changed), TableSetup(players, layout, cards, options)


def layouts() -> st.SearchStrategy[Layout]:
    """Any four sections, turned or not."""
    sections = st.permutations(sorted(box())).map(lambda each: each[:4])
    turns = st.tuples(*[st.booleans()] * 4)
    return st.builds(_laid, sections, turns)


def _laid(sections: list[str], turns: tuple[bool, ...]) -> Layout:
    a, b, c, d = zip(sections, turns, strict=True)
    return Layout(((a, b), (c, d)))


@dataclass(frozen=True, repr=False)
class Drawn:
    """A position with its game; its picture and turn before the rules have looked at it."""

    game: Game
    table: TableSetup
    state: State
    picture: Picture
    turn: int
    seed: int

    def __repr__(self) -> str:
        return f"{self.table.layout} {dict(self.table.options)}: {self.picture}"


@st.composite
def positions(draw: st.DrawFn, cards: tuple[str, ...] = CARDS) -> Drawn:
    """Crowded and empty boards, with pieces on water and mountains too, and tiles in hand.

    Hypothesis draws what matters and a seed; the seed scatters the pieces.
    """
    layout, players = draw(layouts()), draw(st.integers(2, 4))
    switches = (
        "lift_first", "null_moves", "lords_rank_zero", "build_without_card",
        "barred_from_both", "miners_on_mountains",
    )  # fmt: skip
    changed = tuple(name for name in switches if draw(st.integers(0, 3)) == 0)
    game, described = table(layout, players, cards, *changed)
    seed = draw(st.integers(0, 2**32))
    random = Random(seed)
    ground = lay(layout.rows)
    wanted = Wanted(active=random.randrange(players), round=random.randrange(20))
    counts = [draw(st.sampled_from([0, 1, 3, 8, 15, 25, 37, 39, 40])) for _ in range(players)]
    _scatter(
        wanted, ground, counts, draw(st.booleans()), draw(st.sampled_from([0, 0.5, 1])), random
    )
    full = _fill_terrain(wanted, ground, random)
    _hand_out(wanted, ground, random)
    _deal(wanted, players, full, random)
    draft = lay_out(game, wanted)
    picture = picture_of(game, described, draft)
    turn = draft.stage[1]
    return Drawn(game, described, game.run_to_decision(draft), picture, turn, seed)


def _scatter(
    wanted: Wanted, ground: Ground, counts: list[int], wet: bool, together: float, random: Random
) -> None:
    """Pieces anywhere, or in clumps around places and each other."""
    kinds = (*BUILDABLE, "water", "mountain") if wet else BUILDABLE
    open_ = ground.of(*kinds)
    for player, count in enumerate(counts):
        anchors = [*ground.of("location", "castle")]
        for _ in range(count):
            cell = random.choice(open_)
            if random.random() < together:
                cell = random.choice(sorted(neighbours(random.choice(anchors))))
            if cell not in wanted.pieces and ground.kind[cell] in kinds:
                wanted.pieces[cell] = player
                anchors.append(cell)


def _fill_terrain(wanted: Wanted, ground: Ground, random: Random) -> str | None:
    """Now and then a terrain all but full, so that cards die; as far as the pieces reach."""
    if random.random() < 0.6:
        return None
    left = [SUPPLY] * 4
    for owner in wanted.pieces.values():
        left[owner] -= 1
    players = 1 + max(wanted.pieces.values(), default=0)
    terrain = random.choice(BUILDABLE)
    free = [c for c in ground.of(terrain) if c not in wanted.pieces]
    for cell in free[: len(free) - random.choice([0, 0, 1, 2])]:
        able = [player for player in range(players) if left[player]]
        if able:
            player = random.choice(able)
            left[player] -= 1
            wanted.pieces[cell] = player
    return terrain


def _hand_out(wanted: Wanted, ground: Ground, random: Random) -> None:
    """Tiles in the hands of those whose pieces touch the place; some places are empty."""
    for place, kind in ground.tile.items():
        touching = {wanted.pieces[c] for c in neighbours(place) if c in wanted.pieces}
        beside = sorted(touching)
        random.shuffle(beside)
        for player in beside[:2]:
            status = random.choice(["ready", "ready", "ready", "used", "fresh"])
            if player != wanted.active and status == "used":
                status = "ready"
            wanted.tiles.append((player, kind, place, status))
        for _ in range(2 - len(beside[:2])):
            if random.random() < 0.2:
                wanted.taken.append(place)


def _deal(wanted: Wanted, players: int, full: str | None, random: Random) -> None:
    """Cards in hands and piles; sometimes there is none left anywhere."""
    cards = [terrain for terrain in BUILDABLE for _ in range(5)]
    random.shuffle(cards)
    cards.sort(key=lambda terrain: terrain == full and random.random() < 0.5)
    wanted.shown = cards.pop()
    for player in range(players):
        if player != wanted.active:
            wanted.hands[player] = cards.pop()
    gone, away = random.choice([(0, 0), (0, 10), (5, 10), (10, 15), (0, 24), (24, 0)])
    wanted.removed = Counter(cards[:gone])
    wanted.discards = Counter(cards[gone : gone + away])
    if gone == 24 and random.random() < 0.5:
        wanted.removed[wanted.shown] += 1
        wanted.shown = None

"""Positions by seed, and the smallest position that still shows something, as a scenario."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import TypeVar

from kbrules.engine.game import Game
from kbrules.engine.setup import TableSetup, choose_table, game_at, with_cards
from kbrules.game.board import NONE
from kbrules.game.moves import CHANCE
from kbrules.game.random import Random
from kbrules.game.state import READY, USED, Draft, State, Tile, draft_of
from kbrules.hex.grid import read_hex_name
from kbrules.hex.sets import Address, Mask, bits, mask_of, nth
from kbrules.library.position import (
    PlayerSeat,
    PlayerTurn,
    Position,
    TableBoard,
    hex_of_move,
    within,
    without_pieces,
)
from kbrules.library.ruleset import Ruleset
from kbrules.plan.plan import LinkerFactory, default_linker
from kbrules.scenario.position import add_tile, enter_stage, has_actions, place_pieces

# Positions by seed: decisions of random games, and the same tables with scattered pieces.


PLAYED, SCATTERED = "played", "scattered"
PLAYED_POSITIONS = 4  # positions taken from one game
MAX_MOVES = 3000  # moves; a game that goes on longer is left
_GROUPS_PER_EVENT = 8  # of moves that are offered cost as much as an event
PIECE_COUNTS = (0, 1, 3, 8, 15, 25, 40)
"""How many pieces a player has on a scattered position."""
FREE_PART = 4
"""The part of the hexes that stays free; where nobody can move, turns go by for a long time."""
ADJACENT_PERCENT = (0, 50, 90)
"""How many of a hundred of them are put beside others, or beside a place."""


@dataclass(slots=True)
class Budget:
    """How much may still happen in games played for samples, in events and offers; and the moves
    after which a game is left."""

    left: int = 1 << 62
    max_moves: int = MAX_MOVES

    @property
    def is_spent(self) -> bool:
        return self.left < 0


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """A position, the table it is on, and where it comes from: `PLAYED` or `SCATTERED`."""

    seed: int
    table: TableSetup
    game: Game
    state: State
    kind: str


def samples(
    ruleset: Ruleset,
    count: int,
    seed: int = 0,
    cards: Sequence[str] = (),
    options: Mapping[str, bool | int] | None = None,
    linking: LinkerFactory = default_linker,
    tiles: Sequence[str] = (),
    budget: Budget | None = None,
) -> Iterator[Sample]:
    """Yield `count` positions of a rule set, half of them from play, half of them scattered.

    cards: those that lie on every table, before the ones that are drawn. tiles: those that
    everybody has one of, ready to be used, in scattered positions. budget: fewer positions come
    once it is spent. SetupError if no table can be laid from the boxes.
    """
    budget = budget or Budget()
    yielded, table_seed = 0, seed
    while yielded < count:
        table = drawn_table(ruleset, table_seed, cards, options)
        game = game_at(ruleset, table, linking)
        for sample in _samples_of_game(table_seed, table, game, tiles, budget):
            if yielded == count or budget.is_spent:
                return
            yielded += 1
            yield sample
        table_seed += 1


def drawn_table(
    ruleset: Ruleset,
    seed: int,
    cards: Sequence[str] = (),
    options: Mapping[str, bool | int] | None = None,
) -> TableSetup:
    """The table of a seed: each number of players in turn, the cards wanted before those drawn."""
    least, most = ruleset.parts.players
    table = choose_table(ruleset, least + seed % (most - least + 1), seed, options=options)
    return with_cards(ruleset, table, cards)


def _samples_of_game(
    seed: int, table: TableSetup, game: Game, tiles: Sequence[str], budget: Budget
) -> Iterator[Sample]:
    """Yield decisions of one game in turn with scattered positions that begin from them."""
    random = Random(seed, "sampling")
    *before, last = _decisions(game, random, budget)
    chosen = random.sample(range(len(before)), min(PLAYED_POSITIONS - 1, len(before)))
    for state in (*(before[index] for index in sorted(chosen)), last):
        yield Sample(seed, table, game, state, PLAYED)
        if has_actions(game.ruleset):
            scattered = _scattered_position(game, state, random, tiles)
            yield Sample(seed, table, game, scattered, SCATTERED)


def _decisions(game: Game, random: Random, budget: Budget) -> Iterator[State]:
    """Yield the decisions of the players in a random game, then its last state."""
    state = game.start()
    for _ in range(budget.max_moves):
        moves = game.legal_moves(state)
        if not moves or budget.is_spent:
            break
        if moves.player != CHANCE:
            yield state
        step = game.play(state, moves.sample(random))
        budget.left -= len(step.events) + len(moves.groups) // _GROUPS_PER_EVENT
        state = step.state
    yield state


def _scattered_position(game: Game, state: State, random: Random, tiles: Sequence[str]) -> State:
    """The table of a state with more pieces and tiles, somebody being at their actions."""
    draft = draft_of(state)
    player = random.below(game.players)
    for seat in range(game.players):
        _scatter(game, draft, seat, random)
        _give_tiles(game, draft, seat, random, tiles)
    draft.used = ()
    deck = game.ruleset.catalog.deck
    if deck and not draft.shown:
        draft.shown = (random.below(len(deck)),)
    enter_stage(draft, game.ruleset, "actions", player)
    return game.run_to_decision(draft)


def _scatter(game: Game, draft: Draft, seat: int, random: Random) -> None:
    """Pieces of a player, from the supply, on free hexes that are no places."""
    pieces = game.ruleset.catalog.pieces
    adjacent_percent = random.choice(ADJACENT_PERCENT)
    for _ in range(random.choice(PIECE_COUNTS)):
        supply = draft.seats[seat].supply
        kinds = [i for i, number in enumerate(supply) if number > 0 and not pieces[i].neutral]
        if not kinds:
            return
        piece = random.choice(kinds) if random.below(5) == 0 else max(kinds, key=supply.__getitem__)
        free = _free_hexes(game, draft, piece)
        if free.bit_count() * FREE_PART < game.board.grid.full.bit_count():
            return
        beside = free & _beside(game, draft, seat)
        candidates = beside if beside and random.below(100) < adjacent_percent else free
        if candidates:
            hex = nth(candidates, random.below(candidates.bit_count()))
            covered = game.board.covered(piece, 1 << hex)
            place_pieces(draft, seat, piece, covered, pieces[piece].size)


def _free_hexes(game: Game, draft: Draft, piece: int) -> Mask:
    """Where a piece could lie: never on places or on others."""
    board, catalog = game.board, game.ruleset.catalog
    free = board.grid.full & ~draft.occupied
    for kind, mask in zip(catalog.hexes, board.kinds, strict=True):
        free &= ~mask if kind.is_place else -1
    if catalog.pieces[piece].size == 1:
        return free
    return mask_of(hex for hex in bits(free) if _fits(game, piece, hex, free))


def _fits(game: Game, piece: int, hex: int, free: Mask) -> bool:
    """Whether a piece around a hex lies on free hexes alone and does not reach beyond the board."""
    hexes = game.board.covered(piece, 1 << hex)
    return not hexes & ~free and hexes.bit_count() == game.ruleset.catalog.pieces[piece].size


def _beside(game: Game, draft: Draft, seat: int) -> Mask:
    """The hexes beside a player's pieces and beside the places."""
    board = game.board
    places = mask_of(board.places)
    return board.grid.neighbours(draft.seats[seat].all | places)


def _give_tiles(game: Game, draft: Draft, seat: int, random: Random, tiles: Sequence[str]) -> None:
    """Give a few tiles of any kinds, most ready to be used, and one of those that are wanted."""
    kinds = len(game.ruleset.catalog.tiles)
    for _ in range(random.choice((0, 1, 3, 5)) if kinds else 0):
        kind = random.below(kinds)
        status = USED if random.below(4) == 0 else READY
        add_tile(draft, seat, Tile(kind, _origin(game, kind, random), status))
    if tiles:
        kind = game.ruleset.catalog.tile_index(random.choice(tiles))
        add_tile(draft, seat, Tile(kind, _origin(game, kind, random), READY))


def _origin(game: Game, kind: int, random: Random) -> int:
    """A place where such tiles lie; beyond the board if there is none, or nowhere by nature."""
    has_place = bool(game.board.catalog.tiles[kind].place)
    elsewhere = game.board.grid.full.bit_length() if has_place else NONE
    origins = [hex for hex, tile in game.board.tiles.items() if tile == kind]
    return random.choice(origins or [elsewhere])


# The smallest position that still shows something: whatever it does without is taken away.
#
# Big pieces first: half of the board, all pieces of a player; then less and less, until nothing
# more can go. Every step is tried, so what is left is needed, one by one.


SECONDS = 4.0
CHUNKS = (10, 6, 4, 2)
"""Rows or columns taken off at once: an even number keeps every second row where it stood."""

Predicate = Callable[[Position], bool]
Part = TypeVar("Part", Position, TableBoard, PlayerSeat, PlayerTurn)


def size_of(position: Position) -> tuple[int, int, int]:
    """How much there is to look at: pieces and moves, things in hands, hexes."""
    seats = position.seats.values()
    held = sum(len(seat.tiles) + len(seat.hand) + bool(seat.gold) for seat in seats)
    board = position.board
    hexes = 0 if board is None else len(board.words())
    return len([*position.owned()]) + len(position.moves), held + len(position.cards), hexes


def shrink(position: Position, predicate: Predicate, seconds: float = SECONDS) -> Position:
    """The smallest found of the positions that still show it, within some time.

    position: one whose board is drawn and whose pieces are listed, as of a state. predicate:
    called with every smaller position; what it raises is not caught.
    """
    until = monotonic() + seconds
    previous = None
    while previous != position and monotonic() < until:
        previous = position
        for reductions in (_fewer_contents, _smaller_boards, _fewer_pieces):
            position = _reduce(position, reductions, predicate, until)
    return position


def _reduce(
    position: Position,
    reductions: Callable[[Position], Iterator[Position]],
    predicate: Predicate,
    until: float,
) -> Position:
    """A position made smaller in one kind of way, again and again."""
    while True:
        for smaller in reductions(position):
            if monotonic() > until:
                return position
            if predicate(smaller):
                position = smaller
                break
        else:
            return position


def _smaller_boards(position: Position) -> Iterator[Position]:
    """Yield positions without rows or columns at one side, or without a grid beside the table."""
    assert position.board is not None
    words = position.board.words()
    named = filter(None, map(hex_of_move, position.moves))
    needed = {read_hex_name(name) for name in named}
    for part, axis, first, last in _board_cuts(words):
        kept = {
            at: word
            for at, word in words.items()
            if at.part != part or first <= getattr(at, axis) <= last
        }
        if kept and needed <= kept.keys() and len(kept) < len(words):
            yield within(position, kept)


def _board_cuts(hexes: Iterable[Address]) -> Iterator[tuple[str, str, int, int]]:
    """Yield the parts of the board that may be cut, most first, and which rows or columns stay."""
    parts = sorted({at.part for at in hexes})
    yield from ((part, "row", -1, -1) for part in parts if part)
    for part in parts:
        for axis, chunks in (("row", CHUNKS), ("column", (*CHUNKS, 1))):
            lines = sorted({getattr(at, axis) for at in hexes if at.part == part})
            for chunk in (chunk for chunk in chunks if chunk < len(lines)):
                yield part, axis, lines[chunk], lines[-1]
                yield part, axis, lines[0], lines[-chunk - 1]
        yield part, "row", -1, max(at.row for at in hexes if at.part == part) - 1


def _fewer_pieces(position: Position) -> Iterator[Position]:
    """Without all pieces of a player, without half of the pieces, without a few, without one.

    They are back in the supply.
    """
    pieces = sorted(position.owned(), key=lambda piece: (read_hex_name(piece[2]), piece))
    for owner in sorted({owner for owner, *_ in pieces}):
        yield without_pieces(position, frozenset(each for each in pieces if each[0] == owner))
    size = len(pieces) // 2
    while size >= 1:
        for start in range(0, len(pieces), size):
            yield without_pieces(position, frozenset(pieces[start : start + size]))
        size //= 2


def _fewer_contents(position: Position) -> Iterator[Position]:
    """Yield positions with fewer cards, tiles, options, gold and counts, or empty seats."""
    for card in position.cards:
        yield _without_card(position, card)
    for name in position.options:
        yield replace(position, options={k: v for k, v in position.options.items() if k != name})
    for turn in _without_one(position.turn, PlayerTurn(), "last_round", "done", "round", "stage"):
        yield replace(position, turn=turn)
    assert position.board is not None
    for board in _without_one(position.board, TableBoard(), "sectors"):
        yield replace(position, board=board)
    for player, seat in position.seats.items():
        for smaller in _smaller_seats(seat):
            yield position.with_seat(player, smaller)
    bare = Position(position.board)
    yield from _without_one(position, bare, "left")
    if position.deck is not None:
        yield replace(position, deck=None, discards={})
    yield from _without_one(position, bare, "deck", "discards", "memory", "beside", "retired")


def _without_one(whole: Part, bare: Part, *names: str) -> Iterator[Part]:
    """Yield a part of a position with one of these fields as a bare one has it, each in turn."""
    for name in names:
        if getattr(whole, name) != (default := getattr(bare, name)):
            yield replace(whole, **{name: default})


def _without_card(position: Position, card: str) -> Position:
    """Without a scoring card, wherever it is."""

    def others(cards: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(other for other in cards if other != card)

    return replace(
        position,
        cards=others(position.cards),
        beside=None if position.beside is None else others(position.beside),
        retired=others(position.retired),
    )


def _smaller_seats(seat: PlayerSeat) -> Iterator[PlayerSeat]:
    bare = PlayerSeat(seat.pieces)
    if seat != bare:
        yield bare
    yield from _without_one(seat, bare, "supply", "gold", "hand", "memory")
    for index in range(len(seat.tiles)):
        yield replace(seat, tiles=(*seat.tiles[:index], *seat.tiles[index + 1 :]))

"""Positions by seed: decisions of random games, and the same tables with scattered pieces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kbrules.engine.game import Game
from kbrules.engine.setup import TableSetup, choose_table, game_at, with_cards
from kbrules.game.moves import CHANCE
from kbrules.game.random import Random
from kbrules.game.state import READY, USED, Draft, State, Tile, draft_of
from kbrules.hex.sets import Mask, bits, mask_of, nth
from kbrules.library.ruleset import Ruleset
from kbrules.plan.plan import LinkerFactory, default_linker
from kbrules.scenario.position import add_tile, enter_stage, has_actions, place_pieces

PLAYED, SCATTERED = "played", "scattered"
PLAYED_POSITIONS = 4  # positions taken from one game
MAX_MOVES = 3000  # moves; a game that goes on longer is left
_UNLIMITED = 1 << 62
_GROUPS_PER_EVENT = 8  # of moves that are offered cost as much as an event
PIECE_COUNTS = (0, 1, 3, 8, 15, 25, 40)
"""How many pieces a player has on a scattered position."""
FREE_PART = 4
"""The part of the hexes that stays free; where nobody can move, turns go by for a long time."""
ADJACENT_PERCENT = (0, 50, 90)
"""How many of a hundred of them are put beside others, or beside a place."""


@dataclass(slots=True)
class Budget:
    """How much may still happen in games played for samples, in events and offers."""

    left: int

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
    max_moves: int = MAX_MOVES,
    budget: Budget | None = None,
) -> Iterator[Sample]:
    """`count` positions of a rule set, half of them from play, half of them scattered.

    cards: those that lie on every table, before the ones that are drawn. tiles: those that
    everybody has one of, ready to be used, in scattered positions. max_moves: after these a game
    is left. budget: fewer positions come once it is spent. SetupError if no table can be
    laid from the boxes.
    """
    yielded, table_seed = 0, seed
    player = _GamePlayer(max_moves, budget or Budget(_UNLIMITED))
    while yielded < count:
        table = drawn_table(ruleset, table_seed, cards, options)
        for sample in _samples_of_game(
            table_seed, table, game_at(ruleset, table, linking), tiles, player
        ):
            if yielded == count or player.budget.is_spent:
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
    seed: int, table: TableSetup, game: Game, tiles: Sequence[str], player: _GamePlayer
) -> Iterator[Sample]:
    """The decisions of one game in turn with scattered positions that begin from them."""
    random = Random(seed, "sampling")
    for state in _played_positions(game, random, player):
        yield Sample(seed, table, game, state, PLAYED)
        if has_actions(game.ruleset):
            scattered = _scattered_position(game, state, random, tiles)
            yield Sample(seed, table, game, scattered, SCATTERED)


def _played_positions(game: Game, random: Random, player: _GamePlayer) -> list[State]:
    """Decisions of a random game and its end, in order."""
    states = list(player.decisions(game, random))
    *before, last = states
    chosen = random.sample(range(len(before)), min(PLAYED_POSITIONS - 1, len(before)))
    return [*(before[index] for index in sorted(chosen)), last]


@dataclass(frozen=True, slots=True)
class _GamePlayer:
    """Plays random games. max_moves: the moves after which one is left, as when the budget is."""

    max_moves: int
    budget: Budget

    def decisions(self, game: Game, random: Random) -> Iterator[State]:
        """The decisions of the players in a random game, then its last state."""
        state = game.start()
        for _ in range(self.max_moves):
            moves = game.legal_moves(state)
            if not moves or self.budget.is_spent:
                break
            if moves.player != CHANCE:
                yield state
            step = game.play(state, moves.sample(random))
            self.budget.left -= len(step.events) + len(moves.groups) // _GROUPS_PER_EVENT
            state = step.state
        yield state


def _scattered_position(game: Game, state: State, random: Random, tiles: Sequence[str]) -> State:
    """The table of a state with more pieces and tiles, somebody being at their actions."""
    draft = draft_of(state)
    player = random.below(game.players)
    for seat in range(game.players):
        _scatter(game, draft, seat, random)
        _give_random_tiles(game, draft, seat, random)
        _give_requested_tile(game, draft, seat, random, tiles)
    draft.used = ()
    _draw_cards(game, draft, random)
    enter_stage(draft, game.ruleset, "actions", player)
    return game.run_to_decision(draft)


def _draw_cards(game: Game, draft: Draft, random: Random) -> None:
    """A card face up, if there are cards and none is."""
    deck = game.ruleset.catalog.deck
    if deck and not draft.shown:
        draft.shown = (random.below(len(deck)),)


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


def _give_random_tiles(game: Game, draft: Draft, seat: int, random: Random) -> None:
    """A few tiles of any kinds, most of them ready to be used."""
    kinds = len(game.ruleset.catalog.tiles)
    for _ in range(random.choice((0, 1, 3, 5)) if kinds else 0):
        kind = random.below(kinds)
        status = USED if random.below(4) == 0 else READY
        add_tile(draft, seat, Tile(kind, _origin(game, kind, random), status))


def _give_requested_tile(
    game: Game, draft: Draft, seat: int, random: Random, tiles: Sequence[str]
) -> None:
    """One of the tiles that are wanted."""
    if tiles:
        kind = game.ruleset.catalog.tile_index(random.choice(tiles))
        add_tile(draft, seat, Tile(kind, _origin(game, kind, random), READY))


def _origin(game: Game, kind: int, random: Random) -> int:
    """A place where such tiles lie; beyond the board if there is none."""
    origins = [hex for hex, tile in game.board.tiles.items() if tile == kind]
    return random.choice(origins or [game.board.grid.full.bit_length()])

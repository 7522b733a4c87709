"""What a player may know of a state, as arrays: the plain way, from a state.

Hands of others and the order of the deck are left out. `GameBatch` fills the same arrays for many
games of the native kernel; the tests hold the two equal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from kbrules.diagnostics import shortened
from kbrules.engine.configuration import GameLike, check_game, check_state, whole_number
from kbrules.envs.features import Features, features_of
from kbrules.game.board import NONE
from kbrules.game.moves import MoveSet
from kbrules.game.state import READY, Seat, State
from kbrules.hex.sets import Mask, bits
from kbrules.kernel.states import STAGES


def observe(game: GameLike, state: State, viewer: int, moves: MoveSet) -> dict[str, Any]:
    """The planes (int8) and the numbers (int64) of a player's view; see `Features`.

    moves: those that the state offers to the player who decides. TableMismatch for a state of
    another table, IndexError for a viewer who has no seat.
    """
    check_game(game)
    check_state(game, state)
    viewer = check_viewer(game, viewer)
    if not isinstance(moves, MoveSet):
        raise TypeError(f"moves are those of `game.legal_moves`, not {shortened(moves)}")
    import numpy

    features = features_of(game)
    planes = board_planes(game).copy()
    fixed = 1 + len(features.catalog.hexes)
    for hex, left in zip(game.board.places, state.stock, strict=True):
        row, column = features.cell_of[hex]
        for kind, number in Counter(left).items():
            planes[fixed + kind, row, column] = number
    first = fixed + len(features.catalog.tiles)
    for plane, mask in enumerate(_masks(features, state, viewer, moves), first):
        for hex in bits(mask):
            planes[(plane, *features.cell_of[hex])] = 1
    numbers = [*_numbers(game, features, state, viewer, moves)]
    return {"planes": planes, "numbers": numpy.array(numbers, numpy.int64)}


def check_viewer(game: GameLike, viewer: object) -> int:
    """Return a seat; TypeError for what is no whole number, IndexError if no player has it."""
    seat = whole_number(viewer, "a viewer is a seat")
    if not 0 <= seat < game.players:
        raise IndexError(f"seats are numbered 0 to {game.players - 1}, not {shortened(viewer)}")
    return seat


def board_planes(game: GameLike) -> Any:
    """The planes of a table with all filled in that its board alone decides; not to be changed."""
    import numpy

    planes = game.cache.get(board_planes)
    if planes is None:
        features = features_of(game)
        planes = game.cache[board_planes] = numpy.zeros(features.shape, numpy.int8)
        for plane, mask in enumerate((game.board.grid.full, *game.board.kinds)):
            for hex in bits(mask):
                planes[(plane, *features.cell_of[hex])] = 1
    return planes


def _seats(state: State, viewer: int) -> tuple[Seat, ...]:
    """The seats in turn order, the viewer's first."""
    return (*state.seats[viewer:], *state.seats[:viewer])


def _masks(features: Features, state: State, viewer: int, moves: MoveSet) -> Iterator[Mask]:
    """The sets of the planes behind those of tiles, in their order."""
    seats = _seats(state, viewer)
    yield from (seat.pieces[piece] for seat in seats for piece in features.own_pieces)
    yield from (state.neutral[piece] for piece in features.neutral_pieces)
    yield from (seat.memory[slot] for seat in seats for _, slot in features.of_seat.sets)
    yield from (state.memory[slot] for _, slot in features.of_table.sets)
    chosen = state.stack[-1].chosen if state.stack else ()
    yield 1 << chosen[0] if chosen else 0
    legal = 0
    for group in moves.groups if moves.player == viewer else ():
        legal |= group.hexes
    yield legal


def _numbers(
    game: GameLike, features: Features, state: State, viewer: int, moves: MoveSet
) -> Iterator[int]:
    stage, index = state.stage
    turn = index if stage == "turn" else 0
    yield from (viewer, moves.player == viewer, (state.active - viewer) % features.players)
    yield from (STAGES.index(stage), turn, turn // features.players, state.ending)
    yield from _cards(features, state, viewer)
    for seat in _seats(state, viewer):
        yield from _of_seat(features, seat)
    for card in range(len(features.catalog.cards)):
        is_in_play = card in game.card_indexes and not state.unscored >> card & 1
        yield 1 if is_in_play else 2 * (state.beside >> card & 1)
    yield from (state.memory[slot] for _, slot in features.of_table.numbers)


def _cards(features: Features, state: State, viewer: int) -> Iterator[int]:
    """How many cards of each kind are where, as far as the viewer knows."""
    kinds = range(len(features.catalog.deck))
    deck, discards, removed = state.piles
    others = [card for at, seat in enumerate(state.seats) if at != viewer for card in seat.hand]
    for cards in (state.shown, state.aside, state.seats[viewer].hand):
        yield from (cards.count(kind) for kind in kinds)
    yield from (deck[kind] + others.count(kind) for kind in kinds)
    yield from discards
    yield from removed
    yield from (state.revealed != NONE and state.revealed == kind for kind in kinds)
    terrains = range(len(features.catalog.hexes))
    yield from (state.choice != NONE and state.choice == terrain for terrain in terrains)


def _of_seat(features: Features, seat: Seat) -> Iterator[int]:
    yield from (len(seat.hand), seat.gold)
    yield from (seat.supply[piece] for piece in features.own_pieces)
    kinds = range(len(features.catalog.tiles))
    ready = Counter(tile.kind for tile in seat.tiles if tile.status == READY)
    held = Counter(tile.kind for tile in seat.tiles)
    yield from (ready[kind] for kind in kinds)
    yield from (held[kind] for kind in kinds)
    yield from (seat.memory[slot] for _, slot in features.of_seat.numbers)

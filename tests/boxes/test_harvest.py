"""The Harvest tiles, silos and cards in positions of every sort, against a count by hand."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any

import pytest

from kbrules.engine.game import Game
from kbrules.engine.setup import TableSetup, game_at
from kbrules.game.moves import Move
from kbrules.game.state import READY, State, Tile
from kbrules.library.boards.tables import Layout
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.scenario.position import enter_stage
from tests.boxes import harvest
from tests.boxes.harvest import Position, scattered
from tests.oracle.seen import cells, mask_of

CHUNK, CHUNKS = 15, 8
CARDS = ("rangers", "travellers", "chainers", "homesteaders", "mayors")
TILES = (
    "water_mill", "mountain_station", "watchtower", "university", "cathedral", "scout_cabin",
    "palisade",
)  # fmt: skip
SEEDS = [range(chunk * CHUNK, (chunk + 1) * CHUNK) for chunk in range(CHUNKS)]


@lru_cache(maxsize=1)
def rules() -> Ruleset:
    return load("base", "crossroads", "harvest")


def game_of(p: Position, **options: bool) -> Game:
    return game_at(rules(), TableSetup(3, Layout(p.rows), CARDS, options, {}))


def state_of(game: Game, p: Position, stage: str = "actions", *tiles: str) -> State:
    """The position with the first player to move, holding these tiles."""
    grid, catalog = game.board.grid, rules().catalog
    draft = game.empty()
    draft.seats = tuple(
        seat._replace(
            pieces=tuple(_mask(game, p, player, piece.id) for piece in catalog.pieces),
            all=_mask(game, p, player),
            supply=tuple(_left(p, player, piece.id, piece.supply) for piece in catalog.pieces),
            hand=() if player == 0 else (0,),
            memory=_memory(p, seat.memory) if player == 0 else seat.memory,
        )
        for player, seat in enumerate(draft.seats)
    )
    origin = game.board.places[0]
    held = tuple(Tile(catalog.tile_index(tile), origin, READY) for tile in tiles)
    draft.seats = (draft.seats[0]._replace(tiles=held), *draft.seats[1:])
    draft.occupied = mask_of(grid, p.pieces)
    claimed = rules().memories["claimed"][1]
    table = mask_of(grid, p.claimed)
    draft.memory = tuple(table if i == claimed else m for i, m in enumerate(draft.memory))
    card = catalog.card_named(p.terrain)
    assert card is not None
    draft.shown = (card,) if stage == "actions" else ()
    enter_stage(draft, rules(), stage, 0)
    return game.run_to_decision(draft)


def _mask(game: Game, p: Position, player: int, *kinds: str) -> int:
    found = {c for c, (owner, kind) in p.pieces.items() if owner == player}
    return mask_of(game.board.grid, [c for c in found if not kinds or p.pieces[c][1] in kinds])


def _left(p: Position, player: int, kind: str, supply: int) -> int:
    return supply - sum(piece == (player, kind) for piece in p.pieces.values())


def _memory(p: Position, memory: tuple[int, ...]) -> tuple[int, ...]:
    slot = rules().memories["blocks"][1]
    return tuple(p.blocks if i == slot else value for i, value in enumerate(memory))


def seen(game: Game, state: State, *but: str) -> dict[tuple[str, str], set[Any]]:
    """What the engine offers, by verb and rule."""
    groups = game.legal_moves(state).groups
    return {
        (group.verb, group.rule): set(cells(game.board.grid, group.hexes))
        for group in groups
        if group.hexes and group.rule not in but
    }


@pytest.mark.parametrize("seeds", SEEDS)
def test_where_the_tiles_may_be_used(seeds: range) -> None:
    for seed in seeds:
        p = scattered(seed)
        game = game_of(p)
        state = state_of(game, p, "actions", *TILES)
        assert seen(game, state, "mandatory") == harvest.offered(p), seed
        for move in game.legal_moves(state):
            if (move.verb, move.rule) == ("lift", "palisade"):
                cell = min(cells(game.board.grid, 1 << move.hex))
                after = seen(game, game.apply(state, move))
                assert after == {("move", "palisade"): harvest.palisade(p, cell)}, (seed, cell)


@pytest.mark.parametrize("seeds", SEEDS)
def test_the_bazaar_offers_what_the_tiles_offer(seeds: range) -> None:
    for seed in seeds:
        p = scattered(seed)
        game = game_of(p)
        state = state_of(game, p, "actions", "bazaar", *TILES)
        wanted = harvest.offered(p)
        wanted.pop(("build", "farm_action"), None)
        wanted.pop(("place", "scout_cabin"), None)
        wanted |= harvest.relocated(p)
        state = game.apply(state, Move("use", "bazaar"))
        assert seen(game, state) == wanted, seed


@pytest.mark.parametrize("seeds", SEEDS)
def test_what_the_silos_allow(seeds: range) -> None:
    for seed in seeds:
        p = scattered(seed)
        p.pieces = {cell: piece for cell, piece in p.pieces.items() if piece[1] != "scout"}
        game = game_of(p)
        state = state_of(game, p, "finish")
        builds = p.free(*harvest.GROUND) & harvest.touched(p.own())
        wanted = {
            ("build", "silos"): builds,
            ("lift", "silos"): harvest.lifts(p, harvest.silo_moves),
        }
        moves = game.legal_moves(state)
        if not p.of("silo") & harvest.touched(p.own()):
            assert moves.player != 0, seed
            continue
        assert seen(game, state) == {what: found for what, found in wanted.items() if found}, seed
        for cell in sorted(wanted["lift", "silos"])[:5]:
            lifted = Move("lift", "silos", mask_of(game.board.grid, [cell]).bit_length() - 1)
            after = seen(game, game.apply(state, lifted))
            assert after == {("move", "silos"): harvest.silo_moves(p, cell)}, (seed, cell)


@pytest.mark.parametrize("in_line", [False, True])
def test_which_rows_may_be_marked(in_line: bool) -> None:
    asked = 0
    for seed in range(2 * CHUNK * CHUNKS):
        p = scattered(seed)
        game = game_of(p, mayors_in_line=in_line)
        state = state_of(game, p, "actions", *TILES)
        builds = [move for move in game.legal_moves(state) if move.verb == "build"]
        for move in Random(seed).sample(builds, min(10, len(builds))):
            cell = min(cells(game.board.grid, 1 << move.hex))
            then = Position(p.rows, p.kind, {**p.pieces, cell: (0, "settlement")})
            then.claimed = p.claimed
            wanted = harvest.markable(then, cell, in_line)
            after = game.apply(state, move)
            found = seen(game, after).get(("mark", "mayors"), set())
            assert found == wanted, (seed, cell)
            asked += bool(found)
    assert asked > 5


@pytest.mark.parametrize("seeds", SEEDS)
def test_what_the_cards_pay(seeds: range) -> None:
    for seed in seeds:
        p = scattered(seed)
        game = game_of(p)
        paid = {line.rule: line.gold for line in game.score(state_of(game, p)).lines[0]}
        assert {card: paid[card] for card in CARDS[:4]} == harvest.gold(p), seed


def test_everything_occurs_in_these_positions() -> None:
    found = {what for seeds in SEEDS for seed in seeds for what in harvest.offered(scattered(seed))}
    assert {rule for _, rule in found} == {*TILES, "farm_action"}

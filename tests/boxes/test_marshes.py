"""The Marshlands: the engine and a finger on the board allow and pay the same."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from kbrules.engine.game import Game
from kbrules.engine.setup import TableSetup, game_at, random_tiles
from kbrules.game.events import with_item
from kbrules.game.moves import CHANCE, Move
from kbrules.game.state import READY, Draft, State, Tile
from kbrules.library.boards.tables import Layout
from kbrules.library.load import load
from kbrules.scenario.position import (
    add_tile,
    enter_stage,
    place_pieces,
    queue_reactions,
)
from tests.boxes.marshes import (
    ACTIONS,
    BOXES,
    BUILDS,
    CARDS,
    ME,
    MOVES,
    Cells,
    Marsh,
    canoe,
    mandatory,
    palaces,
    scattered,
)
from tests.oracle.seen import addresses, cells, mask_of

SEEDS, MANY = range(60), range(60, 1500)
RULES = load(*BOXES)


def laid_out(m: Marsh, *cards: str) -> tuple[Game, Draft]:
    """The position before its turn is begun."""
    layout = Layout(m.rows)
    tiles = random_tiles(RULES, layout, 0)  # which lie there does not matter here
    game = game_at(RULES, TableSetup(m.players, layout, cards, {}, tiles))
    draft, catalog = game.empty(), RULES.catalog
    kinds = {piece.id: i for i, piece in enumerate(catalog.pieces)}
    for cell, (owner, kind) in m.pieces.items():
        place_pieces(draft, owner, kinds[kind], mask_of(game.board.grid, [cell]), 1)
    for tile in m.tiles:
        add_tile(draft, ME, Tile(catalog.tile_index(tile), -1, READY))
    card = catalog.card_named(m.terrain) or 0
    deck = with_item(draft.piles[0], card, draft.piles[0][card] - 1)
    draft.shown, draft.piles = (card,), (deck, *draft.piles[1:])
    slot = RULES.memories["gone"][1]
    gone = mask_of(game.board.grid, m.of(m.gone))
    draft.memory = (*draft.memory[:slot], gone, *draft.memory[slot + 1 :])
    return game, draft


def begun(m: Marsh) -> tuple[Game, State]:
    game, draft = laid_out(m)
    enter_stage(draft, RULES, "actions", ME)
    return game, game.run_to_decision(draft)


def offered(game: Game, state: State, rule: str) -> Cells:
    groups = [group for group in game.legal_moves(state).groups if group.rule == rule]
    return set().union(*(cells(game.board.grid, group.hexes) for group in groups))


def compare_actions(seed: int) -> None:
    m = scattered(seed)
    game, state = begun(m)
    if game.legal_moves(state).player == CHANCE:  # the card is dead, which others look at
        assert not m.free(m.terrain)
        return
    assert offered(game, state, "mandatory") == mandatory(m)
    for rule, twin in BUILDS.items():
        assert offered(game, state, rule) == (twin(m) if rule in m.tiles else set()), rule
    for rule, targets in MOVES.items():
        compare_moves(game, state, m, rule, targets)


def compare_moves(game: Game, state: State, m: Marsh, rule: str, targets: object) -> None:
    by_cell = addresses(game.board.grid)[1]
    found = {cell: MOVES[rule](m, cell) for cell in m.own(ME)} if rule in m.tiles else {}
    assert offered(game, state, rule) == {cell for cell, there in found.items() if there}, rule
    for cell in [cell for cell, there in sorted(found.items()) if there][:4]:
        after = game.apply(state, Move("lift", rule, by_cell[cell]))
        assert offered(game, after, rule) == found[cell], (rule, cell)


def compare_reaction(seed: int) -> None:
    m = replace(scattered(seed), tiles=("canoe",))
    game, draft = laid_out(m)
    rule = RULES.rule("canoe")
    assert rule is not None
    queue_reactions(draft, game, rule, ME)
    state = game.run_to_decision(draft)
    moves = game.legal_moves(state)
    allowed = canoe(m)
    assert (moves.player == ME and "canoe" in {g.rule for g in moves.groups}) == bool(allowed)
    if allowed:
        assert offered(game, state, "canoe") == allowed


def compare_gold(seed: int) -> None:
    m = scattered(seed)
    game, draft = laid_out(m, *CARDS)
    enter_stage(draft, RULES, "actions", ME)
    plain, laid = laid_out(m)
    enter_stage(laid, RULES, "actions", ME)
    for player in range(m.players):
        for card, twin in CARDS.items():
            assert gold(game, draft, card, player) == twin(m, player), (card, player)
        assert gold(plain, laid, "palaces", player) == palaces(m, player)
        assert gold(game, draft, "palaces", player) == 0  # the noblewomen pay it


def gold(game: Game, state: State, rule: str, player: int) -> int:
    line = game.score(state).line(rule, player)
    assert line is not None
    return line.gold


@pytest.mark.parametrize("seed", SEEDS)
def test_marshes(seed: int) -> None:
    compare_actions(seed)
    compare_reaction(seed)
    compare_gold(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", MANY)
def test_many_marshes(seed: int) -> None:
    test_marshes(seed)


def test_everything_is_looked_at() -> None:
    """In these positions each card pays somebody, and each tile has something to do."""
    found: Counter[str] = Counter()
    for seed in SEEDS:
        m = scattered(seed)
        found.update(card for card, twin in CARDS.items() if twin(m, ME))
        found.update(["palaces"] * (palaces(m, ME) > 0))
        found.update(rule for rule, twin in BUILDS.items() if rule in m.tiles and twin(m))
        able = {rule for rule, to in MOVES.items() if any(to(m, cell) for cell in m.own(ME))}
        found.update(able & set(m.tiles))
        found.update(["waived"] * (m.near(mandatory(m)) != mandatory(m)))
    wanted = {*CARDS, *ACTIONS, "palaces", "waived"}
    assert {each: found[each] for each in wanted if found[each] < 3} == {}

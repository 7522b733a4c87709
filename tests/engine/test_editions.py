"""An edition with sections of its own: its tables, their logs, and castles laid by chance."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import pytest

from kbrules.engine.logs.reading import parse_log
from kbrules.engine.logs.replay import replay
from kbrules.engine.logs.writing import MatchInfo, Recorder
from kbrules.engine.matches import Match
from kbrules.engine.setup import SetupError, TableSetup, choose_table, game_at
from kbrules.game.moves import CHANCE, Move
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.text import Source
from kbrules.tools.narration import marks_text
from tests.engine.games import any_move

FIRST = "first-game-new-edition"
CASTLES = {"beautiful_castles": True}


@lru_cache(maxsize=4)
def rules(*more: str) -> Ruleset:
    return load("base", "new_edition", *more)


def sections_of(table: TableSetup) -> list[str]:
    return [id for row in table.layout.rows for id, _ in row]


def test_a_random_table_is_all_of_one_side() -> None:
    sides = Counter[str]()
    for seed in range(60):
        sections = sections_of(choose_table(rules(), 2, seed))
        assert len({*sections}) == 4
        sides.update({id.rpartition("_")[0] for id in sections})
    assert sides.keys() == {"side_a", "side_b"} and sides.total() == 60
    assert min(sides.values()) > 18


def test_other_boxes_bring_cards_but_no_sections() -> None:
    cards: set[str] = set()
    for seed in range(60):
        table = choose_table(rules("nomads"), 5, seed)
        assert all(id.startswith("side_") for id in sections_of(table))
        cards.update(table.cards)
    assert {"families", "shepherds", "ambassadors"} < cards
    with pytest.raises(SetupError, match=r"the set `side_.` has 4 sections; a table needs 6"):
        choose_table(rules("six_sections"), 2, 1)


def test_eight_kinds_are_drawn_and_each_has_its_four_tiles() -> None:
    kinds = Counter[str]()
    for seed in range(80):
        game = game_at(rules(), choose_table(rules(), 2, seed))
        tiles = Counter(kind for stock in game.start().stock for kind in stock)
        assert len(tiles) == 4 and {*tiles.values()} == {4}
        kinds.update(game.ruleset.catalog.tiles[kind].id for kind in tiles)
    assert len(kinds) == 8 and kinds.total() == 320
    assert all(22 < number < 60 for number in kinds.values())


def test_the_first_game() -> None:
    table = choose_table(rules(), 2, 3, FIRST)
    assert str(table.layout) == "side_a_1 side_a_2/side_a_3 side_a_4"
    assert table.cards == ("fishermen", "knights", "merchants")
    plain = game_at(load("base"), choose_table(load("base"), 2, 3, "first-game"))
    game = game_at(rules(), table)
    names = [tile.id for tile in plain.ruleset.catalog.tiles]
    assert game.board.tiles == plain.board.tiles and game.board.kinds == plain.board.kinds
    assert [tile.id for tile in game.ruleset.catalog.tiles] == names
    assert len(game.board.stand_ins) == 4 and plain.board.stand_ins == ()


@pytest.mark.parametrize("options", [{}, CASTLES])
def test_a_log_replays(options: dict[str, bool | int]) -> None:
    table = choose_table(rules(), 2, 11, options=options)
    game = game_at(rules(), table)
    recorder = Recorder(game, game.start(), MatchInfo(table, 11, ("random", "random")))
    match = Match(game, 11, [any_move] * 2, recorder.watch)
    for played in match:
        recorder.add(played.player, played.move, played.transition)
    recorder.close(match.state)
    log, found = parse_log(Source("game.log", "".join(recorder.lines)))
    assert log is not None and not found
    result = replay(rules(), log)
    assert not result.findings and result.states[-1].hash() == match.state.hash()


def test_tables_of_base_are_what_they_were() -> None:
    """The draws of a seed do not change by what boxes apart have brought to the engine."""
    table = choose_table(load("base"), 2, 5)
    assert (str(table.layout), table.cards) == (
        str(choose_table(load("base", "casual"), 2, 5).layout),
        choose_table(load("base", "settled_lords"), 2, 5).cards,
    )
    assert len(choose_table(load("base", "casual"), 2, 5).cards) == 4


def test_chance_lays_castle_tiles_evenly_and_players_see_them() -> None:
    table = choose_table(rules(), 2, 1, FIRST, CASTLES)
    game = game_at(rules(), table)
    start = game.start()
    moves = game.legal_moves(start)
    assert moves.player == CHANCE and not moves.weights and len(moves) == 8
    refused = game.explain(start, Move("mark", "castle_laying", 0))
    assert [reason.text for reason in refused.reasons] == ["chance is about to choose"]
    firsts = Counter(Match(game, seed, [any_move] * 2)._choice(moves) for seed in range(400))
    assert len(firsts) == 8 and min(firsts.values()) > 25
    state = game.apply(start, next(iter(moves)))
    first = next(iter(moves)).hex
    seconds = game.legal_moves(state)
    sector = next(mask for mask in game.board.sectors if mask >> first & 1)
    assert not any(sector >> move.hex & 1 for move in seconds) and len(seconds) == 6
    state = game.apply(state, next(iter(seconds)))
    name = game.board.grid.name(first)
    title, _, hexes = marks_text(game, state).partition(": ")
    assert title == "castle tiles" and name in hexes.split() and len(hexes.split()) == 2


def test_beside_a_castle_tile_the_other_location_keeps_its_tiles() -> None:
    for seed in range(40):
        game = game_at(rules(), choose_table(rules(), 2, seed, options=CASTLES))
        state = game.start()
        for _ in range(2):
            state = game.apply(state, list(game.legal_moves(state))[seed % 5])
        left = dict(zip(game.board.places, map(len, state.stock), strict=True))
        each = [[n for hex, n in left.items() if mask >> hex & 1] for mask in game.board.sectors]
        assert sorted(sorted(found) for found in each) == [[0, 2], [0, 2], [2, 2], [2, 2]]

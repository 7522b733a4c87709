"""Games with a grid beside the table: drawn, named, logged, replayed, drawn in pictures."""

from __future__ import annotations

import json
from collections import Counter
from functools import lru_cache

import pytest

from kbrules.engine.game import Game
from kbrules.engine.logs.reading import parse_log
from kbrules.engine.logs.replay import Replay, replay
from kbrules.engine.logs.writing import MatchInfo, Recorder, checksum
from kbrules.engine.matches import Match
from kbrules.engine.setup import SetupError, TableSetup, choose_table, game_at
from kbrules.game.moves import Move, read_move, write_move
from kbrules.game.random import Random
from kbrules.hex.sets import bits
from kbrules.library.boards.positions import draw, legend_of, parse_position
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.scenario.report import visible_pieces
from kbrules.text import Source
from tests.engine.games import any_move, base

MANY = 200
SIDES = ("island_rope_bridge", "island_tree_house")


@lru_cache(maxsize=1)
def rules() -> Ruleset:
    return load("base", "island")


def test_every_table_has_one_side_of_the_island_and_each_comes_up() -> None:
    tables = [choose_table(rules(), 2, seed) for seed in range(MANY)]
    assert all([grid for grid, _ in table.layout.grids] == ["island"] for table in tables)
    sides = Counter(table.layout.grids[0][1] for table in tables)
    assert set(sides) == set(SIDES) and min(sides.values()) > MANY / 3
    assert [choose_table(rules(), 3, seed).layout for seed in range(20)] == [
        table.layout for table in tables[:20]
    ]


def test_nothing_else_is_drawn_otherwise_because_of_it() -> None:
    for seed in range(50):
        one, other = choose_table(base(), 2, seed), choose_table(rules(), 2, seed)
        assert (one.layout.rows, one.cards) == (other.layout.rows, other.cards)
        assert one.layout.grids == ()


def test_a_set_up_that_leaves_it_open_gets_a_drawn_one() -> None:
    sides = {choose_table(rules(), 2, seed, "first-game").layout.grids for seed in range(20)}
    assert len(sides) == 2


@pytest.mark.parametrize("side", SIDES)
def test_a_side_may_be_named(side: str) -> None:
    for seed in range(5):
        assert choose_table(rules(), 2, seed, grids={"island": side}).layout.grids == (
            ("island", side),
        )


@pytest.mark.parametrize(
    ("grids", "words"),
    [
        ({"iland": SIDES[0]}, "did you mean `island`"),
        ({"moon": SIDES[0]}, "there is no grid `moon`"),
        ({"island": "island_tree_hose"}, "did you mean `island_tree_house`"),
        ({"island": "tavern"}, "no section `tavern` lies on the grid `island`"),
    ],
)
def test_a_side_that_cannot_be_had(grids: dict[str, str], words: str) -> None:
    with pytest.raises(SetupError, match=words) as refused:
        choose_table(rules(), 2, 0, grids=grids)
    assert refused.value.part == "grids"


def test_a_game_without_its_island_cannot_be() -> None:
    table = choose_table(base(), 2, 0)
    with pytest.raises(SetupError, match="no section lies on the grid `island`"):
        game_at(rules(), table)


@lru_cache(maxsize=2)
def played(seed: int) -> tuple[Game, TableSetup, Match, tuple[str, ...]]:
    table = choose_table(rules(), 2, seed)
    game = game_at(rules(), table)
    recorder = Recorder(game, game.start(), MatchInfo(table, seed, ("any", "any")))
    match = Match(game, seed, [any_move] * 2, recorder.watch)
    for each in match:
        recorder.add(each.player, each.move, each.transition)
    recorder.close(match.state)
    return game, table, match, tuple(recorder.lines)


def again(lines: tuple[str, ...], **changes: object) -> Replay:
    header = {**json.loads(lines[0]), **changes}
    text = [json.dumps(header) + "\n", *lines[1:-1]]
    text.append(json.dumps({**json.loads(lines[-1]), "sum": checksum(text)}) + "\n")
    log, found = parse_log(Source("game.kblog", "".join(text)))
    assert log is not None and not found
    return replay(rules(), log)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_game_is_logged_and_replayed(seed: int) -> None:
    game, table, match, lines = played(seed)
    result = again(lines)
    assert result.findings == () and result.states[-1].hash() == match.state.hash()
    assert result.game is not None and result.game.board.grid is game.board.grid
    assert json.loads(lines[0])["layout"] == str(table.layout)


@pytest.mark.parametrize(
    ("beside", "words"),
    [
        ("", "no section lies on the grid `island`"),
        ("; island: island_tree_hous", "is it `island_tree_house`?"),
        ("; island: tavern", "the section `tavern` lies on the table, not on the grid `island`"),
        (f"; island: {SIDES[0]}; moon: {SIDES[1]}", "not on the grid `moon`"),
    ],
)
def test_a_header_with_a_bad_island_is_refused_there(beside: str, words: str) -> None:
    _, table, _, lines = played(1)
    rows = str(table.layout).partition(";")[0]
    result = again(lines, layout=rows + beside)
    (finding,) = result.findings
    assert finding.code == "KB510" and words in finding.message
    assert finding.span.text == json.dumps(rows + beside)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_board_of_a_game_is_drawn_and_read(seed: int) -> None:
    game, _, match, _ = played(seed)
    catalog, pieces, legend = rules().catalog, visible_pieces(match.state), legend_of(game.board)
    text = draw(catalog, game.board, pieces, {})
    read, found = parse_position(catalog, text, legend=legend, sectors=(10, 10))
    assert found == [] and read is not None
    assert (read.board.grid, read.board.kinds) == (game.board.grid, game.board.kinds)
    assert (read.board.sectors, read.board.tagged) == (game.board.sectors, game.board.tagged)
    assert (dict(read.board.tiles), read.pieces) == (dict(game.board.tiles), pieces)


def test_every_hex_is_written_and_read_in_a_move() -> None:
    game = played(1)[0]
    moves = game.legal_moves(game.start())
    for hex in bits(game.board.grid.full):
        move = Move("build", "mandatory", hex)
        for text in (write_move(move, game.board), f"build {game.board.grid.name(hex)}"):
            assert read_move(text, game.board, moves).hex == hex
        assert read_move(game.board.grid.name(hex), game.board, moves).hex == hex


def test_bots_find_their_way_to_the_island_and_back() -> None:
    built = set()
    for seed in range(6):
        game = game_at(rules(), choose_table(rules(), 2, seed))
        state, random = game.start(), Random(seed, "moves")
        while moves := game.legal_moves(state):
            move = moves.sample(random)
            built |= {game.board.grid.address(move.hex).part} if move.verb == "build" else set()
            state = game.apply(state, move)
    assert built == {"", "island"}

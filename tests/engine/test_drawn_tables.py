"""Tables with tiles and tasks by chance, and with a second grid: drawn, logged, replayed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import pytest

from kbrules.diagnostics import Diagnostic
from kbrules.engine.game import Game
from kbrules.engine.logs.replay import Replay, parse_log, replay
from kbrules.engine.logs.writing import MatchInfo, Recorder, checksum
from kbrules.engine.matches import Match
from kbrules.engine.setup import SetupError, TableSetup, choose_table, game_at
from kbrules.game.moves import Move, read_move, write_move
from kbrules.game.random import Random
from kbrules.hex.sets import bits
from kbrules.library.boards.positions import legend_of, parse_position
from kbrules.library.boards.tables import lay_table, open_places
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.scenario.report import visible_pieces
from kbrules.text import Source
from kbrules.tools.narration import legend
from tests.engine.games import any_move, base
from tests.library.written import drawn
from tests.source_tree import DALE

SEEDS = range(60)


@lru_cache(maxsize=1)
def rules() -> Ruleset:
    return load(folders=[DALE])


def table_of(seed: int, setup: str = "random") -> TableSetup:
    return choose_table(rules(), 2, seed, setup)


def has_dale(table: TableSetup) -> bool:
    return "dale" in str(table.layout)


def test_the_tiles_are_those_of_the_open_places() -> None:
    seen: Counter[str] = Counter()
    for table in map(table_of, SEEDS):
        board = lay_table(rules().catalog, rules().parts, table.layout)
        assert tuple(table.tiles) == open_places(board)["ford"]
        assert len(table.tiles) == 2 * has_dale(table)
        seen.update(table.tiles.values())
        game = game_at(rules(), table)
        tiles = rules().catalog.tiles
        lying = {
            game.board.grid.name(hex): [tiles[kind].id for kind in stock]
            for hex, stock in zip(game.board.places, game.start().stock, strict=True)
        }
        assert {name: lying[name] for name in table.tiles} == {
            name: [tile] for name, tile in table.tiles.items()
        }
    assert seen["coin"] > seen["ferry"] > 3 and seen.keys() == {"coin", "ferry"}


def test_a_section_adds_its_tasks_to_the_scoring_cards() -> None:
    for table in map(table_of, SEEDS):
        assert [card in rules().catalog.tasks for card in table.cards] == (
            [False] * 3 + [True] * has_dale(table)
        )
        assert game_at(rules(), table).cards == table.cards


def test_a_set_up_by_name_leaves_tiles_and_tasks_to_chance() -> None:
    tables = [table_of(seed, "dale") for seed in SEEDS]
    assert {table.cards for table in tables} == {("rowers", "hermits", "lords", "bridge")}
    assert {len(table.tiles) for table in tables} == {4}  # it lies there twice
    assert len({tuple(table.tiles.values()) for table in tables}) == 4  # where the ferry is


def test_what_other_boxes_bring_leaves_the_tables_of_the_base_as_they_are() -> None:
    table = choose_table(base(), 2, 5)
    assert table.tiles == {} and len(table.cards) == 3


GOOD = table_of(1, "dale")


def changed(**tiles: str) -> TableSetup:
    kept = {name: tile for name, tile in {**GOOD.tiles, **tiles}.items() if tile}
    return TableSetup(2, GOOD.layout, GOOD.cards, {}, kept)


def test_tiles_that_cannot_lie_there_are_refused() -> None:
    first, *_ = GOOD.tiles
    for table, words in [
        (changed(**{first: "chess"}), "no tile `chess`"),
        (changed(a1="coin"), "a1 is no place"),
        (changed(**{first: ""}), f"no tile lies on {first}"),
        (changed(**dict.fromkeys(GOOD.tiles, "ferry")), "`ferry` lies on 4 places"),
    ]:
        with pytest.raises(SetupError, match=words) as refused:
            game_at(rules(), table)
        assert refused.value.part == "tiles"


def test_the_legend_tells_which_tile_lies_where() -> None:
    game = game_at(rules(), GOOD)
    words = legend(game, game.start()).replace("\n", " ").split()
    titles = {"coin": "Coin", "ferry": "Ferry"}
    for name, tile in GOOD.tiles.items():
        assert words[words.index(name) + 1] == titles[tile]
    assert "Y" in words and words.count("Coin") == 3


# Logs


@lru_cache(maxsize=1)
def log_lines() -> tuple[str, ...]:
    game = game_at(rules(), GOOD)
    recorder = Recorder(game, game.start(), MatchInfo(GOOD, 1, ("any",) * 2))
    match = Match(game, 1, [any_move] * 2, recorder.watch)
    for each in match:
        recorder.add(each.player, each.move, each.transition)
    recorder.close(match.state)
    return tuple(recorder.lines)


def played_again(change: Callable[[dict[str, Any]], Any] = lambda header: None) -> list[Diagnostic]:
    header = json.loads(log_lines()[0])
    change(header)
    text = json.dumps(header) + "\n" + "".join(log_lines()[1:])
    log, found = parse_log(Source("game.kblog", text))
    return [*found, *replay(rules(), log).findings] if log is not None else found


def test_the_header_names_tiles_and_tasks_and_a_replay_reads_them_back() -> None:
    header = json.loads(log_lines()[0])
    assert header["tiles"] == GOOD.tiles and header["cards"] == list(GOOD.cards)
    assert any(event["event"] == "took" for line in log_lines()[1:-1]
               for event in json.loads(line)["events"])  # fmt: skip
    assert played_again() == []


def two_swapped(header: dict[str, Any]) -> None:
    (one, coin), (other, ferry) = [
        next((n, t) for n, t in header["tiles"].items() if t == id) for id in ("coin", "ferry")
    ]
    header["tiles"].update({one: ferry, other: coin})


@pytest.mark.parametrize(
    ("change", "code", "key"),
    [
        (two_swapped, "KB511", "hash"),
        (lambda header: header["tiles"].popitem(), "KB510", "tiles"),
        (lambda header: header["tiles"].update(a1="coin"), "KB510", "tiles"),
        (lambda header: header["tiles"].update(zz9="coin"), "KB510", "tiles"),
        (lambda header: header.update(tiles=["coin"]), "KB510", "tiles"),
        (lambda header: header["cards"].append("brigde"), "KB510", "cards"),
    ],
)
def test_tampered_tiles_are_refused(
    change: Callable[[dict[str, Any]], Any], code: str, key: str
) -> None:
    header = json.loads(log_lines()[0])
    change(header)
    (finding,) = played_again(change)[:1]
    assert (finding.code, finding.span.line) == (code, 1)
    assert finding.span.text == json.dumps(header[key])


MANY = 200
SIDES = ("island_rope_bridge", "island_tree_house")


@lru_cache(maxsize=1)
def island_rules() -> Ruleset:
    return load("base", "island")


def test_every_table_has_one_side_of_the_island_and_each_comes_up() -> None:
    tables = [choose_table(island_rules(), 2, seed) for seed in range(MANY)]
    assert all([grid for grid, _ in table.layout.grids] == ["island"] for table in tables)
    sides = Counter(table.layout.grids[0][1] for table in tables)
    assert set(sides) == set(SIDES) and min(sides.values()) > MANY / 3
    assert [choose_table(island_rules(), 3, seed).layout for seed in range(20)] == [
        table.layout for table in tables[:20]
    ]


def test_nothing_else_is_drawn_otherwise_because_of_it() -> None:
    for seed in range(50):
        one, other = choose_table(base(), 2, seed), choose_table(island_rules(), 2, seed)
        assert (one.layout.rows, one.cards) == (other.layout.rows, other.cards)
        assert one.layout.grids == ()


def test_a_set_up_that_leaves_it_open_gets_a_drawn_one() -> None:
    sides = {choose_table(island_rules(), 2, seed, "first-game").layout.grids for seed in range(20)}
    assert len(sides) == 2


@pytest.mark.parametrize("side", SIDES)
def test_a_side_may_be_named(side: str) -> None:
    for seed in range(5):
        assert choose_table(island_rules(), 2, seed, grids={"island": side}).layout.grids == (
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
        choose_table(island_rules(), 2, 0, grids=grids)
    assert refused.value.part == "grids"


def test_a_game_without_its_island_cannot_be() -> None:
    table = choose_table(base(), 2, 0)
    with pytest.raises(SetupError, match="no section lies on the grid `island`"):
        game_at(island_rules(), table)


@lru_cache(maxsize=2)
def played(seed: int) -> tuple[Game, TableSetup, Match, tuple[str, ...]]:
    table = choose_table(island_rules(), 2, seed)
    game = game_at(island_rules(), table)
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
    return replay(island_rules(), log)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_game_is_logged_and_replayed(seed: int) -> None:
    game, table, match, lines = played(seed)
    result = again(lines)
    assert result.findings == () and result.states[-1].hash() == match.state.hash()
    assert result.game is not None and result.game.board.grid is game.board.grid
    assert json.loads(lines[0])["layout"] == str(table.layout)


@pytest.mark.parametrize(
    ("island", "words"),
    [
        ("", "no section lies on the grid `island`"),
        ("; island: island_tree_hous", "is it `island_tree_house`?"),
        ("; island: tavern", "the section `tavern` lies on the table, not on the grid `island`"),
        (f"; island: {SIDES[0]}; moon: {SIDES[1]}", "not on the grid `moon`"),
    ],
)
def test_a_header_with_a_bad_island_is_refused_there(island: str, words: str) -> None:
    _, table, _, lines = played(1)
    rows = str(table.layout).partition(";")[0]
    result = again(lines, layout=rows + island)
    (finding,) = result.findings
    assert finding.code == "KB510" and words in finding.message
    assert finding.span.text == json.dumps(rows + island)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_board_of_a_game_is_drawn_and_read(seed: int) -> None:
    game, _, match, _ = played(seed)
    catalog, pieces, legend = (
        island_rules().catalog,
        visible_pieces(match.state),
        legend_of(game.board),
    )
    text = drawn(game.board, pieces, {})
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
        game = game_at(island_rules(), choose_table(island_rules(), 2, seed))
        state, random = game.start(), Random(seed, "moves")
        while moves := game.legal_moves(state):
            move = moves.sample(random)
            built |= {game.board.grid.address(move.hex).part} if move.verb == "build" else set()
            state = game.apply(state, move)
    assert built == {"", "island"}

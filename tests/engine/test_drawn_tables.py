"""Tables on which tiles lie by chance and tasks come with sections: drawn, logged, replayed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import pytest

from kbrules.diagnostics import Diagnostic
from kbrules.engine.logs.reading import parse_log
from kbrules.engine.logs.replay import replay
from kbrules.engine.logs.writing import MatchInfo, Recorder
from kbrules.engine.matches import Match
from kbrules.engine.setup import SetupError, TableSetup, choose_table, game_at
from kbrules.library.boards.sections import open_places
from kbrules.library.boards.tables import lay_table
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.text import Source
from kbrules.tools.narration import legend
from tests.engine.games import any_move, base
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


def test_a_section_brings_its_tasks_beside_the_scoring_cards() -> None:
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

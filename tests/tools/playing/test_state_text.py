"""Positions, score sheets and whole games told as text."""

from __future__ import annotations

import re
from copy import copy
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

from kbrules.engine.game import Game
from kbrules.engine.matches import Match, random_bot
from kbrules.engine.scoring import Sheet
from kbrules.engine.setup import choose_table, game_at
from kbrules.game.board import Piece
from kbrules.game.random import Random
from kbrules.game.state import draft_of
from kbrules.hex.sets import bits
from kbrules.lang.typed import Call, Sort
from kbrules.library.load import load
from kbrules.scenario.report import board_text
from kbrules.text import Source, Span
from kbrules.tools.narration import (
    WIDTH,
    Narrator,
    evidence_text,
    legend,
    marks_text,
    players_text,
    sheet_text,
    state_board_text,
)
from tests.engine.games import Logged, logged

games = st.builds(logged, st.integers(0, 10), st.integers(2, 4))


def words_of(board_text: str) -> dict[str, str]:
    """Each word of a framed picture by the name of its hex."""
    head, *rows = board_text.split("\n")
    return {
        f"{column}{number}": word
        for row in rows
        for number, *words in [row.split()]
        for column, word in zip(head.split(), words, strict=True)
    }


@given(games)
@settings(max_examples=10)
def test_every_piece_stands_where_it_is(log: Logged) -> None:
    state = log.played[-1].transition.state
    words = words_of(state_board_text(log.game, state))
    assert len(words) == 400
    for player, seat in enumerate(state.seats):
        names = {log.game.board.grid.name(hex) for hex in bits(seat.all)}
        assert {name for name, word in words.items() if word[1:] == "abcd"[player]} == names


def test_the_legend_explains_every_sign_and_counts_the_tiles() -> None:
    log = logged(7)
    start, end = log.start, log.played[-1].transition.state
    text = legend(log.game, start)
    signs = {word[0] for word in words_of(state_board_text(log.game, start)).values()}
    assert all(re.search(rf"(^|  ){sign} \w", text, re.MULTILINE) for sign in signs)
    assert "(2+2 left)" in text
    left = sum(len(stock) for stock in end.stock)
    counts = re.findall(r"\(([0-9+]+) left\)", legend(log.game, end))
    assert sum(int(n) for count in counts for n in count.split("+")) == left
    assert left < sum(len(stock) for stock in start.stock)


def test_pieces_with_a_letter_are_explained_and_those_of_nobody_counted() -> None:
    log = logged(7)
    catalog = replace(
        log.game.board.catalog,
        pieces=(
            *log.game.board.catalog.pieces,
            Piece("fence", "f", "fence", 9, neutral=True),
            Piece("gate", "g", "gate", 7, neutral=True, shape="seven"),
            Piece("rider", "r", "rider", 2),
        ),
    )
    game = copy(log.game)
    game.board = replace(log.game.board, catalog=catalog)
    draft = draft_of(log.start)
    draft.neutral = (0, 0b111 << 90, 0b1111111 << 200, 0)
    text = legend(game, draft.seal())
    assert "# fence (6 left)  #g gate (6 left)  r rider\n" in text
    assert "settlement" not in text


def test_without_marks_nothing_is_said_of_them() -> None:
    log = logged(7)
    assert marks_text(log.game, log.start) == ""


def test_caves_and_capitols_are_named_and_those_not_there_have_a_dash() -> None:
    ruleset = load("base", "caves", "capitol")
    for chosen in (False, True):
        options = {"caves_chosen": chosen, "capitol_chosen": chosen}
        game = game_at(ruleset, choose_table(ruleset, 2, 5, options=options))
        state, random, shown = game.start(), Random(1, "test"), set()
        memories = [ruleset.memories[name][1] for name in ("chosen_capitols", "chosen_caves")]
        for _ in range(30):
            text = marks_text(game, state)
            shown.add(text)
            if chosen:
                kept = [game.board.names(state.memory[slot]) for slot in memories]
                assert [line.split()[1:] for line in text.split("\n")] == [k or ["-"] for k in kept]
            state = game.apply(state, game.legal_moves(state).sample(random))
        assert ("capitols: -\ncaves: -" in shown) == chosen
        last = [line.split() for line in text.split("\n")]
        assert [(head, len(hexes) > 0, "-" in hexes) for head, *hexes in last] == [
            ("capitols:", True, False), ("caves:", True, False),
        ]  # fmt: skip
        assert len(shown) > 1 if chosen else len(shown) == 1


def marking(game: Game, word: str, title: str) -> Game:
    """The game with a mark that is a word of the language."""
    marks = {word: Call(Sort.HEXES, Span.none("it"), f"{word}()", ())}
    parts = replace(game.ruleset.parts, marks={word: title})
    twin = copy(game)
    twin.ruleset = replace(game.ruleset, parts=parts, marks=marks)
    return twin


def test_a_mark_is_asked_for_the_player_whose_turn_it_is() -> None:
    log = logged(7)
    game = marking(log.game, "mine", "yours")
    state = next(p.transition.state for p in log.played[30:] if p.transition.state.active == 1)
    assert marks_text(game, state).split()[1:] == game.board.names(state.seats[1].all)


def test_many_hexes_go_on_in_a_second_line_and_are_cut_short_in_a_report() -> None:
    log = logged(7)
    game = marking(log.game, "board", "all there is")
    text = marks_text(game, log.start)
    assert text.removeprefix("all there is: ").split() == game.board.names(game.board.grid.full)
    assert max(map(len, text.split("\n"))) <= WIDTH
    assert board_text(game, log.start, {}).endswith("l1 and 388 more")


def test_players_and_what_they_hold() -> None:
    log = logged(7, 3)
    text = players_text(log.game, log.played[-1].transition.state)
    for player, line in enumerate(text.split("\n")):
        seat = log.played[-1].transition.state.seats[player]
        assert line.startswith(f"{'abc'[player]}: settlement {seat.supply[0]} left")
        for tile in seat.tiles:
            assert log.game.board.catalog.tiles[tile.kind].title in line


def test_columns_of_great_numbers_do_not_run_together() -> None:
    log = logged(0, 2)
    text = sheet_text(log.game, Sheet(((), ()), (1_000_000, -999_999)))
    assert text.split("\n")[1].split() == ["gained", "in", "play", "1000000", "-999999"]


@given(games)
@settings(max_examples=10)
def test_a_sheet_adds_up_and_names_the_hexes(log: Logged) -> None:
    sheet = log.game.score(log.played[-1].transition.state)
    text = sheet_text(log.game, sheet)
    head, *rows, total, winner = text.split("\n")
    assert head.split() == list("abcd")[: log.game.players]
    numbers = [[int(n) for n in row.split()[-log.game.players :]] for row in rows]
    sums = [sum(column) for column in zip(*numbers, strict=True)]
    assert sums == list(sheet.totals) == [int(n) for n in total.split()[1:]]
    best = ["abcd"[p] for p, gold in enumerate(sheet.totals) if gold == max(sheet.totals)]
    assert winner.partition(": ")[2].split(", ") == best
    shown = evidence_text(log.game, sheet)
    assert all(len(line) <= WIDTH for line in shown.split("\n"))
    names = [name for lines in zip(*sheet.lines, strict=True) for line in lines if line.gold
             for name in log.game.board.names(line.hexes)]  # fmt: skip
    assert re.findall(r"\b[a-t]\d+\b", shown) == names


@pytest.mark.parametrize(
    ("worths", "line"),
    [((), "nobody wins"), ((2, 5), "winner: b"), ((7, 7), "shared victory: a, b")],
)
def test_whoever_wins_stands_below(worths: tuple[int, ...], line: str) -> None:
    log = logged(7)
    sheet = log.game.score(log.played[-1].transition.state)
    decided = replace(sheet, judge=lambda totals: worths)
    assert sheet_text(log.game, decided).split("\n")[-1] == line


def test_gold_gained_in_play_has_its_row() -> None:
    log = logged(7)
    sheet = log.game.score(log.played[-1].transition.state)
    assert "gained" not in sheet_text(log.game, sheet)
    richer = replace(sheet, gained=(0, 5))
    assert re.search(r"^gained in play +0 +5$", sheet_text(log.game, richer), re.MULTILINE)


PHASES = """\
memory chosen: hexes of table "What was chosen."

rule wishes "Wishes":
    "Everybody chooses a hex at the end."
    finish: mark 1 on edge - chosen as chosen
"""
HASTE = """\
rule haste "Haste":
    "The game is over as soon as somebody builds at the rim."
    when build if any(here & edge): end game
"""


def story(text: str, players: int, seed: int) -> list[str]:
    ruleset = load("base", texts=[Source("more.kb", text)])
    game = game_at(ruleset, choose_table(ruleset, players, seed))
    told = Narrator(game)
    lines = [told.add(played) for played in Match(game, seed, [random_bot] * players)]
    return [line for line in lines if line is not None]


def test_what_follows_the_last_round_is_told_with_who_did_it() -> None:
    lines = story(PHASES, 3, 5)
    hex = "[a-t][0-9]+"
    wish = f"wishes mark {hex}"
    assert re.fullmatch(f"finish  a: {wish}; b {wish}; c {wish}", lines[-1])
    assert all(line.startswith("round ") for line in lines[:-1])


@pytest.mark.parametrize("seed", range(3))
def test_a_turn_in_which_the_game_ends_is_told(seed: int) -> None:
    lines = story(HASTE, 2, seed)
    assert re.search(r"build( [a-t][0-9]+)+$", lines[-1])
    assert all(re.match(r"round +\d+  [ab](  [\w ]+)?: ", line) for line in lines)


def test_a_game_that_ends_after_its_last_round_ends_with_a_turn() -> None:
    lines = story("", 2, 4)
    assert lines[-1].startswith("round ") and "a turn without a choice" not in lines[-1]

"""Set-up: the first game as printed, random tables, and what is refused."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbrules.engine.game import Game
from kbrules.engine.setup import SetupError, TableSetup, choose_table, game_at
from kbrules.game.moves import CHANCE, Move
from kbrules.game.random import Random
from kbrules.library.boards.tables import Layout
from kbrules.library.box import usual_boxes
from kbrules.library.load import load
from tests.oracle.geometry import neighbours
from tests.oracle.ground import BUILDABLE, lay
from tests.oracle.seen import rules
from tests.oracle.standing import Wanted, stand

MANY = 300


def tables() -> list[TableSetup]:
    return [choose_table(rules(), 2 + seed % 3, seed) for seed in range(MANY)]


def spots(table: TableSetup) -> list[tuple[str, bool]]:
    return [spot for row in table.layout.rows for spot in row]


@given(st.integers(), st.integers(2, 4))
def test_the_first_game_is_as_printed_whatever_the_seed(seed: int, players: int) -> None:
    table = choose_table(rules(), players, seed, "first-game")
    assert str(table.layout) == "tavern paddock/oasis farm"
    assert sorted(table.cards) == ["fishermen", "knights", "merchants"]
    assert table.players == players


def test_no_section_and_no_card_is_taken_twice() -> None:
    for table in tables():
        names = [section for section, _ in spots(table)]
        assert len(names) == len(set(names)) == 4
        assert len(table.cards) == len(set(table.cards)) == 3
        assert [len(row) for row in table.layout.rows] == [2, 2]


def test_every_section_lies_everywhere_either_way_up_and_every_card_comes_up() -> None:
    seen = Counter((place, spot) for table in tables() for place, spot in enumerate(spots(table)))
    sections = rules().parts.sections
    assert set(seen) == {(p, (s, t)) for p in range(4) for s in sections for t in (False, True)}
    cards = Counter(card for table in tables() for card in table.cards)
    assert set(cards) == set(rules().catalog.cards)
    assert max(cards.values()) < 2 * min(cards.values())


def test_a_seed_is_a_table_and_another_seed_another_table() -> None:
    assert tables() == tables()
    assert len({(str(table.layout), table.cards) for table in tables()}) > MANY * 0.98


def test_the_players_do_not_change_the_table() -> None:
    few, many = (choose_table(rules(), players, 7) for players in (2, 4))
    assert (few.layout, few.cards) == (many.layout, many.cards)


@pytest.mark.parametrize(
    ("players", "setup", "options", "words"),
    [
        (1, "random", {}, ["2 to 4", "not 1"]),
        (5, "random", {}, ["2 to 4", "not 5"]),
        (2, "first-gam", {}, ["first-gam", "did you mean `first-game`"]),
        (2, "chess", {}, ["no set-up `chess`"]),
        (2, "random", {"lift_fist": True}, ["did you mean `lift_first`"]),
        (2, "random", {"lift_first": 3}, ["lift_first", "yes or no"]),
    ],
)
def test_what_cannot_be_set_up(
    players: int, setup: str, options: dict[str, bool | int], words: list[str]
) -> None:
    with pytest.raises(SetupError) as refused:
        choose_table(rules(), players, 0, setup, options)
    assert all(word in str(refused.value) for word in words)


def test_a_layout_of_unknown_sections_cannot_be_laid() -> None:
    layout = Layout(((("tavern", False), ("tawer", False)),))
    with pytest.raises(SetupError, match="tower"):
        game_at(rules(), TableSetup(2, layout, ()))


@pytest.mark.parametrize(("cards", "options"), [(("chess",), {}), ((), {"chess": True})])
def test_a_game_of_unknown_cards_or_options(
    cards: tuple[str, ...], options: dict[str, bool | int]
) -> None:
    board = game_at(rules(), choose_table(rules(), 2, 0)).board
    with pytest.raises(KeyError, match="chess"):
        Game(rules(), board, 2, cards, options)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_before_the_first_turn_everybody_is_dealt_a_card(players: int) -> None:
    game = game_at(rules(), choose_table(rules(), players, 1))
    state = game.start()
    for dealt in range(players):
        moves = game.legal_moves(state)
        assert moves.player == CHANCE and sum(moves.weights) == 25 - dealt
        assert [len(seat.hand) for seat in state.seats] == [1] * dealt + [0] * (players - dealt)
        assert state.stage[0] == "setup"
        state = game.apply(state, moves.sample(Random(0, "deal")))
    assert game.legal_moves(state).player == state.active == 0
    assert state.stage == ("turn", 0)
    assert len(state.shown) == 1
    assert [seat.supply for seat in state.seats] == [(40,)] * players
    assert state.occupied == 0 and not any(seat.tiles or seat.gold for seat in state.seats)
    assert [len(stock) for stock in state.stock] == [2] * len(game.board.places)


def test_the_first_build_may_be_anywhere_on_the_terrain() -> None:
    game = game_at(rules(), choose_table(rules(), 2, 1))
    state = game.start()
    state = game.apply(game.apply(state, Move("draw", "", 2)), Move("draw", "", 4))
    moves = game.legal_moves(state)
    assert [(group.verb, group.rule) for group in moves.groups] == [("build", "mandatory")]
    assert moves.groups[0].hexes == game.board.kinds[game.ruleset.catalog.deck[2].terrains[0]]


def test_two_games_on_one_board_keep_their_own_options() -> None:
    board = game_at(rules(), choose_table(rules(), 2, 1)).board
    switched = [
        Game(rules(), board, 2, ("lords",), {"lords_rank_zero": on}) for on in (True, False)
    ]
    usual = Game(rules(), board, 2, ("lords",))
    for game, gold in [*zip(switched, (48, 0), strict=True), (usual, 48)]:
        line = game.score(game.start()).line("lords", 1)
        assert line is not None and line.gold == gold  # first of four empty sectors, or of none


def test_two_games_on_one_board_keep_their_own_moves() -> None:
    layout = choose_table(rules(), 2, 0, "first-game").layout
    ground, board = lay(layout.rows), game_at(rules(), TableSetup(2, layout, ())).board
    place = next(cell for cell, kind in ground.tile.items() if kind == "oasis")
    near = next(cell for cell in sorted(neighbours(place)) if ground.kind[cell] in BUILDABLE)
    for on in (True, False, True):
        game = Game(rules(), board, 2, (), {"build_without_card": on})
        everything = sum((Counter({terrain: 5}) for terrain in BUILDABLE), Counter[str]())
        wanted = Wanted({near: 0}, shown=None, removed=everything)
        moves = game.legal_moves(stand(game, wanted))
        assert any(group.rule == "mandatory" for group in moves.groups) == on


def test_works_once_made_are_kept_however_many_words_are_looked_up() -> None:
    ruleset = load(*usual_boxes())
    table = choose_table(ruleset, 2, 0)
    first = game_at(ruleset, table)
    for part in range(1000):
        ruleset.mentions((part,), "no such word")
    game_at(ruleset, choose_table(ruleset, 3, 0))
    again = game_at(ruleset, table)
    assert again.plan is first.plan

"""The end: when it is triggered, how the round is finished, who wins."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kbrules.engine.game import Game
from kbrules.engine.scoring import ScoreLine, Sheet
from kbrules.game.state import State, draft_of
from kbrules.library.load import check_all
from kbrules.text import Source
from tests.engine.drawn import Scene, scene
from tests.oracle.standing import Wanted

OPEN = """
| G  G  G  G  G  G  G
|  C  C  C  C  C  C  C
| C  C  C  C  C  C  C
"""


def finish_turn(table: Scene) -> Scene:
    """The same player's turn played to its end, whatever is built."""
    turn = table.state.stage
    while table.state.stage == turn:
        moves = table.game.legal_moves(table.state)
        table = Scene(table.game, table.game.apply(table.state, next(iter(moves))))
    return table


SEATS = [(players, seat) for players in (2, 3, 4) for seat in range(players)]


@pytest.mark.parametrize(("players", "seat"), SEATS)
def test_the_round_in_which_a_supply_ends_is_the_last(players: int, seat: int) -> None:
    start = Wanted(active=seat, round=4, supply={seat: 3})
    table = scene(OPEN, start, players=players)
    assert not table.state.ending
    table = finish_turn(table)
    assert table.state.seats[seat].supply == (0,)
    assert table.state.ending
    for player in range(seat + 1, players):
        assert table.state.active == player and not table.state.is_over
        table = finish_turn(table)
    assert table.state.is_over
    assert len(table.game.legal_moves(table.state)) == 0


def test_with_a_piece_left_the_game_goes_on() -> None:
    table = finish_turn(scene(OPEN, Wanted(active=1, round=4, supply={1: 4})))
    assert table.state.seats[1].supply == (1,)
    assert not table.state.ending and not table.state.is_over
    assert table.state.stage == ("turn", 10)


@pytest.mark.parametrize("left", [1, 2])
def test_a_supply_that_runs_out_in_the_middle_ends_the_action(left: int) -> None:
    table = scene(OPEN, Wanted(supply={0: left})).do("a1", *["b1"][: left - 1])
    assert len(table.pieces(0)) == left
    assert table.draws()  # nothing more to do: the new card is drawn
    assert table.state.ending and not table.state.is_over


def test_without_a_supply_there_is_still_a_turn_with_moves_but_no_builds() -> None:
    board = OPEN.replace("| G  G  G  G", "| 8  2  Ga G", 1)
    start = Wanted(supply={0: 0})
    table = scene(board, start, "a paddock at a1", "a farm at b1")
    assert table.rules_offered() == {"paddock", "turn"}
    table = table.do("lift c1", "move e1")
    assert table.state.ending
    assert table.state.seats[0].supply == (0,)
    assert table.draws()


def test_a_tile_may_take_the_last_piece_before_the_mandatory_action() -> None:
    board = OPEN.replace("| G  G  G  G", "| 2  Ga G  G", 1)
    start = Wanted(supply={0: 1}, shown="canyon", hands={1: "grass"})
    table = scene(board, start, "a farm at a1").do("farm: c1")
    assert table.state.ending
    assert table.draws()


def test_the_turn_is_not_over_because_the_last_piece_is_placed() -> None:
    board = OPEN.replace("| G  G  G  G", "| 8  Ga G  G", 1)
    table = scene(board, Wanted(supply={0: 1}), "a paddock at a1").do("c1")
    assert table.rules_offered() == {"paddock", "turn"}
    assert table.do("end").draws()


def test_nothing_is_legal_after_the_end() -> None:
    over = finish_turn(scene(OPEN, Wanted(active=1, supply={1: 3})))
    assert list(over.game.legal_moves(over.state)) == []
    for text in ("mandatory: build a1", "end turn", "paddock: lift a1"):
        assert [reason.rule for reason in over.refused(text).reasons] == ["end"]


def sheet(*totals: int) -> Sheet:
    return Sheet(tuple((ScoreLine("x", "X", total, 0),) for total in totals), (0,) * len(totals))


def test_gold_gained_in_play_counts() -> None:
    lines = ((ScoreLine("x", "X", 4, 0),), (ScoreLine("x", "X", 2, 0), ScoreLine("y", "Y", 1, 0)))
    assert Sheet(lines, (0, 3)).totals == (4, 6)


@pytest.mark.parametrize(
    ("totals", "winners"),
    [((3, 5), (1,)), ((5, 5), (0, 1)), ((7, 2, 7), (0, 2)), ((0, 0, 0, 0), (0, 1, 2, 3))],
)
def test_equal_gold_is_a_shared_victory(totals: tuple[int, ...], winners: tuple[int, ...]) -> None:
    table = scene(OPEN, players=len(totals))
    draft = draft_of(table.state)
    seats = zip(draft.seats, totals, strict=True)
    draft.seats = tuple(seat._replace(gold=gold) for seat, gold in seats)
    found = table.game.score(draft.seal())
    assert (found.totals, found.winners) == (totals, winners)


def test_a_real_table_is_shared_too() -> None:
    board = """
    | K  Ga G  G  Gb K
    |  C  C  C  C  C  C
    """
    table = scene(board)
    assert table.game.score(table.state).totals == (3, 3)
    assert table.game.score(table.state).winners == (0, 1)


def laid(state: State) -> State:
    """The same position, for a game with other rules or cards."""
    return draft_of(state).seal()


def test_only_the_cards_in_play_pay() -> None:
    board = """
    | K  Ga Ga W  Gb K
    |  C  C  C  C  C  C
    """
    plain = scene(board)
    fished = Game(plain.game.ruleset, plain.game.board, 2, ("fishermen", "hermits"))
    lines = fished.score(laid(plain.state)).lines
    assert [{line.rule: line.gold for line in each} for each in lines] == [
        {"castles": 3, "fishermen": 1, "hermits": 1},
        {"castles": 3, "fishermen": 1, "hermits": 1},
    ]
    assert {line.rule for line in plain.game.score(plain.state).lines[0]} == {"castles"}


# who wins, in other games

APART = """
| K  Ga G  Gb
|  C  Ga Ga C
"""
RICH = 'rule other "Other" replaces winning:\n    "Otherwise."\n'


def winners(*rules: str, options: dict[str, bool] | None = None) -> tuple[int, ...]:
    """Who wins a table (3 gold and three pieces against 0 gold and one) under these rules."""
    ruleset, findings = check_all(["base"], texts=[Source("x.kb", "".join(rules))])
    assert ruleset is not None, findings
    table = scene(APART)
    game = Game(ruleset, table.game.board, 2, (), options)
    return game.score(laid(table.state)).winners


@pytest.mark.parametrize(
    ("by", "won"),
    [
        ("total", (0,)),
        ("-total", (1,)),
        ("count(mine)", (0,)),
        ("total * count(occupied - mine) - 3", (0,)),
        ("total - count(mine)", (0,)),
        ("total - 2 * count(mine)", (1,)),
        ("total - count(mine) * 4 / 3", (0, 1)),
        ("supply(settlement)", (1,)),
        ("7", (0, 1)),
        ("sum(total for row in rows if any(mine & row))", (0,)),
    ],
)
def test_a_rule_says_who_wins(by: str, won: tuple[int, ...]) -> None:
    assert winners(RICH, f"    win by {by}\n") == won


@pytest.mark.parametrize(("poor", "won"), [(False, (0,)), (True, (1,))])
def test_options_may_decide_what_wins(poor: bool, won: tuple[int, ...]) -> None:
    said = 'option poor = no "The poorest wins."\n' + RICH
    by = "    win by (-total if poor otherwise total)\n"
    assert winners(said, by, options={"poor": poor}) == won


def test_where_nothing_is_said_nobody_wins() -> None:
    assert winners(RICH, "    gold 100\n") == ()
    assert sheet(3, 5).winners == ()


def test_what_wins_is_not_asked_before_the_winners_are() -> None:
    asked: list[tuple[int, ...]] = []
    found = replace(sheet(3, 5), judge=lambda totals: asked.append(totals) or totals)
    assert found.totals == (3, 5) and asked == []
    assert found.winners == (1,) and asked == [(3, 5)]
    assert found == sheet(3, 5)


def test_a_card_in_play_that_pays_decides_with_the_rest() -> None:
    table = scene(APART)
    game = Game(table.game.ruleset, table.game.board, 2, ("hermits", "fishermen"))
    assert game._machine is table.game._machine  # who wins is no reason for works of its own
    assert game.score(laid(table.state)).totals == (4, 1)
    assert game.score(laid(table.state)).winners == (0,)

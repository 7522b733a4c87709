"""What a refusal, the clauses below it, the data and the picture say of one position agrees."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from kbrules.diagnostics import Diagnostic
from kbrules.engine.game import Game
from kbrules.game.moves import Move
from kbrules.game.state import State
from kbrules.scenario.position import read_position
from kbrules.tools.positions import NamedState, PositionRequest, open_position
from kbrules.tools.reports.page import as_picture
from kbrules.tools.reports.report import as_json, as_text
from kbrules.tools.why.questions import read_question
from kbrules.tools.why.report import answer, why_report

ODD = {
    "expansion.yaml": "format: 1\nid: odd\ntitle: Odd\nneeds: [base, crossroads]\n"
    "tiles:\n"
    "  odd: {kind: location, place: location, each: 2, title: Odd}\n"
    "  mover: {kind: location, place: location, each: 2, title: Mover}\n"
    "cards: [shore, banks, rents]\n",
    "rules/odd.kb": """\
location odd "Odd":
    "Place your hall anywhere it fits, next to your own pieces if you can."
    action:
        place 1 hall on buildable

location mover "Mover":
    "Move any piece of yours to a free buildable hex."
    action:
        move 1 from mine to buildable

card shore "Shore":
    "One gold for each piece of yours, and for each water hex beside one."
    gold 1 per hex in mine | adjacent(mine) & water

card banks "Banks":
    "One gold for each piece on grass that is not surrounded by grass."
    gold 1 per hex in mine & (grass - inside(grass))

card rents "Rents":
    "One gold at the end of each turn."
    when turn_end: gain 1
""",
}
FOR_A_HALL = """\
G  G  G  G  G  G  G  C
 G  G  G  G  G  G  G  C
G  G  Ga G  Cb C  Cb C
 G  G  G  G  C  C  C  C
G  G  G  G  Cb C  Cb C
 D  D  Db D  D  D  D  D
D  D  Db D  D  D  D  D
 D  D  D  D  D  D  D  D
"""
WITH_A_HALL = """\
G  G  G  G  G  G  G  C
 G  G  G  G  G  G  G  C
G  G  Ga G  C  C  C  C
 G  G  G  G  C  C  C  C
G  G  G  G  C  C  C  C
 D  D  D  D  D  D  D  D
"""
SHORE = "Ga W  G\n G  G  W\n"
BARRACKS = "G  G  G  G  G\n G  Gaw G  Ga G\nG  G  G  G  G\n 1  G  G  G  G\n"
SENATE = Path("tests/house/senate")
SENATORS = ("fishermen", "loans", "processions", "tolls", "dues")


@dataclass(frozen=True)
class Asked:
    """The answer to a question, in the forms that are shown."""

    text: str
    data: dict[str, Any]
    concise: tuple[str, ...]
    picture: str


def ask(game: Game, state: State, question: str) -> Asked:
    return ask_about(NamedState(game, state, ""), question)


def ask_about(position: NamedState, question: str) -> Asked:
    game, state = position.game, position.state
    read = read_question(game, state, question.split())
    assert not isinstance(read, Diagnostic), read.message
    found = answer(game, state, read, position.events)
    report = why_report(found, "")
    data = json.loads(as_json(report))
    return Asked(as_text(report, False), data, tuple(report.lines), as_picture(report))


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("odd")
    (folder / "rules").mkdir()
    for name, text in ODD.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def laid(folder: Path, drawing: str, seat: dict[str, object], **more: object) -> tuple[Game, State]:
    given = {"unchecked": True, "board": {"drawing": drawing}, "position": {"a": seat}}
    return read_position({**given, "turn": {"played": "grass"}, **more}, [folder])


@pytest.fixture(scope="module")
def for_a_hall(odd: Path) -> tuple[Game, State]:
    return laid(odd, FOR_A_HALL, {"tiles": [{"tile": "odd", "status": "ready"}]})


@pytest.fixture(scope="module")
def with_a_hall(odd: Path) -> tuple[Game, State]:
    tiles = [{"tile": "mover", "status": "ready"}]
    return laid(odd, WITH_A_HALL, {"pieces": {"hall": ["f4"]}, "tiles": tiles})


def against(data: dict[str, Any]) -> Iterator[str]:
    """The norms that stand against the first move."""
    return (each["rule"] for each in data["moves"][0]["norms"] if each["speaks"] == "against")


def test_no_preference_stands_against_a_legal_hex(for_a_hall: tuple[Game, State]) -> None:
    """Preferences narrow the hexes where the piece fits, not all hexes of the step's set."""
    asked = ask(*for_a_hall, "odd place f7")
    assert asked.data["moves"][0]["legal"]
    assert not [*against(asked.data)] and "\nx " not in asked.text


def test_a_hex_without_room_is_not_refused_for_a_preference(
    for_a_hall: tuple[Game, State],
) -> None:
    game, state = for_a_hall
    refusal = game.explain(state, Move("place", "odd", game.board.grid.index("e8")))
    assert [reason.text for reason in refusal.reasons] == ["the piece does not fit there"]
    assert not [*against(ask(game, state, "odd place e8").data)]


def test_a_condition_that_does_not_hold_is_the_reason_of_a_refusal() -> None:
    board = {"legend": {"1": "barracks"}, "drawing": BARRACKS}
    given = {"with": ["crossroads"], "unchecked": True, "board": board,
             "position": {"a": {"tiles": ["barracks"]}}, "turn": {"played": "grass"}}  # fmt: skip
    game, state = read_position(given)
    lift = Move("lift", "barracks", game.board.grid.index("b2"))
    (reason,) = game.explain(state, lift).reasons
    assert (reason.rule, reason.text) == ("barracks", "`repeated` does not hold")
    assert reason.span is not None and reason.span.text == "repeated"
    assert "nowhere to go" not in ask(game, state, "not barracks lift b2").text


@pytest.fixture(scope="module")
def senate() -> tuple[Game, State]:
    board = {"drawing": "Ga G  G  W\n D  D  D  D\nGb W  G  G\n"}
    given = {"cards": [*SENATORS], "unchecked": True, "board": board}
    given |= {"position": {"beside": ["fishermen", "dues"]}, "turn": {"played": "grass"}}
    return read_position(given, [SENATE])


def test_an_action_of_a_card_that_is_beside_is_refused_for_that(
    senate: tuple[Game, State],
) -> None:
    game, state = senate
    (reason,) = game.explain(state, Move("use", "fishermen", -1)).reasons
    assert (reason.rule, reason.text) == ("fishermen", "the card is beside the table")


def test_a_norm_of_a_card_that_is_beside_does_not_apply_for_that(
    senate: tuple[Game, State],
) -> None:
    norms = ask(*senate, "not build mandatory c1").data["moves"][0]["norms"]
    notes = [norm["note"] for norm in norms if norm["rule"] == "fishermen"]
    assert notes and {*notes} == {"it does not apply: the card is beside the table"}


def test_a_piece_of_several_hexes_is_refused_in_the_same_words(
    with_a_hall: tuple[Game, State],
) -> None:
    asked = ask(*with_a_hall, "not mover lift f4")
    (move,) = asked.data["moves"]
    assert [reason["text"] for reason in move["reasons"]] == move["obstacles"]
    assert move["obstacles"] == ["a piece of several hexes is never moved"]


def test_the_hexes_that_pay_are_those_of_the_parts(odd: Path) -> None:
    asked = ask(*laid(odd, SHORE, {}, cards=["shore"]), "red shore")
    (rule,) = asked.data["rules"]
    parts = [hex for each in rule["rounds"] for part in each["parts"] for hex in part["hexes"]]
    assert parts == rule["hexes"] == ["a1", "b1"]
    assert asked.picture.count("marked *<") == 2


def test_the_concise_answer_is_the_verdict(with_a_hall: tuple[Game, State]) -> None:
    asked = ask(*with_a_hall, "not mover c3 h6")
    assert asked.concise[-1] == "`mover: move h6` is not legal for a (red)"


RENTS = """\
format: 1
title: rents
cards: [rents, shore]
board:
  drawing: |
    Ga G  G  W
     G  G  G  C
    D  D  D  D
unchecked: true
position:
  a: {supply: {settlement: 9}, gold: 4}
turn: {player: a, played: grass}
steps: [build b1, build a2, build b2, draw: desert]
expect: {turn: b}
"""


@pytest.fixture(scope="module")
def after_a_turn(odd: Path) -> NamedState:
    (odd / "rents.scenario.yaml").write_text(RENTS, encoding="utf-8")
    found, findings = open_position(PositionRequest(str(odd / "rents.scenario.yaml")))
    assert found is not None, findings
    return found


def test_gold_gained_in_play_is_told_by_rule(after_a_turn: NamedState) -> None:
    everything = ask_about(after_a_turn, "red")
    assert everything.data["gained"] == 5 and everything.data["gains"] == {"rents": 1}
    assert "gained in play: 5\n  Rents: 1\n  before the first move: 4\n" in everything.text
    one = ask_about(after_a_turn, "red rents")
    assert one.concise == ("Rents pays a (red) 1 gold",)
    assert one.data["gold"] == one.data["gained"] == 1 and "  gained in play: 1" in one.text
    assert ask_about(after_a_turn, "blue rents").concise == ("Rents pays b (blue) 0 gold",)


def test_gold_of_a_position_without_a_history_is_of_no_rule(
    after_a_turn: NamedState,
) -> None:
    unknown = replace(after_a_turn, events=None)
    assert ask_about(unknown, "red").data["gains"] is None
    assert "what it paid in play is not known here" in ask_about(unknown, "red rents").text


def test_gold_gained_before_a_move_is_told_of_that_move(odd: Path, after_a_turn: object) -> None:
    path = str(odd / "rents.scenario.yaml")
    found, findings = open_position(PositionRequest(path, at=3))
    assert found is not None, findings
    assert ask_about(found, "red").data["gains"] == {}


def test_an_answer_is_the_same_after_one_about_another_board(odd: Path) -> None:
    one, other = (laid(odd, drawing, {}, cards=["banks"]) for drawing in (FOR_A_HALL, SHORE))
    first = ask(*one, "red banks").text
    assert ask(*other, "red banks").text != first
    assert ask(*one, "red banks").text == first

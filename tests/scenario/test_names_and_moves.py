"""Unknown names, unreadable values, impossible positions and moves: each at its very place."""

from __future__ import annotations

import pytest

from tests.scenario.texts import BOARD, HEAD, finding, outcome

EXPECT = "expect: {over: no}\n"
UNKNOWN = [
    ("KB413", "cards: [«knigts»]", "did you mean `knights`"),
    ("KB413", "options: {«lords_rank_zer»: yes}", "lords_rank_zero"),
    ("KB209", "options: {lords_rank_zero: «3»}", ""),
    ("KB413", "position: {a: {pieces: {«settlment»: [a1]}}}", "settlement"),
    ("KB506", "position: {a: {pieces: {settlement: [a1, «z9»]}}}", ""),
    ("KB506", "position: {a: {pieces: {settlement: [«a0»]}}}", ""),
    ("KB413", "position: {a: {tiles: [«tavren»]}}", "tavern"),
    ("KB413", "position: {a: {tiles: [{tile: «tavren»}]}}", "tavern"),
    ("KB506", "position: {a: {tiles: [{tile: tavern, from: «k1»}]}}", ""),
    ("KB413", "position: {a: {supply: {«huts»: 3}}}", ""),
    ("KB413", "position: {a: {hand: [grass, «gras»]}}", "grass"),
    ("KB413", "position: {a: {memory: {«visted»: [c2]}}}", "visited"),
    ("KB413", "position: {«c»: {gold: 1}}", "players"),
    ("KB413", "position: {deck: {«gras»: 1}}", "grass"),
    ("KB413", "position: {discards: {«gras»: 1}}", "grass"),
    ("KB506", "position: {left: {«x1»: 1}}", ""),
    ("KB413", "position: {memory: {«rounds»: 1}}", ""),
    ("KB413", "turn: {player: «c»}", "players"),
    ("KB413", "turn: {played: «gras»}", "grass"),
    ("KB413", "turn: {played: [grass, «gras»]}", "grass"),
    ("KB413", "turn: {done: [«mandatry»]}", "mandatory"),
    ("KB504", "turn: {done: [«tavern»]}", "status: used"),
    ("KB504", "turn: {done: [«occupied»]}", ""),
]
EXPECTED = [
    ("KB413", "offered: {«tavren»: none}", "tavern"),
    ("KB506", "offered: {tavern: [a1, «y9»]}", ""),
    ("KB506", "offered: {tavern: {excludes: [«y9»]}}", ""),
    ("KB413", "choices: [«tavren», mandatory]", "tavern"),
    ("KB501", "refused: [build «??»]", ""),
    ("KB413", "refused: [{move: build a1, because: «ocupied»}]", "occupied"),
    ("KB413", "tiles: {«c»: []}", ""),
    ("KB413", "tiles: {a: [«tavren»]}", "tavern"),
    ("KB413", "tiles: {a: [{«tavren»: used}]}", "tavern"),
    ("KB413", "tiles: {a: [{tile: «tavren»}]}", "tavern"),
    ("KB506", "tiles: {a: [{tile: tavern, from: «z9»}]}", ""),
    ("KB413", "numbers: {a: {«bilds»: 3}}", "builds"),
    ("KB413", "supply: {nobody: {«wal»: 3}}", ""),
    ("KB506", "left: {«zz1»: 1}", ""),
    ("KB413", "gold: {a: {«knights»: 1}}", ""),
    ("KB413", "gold: {«c»: 1}", ""),
    ("KB413", "supply: {a: {«hut»: 1}}", ""),
    ("KB413", "pieces: {a: {«hut»: []}}", ""),
    ("KB506", "pieces: {a: {settlement: [b1, c1, d1, «x1»]}}", ""),
    ("KB413", "hand: {a: [«gras»]}", "grass"),
    ("KB413", "shown: [«gras»]", "grass"),
    ("KB413", "deck: {«gras»: 1}", "grass"),
    ("KB413", "memory: {a: {«visted»: []}}", "visited"),
    ("KB413", "memory: {table: {«visited»: []}}", ""),
]


@pytest.mark.parametrize(("code", "line", "said"), UNKNOWN)
def test_a_name_that_names_nothing(code: str, line: str, said: str) -> None:
    found = finding(f"{HEAD}{line}\n{EXPECT}")
    assert found.code == code and said in f"{found.message} {found.help}"


@pytest.mark.parametrize(("code", "line", "said"), EXPECTED)
def test_a_name_that_names_nothing_where_something_is_expected(
    code: str, line: str, said: str
) -> None:
    found = finding(f"{HEAD}turn: {{played: canyon}}\nexpect:\n  {line}\n")
    assert found.code == code and said in f"{found.message} {found.help}"


BOARDS = [
    ("KB413", "board: {sections: [[tavern, «paddok»], [oasis, farm]]}", "paddock"),
    ("KB504", "board: {«sections»: [[tavern, paddock], [oasis]]}", ""),
    ("KB413", 'board: {drawing: "G 1", legend: {"1": «tavren»}}', "tavern"),
    ("KB408", "board:\n  drawing: |\n    G G\n     G «Z»\n", ""),
    ("KB110", "board:\n  drawing: |\n    «G G<»\n", ""),
    ("KB413", "board:\n  «drawing»: |\n    G Gc\n", "players"),
    ("KB403", "board: «{}»", "either"),
    ("KB403", 'board: «{drawing: "G G", sections: [[tavern]]}»', "either"),
    ("KB403", 'board: «{sections: [[tavern]], legend: {"1": tavern}}»', "legend"),
]


@pytest.mark.parametrize(("code", "line", "said"), BOARDS)
def test_a_board_that_cannot_be_laid(code: str, line: str, said: str) -> None:
    found = finding(f"format: 1\ntitle: it\n{line}\n{EXPECT}")
    assert found.code == code and said in f"{found.message} {found.help}"


SHAPES = [
    ("KB402", f"format: 1\ntitle: it\n{BOARD}«exspect»: {{over: no}}\n", "expect"),
    ("KB402", f"{HEAD}expect: {{«offred»: {{}}}}\n", "offered"),
    ("KB402", f"{HEAD}steps: [{{«mve»: a1}}]\n", "move"),
    ("KB403", f"{HEAD}steps: [«{{move: a1, draw: grass}}»]\n", "one of"),
    ("KB403", f"{HEAD}steps: [«{{expect: null}}»]\n", "one of"),
    ("KB403", f"{HEAD}expect: «{{}}»\n", "nothing is expected"),
    ("KB412", f"format: 1\ntitle: «it»\n{BOARD}", "claims nothing"),
    ("KB412", f"format: 1\ntitle: «it»\n{EXPECT}", "board"),
    ("KB403", f"{HEAD}players: «seven»\n{EXPECT}", ""),
    ("KB504", f"{HEAD}players: «5»\n{EXPECT}", "2 to 4"),
]


@pytest.mark.parametrize(("code", "text", "said"), SHAPES)
def test_a_file_of_the_wrong_shape(code: str, text: str, said: str) -> None:
    found = finding(text)
    assert found.code == code and said in f"{found.message} {found.help}"


def test_too_many_players_are_told_which_box_says_so_and_which_seats_more() -> None:
    said = finding(f"{HEAD}players: «5»\n{EXPECT}").message
    assert "not 5, as `base` says; 5 play with the box `crossroads`" in said


MOVES = [
    ("KB501", "steps: [«bild» a1]", "did you mean `build`?"),
    ("KB502", 'steps: [«"mandatory: build b1"»]', "occupied"),
    ("KB502", 'steps: [{move: «"mandatory: build a3"»}]', "placement"),
    ("KB502", "steps: [{draw: «grass»}]", "nobody is to draw"),
    ("KB413", "steps: [{draw: «gras»}]", "grass"),
    ("KB502", 'steps: [«"tavern: build a1"»]', "holds no such tile"),
    ("KB502", "steps: [b2, d2, e2, «a1»]", "card is due"),
]


@pytest.mark.parametrize(("code", "line", "said"), MOVES)
def test_a_move_that_cannot_be_done(code: str, line: str, said: str) -> None:
    found = finding(f"{HEAD}turn: {{played: canyon}}\n{line}\n{EXPECT}")
    assert found.code == code and said in f"{found.message} {found.help}"


def test_a_move_that_two_rules_offer_must_say_which() -> None:
    tile = "position: {a: {tiles: [oracle]}}\nunchecked: yes\nturn: {played: canyon}\n"
    found = finding(f"{HEAD}{tile}steps: [«b2»]\n")
    assert found.code == "KB503" and "oracle: build b2" in found.message
    assert outcome(f"{HEAD}{tile}steps: ['oracle: build b2']\n").passed


def test_after_a_move_that_cannot_be_done_nothing_further_is_judged() -> None:
    result = outcome(f"{HEAD}turn: {{played: canyon}}\nsteps: [a3]\nexpect: {{turn: b}}\n")
    assert [each.code for each in result.diagnostics] == ["KB502"]


def test_a_seed_draws_what_nobody_names_and_always_the_same() -> None:
    text = f"{HEAD}turn: {{played: canyon}}\nseed: 4\nposition: {{b: {{hand: [desert]}}}}\n"
    text += "steps: [b2, d2, e2, {expect: {turn: b, shown: [desert]}}, g3]\n"
    assert outcome(text).passed
    hands = [
        name for name in ("grass", "canyon", "desert", "flower", "forest")
        if outcome(f"{text}expect: {{hand: {{a: [{name}]}}}}\n").passed
    ]  # fmt: skip
    assert len(hands) == 1

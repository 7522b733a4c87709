"""Slips in scenarios: one finding for each, at its very place, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kbrules.diagnostics import Diagnostic
from kbrules.scenario.position import build_start
from kbrules.scenario.reader import MAX_FINDINGS, parse_scenarios
from kbrules.scenario.running import run_all
from kbrules.text import Source
from tests.collecting import collect
from tests.scenario.texts import BOARD, HEAD, READ, finding, game_cache, outcome

EVERYWHERE = """\
options: {«lords_rank_zer»: yes}
cards: [«fisherman», lords]
position:
  a:
    pieces: {«settlment»: [a1], settlement: [«z9», b1, c1, d1]}
    tiles: [«orcle», {tile: «tavren», from: «zz1»}]
    supply: {«setlement»: 3}
    hand: [«gras»]
    memory: {«visted»: [«y7»]}
  nobody: {pieces: {«wal»: [«x2»]}}
  left: {«w3»: 1}
  deck: {«flowr»: 2}
  discards: {«desrt»: 2}
turn: {played: «canyn», done: [«mandatry»]}
steps:
  - «buld» a1
  - "«mandatory2»: «biuld» «a77»"
  - {move: build «v1»}
  - {draw: «forst»}
  - expect: {choices: [«tavrn», grass, turn]}
  - build a1 «b1»
expect:
  offered: {mandatory: [«zz»], «mandatroy»: none, «mandatory biuld»: none}
  refused: [build «zz3», {move: «bold» a1, because: «ocupied»}]
  tiles: {a: [«padock», {«oasys»: used}]}
  left: {«u1»: 1}
  gold: {a: {«lord»: 1, lords: 2}, «d»: 3}
  supply: {a: {«settlements»: 1}}
  pieces: {a: {settlement: [«t1»]}}
  hand: {a: [«gras»]}
  shown: [«gras»]
  deck: {«gras»: 1}
  memory: {table: {«visted»: 1}}
"""


def told(text: str) -> tuple[list[Diagnostic], list[tuple[int, int]]]:
    """The findings about the one scenario in a text, and the places that are marked in it."""
    plain, marks = "", []
    for number, piece in enumerate(re.split("[«»]", text)):
        if number % 2:
            marks.append((len(plain), len(plain) + len(piece)))
        plain += piece
    cases, found = parse_scenarios(Source("it.scenario.yaml", plain))
    assert found == []
    return build_start(cases[0], game_cache())[1], marks


def assert_told(text: str) -> list[Diagnostic]:
    found, marks = told(text)
    places = [(each.span.start, each.span.end) for each in found]
    assert places == marks, [f"{each.message} at {each.span.text}" for each in found]
    return found


@pytest.mark.parametrize(
    "board",
    [
        BOARD,
        BOARD.replace("paddock", "«padock»"),
        BOARD.replace("{", '{"9": «nothing», '),
        BOARD.replace("K ", "«Z» "),
    ],
    ids=["good", "unknown tile", "two legends", "unknown letter"],
)
def test_every_slip_of_a_drawn_scenario_is_told(board: str) -> None:
    found = assert_told(f"format: 1\ntitle: it\n{board}{EVERYWHERE}")
    assert all(each.help or each.code == "KB506" for each in found)


@pytest.mark.parametrize("last", ["farm", "«fram»"])
def test_every_slip_of_a_scenario_with_sections_is_told(last: str) -> None:
    board = f"board: {{sections: [[tavern, paddock], [oasis, {last}]]}}\n"
    slips = EVERYWHERE
    for name in ("z9", "y7", "x2", "w3", "v1", "u1", "t1"):
        slips = slips.replace(f"«{name}»", f"«{name}99»")
    assert_told(f"format: 1\ntitle: it\n{board}{slips}")


def test_impossible_things_are_told_with_unknown_ones() -> None:
    assert_told(
        f"{HEAD}position:\n  a: {{hand: [«gras»]}}\n  left: {{«a1»: 1}}\n"
        "turn: {done: [«tavern»]}\nexpect: {over: no}\n"
    )


def test_what_may_come_of_a_slip_is_not_told() -> None:
    """With a piece left out the supply does not add up, which would be no second mistake."""
    supply = "supply: {settlement: 3, «hutt»: 1}"
    assert_told(f"{HEAD}position: {{a: {{{supply}}}}}\nexpect: {{over: no}}\n")


def test_a_word_that_stands_twice_in_a_move_is_marked_where_it_stands() -> None:
    (found,) = assert_told(f"{HEAD}steps: ['mandatory: «mandatori» b1']\n")
    assert found.code == "KB501" and "there is no verb" in found.message


def test_a_move_in_a_folded_text_is_marked_as_a_whole() -> None:
    found, _ = told(f'{HEAD}steps:\n  - "bu\\x6cd a1"\n')
    assert [each.span.text for each in found] == ['"bu\\x6cd a1"']


def test_files_with_slips_are_told_and_the_others_run(tmp_path: Path) -> None:
    """What can be played in a file is played, whatever its neighbours are."""
    expect = "expect: {over: no}"
    two = f"  - {{title: one, {expect}}}\n  - {{title: two, cards: [lord], steps: [buld a1]}}\n"
    (tmp_path / "a.scenario.yaml").write_text(f"format: 1\ntitle: a\n{BOARD}scenarios:\n{two}")
    (tmp_path / "b.scenario.yaml").write_text(f"{HEAD}{expect}\n")
    collection = collect([tmp_path], files=READ)
    assert [each.code for each in collection.findings] == ["KB413", "KB501"]
    assert [item.title for item in collection] == ["one", "it"]
    assert all(result.passed for result in run_all(collection))


def test_a_slip_that_scenarios_share_is_told_once(tmp_path: Path) -> None:
    many = "".join(f"  - {{title: t{i}, expect: {{over: no}}}}\n" for i in range(50))
    file = tmp_path / "a.scenario.yaml"
    file.write_text(f"format: 1\ntitle: a\ncards: [lord]\n{BOARD}scenarios:\n{many}")
    assert len(collect([file], files=READ).findings) == 1


def test_a_file_of_nothing_but_slips_is_soon_answered(tmp_path: Path) -> None:
    slips = ", ".join(f"x{i:05}" for i in range(15_000))
    many = "".join(f"  - {{title: t{i}, steps: [buld a{i}]}}\n" for i in range(200))
    file = tmp_path / "a.scenario.yaml"
    file.write_text(f"format: 1\ntitle: a\ncards: [{slips}]\n{BOARD}scenarios:\n{many}")
    assert len(collect([file], files=READ).findings) == MAX_FINDINGS


def test_marks_of_a_board_that_scenarios_share_may_be_idle_in_some(tmp_path: Path) -> None:
    board = BOARD.replace("G  C  C\n", "G+ C  C\n", 1)
    entries = "  - {title: one, expect: {over: no}}\n"
    file = tmp_path / "a.scenario.yaml"
    file.write_text(f"format: 1\ntitle: a\n{board}scenarios:\n{entries}")
    assert collect([file], files=READ).findings == []
    file.write_text(f"format: 1\ntitle: a\n{board}expect: {{over: no}}\n")
    assert [each.code for each in collect([file], files=READ).findings] == ["KB110"]


TILES = [
    ("position: {a: {tiles: [«{farm: fresh}»]}}", "`{tile: farm, status: fresh}`"),
    ("expect: {tiles: {a: [{farm: «frsh»}]}}", "`fresh`"),
    ("expect: {tiles: {a: [{tile: farm, status: «frsh»}]}}", "`fresh`"),
]


@pytest.mark.parametrize(("line", "form"), TILES)
def test_the_form_of_a_tile_that_belongs_elsewhere_is_set_right(line: str, form: str) -> None:
    expect = "" if line.startswith("expect") else "expect: {over: no}\n"
    found = finding(f"{HEAD}{line}\n{expect}")
    assert found.code == "KB403" and form in found.message


TWO_KINDS = f"""\
format: 1
title: it
{BOARD}scenarios:
  - title: one
    position: {{a: {{tiles: [{{tile: «tavren», from: «z9»}}]}}}}
    turn: {{played: «gras»}}
    «exspect»: {{over: no}}
    expect: {{«ovr»: no}}
  - title: two
    steps: [{{«mve»: a1}}]
    expect: {{tiles: {{a: [«padock»]}}}}
"""


def _told(text: str, folder: Path) -> list[str]:
    file = folder / "it.scenario.yaml"
    file.write_text(text.replace("«", "").replace("»", ""), encoding="utf-8")
    collected = collect([file])
    assert not collected.cases
    return [found.span.text for found in collected.findings]


def test_wrong_names_are_told_with_wrong_shapes(tmp_path: Path) -> None:
    assert _told(TWO_KINDS, tmp_path) == re.findall("«(.*?)»", TWO_KINDS)


@pytest.mark.parametrize("wrong", ["wiht: [nomads]", "with: nomads", "«players»: many"])
def test_no_name_is_told_where_it_may_be_right(wrong: str, tmp_path: Path) -> None:
    position = "position: {c: {hand: [desrt], tiles: [swrd]}}"
    assert len(_told(f"{HEAD}{wrong}\n{position}\nexpect: {{over: no}}\n", tmp_path)) == 1


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

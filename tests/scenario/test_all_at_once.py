"""A scenario with several slips: one finding for each, at its very place, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kbrules.diagnostics import Diagnostic
from kbrules.scenario.collection import collect
from kbrules.scenario.names import MAX_FINDINGS
from kbrules.scenario.position import build_start
from kbrules.scenario.reader import parse_scenarios
from kbrules.scenario.running import run_all
from kbrules.text import Source
from tests.scenario.texts import BOARD, CACHES, HEAD, finding, game_cache

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


def test_impossible_things_are_told_beside_unknown_ones() -> None:
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
    collection = collect([tmp_path], caches=CACHES)
    assert [each.code for each in collection.findings] == ["KB413", "KB501"]
    assert [item.title for item in collection] == ["one", "it"]
    assert all(result.passed for result in run_all(collection))


def test_a_slip_that_scenarios_share_is_told_once(tmp_path: Path) -> None:
    many = "".join(f"  - {{title: t{i}, expect: {{over: no}}}}\n" for i in range(50))
    file = tmp_path / "a.scenario.yaml"
    file.write_text(f"format: 1\ntitle: a\ncards: [lord]\n{BOARD}scenarios:\n{many}")
    assert len(collect([file], caches=CACHES).findings) == 1


def test_a_file_of_nothing_but_slips_is_soon_answered(tmp_path: Path) -> None:
    slips = ", ".join(f"x{i:05}" for i in range(15_000))
    many = "".join(f"  - {{title: t{i}, steps: [buld a{i}]}}\n" for i in range(200))
    file = tmp_path / "a.scenario.yaml"
    file.write_text(f"format: 1\ntitle: a\ncards: [{slips}]\n{BOARD}scenarios:\n{many}")
    assert len(collect([file], caches=CACHES).findings) == MAX_FINDINGS


def test_marks_of_a_board_that_scenarios_share_may_be_idle_in_some(tmp_path: Path) -> None:
    board = BOARD.replace("G  C  C\n", "G+ C  C\n", 1)
    entries = "  - {title: one, expect: {over: no}}\n"
    file = tmp_path / "a.scenario.yaml"
    file.write_text(f"format: 1\ntitle: a\n{board}scenarios:\n{entries}")
    assert collect([file], caches=CACHES).findings == []
    file.write_text(f"format: 1\ntitle: a\n{board}expect: {{over: no}}\n")
    assert [each.code for each in collect([file], caches=CACHES).findings] == ["KB110"]


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


def test_wrong_names_are_told_beside_wrong_shapes(tmp_path: Path) -> None:
    assert _told(TWO_KINDS, tmp_path) == re.findall("«(.*?)»", TWO_KINDS)


@pytest.mark.parametrize("wrong", ["wiht: [nomads]", "with: nomads", "«players»: many"])
def test_no_name_is_told_where_it_may_be_right(wrong: str, tmp_path: Path) -> None:
    position = "position: {c: {hand: [desrt], tiles: [swrd]}}"
    assert len(_told(f"{HEAD}{wrong}\n{position}\nexpect: {{over: no}}\n", tmp_path)) == 1

"""Each kind of expectation, gold by rule, and turns that end by themselves."""

from __future__ import annotations

import re
from contextlib import chdir
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.app import app
from kbrules.diagnostics import Diagnostic
from kbrules.library.load import load
from kbrules.scenario.models import ExpectModel
from kbrules.scenario.reader import parse_scenarios
from kbrules.scenario.report import ScenarioOutcome
from kbrules.scenario.running import run_scenario
from kbrules.scenario.setup import rules_of
from kbrules.text import Source
from tests.collecting import collect
from tests.example_games import DALE as GAME
from tests.scenario.texts import HEAD, READ, finding, outcome

# Drawn are b1, c1 and d1 of a, which touch the place c2, and g2 of b.
SETTING = """\
cards: [knights, hermits]
position:
  a: {tiles: [{tile: tavern, from: c2}], hand: [], gold: 2}
  b: {hand: [grass]}
turn: {player: a, played: canyon}
"""
PLAIN = HEAD + SETTING + "expect:\n"

RIGHT = """\
  offered:
    tavern: [a1, e1]
    tavern build: {includes: [a1], excludes: [g1]}
    paddock: none
    mandatory: some
  choices: [mandatory, tavern]
  refused:
    - end turn
    - {move: "mandatory: build a3", because: placement, says: terrain}
    - {move: "mandatory: build c2", because: occupied}
  tiles: {a: [{tile: tavern, from: c2, status: ready}], b: []}
  left: {c2: 1, g4: 2, a1: 0}
  gold: {a: {knights: 6, hermits: 1, castles: 0, gained: 2, total: 9}, b: 3}
  numbers: {a: {builds: 3, hand: 1}, b: {builds: 3}}
  supply: {a: {settlement: 37}, b: {settlement: 39}}
  pieces: {a: {settlement: [b1, d1, c1]}, b: {settlement: [g2]}}
  hand: {a: [], b: [grass]}
  shown: [canyon]
  deck: {canyon: 4, grass: 4, desert: 5}
  discards: {canyon: 0}
  beside: []
  retired: []
  memory: {a: {visited: [c2]}, b: {visited: []}}
  turn: a
  last_round: no
  over: no
  winners: [a]
  reachable: {within: 1, pieces: {a: {settlement: [a1, b1, c1, d1]}}, tiles: {a: [{tavern: used}]}}
  unreachable: {within: 1, offered: {paddock: some}}
"""


def test_everything_that_is_so_may_be_expected() -> None:
    result = outcome(PLAIN + RIGHT)
    assert result.passed, result.text


def test_nothing_that_can_be_expected_was_left_out() -> None:
    for text in (RIGHT, "\n".join(line for line, _ in WRONG)):
        assert set(re.findall(r"^  (\w+):", text, re.MULTILINE)) == set(ExpectModel.model_fields)


WRONG = [
    ("  offered: {tavern: «[a1]»}", "e1"),
    ("  offered: {tavern: «[a1, e1, f1]»}", "f1"),
    ("  offered: {tavern: «none»}", "a1, e1"),
    ("  offered: {paddock: «some»}", "nothing"),
    ("  offered: {paddock: «[a1]»}", "a1"),
    ("  offered: {tavern lift: «[a1]»}", "a1"),
    ("  offered: {mandatory: {includes: «[a2, a3]»}}", "a3"),
    ("  offered: {mandatory: {excludes: «[a2, b2]»}}", "b2"),
    ("  choices: «[tavern]»", "mandatory"),
    ("  choices: «[mandatory, tavern, turn]»", "turn"),
    ('  refused: [«"tavern: build a1"»]', "not refused"),
    ('  refused: [{move: «"tavern: build a1"», because: tavern}]', "not refused"),
    ('  refused: [{move: "mandatory: build a3", because: «occupied»}]', "placement"),
    ('  refused: [{move: "mandatory: build a3", because: placement, says: «moon»}]', "terrain"),
    ("  tiles: {a: «[]»}", "tavern (ready)"),
    ("  tiles: {a: «[tavern, tavern]»}", "tavern (ready)"),
    ("  tiles: {a: «[{tavern: used}]»}", "tavern (ready)"),
    ("  tiles: {b: «[tavern]»}", "nothing"),
    ("  tiles: {a: «[{tile: tavern, from: g4}]»}", "tavern (ready) from c2"),
    ("  tiles: {a: «[{tile: tavern, from: c2, status: used}]»}", "tavern (ready) from c2"),
    ("  tiles: {a: «[{tile: tavern}, {tile: paddock}]»}", "tavern (ready)"),
    ("  left: {c2: «2»}", "1 left"),
    ("  numbers: {a: {builds: «4»}}", "`builds` of a is 3, not 4"),
    ("  supply: {nobody: {settlement: «3»}}", "belongs to players"),
    ("  gold: {a: {knights: «5»}}", "pays a 6"),
    ("  gold: {a: {total: «8»}}", "9 (1 hermits, 6 knights, 2 gained)"),
    ("  gold: {a: {gained: «3»}}", "2 gained"),
    ("  gold: {b: «4»}", "b has 3"),
    ("  supply: {a: {settlement: «36»}}", "37"),
    ("  pieces: {a: {settlement: «[b1, d1]»}}", "also on c1"),
    ("  pieces: {a: {settlement: «[b1, c1, d1, a1]»}}", "not on a1"),
    ("  hand: {b: «[grass, grass]»}", "grass"),
    ("  hand: {b: «[]»}", "grass"),
    ("  shown: «[grass]»", "canyon"),
    ("  deck: {canyon: «5»}", "4"),
    ("  discards: {canyon: «1»}", "0"),
    ("  beside: «[knights]»", "there is nothing, not knights"),
    ("  retired: «[hermits]»", "there is nothing, not hermits"),
    ("  memory: {a: {visited: «[]»}}", "c2"),
    ("  turn: «b»", "a is to decide"),
    ("  turn: «chance»", "a is to decide"),
    ("  last_round: «yes»", "not the last round"),
    ("  over: «yes»", "not over"),
    ("  winners: «[b]»", "a would win"),
    ("  winners: «[a, b]»", "a would win"),
    ("  winners: «[]»", "a would win, not nobody"),
    (
        "  reachable: {within: 1, offered: {tavern: none}, tiles: {a: «[{tavern: fresh}]»}}",
        "after `mandatory: build",
    ),
    ("  reachable: {within: 1, turn: «b»}", "nearest, before any decision: a is to decide"),
    ("  unreachable: «{within: 1, tiles: {a: [{tavern: used}]}}»", "so after `tavern: build a1`"),
    ("  unreachable: «{within: 1, turn: a}»", "so before any decision"),
]


@pytest.mark.parametrize(("line", "said"), WRONG)
def test_what_is_not_so_is_said_where_it_is_expected(line: str, said: str) -> None:
    found = finding(f"{PLAIN}{line}\n")
    assert found.code == "KB505"
    assert said in found.message


@pytest.mark.parametrize(("line", "said"), WRONG)
def test_it_is_said_in_the_middle_of_a_scenario_too(line: str, said: str) -> None:
    step = "\n".join(f"      {part}" for part in line.splitlines())
    found = finding(f"{HEAD}{SETTING}steps:\n  - expect:\n{step}\n")
    assert found.code == "KB505" and said in found.message


def test_every_wrong_line_fails_on_its_own_among_the_others() -> None:
    lines = "".join(f"  - expect:\n    {line}\n" for line, _ in WRONG)
    result = outcome(f"{HEAD}{SETTING}steps:\n{lines}")
    assert len(result.diagnostics) == len(WRONG)
    assert {each.code for each in result.diagnostics} == {"KB505"}


TWO = """\
with: [base, nomads]
unchecked: yes
position:
  a:
    tiles:
      - {tile: tavern, from: c2, status: used}
      - {tile: tavern, from: g4}
      - paddock
  nobody: {pieces: {wall: [a4, b4]}}
"""
TILES = [
    ("[tavern, tavern, paddock]", True),
    ("[{tavern: used}, tavern, paddock]", True),
    ("[tavern, {tile: tavern, from: c2}, paddock]", True),
    # The first entry may be either of the two; it is the one that the second leaves.
    ("[{tile: tavern}, {tile: tavern, status: used}, paddock]", True),
    ("[{tile: tavern, from: g4, status: ready}, {tavern: used}, paddock]", True),
    ("[{tile: tavern, from: c2}, {tile: tavern, status: used}, paddock]", False),
    ("[{tile: tavern, from: g4, status: used}, tavern, paddock]", False),
    ("[tavern, tavern]", False),
    ("[tavern, tavern, paddock, paddock]", False),
]


@pytest.mark.parametrize(("tiles", "holds"), TILES)
def test_tiles_are_told_apart_by_place_and_status(tiles: str, holds: bool) -> None:
    assert _nomads(f"expect: {{tiles: {{a: {tiles}}}}}\n").passed is holds


def _nomads(expect: str) -> ScenarioOutcome:
    (case,), findings = parse_scenarios(Source("it", HEAD + TWO + expect))
    assert findings == []
    return run_scenario(rules_of(READ, ("base", "nomads")), case)


@pytest.mark.parametrize(("left", "holds"), [(23, True), (25, False), (22, False)])
def test_what_nobody_has_left_is_not_on_the_board(left: int, holds: bool) -> None:
    outcome = _nomads(f"expect: {{supply: {{nobody: {{wall: {left}}}}}}}\n")
    assert outcome.passed is holds
    assert holds or "nobody has 23 of `wall` left" in outcome.text


def test_numbers_are_those_of_now() -> None:
    quick = HEAD + "turn: {played: canyon}\n"
    assert outcome(quick + "expect: {numbers: {a: {builds: 3}}}\n").passed
    assert finding(quick + "expect: {numbers: {a: {«bilds»: 3}}}\n").code == "KB413"


def test_a_draw_is_no_decision_and_may_go_each_way() -> None:
    quick = HEAD + "turn: {played: canyon, player: a}\nposition: {b: {hand: [desert]}}\n"
    for card in ("grass", "desert"):
        built = "{a: {settlement: [b1, c1, d1, a2, b2, d2]}}"
        expect = f"{{within: 3, turn: b, hand: {{a: [{card}]}}, pieces: {built}}}"
        assert outcome(f"{quick}expect: {{reachable: {expect}}}\n").passed
        early = expect.replace("within: 3", "within: 2")
        assert outcome(f"{quick}expect: {{unreachable: {early}}}\n").passed


def test_a_search_has_a_bound() -> None:
    quick = HEAD + "turn: {played: canyon}\n"
    for key in ("reachable", "unreachable"):
        found = finding(f"{quick}expect: {{{key}: {{within: «20», offered: {{oasis: some}}}}}}\n")
        assert found.code == "KB507" and "5000" in found.message


def test_nothing_within_some_decisions_is_no_expectation() -> None:
    found = finding(f"{HEAD}expect: {{reachable: «{{within: 2}}»}}\n")
    assert found.code == "KB403" and "nothing is expected" in found.message


def test_names_in_what_is_reachable_are_looked_up() -> None:
    inside = "{within: 1, offered: {«tavren»: none}}"
    assert finding(f"{HEAD}expect: {{reachable: {inside}}}\n").code == "KB413"


def test_a_picture_shows_what_was_expected_and_what_was_found() -> None:
    result = outcome(PLAIN + "  offered: {tavern: [a1, f1]}\n")
    picture = result.diagnostics[0].picture
    row = picture.splitlines()[1].split()
    assert row == ["1", "G+", "Ga", "Ga", "Ga", "G!", "C?", "C"]
    assert "1 tavern, 2 paddock" in picture
    assert "+ expected and found, ! found, not expected, ? expected, not found" in picture
    assert picture in result.text


def test_a_missing_hex_is_explained_by_the_clause_that_stands_against_it() -> None:
    found = finding(PLAIN + "  offered: {tavern: «[a1, e1, c2]»}\n")
    assert {label.span.source.name.rpartition("/")[2] for label in found.labels} == {
        "locations.kb", "placement.kb",
    }  # fmt: skip


def test_marked_hexes_are_those_of_the_drawing() -> None:
    marked = HEAD.replace("G  Ga Ga Ga G ", "G+ Ga Ga Ga G+") + SETTING
    assert outcome(marked + "expect: {offered: {tavern: marked}}\n").passed
    wrong = marked.replace("G+ Ga", "G  Ga")
    found = finding(wrong + "expect: {offered: {tavern: «marked»}}\n")
    assert found.code == "KB505" and "a1" in found.message
    idle = finding(marked.replace("drawing:", "«drawing»:") + "expect: {turn: a}\n")
    assert idle.code == "KB110"


BOX = "format: 1\nid: fen\ntitle: Fen\nneeds: [base]\n"
RULES = """\
rule walls "Walls":
    "Two gold for every piece that is built."
    when build: gain 2
    example:
        | C  G!
        |  C  Ga
        played grass
        gains {}

rule towers "Towers":
    "One more."
    when build: gain 1
"""
SCENARIO = """\
format: 1
title: Both pay
board: {drawing: "G Ga G"}
position: {a: {gold: 4}}
turn: {player: a, played: grass}
steps:
  - build a1
expect: {gold: {a: {gained: 6}}}
"""


def findings(folder: Path, file: str, gains: int = 2) -> list[Diagnostic]:
    (folder / "rules").mkdir()
    (folder / "expansion.yaml").write_text(BOX)
    (folder / "rules" / "fen.kb").write_text(RULES.format(gains))
    (folder / "first.scenario.yaml").write_text(SCENARIO)
    found = collect([folder / file], (), [folder])
    outcomes = [item.run() for item in found.cases]
    return [each for outcome in outcomes for each in outcome.diagnostics] + list(found.findings)


def test_an_example_tells_what_each_rule_gave(tmp_path: Path) -> None:
    (finding,) = findings(tmp_path, "rules/fen.kb")
    assert finding.message == "3 gold is gained, not 2: 1 by `towers`, 2 by `walls`"
    assert "`walls` alone" in finding.help


def test_it_holds_with_the_gold_of_all_rules(tmp_path: Path) -> None:
    assert findings(tmp_path, "rules/fen.kb", 3) == []
    assert load("base", folders=[tmp_path])


def test_a_scenario_tells_it_with_what_was_there_before(tmp_path: Path) -> None:
    (finding,) = findings(tmp_path, "first.scenario.yaml")
    assert finding.message == "a has 7 gained (1 by `towers`, 2 by `walls`, 4 before), not 6"


# Three are built, and no other piece can be: what is left of the turn is a card to be drawn.
BUILT = f"""\
{HEAD}position: {{b: {{hand: [desert]}}}}
turn: {{played: grass}}
steps:
  - build a1
  - build e1
  - build b5
"""
FILE = "scenarios/first.scenario.yaml"
SEEDED = BUILT.replace("steps:", "seed: 1\nsteps:")
DALE = "format: 1\ntitle: it\nboard: {drawing: 'H H Ha H H'}\nsteps:\n"


def tried(folder: Path, text: str, *words: str) -> tuple[str, int]:
    """What a command says of a scenario in the small game, and its exit code."""
    for name, content in {**GAME, FILE: text}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    with chdir(folder):
        done = CliRunner().invoke(app, [*words, FILE])
    return done.output, done.exit_code


@pytest.mark.parametrize(
    "steps",
    ["", "  - expect: {last_round: no}\n", "expect: {last_round: no}\n"],
)
def test_a_silent_end_is_told_at_the_last_move(steps: str) -> None:
    found = finding(SEEDED.replace("- build b5", "- «build b5»") + steps)
    assert (found.code, found.severity) == ("KB508", "warning")
    assert found.help == "write `expect: {turn: b}` after it"
    assert (found.span.line, found.span.column) == (SEEDED.count("\n"), 5)


def test_what_passes_with_a_warning_passes() -> None:
    result = outcome(SEEDED)
    assert result.passed and [each.code for each in result.diagnostics] == ["KB508"]
    assert "warning[KB508]" in result.text


@pytest.mark.parametrize(
    "steps",
    [
        "  - expect: {turn: b}\n",
        "  - expect: {over: no}\n",
        "  - expect: {last_round: no}\n  - expect: {turn: b}\n",
        "expect: {turn: b}\n",
        "expect: {over: no}\n",
    ],
)
def test_what_an_expectation_says_is_not_silent(steps: str) -> None:
    result = outcome(SEEDED + steps)
    assert result.passed and result.diagnostics == (), result.text


def test_a_draw_says_it_and_a_turn_that_has_not_ended_says_nothing() -> None:
    assert outcome(BUILT).diagnostics == ()
    drawn = outcome(BUILT + "  - draw: grass\n")
    assert drawn.passed and drawn.diagnostics == (), drawn.text


def test_to_end_the_turn_by_a_step_says_it() -> None:
    held = SEEDED.replace("{b: ", "{a: {tiles: [tavern]}, b: ")
    text = re.sub("- (build ..)", r"- 'mandatory: \1'", held)
    result = outcome(text + "  - expect: {turn: a}\n  - end turn\n")
    assert result.passed and result.diagnostics == (), result.text


def test_each_silent_end_is_told_and_by_every_command(tmp_path: Path) -> None:
    text = DALE + "  - build a1\n  - move: build b1\n"
    name = FILE
    told, code = tried(tmp_path, text, "test", "--output-format", "concise")
    assert f"{name}:5:5: warning[KB508]: the turn ends with this move" in told and code == 0
    assert told.count("KB508") == 1  # after the second one the game is over
    assert "1 passed, 1 with warnings" in told
    full, code = tried(tmp_path, text, "test")
    assert f"WARNED {name}::it" in full and "FAILED" not in full and code == 0
    checked, code = tried(tmp_path, text, "check", "--output-format", "concise")
    assert f"{name}:5:5: warning[KB508]" in checked and code == 1
    ignored, code = tried(tmp_path, text, "check", "--ignore", "silent-end")
    assert "KB508" not in ignored and code == 0
    said = text.replace("a1\n", "a1\n  - expect: {turn: b}\n")
    assert tried(tmp_path, said, "check")[1] == tried(tmp_path, said, "test")[1] == 0
    assert "KB508" not in tried(tmp_path, said, "test")[0]


def test_an_error_after_a_silent_end_is_told_too(tmp_path: Path) -> None:
    told, code = tried(tmp_path, DALE + "  - build a1\n  - build a1\n", "test")
    assert "warning[KB508]" in told and "error[KB502]" in told and code == 1
    assert "FAILED" in told and "1 failed in" in told

"""A turn that ends by itself in a scenario: it has to be said, and each way of saying it counts."""

from __future__ import annotations

import re
from contextlib import chdir
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.app import app
from tests.example_games import DALE as GAME
from tests.scenario.texts import HEAD, finding, outcome

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


def test_an_error_after_a_silent_end_is_told_beside_it(tmp_path: Path) -> None:
    told, code = tried(tmp_path, DALE + "  - build a1\n  - build a1\n", "test")
    assert "warning[KB508]" in told and "error[KB502]" in told and code == 1
    assert "FAILED" in told and "1 failed in" in told

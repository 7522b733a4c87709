"""Every example on the pages of the codes, tried through the door an author would come by."""

from __future__ import annotations

import json
from contextlib import chdir
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.app import app
from kbrules.messages import CODES, Code, Example
from kbrules.tools.check import FileChecker
from kbrules.tools.docs import site as messages
from kbrules.tools.docs.site import answer_text
from kbrules.tools.explain import example_folder, findings_of
from tests.example_games import DALE, MOOR

TRIED = [entry for entry in CODES.values() if entry.wrong != Example()]
EVERY = pytest.mark.parametrize("entry", TRIED, ids=[entry.code for entry in TRIED])
ANSWERS = json.loads(Path(messages.__file__).with_name(messages.ANSWERS_FILE).read_text("utf-8"))
OURS = "KB901"
LARGE = "KB010"  # its example would be 20,000 files; tests/library/test_discovery.py has a few
SLOW, GONE = "KB057", "KB058"  # whether they are said depends on what the machine does
MACHINE = "KB045"  # whether it is said depends on what is installed
PACKAGES = ["KB416", "KB417"]  # likewise; tests/cli/test_installed.py installs such packages
SYSTEM = "KB061", "KB062"  # what the system refuses
NATIVE = "KB065"  # likewise, and who asks for it is a program
FOREIGN = "KB066"  # only programs meet it: tests/engine/test_other_tables.py

WITH = {"KB509": ["KB201"]}  # what is told of a mistake elsewhere never comes alone


def said_of(example: Example, entry: Code) -> list[str]:
    """The codes an author is given for an example that is there for one of them."""
    if not example.commands:
        findings = findings_of(example, entry)
        if example is entry.wrong:
            printed = "run `python -m kbrules.tools.docs.reference`"
            assert ANSWERS[entry.code] == answer_text(findings, entry), printed
        return [finding.code for finding in findings]
    with example_folder(example):
        *before, result = (CliRunner().invoke(app, t.split()) for t in example.commands)
    assert all(each.exit_code == 0 for each in before)
    shown = result.output.split(f"{entry.severity}[")[1:]
    code = {"error": 2, "warning": 1}[entry.severity]
    assert result.exit_code == (code if shown else 0), result.output
    return [part[:5] for part in shown]


def test_only_what_no_author_brings_about_has_no_example() -> None:
    untried = [code for code, entry in CODES.items() if entry not in TRIED]
    assert untried == [LARGE, MACHINE, SLOW, GONE, *SYSTEM, NATIVE, FOREIGN, *PACKAGES, OURS]


@pytest.mark.parametrize("game", [DALE, MOOR], ids=["dale", "moor"])
def test_a_small_game_they_are_tried_in_is_in_order(game: dict[str, str], tmp_path: Path) -> None:
    for name, text in game.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    with chdir(tmp_path):
        report = FileChecker().check([Path()])
    assert report.all == []
    assert report.files == len(game)


@EVERY
def test_the_wrong_example_is_told_by_this_code_alone(entry: Code) -> None:
    assert said_of(entry.wrong, entry) == [*WITH.get(entry.code, []), entry.code]


@EVERY
def test_the_right_example_is_told_nothing(entry: Code) -> None:
    assert said_of(entry.right, entry) == []


@EVERY
def test_right_and_wrong_are_both_files_or_both_commands(entry: Code) -> None:
    assert bool(entry.wrong.commands) == bool(entry.right.commands)

"""`play --continue`: a game broken off in any way goes on as if it had not been."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from kbrules.engine.logs.reading import read_log
from kbrules.engine.logs.replay import replay
from tests.cli.program import Program, program_in
from tests.engine.games import base

SEVEN = ("play", "--seed", "7", "--bots", "human,random", "--log", "g")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    return program_in(tmp_path, monkeypatch)


def typed(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


def test_a_game_goes_on_with_the_same_lines_and_the_same_draws(run: Program) -> None:
    run(*SEVEN, "--force", typed=typed("e19", "f19", "quit"))
    before = run.file("g")
    out = run("play", "--continue", "g", typed=typed("g19", "quit"))
    assert out.exit_code == 0 and "round  1  a  desert: mandatory build e19 f19 g19" in out.stdout
    assert run.file("g").startswith(before)
    one = [json.loads(line) for line in run.file("g").splitlines()]
    run(*SEVEN, "--force", typed=typed("e19", "f19", "g19", "quit"))
    other = [json.loads(line) for line in run.file("g").splitlines()]
    draws = [[each["move"] for each in game[1:] if each["player"] == "chance"]
             for game in (one, other)]  # fmt: skip
    assert draws[0] == draws[1] and len(draws[0]) >= 3
    assert one[:6] == other[:6]


def test_a_finished_continued_game_has_a_log_that_is_whole(run: Program) -> None:
    """Bots alone: what is cut from the log of a whole game is played again by other chance."""
    run("play", "--seed", "7", "--bots", "random", "--log", "g", "--quiet")
    lines = run.file("g").splitlines(keepends=True)
    (run.folder / "g").write_text("".join(lines[:40]))
    assert run("play", "--continue", "g", "--quiet").exit_code == 0
    log, found = read_log(run.folder / "g")
    assert log is not None and found == [] and log.checksum_holds
    assert run.file("g").splitlines(keepends=True)[:40] == lines[:40]
    assert replay(base(), log).findings == ()


def test_undo_reaches_back_over_the_break(run: Program) -> None:
    run(*SEVEN, "--force", typed=typed("e19", "quit"))
    expected = run.file("g")
    run(*SEVEN, "--force", typed=typed("e19", "f19", "quit"))
    run("play", "--continue", "g", typed=typed("undo", "quit"))
    assert run.file("g") == expected


def test_half_a_line_is_dropped_and_told(run: Program) -> None:
    run(*SEVEN, typed=typed("e19", "f19", "quit"))
    whole = run.file("g")
    (run.folder / "g").write_text(whole + '{"number": 9, "player": "a", "mo')
    out = run("play", "--continue", "g", typed=typed("quit")).stdout
    assert "the log ends in half a line, which is dropped" in out
    assert f"after move {len(whole.splitlines()) - 1}" in out
    assert run.file("g") == whole


def test_a_log_of_the_other_line_ends_becomes_one_of_ours(run: Program) -> None:
    run(*SEVEN, typed=typed("e19", "quit"))
    whole = run.file("g")
    (run.folder / "g").write_bytes(whole.replace("\n", "\r\n").encode())
    run("play", "--continue", "g", typed=typed("quit"))
    assert (run.folder / "g").read_bytes() == whole.encode()


def test_a_game_that_is_over_but_for_its_closing_line_is_closed(run: Program) -> None:
    run("play", "--seed", "7", "--bots", "random", "--log", "g", "--quiet")
    whole = run.file("g")
    lines = whole.splitlines(keepends=True)
    (run.folder / "g").write_text("".join(lines[:-1]) + lines[-1][:20])
    assert "winner: " in run("play", "--continue", "g", "--quiet").stdout
    assert run.file("g") == whole


def test_what_cannot_go_on_is_refused_and_left_as_it_is(run: Program) -> None:
    run("play", "--seed", "7", "--bots", "random", "--log", "g", "--quiet")
    whole = run.file("g")
    over = run("play", "--continue", "g")
    assert over.exit_code == 2 and re.search(r"game in g is over, and [ab] won", over.stderr)
    assert "kbrules replay g" in over.stderr
    lines = whole.splitlines(keepends=True)
    for text, code in (
        ("".join(lines[:20]) + "{}\n" + lines[20], "KB510"),
        (lines[0] + lines[1].replace('"events": [', '"events": [{"event": "x", "hash": "'
                                     + "0" * 32 + '"}, '), "KB511"),
        (lines[0].replace(lines[0].split('"rules": "')[1][:8], "0" * 8), "KB512"),
        (lines[0][:30], "KB510"),
        ("", "KB510"),
    ):  # fmt: skip
        (run.folder / "g").write_text(text)
        result = run("play", "--continue", "g", typed=typed("quit"))
        assert result.exit_code == 2 and code in result.stderr, (code, result.output)
        assert run.file("g") == text
    assert "KB001" in run("play", "--continue", "none").stderr


@pytest.mark.parametrize("word", ["--seed=0", "--players=2", "--bots=greedy", "--log=h", "--force"])
def test_the_log_says_what_is_played(run: Program, word: str) -> None:
    run(*SEVEN, typed=typed("quit"))
    result = run("play", "--continue", "g", word)
    assert result.exit_code == 2 and "`--continue` takes table, seats and log" in result.stderr


def test_the_command_to_go_on_names_the_folder_and_works(run: Program) -> None:
    run.author("my own")
    words = ("play", "--with", "nomads,my own", "--seed", "7", "--bots", "human,random")
    out = run(*words, typed=typed("quit")).stdout
    assert "to go on: kbrules play --continue game.kblog --with 'my own'\n" in out
    again = run("play", "--continue", "game.kblog", "--with", "my own", typed=typed("quit"))
    assert again.exit_code == 0 and again.stdout.count("a decides") == 1
    second = run(*words, typed=typed("quit")).stdout
    assert "the game in game.kblog was broken off; to go on: kbrules play --continue" in second


# On a terminal

unix = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo terminals")


@unix
def test_a_killed_game_goes_on_and_an_interrupted_one_is_offered(tmp_path: Path) -> None:
    from tests.cli.terminal import Terminal

    with Terminal(tmp_path, "play", "--seed", "7") as first:
        first.wait_for("a decides")
        first.type("e19\n")
        first.wait_for("a decides", 2)
        first.kill()
    log = (tmp_path / "game.kblog").read_text()
    assert "mandatory: build e19" in log.splitlines()[-1]
    with Terminal(tmp_path, "play", "--continue", "game.kblog") as second:
        second.wait_for("a decides")
        assert (tmp_path / "game.kblog").read_text() == log
        second.type("f19\n")
        second.wait_for("a decides", 2)
        second.type("\x03")
        second.wait_for("interrupted")
        shown = second.wait_for("kbrules play --continue game.kblog")
        assert second.end() == 130 and "Traceback" not in shown
    with Terminal(tmp_path, "play", "--continue", "game.kblog") as third:
        third.wait_for("a decides")
        third.type("g19\n")
        third.wait_for("round  1  a  desert: mandatory build e19 f19 g19")

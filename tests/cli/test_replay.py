"""`replay`: exit 0 for the same game, 1 for a difference, 2 for what cannot be played."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.program import Program, program_in
from tests.engine.games import logged

LOG = logged(7)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    program = program_in(tmp_path, monkeypatch)
    (tmp_path / "game.kblog").write_text(LOG.text)
    return program


def test_the_same_game_shows_its_end(run: Program) -> None:
    result = run("replay", "game.kblog")
    assert (result.exit_code, result.stderr) == (0, "")
    end = LOG.played[-1].transition.state
    totals = LOG.game.score(end).totals
    assert ["total", *map(str, totals)] in [line.split() for line in result.stdout.split("\n")]
    assert f"{len(LOG.played)} moves are as in the log, and the game is over" in result.stdout


def test_quiet_says_only_whether_it_is_the_same(run: Program) -> None:
    out = run("replay", "game.kblog", "-q").stdout
    assert out == f"{len(LOG.played)} moves are as in the log, and the game is over\n"


def test_a_part_of_a_game_shows_the_table_then(run: Program) -> None:
    out = run("replay", "game.kblog", "--until", "3").stdout
    assert "settlement 39 left" in out and "settlement 40 left" in out
    assert "3 moves are as in the log, and the game goes on" in out
    assert run("replay", "game.kblog", "--until", "1").stdout.count("1 move is as") == 1


def test_a_difference_is_shown_and_is_exit_1(run: Program) -> None:
    text = LOG.text.replace('"hash": "', '"hash": "0123', 1)
    assert text != LOG.text
    lines = list(LOG.lines)
    lines[9] = lines[9].replace(lines[9][-35:-3], "0" * 32)
    (run.folder / "game.kblog").write_text("".join(lines))
    result = run("replay", "game.kblog")
    assert result.exit_code == 1
    assert result.stderr.startswith("game.kblog:10:") and "KB511" in result.stderr
    assert "8 moves are as in the log" in result.stdout


def test_a_log_cut_off_is_exit_1_unless_only_the_good_part_is_wanted(run: Program) -> None:
    (run.folder / "game.kblog").write_text(LOG.text[:3000])
    result = run("replay", "game.kblog", "-q")
    assert result.exit_code == 1 and result.stderr.count("error[KB510]") == 1
    assert "up to move" in result.stderr and "moves are as in the log" in result.stdout
    assert run("replay", "game.kblog", "-q", "--until", "2").exit_code == 0


def test_what_cannot_be_played_is_exit_2(run: Program) -> None:
    (run.folder / "bad").write_text("{}\n")
    (run.folder / "other").write_text(LOG.text.replace('"rules": "', '"rules": "0')[:-1])
    other = LOG.text.replace(LOG.text[LOG.text.index('"rules": "') :][10:42], "0" * 32)
    (run.folder / "other").write_text(other)
    for words, code in [
        (("none",), "KB001"),
        (("bad",), "KB510"),
        (("other",), "KB512"),
        (("game.kblog", "--until", "9999"), "KB009"),
        (("game.kblog", "--until", "-1"), "KB009"),
        (("game.kblog", "--with", "dale"), "KB009"),
    ]:
        result = run("replay", *words)
        assert result.exit_code == 2 and f"error[{code}]" in result.stderr, words
        assert result.stdout == ""
    lost = run("replay", "none").stderr
    assert "`none` does not exist" in lost and "help: look for a slip in the path" in lost


def test_an_authors_folder_must_be_given_again(run: Program) -> None:
    folder = run.author("mine")
    assert run("play", "--with", "mine", "--seed", "5", "-q", "--log", "dale.kblog").exit_code == 0
    folder.rename(run.folder / "elsewhere")
    lacking = run("replay", "dale.kblog", "-q")
    assert lacking.exit_code == 2 and "KB512" in lacking.stderr and "`mine`" in lacking.stderr
    assert run("replay", "dale.kblog", "-q", "--with", "elsewhere").exit_code == 0


def test_help_teaches_by_example(run: Program) -> None:
    assert "kbrules replay game.kblog --until 40" in run("replay", "--help").stdout

"""At the terminal a game of another kind reads as that game: no gold, no cards, no other boxes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.app import app
from cli.boxes import with_roots
from kbrules.library.box import shipped_boxes
from tests.cli.program import Program, program_in
from tests.source_tree import HEX

FOREIGN = re.compile(r"\b(gold|cards?|deck|discard\w*|tiles?|locations?|terrain|total|grass)\b")
ROUND = re.compile(r"^round +(\d+)  ([ab]): (stone build [a-p]\d+|swap .*)$", re.MULTILINE)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    return program_in(tmp_path, monkeypatch)


def command(*words: str) -> str:
    result = CliRunner().invoke(app, list(words))
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    return result.stdout


def test_a_folder_that_is_a_whole_game_is_played_alone() -> None:
    roots = with_roots([])
    assert roots == with_roots([], [HEX.with_name("dale")]) != []
    assert with_roots([], [HEX]) == []
    assert with_roots(["nomads"], [HEX]) == ["nomads"]


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_bots_play_hex_and_every_turn_is_told(run: Program, bot: str) -> None:
    result = run("play", "--with", str(HEX), "--bots", bot, "--seed", "4")
    assert (result.exit_code, result.stderr) == (0, "")
    out = result.stdout
    assert not FOREIGN.search(out)
    assert out.startswith(f"seed 4; a {bot}, b {bot}; sections rhombus\n")
    told = ROUND.findall(out)
    lines = [json.loads(line) for line in run.file("game.kblog").splitlines()]
    assert [who for _, who, _ in told] == [line["player"] for line in lines[1:-1]]
    assert [int(number) for number, _, _ in told] == [1 + i // 2 for i in range(len(told))]
    winner = told[-1][1]
    assert lines[0]["boxes"] == ["hex"] and lines[-1]["winners"] == [winner]
    sheet = f"            a     b\nVictory     {int(winner == 'a')}     {int(winner == 'b')}\n"
    assert out.endswith(f"\n\n{sheet}winner: {winner}\nlog: game.kblog\n")
    again = run("replay", "game.kblog", "--with", str(HEX))
    assert again.exit_code == 0 and sheet in again.stdout and "game is over" in again.stdout


def test_a_person_plays_hex(run: Program) -> None:
    typed = "f6\nscore\nend\nf6\nundo\nswap\n?\nquit\n"
    words = ("--with", str(HEX), "--bots", "human,random", "--seed", "2", "--no-log")
    result = run("play", *words, "--option", "swapping=yes", typed=typed)
    assert result.exit_code == 0, result.output
    out = result.stdout
    assert not FOREIGN.search(out)
    assert "a decides\n  1 stone: build on one of a1 b1 c1" in out
    assert "Victory     0     0\nlevel: a, b\n" in out and "victory: a" not in out
    assert "stone: it is required before the turn ends" in out
    assert "placement: it is not in `empty`" in out
    assert "whoever is to move joins: a1 b1 c1 d1 e1 f1 g1 h1 i1 j1 k1\nwith: f11 g11" in out


def test_the_second_player_swaps(run: Program) -> None:
    words = ("--with", str(HEX), "--bots", "random,human", "--seed", "2", "--no-log")
    result = run("play", *words, "--option", "swapping=yes", typed="2\n1\nquit\n")
    assert re.search(r"^  2 swap: remove on ([a-p]\d+)$", result.stdout, re.MULTILINE)
    assert re.search(r"round  1  b: swap remove (\w+); swap build \1\n", result.stdout)
    assert "whoever is to move joins: f11" not in result.stdout


def test_more_players_than_the_game_has_are_refused_without_advice(run: Program) -> None:
    result = run("play", "--with", str(HEX), "--players", "3")
    assert result.exit_code == 2
    assert "KB009" in result.stderr and "the game is for 2 players, not 3" in result.stderr
    assert not any(f"`--with {box}`" in result.stderr for box in shipped_boxes())


def test_the_folder_is_good_and_its_scenarios_hold() -> None:
    assert command("check", str(HEX)).startswith("all good: 4 files")
    assert re.search(r"(?m)^\d+ passed", command("test", str(HEX)))


def test_a_section_of_an_odd_number_of_rows_lies_upright_only() -> None:
    drawn = command("show", "section", "rhombus", "--with", str(HEX))
    assert "\n 1 A T T T T T T T T T B - - - - -\n 2  L F F" in drawn
    words = ["show", "section", "rhombus", "--turned", "--with", str(HEX)]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 2
    assert "KB413" in result.stderr and "cannot be turned" in result.stderr

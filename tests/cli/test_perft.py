"""`kbrules perft`: what it prints is what is counted, and what it cannot count it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import kbrules
from cli.app import app
from kbrules.tools import perft as counting
from kbrules.tools.perft import perft


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["perft", *words])


def data(*words: str) -> dict[str, Any]:
    result = run(*words, "--output-format", "json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_it_counts_ahead_of_the_start_of_a_seed() -> None:
    game = kbrules.new_game(kbrules.load("base"), players=3, seed=4)
    expected = [perft(game, game.start(), depth) for depth in range(4)]
    found = data("--seed", "4", "--players", "3", "--divide")
    assert found["counts"] == expected and found["depth"] == 3
    assert sum(part["count"] for part in found["moves"]) == expected[3]
    lines = run("--seed", "4", "--players", "3").stdout.split()
    assert lines[-2:] == ["3", f"{expected[3]:,}"]


def test_a_log_and_the_game_it_is_of_count_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    CliRunner().invoke(app, ["play", "--bots", "random", "--seed", "6", "--quiet"])
    for at in ("0", "17", "60"):
        seeded = data("--seed", "6", "--at", at)
        logged = data("game.kblog", "--at", at, "--engine", "reference")
        assert seeded["counts"] == logged["counts"], at
    assert data("game.kblog")["counts"] == [1, 0, 0, 0]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--at", "9999"], "KB024"),
        (["--players", "9"], "KB009"),
        (["missing.kblog"], "KB001"),
        (["missing.kblog", "--seed", "3"], "KB009"),
        (["--card", "nobody"], "KB"),
    ],
)
def test_what_there_is_not_is_refused_with_a_remedy(words: list[str], code: str) -> None:
    result = run(*words)
    assert result.exit_code == 2 and f"error[{code}" in result.output
    assert "help:" in result.output


def test_ctrl_c_leaves_what_was_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(game: object, state: object, depth: int, tell: object) -> int:
        if depth == 2:
            raise KeyboardInterrupt
        return 7

    monkeypatch.setattr(counting, "perft", interrupted)
    result = run("--depth", "5")
    assert result.exit_code == 130
    assert "broken off: depth 2 is not counted" in result.stdout
    assert result.stdout.split()[2:6] == ["0", "7", "1", "7"]

"""`--fast` with rules whose games need more room than a kernel has: the answers are the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.app import app
from kbrules.engine.configuration import Table
from kbrules.engine.simulation.kernels import Kernel, OutOfRoom
from kbrules.kernel.layout import KernelMemory
from tests.tools.balance import green as small_game

pytest.importorskip("numba")

COMMANDS = ["balance dwellers", "simulate --card dwellers"]


def run(words: str) -> tuple[str, str]:
    """What a command says in the form for programs, and beside it."""
    options = "--with green --games 2 --jobs 1 --no-file --output-format json"
    found = CliRunner().invoke(app, f"{words} {options}".split())
    assert found.exit_code == 0, found.output
    return found.stdout, found.stderr


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "green").mkdir()
    return tmp_path / "green"


@pytest.mark.parametrize("command", COMMANDS)
def test_no_game_finds_room(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(small_game, "BOX", small_game.BOX.replace("count: 6", "count: 60"))
    many_cards = small_game.RULES.replace("draw 1 card", "draw 40 cards")
    monkeypatch.setattr(small_game, "RULES", many_cards)
    small_game.green(folder, *small_game.CARDS)
    words = f"{command} --bots random --bots mc:4"
    found, notes = run(f"{words} --fast")
    assert found == run(words)[0]
    assert "more room than the kernel has" in notes


@pytest.mark.parametrize("command", COMMANDS)
def test_no_table_finds_room(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_game.green(folder, *small_game.CARDS)
    words = f"{command} --bots mc:4"
    expected = run(words)[0]

    def refuse(_kernel: Kernel, _memory: KernelMemory, _game: Table) -> None:
        raise OutOfRoom("this table", 1)

    monkeypatch.setattr(Kernel, "_load_table", refuse)
    assert run(f"{words} --fast")[0] == expected

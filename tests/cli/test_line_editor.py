"""The line of a person: what Tab offers, and the editor on a pseudo terminal."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import pytest

from cli.session import completions
from kbrules.game.moves import CHANCE
from tests.engine.games import table_of

unix = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo terminals")


def test_only_what_is_legal_is_completed() -> None:
    _, game = table_of(7)
    state = game.start()
    while game.legal_moves(state).player == CHANCE:
        state = game.apply(state, next(iter(game.legal_moves(state))))
    moves = game.legal_moves(state)
    group = moves.groups[0]
    hexes = set(game.board.names(group.hexes))
    first = completions("", moves, game.board)
    assert {group.verb, f"{group.rule}:", "undo", "hint", "why", *hexes} <= set(first)
    assert set(completions(f"{group.verb} ", moves, game.board)) == hexes
    assert set(completions(f"{group.rule}: {group.verb} a", moves, game.board)) == hexes
    assert group.verb in completions(f"{group.rule}: ", moves, game.board)
    assert set(completions("1 ", moves, game.board)) == hexes
    assert completions("nothing ", moves, game.board) == []
    assert "greedy" in completions("hint ", moves, game.board)


@unix
@pytest.mark.skipif(find_spec("prompt_toolkit") is None, reason="the extra `play` is not there")
def test_tab_completes_and_the_arrow_brings_a_line_back(tmp_path: Path) -> None:
    from tests.cli.terminal import Terminal

    with Terminal(tmp_path, "play", "--seed", "7", "--no-log") as terminal:
        terminal.wait_for("a decides")
        terminal.wait_for("\n>")
        terminal.type("scor\t")
        terminal.wait_for("score")
        terminal.type("\r")
        terminal.wait_for("total")
        terminal.type("\x1b[A\r")
        terminal.wait_for("total", 2)
        terminal.wait_for("\n>", 3)
        for _ in range(4):  # one that comes between two prompts may be lost
            terminal.type("\x03")
            with suppress(subprocess.TimeoutExpired):
                terminal.process.wait(10)
                break
        assert terminal.end() == 130 and "Traceback" not in terminal.shown

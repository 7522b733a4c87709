"""Which commands may take over a second, and that each shows done of wanted on a terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from threading import Thread

import pytest

from cli import terminal
from cli.app import _COMMANDS, app
from cli.terminal import Progress
from kbrules.tools.workshop import serving as site
from tests.cli.test_conform import file_of
from tests.engine.games import logged
from tests.source_tree import ROOT
from tests.tools.pictures.with_cairo import needs_cairo
from tests.tools.simulate.small import fell

LOG = logged(7)
FAST = ("--with", "fell", "--jobs", "1", "--no-file", "-n", "4", "--bots", "random")
LINES = {
    "check dale": "positions",
    "check dale --fix --diff": "positions",
    "diff dale changed --positions 16 --games 4": "positions",
    "fmt dale --check": "files",
    "test dale": "files",
    "test dale --coverage": "tests",
    "test dale --mutate --no-search --jobs 1 --mutate-only mill": "rules",
    "why game.kblog why red": "moves",
    "why dale/rules/dale.kb::rowers why a": "rule files",
    "replay game.kblog --quiet": "moves",
    "show log game.kblog --html game.html": "moves",
    "show log game.kblog --svg game.svg": "pictures",
    "show card --with fell": "rule files",
    "cards --with dale --svg pictures": "cards",
    "texts --with nomads": "boxes",
    "lock --with dale --with nomads": "rule files",
    "conform cases.json": "cases",
    "simulate " + " ".join(FAST): "deals",
    "ladder random greedy --with fell --jobs 1 --no-file -n 4": "deals",
    "balance rowers " + " ".join(FAST): "deals",
    "workshop dale --static pages": "parts",
}
"""Commands that take long where there is much to do, and what each counts."""
LONG_LINES = {"docs fell": "pages"}
"""The same, for those that take a second with the smallest of boxes."""
COUNTING = {"perft", "play"}
"""Nobody knows beforehand how much there is to count, or how long a game will be."""
QUICK = {"boxes", "cache", "convert", "explain", "lsp"}
"""Commands that are over at once, and `convert`, which needs an extra: see its own tests."""


class _AtOnce:
    """A timer without a delay, so that every line shows."""

    daemon = True

    def __init__(self, delay: float, begin: Callable[[], None]) -> None:
        self.start = begin

    def cancel(self) -> None:
        pass


def _show_at_once(self: Progress, done: int, wanted: int | None = None, unit: str = "") -> None:
    """Show the line when a stage ends, too, and not only ten times in a second."""
    _SHOW(self, done, wanted, unit)
    if done == wanted and self._bar is not None:
        self._bar.refresh()


_SHOW = Progress.show


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two boxes, a changed one, a log and cases; no page fetches anything."""
    fell(tmp_path / "fell")
    for name in ("dale", "changed"):
        shutil.copytree(ROOT / "tests" / "house" / "dale", tmp_path / name)
    rules = tmp_path / "changed" / "rules" / "dale.kb"
    rules.write_text(rules.read_text().replace("gold 2 per lake", "gold 3 per lake"))
    (tmp_path / "game.kblog").write_text(LOG.text)
    (tmp_path / "cases.json").write_text(json.dumps(file_of()))
    for name in ("pyodide_files", "package_files"):
        monkeypatch.setattr(site, name, dict)
    monkeypatch.setattr(site, "memory_files", lambda page: {})
    monkeypatch.setattr(terminal, "Timer", _AtOnce)
    monkeypatch.setattr(Progress, "show", _show_at_once)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@contextmanager
def _terminal(shown: list[bytes]) -> Iterator[StringIO]:
    """A stream to a pseudo terminal, of which all that is shown is kept."""
    ours, theirs = pty.openpty()

    def read() -> None:
        try:
            while data := os.read(ours, 65536):
                shown.append(data)
        except OSError:  # Linux says so when the other side is closed
            return

    reader = Thread(target=read)
    reader.start()
    try:
        with os.fdopen(theirs, "w") as stream:
            yield stream  # type: ignore[misc]
    finally:
        reader.join(10)
        os.close(ours)


def _run(words: Sequence[str], errors: StringIO, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a command; what it prints, which is no terminal."""
    with monkeypatch.context() as patch:
        printed = StringIO()
        patch.setattr(sys, "stderr", errors)
        patch.setattr(sys, "stdout", printed)
        with pytest.raises(SystemExit):
            app(list(words))
        return printed.getvalue()


@pytest.mark.parametrize(("line", "unit"), LINES.items())
def test_a_command_shows_done_of_wanted(
    line: str, unit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[bytes] = []
    with _terminal(shown) as errors:
        printed = _run(line.split(), errors, monkeypatch)
    told = b"".join(shown).decode()
    assert "error[" not in told, told
    assert re.search(rf"[\d,]+ of [\d,]+ {unit}\b", told), told
    assert not re.search(r"\x1b|\r| a second$", printed, re.MULTILINE)


def test_the_site_shows_done_of_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    for line, unit in LONG_LINES.items():
        test_a_command_shows_done_of_wanted(line, unit, monkeypatch)


@needs_cairo
def test_sheets_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[bytes] = []
    with _terminal(shown) as errors:
        _run(["cards", "--with", "dale", "--pdf", "cards.pdf"], errors, monkeypatch)
    assert b"1 of 1 sheets" in b"".join(shown)


def test_nothing_of_it_is_shown_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    errors = StringIO()
    _run(["fmt", "dale", "--check"], errors, monkeypatch)
    assert errors.getvalue() == "0 of 1 file would change\n"


def test_of_every_command_it_is_known_whether_it_may_take_long() -> None:
    long = {line.split()[0] for line in LINES | LONG_LINES}
    assert not long & (COUNTING | QUICK) and not COUNTING & QUICK
    assert long | COUNTING | QUICK == {*_COMMANDS}

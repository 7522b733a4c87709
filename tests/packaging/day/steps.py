"""A folder, a program on a pseudo terminal, and steps of which each has two mistakes."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.cli.terminal import BESIDE, Terminal

MISTAKES = 2
_REMEDY = re.compile(r"help: \S|Try 'kbrules|Did you mean|Possible options|would change|did you")


class Day:
    """Where the day is spent, and all that the terminal has shown."""

    def __init__(self, folder: Path, program: tuple[str, ...] = BESIDE, **variables: str) -> None:
        self.folder, self.program, self.variables = folder, program, variables
        self.transcript = ""
        self.steps: dict[str, int] = {}
        self._mistakes = self._done = 0

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """A step of the day: two mistakes at least, and then what was meant."""
        self._mistakes = self._done = 0
        yield
        assert self._mistakes >= MISTAKES and self._done, f"{name}: {self._mistakes} mistakes"
        self.steps[name] = self._mistakes

    def say(self, line: str, *expected: str, code: int = 0) -> str:
        """What one command shows; it must hold these texts and end with this code."""
        with self.terminal(line) as terminal:
            ended = terminal.end()
        shown = self._shown(terminal, line)
        assert ended == code, f"{line}: {ended}\n{shown}"
        self._done += 1
        return _with(shown, line, expected)

    def wrong(self, line: str, *expected: str) -> str:
        """What a mistake is answered with: a reason and a remedy, and no success."""
        with self.terminal(line) as terminal:
            ended = terminal.end()
        shown = self._shown(terminal, line)
        assert ended in (1, 2), f"{line}: {ended}\n{shown}"
        assert _REMEDY.search(shown), f"{line}: no remedy in\n{shown}"
        self._mistakes += 1
        return _with(shown, line, expected)

    def terminal(self, line: str) -> Terminal:
        """A command that is still running. Its words are read as a shell would."""
        words = shlex.split(line)
        return Terminal(self.folder, *words, program=self.program, **self.variables)

    def typed(self, terminal: Terminal, answer: str, *expected: str, wrong: bool = False) -> None:
        """Type a line at a prompt and wait for what is said to it."""
        before = len(terminal.shown)
        terminal.type(f"{answer}\r")
        for text in expected:
            terminal.wait_for(text, terminal.shown[:before].count(text) + 1)
        self._mistakes += wrong
        self._done += not wrong

    def interrupt(self, terminal: Terminal, line: str, *expected: str, code: int) -> str:
        """Press Ctrl-C, and what is shown until the command has ended."""
        terminal.type("\x03")
        ended = terminal.end()
        shown = self._shown(terminal, line)
        assert ended == code, f"{line}: {ended}\n{shown}"
        return _with(shown, line, expected)

    def _shown(self, terminal: Terminal, line: str) -> str:
        shown = terminal.shown
        self.transcript += f"$ kbrules {line}\n{shown}"
        assert "Traceback" not in shown and "KB901" not in shown, shown
        return shown

    def write(self, name: str, text: str) -> None:
        """Write a file in an editor."""
        (self.folder / name).write_text(text, encoding="utf-8")

    def change(self, name: str, old: str, new: str) -> None:
        """Change something of a file in an editor."""
        text = (self.folder / name).read_text(encoding="utf-8")
        assert old in text
        self.write(name, text.replace(old, new))


def _with(shown: str, line: str, expected: tuple[str, ...]) -> str:
    flat = " ".join(shown.split())
    for text in expected:
        assert text in shown or text in flat, f"{line}: no {text!r} in\n{shown}"
    return shown

"""A page as a list of things to do, and a folder like a fresh checkout to do them in."""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
import venv
from collections.abc import Callable, Collection, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from typer.testing import CliRunner

from cli.app import app
from tests.source_tree import ROOT

PAGES = sorted((ROOT / "docs" / "guide").glob("*.md"))
_BLOCK = re.compile(
    r"(?:<!-- (?P<what>[a-z]+)(?: (?P<of>[^>]*?))? -->\n)?```(?P<kind>[a-z]*)\n(?P<text>.*?)```",
    re.DOTALL,
)
ANY = "..."
PROMPT = "$ "
_DOTS = re.escape(ANY)

Typed = Callable[[str], tuple[str, int]]
"""A command, typed: what is seen of it, and how it ends."""


@dataclass(frozen=True)
class Block:
    """A fenced block: what is done with it, of what, and its text."""

    page: str
    line: int
    what: str
    of: str
    text: str

    @property
    def where(self) -> str:
        return f"{self.page}:{self.line}"


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for found in _BLOCK.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        yield Block(page.name, line, found["what"] or "", found["of"] or "", found["text"])


def block_of(page: Path, what: str) -> Block:
    """The one block of a page with this comment."""
    (found,) = (block for block in blocks(page) if block.what == what)
    return found


def typed_here(command: str) -> tuple[str, int]:
    """Type a command of kbrules in this process."""
    words = shlex.split(command)
    assert words[0] == "kbrules", command
    result = CliRunner().invoke(app, words[1:])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output, result.exit_code


def follow(page: Path, typed: Typed = typed_here, *, apart: Collection[str] = ()) -> None:
    """Do what the blocks of a page say, one after the other, in the current folder.

    `apart` are the comments of blocks that have a test of their own.
    """
    printed = ""
    for block in blocks(page):
        match block.what:
            case what if what in apart:
                pass
            case "run":
                run(block, typed)
            case "python":
                printed = run_python(block)
            case "prints":
                assert is_shown(block.text, printed), f"{block.where}: printed was\n{printed}"
            case _:
                write(block)


def write(block: Block) -> None:
    """Write a block into the file that its comment names."""
    match block.what:
        case "write":
            path = Path(block.of)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        case "add":
            with Path(block.of).open("a", encoding="utf-8") as file:
                file.write(block.text)
        case "change":
            name, old = block.of.split(": ", 1)
            text = Path(name).read_text(encoding="utf-8")
            assert text.count(old) == 1, f"{block.where}: {old}"
            Path(name).write_text(text.replace(old, block.text.strip()), encoding="utf-8")
        case _:
            raise AssertionError(f"{block.where}: nobody does anything with this block")


def run(block: Block, typed: Typed) -> None:
    """Type the commands of a block, and compare what is seen with what it says."""
    commands = list(_commands(block.text))
    assert commands, f"{block.where}: no command"
    for number, (command, shown) in enumerate(commands, 1):
        where = f"{block.where}: {command}"
        output, code = typed(command)
        seen = output.rstrip("\n")
        assert is_shown(shown, seen), f"{where}\n--- the page says\n{shown}\n--- seen\n{seen}"
        if number == len(commands):
            assert code == int(block.of or 0), f"{where}: ends with {code}"


def run_python(block: Block) -> str:
    """Run the program of a block, and return what it prints."""
    with redirect_stdout(io.StringIO()) as printed:
        exec(compile(block.text, block.where, "exec"), {"__name__": "__main__"})
    return printed.getvalue()


def _commands(text: str) -> Iterator[tuple[str, str]]:
    command, shown = "", list[str]()
    for line in text.splitlines():
        if line.startswith(PROMPT):
            if command:
                yield command, "\n".join(shown)
            command, shown = line.removeprefix(PROMPT), []
        else:
            shown.append(line)
    if command:
        yield command, "\n".join(shown)


def is_shown(shown: str, seen: str) -> bool:
    """Whether a page shows what is seen; `...` stands for any lines, within a line for any part."""
    lines = (re.escape(line.rstrip()).replace(_DOTS, "[^\n]*") for line in shown.splitlines())
    wanted = "\n".join(r"(?:.*\n)*.*" if line == "[^\n]*" else line for line in lines)
    found = "\n".join(line.rstrip() for line in seen.splitlines())
    return re.fullmatch(wanted.strip("\n"), found.strip("\n")) is not None


MADE = {"board.svg", "game.html", "orchard"}
"""What a reader of the README makes in a checkout."""
_NOT_LINKED = MADE | {".git", ".venv", "build", "dist", "site"}


def checkout(folder: Path) -> Path:
    """Link the files of the repository into a folder, and make an environment for them.

    Its command `kbrules` is the one under test. Nothing is installed.
    """
    for path in ROOT.iterdir():
        if path.name not in _NOT_LINKED and path.suffix != ".kblog":
            (folder / path.name).symlink_to(path)
    bin = folder / ".venv" / "bin"
    venv.create(folder / ".venv", with_pip=False)
    words = ["env", f"PYTHONPATH={ROOT}", sys.executable, "-m", "kbrules"]
    (bin / "kbrules").write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
    (bin / "kbrules").chmod(0o755)
    for made in (".runs", ".ready"):
        (folder / ".venv" / made).touch()
    return folder


class Terminal:
    """A shell in a folder, in which one command is typed after another."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sourced: list[str] = []

    def typed(self, command: str) -> tuple[str, int]:
        """What a command prints and how it ends; what it sources holds for those that follow."""
        script = " && ".join([*self.sourced, command])
        done = subprocess.run(
            ["sh", "-c", script],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=600,
            env=_environment(),
        )
        if command.startswith(". "):
            self.sourced.append(command)
        return done.stdout, done.returncode


def _environment() -> dict[str, str]:
    """The environment of somebody who has no kbrules yet."""
    kept = {name: os.environ[name] for name in ("HOME", "PATH", "TMPDIR") if name in os.environ}
    return kept | {"NO_COLOR": "1", "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}

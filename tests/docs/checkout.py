"""A folder that looks like a checkout in which `make run` has just made the environment."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import venv
from pathlib import Path

from tests.source_tree import ROOT

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

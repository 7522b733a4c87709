"""The program run in this process: all of it, or `play` and `replay` in an empty folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cli.app import app, program

APP = program(["play", "replay"])

EXPANSION = """\
format: 1
id: dale
title: The Dale
needs: [base]
cards: [rowers]
"""
ROWERS = """\
card rowers "Rowers":
    "One gold for each of your pieces."
    gold 1 per hex in mine
"""


@dataclass(frozen=True)
class Program:
    """Runs a command in its folder."""

    folder: Path

    def __call__(self, *words: str, typed: str = "") -> Result:
        result = CliRunner().invoke(APP, list(words), input=typed)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert "KB901" not in result.stderr, result.stderr
        return result

    def file(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")

    def author(self, name: str = "mine") -> Path:
        """A folder with an expansion of one scoring card."""
        folder = self.folder / name
        (folder / "rules").mkdir(parents=True)
        (folder / "expansion.yaml").write_text(EXPANSION)
        (folder / "rules" / "rowers.kb").write_text(ROWERS)
        return folder


def program_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    monkeypatch.chdir(folder)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return Program(folder)


def run(*words: str) -> Result:
    """Return how the program ended; an exception of ours is one of the test."""
    result = CliRunner().invoke(app, list(words))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def output_of(*words: str) -> str:
    """Return what the program prints; it must end well and say nothing on stderr."""
    result = CliRunner().invoke(app, list(words))
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    return result.stdout

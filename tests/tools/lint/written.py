"""An author's folder with the small game of the codes, and what lints say of it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from kbrules.diagnostics import Diagnostic
from kbrules.project.project import Project
from kbrules.tools.check import checked
from kbrules.tools.lint.run import LINTS, LintSettings, warnings
from tests.example_games import DALE

TEXT = frozenset(c for c in warnings() if c not in LINTS or LINTS[c].needs == "text")
RULES = "rules/near.kb"
PENDING = 'define lonely "Yours without a neighbour of yours.": mine - adjacent(mine)\n'


def folder(path: Path, rules: str, box: str = "") -> Path:
    """The game with one more rule file, and perhaps with another box."""
    for name, text in {**DALE, RULES: rules}.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(box if box and name.endswith(".yaml") else text)
    return path


def warned(path: Path, codes: Iterable[str] = TEXT) -> list[Diagnostic]:
    """What is said of a folder by text lints, or those chosen."""
    return checked(Project([path]), LintSettings(frozenset(codes), is_isolated=True)).all


def told(path: Path, codes: Iterable[str] = TEXT) -> list[tuple[str, int]]:
    """(code, line) of each of them."""
    return [(each.code, each.span.line) for each in warned(path, codes)]

"""What `kbrules check --fix` and `--diff` do: the files written anew, or what would change."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import typer

from .terminal.output import rewrite_files

if TYPE_CHECKING:
    from kbrules.tools.authoring.check import CheckResult, FileChecker

__all__ = ["apply_fixes", "show_fixes"]


def apply_fixes(checker: FileChecker, check: Callable[[], CheckResult]) -> CheckResult:
    """Write the fixed files, say how much that was, and answer with what is left."""
    from kbrules.tools.authoring.lint.fixing import Fixer

    fixing = Fixer(checker, check)
    left = fixing.run()
    files = fixing.changed()
    rewrite_files(files)
    done = f"fixed {_counted(fixing.fixed, 'finding')} in {_counted(len(files), 'file')}"
    typer.echo(done, err=True)
    return left


def show_fixes(checker: FileChecker, check: Callable[[], CheckResult]) -> int:
    """Print what would be fixed, write nothing, and answer with how many files would change."""
    from kbrules.tools.authoring.formatting import difference
    from kbrules.tools.authoring.lint.fixing import Fixer

    fixing = Fixer(checker, check)
    fixing.run()
    files = fixing.changed()
    for file in files:
        typer.echo(difference(file, "fixed"), nl=False)
    would = f"would fix {_counted(fixing.fixed, 'finding')} in {_counted(len(files), 'file')}"
    typer.echo(would, err=True)
    return len(files)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"

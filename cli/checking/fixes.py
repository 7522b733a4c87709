"""What `kbrules check --fix` and `--diff` do: the files written anew, or what would change."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import typer

from ..terminal.output import rewrite_files
from ..terminal.progress import Progress

if TYPE_CHECKING:
    from kbrules.tools.check import CheckResult, FileChecker
    from kbrules.tools.lint.fixing import Fixer


def apply_fixes(check: Callable[[FileChecker], CheckResult]) -> CheckResult:
    """Write the fixed files, say how much that was, and answer with what is left."""
    fixing, left = _tried(check)
    files = fixing.changed()
    rewrite_files(files)
    done = f"fixed {_counted(fixing.fixed, 'finding')} in {_counted(len(files), 'file')}"
    typer.echo(done, err=True)
    return left


def show_fixes(check: Callable[[FileChecker], CheckResult]) -> int:
    """Print what would be fixed, write nothing, and answer with how many files would change."""
    from kbrules.tools.fmt import difference

    fixing, _ = _tried(check)
    files = fixing.changed()
    for file in files:
        typer.echo(difference(file, "fixed"), nl=False)
    would = f"would fix {_counted(fixing.fixed, 'finding')} in {_counted(len(files), 'file')}"
    typer.echo(would, err=True)
    return len(files)


def _tried(check: Callable[[FileChecker], CheckResult]) -> tuple[Fixer, CheckResult]:
    """The fixes that do good, and what is left; each time it is checked the line begins anew."""
    from kbrules.library.file_cache import FileCache
    from kbrules.tools.check import FileChecker
    from kbrules.tools.lint.fixing import Fixer

    with Progress("fixing") as progress:
        checker = FileChecker(FileCache(on_progress=progress.show))
        fixing = Fixer(checker, partial(check, checker))
        return fixing, fixing.run()


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"

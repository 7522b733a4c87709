"""How a command reports errors: coded findings on standard error, exit code 2."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NoReturn

import typer

if TYPE_CHECKING:
    from kbrules.diagnostics import Diagnostic

__all__ = ["FAILED", "exit_with", "exit_with_findings", "print_findings", "printable"]

FAILED = 2


def print_findings(findings: Iterable[Diagnostic]) -> None:
    """Show findings in full."""
    from kbrules.diagnostics import render_full

    for finding in findings:
        typer.echo(render_full(finding), err=True)


def exit_with_findings(findings: Iterable[Diagnostic]) -> NoReturn:
    """Show findings in full and end the command."""
    print_findings(findings)
    raise typer.Exit(FAILED)


def exit_with(code: str, message: str, help: str = "") -> NoReturn:
    """End the command because of something that stands in no file."""
    from kbrules.diagnostics import Diagnostic
    from kbrules.text import Span

    exit_with_findings([Diagnostic(code, Span.none("command line"), message, help)])


def printable(text: object) -> str:
    """A path or command of the user's with nothing in it that a terminal or a CI would obey."""
    from kbrules.text import visible

    return visible(str(text))

"""How a command says what is wrong: coded findings on standard error, exit code 2."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NoReturn

import typer

if TYPE_CHECKING:
    from kbrules.diagnostics import Diagnostic

__all__ = ["FAILED", "complain", "give_up", "refuse"]

FAILED = 2


def complain(findings: Iterable[Diagnostic]) -> None:
    """Show findings in full."""
    from kbrules.diagnostics import render_full

    for finding in findings:
        typer.echo(render_full(finding), err=True)


def give_up(findings: Iterable[Diagnostic]) -> NoReturn:
    """Show findings in full and end the command."""
    complain(findings)
    raise typer.Exit(FAILED)


def refuse(code: str, message: str, help: str = "") -> NoReturn:
    """End the command because of something that stands in no file."""
    from kbrules.diagnostics import Diagnostic
    from kbrules.text import Span

    give_up([Diagnostic(code, Span.none("command line"), message, help)])

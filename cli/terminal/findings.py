"""How a command reports errors: coded findings on standard error, and its exit codes."""

from __future__ import annotations

import errno
from collections.abc import Iterable
from typing import TYPE_CHECKING, NoReturn

import typer

from .progress import clear_progress

if TYPE_CHECKING:
    from kbrules.diagnostics import Diagnostic

DIFFERS, FAILED, INTERRUPTED = 1, 2, 130
"""Exit codes: something was found, nothing could be done, Ctrl-C."""


def print_findings(findings: Iterable[Diagnostic]) -> None:
    """Show findings in full."""
    from kbrules.diagnostics import render_full

    clear_progress()
    for finding in findings:
        typer.echo(render_full(finding), err=True)


def exit_with_findings(findings: Iterable[Diagnostic]) -> NoReturn:
    """Show findings in full and end the command."""
    print_findings(findings)
    raise typer.Exit(FAILED)


def exit_with(code: str, message: str, help: str) -> NoReturn:
    """End the command because of something that stands in no file."""
    from kbrules.diagnostics import Diagnostic
    from kbrules.text import Span

    exit_with_findings([Diagnostic(code, Span.none("command line"), message, help)])


def exit_unwritten(what: object, error: OSError) -> NoReturn:
    """End the command because a file cannot be written, with what can be done about it."""
    why = error.strerror or str(error)
    exit_with("KB008", f"{what} cannot be written: {why}", remedy(error))


def remedy(error: OSError) -> str:
    """Return what can be done about an error of the system."""
    return _REMEDIES.get(error.errno or 0, _ELSE)


_ELSE = "choose another place"
_REMEDIES = {
    errno.ENOENT: "make the folder first",
    errno.ENOTDIR: "name a file in a folder",
    errno.EISDIR: "name a file, not a folder",
    errno.EEXIST: "choose another name, or take away what is there",
    errno.EACCES: "choose a folder in which you may write",
    errno.EPERM: "choose a folder in which you may write",
    errno.EROFS: "choose a folder in which you may write",
    errno.ENOSPC: "make room on the disk; what was there is as it was",
    errno.EDQUOT: "make room on the disk; what was there is as it was",
    errno.EFBIG: "choose another place; there it would be too large",
    errno.ENAMETOOLONG: "choose a shorter name",
    errno.ELOOP: "look where the links lead; they form a circle",
    errno.EMFILE: "raise the limit of open files (`ulimit -n`)",
    errno.ENFILE: "close other programs; the system has too many open files",
    errno.EBUSY: "wait until it has ended, or choose another file",
}


def printable(text: object) -> str:
    """A path or command of the user's with nothing in it that a terminal or a CI would obey."""
    from kbrules.text import visible

    return visible(str(text))

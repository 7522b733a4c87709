"""Text from standard input, as editors give it: in the place of a file that is not saved yet."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .findings import exit_with, exit_with_findings

if TYPE_CHECKING:
    from kbrules.text import Source

STDIN = "-"
Name = Annotated[
    Path | None,
    typer.Option("--stdin-filename", metavar="NAME", help="Whose text `-` is, for editors."),
]


def source_for(paths: Sequence[str], name: Path | None) -> Source | None:
    """The text that is asked about in the place of a rule file; None if files are asked for."""
    if STDIN not in paths and name is None:
        return None
    if list(paths) != [STDIN]:
        exit_with("KB009", "`-` and `--stdin-filename` go with each other and no other path", _TRY)
    if name is None:
        exit_with("KB009", "`-` needs the name of the file whose text it is", _TRY)
    if name.suffix != ".kb" or not name.is_file():
        exit_with("KB009", f"`{name}` is no rule file that is there", "save it once, as `*.kb`")
    return read_standard_input(name.as_posix())


_TRY = "write `kbrules check - --stdin-filename mine/rules/mill.kb`"


def read_standard_input(name: str) -> Source:
    """Standard input as the text of a file; ends the command if no file may hold it."""
    from kbrules.library.reading import LIMIT, source_of

    source, findings = source_of(name, sys.stdin.buffer.read(LIMIT + 1))
    if source is None:
        exit_with_findings(findings)
    return source

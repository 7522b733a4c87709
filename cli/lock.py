"""`kbrules lock`: write down which boxes there are, in which versions and with which texts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .boxes import boxes_and_folders, folder_here, load_or_exit, with_folder_here
from .options import With
from .terminal.findings import printable
from .terminal.output import write

__all__ = ["command"]

Into = Annotated[
    Path | None,
    typer.Option("--into", metavar="FILE", help="The file; kbrules.lock in the folder of yours."),
]


def command(with_: With = None, into: Into = None) -> None:
    """Write kbrules.lock: the boxes, their versions, and digests of their rules and data.

    The boxes are that of the folder you are in and those that `--with` names, with all they need.
    The file is the same on every machine; keep it beside your games. `kbrules check --locked`
    says whether, and in what, the boxes differ from it. Ends with 2 if nothing could be written.

    \b
    Examples:
      kbrules lock                        the expansion you are in, with the boxes it needs
      kbrules lock --with all             every usual box
      kbrules check --locked              are the boxes still those?
    """
    from kbrules.library.locks.file import LOCK, lock_text

    names, folders = boxes_and_folders(with_ or [])
    ruleset = load_or_exit(names, with_folder_here(folders))
    file = into or (folder_here() or Path()) / LOCK
    write(file, lock_text(ruleset.contents))
    boxes = ", ".join(f"{id} {box.version}".strip() for id, box in ruleset.contents.items() if id)
    typer.echo(f"written: {printable(file)} ({printable(boxes)})")

"""`kbrules lock`: write down which boxes there are, in which versions and with which texts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .boxes import boxes_and_folders, folder_here
from .options import With
from .terminal.findings import exit_with_findings, printable
from .terminal.output import write
from .terminal.progress import Progress

Into = Annotated[
    Path | None,
    typer.Option("--into", metavar="FILE", help="The file; kbrules.lock in the folder of yours."),
]


def command(with_: With = None, into: Into = None) -> None:
    """Write kbrules.lock: the boxes, their versions, and digests of their rules and data.

    The boxes are that of the folder you are in, or those below it, and those that `--with` names,
    with all they need. If `--with` names a folder, those below are not added. The file is the same
    on every machine; keep it next to your games. `kbrules check --locked` reports whether, and in
    what, the boxes differ from it. Exit status: 2 if nothing could be written.

    \b
    Examples:
      kbrules lock                        the expansion or project you are in, with what it needs
      kbrules lock --with all             every default box, too
      kbrules check --locked              are the boxes still those?
    """
    from kbrules.library.file_cache import FileCache
    from kbrules.library.locks import LOCK, lock_text
    from kbrules.tools.lock import boxes_below, contents_of_project

    names, folders = boxes_and_folders(with_ or [])
    here = folder_here()
    homes = [here] if here is not None else [] if folders else boxes_below(Path())
    with Progress("reading") as progress:
        files = FileCache(on_progress=progress.show)
        contents, findings = contents_of_project(homes, names, folders, files)
    if findings:
        exit_with_findings(findings)
    file = into or (here or Path()) / LOCK
    write(file, lock_text(contents))
    boxes = ", ".join(f"{id} {box.version}".strip() for id, box in contents.items() if id)
    typer.echo(f"written: {printable(file)} ({printable(boxes)})")

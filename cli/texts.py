"""`kbrules texts`: how far the texts of boxes in other languages are, and their stamps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from .boxes import boxes_and_folders, with_folder_here
from .options import With
from .terminal.findings import (
    DIFFERS,
    exit_unwritten,
    exit_with,
    exit_with_findings,
    printable,
)
from .terminal.progress import Progress

if TYPE_CHECKING:
    from kbrules.tools.texts import TextsState

Stamp = Annotated[
    bool, typer.Option("--stamp", help="Note that the texts fit what the boxes say now.")
]


def command(with_: With = None, stamp: Stamp = False) -> None:
    """Tell which titles and wordings are translated, and which not, or not any more.

    The texts of a box lie in its folder `texts`, such as `texts/de.yaml`. A stamp notes for each
    text what it translates; if the box says something else since, `kbrules check` warns. Looked
    at are the boxes that `--with` names, and the expansion you are in. Ends with 1 if a text is
    missing or has changed.

    \b
    Examples:
      kbrules texts                  those of the expansion you are in
      kbrules texts --with all       those of the boxes that come with kbrules
      kbrules texts --stamp          all texts are as they should be: note that
    """
    from kbrules.library.file_cache import FileCache
    from kbrules.library.load import load_with_dependencies
    from kbrules.tools.texts import text_errors, texts_states

    names, folders = boxes_and_folders(with_ or [])
    with Progress("comparing texts") as progress:
        files = FileCache(on_progress=progress.show)
        loaded = load_with_dependencies(names, with_folder_here(folders), files=files)
        found = [*loaded.findings, *text_errors(files, loaded, lambda _: True)]
        states = [] if found else list(texts_states(files, loaded))
    if found:
        exit_with_findings(found)
    if not states:
        exit_with("KB007", "there are no texts", "write `texts/de.yaml` beside `expansion.yaml`")
    behind = [_report(state, stamp) for state in states]
    raise typer.Exit(DIFFERS if any(behind) else 0)


def _report(state: TextsState, stamp: bool) -> bool:
    """Say how far a file is, and stamp it if that is wanted; whether something is to be done."""
    from kbrules.tools.texts import stamp_texts

    line = f"{state.box} {state.path.stem}: {state.total - len(state.missing)} of {state.total}"
    if stamp:
        try:
            line += ", stamped" if stamp_texts(state) else ", stamped already"
        except OSError as error:
            exit_unwritten(f"`{state.path}`", error)
        except ValueError:
            message = f"no stamps can be written into `{printable(state.path)}`"
            exit_with("KB008", message, "write its keys one below the other, at the left edge")
    elif state.stale:
        line += f", changed or not stamped: {', '.join(state.stale)}"
    if state.missing:
        line += f", missing: {', '.join(state.missing)}"
    typer.echo(printable(line))
    return bool(state.missing) or bool(state.stale and not stamp)

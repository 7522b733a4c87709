"""`kbrules workshop`: a page on this machine to write rules on, and to play them as they are."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from kbrules.hooks import lazily

from .terminal import Progress, exit_unwritten, exit_with, printable

with lazily():
    from kbrules.tools.docs import site
    from kbrules.tools.language_service import answers
    from kbrules.tools.workshop import serving, session, writing


def command(
    folder: Annotated[
        Path, typer.Argument(help="An expansion; by default the folder you are in.")
    ] = Path(),
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="By default any that is free.")
    ] = 0,
    static: Annotated[
        Path | None,
        typer.Option("--static", help="Write the page as files for a web host, and end."),
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Only print the address.")
    ] = False,
) -> None:
    """Open a page: your files on the left, examples and a game by your rules on the right.

    What is wrong is marked as you type, the examples of the card at the cursor are drawn and run,
    and a game goes on by the rules as you change them. Files are written when you save them. Only
    this machine can open the page, and only with the address that is printed. Ctrl-C ends it.

    \b
    Examples:
      kbrules workshop dale               the expansion in the folder dale
      kbrules workshop --port 8000        at a port of your choice
      kbrules workshop dale --no-browser  to open the address yourself
      kbrules workshop dale --static out  a folder for any web host, with Python in the page
    """
    if not folder.is_dir():
        exit_with("KB001", f"there is no folder `{folder}`", "give the folder of an expansion")
    if static is None:
        _serve(folder, port, no_browser)
    else:
        _write(folder, static)


def _serve(folder: Path, port: int, no_browser: bool) -> None:
    """Serve the page until Ctrl-C."""
    copy = _working_copy(folder)
    try:
        server = serving.WorkshopServer(session.LiveSession(copy), port)
    except OSError as error:
        exit_with("KB009", f"port {port}: {error.strerror}", "leave out `--port`, or give another")
    typer.echo(f"the workshop of {printable(folder)} is open at\n  {server.address}")
    typer.echo("Ctrl-C ends it")
    if not no_browser:
        webbrowser.open(server.address)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        typer.echo("\nended")
    finally:
        server.server_close()


def _working_copy(folder: Path) -> writing.WorkingCopy:
    try:
        return writing.WorkingCopy(folder)
    except answers.Refused as refused:
        exit_with(refused.code, str(refused), refused.help)


def _write(folder: Path, output: Path) -> None:
    """Write the page as files, whole or not at all."""
    try:
        with Progress("making pages") as progress:
            files = serving.static_files(_working_copy(folder), progress.show)
            site.publish(files, output, progress.show)
    except serving.NotFetched as error:
        message = f"Python for the page cannot be had: {error}"
        exit_with("KB009", message, "npm, pip and a network are needed")
    except site.ForeignFolder as error:
        exit_with("KB008", f"`{printable(output)}`: {error}", "give a new folder")
    except OSError as error:
        exit_unwritten(f"`{output}`", error)
    typer.echo(f"{printable(output)} holds the workshop; any web host can serve it")

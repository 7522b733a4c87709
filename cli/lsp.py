"""`kbrules lsp`: a server for editors, on standard input and output."""

from __future__ import annotations

import logging
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from kbrules.hooks import lazily

from .terminal import exit_unwritten

with lazily():
    from kbrules.tools import processes


class LogLevel(StrEnum):
    """How much is told of what the server does."""

    error = "error"
    warning = "warning"
    info = "info"
    debug = "debug"


def command(
    log: Annotated[
        LogLevel, typer.Option("--log", help="How much to tell on standard error.")
    ] = LogLevel.error,
    log_file: Annotated[
        Path | None, typer.Option("--log-file", metavar="FILE", help="Tell it there instead.")
    ] = None,
) -> None:
    """Serve an editor: findings as you type, completion, pages of words, rename and more.

    An editor starts this command by itself, and speaks the Language Server Protocol with it on
    standard input and output. docs/editors.md says how to set up Neovim, Helix, Emacs, Zed and
    VS Code. The exit code is 0 if the editor said that it would leave, and 1 if it went away.

    \b
    Examples:
      kbrules lsp                               what an editor starts
      kbrules lsp --log info --log-file lsp.log with a log of all messages
    """
    try:
        handler = logging.StreamHandler() if log_file is None else logging.FileHandler(log_file)
    except OSError as error:
        exit_unwritten(f"`{log_file}`", error)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=log.upper(), handlers=[handler])
    raise typer.Exit(_serve())


def _serve() -> int:
    try:
        from kbrules.tools.language_server.running import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol", "cattrs", "attrs"):
            raise
        raise processes.MissingExtra("lsp", f"there is no `{error.name}`") from None
    return serve()

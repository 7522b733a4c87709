"""The server on standard input and output, until the client says so or is gone."""

from __future__ import annotations

import asyncio
import os
import sys
from threading import Event
from typing import BinaryIO

from pygls.io_ import StdinAsyncReader, StdoutWriter, run_async

from kbrules.tools.language_server.commands.table import add_commands
from kbrules.tools.language_server.lifecycle import add_lifecycle
from kbrules.tools.language_server.requests.table import add_requests
from kbrules.tools.language_server.server import Server

__all__ = ["make_server", "serve"]

_SWITCH = 0.001  # seconds after which a thread makes room for another


def make_server() -> Server:
    """A server that answers all requests."""
    server = Server()
    add_lifecycle(server)
    add_requests(server)
    add_commands(server)
    return server


def serve() -> int:
    """Answer one client, and return the exit code: 0 if it said that it would leave, else 1.

    Nothing but answers is written to standard output: whatever else is, goes to standard error.
    """
    incoming, outgoing = _taken(0, "rb"), _taken(1, "wb")
    _redirect()
    sys.setswitchinterval(_SWITCH)
    server = make_server()
    try:
        asyncio.run(_run(server, incoming, outgoing))
    except (BrokenPipeError, KeyboardInterrupt):
        return 1
    except SystemExit as end:
        return int(end.code or 0)
    finally:
        server.session.stop()
        server.workshops.close()
        server.pictures.close()
    return 0 if server.protocol.was_shut_down else 1


def _taken(descriptor: int, mode: str) -> BinaryIO:
    """A standard stream under a number of its own."""
    return open(os.dup(descriptor), mode)  # type: ignore[return-value]  # the mode says bytes


def _redirect() -> None:
    """Let standard input be empty, and standard output be standard error."""
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.dup2(2, 1)
    os.close(empty)
    sys.stdout = sys.stderr


async def _run(server: Server, incoming: BinaryIO, outgoing: BinaryIO) -> None:
    server.protocol.set_writer(StdoutWriter(outgoing))
    reader = StdinAsyncReader(incoming, server.thread_pool)
    await run_async(Event(), reader, server.protocol, None, server.report_server_error)

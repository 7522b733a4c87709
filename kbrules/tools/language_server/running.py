"""The server on standard input and output, until the client says so or is gone."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from contextlib import ExitStack
from typing import BinaryIO

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from kbrules.tools.language_server import commands, documents, requests
from kbrules.tools.language_server.server import Server, add_lifecycle

_LOG = logging.getLogger(__name__)
_FILES_OF_LOOP = 3  # what it waits with, and two sockets by which it is woken
_SWITCH = 0.001  # seconds after which a thread makes room for another


def make_server() -> Server:
    """A server that answers all requests."""
    server = Server()
    add_lifecycle(server)
    requests.add_requests(server)
    commands.add_commands(server)
    return server


def serve() -> int:
    """Answer one client, and return the exit code: 0 if it said that it would leave, else 1.

    Nothing but answers is written to standard output: whatever else is, goes to standard error.
    """
    incoming, outgoing = _taken(0, "rb"), _taken(1, "wb")
    _redirect()
    sys.setswitchinterval(_SWITCH)
    _check_free_files()
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


def _check_free_files() -> None:
    """Raise OSError if there are too few for an event loop, which would complain half made."""
    with ExitStack() as opened:
        for _ in range(_FILES_OF_LOOP):
            opened.enter_context(open(os.devnull, "rb"))


async def _run(server: Server, incoming: BinaryIO, outgoing: BinaryIO) -> None:
    """Handle one message after another, until there is none or the client says `exit`."""
    protocol, loop, threads = server.protocol, asyncio.get_running_loop(), server.thread_pool
    protocol.set_writer(_Outgoing(outgoing))
    while True:
        length = await loop.run_in_executor(threads, documents.length_of_next, incoming)
        if length is not None and length > documents.MAX_BODY:
            reason = (
                f"a message of {length} bytes is too long: {documents.MAX_BODY} are read at most"
            )
            protocol.refuse(None, types.ErrorCodes.InvalidRequest.value, reason)
        if length is None or length > documents.MAX_PASSED_OVER:
            return
        body = await loop.run_in_executor(threads, documents.body_of, incoming, length)
        if body is None:
            return
        if length <= documents.MAX_BODY:
            _handle(server, body)


def _handle(server: Server, body: bytes) -> None:
    try:
        server.protocol.receive(body)
    except BrokenPipeError:
        raise
    except Exception as fault:
        _LOG.exception("a message failed")
        server.report_server_error(fault, JsonRpcException)


class _Outgoing:
    """Where answers go; after `exit` nothing is written any more."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, data: bytes) -> None:
        """Write a message at once."""
        if not self._stream.closed:
            self._stream.write(data)
            self._stream.flush()

    def close(self) -> None:
        """Write no more."""
        self._stream.close()

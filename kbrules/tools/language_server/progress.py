"""Work that takes long: the client shows how far it is, and may cancel it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from threading import Event
from uuid import uuid4

from lsprotocol import types
from pygls.exceptions import JsonRpcRequestCancelled

from kbrules.progress import OnProgress
from kbrules.tools.language_server.server import Server
from kbrules.tools.language_service.workspace import Cancelled


@asynccontextmanager
async def progress(server: Server, title: str) -> AsyncIterator[OnProgress]:
    """What is to be told, from any thread, how much of how much is done.

    It raises Cancelled once nobody waits for the work any more.
    """
    token, left, loop = str(uuid4()), Event(), asyncio.get_running_loop()
    shown, is_shown = server.work_done_progress, server.client.shows_progress
    if is_shown:
        await shown.create_async(token)
        shown.begin(token, types.WorkDoneProgressBegin(title, cancellable=True, percentage=0))

    def report(done: int, most: int | None, unit: str) -> None:
        if is_shown and not left.is_set():
            value = types.WorkDoneProgressReport(
                cancellable=True,
                message=f"{done} of {most} {unit}" if most else f"{done} {unit}",
                percentage=100 * done // most if most else 0,
            )
            shown.report(token, value)

    def watch(done: int, most: int | None, unit: str) -> None:
        if left.is_set() or (is_shown and shown.tokens[token].cancelled()):
            raise Cancelled
        loop.call_soon_threadsafe(report, done, most, unit)

    try:
        yield watch
    except Cancelled:
        raise JsonRpcRequestCancelled("this was cancelled") from None
    finally:
        left.set()
        if is_shown:
            shown.end(token, types.WorkDoneProgressEnd())
            shown.tokens.pop(token, None)

"""Each command with what does it, and how far it is."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any
from uuid import uuid4

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams, JsonRpcRequestCancelled

from kbrules.hooks import OnProgress
from kbrules.tools.language_server.command_names import COMMANDS, CommandName
from kbrules.tools.language_server.documents import path_of, range_of, uri_of
from kbrules.tools.language_server.server import Server, answered, folder_of, play_command
from kbrules.tools.language_server.session import EditorRequest, SessionView, Urgency
from kbrules.tools.language_service.answers import Edits, ExampleResult
from kbrules.tools.language_service.workspace import Cancelled

# Work that takes long: the client shows how far it is, and may cancel it.


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


# Each command with what does it.


Answer = dict[str, Any]
Place = int | str | None


@dataclass(frozen=True, slots=True)
class CommandCall:
    """A command with what it was called with."""

    uri: str
    place: Place
    word: str
    number: int | None

    @classmethod
    def of(cls, arguments: tuple[Any, ...]) -> CommandCall:
        """The arguments read. Raises JsonRpcInvalidParams for others."""
        uri, place, word, *more = [*arguments, None, None, None]
        is_place = place is None or isinstance(place, int | str)
        if not isinstance(uri, str) or not is_place or any(each is not None for each in more):
            raise JsonRpcInvalidParams("an address, a line or a name, and a word are wanted")
        is_number = isinstance(word, int)
        return cls(
            uri, place, "" if word is None or is_number else str(word), word if is_number else None
        )

    @property
    def path(self) -> Path:
        """The file it is about."""
        return path_of(self.uri)


def add_commands(server: Server) -> None:
    """Let a server run all commands."""
    runs: dict[CommandName, Callable[[CommandCall], Awaitable[Answer]]] = {
        CommandName.WHY: lambda call: _why(server, call),
        CommandName.BOARD: lambda call: _board(server, call),
        CommandName.TEST: lambda call: _test(server, call),
        CommandName.BALANCE: lambda call: _balance(server, call),
        CommandName.EXAMPLE: lambda call: _example(server, call),
        CommandName.PLAY: _play,
        CommandName.WORKSHOP: lambda call: _workshop(server, call),
    }
    for name in COMMANDS:
        _add(server, name, runs[name])


def _add(
    server: Server, name: CommandName, run: Callable[[CommandCall], Awaitable[Answer]]
) -> None:
    @server.command(name.value)
    async def command(*arguments: Any) -> Answer:
        return await answered(run(CommandCall.of(arguments)))


# What takes long to load is imported when it is asked for.


async def _why(server: Server, call: CommandCall) -> Answer:
    from kbrules.tools.language_server.examining import why_at

    hex = call.word or await _chosen_hex(server, call)
    text = await _in_background(server, lambda view: why_at(view, call.path, call.place, hex))
    server.show(text)
    return {"text": text, "hex": hex}


async def _chosen_hex(server: Server, call: CommandCall) -> str:
    """The hex that somebody chooses."""
    from kbrules.tools.language_server.examining import hexes_at

    hexes = await _in_background(server, lambda view: hexes_at(view, call.path, call.place))
    choices = [types.MessageActionItem(hex) for hex in hexes]
    message = types.ShowMessageRequestParams(types.MessageType.Info, "Why at which hex?", choices)
    chosen = await server.window_show_message_request_async(message)
    if chosen is None:
        raise JsonRpcRequestCancelled("no hex was chosen")
    return str(chosen.title)


async def _board(server: Server, call: CommandCall) -> Answer:
    from kbrules.tools.language_server.examining import board_at

    title, svg = await _in_background(server, lambda view: board_at(view, call.path, call.place))
    uri = uri_of(server.pictures.keep(call.path, title, svg))
    await server.show_document(uri, is_page=False)
    return {"uri": uri, "title": title}


async def _test(server: Server, call: CommandCall) -> Answer:
    found = await _in_background(server, lambda view: _results(view, call))
    if (document := server.session.documents.at(call.path)) is not None:
        server.checking.saved(document)
    await server.refresh_lenses()
    encoding = server.session.documents.encoding
    failed = [each for each in found if not each.holds]
    text = f"{len(found) - len(failed)} hold, {len(failed)} do not"
    server.show("\n".join([text, *(f"{each.title}: {each.found}" for each in failed)]))
    tests = [_entry(each, encoding) for each in found]
    return {"passed": len(found) - len(failed), "failed": len(failed), "tests": tests}


def _results(view: SessionView, call: CommandCall) -> list[ExampleResult]:
    from kbrules.tools.language_server.examining import case_at, cases_of

    cases_of(view, call.path)
    found = view.workspace.examples(call.path)
    if call.place is None:
        return [*found]
    wanted = case_at(view, call.path, call.place).id
    return [each for each in found if each.id == wanted]


def _entry(each: ExampleResult, encoding: str) -> Answer:
    fields = {"id": each.id, "title": each.title, "holds": each.holds, "found": each.found}
    return {**fields, "picture": each.picture, "range": range_of(each.span, encoding)}


async def _balance(server: Server, call: CommandCall) -> Answer:
    from kbrules.tools.language_server.examining import GAMES, card_at, measured

    card = await _in_background(server, lambda view: card_at(view, call.path, call.place))
    async with progress(server, f"measuring {card or call.path.name}") as watch:
        text = await asyncio.to_thread(
            measured, call.path, card, max(2, call.number or GAMES), watch
        )
    await server.refresh_lenses()
    server.show(text)
    return {"text": text}


async def _example(server: Server, call: CommandCall) -> Answer:
    from kbrules.tools.language_server.examining import card_at
    from kbrules.tools.language_service.editing import payment_scenario

    def written(view: SessionView) -> tuple[EditorRequest[None], Edits]:
        card = card_at(view, call.path, call.place)
        request = EditorRequest(None, view, server.client, server.cache)
        return request, payment_scenario(view.workspace, call.path, card)

    request, edits = await _in_background(server, written)
    ((file, (edit,)),) = edits.items()
    if server.client.takes_edits and server.client.makes_files:
        params = types.ApplyWorkspaceEditParams(request.workspace_edit(edits))
        await server.workspace_apply_edit_async(params)
        await server.show_document(server.session.documents.uri(file), is_page=False)
    return {"uri": server.session.documents.uri(file), "text": edit.text}


async def _play(call: CommandCall) -> Answer:
    words = play_command(call.path)
    folder = folder_of(call.path) or Path.cwd()
    return {"command": words, "line": shlex.join(words), "folder": str(folder)}


async def _workshop(server: Server, call: CommandCall) -> Answer:
    address = await server.workshops.address(call.path)
    await server.show_document(address, is_page=True)
    return {"address": address}


async def _in_background(server: Server, act: Callable[[SessionView], Any]) -> Any:
    found, _ = await server.session.submit(Urgency.EXAMPLES, act)
    return found

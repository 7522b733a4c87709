"""Each command with what does it, and how far it is."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from threading import Event
from typing import Any
from uuid import uuid4

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams, JsonRpcRequestCancelled

from kbrules.hooks import OnProgress
from kbrules.tools.language_server.documents import LineTable, path_of, uri_of
from kbrules.tools.language_server.server import PROGRAM, Server, answered, folder_of
from kbrules.tools.language_server.session import Can, EditorRequest, SessionView, Urgency
from kbrules.tools.language_service import answers, workspace

# Work that takes long: the client shows how far it is, and may cancel it.


@asynccontextmanager
async def progress(server: Server, title: str) -> AsyncIterator[OnProgress]:
    """What is to be told, from any thread, how much of how much is done.

    It raises Cancelled once nobody waits for the work any more.
    """
    token, left, loop = str(uuid4()), Event(), asyncio.get_running_loop()
    shown, is_shown = server.work_done_progress, server.client.can(Can.SHOW_PROGRESS)
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
            raise workspace.Cancelled
        loop.call_soon_threadsafe(report, done, most, unit)

    try:
        yield watch
    except workspace.Cancelled:
        raise JsonRpcRequestCancelled("this was cancelled") from None
    finally:
        left.set()
        if is_shown:
            shown.end(token, types.WorkDoneProgressEnd())
            shown.tokens.pop(token, None)


# Each command with what does it.


class CommandName(StrEnum):
    """The commands of the server; the page about editors says what each is called with."""

    WHY = "kbrules.why"
    BOARD = "kbrules.board"
    TEST = "kbrules.test"
    BALANCE = "kbrules.balance"
    EXAMPLE = "kbrules.example"
    PLAY = "kbrules.play"
    WORKSHOP = "kbrules.workshop"


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


Run = Callable[[Server, CommandCall], Awaitable[Answer]]


def add_commands(server: Server) -> None:
    """Let a server run all commands."""
    for name, run in _RUNS.items():
        _add(server, name, run)


def _add(server: Server, name: CommandName, run: Run) -> None:
    @server.command(name.value)
    async def command(*arguments: Any) -> Answer:
        return await answered(run(server, CommandCall.of(arguments)))


def _found(view: SessionView, method: str, call: CommandCall, **more: Any) -> Any:
    """Return the answer of the service about a test by its name, a line, or the first of a file."""
    place = {} if call.place is None else {"case": call.place}
    if isinstance(call.place, int):
        place = {"at": view.document(call.path).lines.line(call.place)[1]}
    return view.service.answer(method, {"file": str(call.path), **place, **more})


async def _asked(server: Server, method: str, call: CommandCall, **more: Any) -> Any:
    return await _in_background(server, lambda view: _found(view, method, call, **more))


async def _why(server: Server, call: CommandCall) -> Answer:
    hex = call.word or await _chosen_hex(server, call)
    text = await _asked(server, "why", call, hex=hex)
    server.show(text)
    return {"text": text, "hex": hex}


async def _chosen_hex(server: Server, call: CommandCall) -> str:
    """The hex that somebody chooses."""
    hexes = await _asked(server, "hexes", call)
    choices = [types.MessageActionItem(hex) for hex in hexes]
    message = types.ShowMessageRequestParams(types.MessageType.Info, "Why at which hex?", choices)
    chosen = await server.window_show_message_request_async(message)
    if chosen is None:
        raise JsonRpcRequestCancelled("no hex was chosen")
    return str(chosen.title)


async def _board(server: Server, call: CommandCall) -> Answer:
    found = await _asked(server, "board", call)
    uri = uri_of(server.pictures.keep(call.path, found.title, found.svg))
    await server.show_document(uri, is_page=False)
    return {"uri": uri, "title": found.title}


async def _test(server: Server, call: CommandCall) -> Answer:
    def ran(view: SessionView) -> list[tuple[answers.ExampleResult, Answer]]:
        lines = view.document(call.path).lines
        return [(each, _entry(each, lines)) for each in _found(view, "run", call)]

    found = await _in_background(server, ran)
    if (document := server.session.documents.get(call.path)) is not None:
        server.checking.saved(document)
    await server.refresh_lenses()
    failed = [each for each, _ in found if not each.holds]
    text = f"{len(found) - len(failed)} hold, {len(failed)} do not"
    server.show("\n".join([text, *(f"{each.title}: {each.found}" for each in failed)]))
    tests = [entry for _, entry in found]
    return {"passed": len(found) - len(failed), "failed": len(failed), "tests": tests}


def _entry(each: answers.ExampleResult, lines: LineTable) -> Answer:
    fields = {"id": each.id, "title": each.title, "holds": each.holds, "found": each.found}
    place = lines.range(each.place.start, each.place.end)
    return {**fields, "picture": each.picture, "range": place}


def _card(view: SessionView, call: CommandCall) -> str:
    """Return the card that a command names, by its id or a line; nothing if none is there."""
    if not isinstance(call.place, int):
        return call.place or ""
    return str(_found(view, "card", call))


async def _balance(server: Server, call: CommandCall) -> Answer:
    from kbrules.tools.language_server.examining import GAMES, measured  # slow to load

    card = await _in_background(server, lambda view: _card(view, call))
    async with progress(server, f"measuring {card or call.path.name}") as watch:
        text = await asyncio.to_thread(
            measured, call.path, card, max(2, call.number or GAMES), watch
        )
    await server.refresh_lenses()
    server.show(text)
    return {"text": text}


async def _example(server: Server, call: CommandCall) -> Answer:
    def written(view: SessionView) -> tuple[EditorRequest[None], answers.TextEdit]:
        asked = {"file": str(call.path), "card": _card(view, call)}
        (edit,) = view.service.answer("action_edits", asked)
        return EditorRequest(None, view, server.client, server.cache), edit

    request, edit = await _in_background(server, written)
    uri = server.session.documents.uri(Path(edit.place.file))
    if all(map(server.client.can, (Can.MAKE_EDITS, Can.MAKE_FILES))):
        params = types.ApplyWorkspaceEditParams(request.workspace_edit([edit]))
        await server.workspace_apply_edit_async(params)
        await server.show_document(uri, is_page=False)
    return {"uri": uri, "text": edit.text}


async def _play(_: Server, call: CommandCall) -> Answer:
    home = folder_of(call.path)
    words = [*PROGRAM, "play", *([] if home is None else ["--with", str(home)])]
    return {"command": words, "line": shlex.join(words), "folder": str(home or Path.cwd())}


async def _workshop(server: Server, call: CommandCall) -> Answer:
    address = await server.workshops.address(call.path)
    await server.show_document(address, is_page=True)
    return {"address": address}


async def _in_background(server: Server, act: Callable[[SessionView], Any]) -> Any:
    found, _ = await server.session.submit(Urgency.EXAMPLES, act)
    return found


_RUNS: dict[CommandName, Run] = {
    CommandName.WHY: _why,
    CommandName.BOARD: _board,
    CommandName.TEST: _test,
    CommandName.BALANCE: _balance,
    CommandName.EXAMPLE: _example,
    CommandName.PLAY: _play,
    CommandName.WORKSHOP: _workshop,
}

"""Open texts, places as an editor counts them, and the protocol with our own texts."""

from __future__ import annotations

import json
import os
import re
from bisect import bisect_right
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import unquote

from lsprotocol import types
from pygls import uris
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.protocol import LanguageServerProtocol, json_rpc, lsp_method
from pygls.workspace import PositionCodec

from kbrules.library.reading import RULES, real_path
from kbrules.messages import CODES
from kbrules.tools.language_service.answers import Finding, Place

# Places in a text as an editor counts them.


Encoding = types.PositionEncodingKind
_LINE_END = re.compile("\r\n|\n|\r")


class LineTable:
    """The lines of a text, which end at a line feed, a carriage return, or both.

    `encoding` says in which units an editor counts the columns. `before` is what it sees before
    the first character: a byte order mark, or nothing.
    """

    def __init__(self, text: str, encoding: str = Encoding.Utf16, before: str = "") -> None:
        self.text = text
        self._units = PositionCodec(Encoding(encoding)).client_num_units
        self._is_plain = encoding == Encoding.Utf32 or text.isascii()
        self._before = self._units(before)

    @cached_property
    def _bounds(self) -> tuple[list[int], list[int]]:
        """Where lines begin, and where they end, without what ends them."""
        if "\r" not in self.text:
            ends_at = [end - 1 for end in accumulate(len(e) + 1 for e in self.text.split("\n"))]
            return [0, *(end + 1 for end in ends_at[:-1])], ends_at
        ends = [match.span() for match in _LINE_END.finditer(self.text)]
        return [0, *(end for _, end in ends)], [*(start for start, _ in ends), len(self.text)]

    def position(self, offset: int) -> types.Position:
        """Return the place of a character; one outside the text is moved to its ends."""
        starts, ends = self._bounds
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(starts, offset) - 1
        before = self.text[starts[line] : min(offset, ends[line])]
        column = len(before) if self._is_plain or before.isascii() else self._units(before)
        return types.Position(line, column if line else column + self._before)

    def offset(self, position: types.Position) -> int:
        """Return the offset of a place; after a line it is its end, after the text the text's."""
        starts, ends = self._bounds
        if position.line >= len(starts):
            return len(self.text)
        found, end = starts[position.line], ends[position.line]
        units = max(0, position.character - (0 if position.line else self._before))
        if self._is_plain or self.text[found:end].isascii():
            return min(found + units, end)
        while found < end and units > 0:  # half a character counts as whole
            units -= self._units(self.text[found])
            found += 1
        return found

    def line(self, number: int) -> tuple[int, int]:
        """Return the offsets where a line begins and ends; of one after the text, the last."""
        starts, ends = self._bounds
        number = min(max(number, 0), len(starts) - 1)
        return starts[number], ends[number]

    def range(self, start: int, end: int) -> types.Range:
        """Return the range from one offset up to another."""
        return types.Range(self.position(start), self.position(max(start, end)))

    def offsets(self, range: types.Range) -> tuple[int, int]:
        """Return the offsets of a range, the lesser first."""
        start, end = self.offset(range.start), self.offset(range.end)
        return min(start, end), max(start, end)

    def lines(self, range: types.Range) -> tuple[int, int]:
        """Return the offsets where the first line of a range begins and its last one ends."""
        return self.line(range.start.line)[0], self.line(range.end.line)[1]


# The texts that are open in an editor, each with its version.


Change = types.TextDocumentContentChangeEvent
_LONGEST = 200  # characters of a name that stands for a text without a file
_UNSAVED = "untitled:"
_MARK = "\ufeff"


def path_of(uri: str) -> Path:
    """Where the file of an address lies, all links followed; other texts get a made-up place.

    A text that was never saved is read as rules if nothing else is said of it.
    """
    if uris.uri_scheme(uri) == "file" and (path := uris.to_fs_path(uri)) and "\0" not in path:
        return real_path(Path(path))
    name = "".join(each if each.isalnum() or each in "._-" else "-" for each in unquote(uri))
    place = Path("/nowhere") / name[-_LONGEST:]
    return place.with_suffix(RULES) if uri.startswith(_UNSAVED) and not place.suffix else place


def _name_of(uri: str) -> Path:
    """What the editor calls a file, no link followed."""
    path = uris.to_fs_path(uri) if uris.uri_scheme(uri) == "file" else None
    return Path(os.path.abspath(path)) if path and "\0" not in path else path_of(uri)


def uri_of(path: Path) -> str:
    """The address of a file."""
    return uris.from_fs_path(str(path.absolute())) or path.absolute().as_uri()


@dataclass(frozen=True)
class OpenDocument:
    """One text that is open, as the editor has it in one version."""

    uri: str
    path: Path
    version: int | None
    text: str
    encoding: str = Encoding.Utf16

    @cached_property
    def plain_text(self) -> str:
        """The text as rules are read: line feeds as line ends, and no byte order mark."""
        return re.sub("\r\n?", "\n", self.text.removeprefix(_MARK))

    @cached_property
    def lines(self) -> LineTable:
        """The lines of the plain text, at the places where the editor has them."""
        before = _MARK if self.text.startswith(_MARK) else ""
        return LineTable(self.plain_text, self.encoding, before)

    @property
    def line_end(self) -> str:
        """What ends its lines."""
        return "\r\n" if "\r\n" in self.text else "\n"

    def changed(self, changes: Sequence[Change], version: int | None) -> OpenDocument:
        """The text after changes, one after the other: of a range, or of all of it."""
        whole = self.text
        for change in changes:
            text = change.text
            if isinstance(change, types.TextDocumentContentChangePartial):
                is_plain = whole == self.text == self.plain_text
                lines = self.lines if is_plain else LineTable(whole, self.encoding)
                start, end = lines.offsets(change.range)
                text = whole[:start] + text + whole[end:]
            whole = text
        return OpenDocument(self.uri, self.path, version, whole, self.encoding)


class Documents(dict[Path, OpenDocument]):
    """The open texts by where they lie, all links followed, and what the editor calls places."""

    def __init__(self) -> None:
        super().__init__()
        self.encoding: str = Encoding.Utf16
        self._uris: dict[Path, str] = {}
        self._roots: dict[Path, Path] = {}
        self._linked: dict[Path, Path] = {}

    def open(self, item: types.TextDocumentItem) -> OpenDocument:
        """An open text from now on."""
        document = OpenDocument(item.uri, path_of(item.uri), item.version, item.text, self.encoding)
        self[document.path] = document
        self._uris[document.path] = item.uri
        name, place = _name_of(item.uri), document.path
        while name.name == place.name and name != place:
            name, place = name.parent, place.parent
        if name != place:
            self._linked[place] = name
        return document

    def open_roots(self, addresses: Iterable[str]) -> list[Path]:
        """Note by which names, through links, the editor has folders; where these lie."""
        self._roots = {path_of(uri): _name_of(uri) for uri in addresses}
        return [*self._roots]

    def uri(self, path: Path) -> str:
        """The address of a file, as the editor opened it or would: not where its links lead."""
        if path in self._uris:
            return self._uris[path]
        for known in (self._roots, self._linked):
            for folder in path.parents:
                if folder in known:
                    return uri_of(known[folder] / path.relative_to(folder))
        return uri_of(path)

    def change(self, params: types.DidChangeTextDocumentParams) -> OpenDocument | None:
        """The text after a change; None if it is not open."""
        before = self.get(path_of(params.text_document.uri))
        if before is None:
            return None
        document = before.changed(params.content_changes, params.text_document.version)
        self[document.path] = document
        return document

    def close(self, uri: str) -> Path:
        """An open text no longer."""
        path = path_of(uri)
        self.pop(path, None)
        return path


# Findings at their places in a text, which move with it while it is typed.


SOURCE = "kbrules"
UNNECESSARY = frozenset({
    "KB700", "KB703", "KB704", "KB705", "KB707", "KB708", "KB712", "KB716", "KB719", "KB721",
    "KB722", "KB723", "KB724", "KB740", "KB743", "KB753", "KB754", "KB755",
})  # fmt: skip
"""Warnings of what could be left out; editors show it faded."""


def identity(finding: Finding) -> tuple[int, int, str, str]:
    """Return what two findings of the same mistake in a file have in common; sorts by place."""
    return finding.place.start, finding.place.end, finding.code, finding.message


@dataclass(frozen=True, slots=True)
class EditedRange:
    """The lines from `start` to `end` have changed, and what is behind them lies `by` further."""

    start: int
    end: int
    by: int

    @classmethod
    def between(cls, old: str, new: str) -> EditedRange:
        """The smallest change that makes one text of another, widened to whole lines."""
        start = common_start(old, new)
        end = len(old) - common_start(old[start:][::-1], new[start:][::-1])
        last = old.find("\n", end)
        first = old.rfind("\n", 0, start) + 1
        return cls(first, len(old) if last < 0 else last, len(new) - len(old))

    def moved(self, found: Iterable[Finding]) -> tuple[Finding, ...]:
        """Return the findings that the change did not touch, where they are now."""
        return tuple(
            replace(each, place=Place(at.file, at.start + by, at.end + by))
            for each in found
            for at in [each.place]
            for by in [0 if at.end <= self.start else self.by]
            if at.end <= self.start or at.start > self.end
        )


def common_start(one: Sequence[Any], other: Sequence[Any]) -> int:
    """Return with how many characters or numbers two texts or lists begin alike."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def as_diagnostic(
    finding: Finding, lines_of: Callable[[Path], LineTable], uri: Callable[[Path], str]
) -> types.Diagnostic:
    """Return a finding as the protocol has it; `uri` gives the addresses of files."""

    def range_of(place: Place) -> types.Range:
        return lines_of(Path(place.file)).range(place.start, place.end)

    claim = f" ({finding.claim})" if finding.claim else ""
    help_ = f"\nhelp: {finding.help}" if finding.help else ""
    is_error = finding.severity == "error"
    related = [
        types.DiagnosticRelatedInformation(
            types.Location(uri(Path(label.place.file)), range_of(label.place)), label.text
        )
        for label in finding.labels
    ]
    return types.Diagnostic(
        range_of(finding.place),
        finding.message + claim + help_,
        types.DiagnosticSeverity.Error if is_error else types.DiagnosticSeverity.Warning,
        finding.code,
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if finding.code in UNNECESSARY else None,
        related_information=related or None,
        data={"slug": CODES[finding.code].slug},
    )


# The protocol of pygls, with our own texts, and an answer to every request that cannot be read.
#
# Messages come from a stream of which nothing is sure: what is no request, or one that cannot be
# answered, is refused with an error, and changes nothing.


Calls = Generator[tuple[Callable[..., Any], tuple[Any, ...], None], None, None]
MAX_BODY = 32_000_000
"""Bytes of a message that is read: texts of rules are far shorter."""
MAX_PASSED_OVER = 1_000_000_000
"""Bytes of a message that is passed over; behind a longer one no other is looked for."""
_LENGTH = re.compile(rb"content-length:[ \t]*([0-9]{1,18})[0-9]*[ \t]*\r?\n", re.IGNORECASE)
_LONGEST_LINE = 8192
_CHUNK = 1 << 16
_PARSE_ERROR = types.ErrorCodes.ParseError.value
_INVALID = types.ErrorCodes.InvalidRequest.value
_NOT_BEGUN = types.ErrorCodes.ServerNotInitialized.value
_BEFORE_BEGIN = (types.INITIALIZE, types.SHUTDOWN, types.EXIT)


def length_of_next(stream: BinaryIO) -> int | None:
    """Read the head of the next message, and return how long that is; None if there is none."""
    length = None
    while line := stream.readline(_LONGEST_LINE):
        if found := _LENGTH.fullmatch(line):
            length = int(found[1])
        elif length is not None and not line.strip():
            return length
    return None


def body_of(stream: BinaryIO, length: int) -> bytes | None:
    """Read a message; None if it ends too early. Of one that is too long nothing is kept."""
    if length <= MAX_BODY:
        body = stream.read(length)
        return body if len(body) == length else None
    while length > 0 and (chunk := stream.read(min(length, _CHUNK))):
        length -= len(chunk)
    return b"" if length == 0 else None


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number of JSON")


def _handed_on(method: str) -> Any:
    """Return the method of the protocol that leaves what a client tells of a text to us."""

    def tell(self: Protocol, params: Any) -> Calls:
        yield self.fm.features[method], (params,), None

    return lsp_method(method)(tell)


class Protocol(LanguageServerProtocol):
    """Keeps no texts, since lines end at more characters for pygls; `Documents` keeps them."""

    @property
    def was_shut_down(self) -> bool:
        """Whether the client has said that it needs no more answers."""
        return bool(self._shutdown)

    def receive(self, body: bytes) -> None:
        """Handle a message, or refuse it."""
        try:
            data = json.loads(body, parse_constant=_no_number)
        except (ValueError, RecursionError):
            self.refuse(None, _PARSE_ERROR, "this is not JSON, or too deep or large")
            return
        if reason := self._misshapen(data):
            self.refuse(None, _INVALID, reason)
        elif "method" not in data:
            self._take_response(data)
        elif refusal := self._refusal(data.get("id"), data["method"]):
            if "id" in data:
                self.refuse(data["id"], *refusal)
        elif (message := self.structure_message(data)) is not None:
            self.handle_message(message)

    def _misshapen(self, data: Any) -> str:
        """Why something is no message; empty if it is one."""
        if not isinstance(data, dict) or data.get("jsonrpc") != self.VERSION:
            return "a message is an object of JSON-RPC 2.0"
        id = data.get("id", 0)
        if "method" in data and (isinstance(id, bool) or not isinstance(id, int | str)):
            return "the `id` of a message is a whole number or a text"
        return "" if isinstance(data.get("method", ""), str) else "a `method` is a text"

    def refuse(self, id: int | str | None, code: int, message: str) -> None:
        """Answer a message with an error; without an id if it has none that can be named."""
        error = {"code": code, "message": message}
        self._send_data({"jsonrpc": self.VERSION, "id": id, "error": error})

    def _refusal(self, id: int | str | None, method: str) -> tuple[int, str] | None:
        """Why a request is not answered now."""
        has_begun = hasattr(self, "client_capabilities")
        if self._shutdown and method != types.EXIT:
            return _INVALID, "the server was shut down, and answers nothing any more"
        if has_begun and method == types.INITIALIZE:
            return _INVALID, "the server was initialized already"
        if not has_begun and method not in _BEFORE_BEGIN:
            return _NOT_BEGUN, "the server was not initialized"
        if id in self._request_futures:
            return _INVALID, f"a request with the id {id!r} is being answered"
        return None

    def _take_response(self, data: dict[str, Any]) -> None:
        """Take an answer to a request of ours; others are passed over."""
        id = data.get("id")
        if not isinstance(id, int | str) or id not in self._request_futures:
            return
        kind = self._result_types.pop(id, None) or json_rpc.JsonRPCResponseMessage
        try:
            if "error" not in data:
                answer = self._converter.structure({"result": None, **data}, kind)
                self._handle_response(id, answer.result)
                return
            error = self._converter.structure(data["error"], types.ResponseError)
        except Exception:  # whatever the client sent
            error = types.ResponseError(_INVALID, "the answer cannot be read")
        self._handle_response(id, None, error)

    def structure_message(self, data: dict[str, Any]) -> Any:
        """A message as a value; None for one that cannot be read, which is answered."""
        plain = json_rpc.JsonRPCRequestMessage if "id" in data else json_rpc.JsonRPCNotification
        kind = self.get_message_type(data["method"]) or plain
        try:
            return self._converter.structure({"params": None, **data}, kind)
        except Exception:  # whatever the client sent
            if "id" in data:
                reason = f"the parameters of `{data['method']}` cannot be read"
                self.refuse(data["id"], JsonRpcInvalidParams.CODE, reason)
            return None

    def _execute_handler(
        self, msg_id: Any, handler: Any, callback: Any, args: Any = None, kwargs: Any = None
    ) -> None:
        """Begin what answers a message; if that is cancelled, so is what it waits for."""
        super()._execute_handler(msg_id, handler, callback, args, kwargs)
        outer = getattr(callback, "keywords", {}).get("result_future")
        inner = self._request_futures.get(msg_id)
        if outer is not None and inner is not None:
            outer.add_done_callback(lambda done: inner.cancel() if done.cancelled() else None)

    def _handle_cancel_notification(self, msg_id: str | int) -> None:
        """Cancel an answer; that it was given already is usual, and not to be logged."""
        if isinstance(msg_id, int | str) and msg_id in self._request_futures:
            super()._handle_cancel_notification(msg_id)

    def _send_handler_result(self, future: Future[Any], *, msg_id: str | int) -> None:
        """Send an answer; that there is none for a reason is no fault to be logged."""
        if not future.cancelled() and isinstance(error := future.exception(), JsonRpcException):
            self._request_futures.pop(msg_id, None)
            self._send_response(msg_id, None, error.to_response_error())
        else:
            super()._send_handler_result(future, msg_id=msg_id)

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *_: Any) -> Calls:
        """Answer nothing any more, and cancel what is being answered."""
        here = self.msg_id
        for id, future in [*self._request_futures.items()]:
            if id != here and not future.done():
                future.cancel()
        self._shutdown = True
        yield from ()

    lsp_text_document__did_open = _handed_on(types.TEXT_DOCUMENT_DID_OPEN)
    lsp_text_document__did_change = _handed_on(types.TEXT_DOCUMENT_DID_CHANGE)
    lsp_text_document__did_close = _handed_on(types.TEXT_DOCUMENT_DID_CLOSE)

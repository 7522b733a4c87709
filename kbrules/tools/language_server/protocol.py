"""The protocol of pygls, with our own texts, and an answer to every request that cannot be read.

Messages come from a stream of which nothing is sure: what is no request, or one that cannot be
answered, is refused with an error, and changes nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator
from concurrent.futures import Future
from typing import Any, BinaryIO

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.protocol.json_rpc import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    JsonRPCResponseMessage,
)

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


class Protocol(LanguageServerProtocol):
    """Keeps no texts, since lines end at more characters for pygls; `documents.py` keeps them."""

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
        kind = self._result_types.pop(id, None) or JsonRPCResponseMessage
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
        plain = JsonRPCRequestMessage if "id" in data else JsonRPCNotification
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

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Calls:
        """A text is open from now on."""
        yield from self._handed_on(types.TEXT_DOCUMENT_DID_OPEN, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Calls:
        """A text has changed."""
        yield from self._handed_on(types.TEXT_DOCUMENT_DID_CHANGE, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Calls:
        """A text is open no longer."""
        yield from self._handed_on(types.TEXT_DOCUMENT_DID_CLOSE, params)

    def _handed_on(self, method: str, params: Any) -> Calls:
        yield self.fm.features[method], (params,), None

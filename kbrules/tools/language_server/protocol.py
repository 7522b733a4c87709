"""The protocol of pygls, with our own texts, and an answer to every request that cannot be read."""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import Future
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.protocol.json_rpc import JsonRPCNotification

__all__ = ["Protocol"]

Calls = Generator[tuple[Callable[..., Any], tuple[Any, ...], None], None, None]
_UNREAD = "$/unread"


class Protocol(LanguageServerProtocol):
    """Keeps no texts, since lines end at more characters for pygls; `documents.py` keeps them."""

    @property
    def was_shut_down(self) -> bool:
        """Whether the client has said that it needs no more answers."""
        return bool(self._shutdown)

    def structure_message(self, data: dict[str, Any]) -> Any:
        """A message as a value; one that cannot be read is answered with an error and dropped."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "id" in data and "method" in data:
                self._send_response(data["id"], None, error.to_response_error())
            return JsonRPCNotification(_UNREAD, self.VERSION, None)

    def _handle_cancel_notification(self, msg_id: str | int) -> None:
        """Cancel an answer; that it was given already is usual, and not to be logged."""
        if msg_id in self._request_futures:
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

"""The server: texts come in, questions are answered, and findings are told."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInternalError
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter

from kbrules import __version__
from kbrules.tools.language_server.checking import Checking
from kbrules.tools.language_server.client import Client
from kbrules.tools.language_server.commands.pictures import Pictures
from kbrules.tools.language_server.commands.programs import Workshops
from kbrules.tools.language_server.documents import Document
from kbrules.tools.language_server.editor_request import Cache, EditorRequest
from kbrules.tools.language_server.marks import Mark, as_diagnostic
from kbrules.tools.language_server.positions import LineTable
from kbrules.tools.language_server.protocol import Protocol
from kbrules.tools.language_server.session import EditorSession
from kbrules.tools.language_server.worker import Urgency
from kbrules.tools.language_service.answers import Refused

Result = TypeVar("Result")
_LOG = logging.getLogger(__name__)


class Server(LanguageServer):
    """One server for one client, with the texts and folders that this one has open."""

    protocol: Protocol

    def __init__(self) -> None:
        super().__init__(
            "kbrules",
            __version__,
            types.TextDocumentSyncKind.Incremental,
            protocol_cls=Protocol,
            converter_factory=default_converter,
        )
        self.session = EditorSession()
        self.checking = Checking(self.session, self.publish)
        self.workshops, self.pictures = Workshops(), Pictures()
        self.cache = Cache()
        self.shows_results = True

    @property
    def client(self) -> Client:
        """What the client can do."""
        return Client(self.client_capabilities)

    def publish(self, path: Path, document: Document | None, found: Sequence[Mark]) -> None:
        """Tell all that is wrong with a file, in the version that is shown."""
        diagnostics = [self._diagnostic(mark, document) for mark in found]
        uri = self.session.documents.uri(path)
        version = document.version if document is not None else None
        params = types.PublishDiagnosticsParams(uri, diagnostics, version)
        self.text_document_publish_diagnostics(params)

    def _diagnostic(self, mark: Mark, document: Document | None) -> types.Diagnostic:
        source = mark.finding.span.source
        encoding = self.session.documents.encoding
        lines = LineTable(source.text, encoding) if document is None else document.lines
        diagnostic = as_diagnostic(mark, lines, self.session.documents.uri)
        if not self.client.takes_related_places:
            diagnostic.related_information = None
        return diagnostic

    async def respond(self, answer: Callable[[EditorRequest[Any]], Any], params: Any) -> Any:
        """The answer to a request. Raises JsonRpcException where there is none."""
        client, cache = self.client, self.cache
        response = self.session.submit(
            Urgency.ANSWER, lambda view: answer(EditorRequest(params, view, client, cache))
        )
        found, _ = await answered(response)
        return found

    def show(self, text: str) -> None:
        """Show what came of a command, unless the client said that it does so itself."""
        if self.shows_results:
            params = types.ShowMessageParams(types.MessageType.Info, text)
            self.window_show_message(params)

    async def show_document(self, uri: str, is_page: bool) -> None:
        """Let the client show a file beside what it shows, or open a page, if it can."""
        if self.client.shows_documents:
            params = types.ShowDocumentParams(uri, external=is_page, take_focus=is_page)
            await self.window_show_document_async(params)

    async def refresh_lenses(self) -> None:
        """Let the client ask for the lenses anew, if it can."""
        if self.client.refreshes_lenses:
            await self.workspace_code_lens_refresh_async(None)


async def answered(response: Awaitable[Result]) -> Result:
    """What comes of a request, or the error of the protocol that says why nothing does."""
    try:
        return await response
    except Refused as refused:
        raise _failed(refused.reason) from None
    except JsonRpcException:
        raise
    except OSError as error:
        raise _failed(error.strerror or str(error)) from None
    except Exception as fault:
        _LOG.exception("a request failed")
        message = f"KB901: a fault of kbrules: {type(fault).__name__}"
        raise JsonRpcInternalError(message) from None


def _failed(reason: str) -> JsonRpcException:
    return JsonRpcException(reason, types.LSPErrorCodes.RequestFailed.value)

"""The server: texts come in, questions are answered, and findings are told."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInternalError
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter

from kbrules import __version__
from kbrules.tools.language_server.checking import Checking
from kbrules.tools.language_server.client import Client
from kbrules.tools.language_server.documents import Document, uri_of
from kbrules.tools.language_server.marks import Mark, as_diagnostic
from kbrules.tools.language_server.positions import LineTable
from kbrules.tools.language_server.protocol import Protocol
from kbrules.tools.language_server.session import Session, View
from kbrules.tools.language_server.worker import Urgency
from kbrules.tools.language_service.answers import Refused

__all__ = ["Question", "Server"]

Params = TypeVar("Params")
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Question(Generic[Params]):
    """A request with all that is needed to answer it."""

    params: Params
    view: View
    client: Client


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
        self.session = Session()
        self.checking = Checking(self.session, self.publish)

    @property
    def client(self) -> Client:
        """What the client can do."""
        return Client(self.client_capabilities)

    def publish(self, path: Path, document: Document | None, found: Sequence[Mark]) -> None:
        """Tell all that is wrong with a file, in the version that is shown."""
        told = [self._diagnostic(mark, document) for mark in found]
        uri = document.uri if document is not None else uri_of(path)
        version = document.version if document is not None else None
        params = types.PublishDiagnosticsParams(uri, told, version)
        self.text_document_publish_diagnostics(params)

    def _diagnostic(self, mark: Mark, document: Document | None) -> types.Diagnostic:
        source = mark.finding.span.source
        encoding = self.session.documents.encoding
        lines = LineTable(source.text, encoding) if document is None else document.lines
        diagnostic = as_diagnostic(mark, lines)
        if not self.client.takes_related_places:
            diagnostic.related_information = None
        return diagnostic

    async def ask(self, answer: Callable[[Question[Any]], Any], params: Any) -> Any:
        """The answer to a request. Raises JsonRpcException where there is none."""
        client = self.client
        try:
            found, _ = await self.session.ask(
                Urgency.ANSWER, lambda view: answer(Question(params, view, client))
            )
        except Refused as refused:
            raise refusal(refused.reason) from None
        except JsonRpcException:
            raise
        except OSError as error:
            raise refusal(f"{error.strerror}") from None
        except Exception as fault:
            _LOG.exception("a request failed")
            raise JsonRpcInternalError(
                f"KB901: a fault of kbrules: {type(fault).__name__}"
            ) from None
        return found


def refusal(reason: str) -> JsonRpcException:
    """The error that says why something is not done."""
    return JsonRpcException(reason, types.LSPErrorCodes.RequestFailed.value)

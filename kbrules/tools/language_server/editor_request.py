"""A request with all that is needed to answer it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from lsprotocol import types

from kbrules.diagnostics import Edit
from kbrules.text import Span
from kbrules.tools.language_server.client import Client
from kbrules.tools.language_server.documents import Document, path_of
from kbrules.tools.language_server.session import View
from kbrules.tools.language_service.answers import Edits
from kbrules.tools.language_service.workspace import Workspace

Params = TypeVar("Params")


@dataclass(slots=True)
class Cache:
    """What is remembered from one request to the next: pages of completions, tokens of texts."""

    pages: dict[str, str] = field(default_factory=dict)
    tokens: dict[Path, tuple[str, list[int]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EditorRequest(Generic[Params]):
    """The parameters of a request, what it is about, and what the client can show."""

    params: Params
    view: View
    client: Client
    cache: Cache

    @property
    def workspace(self) -> Workspace:
        """The boxes and texts that are asked about."""
        return self.view.workspace

    @property
    def path(self) -> Path:
        """The file that the request names."""
        named: Any = self.params
        return path_of(named.text_document.uri)

    @property
    def document(self) -> Document:
        """The text of that file."""
        return self.view.document(self.path)

    @property
    def offset(self) -> int:
        """The place that the request names, in the text of its file."""
        named: Any = self.params
        return self.document.lines.offset(named.position)

    def range(self, span: Span, path: Path | None = None) -> types.Range:
        """The range of a span of a file; by default of the one that the request names."""
        lines = self.view.document(self.path if path is None else path).lines
        return lines.range(*span.source.written(span.start, span.end))

    def location(self, path: Path, span: Span) -> types.Location:
        """The place of a span in any file."""
        return types.Location(self.view.document(path).uri, self.range(span, path))

    def text_edits(self, path: Path, edits: Iterable[Edit]) -> list[types.TextEdit]:
        """What is to be replaced in a file, with the line ends that it has."""
        line_end = self.view.document(path).line_end
        return [
            types.TextEdit(self.range(each.span, path), each.text.replace("\n", line_end))
            for each in edits
        ]

    def workspace_edit(self, edits: Edits) -> types.WorkspaceEdit:
        """What is to be replaced in files, with the versions for which it holds."""
        documents = {path: self.view.document(path) for path in edits}
        by_path = {path: self.text_edits(path, edits[path]) for path in edits}
        made = [types.CreateFile(documents[path].uri) for path in self.made_by(edits)]
        if not made and not self.client.takes_versioned_edits:
            return types.WorkspaceEdit({documents[path].uri: by_path[path] for path in edits})
        changes = [
            types.TextDocumentEdit(
                types.OptionalVersionedTextDocumentIdentifier(each.uri, each.version), by_path[path]
            )
            for path, each in documents.items()
        ]
        return types.WorkspaceEdit(document_changes=[*made, *changes])

    def made_by(self, edits: Edits) -> list[Path]:
        """The files that edits are of and that are not there yet."""
        return [path for path in edits if not self.workspace.files.is_there(path)]

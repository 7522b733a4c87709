"""The texts that are open in an editor, each with its version."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote

from lsprotocol import types
from pygls import uris

from kbrules.library.reading import RULES, real_path
from kbrules.tools.language_server.positions import UTF16, LineTable

Change = types.TextDocumentContentChangeEvent
_LONGEST = 200  # characters of a name that stands for a text without a file
_UNSAVED = "untitled:"
_MARK = "\ufeff"
_NUMBERS = itertools.count(1)


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


def path_of_name(name: str) -> Path:
    """Where the file lies that findings call so."""
    return real_path(Path(name))


def uri_of(path: Path) -> str:
    """The address of a file."""
    return uris.from_fs_path(str(path.absolute())) or path.absolute().as_uri()


@dataclass(frozen=True)
class Document:
    """One text that is open, as the editor has it in one version.

    `number` is another one for each text there ever was.
    """

    uri: str
    path: Path
    version: int | None
    text: str
    encoding: str = UTF16
    number: int = field(default_factory=lambda: next(_NUMBERS))

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

    def changed(self, changes: Sequence[Change], version: int | None) -> Document:
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
        return Document(self.uri, self.path, version, whole, self.encoding)


class Documents:
    """The open texts by where they lie, all links followed, and what the editor calls places."""

    def __init__(self) -> None:
        self.encoding: str = UTF16
        self._open: dict[Path, Document] = {}
        self._uris: dict[Path, str] = {}
        self._roots: dict[Path, Path] = {}
        self._linked: dict[Path, Path] = {}

    def __iter__(self) -> Iterator[Document]:
        return iter([*self._open.values()])

    def __contains__(self, path: Path) -> bool:
        return path in self._open

    def at(self, path: Path) -> Document | None:
        """The open text of a file, if it is open."""
        return self._open.get(path)

    def open(self, item: types.TextDocumentItem) -> Document:
        """An open text from now on."""
        document = Document(item.uri, path_of(item.uri), item.version, item.text, self.encoding)
        self._open[document.path] = document
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

    def change(self, params: types.DidChangeTextDocumentParams) -> Document | None:
        """The text after a change; None if it is not open."""
        before = self._open.get(path_of(params.text_document.uri))
        if before is None:
            return None
        document = before.changed(params.content_changes, params.text_document.version)
        self._open[document.path] = document
        return document

    def close(self, uri: str) -> Path:
        """An open text no longer."""
        path = path_of(uri)
        self._open.pop(path, None)
        return path

"""The server: texts come in, questions are answered, and findings are told."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar
from zlib import crc32

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInternalError
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter

from kbrules import __version__
from kbrules.library.reading import author_folder, is_shipped
from kbrules.tools.language_server import documents as open_documents, session as sessions
from kbrules.tools.language_service.answers import Finding, Refused

# Pictures that an editor shows, as files for as long as the server runs.


_LONGEST = 60  # characters of a title that the name of a file begins with


class Pictures:
    """The pictures of one server, in one folder, which is made for the first and ends with it."""

    def __init__(self) -> None:
        self._folder: TemporaryDirectory[str] | None = None

    def keep(self, path: Path, title: str, svg: str) -> Path:
        """Where the picture of an example of a file is; a later one of it lies there as well."""
        if self._folder is None:
            self._folder = TemporaryDirectory(prefix="kbrules-")
        words = "".join(each if each.isalnum() else "-" for each in title[:_LONGEST])
        number = crc32(f"{path} {title}".encode("utf-8", "surrogatepass"))
        file = Path(self._folder.name) / f"{words}-{number:08x}.svg"
        file.write_text(svg, encoding="utf-8")
        return file

    def close(self) -> None:
        """Remove all of them."""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


# Other commands of kbrules that an editor begins: a game in a terminal, and the workshop.


PROGRAM = (sys.executable, "-m", "kbrules")
_PATIENCE = 30  # seconds until the workshop must have printed its address


def folder_of(path: Path) -> Path | None:
    """The expansion that a file lies in; None for shipped files and single ones."""
    home = None if is_shipped(path) else author_folder(path)
    return home.absolute() if home is not None else None


class Workshops:
    """The workshops that were opened, one for each folder; they end with the server."""

    def __init__(self) -> None:
        self._open: dict[Path, tuple[Process, str]] = {}

    async def address(self, path: Path) -> str:
        """Where the workshop of the expansion of a file is, which is begun if it is not there."""
        home = folder_of(path)
        if home is None:
            raise Refused("the workshop opens expansions, and this file lies in none")
        opened = self._open.get(home)
        if opened is not None and opened[0].returncode is None:
            return opened[1]
        words = (*PROGRAM, "workshop", str(home), "--no-browser")
        process = await asyncio.create_subprocess_exec(*words, stdout=PIPE)
        address = await self._printed_address(process)
        self._open[home] = process, address
        return address

    async def _printed_address(self, process: Process) -> str:
        """The address that a workshop prints. Raises Refused if it ends or says nothing."""
        assert process.stdout is not None
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                while line := await process.stdout.readline():
                    if (address := line.decode().strip()).startswith("http://"):
                        return address
        with suppress(ProcessLookupError):
            process.kill()
        raise Refused("the workshop could not be opened")

    def close(self) -> None:
        """End all of them."""
        for process, _ in self._open.values():
            with suppress(ProcessLookupError):
                process.terminate()


Result = TypeVar("Result")
_LOG = logging.getLogger(__name__)


class Server(LanguageServer):
    """One server for one client, with the texts and folders that this one has open."""

    protocol: open_documents.Protocol

    def __init__(self) -> None:
        super().__init__(
            "kbrules",
            __version__,
            types.TextDocumentSyncKind.Incremental,
            protocol_cls=open_documents.Protocol,
            converter_factory=default_converter,
        )
        self.session = sessions.EditorSession()
        self.checking = sessions.SessionChecker(self.session, self.publish)
        self.workshops, self.pictures = Workshops(), Pictures()
        self.cache = sessions.Cache()
        self.shows_results = True

    @property
    def client(self) -> sessions.Client:
        """What the client can do."""
        return sessions.Client(self.client_capabilities)

    def publish(
        self,
        path: Path,
        document: open_documents.OpenDocument | None,
        found: Sequence[Finding],
        lines_of: Callable[[Path], open_documents.LineTable],
    ) -> None:
        """Tell all that is wrong with a file, in the version that is shown."""
        uri = self.session.documents.uri
        diagnostics = [open_documents.as_diagnostic(each, lines_of, uri) for each in found]
        for each in diagnostics if not self.client.can(sessions.Can.SHOW_RELATED_PLACES) else ():
            each.related_information = None
        version = document.version if document is not None else None
        params = types.PublishDiagnosticsParams(uri(path), diagnostics, version)
        self.text_document_publish_diagnostics(params)

    def show(self, text: str) -> None:
        """Show what came of a command, unless the client said that it does so itself."""
        if self.shows_results:
            params = types.ShowMessageParams(types.MessageType.Info, text)
            self.window_show_message(params)

    async def show_document(self, uri: str, is_page: bool) -> None:
        """Let the client show a file beside what it shows, or open a page, if it can."""
        if self.client.can(sessions.Can.SHOW_DOCUMENTS):
            params = types.ShowDocumentParams(uri, external=is_page, take_focus=is_page)
            await self.window_show_document_async(params)

    async def refresh_lenses(self) -> None:
        """Let the client ask for the lenses anew, if it can."""
        if self.client.can(sessions.Can.REFRESH_LENSES):
            await self.workspace_code_lens_refresh_async(None)


async def answered(response: Awaitable[Result]) -> Result:
    """What comes of a request, or the error of the protocol that says why nothing does."""
    try:
        return await response
    except Refused as refused:
        reason = f"{refused}; {refused.help}" if refused.help else str(refused)
        raise _failed(reason) from None
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


# What a client tells without waiting for an answer: texts, folders, files and settings.


IDLE = "kbrules/idle"
"""A request of our own, answered once all that is open is checked."""
PATTERNS = ("**/*.kb", "**/*.yaml", "**/kbrules.toml", "**/pyproject.toml")
FILES = types.FileOperationRegistrationOptions([
    types.FileOperationFilter(types.FileOperationPattern(pattern, kind), "file")
    for pattern, kind in (
        *((pattern, types.FileOperationPatternKind.File) for pattern in PATTERNS),
        ("**", types.FileOperationPatternKind.Folder),
    )
])  # fmt: skip
"""Files and folders of which we want to know when an editor makes, renames or deletes them."""


def add_lifecycle(server: Server) -> None:
    """Let a server take part in the life of a client."""
    _add_start(server)
    _add_texts(server)
    _add_files(server)

    @server.feature(IDLE)
    async def idle(params: Any) -> None:
        await server.checking.until_idle()


def _add_start(server: Server) -> None:
    @server.feature(types.INITIALIZE)
    def begin(params: types.InitializeParams) -> None:
        options = params.initialization_options
        server.shows_results = _option(options, "showResults", True)
        encoding = server.workspace.position_encoding
        server.session.documents.encoding = encoding or open_documents.Encoding.Utf16
        _open_roots(server)
        with suppress(OSError, IndexError):  # settings count from here, and names are short
            os.chdir(server.session.roots[0])

    @server.feature(types.INITIALIZED)
    async def watch(params: types.InitializedParams) -> None:
        if server.client.can(sessions.Can.WATCH_FILES):
            watchers = [types.FileSystemWatcher(pattern) for pattern in PATTERNS]
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
            method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
            wanted = types.Registration("kbrules.files", method, options)
            await server.client_register_capability_async(types.RegistrationParams([wanted]))

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders(params: types.DidChangeWorkspaceFoldersParams) -> None:
        _open_roots(server)
        server.checking.forget()

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def settings(params: types.DidChangeConfigurationParams) -> None:
        server.checking.changed_on_disk([])


def _option(options: Any, name: str, usual: bool) -> bool:
    """A setting with which the client begins; the usual one if it says nothing of it."""
    given = options.get(name) if isinstance(options, dict) else getattr(options, name, None)
    return given if isinstance(given, bool) else usual


def _open_roots(server: Server) -> None:
    uris = [folder.uri for folder in server.workspace.folders.values()]
    if not uris and server.workspace.root_uri is not None:
        uris = [server.workspace.root_uri]
    server.session.open_roots(server.session.documents.open_roots(uris))


def _add_texts(server: Server) -> None:
    session, checking = server.session, server.checking

    for method in (types.TEXT_DOCUMENT_DID_OPEN, types.TEXT_DOCUMENT_DID_CHANGE):

        @server.feature(method)
        def edited(params: Any) -> None:
            documents, item = session.documents, params.text_document
            before = documents.get(open_documents.path_of(item.uri))
            is_new = isinstance(params, types.DidOpenTextDocumentParams)
            document = documents.open(item) if is_new else documents.change(params)
            if document is not None:
                session.edited(document)
                checking.edited(document, before)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        path = open_documents.path_of(params.text_document.uri)
        session.changed_on_disk([path])
        if (document := session.documents.get(path)) is not None:
            checking.saved(document)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        path = session.documents.close(params.text_document.uri)
        session.closed(path)
        checking.closed(path)


_OF_FILES = {
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: None,
    types.WORKSPACE_DID_CREATE_FILES: FILES,
    types.WORKSPACE_DID_DELETE_FILES: FILES,
    types.WORKSPACE_DID_RENAME_FILES: FILES,
}


def _add_files(server: Server) -> None:
    for method, options in _OF_FILES.items():

        @server.feature(method, options)
        def changed(params: Any) -> None:
            is_watched = isinstance(params, types.DidChangeWatchedFilesParams)
            files = params.changes if is_watched else params.files
            names = ("uri", "old_uri", "new_uri")
            uris = (getattr(each, name, None) for each in files for name in names)
            paths = [open_documents.path_of(uri) for uri in uris if uri is not None]
            server.session.changed_on_disk(paths)
            server.checking.changed_on_disk(paths)

"""What a client tells without waiting for an answer: texts, folders, files and settings."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from lsprotocol import types

from kbrules.tools.language_server.documents import path_of
from kbrules.tools.language_server.server import Server

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
        server.session.documents.encoding = str(server.workspace.position_encoding or "utf-16")
        _open_roots(server)
        with suppress(OSError, IndexError):  # settings count from here, and names are short
            os.chdir(server.session.roots[0])

    @server.feature(types.INITIALIZED)
    async def watch(params: types.InitializedParams) -> None:
        if server.client.watches_files:
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

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        before = session.documents.at(path_of(params.text_document.uri))
        document = session.documents.open(params.text_document)
        session.edited(document)
        checking.edited(document, before)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        before = session.documents.at(path_of(params.text_document.uri))
        document = session.documents.change(params)
        if document is not None:
            session.edited(document)
            checking.edited(document, before)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        path = path_of(params.text_document.uri)
        session.changed_on_disk([path])
        if (document := session.documents.at(path)) is not None:
            checking.saved(document)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        path = session.documents.close(params.text_document.uri)
        session.closed(path)
        checking.closed(path)


def _add_files(server: Server) -> None:
    def changed(uris: Iterable[str]) -> None:
        paths: list[Path] = [path_of(uri) for uri in uris]
        server.session.changed_on_disk(paths)
        server.checking.changed_on_disk(paths)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def watched(params: types.DidChangeWatchedFilesParams) -> None:
        changed(each.uri for each in params.changes)

    @server.feature(types.WORKSPACE_DID_CREATE_FILES, FILES)
    def created(params: types.CreateFilesParams) -> None:
        changed(each.uri for each in params.files)

    @server.feature(types.WORKSPACE_DID_DELETE_FILES, FILES)
    def deleted(params: types.DeleteFilesParams) -> None:
        changed(each.uri for each in params.files)

    @server.feature(types.WORKSPACE_DID_RENAME_FILES, FILES)
    def renamed(params: types.RenameFilesParams) -> None:
        changed(uri for each in params.files for uri in (each.old_uri, each.new_uri))

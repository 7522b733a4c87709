"""An editor as the server sees it: a client of pytest-lsp, with the capabilities of a real one."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

from lsprotocol import types
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import make_test_lsp_client

PATIENCE = 60
IDLE = "kbrules/idle"
Partial, Whole = (
    types.TextDocumentContentChangePartial,
    types.TextDocumentContentChangeWholeDocument,
)


class Editor:
    """One client with its server. Its methods wait for what they are about."""

    def __init__(self, loop: asyncio.AbstractEventLoop, log: Path | None = None) -> None:
        self._loop, self._log = loop, log
        self.client: LanguageClient = make_test_lsp_client()
        self.versions: dict[str, int] = {}
        self.published: list[types.PublishDiagnosticsParams] = []
        self.registered: list[types.Registration] = []
        self.edits: list[types.WorkspaceEdit] = []
        self.choose: Callable[[list[str]], str | None] = lambda titles: titles[0]

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        """What comes of something that the client does."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)

    def begun(self, work: Coroutine[Any, Any, Any]) -> Future[Any]:
        """What will come of something that the client does."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    # Begin and end

    def begin(
        self,
        roots: Sequence[Path],
        kind: str = "visual-studio-code",
        encoding: str | None = None,
        options: dict[str, Any] | None = None,
    ) -> types.InitializeResult:
        """Start a server and open folders."""
        self._listen()
        capabilities = client_capabilities(kind)
        if encoding is not None:
            capabilities.general = capabilities.general or types.GeneralClientCapabilities()
            capabilities.general.position_encodings = [types.PositionEncodingKind(encoding)]
        folders = [types.WorkspaceFolder(root.as_uri(), root.name) for root in roots]
        params = types.InitializeParams(
            capabilities, workspace_folders=folders, initialization_options=options or {}
        )
        self.run(self._start())
        found: types.InitializeResult = self.run(self.client.initialize_session(params))
        return found

    async def _start(self) -> None:
        words = ["-m", "kbrules", "lsp"]
        if self._log is not None:
            words += ["--log", "warning", "--log-file", str(self._log)]
        await self.client.start_io(sys.executable, *words)

    def _listen(self) -> None:
        client = self.client

        @client.feature(types.CLIENT_REGISTER_CAPABILITY)
        def register(params: types.RegistrationParams) -> None:
            self.registered += params.registrations

        @client.feature(types.WINDOW_SHOW_MESSAGE_REQUEST)
        def ask(params: types.ShowMessageRequestParams) -> types.MessageActionItem | None:
            title = self.choose([action.title for action in params.actions or ()])
            return None if title is None else types.MessageActionItem(title)

        @client.feature(types.WORKSPACE_APPLY_EDIT)
        def apply(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
            self.edits.append(params.edit)
            return types.ApplyWorkspaceEditResult(applied=True)

        @client.feature(types.WORKSPACE_CODE_LENS_REFRESH)
        def refresh(params: None) -> None:
            pass

        record = client.protocol.fm.features[types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS]

        def publish(params: types.PublishDiagnosticsParams) -> None:
            self.published.append(params)
            record(params)

        client.protocol.fm.features[types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS] = publish

    def end(self) -> int | None:
        """Say goodbye, and return the exit code of the server."""
        self.run(self.client.shutdown_session())
        server = self.client._server
        self.run(self.client.stop())
        return server.returncode if server is not None else None

    # Texts

    def open(self, path: Path, text: str | None = None) -> None:
        """Open a file, perhaps with another text than the one on disk."""
        uri = path.as_uri()
        self.versions[uri] = 1
        content = path.read_bytes().decode() if text is None else text
        item = types.TextDocumentItem(uri, "kbrules", 1, content)
        self.send("text_document_did_open", types.DidOpenTextDocumentParams(item))

    def change(self, path: Path, *changes: types.TextDocumentContentChangeEvent) -> int:
        """Change an open text; the version that it has then."""
        uri = path.as_uri()
        self.versions[uri] += 1
        version = types.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        params = types.DidChangeTextDocumentParams(version, [*changes])
        self.send("text_document_did_change", params)
        return self.versions[uri]

    def write(self, path: Path, text: str) -> int:
        """Give an open text another content as a whole."""
        return self.change(path, Whole(text))

    def save(self, path: Path, text: str) -> None:
        """Write the text of an open file to disk."""
        path.write_text(text, encoding="utf-8")
        params = types.DidSaveTextDocumentParams(self.id(path))
        self.send("text_document_did_save", params)

    def close(self, path: Path) -> None:
        self.send("text_document_did_close", types.DidCloseTextDocumentParams(self.id(path)))

    def disk(self, *paths: Path, kind: types.FileChangeType = types.FileChangeType.Changed) -> None:
        """Tell that files have changed on disk."""
        events = [types.FileEvent(path.as_uri(), kind) for path in paths]
        params = types.DidChangeWatchedFilesParams(events)
        self.send("workspace_did_change_watched_files", params)

    # Requests

    def id(self, path: Path) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(path.as_uri())

    def send(self, name: str, params: Any) -> None:
        """Send a notification."""

        async def sent() -> None:
            getattr(self.client, name)(params)

        self.run(sent())

    def ask(self, name: str, params: Any) -> Any:
        """The answer to a request, by the name of the client's method."""
        return self.run(getattr(self.client, f"{name}_async")(params))

    def raw(self, method: str, params: Any) -> Any:
        """The answer to a message that need not be one of the protocol."""
        protocol, id = self.client.protocol, f"raw {time.monotonic()}"
        message = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}

        async def sent() -> Any:
            protocol._request_futures[id] = answer = Future()
            protocol._send_data(message)
            return await asyncio.wrap_future(answer)

        return self.run(sent())

    def command(self, name: str, *arguments: Any) -> Any:
        """What a command answers."""
        params = types.ExecuteCommandParams(name, [*arguments])
        return self.ask("workspace_execute_command", params)

    def idle(self) -> None:
        """Wait until all that is open is checked, lints as well."""
        self.run(self.client.protocol.send_request_async(IDLE))

    # Findings

    def found(self, path: Path) -> list[types.Diagnostic]:
        """What is told of a file now."""
        return [*self.client.diagnostics.get(path.as_uri(), ())]

    def codes(self, path: Path) -> list[str]:
        """The codes of what is told of a file now."""
        return [str(each.code) for each in self.found(path)]

    def until(self, holds: Callable[[], object]) -> None:
        """Wait until something holds, or fail."""
        end = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < end, self.client.diagnostics
            time.sleep(0.01)

    def until_codes(self, path: Path, codes: Sequence[str]) -> None:
        """Wait until just these are told of a file in its version."""
        self.until(lambda: self.codes(path) == [*codes])


@contextmanager
def editor(log: Path | None = None) -> Iterator[Editor]:
    """An editor whose loop runs in a thread beside the test."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()
    made = Editor(loop, log)
    try:
        yield made
    finally:
        server = made.client._server
        if server is not None and server.returncode is None:
            made.end()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()

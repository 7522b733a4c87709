"""The server as a process: how it begins and ends, what it counts in, and what breaks nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from kbrules.tools.language_server.commands.names import COMMANDS
from tests.tools.language_server.editor import Editor, Partial, editor

SERVER = [sys.executable, "-m", "kbrules", "lsp"]


def message(method: str, params: object = None, id: int | None = None) -> bytes:
    message = {"jsonrpc": "2.0", "method": method, "params": params or {}}
    body = json.dumps(message if id is None else {**message, "id": id}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


BEGIN = message("initialize", {"capabilities": {}, "processId": None, "rootUri": None}, 1)


@pytest.mark.parametrize(
    ("input", "code"),
    [
        (BEGIN + message("shutdown", id=2) + message("exit"), 0),
        (BEGIN + message("exit"), 1),
        (BEGIN, 1),
        (b"", 1),
        (
            b"Content-Length: 5\r\n\r\n{{{{{" + BEGIN + message("shutdown", id=2) + message("exit"),
            0,
        ),
    ],
    ids=["goodbye", "exit alone", "gone", "nothing", "noise first"],
)
def test_the_exit_code_says_whether_the_editor_said_goodbye(input: bytes, code: int) -> None:
    run = subprocess.run(SERVER, input=input, capture_output=True, timeout=60)
    assert run.returncode == code
    assert run.stdout.count(b"Content-Length") == run.stdout.count(b'"jsonrpc"')


def test_a_fault_is_an_answer_and_the_server_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "lone.kb"
    path.write_text("define lonely: mine & adjacent(mine)\n")
    with editor(tmp_path / "log") as desk:
        desk.begin([tmp_path])
        desk.open(path)
        for method, params in (
            ("textDocument/hover", {"textDocument": 3}),
            ("textDocument/unheardOf", {}),
            ("workspace/executeCommand", {"command": "kbrules.unheardOf"}),
            ("workspace/executeCommand", {"command": "kbrules.why", "arguments": [{"a": 1}]}),
            ("workspace/executeCommand", {"command": "kbrules.why", "arguments": []}),
        ):
            with pytest.raises(JsonRpcException) as refused:
                desk.raw(method, params)
            assert refused.value.code < 0 and "Traceback" not in str(refused.value)
        for uri in ("untitled:Untitled-1", "file:///no/such/file.kb", "git:/a.kb?x", "%%%", ""):
            id, place = types.TextDocumentIdentifier(uri), types.Position(7, 7)
            assert desk.ask("text_document_hover", types.HoverParams(id, place)) is None
        far = types.HoverParams(desk.id(path), types.Position(10**6, 10**6))
        desk.ask("text_document_hover", far)
        tail_probability = types.HoverParams(desk.id(path), types.Position(0, 18))
        assert "adjacent" in desk.ask("text_document_hover", tail_probability).contents.value


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 12), ("utf-16", 10), ("utf-32", 9)])
def test_places_are_counted_as_was_agreed(tmp_path: Path, encoding: str, column: int) -> None:
    path = tmp_path / "lone.kb"
    path.write_text("")
    with editor(tmp_path / "log") as desk:
        found = desk.begin([tmp_path], encoding=encoding)
        assert found.capabilities.position_encoding == encoding
        desk.open(path, 'card x "😀" oops:\n    "It pays."\n    gold 1\n')
        desk.until(lambda: "KB101" in desk.codes(path))
        (wrong,) = (each.range for each in desk.found(path) if each.code == "KB101")
        assert wrong.start == types.Position(0, column + 2)
        oops = types.Range(types.Position(0, column + 1), types.Position(0, column + 6))
        desk.change(path, Partial(oops, ""))
        desk.until(lambda: "KB410" in desk.codes(path))
        symbols = types.DocumentSymbolParams(desk.id(path))
        (symbol,) = desk.ask("text_document_document_symbol", symbols)
        assert symbol.selection_range.start.character == 5
        desk.idle()
        assert (tmp_path / "log").read_text() == ""


def test_a_text_that_was_never_saved_is_checked_as_rules(desk: Editor) -> None:
    uri = "untitled:Untitled-1"
    item = types.TextDocumentItem(uri, "kbrules", 1, "define lonely: mine & adjacnt(mine)\n")
    desk.send("text_document_did_open", types.DidOpenTextDocumentParams(item))
    desk.until(lambda: [each.code for each in desk.client.diagnostics.get(uri, ())] == ["KB201"])
    place = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(0, 16))
    assert "piece of the player" in desk.ask("text_document_hover", place).contents.value
    closed = types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri))
    desk.send("text_document_did_close", closed)
    desk.until(lambda: not desk.client.diagnostics.get(uri))


def test_renamed_folders_are_told_and_settings_too(tmp_path: Path) -> None:
    with editor() as desk:
        result = desk.begin([tmp_path])
        operations = result.capabilities.workspace and result.capabilities.workspace.file_operations
        assert operations is not None
        for told in (operations.did_create, operations.did_rename, operations.did_delete):
            assert told is not None
            kinds = {each.pattern.glob: each.pattern.matches for each in told.filters}
            assert kinds["**"] == types.FileOperationPatternKind.Folder
            assert {"**/kbrules.toml", "**/pyproject.toml", "**/*.kb", "**/*.yaml"} <= {*kinds}


def test_what_a_client_cannot_do_is_not_asked_of_it(tmp_path: Path) -> None:
    with editor() as desk:
        result = desk.begin([tmp_path], "neovim@v0.7.0")
        commands = result.capabilities.execute_command_provider
        assert commands is not None and [*commands.commands] == [*map(str, COMMANDS)]
        assert desk.registered == []


def test_files_are_watched_where_the_client_can(desk: Editor) -> None:
    watches = desk.client.capabilities.workspace.did_change_watched_files
    wanted = bool(watches and watches.dynamic_registration)
    desk.until(lambda: bool(desk.registered) is wanted)


def test_two_boxes_of_one_id_and_two_folders(tmp_path: Path, pattern: Path) -> None:
    import shutil

    roots = [tmp_path / "one", tmp_path / "two"]
    paths = [root / "dale/rules/dale.kb" for root in roots]
    for root in roots:
        shutil.copytree(pattern, root / "dale")
    with editor(tmp_path / "log") as desk:
        desk.begin(roots)
        for path in paths:
            desk.open(path)
        desk.write(paths[0], paths[0].read_text().replace("adjacent(mine)", "adjacent(mime)"))
        desk.until_codes(paths[0], ["KB201"])
        desk.idle()
        assert desk.codes(paths[1]) == []
        folders = types.WorkspaceFoldersChangeEvent(
            [], [types.WorkspaceFolder(roots[0].as_uri(), "one")]
        )
        params = types.DidChangeWorkspaceFoldersParams(folders)
        desk.send("workspace_did_change_workspace_folders", params)
        desk.idle()
        assert desk.codes(paths[0]) == ["KB201"] and desk.codes(paths[1]) == []
        assert (tmp_path / "log").read_text() == ""

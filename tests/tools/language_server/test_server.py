"""The server as a process, alone and in Neovim."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from kbrules.tools.language_server.commands import CommandName
from kbrules.tools.language_server.documents import MAX_BODY, body_of, length_of_next
from kbrules.tools.language_server.requests import REQUESTS
from tests.source_tree import ROOT
from tests.tools.language_server.editor import Editor, Partial, editor

SERVER = [sys.executable, "-m", "kbrules", "lsp"]


def message(method: str, params: object = None, id: object = None) -> bytes:
    message = {"jsonrpc": "2.0", "method": method, "params": params or {}}
    return framed(json.dumps(message if id is None else {**message, "id": id}).encode())


def framed(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def answers(output: bytes) -> list[dict[str, Any]]:
    """What the server said, one message after the other."""
    found, stream = [], BytesIO(output)
    while (length := length_of_next(stream)) is not None:
        found.append(json.loads(stream.read(length)))
    return found


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


PARSE, INVALID, NOT_BEGUN, CANCELLED = -32700, -32600, -32002, -32800
HOVER = {"textDocument": {"uri": "file:///no/such.kb"}, "position": {"line": 0, "character": 0}}
BEFORE = (
    (message("textDocument/hover", HOVER, 40), (40, NOT_BEGUN)),
    (message("initialized"), None),
)
NOISE = (
    *((message("textDocument/hover", HOVER, id), (None, INVALID)) for id in ({"a": 1}, [1], 1.5)),
    (message("textDocument/hover", HOVER, True), (None, INVALID)),
    (framed(b'{"jsonrpc": "2.0", "id": null, "method": "shutdown"}'), (None, INVALID)),
    (framed(b'{"jsonrpc": "2.0", "id": 41, "method": {}}'), (None, INVALID)),
    (framed(b'{"jsonrpc": "2.0", "id": {"a": 1}, "result": 1}'), None),
    (framed(b'{"jsonrpc": "2.0", "id": 42, "error": 3}'), None),
    (framed(b'{"jsonrpc": "2.0", "id": NaN, "method": "x"}'), (None, PARSE)),
    (framed(b"[" * 100_000 + b"]" * 100_000), (None, PARSE)),
    (framed(b"9" * 5000), (None, PARSE)),
    (framed(b'"\xff\xff"'), (None, PARSE)),
    (b"Content-Length: 0\r\n\r\n", (None, PARSE)),
    *((framed(body), (None, INVALID)) for body in (b"[]", b"null", b'"a"', b"{}")),
    (message("$/cancelRequest", {"id": {"a": 1}}), None),
    (message("initialize", {"capabilities": {}}, 43), (43, INVALID)),
    (message("textDocument/hover", {"textDocument": 3}, 44), (44, -32602)),
    (b"X-Much: " + b"a" * 1_000_000 + b"\r\n" * 3, None),
    (b"Content-Length: -5\r\n\r\n", None),
    (framed(b"a" * (MAX_BODY + 1)), (None, INVALID)),
)
AFTER = tuple(
    (message(method, {}, 50 + at), (50 + at, INVALID))
    for at, method in enumerate(["textDocument/hover", "un/heard", "shutdown", "initialize"])
)


def test_what_is_no_request_is_refused_and_the_server_goes_on() -> None:
    one_id = [message("textDocument/hover", HOVER, 7)] * 20
    input = b"".join([
        *(sent for sent, _ in BEFORE), BEGIN, *(sent for sent, _ in NOISE), *one_id,
        message("shutdown", id=2), *(sent for sent, _ in AFTER), message("exit"),
    ])  # fmt: skip
    run = subprocess.run(SERVER, input=input, capture_output=True, timeout=60)
    assert (run.returncode, run.stderr) == (0, b"")
    said = answers(run.stdout)
    errors = [(each["id"], each["error"]["code"]) for each in said if "error" in each]
    plain = [error for error in errors if error[0] != 7]
    assert plain == [due for _, due in (*BEFORE, *NOISE, *AFTER) if due is not None]
    assert {id for id, code in errors if code == CANCELLED} <= {7}
    assert sum(each["id"] == 7 for each in said) == 20
    assert [each["id"] for each in said if "result" in each and each["id"] != 7] == [1, 2]


@pytest.mark.parametrize("length", [b"99999999999", b"9" * 5000, b"500"])
def test_a_message_that_cannot_come_ends_it_quietly(length: bytes) -> None:
    input = BEGIN + b"Content-Length: %s\r\n\r\n{}" % length
    run = subprocess.run(SERVER, input=input, capture_output=True, timeout=60)
    assert (run.returncode, run.stderr) == (1, b"")
    codes = [each["error"]["code"] for each in answers(run.stdout) if "error" in each]
    assert codes == ([] if length == b"500" else [INVALID])


@pytest.mark.parametrize("head", [b"content-length:3\n\n", b"X: 1\r\nContent-Length: \t3\r\n\r\n"])
def test_heads_are_read_as_http_has_them(head: bytes) -> None:
    stream = BytesIO(b"\r\nnoise\r\n" + head + b"abc")
    assert length_of_next(stream) == 3
    assert (body_of(stream, 3), length_of_next(stream)) == (b"abc", None)


def test_a_workspace_that_is_a_link_is_told_by_its_name(tmp_path: Path, pattern: Path) -> None:
    (tmp_path / "real").mkdir()
    shutil.copytree(pattern, tmp_path / "real" / "dale")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    folder = tmp_path / "link" / "dale"
    rules = next(folder.rglob("*.kb"))
    (folder / "more.kb").write_text('define spot "S.": adjacent(mine)\ndefine spot "S.": mine\n')
    with editor() as desk:
        desk.begin([tmp_path / "link"])
        desk.open(rules, 'rule lone "L.":\n    "W."\n    permit build on spot & nowhere\n')
        desk.until(
            lambda: "KB201" in desk.codes(rules) and "KB202" in desk.codes(folder / "more.kb")
        )
        assert all("/real/" not in each.uri for each in desk.published)
        at = types.DefinitionParams(desk.id(rules), types.Position(2, 21))
        places = desk.ask("text_document_definition", at)
        assert {each.uri for each in places} == {(folder / "more.kb").as_uri()}


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
        assert commands is not None and [*commands.commands] == [*map(str, CommandName)]
        assert desk.registered == []


def test_files_are_watched_where_the_client_can(desk: Editor) -> None:
    watches = desk.client.capabilities.workspace.did_change_watched_files
    wanted = bool(watches and watches.dynamic_registration)
    desk.until(lambda: bool(desk.registered) is wanted)


def test_two_boxes_of_one_id_and_two_folders(tmp_path: Path, pattern: Path) -> None:
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


PAGE = ROOT / "docs" / "editors.md"
NEOVIM = shutil.which("nvim")


def fenced(language: str) -> list[str]:
    """The blocks of the page in a language."""
    text = PAGE.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.skipif(NEOVIM is None, reason="there is no Neovim")
def test_a_broken_card_is_seen_mended_and_renamed(tmp_path: Path, pattern: Path) -> None:
    assert NEOVIM is not None
    shutil.copytree(pattern, tmp_path / "dale")
    rules = tmp_path / "dale/rules/dale.kb"
    rules.write_text(rules.read_text().replace("adjacent(mine)", "adjacent(mime)"))
    init, program = tmp_path / "init.lua", tmp_path / "bin" / "kbrules"
    init.write_text("".join(fenced("lua")))
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m kbrules "$@"\n')
    program.chmod(0o755)
    script, out = Path(__file__).with_name("neovim.lua"), tmp_path / "seen.json"
    environment = {
        **os.environ,
        "PATH": f"{program.parent}:{os.environ['PATH']}",
        "KB_FILE": str(rules),
        "KB_OUT": str(out),
        "HOME": str(tmp_path),
        "XDG_STATE_HOME": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path),
    }
    words = [NEOVIM, "--headless", "-n", "-i", "NONE", "-u", str(init), "-S", str(script)]
    run = subprocess.run(
        words, env=environment, cwd=tmp_path, capture_output=True, timeout=300, text=True
    )
    assert out.exists(), run.stderr
    seen = json.loads(out.read_text())
    assert "fault" not in seen, seen["fault"]
    (finding,) = seen["broken"]
    assert "did you mean `mine`?" in finding["message"]
    lines = rules.read_text().splitlines()
    assert seen["filetype"] == "kbrules" and "adjacent" in seen["hover"]
    assert "adjacent" in seen["completion"] and seen["mended"] == [] and seen["after"] == []
    assert "card miller" in "\n".join(lines) and lines == seen["renamed"]
    assert "miller" in (tmp_path / "dale/expansion.yaml").read_text()
    assert "touching" in "\n".join(seen["why"])


def test_the_page_lists_every_request_and_command() -> None:
    text = PAGE.read_text(encoding="utf-8")
    requests = text[text.index("<!-- requests -->") : text.index("## Commands")]
    named = set(re.findall(r"`((?:textDocument|workspace|completionItem)/[A-Za-z/]+)`", requests))
    assert named == {*REQUESTS, "textDocument/publishDiagnostics"}
    for name in CommandName:
        assert f"| `{name.value}` | address" in text


def test_configurations_of_other_editors_can_be_read() -> None:
    (helix,), (zed,), (emacs,) = map(fenced, ("toml", "json", "elisp"))
    assert tomllib.loads(helix)["language-server"]["kbrules"]["args"] == ["lsp"]
    assert json.loads(zed)["lsp"]["yaml-language-server"]["binary"]["path"] == "kbrules"
    assert emacs.count("(") == emacs.count(")")

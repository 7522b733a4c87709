"""The workshop served, and written as files for any host."""

from __future__ import annotations

import http.client
import io
import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from zipfile import ZipFile

import pytest
from typer.testing import CliRunner

from cli.app import program
from kbrules.messages import CODES
from kbrules.tools.editors.highlight import TokenKind, rule_tokens
from kbrules.tools.language_service.answers import MAX_VALUE
from kbrules.tools.workshop import serving, session as in_page
from kbrules.tools.workshop.serving import WorkshopServer
from kbrules.tools.workshop.session import LiveSession, WorkshopSession
from kbrules.tools.workshop.writing import WorkingCopy
from tests.source_tree import ROOT
from tests.tools.workshop.asking import RULES, result_of

WEB = ROOT / "kbrules" / "tools" / "workshop" / "web"


# The server


@pytest.fixture
def server(folder: Path) -> Iterator[WorkshopServer]:
    server = WorkshopServer(LiveSession(WorkingCopy(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def sent(server: WorkshopServer, method: str, path: str, body: str = "", **headers: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=20)
    connection.request(method, path, body, {"Content-Type": "application/json", **headers})
    answer = connection.getresponse()
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
    answer.read()
    connection.close()
    return answer.status


def test_only_who_knows_the_address_is_answered(server: WorkshopServer) -> None:
    at, body = f"/{server.token}/", json.dumps({"method": "open", "params": {}})
    assert sent(server, "GET", at) == sent(server, "GET", f"{at}app.js") == 200
    assert sent(server, "POST", f"{at}api", body) == 200
    outside = f"{at}../server.py", f"{at}/etc/passwd"
    for path in ("/", "/index.html", f"/{server.token[:-1]}/", *outside):
        assert sent(server, "GET", path) == 404
    assert sent(server, "GET", at, Host="evil.example") == 404
    assert sent(server, "POST", f"{at}api", body, Origin="http://evil.example") == 404
    assert sent(server, "POST", f"{at}api", body, **{"Content-Type": "text/plain"}) == 404
    assert sent(server, "POST", "/api", body) == 404
    for nonsense in ("", "[]", "{}", "[" * 5000, '{"method": 1, "params": 2}', "\udcff"):
        text = nonsense.encode("utf-8", "surrogateescape").decode("latin-1")
        assert sent(server, "POST", f"{at}api", text) == 200
    assert sent(server, "POST", f"{at}api", **{"Content-Length": str(4 * MAX_VALUE + 1)}) == 404
    assert sent(server, "POST", f"{at}api", body) == 200


# Files for any host


def test_files_for_a_host_are_all_kept_and_run_no_inline_script(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "pyodide_files", lambda: {"serving.mjs": b"python"})
    monkeypatch.setattr(serving, "package_files", lambda: {"python.zip": b"packages"})
    monkeypatch.setattr(serving, "memory_files", lambda page: {"memory.bin": page["python.zip"]})
    files = serving.static_files(WorkingCopy(folder))
    listed = json.loads(str(files["offline.js"]).split("FILES = ")[1].split(";\n")[0])
    assert {"./", *files} - {"offline.js"} == {*listed}
    page = str(files["index.html"])
    assert "script-src 'self' 'wasm-unsafe-eval'" in page
    assert "<script>" not in page and " style=" not in page and "http://" not in page
    assert json.loads(str(files["files.json"]))["files"][RULES] == (folder / RULES).read_text()


def test_pages_of_codes_go_to_the_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    def install(command: list[str], folder: str) -> str:
        (Path(folder) / "pydantic_core").mkdir()
        (Path(folder) / "pydantic_core" / "it.so").touch()
        return ""

    monkeypatch.setattr(serving, "run", install)
    with ZipFile(io.BytesIO(serving.package_files()["python.zip"])) as archive:
        assert {f"kbrules/messages/{code}.md" for code in CODES} <= {*archive.namelist()}


def test_what_a_page_asks_first_is_answered_as_always(
    session: WorkshopSession, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(in_page, "FILES", folder.parent)
    first = json.loads(in_page.PageSession("dale").first_answers())
    assert [method for method, *_ in first] == [
        "open", "patterns", "text", "near", "findings", "lints",
    ]  # fmt: skip
    for method, params, answer in first:
        assert answer == json.loads(json.dumps(session.handle(method, params)))


def test_without_npm_nothing_is_written(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    words = ["workshop", str(folder), "--static", str(tmp_path / "out")]
    result = CliRunner().invoke(program(["workshop"]), words)
    assert result.exit_code == 2 and "`npm` cannot be run" in result.output
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("words", "code"), [(["none"], "KB001"), ([".", "--static", "full"], "KB008")]
)
def test_a_folder_that_cannot_be_used_is_told(
    words: list[str], code: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr(serving, "static_files", lambda *_: {})  # nothing is fetched
    (folder / "full").mkdir()
    (folder / "full" / "mine.txt").touch()
    result = CliRunner().invoke(program(["workshop"]), ["workshop", *words])
    assert result.exit_code == 2 and code in result.output


# What the page is made of


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_the_page_colours_rules_as_all_editors_do(session: WorkshopSession, tmp_path: Path) -> None:
    source = (WEB / "tokens.js").read_text(encoding="utf-8")
    (tmp_path / "tokens.mjs").write_text(source.replace('"./vendor/codemirror.js"', '"./stub.mjs"'))
    tags = "new Proxy({}, {get: () => () => 0})"
    stub = f"export const tags = {tags}; export const StreamLanguage = 0;"
    (tmp_path / "stub.mjs").write_text(stub)
    files = [*(ROOT / "rules").rglob("*.kb"), *(ROOT / "tests" / "house").rglob("*.kb")]
    given = {"table": result_of(session, "patterns"), "texts": [each.read_text() for each in files]}
    (tmp_path / "given.json").write_text(json.dumps(given))
    (tmp_path / "run.mjs").write_text(RUN)
    printed = subprocess.run(
        ["node", "run.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    for file, theirs in zip(files, json.loads(printed.stdout), strict=True):
        ours = [(kind, text) for kind, text in rule_tokens(file.read_text()) if text.strip()]
        shown = [(TokenKind(kind), text) for text, kind in theirs if text.strip()]
        assert shown == ours, file


RUN = """
import { readFileSync } from "node:fs";
import { ready, tokensOf } from "./tokens.mjs";
const { table, texts } = JSON.parse(readFileSync("given.json", "utf8"));
const rules = ready(table);
console.log(JSON.stringify(texts.map((text) => {
  let depth = 0;
  return text.split("\\n").flatMap((line) => {
    const found = tokensOf(rules, line, depth);
    depth = found.depth;
    return found.parts;
  });
})));
"""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("npm") is None, reason="Node.js is not installed")
def test_the_bundled_editor_is_what_its_sources_make(tmp_path: Path) -> None:
    vendor = Path(shutil.copytree(WEB / "vendor", tmp_path / "vendor"))
    (vendor / "codemirror.js").unlink()
    for words in (["npm", "install", "--no-audit", "--no-package-lock"], ["npm", "run", "build"]):
        subprocess.run(words, cwd=vendor, check=True, capture_output=True)
    assert (vendor / "codemirror.js").read_bytes() == (WEB / "vendor/codemirror.js").read_bytes()

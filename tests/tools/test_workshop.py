"""The session behind the workshop page, its server, and texts as a browser counts them."""

from __future__ import annotations

import http.client
import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from cli.app import program
from kbrules.tools.authoring.check import FileChecker
from kbrules.tools.editors.highlight import rule_tokens
from kbrules.tools.editors.token_patterns import TokenKind
from kbrules.tools.workshop.playing.share import packed, unpacked
from kbrules.tools.workshop.requests import MOST, Refused
from kbrules.tools.workshop.server import WorkshopServer
from kbrules.tools.workshop.session import LiveSession, Session
from kbrules.tools.workshop.static import in_page, site
from kbrules.tools.workshop.writing.offsets import from_browser, to_browser
from kbrules.tools.workshop.writing.working_copy import MOST_FILES, WorkingCopy
from tests.source_tree import ROOT

RULES = "rules/dale.kb"
WEB = ROOT / "kbrules" / "tools" / "workshop" / "web"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ROOT / "tests" / "house" / "dale", tmp_path / "dale"))


@pytest.fixture
def session(folder: Path, tmp_path: Path) -> Session:
    root = tmp_path / "place" / "dale"
    root.mkdir(parents=True)
    return Session(WorkingCopy(folder, root))


def result_of(session: Session, method: str, **given: Any) -> Any:
    answer = session.handle(method, given)
    assert "result" in answer, answer
    json.dumps(answer)
    return answer["result"]


def refused(session: Session, method: str, **given: Any) -> str:
    error = session.handle(method, given)["error"]
    assert error["message"] and error["code"] != "KB901"
    return str(error["code"])


@given(st.text(), st.integers(0, 50))
def test_offsets_go_to_the_browser_and_back(text: str, at: int) -> None:
    at = min(at, len(text))
    if any("\ud800" <= each <= "\udfff" for each in text):
        return
    assert to_browser(text, at) == len(text[:at].encode("utf-16-le")) // 2
    assert from_browser(text, to_browser(text, at)) == at


def test_a_finding_is_at_its_word_behind_odd_letters_and_carriage_returns(
    session: Session, folder: Path
) -> None:
    rules = folder / RULES
    rules.write_bytes(rules.read_bytes().replace(b"\n", b"\r\n"))
    assert result_of(session, "changes")["taken"] == [RULES]
    text = result_of(session, "text", path=RULES)["text"]
    assert "\r" not in text
    text = "# \U0001f40c\n" + text.replace("in groups(water)", "in grops(water)")
    found = result_of(session, "edit", path=RULES, text=text)["findings"][RULES]
    units = text.encode("utf-16-le")
    finding = next(each for each in found if each["code"] == "KB201")
    assert units[2 * finding["from"] : 2 * finding["to"]].decode("utf-16-le") in ("grops", "grops(")
    result_of(session, "save", path=RULES)
    assert rules.read_bytes().count(b"\r\n") == text.count("\n")


def test_findings_are_those_of_check(session: Session, folder: Path) -> None:
    text = result_of(session, "text", path=RULES)["text"].replace("mine", "mnie")
    found = result_of(session, "edit", path=RULES, text=text)["findings"]
    result_of(session, "save", path=RULES)
    expected = FileChecker().check([folder]).all
    assert [each["code"] for each in found[RULES]] == [each.code for each in expected]


def test_a_file_that_is_no_utf_8_stays_as_it_is(session: Session, folder: Path) -> None:
    rules = folder / RULES
    rules.write_bytes(rules.read_bytes() + b"# caf\xe9\n")
    result_of(session, "changes")
    text = result_of(session, "text", path=RULES)["text"]
    result_of(session, "edit", path=RULES, text=text)
    assert not result_of(session, "text", path=RULES)["changed"]
    result_of(session, "save", path=RULES)
    assert rules.read_bytes().endswith(b"# caf\xe9\n")


def test_a_file_that_changed_on_disk_is_not_written_over(session: Session, folder: Path) -> None:
    text = result_of(session, "text", path=RULES)["text"]
    result_of(session, "edit", path=RULES, text=text + "\n")
    (folder / RULES).write_text("# mine\n")
    assert refused(session, "save", path=RULES) == "KB008"
    assert result_of(session, "changes")["taken"] == []
    assert (folder / RULES).read_text() == "# mine\n"


def test_files_come_and_go_as_on_disk(session: Session, folder: Path) -> None:
    new, gone = "rules/new.kb", "scenarios/ford.scenario.yaml"
    (folder / new).write_text("# new\n")
    (folder / gone).unlink()
    assert result_of(session, "changes")["taken"] == [new, gone]
    names = [each["path"] for each in result_of(session, "open")["files"]]
    assert new in names and gone not in names
    result_of(session, "edit", path=new, text="# newer\n")
    (folder / new).unlink()
    assert result_of(session, "changes")["taken"] == []
    assert refused(session, "save", path=new) == "KB008"
    assert not (folder / new).exists() and "newer" in result_of(session, "text", path=new)["text"]


def test_a_folder_that_became_a_link_is_not_written_through(
    session: Session, folder: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    (folder / "rules").rename(elsewhere)
    (folder / "rules").symlink_to(elsewhere)
    before = (elsewhere / "dale.kb").read_bytes()
    result_of(session, "edit", path=RULES, text="# mine\n")
    assert refused(session, "save", path=RULES) == "KB008"
    assert (elsewhere / "dale.kb").read_bytes() == before


def test_a_folder_of_very_many_files_is_told(tmp_path: Path) -> None:
    many, place = tmp_path / "many", tmp_path / "place"
    many.mkdir()
    place.mkdir()
    for number in range(MOST_FILES + 1):
        (many / f"{number}.kb").touch()
    with pytest.raises(Refused, match="500 files"):
        WorkingCopy(many, place)


def test_nothing_outside_of_the_folder_is_read_or_written(
    session: Session, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret.kb").write_text("secret")
    for path in ("../secret.kb", str(tmp_path / "secret.kb"), "", "rules", "rules/../../secret.kb"):
        for method in ("text", "save", "edit", "format", "examples"):
            assert refused(session, method, path=path, text="") in ("KB001", "KB009")
    (folder / "rules" / "link.kb").symlink_to(tmp_path / "secret.kb")
    assert result_of(session, "changes")["taken"] == []


@pytest.mark.parametrize(
    ("method", "values"),
    [
        ("nothing", {}), ("text", {"path": 1}), ("examples", {"path": RULES, "at": "x"}),
        ("edit", {"path": RULES, "text": "x" * (MOST + 1)}),
        ("edit", {"path": RULES, "text": "\ud800"}), ("new_game", {"bots": ["nobody", "greedy"]}),
        ("new_game", {"bots": ["human"]}), ("new_game", {"boxes": ["none"]}),
        ("new_game", {"seed": -7}), ("new_game", {"cards": ["none"]}), ("undo", {}),
        ("move", {"text": "build a1"}), ("why", {"question": "a"}), ("load", {"text": "{}"}),
        ("share", {"fragment": "AAAA"}), ("share", {"fragment": packed({"header": 3})}),
        ("share", {"fragment": packed({"header": "{}", "moves": ["x"]})}),
        ("draw", {"path": RULES, "example": 0, "hex": "a1", "sign": "W"}),
    ],
)  # fmt: skip
def test_what_cannot_be_had_is_told(session: Session, method: str, values: Any) -> None:
    refused(session, method, **values)


@given(st.binary(max_size=80))
def test_an_address_that_somebody_changed_is_told(noise: bytes) -> None:
    whole = packed({"a": 1})
    changed = whole[: len(noise) % len(whole)] + noise.decode("latin-1")
    try:
        assert isinstance(unpacked(changed), dict)
    except Exception as error:
        assert type(error).__name__ == "Refused"


def played(session: Session, moves: int) -> Any:
    view = result_of(session, "new_game", bots=["human", "greedy"], seed=3)
    for _ in range(moves):
        group = view["offered"][0]
        text = " ".join([group["text"], *group["hexes"][:1]])
        view = result_of(session, "move", text=text)
    return view


def test_a_game_is_undone_shared_loaded_and_goes_on(session: Session) -> None:
    view = played(session, 6)
    result_of(session, "undo")
    result_of(session, "undo")
    assert result_of(session, "redo")["number"] < view["number"]
    back = result_of(session, "redo")
    assert {**back, "can_redo": False} == view
    log, fragment = result_of(session, "log")["text"], result_of(session, "share")["fragment"]
    for again in (
        result_of(session, "load", text=log), result_of(session, "share", fragment=fragment),
        result_of(session, "reload"),
    ):  # fmt: skip
        assert (again["hash"], again["number"]) == (view["hash"], view["number"])
        assert "stopped" not in again


def test_rules_that_change_are_played_as_far_as_the_moves_hold(session: Session) -> None:
    view = played(session, 6)
    text = result_of(session, "text", path=RULES)["text"]
    never = '\nrule never "Never":\n    "None."\n    forbid build on grass | forest | desert\n'
    result_of(session, "edit", path=RULES, text=text + never)
    changed = result_of(session, "reload")
    assert changed["stopped"]["number"] <= view["number"] and changed["number"] < view["number"]
    result_of(session, "edit", path=RULES, text=text + "\nrule")
    assert refused(session, "reload") == "KB009"
    assert result_of(session, "view")["hash"] == changed["hash"]


def test_an_example_that_is_drawn_says_what_is_drawn(session: Session) -> None:
    text = result_of(session, "text", path=RULES)["text"]
    at = text.index("card rowers") + 30
    (example,) = result_of(session, "examples", path=RULES, at=at)["examples"]
    assert example["holds"]
    for hex, sign, row in (("c1", "bs", "| W  .a .b W  W"), ("a1", "+", "| W+ .a .  W  W")):
        answer = result_of(session, "draw", path=RULES, example=example["from"], hex=hex, sign=sign)
        (edit,) = answer["edits"]
        drawn = text[: edit["from"]] + edit["text"] + text[edit["to"] :]
        assert row in drawn and len(drawn) == len(text)


# The server


@pytest.fixture
def server(folder: Path, tmp_path: Path) -> Iterator[WorkshopServer]:
    root = tmp_path / "place" / "dale"
    root.mkdir(parents=True)
    server = WorkshopServer(LiveSession(WorkingCopy(folder, root)))
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
    assert sent(server, "POST", f"{at}api", **{"Content-Length": str(4 * MOST + 1)}) == 404
    assert sent(server, "POST", f"{at}api", body) == 200


# Files for any host


def test_files_for_a_host_are_all_kept_and_run_no_inline_script(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site, "pyodide_files", lambda: {"pyodide.mjs": b"python"})
    monkeypatch.setattr(site, "package_files", lambda: {"python.zip": b"packages"})
    monkeypatch.setattr(site, "memory_files", lambda page: {"memory.bin": page["python.zip"]})
    (tmp_path / "dale2").mkdir()
    files = site.static_files(WorkingCopy(folder, tmp_path / "dale2"))
    listed = json.loads(str(files["offline.js"]).split("FILES = ")[1].split(";\n")[0])
    assert {"./", *files} - {"offline.js"} == {*listed}
    page = str(files["index.html"])
    assert "script-src 'self' 'wasm-unsafe-eval'" in page
    assert "<script>" not in page and " style=" not in page and "http://" not in page
    assert json.loads(str(files["files.json"]))["files"][RULES] == (folder / RULES).read_text()


def test_what_a_page_asks_first_is_answered_as_always(
    session: Session, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(in_page, "FILES", folder.parent)
    monkeypatch.setattr(in_page, "WORK", tmp_path / "work")
    first = json.loads(in_page.PageSession("dale").first_answers())
    assert [method for method, *_ in first] == ["open", "tokens", "text", "examples", "edit"]
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
    monkeypatch.setattr(site, "static_files", lambda _: {})  # nothing is fetched
    (folder / "full").mkdir()
    (folder / "full" / "mine.txt").touch()
    result = CliRunner().invoke(program(["workshop"]), ["workshop", *words])
    assert result.exit_code == 2 and code in result.output


# What the page is made of


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_the_page_colours_rules_as_all_editors_do(session: Session, tmp_path: Path) -> None:
    source = (WEB / "tokens.js").read_text(encoding="utf-8")
    (tmp_path / "tokens.mjs").write_text(source.replace('"./vendor/codemirror.js"', '"./stub.mjs"'))
    tags = "new Proxy({}, {get: () => () => 0})"
    stub = f"export const tags = {tags}; export const StreamLanguage = 0;"
    (tmp_path / "stub.mjs").write_text(stub)
    files = [*(ROOT / "rules").rglob("*.kb"), *(ROOT / "tests" / "house").rglob("*.kb")]
    given = {"table": result_of(session, "tokens"), "texts": [each.read_text() for each in files]}
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

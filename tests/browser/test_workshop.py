"""The workshop in a browser: texts and games."""

from __future__ import annotations

import json
import shutil
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlparse

import pytest
from typer.testing import CliRunner

from cli.app import program
from kbrules.engine.logs.replay import parse_log, replay
from kbrules.library.load import load
from kbrules.text import Source
from kbrules.tools.workshop.serving import WorkshopServer, _service_worker
from tests.browser.workshop_page import CHANGED, CLICK, PHONE, SAME, begin, go_to, wait_until


def test_a_card_is_mended_and_its_example_turns_green(page: Any, folder: Path) -> None:
    go_to(page, folder, "gold 2 per lake")
    page.wait_for_selector("article .good")
    page.keyboard.type(" + lakes")
    page.wait_for_selector("#findings li.error")
    assert "`lakes` is not a word I know" in page.inner_text("#findings")
    for _ in " + lakes":
        page.keyboard.press("Backspace")
    page.wait_for_selector("#findings li", state="detached")
    go_to(page, folder, "gives 2")
    page.keyboard.type("0")
    page.wait_for_selector("article .error")
    page.keyboard.press("Backspace")
    page.wait_for_selector("article .good")
    begin(page)
    page.wait_for_selector("#play .legal-dot", state="attached")


def test_a_drawing_follows_the_mouse(page: Any, folder: Path) -> None:
    go_to(page, folder, "gold 2 per lake")
    page.wait_for_selector("article:has-text('pond')")
    page.click("article summary")
    page.click("article [data-sign=bs]")
    page.click("article svg [data-hex=c1] polygon >> nth=0")
    page.wait_for_selector("article svg [data-hex=c1] title:has-text('b')", state="attached")
    page.click("#save")
    page.wait_for_selector("#status:has-text('saved')")
    assert "| W  .a .b W  W\n" in (folder / "rules" / "dale.kb").read_text()


def test_a_game_is_played_to_its_end_with_the_totals_of_the_engine(
    page: Any, served: WorkshopServer, folder: Path
) -> None:
    begin(page)
    for _ in range(400):
        before = page.inner_text("#turn")
        if "over" in before:
            break
        legal = page.query_selector("#play svg .legal-dot")
        if legal is None:
            page.click("#offers button >> nth=-1")
        else:
            legal.evaluate(CLICK)
        wait_until(page, CHANGED, before)
    assert "over" in page.inner_text("#turn")
    log, _ = parse_log(Source("game.kblog", served.session.handle("log", {})["result"]["text"]))
    assert log is not None
    again = replay(load(folders=[folder]), log)
    assert not again.findings and again.game is not None
    shown = [int(text.rsplit(" ", 1)[1]) for text in page.inner_text("#totals").split("\n") if text]
    assert tuple(shown) == again.game.totals(again.states[-1])


def test_a_closed_hex_says_why_and_a_move_is_undone_by_keys(page: Any) -> None:
    begin(page)
    closed = "#play svg [data-hex]:not(:has(.legal-dot))"
    page.locator(closed).first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#answer")
    assert "is not legal" in page.inner_text("#answer")
    first = page.inner_text("#turn")
    page.locator("#play svg [data-hex]:has(.legal-dot)").first.focus()
    page.keyboard.press("Enter")
    wait_until(page, CHANGED, first)
    page.click("button:has-text('Undo')")
    wait_until(page, SAME, first)


def test_hostile_texts_stay_text(page: Any, folder: Path) -> None:
    go_to(page, folder, "pond has one piece")
    for _ in '":':
        page.keyboard.press("ArrowLeft")
    page.keyboard.type("<img src=x onerror=alert(1)><script>alert(1)</script>")
    page.wait_for_selector("article:has-text('<script>')")
    assert page.query_selector("article img, article script") is None


def test_nothing_is_cut_off_on_a_phone(page: Any) -> None:
    page.set_viewport_size(PHONE)
    for tab in ("write", "examples", "play"):
        page.click(f"#tab-{tab}")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    begin(page)
    page.click("button:has-text('Zoom')")
    box = page.locator("#play svg [data-hex=c3] polygon").first.bounding_box()
    assert box["width"] >= 24
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


class _Quiet(SimpleHTTPRequestHandler):
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".mjs": "text/javascript", ".wasm": "application/wasm",
    }  # fmt: skip

    def log_message(self, *_: object) -> None:
        """Nothing."""


def measured(page: Any) -> str:
    """The sentence on a card, measured in the page."""
    page.click("#tab-measure")
    page.wait_for_selector("#measured:enabled option", state="attached", timeout=120_000)
    page.select_option("[aria-label='Who plays']", "random")
    page.fill("#games", "3")
    page.click("#run")
    page.wait_for_selector("#measured-state:has-text('done')", timeout=120_000)
    return str(page.inner_text("#found .finding"))


def measured_outside(folder: Path) -> str:
    """What `kbrules balance` says of it."""
    words = ["balance", "rowers", "--with", str(folder), "--bots", "random", "--games", "3"]
    words += ["--no-file", "--output-format", "json"]
    said = CliRunner().invoke(program(["balance"]), words)
    return str(json.loads(said.stdout)["bots"][0]["sentence"])


PLAIN = "<p>{}</p><script>navigator.serviceWorker.register('offline.js')</script>"


def laid(folder: Path, text: str) -> None:
    """A page that is kept as that of the workshop is."""
    files: dict[str, str | bytes] = {"index.html": PLAIN.format(text)}
    files["offline.js"] = _service_worker(files)
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_text(str(data))


def kept(page: Any) -> set[str]:
    """The folders of which copies are kept, one word for each copy."""
    names = page.evaluate("caches.keys()")
    assert all(name.split(" ")[0] == "kbrules" for name in names)
    return {f"{urlparse(name.split(' ')[1]).path} {name.split(' ')[2]}" for name in names}


def test_workshops_of_one_origin_keep_each_its_own_copy(browser: Any, tmp_path: Path) -> None:
    host = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=tmp_path))
    Thread(target=host.serve_forever, daemon=True).start()
    context = browser.new_context()
    page, address = context.new_page(), f"http://127.0.0.1:{host.server_port}"
    for folder in ("/a/", "/a/b/", "/c/"):
        laid(tmp_path / folder[1:], f"first of {folder}")
        page.goto(address + folder)
        wait_until(page, "navigator.serviceWorker.controller !== null")
    before = kept(page)
    assert [name.split()[0] for name in sorted(before)] == ["/a/", "/a/b/", "/c/"]
    laid(tmp_path / "a", "second of /a/")
    page.goto(f"{address}/a/")
    page.evaluate("navigator.serviceWorker.ready.then((it) => it.update())")
    for _ in range(1200):  # up to a minute: the browser fetches a new worker when it likes
        if len(after := kept(page)) == 3 and after != before:
            break
        page.wait_for_timeout(50)
    assert {name.split()[0] for name in after - before} == {"/a/"} and len(after) == 3
    host.shutdown()
    host.server_close()
    for folder, which in (("/a/", "second"), ("/a/b/", "first"), ("/c/", "first")):
        page.goto(address + folder)
        assert page.inner_text("p") == f"{which} of {folder}"
    context.close()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("npm") is None, reason="Node.js is not installed")
def test_files_alone_are_a_workshop_also_without_their_host(
    browser: Any, folder: Path, tmp_path: Path
) -> None:
    out, title = tmp_path / "out", "<img src=x onerror=alert(1)>"
    rules = folder / "rules" / "dale.kb"
    rules.write_text(rules.read_text().replace('rowers "Rowers"', f'rowers "{title}"'))
    result = CliRunner().invoke(
        program(["workshop"]), ["workshop", str(folder), "--static", str(out)]
    )
    assert result.exit_code == 0, result.output
    host = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=out))
    Thread(target=host.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{host.server_port}/"
    context = browser.new_context()
    page, strangers = context.new_page(), []
    context.on("request", lambda it: it.url.startswith(address) or strangers.append(it.url))
    context.on("dialog", lambda it: (strangers.append(it.message), it.dismiss()))
    page.on("pageerror", lambda error: strangers.append(str(error)))
    page.on("console", lambda said: said.type == "error" and strangers.append(said.text))
    page.goto(address)
    page.wait_for_selector(".example svg", timeout=120_000)
    wait_until(page, "navigator.serviceWorker.controller !== null")
    host.shutdown()
    host.server_close()
    page.goto(address)
    page.wait_for_selector(".example svg", timeout=120_000)
    begin(page)
    before = page.inner_text("#turn")
    page.query_selector("#play svg .legal-dot").evaluate(CLICK)
    wait_until(page, CHANGED, before)
    assert measured(page) == measured_outside(folder)
    assert title in page.inner_text("#measured") and page.query_selector("main img") is None
    context.close()
    assert [url for url in strangers if url[:5] not in ("blob:", "data:")] == []


CLOSED = 'rule never "Never":\n    "Nothing is built."\n    forbid build on buildable\n\n'


def move(page: Any) -> str:
    """Choose the first legal hex; what is said of the turn then."""
    before = page.inner_text("#turn")
    page.query_selector("#play svg .legal-dot").evaluate(CLICK)
    wait_until(page, CHANGED, before)
    return str(page.inner_text("#turn"))


def write(page: Any, file: Path, text: str, shown: str) -> None:
    """Change a file on disk, and wait until the page has it."""
    file.write_text(text)
    page.wait_for_selector(f"#editor .cm-line:has-text('{shown}')", state="attached")


def test_a_game_goes_on_by_other_rules_as_far_as_they_allow(page: Any, folder: Path) -> None:
    rules = folder / "rules" / "dale.kb"
    begin(page)
    played = move(page)
    write(page, rules, "# changed\n" + rules.read_text(), "# changed")
    page.click("button:has-text('Apply rules')")
    page.wait_for_timeout(500)
    assert page.inner_text("#turn") == played
    assert "error" not in (page.get_attribute("#status", "class") or "")
    write(page, rules, CLOSED + rules.read_text(), "rule never")
    page.click("button:has-text('Apply rules')")
    page.wait_for_selector("#status.error:has-text('the game ends at move')")
    assert page.inner_text("#turn") != played


def test_a_log_is_saved_and_loaded_and_a_move_done_again(page: Any, tmp_path: Path) -> None:
    begin(page)
    first, second = page.inner_text("#turn"), move(page)
    with page.expect_download() as download:
        page.click("button:has-text('Save log')")
    log = tmp_path / "saved.kblog"
    download.value.save_as(log)
    page.click("button:has-text('Undo')")
    wait_until(page, SAME, first)
    page.click("button:has-text('Redo')")
    wait_until(page, SAME, second)
    page.click("button:has-text('Undo')")
    wait_until(page, SAME, first)
    page.set_input_files("#play input[type=file]", log)
    wait_until(page, SAME, second)
    log.write_text("no log")
    page.set_input_files("#play input[type=file]", log)
    page.wait_for_selector("#status.error")
    assert page.inner_text("#turn") == second


def test_files_of_boxes_are_checked_and_completed_too(page: Any, folder: Path) -> None:
    page.select_option("#file", "expansion.yaml")
    page.wait_for_selector("#editor .cm-line:has-text('id: dale')", state="attached")
    page.locator("#editor .cm-line").first.click()
    page.keyboard.press("Control+End")
    page.keyboard.type("\nplayerz: 3\n")
    page.wait_for_selector("#findings li.error:has-text('playerz')")
    for _ in "playerz: 3\n":
        page.keyboard.press("Backspace")
    page.wait_for_selector("#findings li.error", state="detached")

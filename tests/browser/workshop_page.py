"""Pages that are watched for errors, among them the workshop's."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any

from kbrules.tools.workshop.serving import WorkshopServer
from kbrules.tools.workshop.session import LiveSession
from kbrules.tools.workshop.writing import WorkingCopy
from tests.source_tree import ROOT

WIDE = {"width": 1300, "height": 1000}


@contextmanager
def opened(browser: Any, path: Path, anchor: str = "", **context: Any) -> Iterator[Any]:
    """The page of a file. In the end: no message, no error, no dialogue, one request."""
    page = browser.new_context(**{"viewport": WIDE, **context}).new_page()
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: asked.append(request.url))
    address = path.resolve().as_uri()
    page.goto(address + anchor)
    yield page
    assert said == []
    assert asked == [address]
    page.context.close()


CLICK = "dot => dot.parentNode.dispatchEvent(new MouseEvent('click', {bubbles: true}))"
CHANGED = "before => document.querySelector('#turn').innerText !== before"
SAME = "before => document.querySelector('#turn').innerText === before"
PHONE = {"width": 390, "height": 844}
WORKSHOP_WIDE = {"width": 1280, "height": 800}


@contextmanager
def serving(place: Path) -> Iterator[tuple[WorkshopServer, Path]]:
    """A workshop on a copy of the test box, and the folder of the copy."""
    folder = Path(shutil.copytree(ROOT / "tests" / "house" / "dale", place / "dale"))
    server = WorkshopServer(LiveSession(WorkingCopy(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield server, folder
    server.shutdown()
    server.server_close()


@contextmanager
def opened_workshop(browser: Any, address: str, **context: Any) -> Iterator[Any]:
    """The page. In the end: no error, no message of one, no request to another machine."""
    made = browser.new_context(**{"viewport": WORKSHOP_WIDE, **context})
    page = made.new_page()
    faults: list[str] = []
    strangers: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: said.type == "error" and faults.append(said.text))
    page.on("dialog", lambda dialog: (faults.append(dialog.message), dialog.accept()))
    page.on("request", lambda it: it.url.startswith(address) or strangers.append(it.url))
    page.goto(address)
    page.wait_for_selector(".example")
    yield page
    made.close()
    assert not faults and [url for url in strangers if url[:5] not in ("blob:", "data:")] == []


def go_to(page: Any, folder: Path, text: str, shown: str = "pond") -> None:
    """Put the cursor at the end of the line that holds a text."""
    lines = (folder / "rules" / "dale.kb").read_text().split("\n")
    number = next(number for number, line in enumerate(lines, 1) if text in line)
    page.evaluate("number => { location.hash = `file=rules/dale.kb&line=${number}` }", number)
    wait_until(page, "document.activeElement?.id === 'editor'")
    page.wait_for_selector(f"article:has-text('{shown}')", state="attached")


def begin(page: Any) -> None:
    page.click("#tab-play")
    page.click("#new-game")
    page.wait_for_selector("#play svg.board")


def wait_until(page: Any, expression: str, argument: Any = None) -> None:
    """Wait for an expression to hold; the policy of the page lets nobody wait inside it."""
    end = monotonic() + 60
    while not page.evaluate(expression, argument):
        assert monotonic() < end, expression
        sleep(0.05)

"""A page in the browser of which everything is noted that should not happen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

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

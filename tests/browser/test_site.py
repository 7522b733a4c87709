"""The site in a real browser, opened from the disk: nothing fails, and the search finds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from kbrules.tools.publishing.site.content import collect_content
from kbrules.tools.publishing.site.publish import publish
from kbrules.tools.publishing.site.site import site_files
from tests.source_tree import ROOT

DALE = ROOT / "tests" / "house" / "dale"
PHONE = {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def folder(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("site") / "pages"
    publish(site_files(collect_content([], [DALE]), [DALE]), place)
    return place


@contextmanager
def opened(browser: Any, folder: Path, page: str, **context: Any) -> Iterator[Any]:
    """A page of the site. In the end: no message, no error, no request but for its own files."""
    here = browser.new_context(**context).new_page()
    said: list[str] = []
    asked: list[str] = []
    here.on("console", lambda message: said.append(message.text))
    here.on("pageerror", lambda error: said.append(str(error)))
    here.on("request", lambda request: asked.append(request.url))
    here.goto((folder / page).resolve().as_uri())
    yield here
    assert said == []
    home = folder.resolve().as_uri() + "/"
    assert asked and [url for url in asked if not url.startswith((home, "data:,"))] == []
    here.context.close()


PAGES = [
    "index.html",
    "boxes/dale/card-rowers.html",
    "boxes/dale/section-dale.html",
    "reference/KB201.html",
    "python/class-Game.html",
]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", PAGES)
def test_it_opens_without_a_word_and_fits_a_phone(
    browser: Any, folder: Path, page: str, scheme: str
) -> None:
    with opened(browser, folder, page, viewport=PHONE, color_scheme=scheme) as here:
        wide = here.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0
        assert here.locator("h1").is_visible()


def test_the_search_finds_by_keys_alone(browser: Any, folder: Path) -> None:
    with opened(browser, folder, "boxes/dale/card-rowers.html") as here:
        here.keyboard.press("Tab")
        assert here.evaluate("document.activeElement.className") == "skip"
        here.locator("#search").focus()
        here.keyboard.type("hermit")
        here.wait_for_selector("#found a")
        assert "1 found" in here.inner_text("#said")
        assert here.inner_text("#found b") == "Hermits"
        here.keyboard.press("Enter")
        here.wait_for_url("**/boxes/base/card-hermits.html")
        assert here.inner_text("h1") == "Hermits"


def test_the_search_shows_words_and_nothing_for_nothing(browser: Any, folder: Path) -> None:
    with opened(browser, folder, "index.html") as here:
        here.locator("#search").fill("adjacent")
        here.wait_for_selector("#found a")
        assert here.inner_text("#found li").startswith("adjacent (word) The hexes ")
        here.locator("#search").fill("<b>qqq")
        here.wait_for_selector("#found", state="hidden")
        assert here.inner_text("#said") == "0 found"
        here.locator("#search").fill("")
        here.wait_for_selector("#results", state="hidden")


@pytest.mark.parametrize("words", ["hremits", "herm", "card hermts"])
def test_the_search_finds_what_is_half_written_or_wrong(
    browser: Any, folder: Path, words: str
) -> None:
    with opened(browser, folder, "reference/words.html") as here:
        here.locator("#search").fill(words)
        here.wait_for_selector("#found a")
        assert here.inner_text("#found li:first-child b") == "Hermits"
        assert ("spelt nearly so" in here.inner_text("#said")) == (words != "herm")


def test_the_search_reads_whole_pages_if_no_name_is_such(browser: Any, folder: Path) -> None:
    with opened(browser, folder, "index.html") as here:
        here.locator("#search").fill("mill scenarios")
        here.wait_for_selector("#found a")
        rows = here.locator("#found b").all_inner_texts()
        assert "Mill" in rows and "spelt" not in here.inner_text("#said")


def test_keys_lead_to_the_search_through_it_and_back(browser: Any, folder: Path) -> None:
    at = "document.activeElement.id || document.activeElement.innerText"
    with opened(browser, folder, "boxes/dale/card-rowers.html") as here:
        here.keyboard.press("/")
        assert here.evaluate(at) == "search" and here.input_value("#search") == ""
        here.keyboard.type("place/")
        here.wait_for_selector("#found a")
        rows = here.locator("#found a").all_inner_texts()
        assert here.input_value("#search") == "place/" and len(rows) > 2
        for key, now in [
            ("ArrowUp", "search"), ("ArrowDown", rows[0]), ("ArrowDown", rows[1]),
            ("ArrowUp", rows[0]), ("ArrowUp", "search"), ("End", "search"),
            ("ArrowDown", rows[0]), ("ArrowDown", rows[1]), ("Escape", "search"),
            ("ArrowDown", rows[0]),
        ]:  # fmt: skip
            here.keyboard.press(key)
            assert here.evaluate(at) == now, key
        here.keyboard.press("Enter")
        here.wait_for_url("**/reference/*.html#place")


def test_without_scripts_it_is_all_there_but_the_search(browser: Any, folder: Path) -> None:
    context = {"java_script_enabled": False}
    with opened(browser, folder, "boxes/dale/card-rowers.html", **context) as here:
        assert here.locator(".board svg").first.is_visible()
        assert not here.locator("#search").is_visible()


def test_scenarios_and_coverage_unfold_when_asked(browser: Any, folder: Path) -> None:
    with opened(browser, folder, "boxes/base/card-hermits.html") as here:
        for name in ("Scenarios that speak of it", "Coverage"):
            part = here.locator("details", has=here.locator("summary", has_text=name))
            inside = part.locator("summary ~ *").first
            assert not inside.is_visible()
            part.locator("summary").first.focus()
            here.keyboard.press("Enter")
            assert inside.is_visible()

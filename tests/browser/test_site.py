"""The site in a real browser, opened from the disk: nothing fails, and the search finds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from kbrules.tools.docs.box_pages import Workshop
from kbrules.tools.docs.content import collect_content
from kbrules.tools.docs.site import publish, site_files
from kbrules.tools.workshop.serving import WorkshopServer
from kbrules.tools.workshop.session import LiveSession
from kbrules.tools.workshop.writing import WorkingCopy
from tests.source_tree import DALE

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
        scrolling = "texts => texts.filter(each => each.scrollWidth > each.clientWidth).length"
        assert here.eval_on_selector_all("pre.kb", scrolling) == 0


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


@pytest.fixture(scope="module")
def site_with_workshop(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A site whose pages lead to a workshop that is open."""
    place = tmp_path_factory.mktemp("workshop")
    server = WorkshopServer(LiveSession(WorkingCopy(DALE)))
    Thread(target=server.serve_forever, daemon=True).start()
    content = collect_content([], [DALE])
    publish(site_files(content, [DALE], workshop=Workshop(server.address)), place / "pages")
    yield place / "pages"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("card", "title"),
    [("boxes/dale/card-rowers", "rowers"), ("boxes/base/card-hermits", "hermits")],
)
def test_a_page_opens_its_place_in_the_workshop(
    browser: Any, site_with_workshop: Path, card: str, title: str
) -> None:
    here = browser.new_context().new_page()
    here.goto((site_with_workshop / f"{card}.html").as_uri())
    here.get_by_role("link", name="Open in the workshop").click()
    here.wait_for_selector(f"#examples:has-text('{title}')", timeout=20_000)
    assert f"card {title}" in here.inner_text(".cm-activeLine")
    here.context.close()


def test_code_is_copied(browser: Any, folder: Path) -> None:
    granted = {"permissions": ["clipboard-read", "clipboard-write"]}
    with opened(browser, folder, "guide/1-a-card.html", **granted) as here:
        code = here.locator(".code").first
        code.hover()
        code.locator("button").click()
        here.wait_for_selector(".told:has-text('Copied')")
        copied = here.evaluate("navigator.clipboard.readText()")
        assert copied == code.locator("pre").text_content()
        assert copied.startswith("$ kbrules new expansion")


def test_menu_and_contents_are_folded_on_a_phone_and_open_on_a_desktop(
    browser: Any, folder: Path
) -> None:
    page = "boxes/dale/card-rowers.html"
    for script in (True, False):
        for size, is_open in ((PHONE, False), ({"width": 1300, "height": 800}, True)):
            context = {"java_script_enabled": script, "viewport": size}
            with opened(browser, folder, page, **context) as here:
                for part in (".menu nav", ".contents nav"):
                    assert here.locator(part).is_visible() == is_open, (part, size, script)


def test_a_phone_opens_the_menu_by_keys(browser: Any, folder: Path) -> None:
    with opened(browser, folder, "boxes/dale/card-rowers.html", viewport=PHONE) as here:
        here.locator(".menu summary").focus()
        here.keyboard.press("Enter")
        assert here.locator(".menu [aria-current]").inner_text() == "Rowers"
        here.keyboard.press("Tab")
        assert here.evaluate("document.activeElement.closest('.menu') !== null")


def test_the_guide_is_read_by_next_from_its_first_page_to_the_last(
    browser: Any, folder: Path
) -> None:
    with opened(browser, folder, "guide/index.html") as here:
        seen = []
        for _ in range(9):
            here.locator(".beside .after").focus()
            with here.expect_navigation():
                here.keyboard.press("Enter")
            seen.append(here.url.rsplit("/", 1)[1])
        assert seen[0] == "1-a-card.html" and seen[8].startswith("9-")
        here.locator(".beside .before").click()
        assert here.url.endswith(seen[7])


def test_escape_leaves_the_search(browser: Any, folder: Path) -> None:
    with opened(browser, folder, "index.html") as here:
        here.keyboard.press("/")
        here.keyboard.type("mill")
        here.wait_for_selector("#found a")
        for key in ("ArrowDown", "Escape", "Escape"):
            here.keyboard.press(key)
        assert not here.locator("#results").is_visible()
        assert here.input_value("#search") == ""
        assert here.evaluate("document.activeElement === document.body")
        here.keyboard.press("/")
        assert here.evaluate("document.activeElement.id") == "search"


def test_every_stop_of_a_page_can_be_seen(browser: Any, folder: Path) -> None:
    """By Tab alone: what has the focus is in view and marked, from the first stop to the last."""
    with opened(browser, folder, "boxes/dale/card-rowers.html", viewport=PHONE) as here:
        stops = set()
        for _ in range(60):
            here.keyboard.press("Tab")
            stop = here.evaluate(STOP)
            if stop is None:
                break
            name, is_seen, outline = stop
            assert is_seen and outline != "none", name
            stops.add(name)
        assert len(stops) > 15


STOP = """() => {
  const it = document.activeElement;
  if (it === document.body) return null;
  const box = it.getBoundingClientRect();
  const seen = box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0;
  return [it.outerHTML.slice(0, 80), seen, getComputedStyle(it).outlineStyle];
}"""

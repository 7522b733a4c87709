"""Every kind of page as axe sees it, on a desktop and a phone: it finds nothing of any severity.

Slow tests take every scheme in both sizes, the others some of each.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from cli.app import program
from kbrules.tools.balance import balance_report
from kbrules.tools.docs.content import collect_content
from kbrules.tools.docs.site import publish, site_files
from kbrules.tools.reports.page import as_page, html_page, source
from kbrules.tools.workshop.serving import WorkshopServer
from kbrules.tools.workshop.session import LiveSession
from kbrules.tools.workshop.writing import WorkingCopy
from tests.source_tree import DALE
from tests.tools.balance.test_measure import found
from tests.tools.reports.test_reports import REPORT

axe = pytest.importorskip("axe_playwright_python.sync_playwright")
DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
SCHEMES = {
    "light": {"color_scheme": "light", "forced_colors": "none"},
    "dark": {"color_scheme": "dark", "forced_colors": "none"},
    "forced light": {"color_scheme": "light", "forced_colors": "active"},
    "forced dark": {"color_scheme": "dark", "forced_colors": "active"},
}
SOME = [(DESKTOP, "light"), (PHONE, "dark")]
ALL = [(size, scheme) for size in (DESKTOP, PHONE) for scheme in SCHEMES]
SITE = {
    "first page": "index.html",
    "boxes": "boxes/index.html",
    "box": "boxes/base/index.html",
    "contents of a box": "boxes/base/things.html",
    "section": "boxes/base/section-farm.html",
    "piece": "boxes/base/piece-settlement.html",
    "tile": "boxes/dale/location-mill.html",
    "option": "boxes/dale/option-heath_pays.html",
    "rulings": "rulings.html",
    "words": "reference/words.html",
    "steps": "reference/steps.html",
    "events": "reference/events.html",
    "messages": "reference/codes.html",
    "message": "reference/KB201.html",
    "guide": "guide/index.html",
    "chapter": "guide/1-a-card.html",
    "written page": "guide/language.html",
    "python": "python/index.html",
    "class": "python/class-Game.html",
}
MADE = {
    "simulate": ["simulate", "--with", "dale", "--card", "rowers", "--without", "--bots", "random",
                 "--games", "2", "--no-file"],
    "coverage": ["test", "dale", "--coverage"],
    "why": ["why", "dale/rules/dale.kb::rowers", "why", "a"],
    "diff": ["diff", "dale", "other", "--games", "2"],
    "board": ["show", "section", "dale", "--with", "dale"],
}  # fmt: skip


@pytest.fixture(scope="module")
def site(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("site") / "pages"
    publish(site_files(collect_content([], [DALE]), [DALE]), place)
    return place


@pytest.fixture(scope="module")
def made(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which commands write pages: two expansions lie there."""
    place = tmp_path_factory.mktemp("made")
    for name in ("dale", "other"):
        shutil.copytree(DALE, place / name)
    rules = place / "other" / "rules" / "dale.kb"
    rules.write_text(rules.read_text("utf-8").replace("gold 1", "gold 2"), "utf-8")
    (place / "balance.html").write_text(as_page(balance_report(found())), "utf-8")
    (place / "blocks.html").write_text(as_page(REPORT), "utf-8")
    return place


@pytest.fixture
def workshop(browser: Any, made: Path) -> Iterator[str]:
    """The address of a workshop."""
    server = WorkshopServer(LiveSession(WorkingCopy(made / "dale")))
    Thread(target=server.serve_forever, daemon=True).start()
    yield server.address
    server.shutdown()
    server.server_close()


def run(*words: str) -> Result:
    """A command, done."""
    return CliRunner().invoke(program([words[0]]), words)


@pytest.fixture(params=[SOME, pytest.param(ALL, marks=pytest.mark.slow)], ids=["some", "all"])
def views(request: pytest.FixtureRequest) -> Any:
    """Sizes with schemes."""
    return request.param


def violations(browser: Any, address: str, views: Any, ready: str = "h1") -> list[Any]:
    """What axe finds on a page, and whether the page is wider than the window."""
    page = browser.new_context(bypass_csp=True).new_page()
    page.goto(address)
    page.wait_for_selector(ready)
    wrong: list[Any] = []
    for size, scheme in views:
        page.set_viewport_size(size)
        page.emulate_media(**SCHEMES[scheme], reduced_motion="reduce")  # no colour half-way
        answer = axe.Axe().run(page, options={"resultTypes": ["violations"]}).response
        wrong += [(scheme, each["id"], each["nodes"][0]["html"]) for each in answer["violations"]]
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wrong.append((scheme, "wider than the window"))
    page.context.close()
    return wrong


def test_axe_finds_nothing_on_a_card(browser: Any, site: Path) -> None:
    card = (site / "boxes" / "dale" / "card-rowers.html").as_uri()
    assert violations(browser, card, ALL) == []


@pytest.mark.parametrize("kind", SITE)
def test_axe_finds_nothing_on_the_site(browser: Any, site: Path, kind: str, views: Any) -> None:
    assert violations(browser, (site / SITE[kind]).as_uri(), views) == []


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_in_the_search(browser: Any, site: Path, scheme: str) -> None:
    context = browser.new_context(viewport=PHONE, **SCHEMES[scheme])
    page = context.new_page()
    page.goto((site / "index.html").as_uri())
    page.locator("#search").fill("water")
    page.wait_for_selector("#found a")
    answer = axe.Axe().run(page, options={"resultTypes": ["violations"]}).response
    context.close()
    assert [each["id"] for each in answer["violations"]] == []


@pytest.mark.parametrize("kind", [*MADE, "balance", "blocks"])
def test_axe_finds_nothing_on_what_a_command_writes(
    browser: Any, made: Path, kind: str, views: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(made)
    file = made / f"{kind}.html"
    if not file.exists():
        done = run(*MADE[kind], "--html", file.name)
        assert file.exists(), done.output
    assert violations(browser, file.as_uri(), views) == []


def test_the_letters_of_a_chart_can_be_read_on_a_phone(browser: Any, made: Path) -> None:
    for size, layout in ((DESKTOP, "wide"), (PHONE, "narrow")):
        page = browser.new_context(viewport=size).new_page()
        page.goto((made / "balance.html").as_uri())
        assert page.locator(".chart svg:visible").count() == page.locator(f".{layout} svg").count()
        heights = page.evaluate(HEIGHTS)
        assert len(heights) > 3 and min(heights) > 9.5
        page.context.close()


HEIGHTS = """() => [...document.querySelectorAll('.chart svg')].flatMap((svg) => {
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  const texts = scale ? [...svg.querySelectorAll('text')] : [];
  return texts.map((text) => scale * parseFloat(getComputedStyle(text).fontSize));
})"""


def test_axe_finds_nothing_in_the_workshop(browser: Any, workshop: str, views: Any) -> None:
    assert violations(browser, workshop, views, ".example") == []


def test_axe_finds_nothing_on_a_printed_card(
    browser: Any, made: Path, views: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(made)
    done = run("cards", "rowers", "--with", "dale", "--svg", "cards")
    assert done.exit_code == 0, done.output
    drawn = next((made / "cards").glob("*.svg")).read_text("utf-8")
    page = made / "cards.html"
    body = f"<main><h1>A card</h1>{drawn[drawn.index('<svg') :]}</main>"
    page.write_text(html_page("A card", body, source("page.css")), "utf-8")
    assert violations(browser, page.as_uri(), views) == []

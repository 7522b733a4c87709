"""A page around its contents: head, ways to other pages, and addresses as seen from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kbrules import __version__
from kbrules.tools.publishing.site.markup import ROOT, Content, Html, element, join, link

__all__ = ["Page", "framed", "section", "table"]

_WAYS = (
    ("Boxes", "index.html"),
    ("Words", "reference/words.html"),
    ("Steps", "reference/steps.html"),
    ("Messages", "reference/codes.html"),
    ("Guide", "guide/index.html"),
)
_SCRIPTS = ("vendor/minisearch.js", "index.js", "search.js")


@dataclass(frozen=True, slots=True)
class Page:
    """A page by its address; `about` is what is searched besides its title.

    `above` are the pages on the way to it, (title, address).
    """

    path: str
    title: str
    kind: str
    about: str
    body: Html
    above: tuple[tuple[str, str], ...] = ()


def section(title: str, *content: Content, id: str | None = None) -> Html:
    """A part of a page with its heading."""
    return element("section", element("h2", title), *content, id=id)


def table(head: Sequence[str], rows: Iterable[Iterable[Content]]) -> Html:
    """A table, which may be wider than the page."""
    top = element("tr", *(element("th", each, scope="col") for each in head))
    body = (element("tr", *(element("td", cell) for cell in row)) for row in rows)
    whole = element("table", element("thead", top), element("tbody", *body))
    return element(
        "div", whole, class_="wide", tabindex="0", role="region", aria_label=", ".join(head)
    )


def framed(page: Page) -> str:
    """The whole text of a page."""
    body = element(
        "body",
        element("a", "To the contents", class_="skip", href="#main"),
        element("header", _ways(), _search()),
        element("main", _way_here(page), element("h1", page.title), page.body, id="main"),
        element("footer", f"Printed from the declarations by kbrules {__version__}."),
    )
    html = element("html", _head(page), body, lang="en")
    up = "../" * page.path.count("/")
    return f"<!doctype html>\n{html}\n".replace(ROOT, up)


def _head(page: Page) -> Html:
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", page.title if page.path == "index.html" else f"{page.title} · kbrules"),
        element("link", rel="icon", href="data:,"),
        element("link", rel="stylesheet", href=ROOT + "site.css"),
        *(element("script", src=ROOT + name, defer=True) for name in _SCRIPTS),
    )


def _ways() -> Html:
    ways = join(*(element("li", link(to, title)) for title, to in _WAYS))
    return element("nav", element("ul", ways), aria_label="Site")


def _search() -> Html:
    """The search, of use only where scripts run: one of them shows it."""
    field = element(
        "input", type="search", id="search", autocomplete="off", data_root=ROOT,
        placeholder="Press /", aria_keyshortcuts="/",
    )  # fmt: skip
    label = element("label", "Search", for_="search")
    found = element("ul", id="found", hidden=True)
    said = element("p", id="said", class_="quiet", role="status")
    return element("form", label, field, said, found, role="search", hidden=True)


def _way_here(page: Page) -> Html | None:
    if not page.above:
        return None
    steps: Sequence[Html] = [element("li", link(to, title)) for title, to in page.above]
    return element("nav", element("ol", *steps), class_="above", aria_label="Where this is")

"""Pages of the site as values, and their text: a template and the frame around it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from markupsafe import Markup

from kbrules.tools.editors.token_patterns import TokenKind
from kbrules.tools.reports.templates import render

Token = tuple[TokenKind, str, str | None, str]
"""A token of a rule text: its kind, the text, the address it leads to, and what hovering shows."""
LANDING = "index.html"
BOXES = ("Boxes", "boxes/index.html")
PARTS = WRITE, LOOK_UP, USE, MORE = "Write", "Look up", "Use", "More"
"""The parts of the menu."""


@dataclass(eq=False)
class Page:
    """A page by its address: the name of its template, and the values that the template shows.

    `about` is found before the text, and shown with what is found. `above` are the pages on the
    way to it, (title, address). `group` is what it and its neighbours in a list of pages are.
    `lang` is the language of the title if it is not that of the site.
    """

    path: str
    title: str
    kind: str
    template: str
    values: Mapping[str, Any]
    about: str = ""
    above: tuple[tuple[str, str], ...] = ()
    group: str = ""
    lang: str = ""

    @cached_property
    def body(self) -> Markup:
        """What stands below the title."""
        return _render(self, self.template, **self.values)


def in_site(page: Page, **values: Any) -> str:
    """The whole text of a page; values: what the frame around it shows besides."""
    return str(_render(page, "page", page=page, **values))


def _render(page: Page, template: str, /, **values: Any) -> Markup:
    root = "../" * page.path.count("/")
    return render(f"site/{template}.html", root=root, **values)


def unlinked(tokens: Iterable[tuple[TokenKind, str]]) -> list[Token]:
    """The tokens of a rule text that leads nowhere."""
    return [(kind, text, None, "") for kind, text in tokens]

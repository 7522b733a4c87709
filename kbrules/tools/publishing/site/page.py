"""Pages of the site as values, and their text: a template and the frame around it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from markupsafe import Markup

from kbrules import __version__
from kbrules.tools.editors.token_patterns import TokenKind
from kbrules.tools.reports.templates import render

__all__ = ["BOXES", "Page", "Token", "unlinked"]

Token = tuple[TokenKind, str, str | None, str]
"""A token of a rule text: its kind, the text, the address it leads to, and what hovering shows."""
BOXES = ("Boxes", "index.html")
_MENU = (
    BOXES,
    ("Words", "reference/words.html"),
    ("Steps", "reference/steps.html"),
    ("Messages", "reference/codes.html"),
    ("Python", "python/index.html"),
    ("Guide", "guide/index.html"),
)


@dataclass(eq=False)
class Page:
    """A page by its address: the name of its template, and the values that the template shows.

    `keywords` are searched besides the title and the text. `above` are the pages on the way to
    it, (title, address).
    """

    path: str
    title: str
    kind: str
    template: str
    values: Mapping[str, Any]
    keywords: str = ""
    above: tuple[tuple[str, str], ...] = ()

    @cached_property
    def body(self) -> Markup:
        """What stands below the title."""
        return self._render(self.template, **self.values)

    @property
    def html(self) -> str:
        """The whole text of the page."""
        return str(self._render("page", page=self, menu=_MENU, version=__version__))

    def _render(self, template: str, **values: Any) -> Markup:
        root = "../" * self.path.count("/")
        return render(f"site/{template}.html", root=root, **values)


def unlinked(tokens: Iterable[tuple[TokenKind, str]]) -> list[Token]:
    """The tokens of a rule text that leads nowhere."""
    return [(kind, text, None, "") for kind, text in tokens]

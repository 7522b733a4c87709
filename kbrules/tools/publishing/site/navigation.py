"""The way through the site: which pages lie below which, what the menu shows, what comes next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import unescape

from markupsafe import Markup

from kbrules import __version__
from kbrules.tools.publishing.site.page import LANDING, PARTS, Page, in_site

_MAX_LISTED = 80  # pages of one list in the menu; of a longer one, the group of the page is shown
_HEADING = re.compile(r'<h([23]) id="([^"]*)">(.*?)</h\1>', re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_MIN_HEADINGS = 2  # headings that are worth a list


@dataclass(frozen=True, slots=True)
class MenuItem:
    """A page in the menu; below it, in groups with a name each, the pages that lie below."""

    title: str
    path: str
    is_current: bool
    lang: str = ""
    groups: tuple[tuple[str, tuple[MenuItem, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Navigation:
    """All pages of a site in their order; those that nothing lies above of are in the menu.

    The group of such a page is the part of the menu that it stands in; pages without are in none.
    """

    pages: Sequence[Page]
    _below: dict[str, list[Page]] = field(init=False, repr=False, default_factory=dict)
    _order: list[Page] = field(init=False, repr=False, default_factory=list)
    _places: dict[str, int] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        for page in self.pages:
            self._below.setdefault(page.above[-1][1] if page.above else "", []).append(page)
        self._below[""].sort(key=lambda page: ("", *PARTS).index(page.group))
        self._order.extend(self._in_order(""))
        self._places.update({page.path: at for at, page in enumerate(self._order)})

    def _in_order(self, path: str) -> Iterator[Page]:
        for page in self._below.get(path, ()):
            yield page
            yield from self._in_order(page.path)

    def html(self, page: Page) -> str:
        """The whole text of a page."""
        return in_site(
            page,
            menu=self._groups("", page),
            before=self._neighbour(page, -1),
            after=self._neighbour(page, 1),
            contents=contents(page.body) if page.path != LANDING else [],
            langs={each.path: each.lang for each in self.pages if each.lang},
            is_landing=page.path == LANDING,
            version=__version__,
        )

    def _neighbour(self, page: Page, step: int) -> Page | None:
        """The page before or after in the same part of the site, if there is one."""
        at = self._places[page.path] + step
        other = self._order[at] if 0 <= at < len(self._order) else None
        return other if other is not None and self._part(other) == self._part(page) else None

    def _part(self, page: Page) -> str:
        """The part of the menu that a page stands in."""
        top = page.above[0][1] if page.above else page.path
        return self._order[self._places[top]].group

    def _groups(self, path: str, current: Page) -> tuple[tuple[str, tuple[MenuItem, ...]], ...]:
        """The pages below one by their groups, as the menu of the current page shows them."""
        items_by_group: dict[str, list[MenuItem]] = {}
        for page in self._shown(path, current):
            items_by_group.setdefault(page.group, []).append(self._item(page, current))
        return tuple((name, tuple(items)) for name, items in items_by_group.items())

    def _shown(self, path: str, current: Page) -> list[Page]:
        below = self._below.get(path, [])
        if not path:
            return [page for page in below if page.group]
        if len(below) <= _MAX_LISTED:
            return below
        return [page for page in below if page.group == current.group]

    def _item(self, page: Page, current: Page) -> MenuItem:
        is_open = page is current or page.path in {path for _, path in current.above}
        groups = self._groups(page.path, current) if is_open else ()
        return MenuItem(page.title, page.path, page is current, page.lang, groups)


def contents(body: Markup) -> list[tuple[int, str, str]]:
    """The headings of a page, (level, id, text), if there are enough to be listed."""
    headings = [
        (int(level), id, unescape(_TAG.sub("", text))) for level, id, text in _HEADING.findall(body)
    ]
    return headings if len(headings) >= _MIN_HEADINGS else []

"""Pages of the site as values, the way through it, and where names in rules lead."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import unescape
from typing import Any

from markupsafe import Markup

from kbrules import __version__
from kbrules.primitives.vocabulary import EVENTS, vocabulary
from kbrules.tools.docs.content import BoxContent, DeclarationEntry, folder_of
from kbrules.tools.editors.highlight import TokenKind, rule_tokens
from kbrules.tools.reports.report import render

# Pages of the site as values, and their text: a template and the frame around it.


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


# The way through the site: which pages lie below which, what the menu shows, what comes next.


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


# Where a name in a rule leads: to the page of the word, or of what a box declares.


WORDS = "reference/words.html"
STEPS = "reference/steps.html"
EVENTS_PAGE = "reference/events.html"
COMPONENTS = "things.html"


def section_path(box: str, id: str) -> str:
    """The address of the page of a section."""
    return f"{folder_of(box)}/section-{id}.html"


def piece_path(box: str, id: str) -> str:
    """The address of the page of a piece."""
    return f"{folder_of(box)}/piece-{id}.html"


@dataclass(frozen=True, slots=True)
class Links:
    """The addresses of the names that a rule may use, by what they are there.

    What follows `when` are `events`, what follows `replaces` are `rules`. `uses` has the names in
    each declaration by the address of its page, `reaches` those in its definitions as well.
    `pages` say in a sentence what is found at an address of a word or a declaration.
    """

    declared: Mapping[str, str]
    words: Mapping[str, str]
    verbs: Mapping[str, str]
    events: Mapping[str, str]
    rules: Mapping[str, str]
    uses: Mapping[str, frozenset[str]]
    reaches: Mapping[str, frozenset[str]]
    pages: Mapping[str, str]

    def address(self, kind: TokenKind, name: str) -> str | None:
        """Where a piece of a rule leads, if it leads anywhere."""
        match kind:
            case TokenKind.WORD:
                return self.words.get(name)
            case TokenKind.VERB:
                return self.verbs.get(name)
            case TokenKind.NAME:
                return self.declared.get(name) or self.words.get(name)
        return None

    def link(self, tokens: Iterable[tuple[TokenKind, str]]) -> list[Token]:
        """The tokens of a rule text with the addresses that its names lead to."""
        linked_tokens: list[Token] = []
        after_when = after_replaces = False
        for kind, text in tokens:
            if kind is TokenKind.KEYWORD or text == ":":
                after_when, after_replaces = text == "when", text == "replaces"
            is_name = kind in (TokenKind.NAME, TokenKind.WORD)
            if is_name and (after_when or after_replaces):
                address = (self.events if after_when else self.rules).get(text)
            else:
                address = self.address(kind, text)
            linked_tokens.append((kind, text, address, self.pages.get(address or "", "")))
        return linked_tokens


def links_of(boxes: Sequence[BoxContent], content: BoxContent) -> Links:
    """The names as a rule of a box may use them, if these boxes have pages."""
    known = {each.id for each in boxes}
    entries = [each for each in content.visible if each.box in known]
    rules = {each.name: each.path for each in entries}
    declared = {each.name: each.path for each in entries if each.kind != "rule"}
    words = {*vocabulary().words, *vocabulary().folds}
    uses = {entry.path: _uses(entry) for entry in content.visible}
    defined = {e.name: uses[e.path] for e in content.visible if e.kind == "define"}
    return Links(
        dict(_components(boxes, content)) | declared,
        {name: f"{WORDS}#{name}" for name in words},
        {verb: f"{STEPS}#{verb}" for verb in vocabulary().steps},
        {name: f"{EVENTS_PAGE}#{name}" for name in EVENTS},
        rules,
        uses,
        {path: _reachable(names, defined) for path, names in uses.items()},
        {path: about for _, _, path, about in language_entries()}
        | {each.path: each.wording for each in entries},
    )


def language_entries() -> Iterator[tuple[str, str, str, str]]:
    """The words, steps and events of the language: (title, kind, address, what it is)."""
    known = vocabulary()
    for name, words in sorted({**known.folds, **known.words}.items()):
        yield name, "word", f"{WORDS}#{name}", _first_sentence(words[0].page)
    for verb, steps in sorted(known.steps.items()):
        yield verb, "step", f"{STEPS}#{verb}", _first_sentence(steps[0].page)
    for event in EVENTS.values():
        yield event.name, "event", f"{EVENTS_PAGE}#{event.name}", _first_sentence(event.page)


def _first_sentence(page: str) -> str:
    """The first sentence of the page of a word."""
    first, dot, _ = " ".join(page.split()).partition(". ")
    return first + "." * bool(dot)


def _reachable(names: frozenset[str], defined: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Names with those in the definitions among them, and so on."""
    reachable, pending = set[str](), set(names)
    while pending:
        name = pending.pop()
        reachable.add(name)
        pending |= defined.get(name, frozenset()) - reachable
    return frozenset(reachable)


def _uses(entry: DeclarationEntry) -> frozenset[str]:
    text = entry.declaration.span.text
    return frozenset(name for kind, name in rule_tokens(text) if kind is TokenKind.NAME)


def _components(boxes: Sequence[BoxContent], content: BoxContent) -> Iterator[tuple[str, str]]:
    """Terrains, places, pieces, numbers and tags of the boxes that this one is seen among."""
    for each in boxes:
        if each.box is None or each.id not in content.ruleset.boxes:
            continue
        model = each.box.model
        page = f"{folder_of(each.id)}/{COMPONENTS}"
        for table in (model.terrains, model.places, model.grids, model.pieces):
            for id, component in table.items():
                yield id, f"{page}#{id}"
                yield from ((tag, f"{page}#tag-{tag}") for tag in component.tags)
        yield from ((id, piece_path(each.id, id)) for id in model.pieces)
        yield from ((id, f"{page}#{id}") for id in model.numbers)


# What the search looks through, as a script that only holds data.


_NOT_TEXT = re.compile(r"<svg .*?</svg>|<[^>]*>", re.DOTALL)
_WORD = re.compile(r"[^\W\d]\w{2,}")


def search_index(pages: Iterable[Page]) -> str:
    """Rows (title, kind, address, about, words of the text) of pages and of known words.

    No text of an author can end an element, whatever page would hold the rows.
    """
    rows = [[p.title, p.kind, p.path, p.about, _words(p.body)] for p in pages]
    rows += [[*each, ""] for each in language_entries()]
    data = json.dumps(rows, ensure_ascii=True, separators=(",", ":")).replace("<", r"\u003c")
    return f"const INDEX = {data};\n"


def _words(body: str) -> str:
    """The words that stand on a page, each once."""
    text = unescape(_NOT_TEXT.sub(" ", body))
    return " ".join(sorted({word.lower() for word in _WORD.findall(text)}))

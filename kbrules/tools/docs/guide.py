"""The author's guide: the written pages of a checkout, with pictures and links into the site."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count, pairwise
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from kbrules.game.board import Catalog
from kbrules.lang.syntax import tree
from kbrules.library.file_cache import parsed
from kbrules.library.reading import data_root
from kbrules.messages import CODES
from kbrules.text import Source
from kbrules.tools.docs.box_pages import example_board
from kbrules.tools.docs.content import LOOK_UP, MORE, USE, WRITE, Page, unlinked
from kbrules.tools.editors.highlight import rule_tokens
from kbrules.tools.pictures.board import with_id_prefix
from kbrules.tools.reports.report import environment

# The pictures of a written page: its own, and boards for the examples of rules without one.


@dataclass(frozen=True, slots=True)
class GuidePictures:
    """Draws the pictures of a page that lies in a folder, with the hexes of a catalog."""

    folder: Path
    catalog: Catalog
    _numbers: Iterator[int] = field(default_factory=lambda: count(1), repr=False)

    def drawn(self, tokens: Sequence[Token]) -> Iterator[Token]:
        """The tokens of the page with its pictures.

        A paragraph that is a picture of the folder is drawn. Below a block of rules without one
        stand the boards of its examples.
        """
        at = 0
        while at < len(tokens):
            file = self._picture_of(tokens[at : at + 3])
            if file is not None:
                svg = with_id_prefix(file.read_text(encoding="utf-8"), self._prefix())
                yield _figure([Markup(svg)])
                at += 3
                continue
            yield tokens[at]
            at += 1
            if _is_rules(tokens[at - 1]) and self._picture_of(tokens[at : at + 3]) is None:
                yield from self._boards(tokens[at - 1].content)

    def _picture_of(self, paragraph: Sequence[Token]) -> Path | None:
        """The file of the picture that a paragraph is, if the folder has it."""
        match paragraph:
            case [Token(type="paragraph_open"), Token(children=[Token(type="image") as image]), _]:
                file = self.folder / str(image.attrs["src"])
                return file if file.suffix == ".svg" and file.is_file() else None
            case _:
                return None

    def _boards(self, text: str) -> Iterator[Token]:
        """The boards of a block of rules, as far as its examples can be drawn."""
        drawn = [
            example_board(self.catalog, rule.name.text, part, self._prefix())
            for rule in parsed(Source("rules", text)).declarations
            if isinstance(rule, tree.Rule)
            for part in rule.body
            if isinstance(part, tree.Example)
        ]
        if boards := [board for board in drawn if board is not None]:
            yield _figure(boards)

    def _prefix(self) -> str:
        return f"g{next(self._numbers)}"


def _is_rules(token: Token) -> bool:
    return token.type == "fence" and token.info == "kb"


def _figure(drawn: Sequence[Markup]) -> Token:
    boards = "".join(f'<div class="board">{board}</div>\n' for board in drawn)
    return Token("html_block", "", 0, content=f'<figure class="example">\n{boards}</figure>\n')


FIRST = "guide/index.html"
GENERATED = {
    "words.md": "reference/words.html",
    "messages": "reference/codes.html",
    "boxes.md": "boxes/index.html",
    "rulings.md": "rulings.html",
}
"""Written pages that the site has in a better form."""
_PARTS = {
    WRITE: (
        "workshop",
        "editors",
        "scenarios",
        "tables",
        "expansions",
        "packages",
        "coverage",
        "mutation",
    ),
    LOOK_UP: ("language", "rulebook", "limits"),
    USE: ("python", "players", "ci", "simulation", "ladder", "scale", "conformance"),
}
"""Where the pages stand in the menu; the others are in its last part."""


def guide_pages(catalog: Catalog, folder: Path | None = None) -> Iterator[Page]:
    """The written pages of a folder, those of kbrules by default; boards have a catalog's hexes.

    Those below `guide` lie below its first page, which is `index.md`.
    """
    folder = folder or data_root("rules").parent / "docs"
    chapters = [path for path in sorted((folder / "guide").glob("*.md")) if path.stem != "index"]
    others = [path for path in sorted(folder.glob("*.md")) if path.name not in GENERATED]
    paths = GENERATED | {path.name: f"guide/{path.stem}.html" for path in (*chapters, *others)}
    paths |= {f"{code}.md": f"reference/{code}.html" for code in CODES}
    paths["index.md"] = FIRST
    read = partial(_read, paths=paths, catalog=catalog)
    title, text = read(folder / "guide" / "index.md")
    yield Page(FIRST, title, "guide", "text", {"text": text}, group=WRITE)
    for path in chapters:
        title, text = read(path)
        yield Page(paths[path.name], title, "guide", "text", {"text": text}, above=_ABOVE)
    for path in others:
        title, text = read(path)
        part = next((part for part, names in _PARTS.items() if path.stem in names), MORE)
        yield Page(paths[path.name], title, "guide", "text", {"text": text}, group=part)


_ABOVE = (("Guide", FIRST),)


def _read(path: Path, paths: Mapping[str, str], catalog: Catalog) -> tuple[str, Markup]:
    """The title of a page and what follows it."""
    text = path.read_text(encoding="utf-8") if path.is_file() else "# Guide"
    options = {"html": True, "xhtmlOut": False, "highlight": _highlighted}
    markdown = MarkdownIt("commonmark", options)
    tokens = markdown.enable("table").parse(text)
    pictures = GuidePictures(path.parent, catalog)
    title, rest = _split_title(list(pictures.drawn(_plain(tokens))))
    _describe_images(rest)
    _add_anchors(rest)
    rest = list(_with_frames(rest))
    _redirect_links(rest, paths)
    return title, Markup(markdown.renderer.render(rest, markdown.options, {}))


def _plain(tokens: Sequence[Token]) -> list[Token]:
    """Tokens without markup of their own; a line end is kept."""
    for token in tokens:
        token.children = None if token.children is None else _plain(token.children)
        if token.type == "html_inline" and token.content.startswith("<br"):
            token.type = "hardbreak"
    return [token for token in tokens if token.type not in ("html_block", "html_inline")]


def _describe_images(tokens: Iterable[Token]) -> None:
    """Let a picture that is not drawn be the words that describe it."""
    for token in tokens:
        if token.type == "image":
            token.type, token.children = "text", None
        _describe_images(token.children or ())


def _split_title(tokens: list[Token]) -> tuple[str, list[Token]]:
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h1":
            return tokens[at + 1].content, tokens[:at] + tokens[at + 3 :]
    return "A page without a title", tokens


def _redirect_links(tokens: Sequence[Token], paths: Mapping[str, str]) -> None:
    """Let links lead to pages of ours; one that leads elsewhere becomes plain text."""
    for token in tokens:
        _redirect_links(token.children or (), paths)
    open_links: list[Token] = []
    for token in tokens:
        if token.type == "link_open":
            target = _target(str(token.attrs["href"]), paths)
            token.attrs = {"href": target} if target else {}
            token.tag = "a" if target else "span"
            open_links.append(token)
        elif token.type == "link_close" and open_links:
            token.tag = open_links.pop().tag


def _target(href: str, paths: Mapping[str, str]) -> str:
    """Where a link leads; a place is kept within written pages, which have the same headings."""
    file, _, place = href.partition("#")
    if not file:
        return href
    page = paths.get(posixpath.basename(file))
    if not page:
        return ""
    return f"../{page}#{place}" if place and page.startswith("guide/") else f"../{page}"


def _add_anchors(tokens: Sequence[Token]) -> None:
    """Give each heading an id made of its words, as forges do."""
    taken: dict[str, int] = {}
    for heading, text in pairwise(tokens):
        if heading.type == "heading_open":
            name = _NO_ANCHOR.sub("", text.content.lower()).replace(" ", "-")
            count = taken[name] = taken.get(name, -1) + 1
            heading.attrs = {"id": f"{name}-{count}" if count else name}


def _with_frames(tokens: Iterable[Token]) -> Iterator[Token]:
    """Put each table into a frame, in which it may be wider than the page."""
    for token in tokens:
        if token.type == "table_open":
            yield Token("html_block", "", 0, content=_FRAME)
        yield token
        if token.type == "table_close":
            yield Token("html_block", "", 0, content="</div>\n")


_FRAME = '<div class="scroll" tabindex="0" role="group" aria-label="Table">\n'
_NO_ANCHOR = re.compile(r"[^\w\- ]")


def _highlighted(text: str, language: str, _: Any) -> str:
    """A block of code as an element of its own; rules are in colour."""
    macros: Any = environment().get_template("site/macros.html").make_module({"root": "../"})
    if language == "kb":
        return str(macros.rules(unlinked(rule_tokens(text))))
    return str(macros.plain(text))

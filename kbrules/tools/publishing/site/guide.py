"""The author's guide: the written pages of a checkout, with their links leading into the site."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from kbrules.library.resources import data_root
from kbrules.tools.editors.highlight import rule_tokens
from kbrules.tools.publishing.site.page import Page, unlinked
from kbrules.tools.reports.templates import environment

__all__ = ["guide_pages"]

PRINTED = {
    "words.md": "reference/words.html",
    "codes.md": "reference/codes.html",
    "boxes.md": "index.html",
    "index.md": "guide/index.html",
}
"""Written pages that the site has in a better form."""


def guide_pages(folder: Path | None = None) -> Iterator[Page]:
    """The written pages of a folder, those of kbrules by default; a list of all first.

    Those below `guide` come before the others.
    """
    folder = folder or data_root("rules").parent / "docs"
    written = [*sorted((folder / "guide").glob("*.md")), *sorted(folder.glob("*.md"))]
    texts = {p.name: p.read_text(encoding="utf-8") for p in written if p.name not in PRINTED}
    paths = PRINTED | {name: f"guide/{Path(name).stem}.html" for name in texts}
    pages = {paths[name]: _read(text, paths) for name, text in texts.items()}
    titles = {path: title for path, (title, _) in pages.items()} | REFERENCE
    yield Page("guide/index.html", "Guide", "guide", "guide", {"titles": list(titles.items())})
    for path, (title, text) in pages.items():
        above = (("Guide", "guide/index.html"),)
        yield Page(path, title, "guide", "text", {"text": text}, above=above)


REFERENCE = {
    "reference/words.html": "Words of the language",
    "reference/steps.html": "Steps of the language",
    "reference/events.html": "Events",
    "reference/codes.html": "What a message means",
    "python/index.html": "Python",
}


def _read(text: str, paths: Mapping[str, str]) -> tuple[str, Markup]:
    """The title of a page and what follows it."""
    options = {"html": True, "xhtmlOut": False, "highlight": _highlighted}
    markdown = MarkdownIt("commonmark", options)
    tokens = markdown.enable("table").parse(text)
    title, rest = _titled(_plain(tokens))
    _redirect(rest, paths)
    return title, Markup(markdown.renderer.render(rest, markdown.options, {}))


def _plain(tokens: Sequence[Token]) -> list[Token]:
    """Tokens without markup of their own and without pictures; a line end is kept."""
    for token in tokens:
        token.children = None if token.children is None else _plain(token.children)
        if token.type == "image":
            token.type, token.children = "text", None
        if token.type == "html_inline" and token.content.startswith("<br"):
            token.type = "hardbreak"
    return [token for token in tokens if token.type not in ("html_block", "html_inline")]


def _titled(tokens: list[Token]) -> tuple[str, list[Token]]:
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h1":
            return tokens[at + 1].content, tokens[:at] + tokens[at + 3 :]
    return "A page without a title", tokens


def _redirect(tokens: Sequence[Token], paths: Mapping[str, str]) -> None:
    """Let links lead to pages of ours; one that leads elsewhere becomes plain text."""
    for token in tokens:
        _redirect(token.children or (), paths)
    waiting: list[Token] = []
    for token in tokens:
        if token.type == "link_open":
            to = paths.get(posixpath.basename(str(token.attrs["href"]).partition("#")[0]))
            token.attrs = {"href": f"../{to}"} if to else {}
            token.tag = "a" if to else "span"
            waiting.append(token)
        elif token.type == "link_close" and waiting:
            token.tag = waiting.pop().tag


def _highlighted(text: str, language: str, _: Any) -> str:
    """A block of code as an element of its own; rules are in colour."""
    macros: Any = environment().get_template("site/macros.html").make_module({"root": "../"})
    if language == "kb":
        return str(macros.rules(unlinked(rule_tokens(text))))
    return str(macros.plain(text))

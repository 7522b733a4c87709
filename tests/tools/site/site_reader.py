"""A site as a browser and a screen reader would find it."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "link", "input", "br", "img"}


@dataclass
class Found(HTMLParser):
    """What stands in one page."""

    ids: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    main: list[str] = field(default_factory=list)
    labelled: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        self.tags.append(tag)
        self.ids += [named["id"]] if "id" in named else []
        if tag == "a":
            self.links.append(named["href"])
        elif tag in ("link", "script", "img", "iframe"):
            self.loads.append(named.get("href") or named.get("src") or "")
        elif tag == "label":
            self.labelled.add(named["for"])
        if tag in ("h1", "h2", "h3", "h4"):
            self.headings.append(tag)
        if any(name.startswith("on") for name in named):
            self.wrong.append(f"a script in an attribute of {tag}")
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if "svg" not in self._open:
            self.wrong.append(f"<{tag}/> outside of a picture")

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open.pop() != tag:
            self.wrong.append(f"</{tag}> closes nothing")

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & set(self._open):
            (self.main if "main" in self._open else self.words).append(data)

    @property
    def text(self) -> str:
        """What a page is about; all of it where nothing is set apart as that."""
        return "".join(self.main or self.words)

    def finished(self) -> Found:
        self.close()
        self.wrong += [f"<{tag}> is left open" for tag in self._open]
        return self


def read_page(text: str) -> Found:
    """What stands in a page."""
    found = Found()
    found.feed(text)
    return found.finished()


def read_site(files: Mapping[str, str]) -> dict[str, Found]:
    """Every page of a site."""
    return {name: read_page(text) for name, text in files.items() if name.endswith(".html")}


def target(page: str, to: str) -> tuple[str, str]:
    """The file and the place in it that a link of a page leads to."""
    path, _, place = to.partition("#")
    at = posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page
    return at, place

"""The whole site as texts by their paths, with the author's guide, written whole or not at all."""

from __future__ import annotations

import json
import os
import posixpath
import re
import shutil
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import count, pairwise
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.token import Token as MarkdownToken
from markupsafe import Markup

from kbrules.engine.logs.writing import temporary_folder
from kbrules.game.board import Catalog
from kbrules.hooks import OnProgress, silent, with_progress
from kbrules.lang.syntax import tree
from kbrules.lang.typed import Signature
from kbrules.library import reading, store
from kbrules.messages import CODES, Example, File
from kbrules.primitives.vocabulary import EVENTS, vocabulary
from kbrules.text import Source, visible
from kbrules.tools.docs import box_pages, content as contents
from kbrules.tools.docs.python_pages import python_pages
from kbrules.tools.editors.highlight import rule_tokens, sentence_tokens
from kbrules.tools.pictures.board import with_id_prefix
from kbrules.tools.reports.data import Data
from kbrules.tools.reports.page import environment, source
from kbrules.tools.reports.report import Lines, Report

# The pictures of a written page: its own, and boards for the examples of rules without one.


@dataclass(frozen=True, slots=True)
class GuidePictures:
    """Draws the pictures of a page that lies in a folder, with the hexes of a catalog."""

    folder: Path
    catalog: Catalog
    _numbers: Iterator[int] = field(default_factory=lambda: count(1), repr=False)

    def drawn(self, tokens: Sequence[MarkdownToken]) -> Iterator[MarkdownToken]:
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
            block = tokens[at - 1]
            is_rules = block.type == "fence" and block.info == "kb"
            if is_rules and self._picture_of(tokens[at : at + 3]) is None:
                yield from self._boards(block.content)

    def _picture_of(self, paragraph: Sequence[MarkdownToken]) -> Path | None:
        """The file of the picture that a paragraph is, if the folder has it."""
        match paragraph:
            case [
                MarkdownToken(type="paragraph_open"),
                MarkdownToken(children=[MarkdownToken(type="image") as image]),
                _,
            ]:
                file = self.folder / str(image.attrs["src"])
                return file if file.suffix == ".svg" and file.is_file() else None
            case _:
                return None

    def _boards(self, text: str) -> Iterator[MarkdownToken]:
        """The boards of a block of rules, as far as its examples can be drawn."""
        drawn = [
            box_pages.example_board(self.catalog, rule.name.text, example, self._prefix())
            for rule in store.parsed(Source("rules", text)).declarations
            if isinstance(rule, tree.Rule)
            for example in rule.examples
        ]
        if boards := [board for board in drawn if board is not None]:
            yield _figure(boards)

    def _prefix(self) -> str:
        return f"g{next(self._numbers)}"


def _figure(drawn: Sequence[Markup]) -> MarkdownToken:
    boards = "".join(f'<div class="board">{board}</div>\n' for board in drawn)
    return MarkdownToken(
        "html_block", "", 0, content=f'<figure class="example">\n{boards}</figure>\n'
    )


FIRST = "guide/index.html"
GENERATED = {
    "words.md": "reference/words.html",
    "messages": "reference/codes.html",
    "boxes.md": "boxes/index.html",
    "rulings.md": "rulings.html",
}
"""Written pages that the site has in a better form."""
_PARTS = {
    contents.WRITE: (
        "workshop",
        "editors",
        "scenarios",
        "tables",
        "expansions",
        "packages",
        "coverage",
        "mutation",
    ),
    contents.LOOK_UP: ("language", "rulebook", "limits"),
    contents.USE: ("python", "players", "ci", "simulation", "ladder", "scale", "conformance"),
}
"""Where the pages stand in the menu; the others are in its last part."""


def guide_pages(catalog: Catalog, folder: Path | None = None) -> Iterator[contents.Page]:
    """The written pages of a folder, those of kbrules by default; boards have a catalog's hexes.

    Those below `guide` lie below its first page, which is `index.md`.
    """
    folder = folder or reading.data_root("rules").parent / "docs"
    chapters = [path for path in sorted((folder / "guide").glob("*.md")) if path.stem != "index"]
    others = [path for path in sorted(folder.glob("*.md")) if path.name not in GENERATED]
    paths = GENERATED | {path.name: f"guide/{path.stem}.html" for path in (*chapters, *others)}
    paths |= {f"{code}.md": f"reference/{code}.html" for code in CODES}
    paths["index.md"] = FIRST
    groups = {name: part for part, names in _PARTS.items() for name in names}
    rows = [
        (folder / "guide" / "index.md", contents.WRITE, ()),
        *((path, "", (("Guide", FIRST),)) for path in chapters),
        *((path, groups.get(path.stem, contents.MORE), ()) for path in others),
    ]
    for path, group, above in rows:
        title, text = _read(path, paths, catalog)
        values = {"text": text}
        yield contents.Page(
            paths[path.name], title, "guide", "text", values, above=above, group=group
        )


def _read(path: Path, paths: Mapping[str, str], catalog: Catalog) -> tuple[str, Markup]:
    """The title of a page and what follows it."""
    text = path.read_text(encoding="utf-8") if path.is_file() else "# Guide"
    options = {"html": True, "xhtmlOut": False, "highlight": _highlighted}
    markdown = MarkdownIt("commonmark", options).enable("table")
    for name, rule in _RENDER_RULES.items():
        markdown.add_render_rule(name, rule)
    tokens = markdown.parse(text)
    pictures = GuidePictures(path.parent, catalog)
    title, rest = _split_title(list(pictures.drawn(_plain(tokens))))
    _add_anchors(rest)
    _redirect_links(rest, paths)
    return title, Markup(markdown.renderer.render(rest, markdown.options, {}))


def _plain(tokens: Sequence[MarkdownToken]) -> list[MarkdownToken]:
    """Tokens without markup of their own; a line end is kept."""
    for token in tokens:
        token.children = None if token.children is None else _plain(token.children)
        if token.type == "html_inline" and token.content.startswith("<br"):
            token.type = "hardbreak"
    return [token for token in tokens if token.type not in ("html_block", "html_inline")]


def _split_title(tokens: list[MarkdownToken]) -> tuple[str, list[MarkdownToken]]:
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h1":
            return tokens[at + 1].content, tokens[:at] + tokens[at + 3 :]
    return "A page without a title", tokens


def _redirect_links(tokens: Sequence[MarkdownToken], paths: Mapping[str, str]) -> None:
    """Let links lead to pages of ours; one that leads elsewhere becomes plain text."""
    for token in tokens:
        _redirect_links(token.children or (), paths)
    open_links: list[MarkdownToken] = []
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


def _add_anchors(tokens: Sequence[MarkdownToken]) -> None:
    """Give each heading an id made of its words, as forges do."""
    taken: dict[str, int] = {}
    for heading, text in pairwise(tokens):
        if heading.type == "heading_open":
            name = _NO_ANCHOR.sub("", text.content.lower()).replace(" ", "-")
            count = taken[name] = taken.get(name, -1) + 1
            heading.attrs = {"id": f"{name}-{count}" if count else name}


_FRAME = '<div class="scroll" tabindex="0" role="group" aria-label="Table">\n'
_RENDER_RULES: dict[str, Any] = {
    "table_open": lambda self, *given: _FRAME + self.renderToken(*given),
    "table_close": lambda self, *given: self.renderToken(*given) + "</div>\n",
    "image": lambda self, tokens, at, *_: escapeHtml(tokens[at].content),
}
"""A table stands in a frame, in which it may be wider than the page; a picture that is not drawn
is the words that describe it."""
_NO_ANCHOR = re.compile(r"[^\w\- ]")


def _highlighted(text: str, language: str, _: Any) -> str:
    """A block of code as an element of its own; rules are in colour."""
    macros: Any = environment().get_template("site/macros.html").make_module({"root": "../"})
    if language == "kb":
        return str(macros.rules(contents.unlinked(rule_tokens(text))))
    return str(macros.plain(text))


# The first page of the site: a picture, a whole card, and three ways in.


_PICTURE = "board.svg"


def landing_page(
    boxes: Sequence[contents.BoxContent], links: Mapping[str, contents.Links]
) -> contents.Page:
    """The page; links: those of each box by its id."""
    own = [box for box in boxes if box.folder is not None]
    values = {
        "own": own,
        "boxes": [box for box in boxes if box.box is not None],
        "card": next(_cards(boxes, links), None),
        "picture": next(iter(landing_picture()), ""),
    }
    title = own[0].title if own else "The rules of Kingdom Builder, as text"
    return contents.Page(
        contents.LANDING, title, "", "landing", values, lang=own[0].lang if own else ""
    )


def landing_picture() -> dict[str, str]:
    """Return the picture of a game by its address; nothing where there is none."""
    path = reading.data_root("rules").parent / "docs" / _PICTURE
    return {_PICTURE: path.read_text(encoding="utf-8")} if path.is_file() else {}


def _cards(
    boxes: Sequence[contents.BoxContent], links: Mapping[str, contents.Links]
) -> Iterator[dict[str, Any]]:
    """Yield the cards with an example that can be drawn, as the page shows one."""
    for box, entry in ((of, entry) for of in boxes for entry in of.entries):
        if entry.kind != "card" or entry.rule is None:
            continue
        for example in entry.rule.examples[:1]:
            board = box_pages.example_board(box.ruleset.catalog, entry.rule.id, example, "first")
            text = box_pages.rule_text(entry.declaration, (example.span.line,))
            if board is not None:
                linked = links[box.id].link(rule_tokens(text))
                yield {"entry": entry, "text": linked, "board": board}


# The pages of the language: every word, operator, step and event, from its declaration.


def language_pages() -> Iterator[contents.Page]:
    """The pages of words, of steps, and of events."""
    known = vocabulary()
    words = {
        "tables": [
            ("Words", _words(known.words)),
            ("Words over ... for x in ...", _words(known.folds, known.words)),
        ],
        "operators": [each for found in known.operators.values() for each in found],
    }
    steps = [
        (verb, [_usage(s.pattern, s.page, s.example) for s in found])
        for verb, found in sorted(known.steps.items())
    ]
    for path, title, template, values in (
        (contents.WORDS, "Words of the language", "words", words),
        (contents.STEPS, "Steps of the language", "steps", {"steps": steps}),
        (contents.EVENTS_PAGE, "Events", "events", {"events": EVENTS.values()}),
    ):
        yield contents.Page(path, title, "reference", template, values, group=contents.LOOK_UP)


def _words(
    words: Mapping[str, tuple[Signature, ...]], taken: Container[str] = ()
) -> list[tuple[str, str, list[dict[str, Any]]]]:
    """Words with their ids and meanings; the id is another if it is taken."""
    return [
        (
            name,
            f"fold-{name}" if name in taken else name,
            [_usage(f"{s}: {s.result}", s.page, s.example) for s in found],
        )
        for name, found in sorted(words.items())
    ]


def _usage(pattern: str, meaning: str, example: str) -> dict[str, Any]:
    """How a word is written, with an example, which is a piece of a sentence."""
    return {
        "pattern": pattern,
        "meaning": meaning,
        "example": contents.unlinked(sentence_tokens(example)),
    }


# The pages of the messages: each code with what it means, what is wrong, and how it is right.


ANSWERS_FILE = "answers.json"
"""What the program answers to the wrong example of each code; to try them all takes longer than to
write all other pages."""
_PAGE = "reference/codes.html"
_MAX_LINES, _MAX_COLUMNS = 24, 100

Block = tuple[File | None, str | list[contents.Token]]
"""A part of an example: its file, or none for commands, and what is shown, of rules in tokens."""


def message_pages() -> Iterator[contents.Page]:
    """The list of all codes, and a page for each."""
    stored = files("kbrules.tools.docs").joinpath(ANSWERS_FILE).read_text(encoding="utf-8")
    answers: dict[str, str] = json.loads(stored)
    listed = [(code, f"reference/{code.code}.html") for code in CODES.values()]
    yield contents.Page(
        _PAGE, "Messages", "reference", "codes", {"codes": listed}, group=contents.LOOK_UP
    )
    for code, path in listed:
        title, above = f"{code.code} {code.slug}", (("Messages", _PAGE),)
        values = {
            "code": code,
            "wrong": list(_blocks(code.wrong)),
            "answer": answers.get(code.code, ""),
            "right": list(_blocks(code.right)),
        }
        group = f"{code.code[:3]}.."
        yield contents.Page(path, title, "message", "code", values, code.title, above, group)


def _blocks(example: Example) -> Iterator[Block]:
    yield from ((file, _shown(file)) for file in example.files)
    if example.commands:
        yield None, "\n".join(f"kbrules {line}" for line in example.commands)


def _shown(file: File) -> str | list[contents.Token]:
    shown = _shortened(file.text)
    if file.name.endswith(".kb") and shown == file.text.rstrip("\n"):
        return contents.unlinked(rule_tokens(shown))
    return shown


def _shortened(text: str) -> str:
    """A text with what cannot be seen made visible, and cut where nobody would read on."""
    lines = [_cut(visible(line)) for line in text.rstrip("\n").split("\n")]
    more = len(lines) - _MAX_LINES
    return "\n".join([*lines[:_MAX_LINES], *([f"... and {more} more lines"] if more > 0 else [])])


def _cut(line: str) -> str:
    return line if len(line) <= _MAX_COLUMNS else f"{line[: _MAX_COLUMNS - 3]}..."


# The whole site as texts by their paths: the same for the same boxes, wherever it is made.


PACKAGE = "kbrules.tools.docs"
_ASSETS = ("site.js", "search.js", "vendor/minisearch.js", "vendor/minisearch.LICENSE.txt")


def site_files(
    content: contents.SiteContent,
    folders: Sequence[Path],
    coverage: contents.SiteCoverage | None = None,
    workshop: box_pages.Workshop | None = None,
    on_progress: OnProgress = silent,
) -> dict[str, str]:
    """The files of the site of some boxes, by their paths.

    on_progress: told how many declarations are described, and pages written.
    """
    given = coverage or contents.SiteCoverage(), workshop or box_pages.Workshop()
    pages = [*site_pages(content, folders, *given, on_progress), *message_pages()]
    navigation = contents.Navigation(pages)
    described = with_progress(pages, "pages", on_progress)
    made = {page.path: navigation.html(page) for page in described}
    made["index.js"] = contents.search_index(pages)
    made["site.css"] = source("page.css") + source("site/site.css")
    made |= landing_picture()
    for name in _ASSETS:
        made[name] = files(PACKAGE).joinpath(name).read_text(encoding="utf-8")
    return made


def site_pages(
    content: contents.SiteContent,
    folders: Sequence[Path],
    coverage: contents.SiteCoverage,
    workshop: box_pages.Workshop,
    on_progress: OnProgress = silent,
) -> Iterator[contents.Page]:
    """Every page but those of messages, the first one first."""
    done, wanted = 0, sum(len(box.entries) for box in content.boxes)
    on_progress(done, wanted, "declarations")
    evidence = contents.collect_evidence(folders, coverage)
    links = {box.id: contents.links_of(content.boxes, box) for box in content.boxes}
    yield landing_page(content.boxes, links)
    yield box_pages.boxes_page(content.boxes)
    yield box_pages.rulings_page(content.boxes, links)
    boxes = {box.id: box for box in content.boxes}
    for box in content.boxes:
        yield box_pages.box_page(box, coverage, boxes)
        yield from box_pages.component_pages(box, links[box.id])
        for entry in sorted(box.entries, key=lambda entry: [*contents.KINDS].index(entry.kind)):
            yield box_pages.declaration_page(entry, box, links[box.id], evidence, workshop)
            on_progress(done := done + 1, wanted, "declarations")
    yield from language_pages()
    yield from python_pages()
    yield from guide_pages(content.boxes[0].ruleset.catalog)


# A folder of pages, written whole or not at all; nobody else's folder is touched.


MARKER = ".kbrules-site"
"""The file by which a folder of ours is known."""
_NOTE = "kbrules wrote this folder, and writes it anew without asking.\n"


class ForeignFolder(Exception):
    """The folder is there already and holds something that we have not written."""


def publish(
    files: Mapping[str, str | bytes], folder: Path, on_progress: OnProgress = silent
) -> None:
    """Write files by their paths into a folder, in place of what we wrote there before.

    The folder is made beside and renamed, so that a reader sees the old site or the new one.
    on_progress: told how many files are written. `ForeignFolder` if something else is there,
    OSError if the place cannot be written to.
    """
    if reason := refusal_reason(folder):
        raise ForeignFolder(reason)
    target = reading.real_path(folder)
    target.parent.mkdir(parents=True, exist_ok=True)
    new_folder = temporary_folder(target)
    try:
        every = list({MARKER: _NOTE, **files}.items())
        for name, text in with_progress(every, "files", on_progress):
            _write(new_folder / name, text)
        _swap(new_folder, target)
    finally:
        shutil.rmtree(new_folder, ignore_errors=True)


def refusal_reason(folder: Path) -> str:
    """Why a folder may not be written, or nothing."""
    try:
        target = reading.real_path(folder)
        if not target.exists():
            return ""
        if not target.is_dir():
            return "it is a file"
        is_ours = (target / MARKER).is_file() or not any(target.iterdir())
    except OSError as error:
        return error.strerror or "it cannot be looked at"
    except RuntimeError:
        return "it is a link to itself"
    return "" if is_ours else "it holds something else already"


def _write(path: Path, data: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)


def _swap(new_folder: Path, target: Path) -> None:
    """Put a folder in the place of another; if that fails, the other is back in its place."""
    if not target.exists():
        os.replace(new_folder, target)
        return
    old = temporary_folder(target)
    os.replace(target, old)
    try:
        os.replace(new_folder, target)
    except OSError:
        os.replace(old, target)
        raise
    shutil.rmtree(old, ignore_errors=True)


class DocsData(Data):
    """What `kbrules docs` wrote."""

    folder: str
    pages: int
    """Number of pages."""
    files: tuple[str, ...]
    """All files, by their paths in the folder."""


def site_report(files: Iterable[str], output: Path) -> Report:
    """Return the report of the files of a site that were written."""
    names = sorted(files)
    pages = sum(name.endswith(".html") for name in names)
    line = f"{pages} pages: {visible((output / 'index.html').as_posix())}"
    data = DocsData(folder=output.as_posix(), pages=pages, files=tuple(names))
    return Report("Site", [Lines((line,))], data)

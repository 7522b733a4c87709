"""The pages of the messages: each code with what it means, what is wrong, and how it is right."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from kbrules.codes import CODES
from kbrules.codes.entry import Code, Example
from kbrules.diagnostics import render_full
from kbrules.text import visible
from kbrules.tools.checking.code_examples import FILES, findings_of
from kbrules.tools.editors.highlight import pieces
from kbrules.tools.publishing.site.frame import Page, section, table
from kbrules.tools.publishing.site.markup import Html, element, join, link
from kbrules.tools.publishing.site.reference import sentences

__all__ = ["CODES_PAGE", "code_path", "pages_of_messages"]

CODES_PAGE = "reference/codes.html"
_MOST, _LONGEST = 24, 100  # lines shown of an example, letters of a line
_UNTRIED = ("none", "arguments")


def code_path(code: str) -> str:
    """The address of the page of a code."""
    return f"reference/{code}.html"


def pages_of_messages() -> Iterator[Page]:
    """The list of all codes, and a page for each."""
    rows = ((link(code_path(c.code), c.code), c.severity, c.slug, c.title) for c in CODES.values())
    listed = table(("code", "it is", "short name", "what is wrong"), rows)
    yield Page(CODES_PAGE, "What a message means", "reference", "", listed)
    for code in CODES.values():
        above = (("Messages", CODES_PAGE),)
        title, about = f"{code.code} {code.slug}", code.title
        yield Page(code_path(code.code), title, "message", about, join(*_parts(code)), above)


def _parts(code: Code) -> Iterator[Html]:
    yield element("p", f"{code.title[0].upper()}{code.title[1:]}.", class_="wording")
    yield sentences(code.explanation)
    if code.severity == "warning":
        yield element("p", "This is a warning: the rules can be loaded and played as they are.")
    if code.wrong.kind == "none":
        return
    yield section("Wrong", *_example(code.wrong))
    if code.wrong.kind not in _UNTRIED:
        yield section("It is told like this", element("pre", _said(code), tabindex="0"))
    yield section("Right", *_example(code.right))


@cache
def _said(code: Code) -> str:
    """What we answer to a wrong example, which is tried; the answer stays the same."""
    found = findings_of(code.wrong, code)
    own = [each for each in found if each.code == code.code]
    told = "\n\n".join(map(render_full, own or found))
    return "\n".join(map(visible, told.split("\n")))


def _example(example: Example) -> Iterator[Html]:
    for name, text in example.beside:
        yield from _file(name, text)
    match example.kind:
        case "arguments":
            lines = (f"kbrules {line}" for line in example.text.splitlines())
            yield element("pre", "\n".join(lines), tabindex="0")
        case "link":
            yield element("p", element("code", FILES["link"]), " is a link to ",
                          element("code", example.text))  # fmt: skip
        case "log":
            yield from _file(FILES["log"], example.text or "as it was\n")
        case kind if example.text or not example.beside:
            yield from _file(FILES[kind], example.text)


def _file(name: str, text: str) -> Iterator[Html]:
    yield element("p", element("code", name))
    shown = _shown(text)
    if name.endswith(".kb") and shown == text.rstrip("\n"):
        coloured = (element("span", piece, class_=kind) for kind, piece in pieces(shown))
        yield element("pre", element("code", *coloured), class_="kb", tabindex="0")
    else:
        yield element("pre", element("code", shown), tabindex="0")


def _shown(text: str) -> str:
    """A text with what cannot be seen made visible, and cut where nobody would read on."""
    lines = [_cut(visible(line)) for line in text.rstrip("\n").split("\n")]
    more = len(lines) - _MOST
    return "\n".join([*lines[:_MOST], *([f"... and {more} more lines"] if more > 0 else [])])


def _cut(line: str) -> str:
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."

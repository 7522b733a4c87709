"""What the search looks through, as a script that only holds data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from html import unescape

from kbrules.tools.publishing.site.frame import Page
from kbrules.tools.publishing.site.markup import Html
from kbrules.tools.publishing.site.reference import found_words

__all__ = ["index_of"]

_NOT_TEXT = re.compile(r"<svg .*?</svg>|<[^>]*>", re.DOTALL)
_WORD = re.compile(r"[^\W\d]\w{2,}")


def index_of(pages: Iterable[Page]) -> str:
    """Rows (title, kind, address, further words, words of the text) of pages and their words.

    No text of an author can end an element, whatever page would hold the rows.
    """
    rows = [[p.title, p.kind, p.path, p.about, _words(p.body)] for p in pages]
    rows += [[title, kind, to, "", ""] for title, kind, to in found_words()]
    data = json.dumps(rows, ensure_ascii=True, separators=(",", ":")).replace("<", r"\u003c")
    return f"const INDEX = {data};\n"


def _words(body: Html) -> str:
    """The words that stand on a page, each once."""
    text = unescape(_NOT_TEXT.sub(" ", body))
    return " ".join(sorted({word.lower() for word in _WORD.findall(text)}))

"""What the search looks through, as a script that only holds data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from html import unescape

from kbrules.tools.publishing.site.links import language_entries
from kbrules.tools.publishing.site.page import Page

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

"""How the parts of a rule file are told apart by colour: one table, for every kind of editor.

The keywords come from the grammar and the known words from the registry. The table is a list of
regular expressions that Python and Oniguruma understand alike; the first that matches wins.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from re import escape

from kbrules.lang.keywords import Keywords, keywords
from kbrules.lang.sorts import Sort
from kbrules.primitives.vocabulary import KINDS, vocabulary
from kbrules.scenario.examples.lines import LINES

__all__ = ["CLOSING", "OPENING", "Kind", "Part", "Table", "table"]


class Kind(StrEnum):
    """What a part of the text is."""

    COMMENT = "comment"
    DECLARATION = "declaration"
    DECLARED = "declared"
    KEYWORD = "keyword"
    TRUTH = "truth"
    NUMBER = "number"
    TEXT = "text"
    DRAWING = "drawing"
    SORT = "sort"
    VERB = "verb"
    WORD = "word"
    NAME = "name"
    SIGN = "sign"
    BLANK = "blank"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Part:
    """A pattern whose groups, side by side, are of these kinds; of one kind it has no groups."""

    pattern: str
    kinds: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The parts of a line, and those inside parentheses, where no sentence begins."""

    outside: tuple[Part, ...]
    inside: tuple[Part, ...]


NAME = "[a-z][a-z0-9_]*"
BLANK = r"[ \t]+"
OPENING = r"\("
CLOSING = r"\)|^(?=[^\s#)])"
"""A declaration begins in the first column even if the one above left something open."""
_SIGNS = r"!=|<=|>=|[-+*/&|=<>:,]"
_TRUTHS = ("yes", "no")


@lru_cache(maxsize=1)
def table() -> Table:
    """The table, made once per process."""
    anywhere = tuple(_anywhere(keywords()))
    return Table((*_beginnings(keywords()), *anywhere), (_PARAMETER, *anywhere))


def _any(patterns: Iterable[str]) -> str:
    """One of some patterns of whole words."""
    return rf"(?:{'|'.join(each.removesuffix(chr(92) + 'b') for each in patterns)})\b"


_SORTED = rf"({NAME})(:)({BLANK})({_any(Sort)})"
_PARAMETER = Part(_SORTED, (Kind.NAME, Kind.SIGN, Kind.BLANK, Kind.SORT))


def _beginnings(words: Keywords) -> Iterable[Part]:
    """What stands at the beginning of a declaration, of a sentence, or of a drawn row."""
    headings = _any((*words.headings, *sorted(KINDS)))
    openers = _any(words.openers)
    verbs = rf"{_any(sorted({*vocabulary().steps, *LINES}))}(?!\()"
    heading = (Kind.DECLARATION, Kind.BLANK, Kind.DECLARED)
    yield Part(rf"^({BLANK})(\|.*)", (Kind.BLANK, Kind.DRAWING))
    yield Part(rf"^({headings})({BLANK}){_SORTED}", (*heading, Kind.SIGN, Kind.BLANK, Kind.SORT))
    yield Part(rf"^({headings})({BLANK})({NAME})", heading)
    yield Part(rf"^({BLANK})({openers})", (Kind.BLANK, Kind.KEYWORD))
    yield Part(rf"^({BLANK})({verbs})", (Kind.BLANK, Kind.VERB))
    yield Part(rf"(:)({BLANK})({openers})", (Kind.SIGN, Kind.BLANK, Kind.KEYWORD))
    yield Part(rf"(:)({BLANK})({verbs})", (Kind.SIGN, Kind.BLANK, Kind.VERB))


def _anywhere(words: Keywords) -> Iterable[Part]:
    """What stands anywhere; some keywords may name a parameter, and are no keywords then."""
    known = {*vocabulary().words, *vocabulary().folds}
    inner = _any(each for each in words.inner if each not in _TRUTHS)
    yield Part("#.*", (Kind.COMMENT,))
    yield Part(r'"[^"\n]*"', (Kind.TEXT,))
    yield Part(_any(_TRUTHS), (Kind.TRUTH,))
    yield Part(rf"{inner}(?=[ \t]*[,)+*/&|=<>!])", (Kind.NAME,))
    yield Part(inner, (Kind.KEYWORD,))
    yield Part(_any(sorted(map(escape, known))), (Kind.WORD,))
    yield Part(NAME, (Kind.NAME,))
    yield Part("[0-9]+", (Kind.NUMBER,))
    yield Part(_SIGNS, (Kind.SIGN,))

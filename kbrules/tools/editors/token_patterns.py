"""The tokens of rule files by regular expressions: one table, for every kind of editor.

The keywords come from the grammar and the known words from the registry. The table is a list of
regular expressions that Python and Oniguruma understand alike; the first that matches wins.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from re import escape

from kbrules.lang.syntax.grammar import Keywords, keywords
from kbrules.lang.typed import Sort
from kbrules.primitives.vocabulary import KINDS, vocabulary
from kbrules.scenario.example_lines import LINES


class TokenKind(StrEnum):
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
class TokenPattern:
    """A pattern whose groups, side by side, are of these kinds; of one kind it has no groups."""

    pattern: str
    kinds: tuple[TokenKind, ...]


@dataclass(frozen=True, slots=True)
class TokenPatterns:
    """The parts of a line, and those inside parentheses, where no sentence begins."""

    outside: tuple[TokenPattern, ...]
    inside: tuple[TokenPattern, ...]


_COLUMN = r"\{[a-z][a-z0-9_]*\}"
NAME = rf"(?:[a-z]|{_COLUMN})(?:[a-z0-9_]|{_COLUMN})*"
BLANK = r"[ \t]+"
OPENING = r"\("
CLOSING = r"\)|^(?=[^\s#)])"
"""A declaration begins in the first column even if the one above left something open."""
_SIGNS = r"!=|<=|>=|[-+*/&|=<>:,]"
_TRUTHS = ("yes", "no")


@lru_cache(maxsize=1)
def token_patterns() -> TokenPatterns:
    """The patterns, made once per process."""
    anywhere = tuple(_anywhere(keywords()))
    return TokenPatterns((*_beginnings(keywords()), *anywhere), (_PARAMETER, *anywhere))


def _any(patterns: Iterable[str]) -> str:
    """One of some patterns of whole words."""
    return rf"(?:{'|'.join(each.removesuffix(chr(92) + 'b') for each in patterns)})\b"


_SORTED = rf"({NAME})(:)({BLANK})({_any(Sort)})"
_PARAMETER = TokenPattern(
    _SORTED, (TokenKind.NAME, TokenKind.SIGN, TokenKind.BLANK, TokenKind.SORT)
)


def _beginnings(words: Keywords) -> Iterable[TokenPattern]:
    """What stands at the beginning of a declaration, of a sentence, or of a drawn row."""
    headings = _any((*words.headings, *sorted(KINDS)))
    openers = _any(words.openers)
    verbs = rf"{_any(sorted({*vocabulary().steps, *LINES}))}(?!\()"
    heading = (TokenKind.DECLARATION, TokenKind.BLANK, TokenKind.DECLARED)
    yield TokenPattern(rf"^({BLANK})(\|.*)", (TokenKind.BLANK, TokenKind.DRAWING))
    yield TokenPattern(
        rf"^({headings})({BLANK}){_SORTED}",
        (*heading, TokenKind.SIGN, TokenKind.BLANK, TokenKind.SORT),
    )
    yield TokenPattern(rf"^({headings})({BLANK})({NAME})", heading)
    yield TokenPattern(rf"^({BLANK})({openers})", (TokenKind.BLANK, TokenKind.KEYWORD))
    yield TokenPattern(rf"^({BLANK})({verbs})", (TokenKind.BLANK, TokenKind.VERB))
    yield TokenPattern(
        rf"(:)({BLANK})({openers})", (TokenKind.SIGN, TokenKind.BLANK, TokenKind.KEYWORD)
    )
    yield TokenPattern(rf"(:)({BLANK})({verbs})", (TokenKind.SIGN, TokenKind.BLANK, TokenKind.VERB))


def _anywhere(words: Keywords) -> Iterable[TokenPattern]:
    """What stands anywhere; some keywords may name a parameter, and are no keywords then."""
    known = {*vocabulary().words, *vocabulary().folds}
    inner = _any(each for each in words.inner if each not in _TRUTHS)
    yield TokenPattern("#.*", (TokenKind.COMMENT,))
    yield TokenPattern(r'"[^"\n]*"', (TokenKind.TEXT,))
    yield TokenPattern(_any(_TRUTHS), (TokenKind.TRUTH,))
    yield TokenPattern(rf"{inner}(?=[ \t]*[,)+*/&|=<>!])", (TokenKind.NAME,))
    yield TokenPattern(inner, (TokenKind.KEYWORD,))
    yield TokenPattern(_any(sorted(map(escape, known))), (TokenKind.WORD,))
    yield TokenPattern(NAME, (TokenKind.NAME,))
    yield TokenPattern("[0-9]+", (TokenKind.NUMBER,))
    yield TokenPattern(_SIGNS, (TokenKind.SIGN,))

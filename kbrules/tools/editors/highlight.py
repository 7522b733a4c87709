"""Rule files in colour: one table of patterns, for Pygments and as a TextMate grammar."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from re import escape
from typing import Any

from pygments import highlight
from pygments.formatters.terminal import TerminalFormatter
from pygments.lexer import RegexLexer, bygroups
from pygments.lexers.python import PythonLexer
from pygments.token import (
    Comment,
    Error,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Text,
    Whitespace,
)

from kbrules.lang.syntax.grammar import Keywords, keywords
from kbrules.lang.typed import Sort
from kbrules.primitives.vocabulary import KINDS, vocabulary
from kbrules.scenario.example_lines import LINES

# The tokens of rule files by regular expressions: one table, for every kind of editor.
#
# The keywords come from the grammar and the known words from the registry. The table is a list of
# regular expressions that Python and Oniguruma understand alike; the first that matches wins.


class TokenKind(StrEnum):
    """What a part of the text is, with the token of Pygments, and the scope of TextMate themes."""

    token: Any
    scope: str

    def __new__(cls, name: str, token: Any, scope: str) -> TokenKind:
        """Make a kind, which is its name."""
        kind = str.__new__(cls, name)
        kind._value_, kind.token, kind.scope = name, token, scope
        return kind

    COMMENT = "comment", Comment.Single, "comment.line.number-sign.kb"
    DECLARATION = "declaration", Keyword.Declaration, "storage.type.kb"
    DECLARED = "declared", Name.Class, "entity.name.type.kb"
    KEYWORD = "keyword", Keyword, "keyword.control.kb"
    TRUTH = "truth", Keyword.Constant, "constant.language.kb"
    NUMBER = "number", Number.Integer, "constant.numeric.kb"
    TEXT = "text", String.Double, "string.quoted.double.kb"
    DRAWING = "drawing", String.Other, "string.unquoted.drawing.kb"
    SORT = "sort", Keyword.Type, "support.type.kb"
    VERB = "verb", Name.Function, "entity.name.function.kb"
    WORD = "word", Name.Builtin, "support.function.kb"
    NAME = "name", Name, "variable.other.kb"
    SIGN = "sign", Operator, "keyword.operator.kb"
    BLANK = "blank", Whitespace, ""
    WRONG = "wrong", Error, "invalid.illegal.kb"


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


# Rule files in colour: a lexer for Pygments, and with it for all that colours by Pygments.


_KINDS = {kind.token: kind for kind in TokenKind} | {
    Punctuation: TokenKind.SIGN,
    Text: TokenKind.BLANK,
}


class RulesLexer(RegexLexer):
    """The lexer of rule files; what no rule file may hold is `Error`."""

    name: Any = "kbrules"
    aliases = ["kb", "kbrules"]  # noqa: RUF012 (the base class declares lists)
    filenames = ["*.kb"]  # noqa: RUF012
    mimetypes = ["text/x-kbrules"]  # noqa: RUF012

    @classmethod
    def get_tokendefs(cls) -> dict[str, list[Any]]:
        """The states of the lexer, from the one table of patterns; made when the first lexer is."""
        table = token_patterns()
        outside, inside = (map(_rule, each) for each in (table.outside, table.inside))
        opening, closing = (OPENING, Punctuation, "inside"), (CLOSING, Punctuation, "#pop")
        blank = (r"[^\S\n]+|\n", Whitespace)
        return {
            "root": [*outside, opening, (r"\)", Punctuation), blank],
            "inside": [closing, *inside, opening, blank],
        }


def _rule(part: TokenPattern) -> tuple[str, Any]:
    tokens = [kind.token for kind in part.kinds]
    return part.pattern, tokens[0] if len(tokens) == 1 else bygroups(*tokens)


def rule_tokens(text: str) -> Iterator[tuple[TokenKind, str]]:
    """A rule text cut into tokens; joined they are the text."""
    for _, token, value in RulesLexer().get_tokens_unprocessed(text):
        yield _KINDS[token], value


def sentence_tokens(text: str) -> list[tuple[TokenKind, str]]:
    """The tokens of a sentence that is shown by itself, without a blank before it."""
    return list(rule_tokens(f" {text}"))[1:]


def highlighted_python(text: str) -> str:
    """Python in the colours of a terminal."""
    painted: str = highlight(text, PythonLexer(), TerminalFormatter())
    return painted.rstrip("\n")

"""Rule files in colour: a lexer for Pygments, and with it for all that colours by Pygments."""

from __future__ import annotations

from collections.abc import Iterator
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

from kbrules.tools.editors.token_patterns import (
    CLOSING,
    OPENING,
    TokenKind,
    TokenPattern,
    token_patterns,
)

PYGMENTS_TOKENS = {
    TokenKind.COMMENT: Comment.Single,
    TokenKind.DECLARATION: Keyword.Declaration,
    TokenKind.DECLARED: Name.Class,
    TokenKind.KEYWORD: Keyword,
    TokenKind.TRUTH: Keyword.Constant,
    TokenKind.NUMBER: Number.Integer,
    TokenKind.TEXT: String.Double,
    TokenKind.DRAWING: String.Other,
    TokenKind.SORT: Keyword.Type,
    TokenKind.VERB: Name.Function,
    TokenKind.WORD: Name.Builtin,
    TokenKind.NAME: Name,
    TokenKind.SIGN: Operator,
    TokenKind.BLANK: Whitespace,
    TokenKind.WRONG: Error,
}
_KINDS = {token: kind for kind, token in PYGMENTS_TOKENS.items()} | {
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
    tokens = [PYGMENTS_TOKENS[kind] for kind in part.kinds]
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

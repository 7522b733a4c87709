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

from kbrules.tools.editors.colours import CLOSING, OPENING, Kind, Part, table

__all__ = ["RulesLexer", "painted_python", "pieces", "sentence"]

TOKENS = {
    Kind.COMMENT: Comment.Single,
    Kind.DECLARATION: Keyword.Declaration,
    Kind.DECLARED: Name.Class,
    Kind.KEYWORD: Keyword,
    Kind.TRUTH: Keyword.Constant,
    Kind.NUMBER: Number.Integer,
    Kind.TEXT: String.Double,
    Kind.DRAWING: String.Other,
    Kind.SORT: Keyword.Type,
    Kind.VERB: Name.Function,
    Kind.WORD: Name.Builtin,
    Kind.NAME: Name,
    Kind.SIGN: Operator,
    Kind.BLANK: Whitespace,
    Kind.WRONG: Error,
}
_KINDS = {token: kind for kind, token in TOKENS.items()} | {
    Punctuation: Kind.SIGN,
    Text: Kind.BLANK,
}


class RulesLexer(RegexLexer):
    """The lexer of rule files; what no rule file may hold is `Error`."""

    name: Any = "kbrules"
    aliases = ["kb", "kbrules"]  # noqa: RUF012 (the base class declares lists)
    filenames = ["*.kb"]  # noqa: RUF012
    mimetypes = ["text/x-kbrules"]  # noqa: RUF012

    @classmethod
    def get_tokendefs(cls) -> dict[str, list[Any]]:
        """The states of the lexer, from the one table; made when the first lexer is."""
        opening = (OPENING, Punctuation, "inside")
        blank = (r"[^\S\n]+|\n", Whitespace)
        return {
            "root": [*map(_rule, table().outside), opening, (r"\)", Punctuation), blank],
            "inside": [
                (CLOSING, Punctuation, "#pop"), *map(_rule, table().inside), opening, blank,
            ],
        }  # fmt: skip


def _rule(part: Part) -> tuple[str, Any]:
    tokens = [TOKENS[kind] for kind in part.kinds]
    return part.pattern, tokens[0] if len(tokens) == 1 else bygroups(*tokens)


def pieces(text: str) -> Iterator[tuple[Kind, str]]:
    """A rule text cut into pieces of one kind each; joined they are the text."""
    for _, token, value in RulesLexer().get_tokens_unprocessed(text):
        yield _KINDS[token], value


def sentence(text: str) -> list[tuple[Kind, str]]:
    """The pieces of a sentence that is shown by itself, without a blank before it."""
    return list(pieces(f" {text}"))[1:]


def painted_python(text: str) -> str:
    """Python in the colours of a terminal."""
    painted: str = highlight(text, PythonLexer(), TerminalFormatter())
    return painted.rstrip("\n")

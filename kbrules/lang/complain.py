"""Parser errors in words a rule author can use: what stood there, what may stand there."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lark import Token
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from kbrules.diagnostics import Diagnostic, suggest
from kbrules.lang.split import Chunk
from kbrules.text import Span

KEYWORDS = (
    "permit", "forbid", "prefer", "waive", "deny", "increase", "decrease", "gold", "when",
    "whenever", "for", "if", "otherwise", "repeat", "either", "action", "required", "setup",
    "turn", "finish", "example", "define", "option", "memory", "replaces",
)  # fmt: skip
_SPOKEN = {
    "_NL": "the end of the line", "$END": "the end of the file", "NAME": "a word",
    "NUMBER": "a number", "TEXT": 'a text in `"`', "COLON": "`:`", "LPAR": "`(`", "RPAR": "`)`",
    "COMMA": "`,`", "EQUAL": "`=`", "COMPARE": "a comparison", "SUM": "`+`, `-` or `|`",
    "PRODUCT": "`*`, `/` or `&`", "MINUS": "`-`", "CALLED": "a word with arguments",
    "_INDENT": "an indented line", "_DEDENT": "the end of the block", "DRAWING": "a drawing",
    "PREPOSITION": "`from`, `of`, `with`, `at` or `as`", "RANGE": "`at least`",
}  # fmt: skip
_HIDDEN = {"HOLE", "_DEDENT", "$END", "DRAWING", "COMMENT", "WS"}


def complain(error: UnexpectedInput, chunk: Chunk, text: str, line: int) -> Diagnostic:
    """One diagnostic for a parser error on the given 0-based line of the chunk."""
    if isinstance(error, UnexpectedCharacters):
        return _character(error, chunk, text)
    assert isinstance(error, UnexpectedToken)
    token = error.token
    accepts = {str(name) for name in (error.accepts or error.expected or ())}
    if token.type == "_INDENT":
        return _indent(chunk, text, line)
    if token.type in ("_NL", "_DEDENT", "$END"):
        return _unfinished(chunk, text, line, accepts)
    return _unexpected(token, chunk, text, line, accepts)


def complain_dedent(chunk: Chunk, text: str, line: int) -> Diagnostic:
    """The indentation of a line matches no block above it (KB103)."""
    span = _line_span(chunk, text, line)
    help_ = "line it up with the block it belongs to"
    return Diagnostic("KB103", span, "the indentation matches no block above", help_)


def _line_span(chunk: Chunk, text: str, line: int) -> Span:
    lines = text.split("\n")
    start = chunk.offset + sum(len(before) + 1 for before in lines[:line])
    content = lines[line].rstrip()
    blank = len(content) - len(content.lstrip(" "))
    return chunk.source.span(start + blank, start + max(len(content), blank + 1))


def _end_of_line(chunk: Chunk, text: str, line: int) -> Span:
    span = _line_span(chunk, text, line)
    code = re.sub(r'("[^"]*")|#.*', lambda m: m.group(1) or "", span.text).rstrip()
    end = span.start + len(code)
    return chunk.source.span(max(span.start, end - 1), end)


def _character(error: UnexpectedCharacters, chunk: Chunk, text: str) -> Diagnostic:
    at = chunk.offset + error.pos_in_stream
    span = chunk.source.span(at, at + 1)
    if text[error.pos_in_stream] == '"':
        message = "a text starts here and does not end on this line"
        return Diagnostic("KB109", span, message, 'close it with `"`')
    help_ = "words are small letters, digits and `_`; comments start with `#`"
    shown = text[error.pos_in_stream]
    return Diagnostic("KB105", span, f"the character `{shown}` has no meaning here", help_)


def _indent(chunk: Chunk, text: str, line: int) -> Diagnostic:
    content = _line_span(chunk, text, line).text
    if _opens_block(content):
        return _missing_colon(chunk, text, line)
    following = next(
        n for n, later in enumerate(text.split("\n")[line + 1 :], line + 1) if later.strip()
    )
    span = _line_span(chunk, text, following)
    help_ = "indent it as far as the line above, or end that line with `:`"
    return Diagnostic("KB103", span, "this line is indented, but nothing above opens a block", help_)


def _opens_block(content: str) -> bool:
    return bool(
        re.match(
            r"(when|whenever|for|if|otherwise|repeat|up to|either|or|required|action|setup|turn"
            r"|finish|example)\b",
            content,
        )
    ) and not content.split("#")[0].rstrip().endswith(":")


def _missing_colon(chunk: Chunk, text: str, line: int) -> Diagnostic:
    span = _end_of_line(chunk, text, line)
    help_ = "end the line with `:`; what belongs to it follows, indented"
    return Diagnostic("KB107", span, "a `:` is missing at the end of this line", help_)


def _unfinished(chunk: Chunk, text: str, line: int, accepts: set[str]) -> Diagnostic:
    span = _end_of_line(chunk, text, line)
    if "COLON" in accepts and "RPAR" not in accepts and (line == 0 or _opens_block(_line_span(chunk, text, line).text)):
        return _missing_colon(chunk, text, line)
    if "_INDENT" in accepts:
        return Diagnostic("KB102", span, "nothing follows this line", "indent its body below it")
    message = f"the line ends too early: {_expected(accepts)}"
    return Diagnostic("KB102", span, message, _advice(chunk, text, line))


def _unexpected(
    token: Token, chunk: Chunk, text: str, line: int, accepts: set[str]
) -> Diagnostic:
    at = chunk.offset + (token.start_pos or 0)
    span = chunk.source.span(at, at + len(token))
    if str(token) == "\x1a":
        span = _line_span(chunk, text, line)
    message = f"`{token}` cannot stand here: {_expected(accepts)}"
    return Diagnostic("KB101", span, message, _advice(chunk, text, line))


def _expected(accepts: Iterable[str]) -> str:
    spoken = sorted({_speak(name) for name in accepts if name not in _HIDDEN})
    if not spoken:
        return "nothing more is expected"
    shown = spoken[:8]
    tail = " and others" if len(spoken) > 8 else ""
    return "expected " + ", ".join(shown) + tail


def _speak(name: str) -> str:
    return _SPOKEN.get(name, f"`{name.lower()}`")


def _advice(chunk: Chunk, text: str, line: int) -> str:
    """A keyword near the first word of the line, if that word is none."""
    content = _line_span(chunk, text, line).text
    found = re.match(r"[a-z]+", content)
    if not found or found.group() in KEYWORDS:
        return ""
    near = suggest(found.group(), KEYWORDS)
    return f"did you mean `{near}` instead of `{found.group()}`?" if near else ""

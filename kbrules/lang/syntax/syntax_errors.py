"""Parser errors as findings: what was found, and what is expected there."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from kbrules.diagnostics import Diagnostic, Label, quoted, suggest
from kbrules.lang.syntax.chunk import Chunk, code_only
from kbrules.lang.syntax.error_location import (
    ErrorLocation,
    expected_tokens,
    is_code,
    opens_block,
    previous_code_line,
)
from kbrules.lang.syntax.foreign_words import instead_of, instead_of_sign, plain, spelling
from kbrules.lang.syntax.split import BLOCKS, STATEMENTS
from kbrules.text import Span

_DECLARING = ("define", "steps", "option", "memory")
KEYWORDS = (*STATEMENTS, *_DECLARING, "replaces")
_TOKEN_NAMES = {
    "_NL": "the end of the line",
    "$END": "the end of the file",
    "NAME": "a word",
    "NUMBER": "a number",
    "TEXT": 'a text in `"`',
    "COLON": "`:`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "COMMA": "`,`",
    "EQUAL": "`=`",
    "COMPARE": "a comparison",
    "SUM": "`+`, `-` or `|`",
    "PRODUCT": "`*`, `/` or `&`",
    "MINUS": "`-`",
    "CALLED": "a word with arguments",
    "_INDENT": "an indented line",
    "_DEDENT": "the end of the block",
    "DRAWING": "a drawing",
    "PREPOSITION": "`from`, `of`, `with`, `at` or `as`",
    "RANGE": "`at least`",
    "NORM": "`permit` or its like",
    "SECTION": "`action`",
    "CHANGE": "`increase`",
}
_HIDDEN = {"HOLE", "HOLE_BLOCK", "BROKEN", "_DEDENT", "$END", "DRAWING", "COMMENT", "WS"}
_BEGINS_VALUE = {"NAME", "NUMBER", "CALLED", "LPAR", "YES", "NO", "NOT", "RANGE", "MINUS"}
_PHRASES = ("from", "into", "of", "with", "at", "as", "beside", "at least", "at most", "exactly")
_BETWEEN = (*_PHRASES, "on", "to", "by", "per", "in", "and", "not", "least", "most", "times")
_SHOWN = 8  # of what is expected
_BLOCK = re.compile(rf" *(?:{'|'.join(BLOCKS)})\b")
_WORD = re.compile(r"[^\W\d]\w*")

ParsesBeyond = Callable[[str, int], bool]
"""Whether a changed text can be read beyond a line."""


def syntax_error(
    error: Any, chunk: Chunk, text: str, location: ErrorLocation, parses_beyond: ParsesBeyond
) -> Diagnostic:
    """One diagnostic for a parser error and the lines it is about."""
    case = _SyntaxError(chunk, text, location, parses_beyond)
    misspelling = None if location.kind in ("character", "dedent", "open") else case.misspelling()
    if misspelling is not None:
        return misspelling
    match location.kind:
        case "character":
            return case.character()
        case "dedent":
            return case.dedent()
        case "open":
            return case.unclosed()
        case "empty":
            return case.empty()
        case "indent":
            return case.indent()
        case "end":
            return case.unfinished(expected_tokens(error))
        case _:
            return case.unexpected(str(error.token), expected_tokens(error))


@dataclass(frozen=True, slots=True)
class _SyntaxError:
    chunk: Chunk
    text: str
    location: ErrorLocation
    parses_beyond: ParsesBeyond

    def _line(self, number: int) -> tuple[int, str]:
        """Where a line begins, and its text without what cannot be seen at its end."""
        lines = self.text.split("\n")
        return sum(len(line) + 1 for line in lines[:number]), lines[number].rstrip()

    def _content(self, number: int) -> Span:
        start, line = self._line(number)
        blank = len(line) - len(line.lstrip(" "))
        return self.chunk.span(start + blank, start + max(len(line), blank + 1))

    def _last_sign(self, number: int) -> Span:
        """The last character of a line that is not a comment."""
        start, line = self._line(number)
        code = re.sub(r'("[^"]*")|#.*', lambda m: m.group(1) or "", line).rstrip()
        end = start + max(len(code), 1)
        return self.chunk.span(end - 1, end)

    def misspelling(self) -> Diagnostic | None:
        """The first word of the sentence, if another one in its place lets it be read."""
        return self._misspelling_in(0) or (
            self._misspelling_in(self.location.first) if self.location.first else None
        )

    def _misspelling_in(self, number: int) -> Diagnostic | None:
        start, line = self._line(number)
        found = re.match(r" *([a-z][a-z_]*)\b", line)
        if found is None or found.group(1) in KEYWORDS:
            return None
        word, at = found.group(1), start + found.start(1)
        known = STATEMENTS if number else _DECLARING
        near = next((k for k in _nearest(word, known) if self._reads_with(at, word, k)), None)
        if near is None:
            return None
        span = self.chunk.span(at, at + len(word))
        help_ = f"did you mean `{near}`?"
        if number == 0:
            return Diagnostic("KB108", span, f"`{word}` declares nothing", help_)
        return Diagnostic("KB201", span, f"`{word}` is not a word I know", help_)

    def _reads_with(self, at: int, word: str, other: str) -> bool:
        changed = self.text[:at] + other + self.text[at + len(word) :]
        return self.parses_beyond(changed, self.location.last)

    def character(self) -> Diagnostic:
        """A character that begins nothing (KB105), or a text without an end (KB109)."""
        at = self.location.at
        if self.text[at] == '"':
            start, line = self._line(self.text.count("\n", 0, at))
            message = "a text starts here and does not end on this line"
            span = self.chunk.span(at, start + len(line))
            return Diagnostic("KB109", span, message, 'close it with `"`')
        word = _WORD.match(self.text, self._begin(at))
        if word is None:
            return self._unexpected_character(at)
        if word.group() == word.group().lower() and word.group().isascii():
            return self._word_alone(word)
        span = self.chunk.span(*word.span())
        message = f"{quoted(word.group())} is not written as words are"
        return Diagnostic("KB105", span, message, spelling(word.group()))

    def _word_alone(self, word: re.Match[str]) -> Diagnostic:
        """A word that no reading allows here (KB101)."""
        message = f"{quoted(word.group())} cannot stand here"
        span = self.chunk.span(*word.span())
        return Diagnostic("KB101", span, message, instead_of(word.group()))

    def _unexpected_character(self, at: int) -> Diagnostic:
        help_ = "words are small letters, digits and `_`; comments start with `#`"
        sign = self.text[at]
        named = "" if sign.isascii() else f" ({unicodedata.name(sign, 'without a name').lower()})"
        message = f"the character {quoted(sign)}{named} has no meaning here"
        advice = instead_of_sign(self.text, at)
        return Diagnostic("KB105", self.chunk.span(at, at + 1), message, advice or help_)

    def _begin(self, at: int) -> int:
        """Where the word begins in whose middle a place lies."""
        while at and re.match(r"\w", self.text[at]) and re.match(r"\w", self.text[at - 1]):
            at -= 1
        return at

    def dedent(self) -> Diagnostic:
        """The indentation of a line matches no block above it (KB103)."""
        message = "the indentation matches no block above"
        help_ = "line it up with the block it belongs to"
        return Diagnostic("KB103", self._content(self.location.first), message, help_)

    def unclosed(self) -> Diagnostic:
        """A bracket that is still open where the sentence ends (KB102)."""
        at = self._open_bracket()
        label = Label(self.chunk.span(at, at + 1), "opened here")
        span = self._last_sign(self._last_written())
        return Diagnostic("KB102", span, "a bracket is not closed", "close it with `)`", (label,))

    def _last_written(self) -> int:
        lines = self.text.split("\n")
        last = self.location.last
        return (
            last
            if is_code(lines[last])
            else max(previous_code_line(lines, last), self.location.first)
        )

    def _open_bracket(self) -> int:
        start, _ = self._line(self.location.first)
        end, line = self._line(self.location.last)
        open_: list[int] = []
        for at, sign in enumerate(code_only(self.text[start : end + len(line)]), start):
            if sign == "(":
                open_.append(at)
            elif sign == ")" and open_:
                open_.pop()
        return open_[-1] if open_ else start

    def empty(self) -> Diagnostic:
        """A heading without lines of its own (KB102)."""
        span = self._last_sign(self.location.last)
        return Diagnostic("KB102", span, "nothing follows this line", "indent its body below it")

    def indent(self) -> Diagnostic:
        """A line too far right (KB103), or a heading above it without its colon (KB107)."""
        if self._opens():
            return self._missing_colon()
        lines = self.text.split("\n")
        below = next(n for n in range(self.location.last + 1, len(lines)) if is_code(lines[n]))
        help_ = "indent it as far as the line above, or end that line with `:`"
        message = "this line is indented, but nothing above opens a block"
        return Diagnostic("KB103", self._content(below), message, help_)

    def _opens(self) -> bool:
        """Whether the line begins like one that has lines of its own, and lacks the colon."""
        begins = _BLOCK.match(self._line(self.location.first)[1])
        return begins is not None and not opens_block(self._line(self.location.last)[1])

    def _missing_colon(self) -> Diagnostic:
        help_ = "end the line with `:`; what belongs to it follows, indented"
        span = self._last_sign(self.location.last)
        return Diagnostic("KB107", span, "a `:` is missing at the end of this line", help_)

    def unfinished(self, accepts: frozenset[str]) -> Diagnostic:
        """The line ends where more must follow (KB102), perhaps only a colon (KB107)."""
        heads = self.location.first == 0 or self._opens()
        if "COLON" in accepts and "RPAR" not in accepts and heads:
            return self._missing_colon()
        message = f"the line ends too early: {_expected(accepts)}"
        help_ = "write on behind the marked sign, or take it away"
        return Diagnostic("KB102", self._last_sign(self.location.last), message, help_)

    def unexpected(self, token: str, accepts: frozenset[str]) -> Diagnostic:
        """A word or sign that cannot stand where it does (KB101)."""
        at = self._begin(self.location.at)
        if at < self.location.at and (word := _WORD.match(self.text, at)):
            return self._word_alone(word)
        written = token.split("\n")[0].rstrip() or token[:1]
        span = self.chunk.span(at, at + len(written))
        message = f"{quoted(written)} cannot stand here: {_expected(accepts)}"
        return Diagnostic("KB101", span, message, self._advice(written, accepts))

    def _advice(self, written: str, accepts: frozenset[str]) -> str:
        """A suggestion: a word of nearly that spelling that is expected, or a translation."""
        words = [name.lower() for name in accepts if name.isalpha() and name not in _TOKEN_NAMES]
        if "PREPOSITION" in accepts:
            words += _PHRASES
        near = _near(written, sorted(words)) if _WORD.fullmatch(written) else None
        if near:
            return f"did you mean `{near}`?"
        if self.text[: self.location.at].rstrip().endswith("\n    table:"):
            return "a row of a table stands between bars: `| heath | H |`"
        if self.location.first == 0 and "COLON" in accepts:
            return self._of_heading(written)
        if self.text[: self.location.at].rstrip(" ").endswith(":") and _BLOCK.match(written):
            return f"`{written}` has lines of its own: begin it on the next line, indented"
        return self._foreign_word(written) or (
            "is a sign such as `&` missing before it?" if self._follows_value(written) else ""
        )

    def _of_heading(self, written: str) -> str:
        """How the name of a declaration is written, if it was written in several words."""
        heading = re.match(r"(\w+) +([\w -]*\w)", self.text)
        if heading is None or not re.match(r"[\w-]", written):
            return ""
        return f"a name is one word: `{heading.group(1)} {plain(heading.group(2))}`"

    def _foreign_word(self, written: str) -> str:
        """The translation of a word of another language; the word before may be the wrong one."""
        sentence = self.text[: self.location.at].rpartition("\n")[2].strip()
        words = re.findall(r"[a-z_]+", sentence)
        translations = [instead_of(word) for word in (written.rstrip("("), *words[-1:], *words[:1])]
        found = next(filter(None, (_of_sentence(sentence, written), *translations)), "")
        return found or instead_of_sign(self.text, self.location.at)

    def _follows_value(self, written: str) -> bool:
        """Whether a value stands right behind another one."""
        line = self.text[: self.location.at].rpartition("\n")[2].rstrip()
        ended = re.search(r"(?:([a-z0-9_]+)|\))$", line)
        begins = re.match(r"[a-z0-9_(]", written) is not None
        return begins and ended is not None and ended.group(1) not in (*KEYWORDS, *_BETWEEN)


def _of_sentence(sentence: str, written: str) -> str:
    """What is missing between the beginning of a sentence and what was written behind it."""
    if written.isdigit() and not sentence:
        return "a sentence begins with its word, as in `gold 1 per hex in mine`"
    if sentence == "gold per":
        return "say how much: `gold 1 per hex in mine`"
    if re.fullmatch(r"gold [0-9]+", sentence) and written == "for":
        return "write `per`, as in `gold 1 per hex in mine`"
    if written == "in" and re.search(r"\([a-z_]+$", sentence):
        return "say first what of each: `sum(count(row & mine) for row in rows)`"
    norm = re.fullmatch(r"(permit|forbid|prefer|waive|deny)(?: [a-z_]+)?", sentence)
    is_missing = norm is not None and re.match(r"[a-z(]", written) is not None
    return f"say what and where: `{norm.group(1)} build on ...`" if norm and is_missing else ""


def _nearest(word: str, known: Iterable[str]) -> list[str]:
    """The words to try in the place of another: the nearest, or those of one letter more."""
    near = suggest(word, known)
    longer = [k for k in known if any(k[:i] + k[i + 1 :] == word for i in range(len(k)))]
    return [near] if near else longer


def _near(word: str, known: list[str]) -> str | None:
    """As always, but of two letters one may be wrong if only one word comes near."""
    if len(word) != 2:
        return suggest(word, known)
    near = [each for each in known if len(each) == 2 and set(each) & set(word)]
    return near[0] if len(near) == 1 else None


def _expected(accepts: Iterable[str]) -> str:
    names = {name for name in accepts if name not in _HIDDEN}
    expected = []
    if len(names & _BEGINS_VALUE) > 4:
        names -= _BEGINS_VALUE
        expected = ["a value"]
    expected += sorted({_TOKEN_NAMES.get(name, f"`{name.lower()}`") for name in names})
    if not expected:
        return "nothing more is expected"
    tail = " and others" if len(expected) > _SHOWN else ""
    return "expected " + ", ".join(expected[:_SHOWN]) + tail

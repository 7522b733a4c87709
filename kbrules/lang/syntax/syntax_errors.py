"""Parser errors as findings: what was found, and what is expected there."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from lark.exceptions import UnexpectedCharacters
from lark.indenter import DedentError

from kbrules.diagnostics import Diagnostic, Label, quoted, suggest
from kbrules.lang.syntax.build import Chunk, code_only, indent_of, is_code, opens_block
from kbrules.lang.syntax.split import BLOCKS, DECLARING, STATEMENTS
from kbrules.text import Span

# Words of other languages and of English, and what this language has in their place.
#
# A message that only names the wrong word leaves its author to guess; these lines do not. Only the
# words of the grammar are spoken of, and those that every vocabulary has to have.

_TAKE = "take a set away with `-`, as in `mine - edge`"
_EACH = "leave it out: `gold 1 per hex in mine`, `for row in rows:`"
_PAY = "what a card pays is written `gold 1 per hex in mine`"
_FORBID = "what must not be is written `forbid build on ...`"
_SET = "numbers are changed by `increase NUMBER by 1`, memories by `add ... to ...`"
_MOST = "the largest of some numbers is `most(2, 3)`, or `most(... for row in rows)`"
_LEAST = "the smallest of some numbers is `least(2, 3)`, or `least(... for row in rows)`"
_REST = "what is left of a division is `remainder(round, 3)`"
_SWAP = "two pieces change places by `swap 1 from mine with theirs`"
_SAID = {
    "my": "the hexes with your own pieces are `mine`",
    "your": "the hexes with your own pieces are `mine`",
    "our": "the hexes with your own pieces are `mine`",
    "own": "the hexes with your own pieces are `mine`",
    "not": f"{_TAKE}; a condition is turned round by `not (...)`",
    "without": _TAKE,
    "except": _TAKE,
    "else": "write `otherwise`",
    "elif": "write `otherwise:`, and `if ...:` below it",
    "then": "put the condition last: `gold 2 if ...`",
    "unless": "write `if not (...)`, or `if none(...)`",
    "while": "write `repeat 3 times:`, or `up to 3 times:` if one may stop",
    "true": "write `yes`",
    "false": "write `no`",
    "on": "an event is awaited by `when build:`; in a set, put `&` between two sets",
    "each": _EACH,
    "every": _EACH,
    "all": _EACH,
    "is": "numbers are compared by `=`, sets by `any(...)` and `none(...)`",
    "equals": "write `=`",
    "has": "ask `any(...)`, as in `if any(mine & edge)`",
    "have": "ask `any(...)`, as in `if any(mine & edge)`",
    "opponent": "all other players are `others`",
    "opponents": "all other players are `others`",
    "enemy": "all other players are `others`",
    "chain": "what hangs together is `groups(...)`, and `largest(...)` the biggest of them",
    "score": _PAY,
    "points": _PAY,
    "point": _PAY,
    "coins": _PAY,
    "coin": _PAY,
    "disallow": _FORBID,
    "prohibit": _FORBID,
    "ban": _FORBID,
    "allow": "what may be is written `permit build on ...`",
    "must": "what comes first is written `prefer build on ...`",
    "may": "what may be done is written below `action:` or `may:`",
    "set": _SET,
    "let": _SET,
    "max": _MOST,
    "maximum": _MOST,
    "min": _LEAST,
    "minimum": _LEAST,
    "tiles": "what a player holds is `held_tiles`, the kinds on the board are `tile_kinds`",
    "places": "the kinds of place are `place_kinds`",
    "pieces": "your own pieces are `mine`; the kinds of piece are `piece_kinds`",
    "cards": "the cards in play are `scoring_cards`",
    "mod": _REST,
    "modulo": _REST,
    "switch": _SWAP,
    "exchange": _SWAP,
}
_SIGNS = {
    "==": "write a single `=`",
    "&&": "write a single `&`",
    "||": "write a single `|`",
    "//": "comments start with `#`",
    "/*": "comments start with `#`",
    "--": "comments start with `#`",
    "!": "`not` is written out",
    "=": _SET,
    "%": _REST,
    "'": 'texts stand in plain quotation marks: `"`',
    "`": 'texts stand in plain quotation marks: `"`',
    ";": "take it away: a sentence ends with its line",
    "{": "what belongs to a line stands below it, indented",
    "}": "what belongs to a line stands below it, indented",
    "[": "arguments stand in `(` and `)`",
    "]": "arguments stand in `(` and `)`",
}
_QUOTES = "\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a\u00b4"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2212"
_LETTERS = {"\u00e4": "ae", "\u00f6": "oe", "\u00fc": "ue", "\u00df": "ss", "\u00e6": "ae",
            "\u00f8": "oe", "\u00e5": "aa"}  # fmt: skip


def instead_of(word: str) -> str:
    """What is written in the place of a word of another language; empty if nobody can say."""
    return _SAID.get(word, "")


def instead_of_sign(text: str, at: int) -> str:
    """What is written in the place of the signs around a place of a text; empty as above."""
    for start, end in ((at, at + 2), (at - 1, at + 1), (at, at + 1)):
        if start >= 0 and text[start:end] in _SIGNS:
            return _SIGNS[text[start:end]]
    if text[at : at + 1].isspace():
        return "write a plain blank"
    if text[at : at + 1] in _QUOTES:
        return _SIGNS["'"]
    if text[at : at + 1] in _DASHES:
        return "the sign for taking away is the plain `-`"
    if text[at : at + 1] in ".," and re.search(r"\d$", text[:at]):
        return "numbers are whole; a half is written `... / 2`, or `per 2 hexes`"
    if text[at : at + 1] == "." and not text[text.rfind("\n", 0, at) + 1 : at].strip():
        return "each line of a drawing begins with `|`"
    return ""


def plain(word: str) -> str:
    """A word as the language writes it: small letters, digits and `_`."""
    ascii_word = "".join(_LETTERS.get(sign, sign) for sign in word.lower())
    return re.sub(r"[^a-z0-9]+", "_", ascii_word).strip("_")


def spelling(word: str) -> str:
    """How a word of letters that are not ours is written, or which letter is not what it seems."""
    foreign = next((s for s in word.lower() if not s.isascii() and s not in _LETTERS), None)
    if foreign is not None:
        return f"words are made of the letters a to z, digits and `_`; `{foreign}` is none of them"
    return f"words are written in small letters of a to z: `{plain(word)}`"


# Which lines of a declaration a parser error is about, and how much of them to leave out.


@dataclass(frozen=True, slots=True)
class ErrorLocation:
    """Lines `first` to `last`, counted from 0, and what is wrong there.

    `kind` is "character" or "token" (something that cannot stand there), "end" (the line stops too
    early), "open" (a bracket is not closed), "empty" (its block is missing), "indent" (the line
    below stands too far right) or "dedent" (it fits no block). `at` is the place in the text,
    `indent` where a stand-in for the lines is put (of "dedent", 0 for none), `has_block` whether
    lines belong to it.
    """

    kind: str
    at: int
    first: int
    last: int
    indent: int
    has_block: bool


def locate_error(error: Any, text: str) -> ErrorLocation:
    """Whom to blame for a parser error on a text."""
    lines = text.split("\n")
    if isinstance(error, DedentError):
        return _dedent(lines)
    at, kind = _place(error, text)
    logical_lines = _LogicalLines(lines)
    line = text.count("\n", 0, at)
    still_open = logical_lines.open_before(line if at < len(text) else len(lines))
    if still_open is not None:
        return _location("open", at, still_open, logical_lines)
    if kind in ("token", "end") and expected_tokens(error) == {"_INDENT"}:
        line = previous_code_line(lines, line) if kind == "token" else line
        kind = "empty"
    if not is_code(lines[line]):
        line = previous_code_line(lines, line)
    return _location(kind, at, line, logical_lines)


def expected_tokens(error: Any) -> frozenset[str]:
    """The kinds of tokens the parser would have taken instead."""
    if isinstance(error, UnexpectedCharacters):
        return frozenset()
    return frozenset(str(name) for name in (error.accepts or error.expected or ()))


def _place(error: Any, text: str) -> tuple[int, str]:
    if isinstance(error, UnexpectedCharacters):
        return error.pos_in_stream or 0, "character"
    token = error.token
    if token.type == "$END" or (token.type == "_DEDENT" and not token):
        return len(text), "end"
    at = int(token.start_pos or 0)
    if token.type == "_INDENT":
        return at, "indent"
    return at, "end" if token.type in ("_NL", "_DEDENT") else "token"


def _location(kind: str, at: int, line: int, logical_lines: _LogicalLines) -> ErrorLocation:
    first, last = logical_lines.around(line)
    if kind == "token" and logical_lines.lines[line].lstrip().startswith("|"):
        below = takewhile(
            lambda each: each.lstrip().startswith("|"), logical_lines.lines[line + 1 :]
        )
        last = line + len(list(below))
    indent = indent_of(logical_lines.lines[first])
    following = next(filter(is_code, logical_lines.lines[last + 1 :]), "")
    has_block = indent_of(following) > indent
    return ErrorLocation(kind, at, first, last, indent, has_block)


class _LogicalLines:
    """Lines joined where a bracket is open, as far as the indentation lets them be one sentence."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self._start: list[int] = []
        self._unclosed: set[int] = set()
        depth, start = 0, 0
        for number, line in enumerate(lines):
            is_sentence = is_code(line) and line.lstrip()[0] != ")"
            if depth and is_sentence and indent_of(line) <= indent_of(lines[start]):
                self._unclosed.add(start)
                depth = 0
            if not depth:
                start = number
            self._start.append(start)
            depth = max(0, depth + _opened(line, depth))
        if depth:
            self._unclosed.add(start)

    def around(self, line: int) -> tuple[int, int]:
        """The first and the last line of the sentence a line belongs to."""
        first = last = self._start[line]
        while last + 1 < len(self.lines) and self._start[last + 1] == first:
            last += 1
        return first, last

    def open_before(self, line: int) -> int | None:
        """The first sentence that ends before a line with a bracket still open."""
        return min((n for n in self._unclosed if self.around(n)[1] < line), default=None)


def _opened(line: str, depth: int) -> int:
    if not depth and line.lstrip().startswith("|"):
        return 0
    code = code_only(line)
    return code.count("(") - code.count(")")


def _dedent(lines: Sequence[str]) -> ErrorLocation:
    """The first line whose indentation matches no open block, and those like it below."""
    open_ = [0]
    for number, line in enumerate(lines):
        if not is_code(line):
            continue
        width = indent_of(line)
        levels = tuple(open_)
        if width > open_[-1]:
            open_.append(width)
        while width < open_[-1]:
            open_.pop()
        if width != open_[-1]:
            at = sum(len(each) + 1 for each in lines[:number]) + width
            last = _last_like(lines, number, levels)
            return ErrorLocation("dedent", at, number, last, _inside(lines, number), False)
    return ErrorLocation("dedent", 0, 0, 0, 0, False)


def _inside(lines: Sequence[str], line: int) -> int:
    """The indentation of a stand-in that keeps the block above from being empty; 0 if it is not."""
    above = lines[previous_code_line(lines, line)]
    indent = indent_of(above) + 1
    return indent if opens_block(above) and indent < len(lines[line]) else 0


def _last_like(lines: Sequence[str], first: int, levels: tuple[int, ...]) -> int:
    own = indent_of(lines[first])
    last, opens = first, opens_block(lines[first])
    for number in range(first + 1, len(lines)):
        if not is_code(lines[number]):
            continue
        width = indent_of(lines[number])
        if width != own and not (width > own and (opens or width not in levels)):
            break
        last = number
        opens = opens_block(lines[number]) if width == own else opens
    return last


def previous_code_line(lines: Sequence[str], line: int) -> int:
    """The nearest line above that is more than blanks and comment; else the first."""
    line -= 1
    while line > 0 and not is_code(lines[line]):
        line -= 1
    return max(line, 0)


KEYWORDS = (*STATEMENTS, *DECLARING, "replaces")
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
    if location.kind == "end":
        return case.unfinished(expected_tokens(error))
    if location.kind == "token":
        return case.unexpected(str(error.token), expected_tokens(error))
    kinds = {
        "character": case.character,
        "dedent": case.dedent,
        "open": case.unclosed,
        "empty": case.empty,
        "indent": case.indent,
    }
    return kinds[location.kind]()


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
        known = STATEMENTS if number else DECLARING
        before, behind = self.text[:at], self.text[at + len(word) :]
        texts = ((each, before + each + behind) for each in _nearest(word, known))
        last = self.location.last
        near = next((each for each, text in texts if self.parses_beyond(text, last)), None)
        if near is None:
            return None
        span = self.chunk.span(at, at + len(word))
        help_ = f"did you mean `{near}`?"
        if number == 0:
            return Diagnostic("KB108", span, f"`{word}` declares nothing", help_)
        return Diagnostic("KB201", span, f"`{word}` is not a word I know", help_)

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
            sign = self.text[at]
            name = (
                "" if sign.isascii() else f" ({unicodedata.name(sign, 'without a name').lower()})"
            )
            message = f"the character {quoted(sign)}{name} has no meaning here"
            help_ = "words are small letters, digits and `_`; comments start with `#`"
            help_ = instead_of_sign(self.text, at) or help_
            return Diagnostic("KB105", self.chunk.span(at, at + 1), message, help_)
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
        lines, last = self.text.split("\n"), self.location.last
        if not is_code(lines[last]):
            last = max(previous_code_line(lines, last), self.location.first)
        span = self._last_sign(last)
        return Diagnostic("KB102", span, "a bracket is not closed", "close it with `)`", (label,))

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
            heading = re.match(r"(\w+) +([\w -]*\w)", self.text)
            if heading is None or not re.match(r"[\w-]", written):
                return ""
            return f"a name is one word: `{heading[1]} {plain(heading[2])}`"
        if self.text[: self.location.at].rstrip(" ").endswith(":") and _BLOCK.match(written):
            return f"`{written}` has lines of its own: begin it on the next line, indented"
        return self._foreign_word(written) or (
            "is a sign such as `&` missing before it?" if self._follows_value(written) else ""
        )

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

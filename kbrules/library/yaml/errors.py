"""Errors of the YAML parser as findings, at the place to correct."""

from __future__ import annotations

from dataclasses import dataclass

from kbrules.text import Source, Span


@dataclass(frozen=True, slots=True)
class YamlError:
    """A finding about text the parser gave up on; `start` is an offset, None when unknown."""

    code: str
    start: int | None
    message: str
    help: str = ""

    def span(self, source: Source) -> Span:
        """The one character complained about, or the end of the text."""
        start = len(source.text) if self.start is None else self.start
        return source.span(start, start + 1)


@dataclass(frozen=True, slots=True)
class _ProblemWording:
    """Which of the parser's problems it is for, where it began or was noticed, and our words."""

    problem: str
    at_beginning: bool
    message: str
    help: str = ""
    code: str = "KB401"


_FLAT = "close brackets, or indent less"
_QUOTES = "put the text in quotes if the sign belongs to it"
_INDENT = "check its indentation, or put the whole text in quotes"
_WORDINGS = (
    _ProblemWording("unexpected end of stream", True, "this quote is not closed"),
    _ProblemWording("unexpected document separator", True, "this quote is not closed"),
    _ProblemWording("but got '<stream end>'", True, "this bracket is not closed"),
    _ProblemWording("',' or ']'", False, "a comma or `]` is missing before this"),
    _ProblemWording("',' or '}'", False, "a comma or `}` is missing before this"),
    _ProblemWording("'\\t' that cannot", False, "a tab cannot indent a line", "use blanks"),
    _ProblemWording("that cannot start", False, "a value cannot begin with this sign", _QUOTES),
    _ProblemWording("mapping values are not", False, "this `:` does not follow a key", _QUOTES),
    _ProblemWording("expected ':'", True, "no `:` follows this key", "is a quote missing?"),
    _ProblemWording("<block end>", False, "this does not fit the lines above", _INDENT),
    _ProblemWording(
        "sequence entries are not", False, "a list cannot begin here", "check its indentation"
    ),
    _ProblemWording("escape", False, "this escape is not known", "write a backslash as `\\\\`"),
    _ProblemWording("expected a comment or a line", False, "only a comment may follow here"),
    _ProblemWording("alphabetic or numeric", False, "a name must follow `&` or `*`", _QUOTES),
    _ProblemWording("document start", False, "the data has ended before this"),
    _ProblemWording(
        "found '<stream end>'", False, "the data ends here, but a bracket is still open"
    ),
    _ProblemWording("node content", False, "a value is missing before this"),
    _ProblemWording("chomping", False, "only a line end may follow `|` or `>`"),
    _ProblemWording("end marker", False, "the data has ended before this"),
    _ProblemWording("tag handle", False, "tags are not used in data files", "drop it", "KB405"),
)
_GENERAL = _ProblemWording("", False, "this cannot be read as YAML", "look at the line before, too")


def parser_error(error: Exception) -> YamlError:
    """Our words for what the parser raised."""
    if isinstance(error, RecursionError):
        return YamlError("KB406", None, "lists and tables are nested too deeply", _FLAT)
    problem = str(getattr(error, "problem", None) or "")
    wording = next((each for each in _WORDINGS if each.problem in problem), _GENERAL)
    return YamlError(wording.code, _offset(error, wording), wording.message, wording.help)


def _offset(error: Exception, wording: _ProblemWording) -> int | None:
    noticed = getattr(error, "problem_mark", None)
    began = getattr(error, "context_mark", None)
    first, second = (began, noticed) if wording.at_beginning else (noticed, began)
    return getattr(first or second, "index", None)

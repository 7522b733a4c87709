"""A drawing as it was written somewhere, with the place of every word of it.

In a data file the lines of a drawing are indented and may be quoted; what is drawn and where it
stands in the file are therefore two things, held together here line by line.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kbrules.hex.drawing import parse_drawing
from kbrules.library.yaml import Document, Loc
from kbrules.text import Source, Span


@dataclass(frozen=True, slots=True)
class DrawnWord:
    """A word of a drawing and where it is written."""

    text: str
    span: Span

    def part(self, start: int, end: int) -> Span:
        """Where some of its characters are written; all of it, if that is not known."""
        if self.span.text != self.text:
            return self.span
        return self.span.source.span(self.span.start + start, self.span.start + end)


@dataclass(frozen=True, slots=True)
class DrawingSource:
    """The lines of a drawing, and for each where it is written, exactly or roughly."""

    lines: tuple[str, ...]
    spans: tuple[Span, ...]
    _rows: list[tuple[DrawnWord, ...]] = field(default_factory=list, compare=False, repr=False)

    @classmethod
    def of(cls, written: str | Span | DrawingSource) -> DrawingSource:
        """What is drawn by a bare text, by a piece of a source, or by what is drawn already."""
        if isinstance(written, DrawingSource):
            return written
        if isinstance(written, str):
            written = Source("drawing", written).whole()
        lines = tuple(written.text.split("\n"))
        spans = []
        start = written.start
        for line in lines:
            spans.append(written.source.span(start, start + len(line)))
            start += len(line) + 1
        return cls(lines, tuple(spans))

    @classmethod
    def at(cls, document: Document, loc: Loc) -> DrawingSource:
        """The text at a place of a data file; nothing is drawn where no text stands."""
        text = _text(document, loc)
        lines = tuple(text.splitlines())
        spans = document.line_spans(loc)
        if len(spans) != len(lines):
            spans = (document.span_at(loc),) * len(lines)
        return cls(lines, spans)

    @property
    def span(self) -> Span:
        """All of it, from the first word to the last; an empty span if nothing is drawn."""
        rows = self.rows()
        if not rows:
            return self.spans[0] if self.spans else Span.none("drawing")
        first, last = rows[0][0].span, rows[-1][-1].span
        return first.source.span(first.start, last.end)

    def rows(self) -> tuple[tuple[DrawnWord, ...], ...]:
        """The words, row by row, without empty lines."""
        if not self._rows:
            pairs = zip(self.lines, self.spans, strict=True)
            self._rows.extend(row for line, span in pairs if (row := _words(line, span)))
        return tuple(self._rows)


def _text(document: Document, loc: Loc) -> str:
    value = document.data
    for part in loc:
        value = value[part]
    return value if isinstance(value, str) else ""


def _words(line: str, span: Span) -> tuple[DrawnWord, ...]:
    exact = span.text == line
    words = []
    for row in parse_drawing(line).rows:
        for token in row:
            start = span.start + token.offset
            place = span.source.span(start, start + len(token.text)) if exact else span
            words.append(DrawnWord(token.text, place))
    return tuple(words)

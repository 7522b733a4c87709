"""Where in the rules generated lines come from: told beside the source, and never in it.

While lines are written each ends in a mark, which is a number; before the text becomes code the
marks are taken out again. What is called what in somebody's files stays out of the code.
"""

from __future__ import annotations

from collections.abc import Mapping

from kbrules.text import Span, visible

Places = Mapping[int, Span]
"""The place in the rules of a line, by its number from 1."""
_MARK = "  #@"
_FAR = 88
"""Comments begin no further to the right, where the line allows it."""


class Marks:
    """Numbers for places, at the ends of lines."""

    def __init__(self) -> None:
        self._spans: list[Span] = []

    def marked(self, line: str, place: Span | None) -> str:
        """A line with the number of its place, if it has one."""
        if place is None:
            return line
        if not self._spans or self._spans[-1] is not place:
            self._spans.append(place)
        return f"{line}{_MARK}{len(self._spans) - 1}"

    def taken_out(self, lines: list[str]) -> tuple[str, Places]:
        """The text of lines without the marks, and what those said."""
        places: dict[int, Span] = {}
        plain: list[str] = []
        for line in "\n".join(lines).split("\n"):
            code, mark, number = line.rpartition(_MARK)
            if mark:
                places[len(plain) + 1] = self._spans[int(number)]
            plain.append(code if mark else line)
        return "\n".join(plain) + "\n", places


def first(places: Places) -> str:
    """The first place of all, in words; empty if there is none."""
    return next(map(_said, places.values()), "")


def _said(span: Span) -> str:
    return f"{visible(span.source.name)}:{span.line}"


def annotated(text: str, places: Places) -> str:
    """A source with the file and line of the rule behind each line that comes from one."""
    lines = text.splitlines()
    width = min(_FAR, max(map(len, lines), default=0))
    for number, span in places.items():
        lines[number - 1] = f"{lines[number - 1]:<{width}}  # {_said(span)}"
    return "\n".join(lines) + "\n"


def listing(text: str, places: Places) -> str:
    """The same with each place at the first only of the lines that it has in a row."""
    told: dict[int, Span] = {}
    last: Span | None = None
    for number, span in sorted(places.items()):
        if last is None or (span.source, span.line) != (last.source, last.line):
            told[number] = last = span
    return annotated(text, told)

"""Charts of figures: a mark for each value, and a stroke for the interval in which the truth lies.

Several marks of a line are told apart by their place, which is the same in every line, and by a
letter at each; a line that stands out has another mark and bold letters: never a colour alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import floor, log10

from kbrules.text import visible

__all__ = ["Chart", "ChartLine", "Mark", "charts_svg", "scale"]

_WIDTH, _LEFT, _RIGHT = 720, 170, 30
_TITLE, _ABOVE, _MARK, _GAP, _FOOT, _NOTE = 22, 12, 15, 7, 42, 13
_STRONG = "#b3261e"
_HUES = ("#3b6ea5", "#b3593c", "#4f7f52", "#7d5a9b", "#8a7a2f", "#5f6b7a")
_LONGEST, _FULL = 24, 118  # letters of a title, and of a note
_STEPS = (1, 2, 5, 10)
_Scale = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Mark:
    """A value and the ends of its interval, the same as the value if there are none.

    spoken: what is read out.
    """

    value: float
    low: float
    high: float
    spoken: str


@dataclass(frozen=True, slots=True)
class ChartLine:
    """What one thing has in each column; None where it has nothing."""

    id: str
    title: str
    marks: tuple[Mark | None, ...]
    is_strong: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """Lines on one scale, below a title if it has one.

    columns: what each is called, if there are several. even: a value that all would have if
    nothing mattered.
    """

    title: str
    lines: tuple[ChartLine, ...]
    columns: tuple[str, ...] = ()
    even: float | None = None

    @property
    def group(self) -> int:
        """The height of one line."""
        return _MARK * max((len(line.marks) for line in self.lines), default=1) + _GAP

    @property
    def head(self) -> int:
        """The height of title and key."""
        return (_TITLE if self.title else 0) + _NOTE * len(self.columns) + _ABOVE

    @property
    def height(self) -> int:
        """How high all of it is."""
        return self.head + self.group * len(self.lines) + _FOOT

    def scale(self) -> _Scale:
        """The ends and the step of its scale."""
        marks = [mark for line in self.lines for mark in line.marks if mark is not None]
        return scale([end for mark in marks for end in (mark.low, mark.value, mark.high)])


def scale(values: Sequence[float], steps: int = 5) -> _Scale:
    """The ends of a scale on which all values lie, and its step: round numbers, 0 if near."""
    least, most = min([*values, 0.0]), max([*values, 1.0])
    rough = (most - least) / steps
    unit = 10.0 ** floor(log10(rough))
    step = next(unit * each for each in _STEPS if unit * each >= rough)
    return floor(least / step) * step, -floor(-most / step) * step, step


def charts_svg(charts: Sequence[Chart], label: str, notes: Sequence[str] = ()) -> str:
    """One SVG element with the charts, one below the other, and notes at its foot."""
    parts: list[str] = []
    top = 0
    for chart in charts:
        parts += _chart(chart, top)
        top += chart.height
    lines = [piece for note in notes for piece in _pieces(visible(note))]
    parts += [_text(8, top + _NOTE * n, line, 'font-size="9"') for n, line in enumerate(lines, 1)]
    height = top + (_NOTE * (len(lines) + 1) if lines else 0)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="group" '
        f'font-family="sans-serif" font-size="13" fill="currentColor" '
        f'aria-label="{escape(visible(label))}">'
    )
    return "\n".join([head, *parts, "</svg>"])


def _pieces(text: str) -> Iterator[str]:
    """A line in pieces that fit; a command must be there in full."""
    for start in range(0, len(text), _FULL):
        yield text[start : start + _FULL]


def _chart(chart: Chart, top: int) -> Iterator[str]:
    ends = chart.scale()
    yield _text(8, top + 18, _cut(chart.title, _FULL), 'font-weight="bold"')
    for number, column in enumerate(chart.columns):
        y = top + chart.head - _ABOVE - _NOTE * (len(chart.columns) - number)
        yield f'<circle cx="12" cy="{y + 6}" r="4.5" fill="{_hue(number)}"/>'
        yield _text(22, y + 10, f"{_letter(number)}: {column}", 'font-size="10"')
    first = top + chart.head
    foot = first + chart.group * len(chart.lines)
    yield from _grid(ends, chart.even, first - 6, foot)
    for number, line in enumerate(chart.lines):
        yield _line(line, ends, first + chart.group * number, bool(chart.columns))


def _grid(ends: _Scale, even: float | None, top: int, foot: int) -> Iterator[str]:
    low, high, step = ends
    for number in range(round((high - low) / step) + 1):
        value = low + number * step
        opacity = 0.6 if value == 0 else 0.2
        yield _upright(value, ends, top, foot, f'stroke-opacity="{opacity}"')
        yield _text(_x(value, ends), foot + 16, f"{value:g}", 'text-anchor="middle"')
    if even is not None:
        yield _upright(even, ends, top, foot, 'stroke-dasharray="3 3"')


def _upright(value: float, ends: _Scale, top: int, foot: int, style: str) -> str:
    return f'<path d="M{_x(value, ends):.1f} {top}V{foot}" stroke="currentColor" {style}/>'


def _line(line: ChartLine, ends: _Scale, top: int, has_letters: bool) -> str:
    middle = top + _MARK * len(line.marks) / 2 + 4
    weight = ' font-weight="bold"' if line.is_strong else ""
    parts = [_text(_LEFT - 18, middle, _cut(line.title), f'text-anchor="end"{weight}')]
    for number, mark in enumerate(line.marks):
        if mark is not None:
            y = top + _MARK * number + _MARK / 2
            parts.append(_mark(mark, ends, y, number, line.is_strong))
            if has_letters:
                parts.append(_text(_LEFT - 12, y + 3, _letter(number), 'font-size="8"'))
    return f'<g data-id="{escape(line.id)}">{"".join(parts)}</g>'


def _mark(mark: Mark, ends: _Scale, y: float, number: int, is_strong: bool) -> str:
    colour, width = (_STRONG, 4) if is_strong else (_hue(number), 2)
    x, low, high = (_x(value, ends) for value in (mark.value, mark.low, mark.high))
    shape = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{colour}"/>'
    if is_strong:
        shape = f'<path d="M{x - 7:.1f} {y:.1f}l7 -7l7 7l-7 7z" fill="{colour}"/>'
    return (
        f'<g role="img"><title>{escape(visible(mark.spoken))}</title>'
        f'<path d="M{low:.1f} {y:.1f}H{high:.1f}M{low:.1f} {y - 3:.1f}v6M{high:.1f} {y - 3:.1f}v6" '
        f'stroke="{colour}" stroke-width="{width}"/>{shape}</g>'
    )


def _x(value: float, ends: _Scale) -> float:
    low, high, _ = ends
    return _LEFT + (value - low) / (high - low) * (_WIDTH - _LEFT - _RIGHT)


def _hue(number: int) -> str:
    return _HUES[number % len(_HUES)]


def _letter(number: int) -> str:
    return chr(ord("a") + number % 26)


def _cut(text: str, longest: int = _LONGEST) -> str:
    shown = visible(text)
    return shown if len(shown) <= longest else f"{shown[: longest - 2]}.."


def _text(x: float, y: float, text: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{escape(visible(text))}</text>'

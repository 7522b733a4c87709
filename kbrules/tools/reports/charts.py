"""Charts of figures: a mark for each value, and a stroke for the interval in which the truth lies.

Several marks of a line are told apart by their place, which is the same in every line, and by a
letter at each; a line that stands out has another mark and bold letters: never a colour alone.
A chart is drawn in one of two layouts, for a wide page and for a phone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import floor, log10

from kbrules.text import visible

_TITLE, _ABOVE, _MARK, _GAP, _FOOT, _NOTE, _COLUMN = 22, 12, 15, 7, 42, 13, 17
_STRONG = "#d23b30"
_HUES = ("#3f78b8", "#bd5f3f", "#4d8a51", "#8a63ae", "#8f7d28", "#6b7787")
_STEPS = (1, 2, 5, 10)
_INTERVALS = 5  # of a scale, about
_Scale = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class ChartLayout:
    """Where things stand, in units of which a letter is 13 high.

    left, right: the margins of the scale. title_height: of a line's title if it stands above its
    marks; it stands at their left if that is 0. title_letters, note_letters: how many there is
    room for.
    """

    width: int
    left: int
    right: int
    title_height: int
    title_letters: int
    note_letters: int


WIDE = ChartLayout(720, 170, 30, 0, 24, 118)
NARROW = ChartLayout(360, 24, 24, 17, 40, 58)


@dataclass(frozen=True, slots=True)
class ChartMark:
    """A value and the ends of its interval, the same as the value if there are none.

    title: its text for pointers and screen readers.
    """

    value: float
    low: float
    high: float
    title: str


@dataclass(frozen=True, slots=True)
class ChartLine:
    """What one thing has in each column; None where it has nothing."""

    id: str
    title: str
    marks: tuple[ChartMark | None, ...]
    is_strong: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """Lines on one scale, below a title if it has one.

    columns: what each is called, if there are several. even_value: what all would have if
    nothing mattered.
    """

    title: str
    lines: tuple[ChartLine, ...]
    columns: tuple[str, ...] = ()
    even_value: float | None = None

    def scale(self) -> _Scale:
        """The ends and the step of its scale."""
        marks = [mark for line in self.lines for mark in line.marks if mark is not None]
        return scale([end for mark in marks for end in (mark.low, mark.value, mark.high)])


def scale(values: Sequence[float]) -> _Scale:
    """The ends of a scale on which all values lie, and its step: round numbers, 0 if near."""
    lowest, highest = min([*values, 0.0]), max([*values, 1.0])
    step_estimate = (highest - lowest) / _INTERVALS
    unit = 10.0 ** floor(log10(step_estimate))
    step = next(unit * each for each in _STEPS if unit * each >= step_estimate)
    return floor(lowest / step) * step, -floor(-highest / step) * step, step


def charts_svg(
    charts: Sequence[Chart], label: str, notes: Sequence[str] = (), layout: ChartLayout = WIDE
) -> str:
    """One SVG element with the charts, one below the other, and notes at its foot."""
    parts: list[str] = []
    top = 0
    for chart in charts:
        drawing = _ChartDrawing(chart, layout, chart.scale(), top)
        parts += drawing.parts()
        top = drawing.foot + _FOOT
    full = layout.note_letters  # a command must be there in full, in as many lines as it takes
    lines = [
        note[at : at + full] for note in map(visible, notes) for at in range(0, len(note), full)
    ]
    parts += [_text(8, top + _NOTE * n, line, 'font-size="9"') for n, line in enumerate(lines, 1)]
    height = top + (_NOTE * (len(lines) + 1) if lines else 0)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {layout.width} {height}" '
        f'role="group" font-family="sans-serif" font-size="13" fill="currentColor" '
        f'aria-label="{escape(visible(label))}">'
    )
    return "\n".join([head, *parts, "</svg>"])


@dataclass(frozen=True, slots=True)
class _ChartDrawing:
    """A chart in a layout, below what has been drawn above it."""

    chart: Chart
    layout: ChartLayout
    ends: _Scale
    top: int

    @property
    def first(self) -> int:
        """Where the first line begins, below title and key."""
        title = _TITLE if self.chart.title else 0
        return self.top + title + _COLUMN * len(self.chart.columns) + _ABOVE

    @property
    def line_height(self) -> int:
        """The height of one line."""
        marks = max((len(line.marks) for line in self.chart.lines), default=1)
        return self.layout.title_height + _MARK * marks + _GAP

    @property
    def foot(self) -> int:
        """Where the last line ends."""
        return self.first + self.line_height * len(self.chart.lines)

    def parts(self) -> Iterator[str]:
        """Title, key, grid and lines."""
        if self.chart.title:
            title = shortened(self.chart.title, self.layout.note_letters)
            yield _text(8, self.top + 18, title, 'font-weight="bold"')
        key = self.first - _ABOVE - _COLUMN * len(self.chart.columns)
        for number, column in enumerate(self.chart.columns):
            y = key + _COLUMN * number
            yield f'<circle cx="12" cy="{y + 6}" r="4.5" fill="{_hue(number)}"/>'
            yield _text(22, y + 10.5, f"{_letter(number)}: {column}", 'font-size="12"')
        yield from self._grid()
        for number, line in enumerate(self.chart.lines):
            yield self._line(line, self.first + self.line_height * number)

    def _grid(self) -> Iterator[str]:
        low, high, step = self.ends
        for number in range(round((high - low) / step) + 1):
            value = low + number * step
            yield self._vertical_line(value, f'stroke-opacity="{0.6 if value == 0 else 0.2}"')
            yield _text(self._x(value), self.foot + 16, f"{value:g}", 'text-anchor="middle"')
        if self.chart.even_value is not None:
            yield self._vertical_line(self.chart.even_value, 'stroke-dasharray="3 3"')

    def _vertical_line(self, value: float, style: str) -> str:
        """A stroke from top to foot that leaves titles above the marks alone."""
        x = self._x(value)
        path = f"M{x:.1f} {self.first - 6}V{self.foot}"
        if above := self.layout.title_height:
            tops = (self.first + self.line_height * n for n in range(len(self.chart.lines)))
            path = "".join(
                f"M{x:.1f} {top + above}V{top + self.line_height - _GAP}" for top in tops
            )
        return f'<path d="{path}" stroke="currentColor" {style}/>'

    def _line(self, line: ChartLine, top: int) -> str:
        parts = [self._title(line, top)]
        for number, mark in enumerate(line.marks):
            if mark is not None:
                y = top + self.layout.title_height + _MARK * number + _MARK / 2
                parts.append(self._mark(mark, y, number, line.is_strong))
                if self.chart.columns:
                    x = self.layout.left - 12
                    parts.append(_text(x, y + 3.5, _letter(number), 'font-size="10"'))
        return f'<g data-id="{escape(line.id)}">{"".join(parts)}</g>'

    def _title(self, line: ChartLine, top: int) -> str:
        shown = shortened(line.title, self.layout.title_letters)
        weight = ' font-weight="bold"' if line.is_strong else ""
        if self.layout.title_height:
            return _text(8, top + 12, shown, weight)
        middle = top + _MARK * len(line.marks) / 2 + 4
        return _text(self.layout.left - 18, middle, shown, f'text-anchor="end"{weight}')

    def _mark(self, mark: ChartMark, y: float, number: int, is_strong: bool) -> str:
        colour, width = (_STRONG, 4) if is_strong else (_hue(number), 2)
        x, low, high = (self._x(value) for value in (mark.value, mark.low, mark.high))
        shape = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{colour}"/>'
        if is_strong:
            shape = f'<path d="M{x - 7:.1f} {y:.1f}l7 -7l7 7l-7 7z" fill="{colour}"/>'
        ends = f"M{low:.1f} {y:.1f}H{high:.1f}M{low:.1f} {y - 3:.1f}v6M{high:.1f} {y - 3:.1f}v6"
        return (
            f'<g role="img"><title>{escape(visible(mark.title))}</title>'
            f'<path d="{ends}" stroke="{colour}" stroke-width="{width}"/>{shape}</g>'
        )

    def _x(self, value: float) -> float:
        low, high, _ = self.ends
        room = self.layout.width - self.layout.left - self.layout.right
        return self.layout.left + (value - low) / (high - low) * room


def _hue(number: int) -> str:
    return _HUES[number % len(_HUES)]


def _letter(number: int) -> str:
    return chr(ord("a") + number % 26)


def shortened(text: str, longest: int) -> str:
    """Return a text that can be printed in so many letters."""
    shown = visible(text)
    return shown if len(shown) <= longest else f"{shown[: longest - 2]}.."


def _text(x: float, y: float, text: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {more.strip()}>{escape(visible(text))}</text>'

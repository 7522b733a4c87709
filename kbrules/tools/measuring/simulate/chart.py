"""Pictures of figures: a bar for each, and a stroke where the truth lies with so much certainty.

Columns are told apart by the place of their bars, which is the same in every group, and by a
letter at each; never by colour alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import inf

from kbrules.text import visible
from kbrules.tools.measuring.simulate.answer import Answer
from kbrules.tools.measuring.simulate.figure_tables import DIFFERENCE, Column, FigureTable, Line
from kbrules.tools.measuring.simulate.figures import Figure
from kbrules.tools.measuring.simulate.report_text import head_of, name_of, provenance, said
from kbrules.tools.measuring.simulate.scale import scale

__all__ = ["chart_svg", "charts_svg", "panels"]

_WIDTH, _LEFT, _RIGHT = 720, 170, 24
_HEAD, _BAR, _GAP, _FOOT, _NOTE = 22, 13, 7, 26, 13
_HUES = ("#3b6ea5", "#b3593c", "#4f7f52", "#7d5a9b", "#8a7a2f", "#5f6b7a")
_LONGEST, _FULL = 24, 118  # letters of a title, and of a note
Span = tuple[float, float, float]


def charts_svg(answer: Answer) -> str:
    """All figures in one picture, and below them where they come from."""
    parts: list[str] = []
    top = 0.0
    for table, columns in panels(answer):
        panel, height = _panel(answer, table, columns, top)
        parts += panel
        top += height
    notes = [piece for line in provenance(answer) for piece in _pieces(visible(line))]
    parts += [_text(8, top + _NOTE * n, line, 'font-size="9"') for n, line in enumerate(notes, 1)]
    return _svg(parts, top + _NOTE * (len(notes) + 1), "What the games say")


def chart_svg(answer: Answer, table: FigureTable, columns: Sequence[int]) -> str:
    """The picture of some columns of one table."""
    parts, height = _panel(answer, table, columns, 0)
    return _svg(parts, height, table.unit)


def panels(answer: Answer) -> Iterator[tuple[FigureTable, list[int]]]:
    """What makes a picture each: the columns of a table, the differences by themselves."""
    for table in answer.tables:
        of_sides = [i for i, column in enumerate(table.columns) if column.side != DIFFERENCE]
        between = [i for i, column in enumerate(table.columns) if column.side == DIFFERENCE]
        for chosen in (of_sides, between):
            if any(line.figures[i] is not None for line in table.lines for i in chosen):
                yield table, chosen


def _svg(parts: Sequence[str], height: float, label: str) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height:.0f}" role="group" '
        f'font-family="sans-serif" font-size="12" fill="currentColor" aria-label="{escape(label)}">'
    )
    return "\n".join([head, *parts, "</svg>"])


def _panel(
    answer: Answer, table: FigureTable, chosen: Sequence[int], top: float
) -> tuple[list[str], float]:
    """The parts of a picture, and how high it is."""
    columns = [table.columns[i] for i in chosen]
    lines = [line for line in table.lines if any(line.figures[i] for i in chosen)]
    span = scale([end for line in lines for i in chosen for end in _ends(line.figures[i])])
    parts = [_text(8, top + 15, _cut(_titled(table, columns), _FULL), 'font-weight="bold"')]
    parts += _key(answer, columns, top + _HEAD)
    first = top + _HEAD + _NOTE * len(columns) + 8
    group = _BAR * len(columns) + _GAP
    foot = first + group * len(lines)
    parts += _grid(span, table.even if columns[0].side != DIFFERENCE else None, first - 4, foot)
    for number, line in enumerate(lines):
        parts += _group(answer, table, line, chosen, span, first + group * number)
    return parts, foot + _FOOT + 12 - top


def _titled(table: FigureTable, columns: Sequence[Column]) -> str:
    return f"{table.unit}, difference" if columns[0].side == DIFFERENCE else table.unit


def _key(answer: Answer, columns: Sequence[Column], top: float) -> Iterator[str]:
    for number, column in enumerate(columns):
        y = top + _NOTE * number
        yield f'<rect x="8" y="{y + 1:.1f}" width="9" height="9" fill="{_hue(number)}"/>'
        yield _text(22, y + 10, f"{_letter(number)}: {head_of(answer, column)}", 'font-size="10"')


def _grid(span: Span, even: float | None, top: float, foot: float) -> Iterator[str]:
    low, high, step = span
    for number in range(round((high - low) / step) + 1):
        value = low + number * step
        strong = 0.6 if value == 0 else 0.2
        yield (
            f'<path d="M{_x(value, span):.1f} {top:.1f}V{foot:.1f}" stroke="currentColor" '
            f'stroke-opacity="{strong}"/>'
        )
        yield _text(_x(value, span), foot + 14, f"{value:g}", 'text-anchor="middle"')
    if even is not None:
        yield (
            f'<path d="M{_x(even, span):.1f} {top:.1f}V{foot:.1f}" stroke="currentColor" '
            'stroke-dasharray="3 3"/>'
        )


def _group(
    answer: Answer, table: FigureTable, line: Line, chosen: Sequence[int], span: Span, top: float
) -> Iterator[str]:
    """The bars of one thing."""
    name = name_of(answer, line.id)
    middle = top + _BAR * len(chosen) / 2 + 4
    yield _text(_LEFT - 18, middle, _cut(name, _LONGEST), 'text-anchor="end"')
    for number, i in enumerate(chosen):
        figure = line.figures[i]
        if figure is not None:
            head = head_of(answer, table.columns[i])
            spoken = f"{name}, {head}: {said(figure, table.digits)}"
            yield _bar(figure, spoken, number, span, top + _BAR * number)


def _bar(figure: Figure, spoken: str, number: int, span: Span, y: float) -> str:
    zero, end = sorted((_x(0, span), _x(figure.value, span)))
    low, high = (_x(value, span) for value in _ends(figure))
    middle = y + _BAR / 2
    letter = _text(_LEFT - 12, y + 9, _letter(number), 'font-size="8"')
    return (
        f'<g role="img"><title>{escape(spoken)}</title>{letter}'
        f'<rect x="{zero:.1f}" y="{y + 1:.1f}" width="{end - zero:.1f}" height="{_BAR - 2}" '
        f'fill="{_hue(number)}" fill-opacity="0.55"/>'
        f'<path d="M{low:.1f} {middle:.1f}H{high:.1f}M{low:.1f} {middle - 3:.1f}v6'
        f'M{high:.1f} {middle - 3:.1f}v6" stroke="currentColor" stroke-width="1.3"/></g>'
    )


def _ends(figure: Figure | None) -> tuple[float, ...]:
    if figure is None:
        return ()
    return (figure.low, figure.high) if figure.margin < inf else (figure.value, figure.value)


def _x(value: float, span: Span) -> float:
    low, high, _ = span
    return _LEFT + (value - low) / (high - low) * (_WIDTH - _LEFT - _RIGHT)


def _hue(number: int) -> str:
    return _HUES[number % len(_HUES)]


def _letter(number: int) -> str:
    return chr(ord("a") + number % 26)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 2]}.."


def _pieces(text: str) -> Iterator[str]:
    """A line in pieces that fit; a command must be there in full."""
    for start in range(0, len(text), _FULL):
        yield text[start : start + _FULL]


def _text(x: float, y: float, text: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{escape(text)}</text>'

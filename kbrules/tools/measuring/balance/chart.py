"""The picture for a page: a row for each card, a mark for its gold, a stroke for its 95 %.

The card asked about has another mark, a stronger stroke and bold letters: never a colour alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from textwrap import wrap
from xml.sax.saxutils import escape, quoteattr

from kbrules.text import visible
from kbrules.tools.measuring.balance.ranking import CardFigures, CardRanking
from kbrules.tools.measuring.simulate.scale import scale

__all__ = ["chart"]

_WIDTH, _LEFT, _RIGHT = 720, 170, 30
_HEAD, _ROW, _FOOT, _GAP, _NOTE = 34, 22, 30, 16, 13
_ASKED, _OTHER = "#b3261e", "#5f6b7a"
_LONGEST, _FULL = 24, 130  # letters of a title, and of a note
Span = tuple[float, float, float]


def chart(
    standings: Sequence[CardRanking], titles: Mapping[str, str], notes: Sequence[str] = ()
) -> str:
    """One SVG element with a panel for each bot, one below the other, and notes at its foot."""
    parts: list[str] = []
    top = 0
    for found in standings:
        parts += _panel(found, titles, top)
        top += _HEAD + _ROW * (len(found.others) + 1) + _FOOT + _GAP
    lines = [line for note in notes for line in wrap(visible(note), _FULL)]
    height = top + _NOTE * len(lines)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="group" '
        f'font-family="sans-serif" font-size="13" fill="currentColor" '
        f"aria-label={quoteattr(_label(standings, titles))}>"
    )
    parts += [
        _text(8, top + _NOTE * number, line, "start", ' font-size="9"')
        for number, line in enumerate(lines)
    ]
    return "\n".join([head, *parts, "</svg>"])


def _label(standings: Sequence[CardRanking], titles: Mapping[str, str]) -> str:
    return (
        f"What {visible(titles[standings[0].asked.id])} pays beside other cards"
        if standings
        else ""
    )


def _panel(found: CardRanking, titles: Mapping[str, str], top: int) -> Iterator[str]:
    cards = sorted((found.asked, *found.others), key=lambda card: (-card.gold.value, card.id))
    span = scale([end for card in cards for end in _ends(card)])
    foot = top + _HEAD + _ROW * len(cards)
    said = f"{found.bot}: gold of a player, {found.asked.gold.games} games with each card"
    yield _text(8, top + 18, said, "start", ' font-weight="bold"')
    yield from _grid(span, top + _HEAD - 6, foot)
    for number, card in enumerate(cards):
        middle = top + _HEAD + _ROW * number + _ROW // 2 - 4
        yield _row(card, visible(titles[card.id]), card is found.asked, span, middle)


def _ends(card: CardFigures) -> tuple[float, float]:
    gold = card.gold
    return (gold.low, gold.high) if gold.margin < inf else (gold.value, gold.value)


def _grid(span: Span, top: int, foot: int) -> Iterator[str]:
    low, high, step = span
    for number in range(round((high - low) / step) + 1):
        value = low + number * step
        x = _x(value, span)
        yield (
            f'<path d="M{x:.1f} {top}V{foot}" stroke="currentColor" stroke-opacity="0.2"/>'
            + _text(x, foot + 16, f"{value:g}", "middle")
        )


def _row(card: CardFigures, title: str, is_asked: bool, span: Span, y: int) -> str:
    colour, wide = (_ASKED, 4) if is_asked else (_OTHER, 2)
    low, high = _ends(card)
    weight = ' font-weight="bold"' if is_asked else ""
    spoken = f"{title}: {card.gold.text(1)} gold"
    parts = [
        f"<title>{escape(spoken)}</title>",
        _text(_LEFT - 12, y + 4, _cut(title), "end", weight),
        f'<path d="M{_x(low, span):.1f} {y}H{_x(high, span):.1f}" stroke="{colour}" '
        f'stroke-width="{wide}"/>',
        _mark(_x(card.gold.value, span), y, colour, is_asked),
    ]
    return f'<g role="img" data-card={quoteattr(card.id)}>{"".join(parts)}</g>'


def _mark(x: float, y: int, colour: str, is_asked: bool) -> str:
    if is_asked:
        return f'<path d="M{x - 7:.1f} {y}l7 -7l7 7l-7 7z" fill="{colour}"/>'
    return f'<circle cx="{x:.1f}" cy="{y}" r="4.5" fill="{colour}"/>'


def _x(value: float, span: Span) -> float:
    low, high, _ = span
    return _LEFT + (value - low) / (high - low) * (_WIDTH - _LEFT - _RIGHT)


def _cut(title: str) -> str:
    return title if len(title) <= _LONGEST else f"{title[: _LONGEST - 2]}.."


def _text(x: float, y: float, text: str, anchor: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{escape(text)}</text>'

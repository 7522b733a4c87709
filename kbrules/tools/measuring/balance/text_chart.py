"""The picture for a terminal: a line for each card, a mark for its gold, a stroke for its 95 %."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kbrules.text import visible
from kbrules.tools.measuring.balance.ranking import CardFigures, CardRanking
from kbrules.tools.reports.chart import scale

_WIDTH = 40  # columns of the scale
_LONGEST = 20  # letters of a title


def text_chart(ranking: CardRanking, titles: Mapping[str, str]) -> Iterator[str]:
    """Head, a line for each card with the one that pays most on top, and the scale below."""
    cards = ranking.by_gold
    low, high, step = scale([end for card in cards for end in card.gold.ends])
    names = {card.id: _cut(titles[card.id]) for card in cards}
    wide = max(map(len, names.values()))
    yield f"  {'':{wide}}   gold {'':{_WIDTH}} spread  decides"
    for card in cards:
        row = _row(card, (low, high), "=#" if card is ranking.candidate else "-o")
        mark = ">" if card is ranking.candidate else " "
        yield f"{mark} {names[card.id]:{wide}}  {card.gold.value:5.1f} {row} {_other_columns(card)}"
    yield f"  {'':{wide}}        {_ticks(low, high, step)}".rstrip()


def _other_columns(card: CardFigures) -> str:
    return f"{card.spread.value:6.1f}  {100 * card.decisive.value:5.0f} %"


def _cut(title: str) -> str:
    shown = visible(title)
    return shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 2]}.."


def _row(card: CardFigures, scale: tuple[float, float], signs: str) -> str:
    row = [" "] * (_WIDTH + 1)
    ends = [_column(value, *scale) for value in card.gold.ends]
    for at in range(ends[0], ends[-1] + 1):
        row[at] = signs[0]
    row[_column(card.gold.value, *scale)] = signs[1]
    return "".join(row)


def _column(value: float, low: float, high: float) -> int:
    return round((value - low) / (high - low) * _WIDTH)


def _ticks(low: float, high: float, step: float) -> str:
    row = [" "] * (_WIDTH + 8)
    for number in range(round((high - low) / step) + 1):
        text = f"{low + number * step:g}"
        at = _column(low + number * step, low, high)
        row[at : at + len(text)] = text
    return "".join(row)

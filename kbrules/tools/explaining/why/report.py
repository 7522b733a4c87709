"""The report of an answer: its lines for people, what speaks for a move in another colour."""

from __future__ import annotations

from kbrules.tools.explaining.why.answer import GoldAnswer, MovesAnswer
from kbrules.tools.explaining.why.data import answer_data
from kbrules.tools.explaining.why.gold_lines import gold_lines
from kbrules.tools.explaining.why.move_lines import AGAINST, FOR, moves_lines
from kbrules.tools.reports.report import Lines, Report, Style

__all__ = ["why_report"]


def why_report(answer: MovesAnswer | GoldAnswer, position: str) -> Report:
    """The report about a position, named unless the reader is in it."""
    lines = gold_lines(answer) if isinstance(answer, GoldAnswer) else moves_lines(answer)
    data = {"format": 1, "position": position, **answer_data(answer)}
    shown = Lines(tuple(lines), tuple(map(_style, lines)), f"{position}:" if position else "")
    return Report(position, [shown], data, lines[:1])


def _style(line: str) -> Style:
    """Red for what speaks against, green for what speaks for it, as far as it says so."""
    if line.startswith(f"{AGAINST} "):
        return Style.bad
    if line.startswith(f"{FOR} "):
        return Style.good
    return Style.strong if line.startswith("`") else Style.plain

"""The report on a card: sentences, a chart with every figure for each bot, and its origin."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from kbrules import __version__
from kbrules.tools.measuring.balance.ranking import CardFigures, CardRanking
from kbrules.tools.measuring.balance.result import BalanceResult
from kbrules.tools.measuring.balance.sentences import sentence
from kbrules.tools.measuring.balance.text_chart import text_chart
from kbrules.tools.measuring.simulate.figures import Figure, detectable, games_needed
from kbrules.tools.reports import report
from kbrules.tools.reports.chart import Chart, ChartLine, Mark, charts_svg
from kbrules.tools.reports.report import Lines, Notes, Report, Sentences, Table

__all__ = ["balance_report", "balance_svg"]

_HEADS = ("card", "gold", "gap", "chance", "apart", "decides")
_MEANINGS = (
    "apart: the best paid player of a game less the worst paid, on average",
    "decides: how often somebody else would have most gold without what the card pays",
)
_COLUMNS = (
    "In brackets: where the truth lies with 95 %. The gap is by how much the card asked about pays "
    "more, on the same tables; chance: how often luck alone would make one of all these gaps so "
    "wide."
)


def balance_report(result: BalanceResult) -> Report:
    """The report for people and programs."""
    lines = [_sentence(result, each) for each in result.rankings]
    answers = [Sentences((each,)) for each in lines]
    figures = [_figure(result, each) for each in result.rankings]
    figures[-1:] = [replace(each, notes=(*each.notes, _COLUMNS)) for each in figures[-1:]]
    notes = Notes((*_MEANINGS, *result.provenance()))
    title = f"{result.title(result.question.card)}: what the card is worth"
    return Report(title, (*answers, *figures, notes), _data(result), lines)


def balance_svg(result: BalanceResult) -> str:
    """The charts in one picture, with where they come from at its foot."""
    label = f"What {result.title(result.question.card)} pays beside other cards"
    charts = [_chart(result, each) for each in result.rankings]
    return charts_svg(charts, label, list(result.provenance()))


def _sentence(result: BalanceResult, found: CardRanking) -> str:
    return sentence(found, result.titles, result.kind)


def _figure(result: BalanceResult, found: CardRanking) -> report.Figure:
    chart = _chart(result, found)
    lines = [chart.title, *text_chart(found, result.titles), *_place(found)]
    notes = tuple(f"{line.strip().capitalize()}." for line in _place(found))
    shown = (Lines(tuple(lines)),)
    return report.Figure(chart.title, chart, _table(result, found), shown, notes)


def _place(found: CardRanking) -> Iterator[str]:
    if found.others:
        best, worst = found.places
        places = f"{best}" if best == worst else f"{best} to {worst}"
        yield f"  place {places} of {len(found.others) + 1}{_power(found)}"


def _power(found: CardRanking) -> str:
    """How small a gap so many games would show, and what a gold of it takes."""
    games = found.asked.gold.games
    if not 0 < found.strays < float("inf"):
        return ""
    error = found.error / len(found.others)
    least = detectable(found.strays, games, error=error)
    needed = games_needed(1.0, found.strays, error=error)
    seen = f"; 4 of 5 such runs would show a gap of {least:.1f} gold"
    return seen + (f", {needed} games one of 1.0" if needed > games else "")


def _chart(result: BalanceResult, found: CardRanking) -> Chart:
    title = f"{found.bot}: gold of a player, {found.asked.gold.games} games with each card"
    return Chart(title, tuple(_line(result, card, found) for card in found.by_gold))


def _line(result: BalanceResult, card: CardFigures, found: CardRanking) -> ChartLine:
    gold, title = card.gold, result.title(card.id)
    mark = Mark(gold.value, *gold.ends, f"{title}: {gold.text(1)} gold")
    return ChartLine(card.id, title, (mark,), card is found.asked)


def _table(result: BalanceResult, found: CardRanking) -> Table:
    rows = tuple(_row(result, card, found) for card in found.by_gold)
    return Table(_HEADS, rows, frozenset({found.by_gold.index(found.asked)}))


def _row(result: BalanceResult, card: CardFigures, found: CardRanking) -> tuple[str, ...]:
    gap = ("-", "-") if card is found.asked else (_text(card.gap, "+"), f"{card.chance:.3f}")
    ends = (card.decided.value, card.decided.low, card.decided.high)
    value, low, high = (f"{100 * end:.0f}" for end in ends)
    decided = f"{value} % ({low} to {high})"
    return result.title(card.id), _text(card.gold), *gap, _text(card.spread), decided


def _text(figure: Figure, sign: str = "") -> str:
    return figure.text(1, sign, sure="")


def _data(result: BalanceResult) -> dict[str, Any]:
    return {
        "format": 1,
        "version": __version__,
        "rules": result.digest,
        "command": list(result.command),
        "card": result.question.card,
        "players": result.question.players,
        "seed": result.question.seed,
        "deals": result.deals,
        "games": result.games,
        "stand_ins": list(result.stand_ins),
        "bots": [_ranking_data(result, each) for each in result.rankings],
    }


def _ranking_data(result: BalanceResult, found: CardRanking) -> dict[str, Any]:
    return {
        "bot": found.bot,
        "sentence": _sentence(result, found),
        "places": list(found.places),
        "error": found.error,
        "asked": _card_data(found.asked),
        "more_than": [card.id for card in found.below],
        "less_than": [card.id for card in found.above],
        "level_with": [card.id for card in found.near],
        "too_few_games_for": [card.id for card in found.unknown],
        "others": [
            {**_card_data(each), "gap": _figure_data(each.gap), "p": each.chance}
            for each in found.others
        ],
    }


def _card_data(card: CardFigures) -> dict[str, Any]:
    return {
        "card": card.id,
        "gold": _figure_data(card.gold),
        "apart": _figure_data(card.spread),
        "decides": _figure_data(card.decided),
    }


def _figure_data(figure: Figure) -> dict[str, float | int | None]:
    low, high = (figure.low, figure.high) if figure.has_ends else (None, None)
    return {"value": figure.value, "low": low, "high": high, "games": figure.games}

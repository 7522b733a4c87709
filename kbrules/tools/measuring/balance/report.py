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
from kbrules.tools.measuring.simulate.figures import Estimate, detectable, games_needed
from kbrules.tools.reports import report
from kbrules.tools.reports.chart import Chart, ChartLine, ChartMark, charts_svg
from kbrules.tools.reports.report import Lines, Notes, Report, Sentences, Table

_HEADS = ("card", "gold", "gap", "chance", "spread", "decides")
_MEANINGS = (
    "spread: the best paid player of a game less the worst paid, on average",
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


def _sentence(result: BalanceResult, ranking: CardRanking) -> str:
    return sentence(ranking, result.titles, result.kind)


def _figure(result: BalanceResult, ranking: CardRanking) -> report.Figure:
    chart = _chart(result, ranking)
    lines = [chart.title, *text_chart(ranking, result.titles), *_place(ranking)]
    notes = tuple(f"{line.strip().capitalize()}." for line in _place(ranking))
    shown = (Lines(tuple(lines)),)
    return report.Figure(chart.title, chart, _table(result, ranking), shown, notes)


def _place(ranking: CardRanking) -> Iterator[str]:
    if ranking.others:
        best, worst = ranking.places
        places = f"{best}" if best == worst else f"{best} to {worst}"
        yield f"  place {places} of {len(ranking.others) + 1}{_power(ranking)}"


def _power(ranking: CardRanking) -> str:
    """How small a gap so many games would show, and what a gold of it takes."""
    games = ranking.candidate.gold.games
    if not 0 < ranking.deviation < float("inf"):
        return ""
    error = ranking.error / len(ranking.others)
    smallest_gap = detectable(ranking.deviation, games, error=error)
    needed = games_needed(1.0, ranking.deviation, error=error)
    text = f"; 4 of 5 such runs would show a gap of {smallest_gap:.1f} gold"
    return text + (f", {needed} games one of 1.0" if needed > games else "")


def _chart(result: BalanceResult, ranking: CardRanking) -> Chart:
    title = f"{ranking.bot}: gold of a player, {ranking.candidate.gold.games} games with each card"
    return Chart(title, tuple(_line(result, card, ranking) for card in ranking.by_gold))


def _line(result: BalanceResult, card: CardFigures, ranking: CardRanking) -> ChartLine:
    gold, title = card.gold, result.title(card.id)
    mark = ChartMark(gold.value, *gold.ends, f"{title}: {gold.text(1)} gold")
    return ChartLine(card.id, title, (mark,), card is ranking.candidate)


def _table(result: BalanceResult, ranking: CardRanking) -> Table:
    rows = tuple(_row(result, card, ranking) for card in ranking.by_gold)
    return Table(_HEADS, rows, frozenset({ranking.by_gold.index(ranking.candidate)}))


def _row(result: BalanceResult, card: CardFigures, ranking: CardRanking) -> tuple[str, ...]:
    gap = ("-", "-") if card is ranking.candidate else (_text(card.gap, "+"), f"{card.p_value:.3f}")
    ends = (card.decisive.value, card.decisive.low, card.decisive.high)
    value, low, high = (f"{100 * end:.0f}" for end in ends)
    decisive_text = f"{value} % ({low} to {high})"
    return result.title(card.id), _text(card.gold), *gap, _text(card.spread), decisive_text


def _text(figure: Estimate, sign: str = "") -> str:
    return figure.text(1, sign, label="")


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


def _ranking_data(result: BalanceResult, ranking: CardRanking) -> dict[str, Any]:
    return {
        "bot": ranking.bot,
        "sentence": _sentence(result, ranking),
        "places": list(ranking.places),
        "error": ranking.error,
        "asked": _card_data(ranking.candidate),
        "more_than": [card.id for card in ranking.below],
        "less_than": [card.id for card in ranking.above],
        "level_with": [card.id for card in ranking.near],
        "too_few_games_for": [card.id for card in ranking.unknown],
        "others": [
            {**_card_data(each), "gap": _figure_data(each.gap), "p": each.p_value}
            for each in ranking.others
        ],
    }


def _card_data(card: CardFigures) -> dict[str, Any]:
    return {
        "card": card.id,
        "gold": _figure_data(card.gold),
        "spread": _figure_data(card.spread),
        "decides": _figure_data(card.decisive),
    }


def _figure_data(figure: Estimate) -> dict[str, float | int | None]:
    low, high = (figure.low, figure.high) if figure.has_ends else (None, None)
    return {"value": figure.value, "low": low, "high": high, "games": figure.games}

"""The report on a ladder: who is how strong, a chart, a table, who beat whom, and its origin.

Its data: `format` (1); `question`, `deals`, `games`, `seeds` (first and last), `version`, `rules`,
`command`, `error`, `stand_ins`, `sentences`; `anchor`, the bot whose rating is 0; `places`, the
strongest first, each `bot`, `elo`, `score` (per cent), `games` and `over_next` (null of the last);
`meetings`, each `bot`, `other`, `wins` (shared ones half) and `games`. A figure is `value`, `low`
and `high` (null where there is no end), and `tables`, by how many it is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from kbrules.game.board import stand_in_note
from kbrules.text import visible
from kbrules.tools.measuring.ladder.standings import BotStanding, Standings, standings_of
from kbrules.tools.measuring.simulate.answer import Answer
from kbrules.tools.measuring.simulate.command_text import ladder_command
from kbrules.tools.measuring.simulate.figures import ERROR, Estimate
from kbrules.tools.measuring.simulate.report import figure_data, games_data, origin
from kbrules.tools.reports import report
from kbrules.tools.reports.chart import Chart, ChartLine, ChartMark, charts_svg
from kbrules.tools.reports.report import Notes, Report, Sentences, Table

_HEADS = ("bot", "Elo", "wins %", "games", "over the next")
_UNIT = "points of Elo"


def ladder_report(answer: Answer) -> Report:
    """The report for people and programs."""
    standings = standings_of(answer)
    lines = tuple(_sentences(answer, standings))
    chart = _chart(standings)
    table = Table(_HEADS, tuple(map(_row, standings.places)))
    figure = report.Figure(chart.title, chart, table, (table,))
    blocks = (
        Sentences(lines),
        figure,
        _results(standings),
        Notes(tuple(_notes(answer, standings))),
    )
    return Report(
        f"Ladder: {len(standings.bots)} bots", blocks, _data(answer, standings, lines), lines
    )


def ladder_svg(answer: Answer) -> str:
    """The chart, and below it where it comes from."""
    standings = standings_of(answer)
    return charts_svg([_chart(standings)], "How strong the bots are", [*_notes(answer, standings)])


def _sentences(answer: Answer, standings: Standings) -> Iterator[str]:
    deals, games = f"{answer.deals:,} deals", f"{answer.games:,} games"
    yield f"{len(standings.bots)} bots met each other in {deals}, both ways round: {games}."
    for place, below in zip(standings.places, standings.places[1:], strict=False):
        if place.over_next is not None:
            yield _gap_sentence(place, below, place.over_next)


def _gap_sentence(place: BotStanding, below: BotStanding, over: Estimate) -> str:
    if over.low > 0:
        return f"{place.bot} is stronger than {below.bot}, by {over.text(0)} {_UNIT}."
    return f"Too few games to say whether {place.bot} is stronger than {below.bot}: {over.text(0)}."


def _chart(standings: Standings) -> Chart:
    lines = tuple(
        ChartLine(
            place.bot,
            place.bot,
            (ChartMark(place.elo.value, *place.elo.ends, f"{place.bot}: {place.elo.text(0)}"),),
        )
        for place in standings.places
    )
    return Chart(f"{_UNIT}, {standings.bots[0]} is 0", lines)


def _row(place: BotStanding) -> tuple[str, ...]:
    over = "" if place.over_next is None else place.over_next.text(0, "+", label="")
    return place.bot, _elo_text(place.elo), f"{place.score:.1f}", f"{place.games:,}", over


def _elo_text(elo: Estimate) -> str:
    """The points; of the bot from which the others are counted there is no interval."""
    return elo.text(0, label="") if elo.margin else f"{elo.value:.0f}"


def _results(standings: Standings) -> Table:
    """Who won how many of a hundred games against whom, the strongest first."""
    order = [standings.bots.index(place.bot) for place in standings.places]
    heads = ("wins % against", *(standings.bots[at] for at in order))
    return Table(heads, tuple(_results_against(standings, at, order) for at in order))


def _results_against(standings: Standings, at: int, order: list[int]) -> tuple[str, ...]:
    return standings.bots[at], *(
        "" if at == other else _percent_text(*standings.between(at, other)) for other in order
    )


def _percent_text(wins: float, games: int) -> str:
    return f"{100 * wins / games:.1f}" if games else "-"


def _notes(answer: Answer, standings: Standings) -> Iterator[str]:
    yield (
        f"In brackets: where the truth lies with {100 * (1 - ERROR):g} %; tables count as "
        f"independent, games of one table do not. {standings.bots[0]} is 0; 100 points more win "
        "64 of 100 games, 400 points 91."
    )
    yield origin(answer)
    if note := stand_in_note(answer.store.stand_ins):
        yield note
    yield f"again: {visible(ladder_command(answer.question, answer.deals, standings.bots))}"


def _data(answer: Answer, standings: Standings, lines: tuple[str, ...]) -> dict[str, Any]:
    return {
        **games_data(answer, ladder_command(answer.question, answer.deals, standings.bots)),
        "sentences": list(lines),
        "anchor": standings.bots[0],
        "places": [_place_data(place) for place in standings.places],
        "meetings": [*_meeting_data(standings)],
    }


def _place_data(place: BotStanding) -> dict[str, Any]:
    return {
        "bot": place.bot,
        "elo": figure_data(place.elo),
        "score": place.score,
        "games": place.games,
        "over_next": figure_data(place.over_next),
    }


def _meeting_data(standings: Standings) -> Iterator[dict[str, Any]]:
    for one, other in combinations(range(len(standings.bots)), 2):
        wins, games = standings.between(one, other)
        yield {
            "bot": standings.bots[one],
            "other": standings.bots[other],
            "wins": wins,
            "games": games,
        }

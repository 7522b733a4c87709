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
from kbrules.tools.measuring.ladder.standings import Place, Standings, standings
from kbrules.tools.measuring.simulate.answer import Answer
from kbrules.tools.measuring.simulate.command_text import ladder_command
from kbrules.tools.measuring.simulate.figures import ERROR, Figure
from kbrules.tools.measuring.simulate.report import figure_data, games_data, origin
from kbrules.tools.reports import report
from kbrules.tools.reports.chart import Chart, ChartLine, Mark, charts_svg
from kbrules.tools.reports.report import Notes, Report, Sentences, Table

__all__ = ["ladder_report", "ladder_svg"]

_HEADS = ("bot", "Elo", "wins %", "games", "over the next")
_UNIT = "points of Elo"


def ladder_report(answer: Answer) -> Report:
    """The report for people and programs."""
    found = standings(answer)
    lines = tuple(_sentences(answer, found))
    chart = _chart(found)
    table = Table(_HEADS, tuple(map(_row, found.places)))
    figure = report.Figure(chart.title, chart, table, (table,))
    blocks = (Sentences(lines), figure, _results(found), Notes(tuple(_notes(answer, found))))
    return Report(f"Ladder: {len(found.bots)} bots", blocks, _data(answer, found, lines), lines)


def ladder_svg(answer: Answer) -> str:
    """The chart, and below it where it comes from."""
    found = standings(answer)
    return charts_svg([_chart(found)], "How strong the bots are", [*_notes(answer, found)])


def _sentences(answer: Answer, found: Standings) -> Iterator[str]:
    deals, games = f"{answer.deals:,} deals", f"{answer.games:,} games"
    yield f"{len(found.bots)} bots met each other in {deals}, both ways round: {games}."
    for place, below in zip(found.places, found.places[1:], strict=False):
        if place.over_next is not None:
            yield _stands(place, below, place.over_next)


def _stands(place: Place, below: Place, over: Figure) -> str:
    if over.low > 0:
        return f"{place.bot} is stronger than {below.bot}, by {over.text(0)} {_UNIT}."
    return f"Too few games to say whether {place.bot} is stronger than {below.bot}: {over.text(0)}."


def _chart(found: Standings) -> Chart:
    lines = tuple(
        ChartLine(
            place.bot,
            place.bot,
            (Mark(place.elo.value, *place.elo.ends, f"{place.bot}: {place.elo.text(0)}"),),
        )
        for place in found.places
    )
    return Chart(f"{_UNIT}, {found.bots[0]} is 0", lines)


def _row(place: Place) -> tuple[str, ...]:
    over = "" if place.over_next is None else place.over_next.text(0, "+", label="")
    return place.bot, _rating(place.elo), f"{place.score:.1f}", f"{place.games:,}", over


def _rating(elo: Figure) -> str:
    """The points; of the bot from which the others are counted there is no interval."""
    return elo.text(0, label="") if elo.margin else f"{elo.value:.0f}"


def _results(found: Standings) -> Table:
    """Who won how many of a hundred games against whom, the strongest first."""
    order = [found.bots.index(place.bot) for place in found.places]
    heads = ("wins % against", *(found.bots[at] for at in order))
    return Table(heads, tuple(_against(found, at, order) for at in order))


def _against(found: Standings, at: int, order: list[int]) -> tuple[str, ...]:
    return found.bots[at], *(
        "" if at == other else _share(*found.between(at, other)) for other in order
    )


def _share(wins: float, games: int) -> str:
    return f"{100 * wins / games:.1f}" if games else "-"


def _notes(answer: Answer, found: Standings) -> Iterator[str]:
    yield (
        f"In brackets: where the truth lies with {100 * (1 - ERROR):g} %; tables count as "
        f"independent, games of one table do not. {found.bots[0]} is 0; 100 points more win 64 of "
        "100 games, 400 points 91."
    )
    yield origin(answer)
    if note := stand_in_note(answer.store.stand_ins):
        yield note
    yield f"again: {visible(ladder_command(answer.question, answer.deals, found.bots))}"


def _data(answer: Answer, found: Standings, lines: tuple[str, ...]) -> dict[str, Any]:
    return {
        **games_data(answer, ladder_command(answer.question, answer.deals, found.bots)),
        "sentences": list(lines),
        "anchor": found.bots[0],
        "places": [_place_data(place) for place in found.places],
        "meetings": [*_meeting_data(found)],
    }


def _place_data(place: Place) -> dict[str, Any]:
    return {
        "bot": place.bot,
        "elo": figure_data(place.elo),
        "score": place.score,
        "games": place.games,
        "over_next": figure_data(place.over_next),
    }


def _meeting_data(found: Standings) -> Iterator[dict[str, Any]]:
    for one, other in combinations(range(len(found.bots)), 2):
        wins, games = found.between(one, other)
        yield {"bot": found.bots[one], "other": found.bots[other], "wins": wins, "games": games}

"""What a simulation found out, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from kbrules.text import visible
from kbrules.tools.measuring.simulate.answer import Answer
from kbrules.tools.measuring.simulate.figure_tables import DIFFERENCE, TOTAL, FigureColumn
from kbrules.tools.measuring.simulate.figures import Estimate

_KNOWN_GOLD, _KNOWN_PERCENT = 2.0, 10.0
"""How wide the interval of a gap may be to either side for it to be called none."""


def sentences(answer: Answer) -> Iterator[str]:
    """What the figures say, in sentences."""
    yield _games_sentence(answer)
    yield from _gold_sentences(answer)
    yield from _win_sentences(answer)
    yield from _unused_tiles(answer)


def _games_sentence(answer: Answer) -> str:
    question = answer.question
    parties = dict.fromkeys(seating.party for seating in question.seatings)
    who = " and then by ".join(party.replace(",", " against ") for party in parties)
    sides = f", {answer.sides[0]} and {answer.sides[1]}" if len(answer.sides) > 1 else ""
    deals, games = (f"{n:,} {of}" for n, of in ((answer.deals, "deals"), (answer.games, "games")))
    return f"{deals} for {question.players} players, each played by {who}{sides}: {games}."


def _gold_sentences(answer: Answer) -> Iterator[str]:
    """What the cards asked for pay; between two sides what all gold comes to."""
    two = len(answer.sides) > 1
    for id in (TOTAL,) if two else answer.chosen_cards:
        for column, figure in answer.tables[0].entries(id):
            if figure is not None and two and column.side == DIFFERENCE:
                yield _gap_sentence(answer, column, figure)
            elif figure is not None and not two:
                yield f"{name_of(answer, id)} pays {_player(column)} {figure.text()} gold a game."


def _gap_sentence(answer: Answer, column: FigureColumn, figure: Estimate) -> str:
    before, after = map(visible, answer.sides)
    if figure.low <= 0 <= figure.high:
        who, interval = _player(column), figure.text(sign="+")
        if figure.is_known(_KNOWN_GOLD):
            return f"No difference in gold is seen for {who}: {interval}."
        return f"Too few games to say whether {who} gets more {after} or {before}: {interval}."
    more = "more" if figure.value > 0 else "less"
    size = figure if figure.value > 0 else Estimate(*_negated(figure), figure.games)
    return _capitalized(f"{_player(column)} gets {size.text()} gold {more} {after} than {before}.")


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def _negated(figure: Estimate) -> tuple[float, float, float]:
    return -figure.value, -figure.high, -figure.low


def _player(column: FigureColumn) -> str:
    return f"a {column.who} player" if column.bot == column.party else column.who


def _win_sentences(answer: Answer) -> Iterator[str]:
    """Who wins more often than their part: the first seat, or one kind of players."""
    last = len(answer.sides) - 1  # of two sides the one that is asked about
    tables = {table.id: table for table in answer.tables}
    for column, figure in tables["wins"].entries("wins") if "wins" in tables else ():
        if figure is not None and column.side == last and column.bot != column.party:
            yield _capitalized(f"{column.who} wins {figure.text(1, unit=' %')} of the games.")
    for column, figure in tables["seat_wins"].entries("first"):
        if figure is not None and column.side == last and column.bot == column.party:
            yield _first_seat_sentence(answer, column, figure)


def _first_seat_sentence(answer: Answer, column: FigureColumn, figure: Estimate) -> str:
    part = 100 / answer.question.players
    verdict = f"not {part:.1f}"
    if figure.low <= part <= figure.high:
        is_known = figure.is_known(_KNOWN_PERCENT)
        verdict = (
            "no advantage is seen" if is_known else "too few games to say who has an advantage"
        )
    of = f"The first of {answer.question.players} {column.bot} players"
    return f"{of} wins {figure.text(1, unit=' %')} of the games: {verdict}."


def _unused_tiles(answer: Answer) -> Iterator[str]:
    """Tiles that nobody used."""
    table = next(table for table in answer.tables if table.id == "tiles_used")
    unused = [
        line.id for line in table.lines if all(f is None or not f.value for f in line.figures)
    ]
    if unused:
        names = ", ".join(name_of(answer, id) for id in unused)
        yield f"Never used, as far as there is an action: {names}."


def name_of(answer: Answer, id: str) -> str:
    """What a thing is called."""
    return visible(answer.titles.get(id, id.replace("_", " ")))

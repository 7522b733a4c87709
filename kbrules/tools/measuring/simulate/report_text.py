"""The report as text: the question, tables of figures, and how to repeat it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kbrules.game.board import stand_in_note
from kbrules.text import visible
from kbrules.tools.measuring.simulate.answer import Answer
from kbrules.tools.measuring.simulate.figure_tables import (
    DIFFERENCE,
    TOTAL,
    Column,
    FigureTable,
    Line,
)
from kbrules.tools.measuring.simulate.figures import ERROR, Figure

__all__ = ["provenance", "sentences", "text"]

_WIDEST = 3  # columns that stand side by side


def text(answer: Answer) -> str:
    """All of it."""
    blocks = ["\n".join(sentences(answer))]
    blocks += [block for table in answer.tables if table.lines for block in _table(answer, table)]
    blocks.append("\n".join(provenance(answer)))
    return "\n\n".join(blocks)


def sentences(answer: Answer) -> Iterator[str]:
    """What the figures say, in sentences."""
    yield _played(answer)
    yield from _paid(answer)
    yield from _winning(answer)
    yield from _idle(answer)


def _played(answer: Answer) -> str:
    asked = answer.question
    parties = dict.fromkeys(seating.party for seating in asked.seatings)
    who = " and then by ".join(party.replace(",", " against ") for party in parties)
    sides = f", {answer.sides[0]} and {answer.sides[1]}" if len(answer.sides) > 1 else ""
    deals, games = (f"{n:,} {of}" for n, of in ((answer.deals, "deals"), (answer.games, "games")))
    return f"{deals} for {asked.players} players, each played by {who}{sides}: {games}."


def _paid(answer: Answer) -> Iterator[str]:
    """What the cards asked for pay; between two sides what all gold comes to."""
    two = len(answer.sides) > 1
    for id in (TOTAL,) if two else answer.asked:
        for column, figure in answer.tables[0].entries(id):
            if figure is not None and two and column.side == DIFFERENCE:
                yield _gap(answer, column, figure)
            elif figure is not None and not two:
                yield f"{name_of(answer, id)} pays {_player(column)} {_sure(figure)} gold a game."


def _gap(answer: Answer, column: Column, figure: Figure) -> str:
    before, after = map(visible, answer.sides)
    if figure.low <= 0 <= figure.high:
        return f"No difference in gold is seen for {_player(column)}: {_sure(figure, sign='+')}."
    more = "more" if figure.value > 0 else "less"
    size = figure if figure.value > 0 else Figure(*_turned(figure), figure.games)
    return _sentence(f"{_player(column)} gets {_sure(size)} gold {more} {after} than {before}.")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _turned(figure: Figure) -> tuple[float, float, float]:
    return -figure.value, -figure.high, -figure.low


def _player(column: Column) -> str:
    return f"a {column.who} player" if column.bot == column.party else column.who


def _winning(answer: Answer) -> Iterator[str]:
    """Who wins more often than their part: the first seat, or one kind of players."""
    last = len(answer.sides) - 1  # of two sides the one that is asked about
    tables = {table.id: table for table in answer.tables}
    for column, figure in tables["wins"].entries("wins") if "wins" in tables else ():
        if figure is not None and column.side == last and column.bot != column.party:
            yield _sentence(f"{column.who} wins {_sure(figure, 1)} % of the games.")
    for column, figure in tables["seat_wins"].entries("first"):
        if figure is not None and column.side == last and column.bot == column.party:
            yield _first_wins(answer, column, figure)


def _first_wins(answer: Answer, column: Column, figure: Figure) -> str:
    part = 100 / answer.question.players
    verdict = "no advantage is seen" if figure.low <= part <= figure.high else f"not {part:.1f}"
    of = f"The first of {answer.question.players} {column.bot} players"
    return f"{of} wins {_sure(figure, 1)} % of the games: {verdict}."


def _idle(answer: Answer) -> Iterator[str]:
    """Tiles that nobody used."""
    table = next(table for table in answer.tables if table.id == "tiles_used")
    idle = [line.id for line in table.lines if all(f is None or not f.value for f in line.figures)]
    if idle:
        names = ", ".join(name_of(answer, id) for id in idle)
        yield f"Never used, as far as there is an action: {names}."


def _sure(figure: Figure, digits: int = 2, sign: str = "") -> str:
    """The same in a sentence."""
    return figure.text(digits, sign)


def said(figure: Figure, digits: int = 2, sign: str = "") -> str:
    """A figure with its interval."""
    return figure.text(digits, sign, sure="")


def name_of(answer: Answer, id: str) -> str:
    """What a thing is called."""
    return visible(answer.titles.get(id, id.replace("_", " ")))


def _table(answer: Answer, table: FigureTable) -> Iterator[str]:
    """A table, in as many parts as are needed for the columns to stand side by side."""
    whole = [*range(len(table.columns))]
    kinds = dict.fromkeys(column.who for column in table.columns)
    if len(answer.sides) == 1 and len(whole) <= _WIDEST:
        yield _part(answer, table, whole, [table.unit, *kinds])
        return
    for who in kinds:
        chosen = [i for i in whole if table.columns[i].who == who]
        heads = (side_of(answer, table.columns[i]) or who for i in chosen)
        yield _part(answer, table, chosen, [f"{table.unit}, {who}", *heads])


def _part(answer: Answer, table: FigureTable, chosen: Sequence[int], heads: list[str]) -> str:
    rows = [heads]
    for line in table.lines:
        cells = [_cell(line, i, table.digits, table.columns[i].side) for i in chosen]
        rows.append([name_of(answer, line.id), *cells])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(_aligned(row, widths)).rstrip() for row in rows)
    return "\n".join(lines)


def _aligned(row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    yield f"{row[0]:<{widths[0]}}"
    yield from (f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True))


def _cell(line: Line, column: int, digits: int, side: int) -> str:
    figure = line.figures[column]
    return "-" if figure is None else said(figure, digits, "+" if side == DIFFERENCE else "")


def head_of(answer: Answer, column: Column) -> str:
    """What stands above a column."""
    return ", ".join(filter(None, (column.who, side_of(answer, column))))


def side_of(answer: Answer, column: Column) -> str:
    """What the side of a column is called; nothing if there is only one."""
    return "difference" if column.side == DIFFERENCE else visible(answer.sides[column.side])


def provenance(answer: Answer) -> Iterator[str]:
    """Where the figures come from: what must be the same for them to come out the same."""
    last = answer.question.seed + answer.deals - 1
    each = f"; with {100 * (1 - answer.error):.5g} % at this look" if answer.error < ERROR else ""
    when = ", whenever the run stopped" if each else ""
    yield f"In brackets: where the truth lies with {100 * (1 - ERROR):g} %{when}{each}."
    if any(figure and not figure.margin for figure in answer.figures):
        yield "Each time: on every table that was played, which is no certainty of the others."
    rules = ", ".join(dict.fromkeys(answer.rules))
    yield f"seeds {answer.question.seed} to {last}; kbrules {answer.version}; rules {rules}"
    note = stand_in_note(answer.store.stand_ins)
    if note:
        yield note
    yield f"again: {answer.command}"

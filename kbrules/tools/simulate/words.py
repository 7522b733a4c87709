"""The answer in words: first what was asked, then every figure in tables, then how to repeat it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

from kbrules.game.board import stand_in_note
from kbrules.text import visible
from kbrules.tools.simulate.answer import Answer
from kbrules.tools.simulate.figures import ERROR, Figure
from kbrules.tools.simulate.tabled import DIFFERENCE, Column, Line, Tabled

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
    yield f"{_games(answer)}."
    yield from _paid(answer)
    yield from _winning(answer)
    yield from _idle(answer)


def _games(answer: Answer) -> str:
    asked = answer.question
    parties = list(dict.fromkeys(seating.party for seating in asked.seatings))
    who = " and by ".join(f"{party}" for party in parties)
    times = f"{answer.deals:,} deals" if answer.deals != 1 else "1 deal"
    each = f", {answer.games:,} games in all" if answer.games != answer.deals else ""
    return f"{times}, {asked.players} players, played by {who}{each}"


def _paid(answer: Answer) -> Iterator[str]:
    """What the cards asked for pay; between two sides what all gold comes to."""
    gold = answer.tables[0]
    two = len(answer.sides) > 1
    for id in ("total",) if two else answer.asked:
        line = gold.line(id)
        for column, figure in zip(gold.columns, line.figures, strict=True) if line else ():
            if figure is not None and (column.side == DIFFERENCE) == two:
                yield _pays(answer, id, column, figure)


def _pays(answer: Answer, id: str, column: Column, figure: Figure) -> str:
    who = column.who
    if column.side == DIFFERENCE:
        before, after = answer.sides
        return f"A {who} player gets {said(figure, 2, '+')} gold more {after} than {before}."
    return f"{name_of(answer, id)} pays a {who} player {said(figure)} gold a game."


def _winning(answer: Answer) -> Iterator[str]:
    """Whether the first seat wins more often than its part."""
    table = next(table for table in answer.tables if table.id == "seat_wins")
    last = len(answer.sides) - 1  # of two sides the one that is asked about
    for column, figure in _first(table):
        if figure is not None and column.side == last:
            yield _wins(answer, column, figure)


def _first(table: Tabled) -> Iterator[tuple[Column, Figure | None]]:
    """What stands in the first line of a table, if it has any."""
    for line in table.lines[:1]:
        yield from zip(table.columns, line.figures, strict=True)


def _wins(answer: Answer, column: Column, figure: Figure) -> str:
    players = answer.question.players
    part = 100 / players
    seen = "its part" if figure.low <= part <= figure.high else f"not its part, {part:.1f}"
    of = f"The first of {players} players" if players > 1 else "The player"
    return f"{of}, {column.who}, wins {said(figure, 1)} % of the games: {seen}."


def _idle(answer: Answer) -> Iterator[str]:
    """Tiles that nobody used."""
    table = next(table for table in answer.tables if table.id == "tiles_used")
    idle = [line.id for line in table.lines if all(f is None or not f.value for f in line.figures)]
    if idle:
        yield f"Never used: {', '.join(name_of(answer, id) for id in idle)}."


def said(figure: Figure, digits: int = 2, sign: str = "") -> str:
    """A figure with its interval."""
    ends = figure.value, figure.low, figure.high
    value, low, high = (f"{each:{sign}.{digits}f}" for each in ends)
    return f"{value} ({low} to {high})" if figure.margin < inf else value


def name_of(answer: Answer, id: str) -> str:
    """What a thing is called."""
    return visible(answer.titles.get(id, id.replace("_", " ")))


def _table(answer: Answer, table: Tabled) -> Iterator[str]:
    """A table, in as many parts as are needed for the columns to stand side by side."""
    whole = [*range(len(table.columns))]
    if len(whole) <= _WIDEST:
        yield _part(answer, table, whole)
        return
    for who in dict.fromkeys(column.who for column in table.columns):
        yield _part(answer, table, [i for i in whole if table.columns[i].who == who])


def _part(answer: Answer, table: Tabled, chosen: Sequence[int]) -> str:
    heads = [table.unit, *(head_of(answer, table.columns[i]) for i in chosen)]
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
    if column.side == DIFFERENCE:
        return f"{column.who}, difference"
    side = answer.sides[column.side]
    return ", ".join(filter(None, (column.who, visible(side))))


def provenance(answer: Answer) -> Iterator[str]:
    """Where the figures come from: what must be the same for them to come out the same."""
    last = answer.question.seed + answer.deals - 1
    yield f"In brackets: where the truth lies with {100 * (1 - answer.error):.4g} %."
    if answer.error < ERROR:
        yield "(The run looked at the figures several times; together the looks miss 5 % at most.)"
    rules = ", ".join(answer.rules)
    yield f"seeds {answer.question.seed} to {last}; kbrules {answer.version}; rules {rules}"
    note = stand_in_note(answer.store.stand_ins)
    if note:
        yield note
    yield f"again: {answer.command}"

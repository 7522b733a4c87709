"""The report on a simulation: sentences, a chart and a table for each kind of figure, its origin.

Its data: `format` (1); `question`, as in the file of games; `deals`, `games`, `seeds` (first and
last), `version`, `rules` (a digest for each side), `command`, `error`, `stand_ins`, `sides` (what
they are called), `sentences`, and `tables`. Each table has `id`, `unit`, `even` (what all would be
if nothing mattered, or null), `columns` (`party`, `bot`, `side`: -1 for the difference of side 1
from side 0) and `lines` (`id`, `title`, `figures`: one for each column, null where a thing is not
in the game). A figure has `value`, `low`, `high` (null if there is no end, or if it was the same on
every table) and `tables`, by how many independent tables it is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from kbrules.game.board import stand_in_note
from kbrules.text import visible
from kbrules.tools.measuring.simulate.answer import Answer
from kbrules.tools.measuring.simulate.figure_tables import (
    DIFFERENCE,
    FigureColumn,
    FigureLine,
    FigureTable,
)
from kbrules.tools.measuring.simulate.figures import ERROR, Estimate
from kbrules.tools.measuring.simulate.sentences import name_of, sentences
from kbrules.tools.reports import report
from kbrules.tools.reports.chart import Chart, ChartLine, ChartMark, charts_svg
from kbrules.tools.reports.report import Notes, Report, Sentences, Table

_WIDEST = 3  # columns that stand side by side
_DIGITS = 6  # of a figure in the data


def simulation_report(answer: Answer) -> Report:
    """The report for people and programs."""
    lines = tuple(sentences(answer))
    figures = [figure for table in answer.tables for figure in _figures(answer, table)]
    notes = Notes(tuple(_provenance(answer)))
    return Report(f"Simulation: {_about(answer)}", (Sentences(lines), *figures, notes),
                  _data(answer), lines)  # fmt: skip


def simulation_svg(answer: Answer) -> str:
    """All charts in one picture, and below them where they come from."""
    charts = [_chart(answer, table, chosen) for table in answer.tables for chosen in _charts(table)]
    return charts_svg(charts, "What the games say", list(_provenance(answer)))


def _about(answer: Answer) -> str:
    cards = ", ".join(name_of(answer, card) for card in answer.chosen_cards)
    side = answer.question.sides[-1]
    boxes = [visible(answer.titles.get(f"box {box}", box)) for box in side.boxes]
    return cards or " + ".join([*boxes, *side.folders])


def _figures(answer: Answer, table: FigureTable) -> Iterator[report.Figure]:
    """The figures of one kind; the differences between two sides have a scale of their own.

    In a terminal the two sides and their difference stand side by side instead, with the first.
    """
    text = tuple(_text_tables(answer, table)) if table.lines else ()
    for chosen in _charts(table):
        chart = _chart(answer, table, chosen)
        heads = ("what", *(_head(answer, table.columns[i]) for i in chosen))
        rows = tuple(_row(answer, table, line, chosen) for line in table.lines)
        yield report.Figure(chart.title, chart, Table(heads, rows), text)
        text = ()


def _charts(table: FigureTable) -> Iterator[list[int]]:
    """The columns of each chart: those of the sides, and the differences."""
    of_sides = [i for i, column in enumerate(table.columns) if column.side != DIFFERENCE]
    between = [i for i, column in enumerate(table.columns) if column.side == DIFFERENCE]
    for chosen in (of_sides, between):
        if any(line.figures[i] is not None for line in table.lines for i in chosen):
            yield chosen


def _chart(answer: Answer, table: FigureTable, chosen: Sequence[int]) -> Chart:
    between = table.columns[chosen[0]].side == DIFFERENCE
    title = f"{table.unit}, difference" if between else table.unit
    columns = tuple(_head(answer, table.columns[i]) for i in chosen)
    lines = (line for line in table.lines if any(line.figures[i] for i in chosen))
    shown = tuple(_chart_line(answer, table, line, chosen) for line in lines)
    return Chart(title, shown, columns, None if between else table.even)


def _chart_line(
    answer: Answer, table: FigureTable, line: FigureLine, chosen: Sequence[int]
) -> ChartLine:
    name = name_of(answer, line.id)
    marks: list[ChartMark | None] = []
    for i in chosen:
        figure, head = line.figures[i], _head(answer, table.columns[i])
        spoken = f"{name}, {head}: {figure.text(table.digits, label='')}" if figure else ""
        marks.append(ChartMark(figure.value, *figure.ends, spoken) if figure else None)
    return ChartLine(line.id, name, tuple(marks))


def _text_tables(answer: Answer, table: FigureTable) -> Iterator[Table]:
    """The table in as many parts as are needed for the columns to stand side by side."""
    every = [*range(len(table.columns))]
    kinds = dict.fromkeys(column.who for column in table.columns)
    if len(answer.sides) < 2 and len(every) <= _WIDEST:
        yield _part(answer, table, every, (table.unit, *kinds))
        return
    for who in kinds:
        chosen = [i for i in every if table.columns[i].who == who]
        heads = (_side(answer, table.columns[i]) or who for i in chosen)
        yield _part(answer, table, chosen, (f"{table.unit}, {who}", *heads))


def _part(
    answer: Answer, table: FigureTable, chosen: Sequence[int], heads: tuple[str, ...]
) -> Table:
    return Table(heads, tuple(_row(answer, table, line, chosen) for line in table.lines))


def _row(
    answer: Answer, table: FigureTable, line: FigureLine, chosen: Sequence[int]
) -> tuple[str, ...]:
    return name_of(answer, line.id), *(_cell(table, line, i) for i in chosen)


def _cell(table: FigureTable, line: FigureLine, column: int) -> str:
    figure = line.figures[column]
    sign = "+" if table.columns[column].side == DIFFERENCE else ""
    return "-" if figure is None else figure.text(table.digits, sign, label="")


def _head(answer: Answer, column: FigureColumn) -> str:
    """What stands above a column."""
    return ", ".join(filter(None, (column.who, _side(answer, column))))


def _side(answer: Answer, column: FigureColumn) -> str:
    """What the side of a column is called; nothing if there is only one."""
    return "difference" if column.side == DIFFERENCE else visible(answer.sides[column.side])


def origin(answer: Answer) -> str:
    """Where figures come from, in short."""
    last = answer.question.seed + answer.deals - 1
    rules = ", ".join(dict.fromkeys(answer.rules))
    return f"seeds {answer.question.seed} to {last}; kbrules {answer.version}; rules {rules}"


def _provenance(answer: Answer) -> Iterator[str]:
    """Where figures come from: what must be the same for them to come out the same."""
    each = f"; with {100 * (1 - answer.error):.5g} % at this look" if answer.error < ERROR else ""
    when = ", whenever the run stopped" if each else ""
    yield f"In brackets: where the truth lies with {100 * (1 - ERROR):g} %{when}{each}."
    if any(figure and not figure.margin for figure in answer.figures):
        yield "Each time: on every table that was played, which is no certainty of the others."
    yield origin(answer)
    if note := stand_in_note(answer.store.stand_ins):
        yield note
    yield f"again: {answer.command}"


def _data(answer: Answer) -> dict[str, Any]:
    return {
        **games_data(answer, answer.command),
        "sides": list(answer.sides),
        "sentences": list(sentences(answer)),
        "tables": [_table_data(answer, table) for table in answer.tables],
    }


def games_data(answer: Answer, command: str) -> dict[str, Any]:
    """Which games were played, as plain data."""
    first = answer.question.seed
    return {
        "format": 1,
        "question": answer.question.to_json(),
        "deals": answer.deals,
        "games": answer.games,
        "seeds": [first, first + answer.deals - 1],
        "version": answer.version,
        "rules": list(answer.rules),
        "command": command,
        "error": answer.error,
        "stand_ins": list(answer.store.stand_ins),
    }


def _table_data(answer: Answer, table: FigureTable) -> dict[str, Any]:
    columns = [{"party": c.party, "bot": c.bot, "side": c.side} for c in table.columns]
    lines = [
        {
            "id": line.id,
            "title": answer.titles.get(line.id, line.id),
            "figures": [figure_data(figure) for figure in line.figures],
        }
        for line in table.lines
    ]
    head = {"id": table.id, "unit": table.unit, "even": table.even}
    return {**head, "columns": columns, "lines": lines}


def figure_data(figure: Estimate | None) -> dict[str, Any] | None:
    """A figure as plain data."""
    if figure is None:
        return None
    ends = (figure.low, figure.high) if figure.has_ends else (None, None)
    value, low, high = (each and round(each, _DIGITS) for each in (figure.value, *ends))
    return {"value": value, "low": low, "high": high, "tables": figure.games}

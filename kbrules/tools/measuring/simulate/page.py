"""The answer as a page: what it says, a picture of every table with all its figures, its origin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from kbrules.tools.measuring.simulate.answer import Answer
from kbrules.tools.measuring.simulate.chart import chart_svg, panels
from kbrules.tools.measuring.simulate.figure_tables import DIFFERENCE, FigureTable
from kbrules.tools.measuring.simulate.report_text import (
    head_of,
    name_of,
    provenance,
    said,
    sentences,
)
from kbrules.tools.publishing.pictures.page import html_page, shipped

__all__ = ["page_of"]

_STYLE = """
section svg { max-width: 50rem; }
table { border-collapse: collapse; margin: .5rem 0; }
th, td { padding: .15rem .6rem; text-align: right; border-bottom: 1px solid var(--line); }
th, td { white-space: nowrap; }
th:first-child { text-align: left; }
div { overflow-x: auto; }
pre { white-space: pre-wrap; }
"""


def page_of(answer: Answer) -> str:
    """A whole page that needs nothing else."""
    title = f"Simulation: {_about(answer)}"
    body = [f"<h1>{escape(title)}</h1>"]
    body += [f"<p>{escape(sentence)}</p>" for sentence in sentences(answer)]
    for table, chosen in panels(answer):
        body += _section(answer, table, chosen)
    body += [f'<p class="note">{escape(line)}</p>' for line in provenance(answer)]
    return html_page(title, "\n".join(body), shipped("page.css") + _STYLE)


def _about(answer: Answer) -> str:
    cards = ", ".join(name_of(answer, card) for card in answer.asked)
    boxes = " + ".join([*answer.question.sides[-1].boxes, *answer.question.sides[-1].folders])
    return cards or boxes


def _section(answer: Answer, table: FigureTable, chosen: Sequence[int]) -> Iterator[str]:
    between = table.columns[chosen[0]].side == DIFFERENCE
    yield f"<section><h2>{escape(table.unit)}{', difference' if between else ''}</h2>"
    yield chart_svg(answer, table, chosen)
    heads = ["", *(head_of(answer, table.columns[i]) for i in chosen)]
    cells = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    yield f"<div><table><thead><tr>{cells}</tr></thead><tbody>"
    for line in table.lines:
        figures = [line.figures[i] for i in chosen]
        values = [said(f, table.digits, "+" if between else "") if f else "-" for f in figures]
        row = "".join(f"<td>{escape(value)}</td>" for value in values)
        yield f'<tr><th scope="row">{escape(name_of(answer, line.id))}</th>{row}</tr>'
    yield "</tbody></table></div>"
    yield f"<p>{escape(_origin(answer))}</p></section>"


def _origin(answer: Answer) -> str:
    """What each figure carries with it; the command is told once, below all."""
    first = answer.question.seed
    seeds = f"seeds {first} to {first + answer.deals - 1}"
    return f"{seeds}; kbrules {answer.version}; rules {', '.join(dict.fromkeys(answer.rules))}"

"""A report: what a command found, as blocks for people and as data for programs, in any form.

A command builds one report, and `render` prints it in the form that is wanted; `reports.page` makes
pages and pictures of it, which load more slowly.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from io import StringIO
from textwrap import fill
from typing import TYPE_CHECKING, Any

from kbrules.diagnostics import Diagnostic, json_line, render_github
from kbrules.text import visible
from kbrules.tools.reports.data import CaseReport, to_data

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table as RichTable
    from rich.text import Text

    from kbrules.tools.reports.charts import Chart


# What a report is made of: blocks, one below the other.


class Style(StrEnum):
    """How a line stands out where colours can be seen."""

    plain = ""
    strong = "bold"
    good = "green"
    bad = "red"


@dataclass(frozen=True, slots=True)
class Sentences:
    """What the report says, in sentences."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Notes:
    """Where the figures come from, and what their names mean."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lines:
    """Text whose columns stand below each other, such as the picture of a board.

    styles: of the first lines, in their order; the others are plain. above: a line that stands
    above them in a terminal, where no title does.
    """

    lines: tuple[str, ...]
    styles: tuple[Style, ...] = ()
    above: str = ""

    @property
    def styled(self) -> list[tuple[str, Style]]:
        """Each line with its style."""
        missing = [Style.plain] * (len(self.lines) - len(self.styles))
        return list(zip(self.lines, [*self.styles, *missing], strict=True))


@dataclass(frozen=True, slots=True)
class ReportTable:
    """Rows of cells below their heads; `strong` are the numbers of the rows that stand out."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    strong: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Figure:
    """Numbers as a chart: on a page with the table of them, in a terminal as the blocks `text`.

    notes: what a page says below the table.
    """

    title: str
    chart: Chart
    table: ReportTable
    text: tuple[Lines | ReportTable, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found at places in source text, each with an excerpt."""

    texts: tuple[str, ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    """A board with what is marked on it: `lines` in a terminal; `draw` makes its SVG for a page."""

    lines: tuple[str, ...]
    draw: Callable[[], str]


Block = Sentences | Notes | Lines | ReportTable | Figure | Findings | Board


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """What a command found.

    data: all of it for programs. lines: its findings in a line each. summary: one line for all.
    findings: what `github` and `sarif` show, cases: what `junit` shows; None where there are no
    such forms. command: its name in SARIF and JUnit. caption: of its picture, if not the title.
    """

    title: str
    blocks: Sequence[Block]
    data: Any
    lines: Sequence[str] = ()
    summary: str = ""
    exit_code: int = 0
    findings: Sequence[Diagnostic] | None = None
    cases: Sequence[CaseReport] | None = None
    command: str = ""
    caption: str = ""

    @property
    def notes(self) -> list[str]:
        """The lines of all its notes."""
        return [line for each in self.blocks if isinstance(each, Notes) for line in each.lines]


# The forms of a report: two for people, the others for programs.


class Form(StrEnum):
    """The forms of a report."""

    full = "full"
    concise = "concise"
    json = "json"
    jsonl = "jsonl"
    github = "github"
    sarif = "sarif"
    junit = "junit"

    @property
    def is_for_people(self) -> bool:
        """Whether a summary may be printed below it."""
        return self in (Form.full, Form.concise)


def forms_of(report: Report) -> tuple[Form, ...]:
    """Return the forms in which a report can be rendered."""
    lines = () if report.findings is None else (Form.jsonl, Form.github, Form.sarif)
    cases = () if report.cases is None else (Form.junit,)
    return Form.full, Form.concise, Form.json, *lines, *cases


def render(report: Report, form: Form, colour: bool = False) -> str:
    """Return the text of a report in one of its forms; `full` with colours if they are wanted."""
    match form:
        case Form.full:
            return as_text(report, colour)
        case Form.concise:
            return "\n".join(report.lines)
        case Form.json:
            return as_json(report)
        case Form.jsonl:
            return "\n".join([*record_lines(report), summary_line(report)])
        case Form.github:
            return render_github(report.findings or ())
    from kbrules.tools.reports.formats import junit, sarif  # rarely wanted

    if form is Form.sarif:
        return sarif(report.command, report.findings or (), report.exit_code)
    return junit(report.command, report.cases or ())


def as_json(report: Report) -> str:
    """Return the data of a report as JSON; pure ASCII."""
    return json.dumps(to_data(report.data), indent=2)


def record_lines(report: Report) -> Iterator[str]:
    """Yield a line of JSON for each finding and each result in the data of a report."""
    data = to_data(report.data)
    for kind in ("finding", "result"):
        for record in data.get(f"{kind}s", ()):
            yield json_line(kind, record)


def summary_line(report: Report) -> str:
    """Return the line of JSON that ends the others: the counts of a report, and its exit code."""
    data = to_data(report.data)
    counts = {key: value for key, value in data.items() if isinstance(value, int)}
    del counts["format"]
    counts |= {"findings": len(data["findings"]), "exit_code": report.exit_code}
    return json_line("summary", counts)


# A report as text: with colours on a terminal, and nothing but text elsewhere.


_WIDTH = 88  # columns of a sentence
_WIDEST = 10_000  # columns of a table: a terminal wraps by itself, and a file has no width
_PLACE = r"(?m)^.*?:\d+:\d+: "
_STYLES = (
    _PLACE + r"(?P<bold>(?:error|warning)\[KB\d+\]: .*)$",
    _PLACE + r"(?P<red>error\[KB\d+\])",
    _PLACE + r"(?P<yellow>warning\[KB\d+\])",
    r"(?m)^(?P<blue> *\d* \| ?)",
    r"(?m)^ +\| (?P<red> *(?:\^+|-+ .*))$",
    r"(?m)^(?P<cyan> +help:)",
)
"""What stands out in source text; the name of a group is its style."""


def as_text(report: Report, colour: bool = False) -> str:
    """All of it for people, block by block, with an empty line between two."""
    parts = (part for block in report.blocks for part in _parts(block, colour))
    blocks = (_rendered(part, colour) for part in parts)
    return "\n\n".join(filter(None, blocks))


def _rendered(part: RenderableType, colour: bool) -> str:
    """What rich prints of a part; other texts are neither wrapped nor read as markup."""
    if isinstance(part, str):
        return part
    from rich.console import Console

    system: Any = "standard" if colour else None
    console = Console(
        file=StringIO(), width=_WIDEST, color_system=system, force_terminal=colour, highlight=False
    )
    with console.capture() as capture:
        console.print(part, soft_wrap=True, markup=False, emoji=False)
    return "\n".join(line.rstrip() for line in capture.get().rstrip("\n").split("\n"))


def _parts(block: Block, colour: bool) -> Iterator[RenderableType]:
    """The parts of a block, with an empty line between two; rich is needed for few of them."""
    match block:
        case Sentences(lines):
            wrapped = partial(fill, width=_WIDTH, break_on_hyphens=False)
            indent = "  " if lines[1:] else ""
            yield "\n".join(wrapped(visible(each), subsequent_indent=indent) for each in lines)
        case Notes(lines) | Board(lines):
            yield "\n".join(lines)
        case Lines():
            above = [block.above] if block.above else []
            plain = (line.rstrip() for line in block.lines)
            yield _styled(block) if colour else "\n".join([*above, *plain])
        case ReportTable():
            yield _table(block)
        case Figure(text=parts):
            for each in parts:
                yield from _parts(each, colour)
        case Findings(texts, title):
            yield title
            yield from map(_source, texts) if colour else texts


def _styled(lines: Lines) -> Text:
    from rich.text import Text

    above = [(lines.above, "")] if lines.above else []
    return Text("\n").join(Text(text, style) for text, style in [*above, *lines.styled])


def _source(text: str) -> Text:
    from rich.text import Text

    styled = Text(text)
    for pattern in _STYLES:
        for match in re.finditer(pattern, text):
            for style in match.groupdict():
                styled.stylize(style, *match.span(style))
    return styled


def _table(table: ReportTable) -> RichTable:
    from rich.table import Table as RichTable
    from rich.text import Text

    table_shown = RichTable(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for number, head in enumerate(table.heads):
        table_shown.add_column(Text(head), justify="right" if number else "left", no_wrap=True)
    for number, row in enumerate(table.rows):
        table_shown.add_row(*map(Text, row), style="bold" if number in table.strong else None)
    return table_shown

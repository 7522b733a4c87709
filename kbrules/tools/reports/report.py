"""A report: what a command found out, as blocks for people and as data for programs.

A command builds one report, and the renderers make of it what is wanted: `terminal.as_text`,
`page.as_page` and, for programs, `as_json`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from kbrules.tools.reports.chart import Chart


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
class Table:
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
    table: Table
    text: tuple[Lines | Table, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found at places in source text, each with an excerpt."""

    texts: tuple[str, ...]
    title: str = ""


Block = Sentences | Notes | Lines | Table | Figure | Findings


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """What was found out.

    data: all of it for programs. lines: its findings in a line each, for those who want no more.
    summary: one line for all.
    """

    title: str
    blocks: Sequence[Block]
    data: Mapping[str, Any]
    lines: Sequence[str] = ()
    summary: str = ""


def as_json(report: Report) -> str:
    """The data as a text; pure ASCII."""
    return json.dumps(report.data, indent=2)

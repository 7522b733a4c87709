"""A report as text: with colours on a terminal, and nothing but text elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import StringIO
from textwrap import fill
from typing import TYPE_CHECKING, Any

from kbrules.text import visible
from kbrules.tools.reports.report import (
    Block,
    Figure,
    Findings,
    Lines,
    Notes,
    Report,
    Sentences,
    Table,
)

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table as RichTable
    from rich.text import Text

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
    blocks = (_rendered(part, colour) for block in report.blocks for part in _parts(block))
    return "\n\n".join(filter(None, blocks))


def coloured(text: str) -> str:
    """Findings in full with colours: red errors, yellow warnings, blue numbers, cyan help."""
    return _rendered(_source(text), True)


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


def _parts(block: Block) -> Iterator[RenderableType]:
    """The parts of a block, with an empty line between two."""
    match block:
        case Sentences(lines):
            yield "\n".join(_wrapped(each, "  " if lines[1:] else "") for each in lines)
        case Notes(lines):
            yield "\n".join(lines)
        case Lines():
            yield _styled(block)
        case Table():
            yield _table(block)
        case Figure(text=parts):
            for each in parts:
                yield from _parts(each)
        case Findings(texts, title):
            yield title
            yield from map(_source, texts)


def _wrapped(sentence: str, indent: str) -> str:
    return fill(visible(sentence), _WIDTH, subsequent_indent=indent, break_on_hyphens=False)


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


def _table(table: Table) -> RichTable:
    from rich.table import Table as RichTable
    from rich.text import Text

    table_shown = RichTable(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for number, head in enumerate(table.heads):
        table_shown.add_column(Text(head), justify="right" if number else "left", no_wrap=True)
    for number, row in enumerate(table.rows):
        table_shown.add_row(*map(Text, row), style="bold" if number in table.strong else None)
    return table_shown

"""Columns of a table where declarations speak of them, as in `{kind}`, and what fills them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from kbrules.lang.syntax.tree import Rule, Table, Word

COLUMN = re.compile(r"\{([a-z][a-z0-9_]*)\}")
"""A column where it is spoken of."""
_SIGN = r"[a-z0-9_]|\{[a-z][a-z0-9_]*\}"
PARTS = re.compile(
    r'(?P<text>"[^"\n]*")|(?P<drawing>^ *\|[^\n]*)|(?P<comment>^ *#[^\n]*\n|#[^\n]*)'
    rf"|(?P<word>(?:{_SIGN})*{COLUMN.pattern}(?:{_SIGN})*)",
    re.MULTILINE,
)
"""What may hold a column: texts, lines of drawings, and words; or a comment, which holds none."""

Row = Mapping[str, Word]
"""The cell of each column."""


def rows_of(table: Table) -> list[Row]:
    """The rows below the names of the columns."""
    head, *rows = table.rows
    names = [cell.text for cell in head]
    return [dict(zip(names, row, strict=False)) for row in rows]


def filled(text: str, row: Row) -> str:
    """A text with the cells of a row; a column that there is not becomes nothing."""
    return COLUMN.sub(lambda found: row[found[1]].text if found[1] in row else "", text)


def template_of(rule: Rule) -> tuple[int, int]:
    """From where to where a declaration with a table goes without it."""
    return rule.span.start, rule.table.span.start if rule.table is not None else rule.span.end

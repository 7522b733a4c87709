"""What is wrong with the table of a declaration, and with columns that no table has (KB111)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from kbrules.diagnostics import Diagnostic, Label, quoted, suggest
from kbrules.lang.syntax.tree import Broken, Declaration, Rule, Table, Word
from kbrules.lang.tables.columns import COLUMN, PARTS, filled, rows_of, template_of
from kbrules.text import Span

MAX_ROWS = 100
"""How many rows a table may have."""
MAX_DERIVED = 500_000
"""How many characters all that tables of a file say may come to."""
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_VALUE = re.compile(r"[a-z][a-z0-9_]*|[0-9]+")
_HOW = "write `{NAME}`, and below the declaration a `table:` whose first row names its columns"


def size_of(rule: Rule) -> int:
    """How many characters it comes to at most, when every row has been written out."""
    first, end = template_of(rule)
    rows = rule.table.rows[1:] if rule.table is not None else ()
    used = len(COLUMN.findall(rule.span.source.text, first, end))
    widest = max((len(cell.text) for row in rows for cell in row), default=0)
    return len(rows) * (end - first + used * widest)


def table_findings(declaration: Declaration) -> Iterator[Diagnostic]:
    """What is wrong with the columns of a declaration and with its table."""
    if isinstance(declaration, Broken):
        return
    table = declaration.table if isinstance(declaration, Rule) else None
    if table is None or not isinstance(declaration, Rule):
        yield from _without_table(declaration)
        return
    problems = list(chain(_of_header(table), _of_rows(table)))
    yield from problems or _of_template(declaration, table)


def _without_table(declaration: Declaration) -> Iterator[Diagnostic]:
    """The first column in words of a declaration that has no table; a text may have any."""
    source, span = declaration.span.source, declaration.span
    parts = PARTS.finditer(source.text, span.start, span.end)
    part = next((part for part in parts if part["word"]), None)
    if part is not None:
        place = source.span(*part.span())
        message = f"{quoted(part['word'])} speaks of a column, but there is no table"
        yield Diagnostic("KB111", place, message, _HOW)


def _of_header(table: Table) -> Iterator[Diagnostic]:
    seen: dict[str, Word] = {}
    for cell in table.rows[0]:
        first = seen.setdefault(cell.text, cell)
        if not _NAME.fullmatch(cell.text):
            message = f"{quoted(cell.text)} is no name of a column"
            help_ = "the first row names the columns: small letters, digits and `_`"
            yield Diagnostic("KB111", _cell_span(cell, table), message, help_)
        elif first is not cell:
            labels = (Label(first.span, "the first column of this name"),)
            message = f"two columns are called {quoted(cell.text)}"
            yield Diagnostic("KB111", cell.span, message, "choose another name", labels)


def _of_rows(table: Table) -> Iterator[Diagnostic]:
    head, *rows = table.rows
    if not rows:
        help_ = "below the names of the columns write a row for each time it is said"
        yield Diagnostic("KB111", head[0].span, "this table has no rows", help_)
    if len(rows) > MAX_ROWS:
        message = f"a table has at most {MAX_ROWS} rows"
        yield Diagnostic("KB111", rows[MAX_ROWS][0].span, message, "use two declarations")
    for row in rows[:MAX_ROWS]:
        if len(row) != len(head):
            message = f"this row has {len(row)} cells, but there are {len(head)} columns"
            whole = row[0].span.source.span(row[0].span.start, row[-1].span.end)
            yield Diagnostic("KB111", whole, message, "write a cell between every two bars")
            continue
        for cell in row:
            if not cell.text or '"' in cell.text:
                message = 'a cell holds no `"`' if cell.text else "this cell is empty"
                yield Diagnostic(
                    "KB111", _cell_span(cell, table), message, "write what stands there"
                )


def _cell_span(cell: Word, table: Table) -> Span:
    """The place of a cell; of an empty one the sign before it."""
    return cell.span if cell.text else table.span.source.span(cell.span.start - 1, cell.span.start)


def _of_template(rule: Rule, table: Table) -> Iterator[Diagnostic]:
    columns = {cell.text: number for number, cell in enumerate(table.rows[0])}
    source, used = rule.span.source, set()
    for part in PARTS.finditer(source.text, *template_of(rule)):
        if part["comment"]:
            continue
        for found in COLUMN.finditer(source.text, *part.span()):
            used.add(found[1])
            if found[1] not in columns:
                yield _unknown(source.span(*found.span()), found[1], columns)
        if part["word"] and columns.keys() >= {*COLUMN.findall(part["word"])}:
            yield from _wrong_cells(part["word"], source.span(*part.span()), table)
    for name in columns.keys() - used:
        cell = table.rows[0][columns[name]]
        help_ = f"write `{{{name}}}` where it belongs, or delete the column"
        yield Diagnostic("KB111", cell.span, f"nothing speaks of the column {quoted(name)}", help_)
    changing = COLUMN.findall(rule.title)
    if changing and not COLUMN.search(rule.name.text):
        message = f"the title changes with {quoted(changing[0])}, but the name does not"
        help_ = f"write the column into the name, too: `{rule.name.text}_{{{changing[0]}}}`"
        yield Diagnostic("KB111", rule.name.span, message, help_)


def _unknown(span: Span, name: str, columns: dict[str, int]) -> Diagnostic:
    near = suggest(name, columns)
    listed = ", ".join(quoted(each) for each in columns)
    help_ = f"did you mean `{{{near}}}`?" if near else f"its columns are {listed}"
    return Diagnostic("KB111", span, f"the table has no column {quoted(name)}", help_)


def _wrong_cells(word: str, span: Span, table: Table) -> Iterator[Diagnostic]:
    """Cells with which a word of a sentence is neither a name nor a number."""
    first = COLUMN.findall(word)[0]
    for row in rows_of(table):
        text = filled(word, row)
        if not _VALUE.fullmatch(text):
            message = f"{quoted(text)} is neither a name nor a number"
            help_ = "in texts and drawings a cell may hold anything else"
            labels = (Label(span, "it would stand here"),)
            yield Diagnostic("KB111", row[first].span, message, help_, labels)

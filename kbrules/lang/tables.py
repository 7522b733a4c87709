"""Declarations from a table: what names a column is repeated for each row."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import chain, pairwise

from kbrules.diagnostics import Diagnostic, Label, distinct, quoted, suggest
from kbrules.lang.syntax import build, split
from kbrules.lang.syntax.parse import parse, parse_chunk, read_declarations
from kbrules.lang.syntax.tree import Broken, Declaration, Rule, Table, Word
from kbrules.text import Source, Span, Stretch

# Columns of a table where declarations speak of them, as in `{kind}`, and what fills them.

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


# The text that tables make: declarations and sentences written out, row by row.

DerivedText = tuple[int, str]
"""The text of a declaration that a table made, and its offset."""


class TableWriter:
    """Writes declarations out, and keeps where each piece of the text was written."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._parts: list[str] = []
        self._stretches: list[Stretch] = []
        self._at = len(source.text)

    def source(self) -> Source:
        """The source, with all that was written derived from it."""
        derived = "".join(self._parts)
        return Source(self._source.name, self._source.text, derived, tuple(self._stretches))

    def write(self, rule: Rule, table: Table) -> list[DerivedText]:
        """What a declaration says with its table: several, or one with sentences repeated."""
        rows = rows_of(table)
        if COLUMN.search(rule.name.text):
            return [self._declaration(rule, [row]) for row in rows]
        return [self._declaration(rule, rows)]

    def _declaration(self, rule: Rule, rows: Sequence[Row]) -> DerivedText:
        self._put("\n", Stretch(self._at, (rule.span.start, rule.span.start)))
        start, before = self._at, len(self._parts)
        for first, end in self._sentences(rule):
            repeats = any(_columns(part) for part in PARTS.finditer(self._source.text, first, end))
            for row in rows if repeats else rows[:1]:
                self._copy(first, end, row)
        return start, "".join(self._parts[before:])

    def _sentences(self, rule: Rule) -> list[tuple[int, int]]:
        """Where the heading and each sentence begin and end: at the beginnings of lines."""
        text = self._source.text
        starts = (text.rfind("\n", 0, each.span.start) + 1 for each in rule.body)
        first, end = template_of(rule)
        return list(pairwise([first, *starts, text.rfind("\n", 0, end) + 1]))

    def _copy(self, first: int, end: int, row: Row) -> None:
        """What was written from one place to another, with the cells of a row; no comments."""
        text, at = self._source.text, first
        for part in PARTS.finditer(text, first, end):
            if part["comment"]:
                at = self._plain(at, *part.span(), row)
            elif part["word"]:
                at = self._plain(at, *part.span(), row)
                self._cell(part["word"], part.span(), row)
            else:
                for column in COLUMN.finditer(text, *part.span()):
                    at = self._plain(at, *column.span(), row)
                    self._cell(column[0], column.span(), row)
        self._plain(at, end, end, row)

    def _plain(self, first: int, end: int, behind: int, row: Row) -> int:
        """Copy what names no column; where to go on."""
        if end > first:
            self._put(self._source.text[first:end], Stretch(self._at, (first, end), _line(row)))
        return behind

    def _cell(self, word: str, written: tuple[int, int], row: Row) -> None:
        """Put a word with the cells of a row; it stands where the first of them does."""
        cell = row[COLUMN.findall(word)[0]].span
        stretch = Stretch(self._at, written, _line(row), (cell.start, cell.end))
        self._put(filled(word, row), stretch)

    def _put(self, text: str, stretch: Stretch) -> None:
        self._parts.append(text)
        self._stretches.append(stretch)
        self._at += len(text)


def _columns(part: re.Match[str]) -> bool:
    """Whether a part of a text speaks of a column."""
    return not part["comment"] and COLUMN.search(part[0]) is not None


def _line(row: Row) -> tuple[int, int]:
    """The place of a row."""
    first, *_, last = (*row.values(), *row.values())
    return first.span.start, last.span.end


# What is wrong with the table of a declaration, and with columns that no table has (KB111).

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


# Declarations written out: if the name of a declaration has a column in it, as in `rule
# {kind}_guard`, each row is one of its own; otherwise each sentence that has one is repeated. What
# comes of it is text derived from the source, so that everybody else reads it as if it had been
# written out.


def parse_with_tables(
    source: Source, known: split.KnownDeclarations | None = None
) -> tuple[Source, list[Declaration], list[Diagnostic]]:
    """The declarations of a rule file with those of its tables, and what could not be read.

    Their spans lie in the source that is returned: the same text, with all rows derived from it.
    With `known`, declarations that stood there before are not read again.
    """
    written, findings = parse(source, known)
    if "{" not in source.text and not any(map(_table_of, written)):
        return source, written, findings
    writer = TableWriter(source)
    tables = _tables_to_write(written, findings)
    derived_texts = {rule.span.start: writer.write(rule, table) for rule, table in tables}
    derived = writer.source()
    written, findings = parse(derived, known)
    declarations: list[Declaration] = []
    for each in written:
        problems = [*table_findings(each), *_too_long(each, derived_texts, findings)]
        findings += problems
        if each.span.start in derived_texts:
            for start, text in derived_texts[each.span.start]:
                declaration, unread = parse_chunk(build.Chunk(derived, text, (0,), (start,)))
                declarations.append(declaration)
                findings += unread
        else:
            declarations += _name_stubs(each) if problems or _table_of(each) else [each]
    return derived, declarations, sorted(distinct(findings))


def syntax_findings(source: Source, known: split.KnownDeclarations) -> list[Diagnostic]:
    """What could not be read of a rule file; without a table in it nothing else is made of it."""
    read, findings = read_declarations(source, known)
    if "{" in source.text or any(_table_of(each.declaration) for _, each in read):
        return parse_with_tables(source, known)[2]
    return findings


def _table_of(declaration: Declaration) -> Table | None:
    return declaration.table if isinstance(declaration, Rule) else None


def _tables_to_write(
    written: Sequence[Declaration], findings: Sequence[Diagnostic]
) -> Iterator[tuple[Rule, Table]]:
    """The declarations whose tables can be written out, as long as they do not become too much."""
    left = MAX_DERIVED
    for each in written:
        if isinstance(each, Rule) and each.table is not None and not _has_findings(each, findings):
            left -= size_of(each)
            if left >= 0:
                yield each, each.table


def _has_findings(each: Rule, findings: Sequence[Diagnostic]) -> bool:
    within = any(each.span.holds(finding.span) for finding in findings)
    return within or any(table_findings(each))


def _too_long(
    each: Declaration, written_out: Container[int], findings: Sequence[Diagnostic]
) -> Iterator[Diagnostic]:
    """The finding about a declaration that nothing is wrong with, but that was not written out."""
    if not isinstance(each, Rule) or each.table is None or each.span.start in written_out:
        return
    if not _has_findings(each, findings):
        message = f"the tables of a file come to at most {MAX_DERIVED:,} characters"
        yield Diagnostic("KB111", each.name.span, message, "split the file, or use fewer rows")


def _name_stubs(each: Declaration) -> list[Declaration]:
    """What is left of a declaration with mistakes: the names it would have had."""
    word = Word(type(each).__name__.lower(), each.name.span)
    kind = each.kind if isinstance(each, Rule | Broken) else word
    table = _table_of(each)
    rows = rows_of(table) if table is not None else [{}]
    names = dict.fromkeys(filled(each.name.text, row) for row in rows)
    return [Broken(kind, Word(name, each.name.span), (), each.span) for name in names]

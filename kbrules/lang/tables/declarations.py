"""Declarations from a table: what names a column is repeated for each row.

If the name of a declaration has a column in it, as in `rule {kind}_guard`, each row is one of its
own; otherwise each sentence that has one is repeated. What comes of it is text derived from the
source, so that everybody else reads it as if it had been written out.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from kbrules.diagnostics import Diagnostic, distinct
from kbrules.lang.syntax.chunk import Chunk
from kbrules.lang.syntax.parse import parse, parse_chunk, read_declarations
from kbrules.lang.syntax.reuse import KnownDeclarations
from kbrules.lang.syntax.tree import Broken, Declaration, Rule, Table, Word
from kbrules.lang.tables.check import MAX_DERIVED, size_of, table_findings
from kbrules.lang.tables.columns import filled, rows_of
from kbrules.lang.tables.text import DerivedText, TableWriter
from kbrules.text import Source


def parse_with_tables(
    source: Source, known: KnownDeclarations | None = None
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
            declarations += _parse_derived(derived_texts[each.span.start], derived, findings)
        else:
            declarations += _name_stubs(each) if problems or _table_of(each) else [each]
    return derived, declarations, sorted(distinct(findings))


def syntax_findings(source: Source, known: KnownDeclarations) -> list[Diagnostic]:
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


def _parse_derived(
    texts: Sequence[DerivedText], source: Source, findings: list[Diagnostic]
) -> list[Declaration]:
    """The declarations that a table makes; what cannot be read of them goes to the findings."""
    found: list[Declaration] = []
    for start, text in texts:
        declaration, problems = parse_chunk(Chunk(source, text, (0,), (start,)))
        found.append(declaration)
        findings += problems
    return found


def _name_stubs(each: Declaration) -> list[Declaration]:
    """What is left of a declaration with mistakes: the names it would have had."""
    kind = each.kind if isinstance(each, Rule | Broken) else Word(_kind(each), each.name.span)
    table = _table_of(each)
    rows = rows_of(table) if table is not None else [{}]
    names = dict.fromkeys(filled(each.name.text, row) for row in rows)
    return [Broken(kind, Word(name, each.name.span), (), each.span) for name in names]


def _kind(each: Declaration) -> str:
    return type(each).__name__.lower()

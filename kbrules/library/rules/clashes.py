"""Names that an author gives to things or words, though files loaded before use them already.

The later one is reported, at the line where the name is given; what came first keeps its meaning,
so that nothing is found in files that are in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from kbrules.diagnostics import Diagnostic, Label
from kbrules.game.catalog import Catalog
from kbrules.lang.syntax import tree
from kbrules.library.boards.tables import BoardParts
from kbrules.library.rules.vocabulary import tables_of, taken_names
from kbrules.text import Source, Span

_TEXT_OR_COMMENT = re.compile(r'"[^"\n]*"|#.*')
_LOOP = re.compile(r"\b(?:for|per(?:\s+[0-9]+)?)\s+([a-z_][a-z0-9_]*)\s+in\b")
Earlier = dict[str, Label]
"""For each name where it got its meaning, in the files of other boxes that were loaded before."""


@dataclass(frozen=True, slots=True)
class Clashes:
    """The findings, the things that are no words for it, and the declarations that count.

    `ambiguous` are words that could mean either of two things.
    """

    findings: list[Diagnostic] = field(default_factory=list)
    excluded_words: set[str] = field(default_factory=set)
    ambiguous: set[str] = field(default_factory=set)
    declarations: list[tree.Declaration] = field(default_factory=list)


def clashes(
    catalog: Catalog,
    parts: BoardParts,
    declarations: Sequence[tree.Declaration],
    folder_numbers: Mapping[str, int],
) -> Clashes:
    """What clashes with a word of the language, or with a name of files loaded before.

    homes: for the name of each source which of the folders it lies in, in their order; shipped
    files are in the first.
    """
    found = Clashes()
    for name, finding in taken_names(catalog, parts, folder_numbers):
        found.findings.append(finding)
        found.excluded_words.add(name)
        if finding.labels:
            found.ambiguous.add(name)
    found.declarations.extend(
        d for d in declarations if not folder_numbers.get(d.name.span.source.name, 0)
    )
    last = max(folder_numbers.values(), default=0)
    for number in range(1, last + 1):
        earlier = _earlier(declarations, folder_numbers, number)
        _add_things(found, catalog, parts, earlier, _Folder(folder_numbers, number))
        found.declarations.extend(
            _without_words(found, declarations, earlier, _Folder(folder_numbers, number))
        )
    return found


@dataclass(frozen=True, slots=True)
class _Folder:
    """One of the folders."""

    folder_numbers: Mapping[str, int]
    number: int

    def holds(self, span: Span) -> bool:
        """Whether a place is in it."""
        return self.folder_numbers.get(span.source.name, 0) == self.number


def _add_things(
    found: Clashes, catalog: Catalog, parts: BoardParts, earlier: Earlier, folder: _Folder
) -> None:
    """Things of a folder that are called like a word of another one."""
    for table, ids in tables_of(catalog):
        for id in ids:
            span = parts.spans.get((table, id))
            if (
                span is None
                or id in found.excluded_words
                or id not in earlier
                or not folder.holds(span)
            ):
                continue
            found.findings.append(_clash(id, span, earlier[id], "means something in other rules"))
            found.excluded_words.add(id)


def _without_words(
    found: Clashes, declarations: Sequence[tree.Declaration], earlier: Earlier, folder: _Folder
) -> Iterator[tree.Declaration]:
    """The declarations of a folder, but for words that mean something in another one."""
    for each in declarations:
        name = each.name
        if not folder.holds(name.span):
            continue
        is_word = isinstance(each, tree.WordDeclaration)
        if is_word and name.text in earlier:
            found.findings.append(_declared(name, earlier[name.text]))
        else:
            yield each


def _declared(name: tree.Word, label: Label) -> Diagnostic:
    what = "is declared twice" if label.text == _DECLARED else "means something in other rules"
    return _clash(name.text, name.span, label, what)


def _clash(name: str, span: Span, label: Label, what: str) -> Diagnostic:
    return Diagnostic("KB202", span, f"`{name}` {what}", "choose another name", (label,))


_DECLARED = "first declared here"


def _earlier(
    declarations: Sequence[tree.Declaration], folder_numbers: Mapping[str, int], number: int
) -> Earlier:
    """What names mean in the files of the folders before one."""
    found: Earlier = {}
    sources: dict[int, Source] = {}
    for each in declarations:
        source = each.name.span.source
        if folder_numbers.get(source.name, 0) >= number:
            continue
        sources[id(source)] = source
        if isinstance(each, tree.Define | tree.Steps):
            for name, _ in each.parameters:
                found.setdefault(name.text, Label(name.span, "this parameter has the name"))
        if isinstance(each, tree.WordDeclaration):
            found[each.name.text] = Label(each.name.span, _DECLARED)
    for source in sources.values():
        for match in _LOOP.finditer(_TEXT_OR_COMMENT.sub(lambda m: " " * len(m[0]), source.text)):
            span = source.span(match.start(1), match.end(1))
            found.setdefault(match[1], Label(span, "this loop has the name"))
    return found

"""What files declare: rules, words, examples, scenarios, things of boxes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kbrules.lang.syntax import tree
from kbrules.library.discovery import kind_of
from kbrules.library.yaml import Document, Scalar, YamlList, YamlTable
from kbrules.text import Span
from kbrules.tools.language_service.answers import Symbol, SymbolKind
from kbrules.tools.language_service.workspace import Workspace

_KINDS = {
    tree.Rule: SymbolKind.RULE,
    tree.Define: SymbolKind.DEFINE,
    tree.Steps: SymbolKind.STEPS,
    tree.Option: SymbolKind.OPTION,
    tree.Memory: SymbolKind.MEMORY,
    tree.Broken: SymbolKind.RULE,
}
_TABLES = (
    "terrains", "places", "pieces", "tiles", "numbers", "grids", "marks", "sections", "setups",
    "memories", "rules",
)  # fmt: skip
_LISTS = ("cards", "tasks")
_MOST = 2_000  # symbols of all files together


def document_symbols(workspace: Workspace, path: Path) -> tuple[Symbol, ...]:
    """What a file declares, from top to bottom, examples below their rules."""
    match kind_of(path):
        case "rules":
            found = _in_rules(workspace, path)
        case "box" | "texts":
            found = _in_box(workspace.document(path), path)
        case "scenario":
            found = _in_scenarios(workspace.document(path), path)
        case None:
            return ()
    return tuple(sorted(found, key=lambda each: each.span.start))


def workspace_symbols(workspace: Workspace, query: str) -> tuple[Symbol, ...]:
    """What the rules and boxes of a workspace declare, whose names have the letters of a query.

    The letters must come in this order, others may stand between; names that begin so come first.
    """
    wanted, found = query.casefold(), list[Symbol]()
    for path in workspace.files_of_roots():
        if kind_of(path) in ("rules", "box") and len(found) < _MOST:
            every = (
                s for each in document_symbols(workspace, path) for s in (each, *each.children)
            )
            found += (s for s in every if s.kind is not SymbolKind.EXAMPLE and _has(s.name, wanted))
    return tuple(sorted(found, key=lambda each: (not each.name.startswith(wanted), each.name)))


def _has(name: str, letters: str) -> bool:
    rest = iter(name.casefold())
    return all(letter in rest for letter in letters)


def _in_rules(workspace: Workspace, path: Path) -> Iterator[Symbol]:
    for each in workspace.rules(path).declarations:
        name = _written(each.name.span, each.span)
        kind = _KINDS[type(each)]
        whole = _around(_written(each.span, each.name.span), name)
        if name.text or each.name.text:
            children = tuple(_examples(each, path, whole)) if isinstance(each, tree.Rule) else ()
            yield Symbol(each.name.text, kind, path, whole, name, _detail(each), children)


def _detail(node: tree.Declaration) -> str:
    if isinstance(node, tree.Rule):
        return f"{node.kind.text} {node.title}".rstrip()
    return getattr(node, "wording", "")


def _examples(rule: tree.Rule, path: Path, whole: Span) -> Iterator[Symbol]:
    for each in rule.body:
        if isinstance(each, tree.Example):
            span = _written(each.span, each.span)
            if whole.holds(span):
                title = each.title or "example"
                yield Symbol(title, SymbolKind.EXAMPLE, path, span, _first_line(span))


def _written(span: Span, fallback: Span) -> Span:
    """A span where the author wrote it."""
    span = span if span.source.text else fallback
    start, end = span.source.written(span.start, span.end)
    return span.source.span(start, start + len(span.source.text[start:end].rstrip()))


def _around(one: Span, other: Span) -> Span:
    """The span from the beginning of the first to the end of the last."""
    return one.source.span(min(one.start, other.start), max(one.end, other.end))


def _first_line(span: Span) -> Span:
    length = len(span.text.partition("\n")[0].rstrip())
    return span.source.span(span.start, span.start + length)


# Data


def _in_box(document: Document | None, path: Path) -> Iterator[Symbol]:
    root = document.root if document is not None else None
    if document is None or not isinstance(root, YamlTable):
        return
    for name in (name for name in (*_TABLES, *_LISTS) if name in root.entries):
        entry = root.entries[name]
        key = document.source.span(entry.key.start, entry.key.end)
        children = tuple(_things(document, name, path))
        whole = document.source.span(entry.key.start, max(entry.value.end, entry.key.end))
        yield Symbol(name, SymbolKind.TABLE, path, whole, key, "", children)


def _things(document: Document, name: str, path: Path) -> Iterator[Symbol]:
    node = document.place((name,)).node
    source = document.source
    if isinstance(node, YamlTable):
        for id, entry in node.entries.items():
            key = source.span(entry.key.start, entry.key.end)
            whole = source.span(key.start, max(key.end, entry.value.end))
            yield Symbol(id, SymbolKind.THING, path, whole, key, name)
    elif isinstance(node, YamlList):
        for item in node.items:
            if isinstance(item, Scalar):
                span = source.span(item.start, item.end)
                yield Symbol(str(item.value), SymbolKind.THING, path, span, span, name)


def _in_scenarios(document: Document | None, path: Path) -> Iterator[Symbol]:
    root = document.root if document is not None else None
    if document is None or not isinstance(root, YamlTable):
        return
    inner = root.entries["scenarios"].value if "scenarios" in root.entries else None
    for each in inner.items if isinstance(inner, YamlList) else (root,):
        title = each.entries.get("title") if isinstance(each, YamlTable) else None
        if title is not None and isinstance(title.value, Scalar):
            whole = document.source.span(each.start, each.end)
            span = document.source.span(title.value.start, title.value.end)
            whole = _around(whole, span)
            yield Symbol(str(title.value.value), SymbolKind.SCENARIO, path, whole, span)

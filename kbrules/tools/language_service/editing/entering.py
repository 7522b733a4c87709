"""The entry in the data file of a box for a card, a task or a tile that has a rule already."""

from __future__ import annotations

from pathlib import Path

from kbrules.diagnostics import Edit
from kbrules.lang.syntax import tree
from kbrules.library.boxes.box import shipped_box, shipped_in
from kbrules.library.reading import MANIFEST
from kbrules.library.yaml import YamlList, YamlTable
from kbrules.primitives.vocabulary import TILE_KINDS
from kbrules.text import Span
from kbrules.tools.language_service.answers import Edits
from kbrules.tools.language_service.workspace import Workspace

_LISTS = {"card": "cards", "task": "tasks"}


def entered_in_box(workspace: Workspace, path: Path, name: Span) -> tuple[str, Edits] | None:
    """A title, and the edits that enter the rule of a name in its box; None if there is no way."""
    box = _box_of(workspace, path)
    declared = [
        d
        for d in workspace.rules(path).declarations
        if isinstance(d, tree.Rule) and d.name.text == name.text
    ]
    if box is None or not declared:
        return None
    kind = declared[0].kind.text
    if kind in _LISTS:
        edit = _in_list(workspace, box, _LISTS[kind], name.text)
    elif kind in TILE_KINDS:
        edit = _in_table(workspace, box, "tiles", f"{name.text}: {{kind: {kind}}}")
    else:
        return None
    title = f"Enter `{name.text}` in `{box.name}`"
    return None if edit is None else (title, {box: (edit,)})


def _box_of(workspace: Workspace, path: Path) -> Path | None:
    home = workspace.group(path).home
    if home is not None:
        return workspace.path_named(home / MANIFEST)
    box = shipped_in(path)
    return workspace.path_named(shipped_box(box)) if box else None


def _in_list(workspace: Workspace, box: Path, key: str, id: str) -> Edit | None:
    """The edit that adds an id to a list, in the way in which the list is written."""
    document, source = workspace.document(box), workspace.source(box)
    if document is None:
        return None
    node = document.place((key,)).node
    if not isinstance(document.root, YamlTable):
        return None
    if key not in document.root.entries:
        return _at_end(workspace, box, f"{key}: [{id}]\n")
    if not isinstance(node, YamlList):
        return None
    if source.text[node.start : node.start + 1] == "[":
        end = node.end - 1
        comma = ", " if node.items else ""
        last = node.items[-1].end if node.items else end
        return Edit(source.span(last, last), f"{comma}{id}")
    last = node.items[-1].end
    line = source.line_text(source.position(node.items[-1].start)[0])
    indent = line[: len(line) - len(line.lstrip())]
    return Edit(source.span(last, last), f"\n{indent}- {id}")


def _in_table(workspace: Workspace, box: Path, key: str, entry: str) -> Edit | None:
    """The edit that adds an entry to a table in lines of its own."""
    document, source = workspace.document(box), workspace.source(box)
    if document is None or not isinstance(document.root, YamlTable):
        return None
    if key not in document.root.entries:
        return _at_end(workspace, box, f"{key}:\n  {entry}\n")
    node = document.place((key,)).node
    if not isinstance(node, YamlTable) or not node.entries:
        return None
    first = next(iter(node.entries.values())).key.start
    if source.text[node.start : node.start + 1] == "{":
        return Edit(source.span(first, first), f"{entry}, ")
    indent = " " * (source.position(first)[1] - 1)
    return Edit(source.span(first, first), f"{entry}\n{indent}")


def _at_end(workspace: Workspace, box: Path, text: str) -> Edit:
    source = workspace.source(box)
    end = len(source.text)
    newline = "" if source.text.endswith("\n") or not source.text else "\n"
    return Edit(source.span(end, end), newline + text)

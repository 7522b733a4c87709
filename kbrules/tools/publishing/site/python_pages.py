"""The pages of the public Python names: a list, and a page for each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from kbrules.tools.publishing.site.page import USE, Page
from kbrules.tools.publishing.site.python_source import (
    PythonDefinition,
    members,
    public_names,
    signature,
)

PYTHON = "python/index.html"

LinkedText = list[tuple[str, str | None]]
"""A text in pieces, each with the address that it leads to."""


def python_pages() -> Iterator[Page]:
    """The list of all names, and a page for each."""
    exported, others = public_names()
    groups = [("From kbrules", exported), ("What these lead to", others)]
    rows = [(title, [(d.name, _path(d), _summary(d.doc)) for d in of]) for title, of in groups]
    yield Page(PYTHON, "Python names", "reference", "python", {"groups": rows}, group=USE)
    paths = {each.name: _path(each) for each in (*exported, *others)}
    for each in (*exported, *others):
        values, above = _values(each, paths), (("Python names", PYTHON),)
        about = _summary(each.doc)
        yield Page(_path(each), each.name, "python", "python_name", values, about, above)


def _path(definition: PythonDefinition) -> str:
    """The address of a page; a class and a function may differ by a capital alone."""
    kind = "class" if definition.is_class else "function"
    return f"python/{kind}-{definition.name}.html"


def _summary(doc: str) -> str:
    """The first sentence of a docstring."""
    return re.split(r"(?<=[.:])\s|\n\n", doc)[0]


def _values(definition: PythonDefinition, paths: Mapping[str, str]) -> dict[str, Any]:
    others = {name: path for name, path in paths.items() if name != definition.name}
    member_values = [
        (each.is_method, each.name, _type_links(each.written, others), _paragraphs(each.doc))
        for each in members(definition)
    ]
    return {
        "module": definition.module,
        "bases": _type_links(", ".join(definition.bases), others) if definition.bases else [],
        "signature": _type_links(signature(definition), others),
        "paragraphs": _paragraphs(definition.doc),
        "attributes": [values for is_method, *values in member_values if not is_method],
        "methods": [values for is_method, *values in member_values if is_method],
    }


def _type_links(text: str, paths: Mapping[str, str]) -> LinkedText:
    """A signature or a type in which the names of classes lead to their pages."""
    classes = {name: path for name, path in paths.items() if name[0].isupper()}
    return [(word, classes.get(word)) for word in re.split(r"(\w+)", text)]


def _paragraphs(doc: str) -> list[tuple[str, bool]]:
    """The paragraphs of a docstring, and whether each is indented and stays as it is written."""
    parts = filter(None, doc.split("\n\n"))
    return [(part, all(line.startswith("    ") for line in part.split("\n"))) for part in parts]

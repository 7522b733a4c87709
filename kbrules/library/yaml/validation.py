"""Data against a model: what the model refuses, reported at its line and in our words.

A validator of a model speaks for itself: the text of its ValueError is shown as it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from kbrules.diagnostics import Diagnostic, quoted, suggest
from kbrules.library.yaml.document import (
    Document,
    Loc,
    Node,
    RefusedNode,
    Scalar,
    YamlList,
    YamlTable,
    has_holes,
)
from kbrules.library.yaml.schema_words import SchemaShape

if TYPE_CHECKING:
    from pydantic import BaseModel

Model = TypeVar("Model", bound="BaseModel")
_FINDINGS = 100  # reported of one document
_KEY = "[key]"  # how the validator marks that a key itself is wrong


@dataclass(frozen=True, slots=True)
class _SchemaFault:
    """One refusal: its kind, the part of its place that exists, and what is left of it.

    `forks` are the choices the model offers on the way: how long the path is there, and the
    branch tried; a choice may lie inside another.
    """

    kind: str
    path: Loc
    rest: Loc
    sentence: str
    forks: tuple[tuple[int, str], ...] = ()


def validate(document: Document, model: type[Model]) -> tuple[Model | None, list[Diagnostic]]:
    """The model made of the data, and what is wrong with it; no model when anything is.

    Types are taken as JSON has them: a list may become a tuple or a set, keys are text.
    """
    from pydantic import ValidationError

    instance: Model | None = None
    faults: list[_SchemaFault] = []
    try:
        instance = model.model_validate_json(json.dumps(document.data))
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=False)
        faults = [_fault(document, detail) for detail in details[:_FINDINGS]]
    if has_holes(document.root):
        instance = None
    faults = [fault for fault in faults if not _only_follows(fault, faults)]
    reportable = [fault for fault in faults if not isinstance(_node(document, fault), RefusedNode)]
    findings = [_finding(document, model, fault) for fault in _without_other_branches(reportable)]
    return instance, sorted(set(findings))


def _only_follows(fault: _SchemaFault, faults: list[_SchemaFault]) -> bool:
    """Whether a list is only too short because entries of it are wrong."""
    within = (other for other in faults if other.path[: len(fault.path)] == fault.path)
    return fault.kind == "too_short" and any(other.path != fault.path for other in within)


def _node(document: Document, fault: _SchemaFault) -> Node:
    return document.place(fault.path).node


def _fault(document: Document, detail: Any) -> _SchemaFault:
    """Sort the parts of a place into those in the data and the names of choices between them."""
    kind, loc, rest = _split(detail)
    path: Loc = ()
    forks: dict[int, str] = {}
    for part in loc:
        longer = document.place((*path, part)).path
        if len(longer) == len(path):
            forks.setdefault(len(path), str(part))
        path = longer
    return _SchemaFault(kind, path, rest, _sentence(detail), tuple(forks.items()))


def _split(detail: Any) -> tuple[str, Loc, Loc]:
    """The kind of a refusal, its place as far as data should be there, and the rest of it."""
    kind: str = detail["type"]
    loc: Loc = detail["loc"]
    if kind == "missing" or loc[-1:] == (_KEY,):
        return kind, loc[:-1], loc[-1:]
    # The key that tells which form a table has: point at it, not at the whole table.
    discriminator = detail.get("ctx", {}).get("discriminator", "").strip("'")
    if kind == "union_tag_not_found":
        return "missing", loc, (discriminator,)
    return (kind, (*loc, discriminator), ()) if kind == "union_tag_invalid" else (kind, loc, ())


def _sentence(detail: Any) -> str:
    """What a validator of the model itself says; empty for the built-in checks."""
    error = detail.get("ctx", {}).get("error")
    return str(error) if isinstance(error, Exception) else ""


def _without_other_branches(faults: list[_SchemaFault], depth: int = 0) -> Iterator[_SchemaFault]:
    """Of a choice that failed in every branch, only the branch the writer seems to have meant.

    depth: how many choices, counted from the outermost, are settled already.
    """
    choices: dict[Loc, dict[str, list[_SchemaFault]]] = {}
    for fault in faults:
        if len(fault.forks) <= depth:
            yield fault
        else:
            length, branch = fault.forks[depth]
            branches = choices.setdefault(fault.path[:length], {})
            branches.setdefault(branch, []).append(fault)
    for at, branches in choices.items():
        settled = [list(_without_other_branches(faults, depth + 1)) for faults in branches.values()]
        yield from _closest_branch(at, settled)


def _closest_branch(at: Loc, branches: list[list[_SchemaFault]]) -> list[_SchemaFault]:
    right_kind = [faults for faults in branches if not _is_other_kind(at, faults)]
    return min(right_kind, key=len, default=[_SchemaFault("choice", at, (), "")])


def _is_other_kind(at: Loc, faults: list[_SchemaFault]) -> bool:
    """Whether a branch wanted another kind of value altogether: a list where a number stands."""
    return any(fault.path == at and not fault.rest and not fault.sentence for fault in faults)


def _finding(document: Document, model: type[BaseModel], fault: _SchemaFault) -> Diagnostic:
    shape = SchemaShape.of(model)
    if fault.kind == "extra_forbidden":
        return _unknown_key(document, shape.at(fault.path[:-1]), fault)
    if fault.kind == "missing" and isinstance(fault.rest[0], str):
        return _missing_key(document, shape.at(fault.path), fault)
    if fault.rest == (_KEY,):
        return _wrong_key(document, shape.at(fault.path[:-1]), fault)
    return _wrong_value(document, shape.at(fault.path), fault)


def _unknown_key(document: Document, around: SchemaShape, fault: _SchemaFault) -> Diagnostic:
    key = str(fault.path[-1])
    keys = around.keys()
    near = suggest(key, keys)
    help = f"did you mean {quoted(near)}?" if near else ""
    if not near and keys:
        help = "the keys here are " + ", ".join(quoted(each) for each in keys)
    span = document.span_at(fault.path, key=True)
    message = f"{quoted(key)} is not a key of {_owner(fault.path[:-1])}"
    return Diagnostic("KB402", span, message, help)


def _missing_key(document: Document, shape: SchemaShape, fault: _SchemaFault) -> Diagnostic:
    key = str(fault.rest[0])
    span = document.span_at(fault.path, key=True)
    message = f"{_owner(fault.path)} lacks the key {quoted(key)}"
    shape_of_value = shape.at((key,))
    return Diagnostic("KB412", span, message, f"its value is {shape_of_value.phrase()}")


def _wrong_key(document: Document, around: SchemaShape, fault: _SchemaFault) -> Diagnostic:
    span = document.span_at(fault.path, key=True)
    is_number = fault.kind.startswith("int")  # a schema tells no kinds of keys
    expected = "a whole number" if is_number else around.key_phrase()
    message = (
        f"the key {quoted(str(fault.path[-1]))} of {_owner(fault.path[:-1])} must be {expected}"
    )
    return Diagnostic("KB403", span, message)


def _wrong_value(document: Document, shape: SchemaShape, fault: _SchemaFault) -> Diagnostic:
    span = document.span_at(fault.path)
    if fault.sentence:
        return Diagnostic("KB403", span, fault.sentence, shape.description())
    node = document.place(fault.path).node
    found = _description(node, span.text)
    message = f"{_subject(fault.path)} must be {shape.phrase()}, found {found}"
    is_unquoted = fault.kind == "string_type" and isinstance(node, Scalar)
    if is_unquoted and shape.takes_text(span.text):
        return Diagnostic("KB403", span, message, f'put it in quotes: `"{span.text}"`')
    return Diagnostic("KB403", span, message, shape.description())


def _description(node: Node, written: str) -> str:
    if isinstance(node, YamlTable):
        return "keys with values"
    if isinstance(node, YamlList):
        count = len(node.items)
        return f"a list of {count} " + ("entry" if count == 1 else "entries")
    if isinstance(node, Scalar) and node.value is None:
        return "nothing"
    return quoted(written) if "\n" not in written else "a text of several lines"


def _subject(path: Loc) -> str:
    """The value a sentence is about."""
    if not path:
        return "the file"
    return _entry(path) if isinstance(path[-1], int) else quoted(path[-1])


def _owner(path: Loc) -> str:
    """The table a key belongs to."""
    return _subject(path) if path else "this file"


def _entry(path: Loc) -> str:
    names = [quoted(part) for part in path if isinstance(part, str)]
    around = f" of {names[-1]}" if names else ""
    return f"entry {int(path[-1]) + 1}{around}"

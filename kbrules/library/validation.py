"""Data against a model: what the model refuses, reported at its line and in our words.

A validator of a model speaks for itself: the text of its ValueError is shown as it is. The words
for what belongs at a place are read from the JSON schema of the model, by `SchemaShape`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from kbrules.diagnostics import Diagnostic, did_you_mean, quoted
from kbrules.library import yaml
from kbrules.text import Source

if TYPE_CHECKING:
    from pydantic import BaseModel

Model = TypeVar("Model", bound="BaseModel")
Schema = dict[str, Any]
_FINDINGS = 100  # reported of one document
_KEY = "[key]"  # how the validator marks that a key itself is wrong
_SHOWN = 12  # of the values that can be chosen


@dataclass(frozen=True, slots=True)
class _SchemaFault:
    """One refusal: its kind, the part of its place that exists, and what is left of it.

    `forks` are the choices the model offers on the way: how long the path is there, and the
    branch tried; a choice may lie inside another.
    """

    kind: str
    path: yaml.Loc
    rest: yaml.Loc
    sentence: str
    forks: tuple[tuple[int, str], ...] = ()


def read_model(
    source: Source | None, found: list[Diagnostic], model: type[Model]
) -> tuple[tuple[Model, yaml.Document] | None, list[Diagnostic]]:
    """Return the model made of a YAML text with the places of its data, and all that is wrong.

    found: what is wrong with the file of the text; without a text there is nothing else.
    """
    if source is None:
        return None, found
    document, more = yaml.read_yaml(source)
    if document is None:
        return None, found + more
    instance, wrong = validate(document, model)
    read = None if instance is None else (instance, document)
    return read, sorted([*found, *more, *wrong])


def validate(document: yaml.Document, model: type[Model]) -> tuple[Model | None, list[Diagnostic]]:
    """Return the model made of the data and the findings; no model when there are any.

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
    if yaml.has_holes(document.root):
        instance = None
    faults = [fault for fault in faults if not _only_follows(fault, faults)]
    nodes = ((fault, document.place(fault.path).node) for fault in faults)
    reportable = [fault for fault, node in nodes if not isinstance(node, yaml.RefusedNode)]
    findings = [_finding(document, model, fault) for fault in _without_other_branches(reportable)]
    return instance, sorted(set(findings))


def _only_follows(fault: _SchemaFault, faults: list[_SchemaFault]) -> bool:
    """Return whether a list is only too short because entries of it are wrong."""
    within = (other for other in faults if other.path[: len(fault.path)] == fault.path)
    return fault.kind == "too_short" and any(other.path != fault.path for other in within)


def _fault(document: yaml.Document, detail: Any) -> _SchemaFault:
    """Sort the parts of a place into those in the data and the names of choices between them."""
    kind, loc, rest = _split(detail)
    path: yaml.Loc = ()
    forks: dict[int, str] = {}
    for part in loc:
        longer = document.place((*path, part)).path
        if len(longer) == len(path):
            forks.setdefault(len(path), str(part))
        path = longer
    return _SchemaFault(kind, path, rest, _sentence(detail), tuple(forks.items()))


def _split(detail: Any) -> tuple[str, yaml.Loc, yaml.Loc]:
    """Return the kind of a refusal, its place as far as data should be there, and the rest."""
    kind: str = detail["type"]
    loc: yaml.Loc = detail["loc"]
    if kind == "missing" or loc[-1:] == (_KEY,):
        return kind, loc[:-1], loc[-1:]
    # The key that tells which form a table has: point at it, not at the whole table.
    discriminator = detail.get("ctx", {}).get("discriminator", "").strip("'")
    if kind == "union_tag_not_found":
        return "missing", loc, (discriminator,)
    return (kind, (*loc, discriminator), ()) if kind == "union_tag_invalid" else (kind, loc, ())


def _sentence(detail: Any) -> str:
    """Return what a validator of the model itself says; empty for the built-in checks."""
    error = detail.get("ctx", {}).get("error")
    return str(error) if isinstance(error, Exception) else ""


def _without_other_branches(faults: list[_SchemaFault], depth: int = 0) -> Iterator[_SchemaFault]:
    """Yield, of a choice that failed in every branch, the branch the writer seems to have meant.

    depth: how many choices, counted from the outermost, are settled already.
    """
    choices: dict[yaml.Loc, dict[str, list[_SchemaFault]]] = {}
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


def _closest_branch(at: yaml.Loc, branches: list[list[_SchemaFault]]) -> list[_SchemaFault]:
    """Return the shortest of those that want the kind of value there is: no list for a number."""
    right_kind = (
        faults
        for faults in branches
        if all(fault.path != at or fault.rest or fault.sentence for fault in faults)
    )
    return min(right_kind, key=len, default=[_SchemaFault("choice", at, (), "")])


def _finding(document: yaml.Document, model: type[BaseModel], fault: _SchemaFault) -> Diagnostic:
    shape = SchemaShape.of(model)
    if fault.kind == "extra_forbidden":
        return _unknown_key(document, shape.at(fault.path[:-1]), fault)
    if fault.kind == "missing" and isinstance(fault.rest[0], str):
        return _missing_key(document, shape.at(fault.path), fault)
    if fault.rest == (_KEY,):
        return _wrong_key(document, shape.at(fault.path[:-1]), fault)
    return _wrong_value(document, shape.at(fault.path), fault)


def _unknown_key(document: yaml.Document, around: SchemaShape, fault: _SchemaFault) -> Diagnostic:
    key = str(fault.path[-1])
    keys = around.keys()
    known = f"the keys here are {', '.join(map(quoted, keys))}" if keys else ""
    span = document.span_at(fault.path, key=True)
    message = f"{quoted(key)} is not a key of {_owner(fault.path[:-1])}"
    return Diagnostic("KB402", span, message, did_you_mean(key, keys, known))


def _missing_key(document: yaml.Document, shape: SchemaShape, fault: _SchemaFault) -> Diagnostic:
    key = str(fault.rest[0])
    span = document.span_at(fault.path, key=True)
    message = f"{_owner(fault.path)} lacks the key {quoted(key)}"
    shape_of_value = shape.at((key,))
    return Diagnostic("KB412", span, message, f"its value is {shape_of_value.phrase()}")


def _wrong_key(document: yaml.Document, around: SchemaShape, fault: _SchemaFault) -> Diagnostic:
    span = document.span_at(fault.path, key=True)
    is_number = fault.kind.startswith("int")  # a schema tells no kinds of keys
    expected = "a whole number" if is_number else around.key_phrase()
    message = (
        f"the key {quoted(str(fault.path[-1]))} of {_owner(fault.path[:-1])} must be {expected}"
    )
    return Diagnostic("KB403", span, message)


def _wrong_value(document: yaml.Document, shape: SchemaShape, fault: _SchemaFault) -> Diagnostic:
    span = document.span_at(fault.path)
    if fault.sentence:
        return Diagnostic("KB403", span, fault.sentence, shape.description())
    node = document.place(fault.path).node
    found = _description(node, span.text)
    message = f"{_subject(fault.path)} must be {shape.phrase()}, found {found}"
    is_unquoted = fault.kind == "string_type" and isinstance(node, yaml.Scalar)
    if is_unquoted and shape.takes_text(span.text):
        return Diagnostic("KB403", span, message, f'put it in quotes: `"{span.text}"`')
    return Diagnostic("KB403", span, message, shape.description())


def _description(node: yaml.Node, written: str) -> str:
    if isinstance(node, yaml.YamlTable):
        return "keys with values"
    if isinstance(node, yaml.YamlList):
        count = len(node.items)
        return f"a list of {count} " + ("entry" if count == 1 else "entries")
    if isinstance(node, yaml.Scalar) and node.value is None:
        return "nothing"
    return quoted(written) if "\n" not in written else "a text of several lines"


def _subject(path: yaml.Loc) -> str:
    """Return the words for the value a sentence is about."""
    if not path:
        return "the file"
    return _entry(path) if isinstance(path[-1], int) else quoted(path[-1])


def _owner(path: yaml.Loc) -> str:
    """Return the words for the table a key belongs to."""
    return _subject(path) if path else "this file"


def _entry(path: yaml.Loc) -> str:
    names = [quoted(part) for part in path if isinstance(part, str)]
    around = f" of {names[-1]}" if names else ""
    return f"entry {int(path[-1]) + 1}{around}"


# What a model wants at a place of its data, in words


@dataclass(frozen=True, slots=True)
class SchemaShape:
    """The schemas a value may follow, any one of them."""

    root: Schema
    schemas: tuple[Schema, ...]

    @classmethod
    def of(cls, model: type[BaseModel]) -> SchemaShape:
        """Return the shape of a whole document of the model."""
        root = _schema(model)
        return cls(root, tuple(_plain(root, root)))

    def at(self, path: yaml.Loc) -> SchemaShape:
        """Return the shape of the value at a path; without schemas if the model has none."""
        shape = self
        for part in path:
            inner = (each for schema in shape.schemas for each in _inside(schema, part))
            shape = SchemaShape(
                self.root, tuple(s for each in inner for s in _plain(self.root, each))
            )
        return shape

    def keys(self) -> list[str]:
        """Return the names of the keys a table here can have."""
        return sorted({key for schema in self.schemas for key in schema.get("properties", ())})

    def description(self) -> str:
        """Return what the model says about the value, for a help line; empty if it is silent."""
        texts = (schema["description"] for schema in self.schemas if "description" in schema)
        text = next((str(each) for each in texts), "")
        return " ".join(text.split()).removesuffix(".")

    def phrase(self) -> str:
        """Return words for the accepted values, such as `a whole number from 2 to 5`."""
        phrases = [_phrase(s) for s in self.schemas if s.get("type") != "null"]
        return " or ".join(dict.fromkeys(filter(None, phrases))) or "of another kind"

    def takes_text(self, text: str) -> bool:
        """Return whether a text has an accepted form."""
        texts = (each for each in self.schemas if each.get("type") == "string")
        return any(re.search(each.get("pattern", ""), text) for each in texts)

    def key_phrase(self) -> str:
        """Return words for the accepted keys where any key may be named."""
        names = [schema["propertyNames"] for schema in self.schemas if "propertyNames" in schema]
        plain = tuple(each for name in names for each in _plain(self.root, name))
        patterns = [p for schema in self.schemas for p in schema.get("patternProperties", ())]
        if patterns:
            return _text({"pattern": patterns[0]})
        return SchemaShape(self.root, tuple({"type": "string", **each} for each in plain)).phrase()


@cache
def _schema(model: type[BaseModel]) -> Schema:
    return model.model_json_schema()


def _plain(root: Schema, schema: Any) -> Iterator[Schema]:
    """Yield the schema with references followed and choices spread out."""
    if not isinstance(schema, dict):
        return
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        around = {key: value for key, value in schema.items() if key != "$ref"}
        yield from _plain(root, {**root.get("$defs", {}).get(name, {}), **around})
    elif "anyOf" in schema or "oneOf" in schema:
        around = {key: schema[key] for key in ("description",) if key in schema}
        for each in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
            yield from _plain(root, {**each, **around})
    else:
        yield schema


def _inside(schema: Schema, part: str | int) -> Iterator[Any]:
    if isinstance(part, str):
        named = schema.get("properties", {})
        if part in named:
            yield named[part]
        else:
            yield schema.get("additionalProperties")
            yield from schema.get("patternProperties", {}).values()
    else:
        first = schema.get("prefixItems", [])
        yield first[part] if part < len(first) else schema.get("items")


def _phrase(schema: Schema) -> str:
    if "const" in schema or "enum" in schema:
        return _one_of(schema.get("enum") or [schema.get("const")])
    match schema.get("type"):
        case "integer":
            return "a whole number" + _between(schema.get("minimum"), schema.get("maximum"))
        case "number":
            return "a number" + _between(schema.get("minimum"), schema.get("maximum"))
        case "string":
            return _text(schema)
        case "boolean":
            return "`true` or `false`"
        case "array":
            return "a list" + _count(schema, "Items", "entry", "entries")
        case "object":
            return "keys with values" + _count(schema, "Properties", "key", "keys")
    return ""


def _one_of(values: list[Any]) -> str:
    texts = [str(v).lower() if isinstance(v, bool) else str(v) for v in values[:_SHOWN]]
    shown = [*map(quoted, texts)]
    if len(values) < 3:
        return " or ".join(shown)
    rest = ", ..." if len(values) > _SHOWN else ""
    return "one of " + ", ".join(shown) + rest


def _between(low: Any, high: Any) -> str:
    if low is not None and high is not None:
        return f" from {low} to {high}"
    if low is not None:
        return f" of at least {low}"
    return f" of at most {high}" if high is not None else ""


def _count(schema: Schema, what: str, one: str, more: str) -> str:
    low, high = schema.get(f"min{what}"), schema.get(f"max{what}")
    limit = high if high is not None else low
    unit = one if limit == 1 else more
    if low is not None and low == high:
        return f" of {low} {unit}"
    between = _between(low, high)
    return between.replace(" from ", " of ") + f" {unit}" if between else ""


def _text(schema: Schema) -> str:
    if schema.get("examples"):
        return f"text such as {quoted(str(schema['examples'][0]))}"
    if "pattern" in schema:
        return f"text of the form {quoted(schema['pattern'].strip('^$'))}"
    return "text" + _count(schema, "Length", "character", "characters")

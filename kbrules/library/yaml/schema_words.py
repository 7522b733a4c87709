"""What a model wants at a place of its data, in words; read from its JSON schema."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from kbrules.diagnostics import quoted
from kbrules.library.yaml.document import Loc

if TYPE_CHECKING:
    from pydantic import BaseModel

Schema = dict[str, Any]
_SHOWN = 12  # of the values that can be chosen


@dataclass(frozen=True, slots=True)
class SchemaShape:
    """The schemas a value may follow, any one of them."""

    root: Schema
    schemas: tuple[Schema, ...]

    @classmethod
    def of(cls, model: type[BaseModel]) -> SchemaShape:
        """The shape of a whole document of the model."""
        root = _schema(model)
        return cls(root, tuple(_plain(root, root)))

    def at(self, path: Loc) -> SchemaShape:
        """The shape of the value at a path; one of no schemas where the model says nothing."""
        shape = self
        for part in path:
            inner = (each for schema in shape.schemas for each in _inside(schema, part))
            shape = SchemaShape(
                self.root, tuple(s for each in inner for s in _plain(self.root, each))
            )
        return shape

    def keys(self) -> list[str]:
        """The names of the keys a table here can have."""
        return sorted({key for schema in self.schemas for key in schema.get("properties", ())})

    def description(self) -> str:
        """What the model says about the value, for a help line; empty if it is silent."""
        texts = (schema["description"] for schema in self.schemas if "description" in schema)
        text = next((str(each) for each in texts), "")
        return " ".join(text.split()).removesuffix(".")

    def phrase(self) -> str:
        """Words for the values that are taken, such as `a whole number from 2 to 5`."""
        phrases = [_phrase(s) for s in self.schemas if s.get("type") != "null"]
        return " or ".join(dict.fromkeys(filter(None, phrases))) or "of another kind"

    def takes_text(self, text: str) -> bool:
        """Whether a text has the form of one that is taken."""
        texts = (each for each in self.schemas if each.get("type") == "string")
        return any(re.search(each.get("pattern", ""), text) for each in texts)

    def key_phrase(self) -> str:
        """Words for the keys that are taken where any key may be named."""
        names = [schema["propertyNames"] for schema in self.schemas if "propertyNames" in schema]
        plain = tuple(each for name in names for each in _plain(self.root, name))
        patterns = [p for schema in self.schemas for p in schema.get("patternProperties", ())]
        if patterns:
            return _text({"pattern": patterns[0]})
        return SchemaShape(self.root, tuple({"type": "string", **each} for each in plain)).phrase()


@cache
def _schema(model: type[BaseModel]) -> Schema:
    from pydantic.json_schema import GenerateJsonSchema

    class Lenient(GenerateJsonSchema):
        def handle_invalid_for_json_schema(self, schema: Any, error_info: str) -> Schema:
            return {}  # a field JSON cannot describe leaves the others their words

    with warnings.catch_warnings():  # a default JSON cannot show does not matter here
        warnings.simplefilter("ignore")
        return model.model_json_schema(schema_generator=Lenient)


def _plain(root: Schema, schema: Any) -> Iterator[Schema]:
    """The schema with references followed and choices spread out."""
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
            return "a whole number" + _range(schema)
        case "number":
            return "a number" + _range(schema)
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
    shown = [quoted(_yaml_text(value)) for value in values[:_SHOWN]]
    if len(values) < 3:
        return " or ".join(shown)
    rest = ", ..." if len(values) > _SHOWN else ""
    return "one of " + ", ".join(shown) + rest


def _yaml_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _range(schema: Schema) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    if above is None and below is None:
        return _between(low, high)
    lower = f"above {above}" if above is not None else f"from {low}" if low is not None else ""
    upper = f"below {below}" if below is not None else f"up to {high}" if high is not None else ""
    both = " and " if lower and below is not None else " " if lower and upper else ""
    return f" {lower}{both}{upper}"


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

"""What commands print for programs: frozen dataclasses, from which the schemas are made.

The data of a command is described beside its report; here is what they share. `schemas/output`
has a schema for each command.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from typing import Any, ClassVar, Self, dataclass_transform

from kbrules.diagnostics import Diagnostic, record_of


def key_of(name: str) -> str:
    """Return the key of a field: a name that Python reserves is written with a `_` behind it."""
    return name.rstrip("_")


def to_data(value: Any) -> Any:
    """Return a value as JSON has it: dataclasses and mappings are objects, sequences are lists."""
    if is_dataclass(value):
        return {key_of(each.name): to_data(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {key: to_data(each) for key, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [to_data(each) for each in value]
    return value


@dataclass_transform(frozen_default=True, kw_only_default=True)
@dataclass(frozen=True)
class Part:
    """An object in the data of a command; the text below a field describes it in the schema.

    Its subclasses are frozen dataclasses with keyword fields.
    """

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {
        "alias_generator": key_of,
        "extra": "forbid",
        "json_schema_serialization_defaults_required": True,
        "use_attribute_docstrings": True,
    }

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)

    @classmethod
    def from_value(cls, value: object, /, **given: Any) -> Self:
        """Return the data of a value: its attributes with the names of fields, unless given."""
        needed = (each.name for each in fields(cls) if each.default is MISSING)
        return cls(**{name: getattr(value, name) for name in needed if name not in given}, **given)


class Data(Part):
    """The data of a command."""

    format: int = field(
        default=1, metadata={"description": "The version of this format; keys may be added to it."}
    )


# What several commands print.


class EditData(Part):
    """A change that fixes a problem: the text that takes the place of what is there."""

    file: str
    line: int
    """Lines and columns count from 1."""
    column: int
    end_line: int
    end_column: int
    """The end is exclusive."""
    text: str


class FindingData(Part):
    """A problem at a place."""

    code: str
    """The code, which `kbrules explain` explains."""
    slug: str
    """The short name of the code."""
    file: str
    line: int
    """Lines and columns count from 1."""
    column: int
    end_line: int
    end_column: int
    """The end is exclusive."""
    message: str
    help: str | None
    """What to do about it."""
    severity: str
    """`error` or `warning`."""
    claim: str
    """Of a warning, whether it is exact or sampled."""
    fix: tuple[EditData, ...]
    """The changes that `kbrules check --fix` would make for it."""


def finding_data(finding: Diagnostic) -> FindingData:
    """Return a finding as data."""
    record: dict[str, Any] = record_of(finding)
    edits = tuple(EditData(**each) for each in record.pop("fix"))
    return FindingData(**record, fix=edits)


# What JUnit is told.


@dataclass(frozen=True)
class CaseReport:
    """A test case: its file, its name and line, how long it took, and its result.

    The verdict is "" for passed, "failure", or "error" for what could not be judged. The text has
    all that was found; where the case passed, it goes to its output.
    """

    file: str
    name: str
    line: int = 1
    seconds: float = 0.0
    verdict: str = ""
    findings: Sequence[Diagnostic] = ()
    text: str = ""

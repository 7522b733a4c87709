"""The kinds of values in the YAML data of a box, and the manner of its models."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from kbrules.library.versions import NEED, VERSION

ID_PATTERN = "[a-z][a-z0-9_]{0,39}"  # lengths lie in the patterns: of a key a schema keeps no other
_SMALL = "Small letters, digits and `_`, a letter first."


def one_line(text: str) -> str:
    """A text that stands in the middle of lines; ValueError if it has line ends or tabs."""
    if any(character in text for character in "\r\n\t"):
        raise ValueError("this is one line of text, without tabs")
    return text


Id = Annotated[str, Field(pattern=f"^{ID_PATTERN}$", description=_SMALL)]
SetupId = Annotated[str, Field(pattern="^[a-z][a-z0-9_-]{0,39}$", description=_SMALL)]
LaidSection = Annotated[
    str, Field(pattern=f"^{ID_PATTERN}( turned)?$", description="A section, perhaps `turned`.")
]
Version = Annotated[str, Field(pattern=f"^{VERSION}$")]
Needed = Annotated[
    str,
    Field(
        pattern=f"^{NEED}$",
        description="An id, perhaps with conditions `>=`, `<` and `==`, with commas.",
        examples=["orchard >=1.2, <2"],
    ),
]
Digit = Annotated[str, Field(pattern="^[1-9]$")]
Title = Annotated[str, Field(min_length=1, max_length=80), AfterValidator(one_line)]
Count = Annotated[int, Field(ge=0, le=999)]
Seats = Annotated[int, Field(ge=1, le=6)]
Option = Annotated[bool | int | Literal["yes", "no"], Field(description="`yes`, `no` or a number.")]
Tags = Annotated[tuple[Id, ...], Field(max_length=20)]
Colour = Annotated[str, Field(pattern="^([a-z]{3,30}|#[0-9a-f]{6})$")]


def _forbid_other_keys(schema: dict[str, Any]) -> None:
    """Make the schema refuse keys that fit no pattern, as the models do."""
    if "patternProperties" in schema:
        schema["additionalProperties"] = False
    for key in ("properties", "patternProperties"):
        for each in schema.get(key, {}).values():
            _forbid_other_keys(each)
    for each in (*schema.get("anyOf", ()), *([schema["items"]] if "items" in schema else ())):
        _forbid_other_keys(each)


class Data(BaseModel):
    """Strict data: no key but the known ones, no value but of the very type, never changed."""

    model_config = ConfigDict(
        strict=True, extra="forbid", frozen=True, json_schema_extra=_forbid_other_keys
    )

"""The reader of conformance files: a file with its cases, or why it cannot be used."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from kbrules.diagnostics import Diagnostic
from kbrules.library.boxes.box import shipped_boxes
from kbrules.library.reading import SLIP, shown_name, unreadable
from kbrules.scenario.names import unknown_name
from kbrules.text import Span, visible
from kbrules.tools.checking.conformance.models import ConformanceFile

LIMIT = 16 * 1024 * 1024  # bytes of one file
_SCHEMA = "see schemas/conformance.schema.json"
_MAX_FINDINGS = 10


def read_cases(path: Path) -> tuple[ConformanceFile | None, list[Diagnostic]]:
    """The cases of a file and all that is wrong with it; no cases when anything is."""
    span = Span.none(shown_name(path))
    try:
        with path.open("rb") as file:
            data = file.read(LIMIT + 1)
    except (OSError, ValueError) as error:
        message = unreadable(error)
        return None, [Diagnostic("KB001", span, message, SLIP)]
    if len(data) > LIMIT:
        message = f"the file is larger than {LIMIT} bytes"
        return None, [Diagnostic("KB003", span, message, "write the cases in several files")]
    try:
        cases = ConformanceFile.model_validate_json(data)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False)[:_MAX_FINDINGS]
        return None, [Diagnostic("KB403", span, _fault_text(each), _SCHEMA) for each in faults]
    shipped = shipped_boxes()
    boxes = dict.fromkeys(box for table in cases.positions.values() for box in table.boxes)
    unknown = [unknown_name("box", box, shipped, span) for box in boxes if box not in shipped]
    return (None, unknown) if unknown else (cases, [])


def _fault_text(fault: object) -> str:
    """Where in the file something is wrong, and what."""
    assert isinstance(fault, dict)
    place = ".".join(map(str, fault["loc"]))
    message = fault["msg"].removeprefix("Value error, ")
    return visible(f"{place}: {message}" if place else message)

"""The right parts of a scenario file of a wrong shape, so that wrong names are told as well."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kbrules.diagnostics import Diagnostic, suggest
from kbrules.library.document import Document
from kbrules.library.reading import read_source
from kbrules.library.yaml import read_yaml
from kbrules.scenario.case import Case, cases_in
from kbrules.scenario.ready import ready
from kbrules.scenario.shelf import Shelf

__all__ = ["names_wrong", "right_parts"]

_LOOSE = frozenset({"title", "position", "turn", "seed", "steps", "expect", "unchecked"})
"""Keys without which the names beside them mean what they did."""
_NAMES = frozenset({"KB413", "KB501", "KB506"})


def right_parts(path: Path) -> list[Case]:
    """The scenarios of a file without every key behind which the shape is wrong.

    None if the shape is right, or if other keys than `_LOOSE` would have to go.
    """
    source, _ = read_source(path)
    document = None if source is None else read_yaml(source)[0]
    return [] if document is None else _cases(document)


def _cases(document: Document) -> list[Case]:
    from pydantic import ValidationError

    from kbrules.scenario.models import ScenarioFile

    data = json.loads(json.dumps(document.data))
    try:
        ScenarioFile.model_validate_json(json.dumps(data))
        return []
    except ValidationError as error:
        places = [fault["loc"] for fault in error.errors(include_url=False, include_input=False)]
    try:
        _leave_out(data, places, ScenarioFile.model_fields)
        file = ScenarioFile.model_validate_json(json.dumps(data))
    except (ValidationError, LookupError, TypeError):
        return []
    return [case for case in cases_in(file, document) if case.model.board is not None]


def _leave_out(data: Any, places: Iterable[tuple[Any, ...]], known: Iterable[str]) -> None:
    """Take out the keys of the file, or of a scenario, that hold these places; or LookupError."""
    for place in places:
        if place == ("scenarios",):
            continue  # too few are right
        table, rest = data, place
        if place[:1] == ("scenarios",):
            table, rest = data["scenarios"][place[1]], place[2:]
        key = rest[0]
        if (key if key in known else suggest(key, known)) not in _LOOSE:
            raise LookupError(key)
        table.pop(key, None)


def names_wrong(case: Case, shelf: Shelf) -> list[Diagnostic]:
    """The names in a case that mean nothing; what else is wrong may come of what is left out."""
    return [found for found in ready(case, shelf)[1] if found.code in _NAMES]

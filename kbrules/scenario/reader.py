"""The reader of scenario files: text to scenarios that know where each value is written."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kbrules.diagnostics import Diagnostic, quoted, suggest
from kbrules.library.reading import SCENARIO, read_source
from kbrules.library.validation import validate
from kbrules.library.yaml import Document, Loc, read_yaml
from kbrules.text import Source, Span

if TYPE_CHECKING:
    from kbrules.scenario.models import ScenarioFile, ScenarioModel


SUFFIX = SCENARIO
Where = Callable[[], Span]
"""Where something is written, found when somebody asks: most of what is written is right."""
_OPTIONAL = frozenset({"title", "position", "turn", "seed", "steps", "expect", "unchecked"})
"""Keys that can be left out without a change of what the names beside them mean."""
_BOARD_HELP = "its value is `sections`, or a `drawing`"


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario; `own_keys` are its keys that it does not share, `root` its place in the file."""

    model: ScenarioModel
    document: Document
    root: Loc = ()
    own_keys: frozenset[str] = frozenset()

    def loc(self, loc: Loc) -> Loc:
        """A place of the scenario as a place of the file; several scenarios may share it."""
        return (*self.root, *loc) if not loc or loc[0] in self.own_keys else loc

    def span(self, *loc: str | int) -> Span:
        """Where the value at a place of the scenario is written."""
        return self.document.span_at(self.loc(loc))

    def key(self, *loc: str | int) -> Span:
        """Where the key at a place of the scenario is written."""
        return self.document.span_at(self.loc(loc), key=True)

    def where(self, *loc: str | int) -> Where:
        """The same as `span`, found only when it is called."""
        return partial(self.span, *loc)

    def where_key(self, *loc: str | int) -> Where:
        """The same as `key`, found only when it is called."""
        return partial(self.key, *loc)


def read_scenarios(path: Path) -> tuple[list[Scenario], list[Diagnostic]]:
    """The scenarios in a file and all that is wrong with the file; none if anything is."""
    return scenarios_in(*read_source(path))


def scenarios_in(
    source: Source | None, findings: list[Diagnostic]
) -> tuple[list[Scenario], list[Diagnostic]]:
    """The same of a text that was read, with what was found while it was; none if there is none."""
    if source is None:
        return [], findings
    scenarios, more = parse_scenarios(source)
    return scenarios, sorted(findings + more)


def parse_scenarios(source: Source) -> tuple[list[Scenario], list[Diagnostic]]:
    """The scenarios in a text and all that is wrong with it; none if anything is."""
    document, findings = read_yaml(source)
    if document is None:
        return [], findings
    from kbrules.scenario.models import ScenarioFile

    file, more = validate(document, ScenarioFile)
    findings += more
    if file is None or findings:
        return [], sorted(findings)
    scenarios = list(_scenarios_in(file, document))
    findings = [each for scenario in scenarios for each in _missing_keys(scenario)]
    findings += _duplicate_titles(scenarios)
    return ([], sorted(findings)) if findings else (scenarios, [])


def parse_position_file(source: Source) -> tuple[Scenario | None, list[Diagnostic]]:
    """A position, written as at the top of a scenario file, as a scenario without steps."""
    document, findings = read_yaml(source)
    if document is None:
        return None, findings
    from kbrules.scenario.models import MidgameModel, ScenarioModel

    table, more = validate(document, MidgameModel)
    findings += more
    if table is None or findings:
        return None, sorted(findings)
    if table.board is None:
        message = "this position lacks the key `board`"
        return None, [Diagnostic("KB412", document.span_at(()), message, _BOARD_HELP)]
    values = {name: getattr(table, name) for name in MidgameModel.model_fields}
    model = ScenarioModel.model_construct(title="", **values)
    return Scenario(model, document, (), frozenset(document.data)), []


def _scenarios_in(file: ScenarioFile, document: Document) -> Iterator[Scenario]:
    """The scenarios of a file, each with the values that all share."""
    if file.scenarios is None:
        yield Scenario(file, document)
        return
    from kbrules.scenario.models import ScenarioModel

    fields = ScenarioModel.model_fields.items()
    keys = {name: field.alias or name for name, field in fields}
    for index, entry in enumerate(file.scenarios):
        values = {
            name: getattr(entry if name in entry.model_fields_set else file, name) for name in keys
        }
        own = frozenset(keys[name] for name in entry.model_fields_set)
        model = ScenarioModel.model_construct(**values)
        yield Scenario(model, document, ("scenarios", index), own)


def _missing_keys(scenario: Scenario) -> Iterator[Diagnostic]:
    title = scenario.span("title")
    if scenario.model.board is None:
        yield Diagnostic("KB412", title, "this scenario lacks the key `board`", _BOARD_HELP)
    if scenario.model.expect is None and not scenario.model.steps:
        help = "add `expect`, or `steps` that must be possible"
        yield Diagnostic("KB412", title, "this scenario claims nothing", help)


def _duplicate_titles(scenarios: list[Scenario]) -> Iterator[Diagnostic]:
    seen: set[str] = set()
    for scenario in scenarios:
        if scenario.model.title in seen:
            message = f"there are two scenarios {quoted(scenario.model.title)} in this file"
            yield Diagnostic("KB403", scenario.span("title"), message)
        seen.add(scenario.model.title)


# Files of a wrong shape


def readable_scenarios(source: Source | None) -> list[Scenario]:
    """The scenarios of a text of a wrong shape, without every key that holds a wrong value.

    None if the shape is right, or if other keys than `_OPTIONAL` would be left out.
    """
    document = None if source is None else read_yaml(source)[0]
    if document is None:
        return []
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
    return [each for each in _scenarios_in(file, document) if each.model.board is not None]


def _leave_out(data: Any, places: Iterable[tuple[Any, ...]], known: Iterable[str]) -> None:
    """Remove the keys of the file, or of a scenario, that hold these places; or LookupError."""
    for place in places:
        if place == ("scenarios",):
            continue  # too few are readable
        table, rest = data, place
        if place[:1] == ("scenarios",):
            table, rest = data["scenarios"][place[1]], place[2:]
        key = rest[0]
        if (key if key in known else suggest(key, known)) not in _OPTIONAL:
            raise LookupError(key)
        table.pop(key, None)

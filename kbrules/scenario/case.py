"""Scenario files: text to cases, each of which knows where every value of it is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.library.document import Document, Loc
from kbrules.library.reading import read_source
from kbrules.library.yaml import read_yaml, validate
from kbrules.text import Source, Span

if TYPE_CHECKING:  # models are slow to load
    from kbrules.scenario.models import CaseModel, ScenarioFile

__all__ = ["SUFFIX", "Case", "cases_in", "read_cases", "read_cases_of"]

SUFFIX = ".scenario.yaml"


@dataclass(frozen=True, slots=True)
class Case:
    """One scenario; `own` has the keys it says itself, `at` is where it stands in its file."""

    model: CaseModel
    document: Document
    at: Loc = ()
    own: frozenset[str] = frozenset()

    def loc(self, loc: Loc) -> Loc:
        """A place of the scenario as a place of the file: some of it may be shared by several."""
        return (*self.at, *loc) if not loc or loc[0] in self.own else loc

    def span(self, *loc: str | int) -> Span:
        """Where the value at a place of the scenario is written."""
        return self.document.span_at(self.loc(loc))

    def key(self, *loc: str | int) -> Span:
        """Where the key at a place of the scenario is written."""
        return self.document.span_at(self.loc(loc), key=True)


def read_cases(path: Path) -> tuple[list[Case], list[Diagnostic]]:
    """The scenarios in a file and all that is wrong with the file; none if anything is."""
    source, found = read_source(path)
    if source is None:
        return [], found
    cases, more = read_cases_of(source)
    return cases, sorted(found + more)


def read_cases_of(source: Source) -> tuple[list[Case], list[Diagnostic]]:
    """The scenarios in a text and all that is wrong with it; none if anything is."""
    document, found = read_yaml(source)
    if document is None:
        return [], found
    from kbrules.scenario.models import ScenarioFile

    file, more = validate(document, ScenarioFile)
    found += more
    if file is None or found:
        return [], sorted(found)
    cases = list(cases_in(file, document))
    found = [each for case in cases for each in _lacking(case)] + list(_same_titles(cases))
    return ([], sorted(found)) if found else (cases, [])


def cases_in(file: ScenarioFile, document: Document) -> Iterator[Case]:
    """The scenarios of a file; what they share stands beside them in the document."""
    if file.scenarios is None:
        yield Case(file, document)
        return
    from kbrules.scenario.models import CaseModel

    names = _keys(CaseModel)
    for index, entry in enumerate(file.scenarios):
        values = {
            name: getattr(entry if name in entry.model_fields_set else file, name) for name in names
        }
        own = frozenset(names[name] for name in entry.model_fields_set)
        yield Case(CaseModel.model_construct(**values), document, ("scenarios", index), own)


def _keys(model: type[CaseModel]) -> Mapping[str, str]:
    """The key of each field."""
    return {name: field.alias or name for name, field in model.model_fields.items()}


def _lacking(case: Case) -> Iterator[Diagnostic]:
    title = case.span("title")
    if case.model.board is None:
        help = "its value is `sections`, or a `drawing`"
        yield Diagnostic("KB412", title, "this scenario lacks the key `board`", help)
    if case.model.expect is None and not case.model.steps:
        help = "add `expect`, or `steps` that must be possible"
        yield Diagnostic("KB412", title, "this scenario claims nothing", help)


def _same_titles(cases: list[Case]) -> Iterator[Diagnostic]:
    seen: set[str] = set()
    for case in cases:
        if case.model.title in seen:
            message = f"there are two scenarios {quoted(case.model.title)} in this file"
            yield Diagnostic("KB403", case.span("title"), message)
        seen.add(case.model.title)

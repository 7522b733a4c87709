"""The faults that may survive: listed in `mutants.yaml`, each with a reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.library.discovery import discover
from kbrules.library.reading import author_folder, read_source
from kbrules.library.validation import validate
from kbrules.library.yaml import Document, read_yaml
from kbrules.text import Span
from kbrules.tools.mutation.faults import Fault

FILE = "mutants.yaml"
Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class AcceptedSurvivor:
    """A fault by its declaration and its sentences, before and after, and why it may survive."""

    key: Key
    reason: str
    span: Span


def key_of(fault: Fault) -> Key:
    """How a fault is listed."""
    return fault.name, fault.was, fault.now


def read_accepted(paths: Sequence[Path]) -> tuple[list[AcceptedSurvivor], list[Diagnostic]]:
    """All that the lists below some paths say, and what is wrong with them.

    Beside the folders that are named, the author's folder of a file that is named counts.
    """
    accepted: list[AcceptedSurvivor] = []
    findings: list[Diagnostic] = []
    for file in dict.fromkeys(_files(paths)):
        source, source_findings = read_source(file)
        document, yaml_findings = read_yaml(source) if source is not None else (None, [])
        findings += [*source_findings, *yaml_findings]
        if document is not None:
            accepted += _read(document, findings)
    return accepted, findings


def _read(document: Document, findings: list[Diagnostic]) -> Iterator[AcceptedSurvivor]:
    from kbrules.tools.mutation.models import MutantsFile  # slow to load

    model, model_findings = validate(document, MutantsFile)
    findings += model_findings
    for group, entry in enumerate(model.survivors if model is not None else ()):
        for number, each in enumerate(entry.faults):
            span = document.span_at(("survivors", group, "faults", number, "was"))
            yield AcceptedSurvivor((each.in_, each.was, each.now), entry.reason, span)


def unused(
    accepted: Iterable[AcceptedSurvivor], survivors: Iterable[Fault], names: Iterable[str]
) -> Iterator[Diagnostic]:
    """A finding for each that did not survive, or is no fault at all, of the declarations named."""
    surviving = {key_of(fault) for fault in survivors}
    names_given = set(names)
    for each in accepted:
        if each.key not in surviving and each.key[0] in names_given:
            message = f"this fault of {quoted(each.key[0])} is noticed, or is none"
            help = f"take it out of {quoted(FILE)}"
            yield Diagnostic("KB031", each.span, message, help)


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths or [Path()]:
        folder = author_folder(path / FILE) if path.is_dir() else author_folder(path)
        if folder is not None and (folder / FILE).is_file():
            yield (folder / FILE)
        if path.is_dir():
            yield from (file for file in discover(path).files if file.name == FILE)

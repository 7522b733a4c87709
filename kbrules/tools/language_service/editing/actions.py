"""What can be done at a place: fixes of findings, and what an author would type next."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from kbrules.diagnostics import Diagnostic, Edit
from kbrules.library.discovery import kind_of
from kbrules.text import Span
from kbrules.tools.language_service.answers import CodeAction, Edits
from kbrules.tools.language_service.editing.entering import entered_in_box
from kbrules.tools.language_service.editing.ignoring import ignoring
from kbrules.tools.language_service.editing.missing import missing_example, missing_wording
from kbrules.tools.language_service.editing.payments import payment_actions
from kbrules.tools.language_service.editing.survivors import noticing_scenarios
from kbrules.tools.language_service.workspace import Workspace

_MEANT = re.compile(r"did you mean (?:the [a-z]+ )?`([^`]+)`\?")
_WRITE = re.compile(r"write `([^`.]+)`$")
_FOUND = re.compile(r"(?:gives|gain|is) (-?\d+)(?: gold is gained)?, not (-?\d+)")


def code_actions(workspace: Workspace, path: Path, start: int, end: int) -> tuple[CodeAction, ...]:
    """What can be done with the text from `start` to `end`; what mends a finding comes first.

    Warnings, and examples that do not hold, count where they were looked for before.
    """
    if kind_of(path) is None:
        return ()
    findings = [*workspace.current_findings(path), *workspace.failures(path)]
    here = [each for each in findings if _touches(each.span, start, end)]
    found = [action for each in here for action in _of_finding(workspace, path, each)]
    fixes = [each for each in findings if each.fix]
    if len(fixes) > 1 and any(each.fix for each in here):
        found.append(
            CodeAction("Fix all that can be fixed", _together(workspace, fixes), (*fixes,))
        )
    found += noticing_scenarios(workspace, path, start, end)
    return (*found, *payment_actions(workspace, path, start, end))


def _touches(span: Span, start: int, end: int) -> bool:
    first, last = span.source.written(span.start, span.end)
    return first <= end and start <= last


def _of_finding(workspace: Workspace, path: Path, finding: Diagnostic) -> Iterator[CodeAction]:
    if finding.fix:
        title = f"Fix: {finding.message}"
        yield CodeAction(title, _together(workspace, [finding]), (finding,), is_preferred=True)
    for make in _MAKERS:
        yield from make(workspace, path, finding)


def _together(workspace: Workspace, findings: Iterable[Diagnostic]) -> Edits:
    """The edits of some findings by file; where two meddle, the later one is left out."""
    found: dict[Path, tuple[Edit, ...]] = {}
    taken: list[Edit] = []
    for finding in findings:
        if any(_overlap(new, old) for new in finding.fix for old in taken):
            continue
        taken += finding.fix
        for edit in finding.fix:
            path = workspace.path_of(edit.span)
            span = workspace.source(path).span(edit.span.start, edit.span.end)
            found[path] = (*found.get(path, ()), Edit(span, edit.text))
    return found


def _overlap(one: Edit, other: Edit) -> bool:
    a, b = one.span, other.span
    return a.source.name == b.source.name and a.start <= b.end and b.start <= a.end


def _meant(workspace: Workspace, path: Path, finding: Diagnostic) -> Iterator[CodeAction]:
    """The word that was meant, or what is to be written instead."""
    found = _MEANT.search(finding.help)
    span = _written(workspace, path, finding.span)
    if found is not None and span.text and "\n" not in span.text:
        title = f"Replace `{_short(span.text)}` by `{found[1]}`"
        yield CodeAction(title, {path: (Edit(span, found[1]),)}, (finding,), is_preferred=True)


def _short(text: str) -> str:
    return text if len(text) <= 30 else f"{text[:27]}..."


def _written(workspace: Workspace, path: Path, span: Span) -> Span:
    """Where the author wrote a span, in the text as it is."""
    return workspace.source(path).span(*span.source.written(span.start, span.end))


def _found_value(workspace: Workspace, path: Path, finding: Diagnostic) -> Iterator[CodeAction]:
    """The number that an example finds, in the place of the one that it expects."""
    found = _FOUND.search(finding.message)
    if finding.code != "KB505" or found is None:
        return
    span = _written(workspace, path, finding.span)
    number = re.search(rf"(?<![\w-]){found[2]}(?!\w)", span.text)
    if number is not None:
        place = span.source.span(span.start + number.start(), span.start + number.end())
        yield CodeAction(f"Expect {found[1]}", {path: (Edit(place, found[1]),)}, (finding,))


def _entered(workspace: Workspace, path: Path, finding: Diagnostic) -> Iterator[CodeAction]:
    """An entry in the box for a card, task or tile that is in none."""
    if finding.code == "KB410" and kind_of(path) == "rules":
        found = entered_in_box(workspace, path, _written(workspace, path, finding.span))
        if found is not None:
            title, edits = found
            yield CodeAction(title, edits, (finding,), is_preferred=True)


def _completed(workspace: Workspace, path: Path, finding: Diagnostic) -> Iterator[CodeAction]:
    """The wording or the example that a rule lacks."""
    span = _written(workspace, path, finding.span)
    if finding.code == "KB211":
        edits = missing_wording(workspace, path, span)
        if edits:
            yield CodeAction("Begin with a wording", edits, (finding,))
    if finding.code == "KB212":
        edits = missing_example(workspace, path, span)
        if edits:
            yield CodeAction("Write an example", edits, (finding,))


_MAKERS: tuple[Callable[[Workspace, Path, Diagnostic], Iterator[CodeAction]], ...] = (
    _meant, _found_value, _entered, _completed, ignoring,
)  # fmt: skip

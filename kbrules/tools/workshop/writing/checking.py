"""What is wrong with the files of a working copy, for the page."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kbrules.diagnostics import Diagnostic
from kbrules.library.file_cache import FileCache
from kbrules.library.reading import real_path
from kbrules.text import Span
from kbrules.tools.check import FileChecker
from kbrules.tools.lint.settings import LintSettings
from kbrules.tools.workshop.writing.offsets import place_of
from kbrules.tools.workshop.writing.working_copy import WorkingCopy

Entry = dict[str, Any]


class Checking:
    """Checks a working copy, and reads again only what has changed."""

    def __init__(self, copy: WorkingCopy, files: FileCache) -> None:
        self._copy = copy
        self._checker = FileChecker(files)

    def findings(self) -> dict[str, list[Entry]]:
        """The findings of each file, by its name; those of files elsewhere under the first."""
        lints = LintSettings(is_quick=True, place=self._copy.place)
        return by_file(self._copy, self._checker.check([self._copy.root], lints=lints).all)


def by_file(copy: WorkingCopy, findings: Iterable[Diagnostic]) -> dict[str, list[Entry]]:
    """Findings as entries under the names of their files."""
    found: dict[str, list[Entry]] = {name: [] for name in copy.names}
    for each in findings:
        name = _name(copy, each.span)
        entry = _entry(each, copy)
        if name not in found:
            entry |= {"from": 0, "to": 0, "message": f"{each.message} ({each.span.source.name})"}
        found.setdefault(name if name in found else next(iter(copy.names), ""), []).append(entry)
    return found


def _name(copy: WorkingCopy, span: Span) -> str:
    path = real_path(Path(span.source.name))
    return path.relative_to(copy.root).as_posix() if path.is_relative_to(copy.root) else ""


def _entry(finding: Diagnostic, copy: WorkingCopy) -> Entry:
    """A finding with its place, as a browser counts it, and what mends it."""
    start, end = place_of(finding.span)
    return {
        "code": finding.code,
        "severity": finding.severity,
        "message": finding.message,
        "help": finding.help,
        "from": start,
        "to": end,
        "fix": [
            {"path": _name(copy, edit.span), "text": edit.text}
            | dict(zip(("from", "to"), place_of(edit.span), strict=True))
            for edit in finding.fix
        ],
    }

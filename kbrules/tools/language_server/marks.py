"""Findings at their places in a text, which move with it while it is typed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from lsprotocol import types

from kbrules.diagnostics import Diagnostic
from kbrules.messages import CODES
from kbrules.tools.language_server.documents import path_of_name
from kbrules.tools.language_server.positions import LineTable, range_of

SOURCE = "kbrules"
UNNECESSARY = frozenset({
    "KB700", "KB703", "KB704", "KB705", "KB707", "KB708", "KB712", "KB716", "KB719", "KB721",
    "KB722", "KB723", "KB724", "KB740", "KB743", "KB753", "KB754", "KB755",
})  # fmt: skip
"""Warnings of what could be left out; editors show it faded."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A finding from one offset of a text up to another."""

    start: int
    end: int
    finding: Diagnostic

    @property
    def key(self) -> tuple[int, int, str, str]:
        """What two marks of the same mistake have alike."""
        return self.start, self.end, self.finding.code, self.finding.message


def marks(findings: Iterable[Diagnostic]) -> tuple[Mark, ...]:
    """Findings of one file where their author wrote what they speak of."""
    return tuple(
        Mark(*each.span.source.written(each.span.start, each.span.end), each) for each in findings
    )


@dataclass(frozen=True, slots=True)
class TextChange:
    """The lines from `start` to `end` have changed, and what is behind them lies `by` further."""

    start: int
    end: int
    by: int

    @classmethod
    def between(cls, old: str, new: str) -> TextChange:
        """The smallest change that makes one text of another, widened to whole lines."""
        start = _alike(old, new)
        end = len(old) - _alike(old[start:][::-1], new[start:][::-1])
        last = old.find("\n", end)
        first = old.rfind("\n", 0, start) + 1
        return cls(first, len(old) if last < 0 else last, len(new) - len(old))

    def moved(self, found: Iterable[Mark]) -> tuple[Mark, ...]:
        """The marks that the change did not touch, where they are now."""
        return tuple(
            replace(mark, start=mark.start + by, end=mark.end + by)
            for mark in found
            for by in [0 if mark.end <= self.start else self.by]
            if mark.end <= self.start or mark.start > self.end
        )


def _alike(one: str, other: str) -> int:
    """With how many characters two texts begin alike."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def as_diagnostic(mark: Mark, lines: LineTable, uri: Callable[[Path], str]) -> types.Diagnostic:
    """A mark as the protocol has it; `uri` gives the addresses of other files."""
    finding = mark.finding
    claim = f" ({finding.claim})" if finding.claim else ""
    help_ = f"\nhelp: {finding.help}" if finding.help else ""
    is_error = finding.severity == "error"
    return types.Diagnostic(
        lines.range(mark.start, mark.end),
        finding.message + claim + help_,
        types.DiagnosticSeverity.Error if is_error else types.DiagnosticSeverity.Warning,
        finding.code,
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if finding.code in UNNECESSARY else None,
        related_information=_related(finding, lines.encoding, uri) or None,
        data={"slug": CODES[finding.code].slug},
    )


def _related(
    finding: Diagnostic, encoding: str, uri: Callable[[Path], str]
) -> list[types.DiagnosticRelatedInformation]:
    """The other places that a finding speaks of."""
    return [
        types.DiagnosticRelatedInformation(
            types.Location(
                uri(path_of_name(label.span.source.name)), range_of(label.span, encoding)
            ),
            label.text,
        )
        for label in finding.labels
        if label.span.source.text
    ]

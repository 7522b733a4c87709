"""Coverage as `kbrules test --coverage-json` writes it, by declaration."""

from __future__ import annotations

import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from kbrules.library.reading import real_path
from kbrules.tools.publishing.site.content import DeclarationEntry

_COVERED = ("both", "reached")
_LARGEST = 50_000_000  # bytes of a file; all boxes make less than a fiftieth of it


class _MeasuredClause(BaseModel):
    model_config = ConfigDict(strict=True)

    key: str = ""
    line: int = Field(ge=1)
    column: int = Field(ge=1)
    end_line: int = Field(ge=1)
    end_column: int = Field(ge=1)
    verdict: str


class _MeasuredFile(BaseModel):
    model_config = ConfigDict(strict=True)

    file: str
    of: list[_MeasuredClause]


class _CoverageFile(BaseModel):
    model_config = ConfigDict(strict=True)

    format: Literal[1]
    files: list[_MeasuredFile]


@dataclass(frozen=True, slots=True)
class SiteCoverage:
    """The clauses of each file that was measured; None if nothing was."""

    clauses: dict[Path, Sequence[_MeasuredClause]] | None = None

    @property
    def is_measured(self) -> bool:
        """Whether there is anything to say."""
        return self.clauses is not None

    def summary(self, entries: Sequence[DeclarationEntry]) -> str:
        """How much of some declarations was reached, in one line; empty if none was measured."""
        clauses = [clause for entry in entries for clause in self._clauses_in(entry)]
        if not clauses:
            return ""
        covered = sum(clause.verdict in _COVERED for clause in clauses)
        never = sum(clause.verdict == "never reached" for clause in clauses)
        return f"{covered} of {len(clauses)} clauses seen in full, {never} never reached"

    def gaps(self, entry: DeclarationEntry) -> list[tuple[str, str]]:
        """The clauses of a declaration that were not seen in full, each with its verdict."""
        gaps = (clause for clause in self._clauses_in(entry) if clause.verdict not in _COVERED)
        return [(_text(entry, clause), clause.verdict) for clause in gaps]

    def _clauses_in(self, entry: DeclarationEntry) -> Iterator[_MeasuredClause]:
        span, own = entry.declaration.span, f"{entry.kind}/{entry.name}/"
        first, last = span.line, span.line + span.text.rstrip().count("\n")
        for clause in (self.clauses or {}).get(real_path(Path(span.source.name)), ()):
            is_of_row = not span.is_derived or clause.key.startswith(own)
            if first <= clause.line <= last and is_of_row:
                yield clause


def _text(entry: DeclarationEntry, clause: _MeasuredClause) -> str:
    """The words of a clause, on one line."""
    source = entry.declaration.span.source
    start = source.offset(clause.line, clause.column)
    end = source.offset(clause.end_line, clause.end_column)
    return " ".join(source.span(start, end).text.split())


def read_coverage(path: Path) -> SiteCoverage:
    """What a file of coverage says; its names of files count from where we are.

    OSError if it cannot be read, ValueError if it is something else.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        raise ValueError("it is not a plain file")
    if path.stat().st_size > _LARGEST:
        raise ValueError("it is too large")
    try:
        measured = _CoverageFile.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise ValueError(f"{place}: {first['msg']}" if place else first["msg"]) from None
    return SiteCoverage({real_path(Path(each.file)): each.of for each in measured.files})

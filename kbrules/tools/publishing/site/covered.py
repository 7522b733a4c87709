"""Coverage as `kbrules test --coverage-json` writes it, by declaration."""

from __future__ import annotations

import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from kbrules.tools.publishing.site.frame import section
from kbrules.tools.publishing.site.markup import Html, element
from kbrules.tools.publishing.site.shelf import Entry

__all__ = ["Covered", "all_told", "covered_of"]

_WHOLE = ("both", "reached")
_LARGEST = 50_000_000  # bytes of a file; all boxes make less than a fiftieth of it


class _Clause(BaseModel):
    model_config = ConfigDict(strict=True)

    line: int = Field(ge=1)
    column: int = Field(ge=1)
    end_line: int = Field(ge=1)
    end_column: int = Field(ge=1)
    verdict: str


class _File(BaseModel):
    model_config = ConfigDict(strict=True)

    file: str
    of: list[_Clause]


class _Measured(BaseModel):
    model_config = ConfigDict(strict=True)

    format: Literal[1]
    files: list[_File]


@dataclass(frozen=True, slots=True)
class Covered:
    """The clauses of each file that was measured; None if nothing was."""

    clauses: dict[Path, Sequence[_Clause]] | None = None

    def told(self, entries: Sequence[Entry]) -> str:
        """How much of some declarations was reached, in one line; empty if none was measured."""
        found = [clause for entry in entries for clause in self._of(entry)]
        if not found:
            return ""
        whole = sum(clause.verdict in _WHOLE for clause in found)
        never = sum(clause.verdict == "never reached" for clause in found)
        return f"{whole} of {len(found)} clauses seen in full, {never} never reached"

    def part(self, entry: Entry) -> Html:
        """What was seen of a declaration, as a part of its page."""
        if self.clauses is None:
            return section("Coverage", element("p", "It was not measured for these pages."))
        told = self.told([entry])
        if not told:
            return section("Coverage", element("p", "Nothing in it is counted."))
        gaps = [clause for clause in self._of(entry) if clause.verdict not in _WHOLE]
        rows = (element("li", element("code", _text(entry, c)), f": {c.verdict}") for c in gaps)
        return section("Coverage", element("p", f"{told}."), element("ul", *rows) if gaps else None)

    def _of(self, entry: Entry) -> Iterator[_Clause]:
        span = entry.declaration.span
        first, last = span.line, span.line + span.text.rstrip().count("\n")
        for clause in (self.clauses or {}).get(Path(span.source.name).resolve(), ()):
            if first <= clause.line <= last:
                yield clause


def _text(entry: Entry, clause: _Clause) -> str:
    """The words of a clause, on one line."""
    source = entry.declaration.span.source
    start = source.offset(clause.line, clause.column)
    end = source.offset(clause.end_line, clause.end_column)
    return " ".join(source.span(start, end).text.split())


def covered_of(path: Path) -> Covered:
    """What a file of coverage says; its names of files count from where we are.

    OSError if it cannot be read, ValueError if it is something else.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        raise ValueError("it is not a plain file")
    if path.stat().st_size > _LARGEST:
        raise ValueError("it is too large")
    try:
        measured = _Measured.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise ValueError(f"{place}: {first['msg']}" if place else first["msg"]) from None
    return Covered({Path(each.file).resolve(): each.of for each in measured.files})


def all_told(covered: Covered, entries: Sequence[Entry]) -> Html | None:
    """How much of a box was reached, if it was measured."""
    told = covered.told(entries)
    return element("p", f"Coverage: {told}.") if told else None

"""The neutral record of a finding, and the forms that are made of records alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from kbrules.diagnostics import Diagnostic, render_json
from kbrules.text import visible

# A record is an object of strings and whole numbers; the keys only ever become more.
Record = Mapping[str, Any]


def finding_records(findings: Iterable[Diagnostic]) -> list[Record]:
    """One record for each finding; lines and columns from 1, the end is exclusive."""
    result: list[Record] = json.loads(render_json(findings))
    return result


def json_line(kind: str, record: Record) -> str:
    """A record on a line of its own, pure ASCII, with its `kind` in front."""
    return json.dumps({"kind": kind, **record})


def finding_lines(findings: Iterable[Diagnostic]) -> list[str]:
    """One line for each finding."""
    return [json_line("finding", record) for record in finding_records(findings)]


def printable(text: str) -> str:
    """The text with nothing in it but lines of printable characters; the others as escapes."""
    return "\n".join(visible(line) for line in text.split("\n"))

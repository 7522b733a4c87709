"""The shape of an entry in the table of codes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Example:
    """Something an author may write; `kind` says how a test runs it.

    Kinds: "rules" (a .kb file in an author's folder), "expansion" (expansion.yaml), "section",
    "scenario", "log", "arguments" (a command line), "bytes" (latin-1 text written as raw bytes
    to a .kb file) and "none" (nothing an author could write; the text says so).
    """

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of finding: its stable code, its short name, and what a reader should know."""

    code: str
    slug: str
    title: str
    explanation: str
    wrong: Example
    right: Example

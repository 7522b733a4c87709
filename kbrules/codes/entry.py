"""The shape of an entry in the table of codes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning"]
Beside = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Example:
    """Something an author may write, tried in a folder that holds a small game.

    Kinds: "rules" (a .kb file in the folder), "bytes" (latin-1 text written as raw bytes to such
    a file), "link" (such a file that is a link to the path in the text), "expansion" (the
    folder's expansion.yaml; the small game is then left out), "scenario", "log" (the log of a
    game, with the lines after `- ` replaced by those after `+ `), "mutants" (the folder's list
    of faults that may survive in `rules/near.kb`), "arguments" (command lines,
    of which the last is what it is about) and "none"
    (nothing an author could write; the text says so). `beside` are further files of the folder,
    or other contents for those there are, name and text; those beside a log are
    written after it. `game` is the small game: the smallest there is, or one with tiles and cards.
    """

    kind: str
    text: str
    beside: Beside = ()
    game: Literal["dale", "moor"] = "dale"


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of finding: its stable code, its short name, and what a reader should know.

    `claim` says how a warning knows: "exact" or "sampled"; `fix` says in one sentence what
    `kbrules check --fix` does about it, and is empty if it does nothing.
    """

    code: str
    slug: str
    title: str
    explanation: str
    wrong: Example
    right: Example
    severity: Severity = "error"
    claim: str = ""
    fix: str = ""

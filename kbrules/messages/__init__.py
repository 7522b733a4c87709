"""The messages: each code has a page, a Markdown file beside this module, read when it is needed.

README.md shows how a page is written; what a page must have is checked by tests, not here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, cast

Severity = Literal["error", "warning"]

FOLDER = Path(__file__).parent
_HEAD = re.compile(r"# KB\d{3} (\S+)\n\n\*\*(\w+)(?: \((\w+)\))?\*\*: (.+)\n\n")
_FIX = re.compile(r"^\*\*Fix\*\*: (.+)$", re.MULTILINE)
_GAME = re.compile(r"\[\w+\]\(games/(\w+)\)")
_BLOCK = re.compile(r"^(?:`([^`\n]+)`([^\n]*)\n\n)?```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class File:
    """A file of an example; `note` are the words behind its name where `text` is not all of it."""

    name: str
    note: str
    text: str


@dataclass(frozen=True, slots=True)
class Example:
    """Something an author may write: files that are added to a small game, and command lines.

    If there are commands, the example is about the last one. `game` is a folder in `games`.
    """

    files: tuple[File, ...] = ()
    commands: tuple[str, ...] = ()
    game: str = ""


@dataclass(frozen=True, slots=True)
class Code:
    """The page of a code: its short name, its title, and what a reader should know.

    `claim` says how a warning knows: "exact" or "sampled"; `fix` says in one sentence what
    `kbrules check --fix` does. What no author can bring about has empty examples.
    """

    code: str
    slug: str
    title: str
    explanation: str
    severity: Severity
    claim: str = ""
    fix: str = ""
    wrong: Example = Example()
    right: Example = Example()


class _Codes(Mapping[str, Code]):
    """All codes in order; only the pages that are asked for are read."""

    def __getitem__(self, name: str) -> Code:
        if name not in _names():
            raise KeyError(name)
        return _page(name)

    def __iter__(self) -> Iterator[str]:
        return iter(_names())

    def __len__(self) -> int:
        return len(_names())


CODES: Mapping[str, Code] = _Codes()


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in FOLDER.glob("KB*.md")))


@cache
def _page(name: str) -> Code:
    page = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    head = _HEAD.match(page)
    assert head is not None, f"{name}.md does not begin as README.md shows"
    slug, severity, claim, title = head.groups(default="")
    prose, *examples = re.split(r"^## (?:Wrong|Right)\n", page[head.end() :], flags=re.MULTILINE)
    explanation = " ".join(prose.split("\n\n")[0].split())
    fix, game = ("".join(pattern.findall(prose)) for pattern in (_FIX, _GAME))
    wrong, right = (_example(text, game) for text in examples or ("", ""))
    kind = cast(Severity, severity.lower())
    return Code(name, slug, title, explanation, kind, claim, fix, wrong, right)


def _example(section: str, game: str) -> Example:
    blocks = _BLOCK.findall(section)
    files = tuple(File(*block) for block in blocks if block[0])
    lines = "".join(text for name, _, text in blocks if not name).splitlines()
    return Example(files, tuple(line.removeprefix("$ kbrules ") for line in lines), game)

"""The page of a code for a terminal: what it means, and its examples with what we say of them."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from kbrules.diagnostics import suggest
from kbrules.messages import CODES, Code, Example, File
from kbrules.text import visible

WIDTH = 78
_MAX_LINES = 14  # lines shown of an example
_MAX_COLUMNS = 100  # characters shown of one of its lines


def code_named(name: str) -> Code | None:
    """The code of that number or short name, however its letters are written."""
    number, slug = name.strip().upper(), name.strip().casefold()
    if number in CODES:
        return CODES[number]
    return next((code for code in CODES.values() if code.slug == slug), None)


def nearest_code(name: str) -> str | None:
    """The number or short name that is spelt nearly so."""
    names = [*CODES, *(code.slug for code in CODES.values())]
    return suggest(name, names)


def list_of_codes() -> str:
    """Every code on a line of its own."""
    width = max(len(code.slug) for code in CODES.values())
    lines = [f"{code.code}  {code.slug:<{width}}  {code.title}" for code in CODES.values()]
    return "\n".join(lines)


def code_page(code: Code, answer: str) -> str:
    """The page of a code; `answer` is what we answer to its wrong example."""
    lines = [f"{code.code} {code.slug}", f"{code.title[0].upper()}{code.title[1:]}.", ""]
    lines += wrap(code.explanation, WIDTH)
    lines += [line for text in notes_of(code) for line in ("", *wrap(text, WIDTH))]
    if code.wrong != Example():
        lines += ["", "This is wrong:", "", _example(code.wrong), "", "It is told like this:", ""]
        lines += [f"    {line}".rstrip() for line in answer.split("\n")]
        lines += ["", "This is right:", "", _example(code.right)]
    return "\n".join(lines)


_CLAIMS = {
    "exact": "It is a warning, and exact: what it says holds wherever the rules are played.",
    "sampled": "It is a warning, and sampled: it holds in all positions that were looked at, "
    "and it says how many those were.",
}


def notes_of(code: Code) -> Iterator[str]:
    """How sure a warning is, and what can be done about it without the author."""
    if code.severity == "warning":
        yield _CLAIMS.get(code.claim, "It is a warning.")
    if code.fix:
        yield f"`kbrules check --fix` mends it: {code.fix}"


def _example(example: Example) -> str:
    parts = [_file(file) for file in example.files]
    if example.commands:
        parts.append(f"    kbrules {line}" for line in example.commands)
    return "\n\n".join(map("\n".join, parts))


def _file(file: File) -> Iterator[str]:
    yield f"    # {file.name}{file.note}"
    lines = file.text.rstrip("\n").split("\n")
    for line in lines[:_MAX_LINES]:
        yield f"    {_cut(visible(line))}".rstrip()
    if len(lines) > _MAX_LINES:
        yield f"    ... and {len(lines) - _MAX_LINES} more lines"


def _cut(line: str) -> str:
    return line if len(line) <= _MAX_COLUMNS else f"{line[: _MAX_COLUMNS - 3]}..."

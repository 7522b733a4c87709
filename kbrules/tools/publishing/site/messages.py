"""The pages of the messages: each code with what it means, what is wrong, and how it is right."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files

from kbrules.diagnostics import Diagnostic, render_full
from kbrules.messages import CODES, Code, Example, File
from kbrules.text import visible
from kbrules.tools.checking.code_examples import findings_of
from kbrules.tools.editors.highlight import rule_tokens
from kbrules.tools.publishing.site.page import LOOK_UP, Page, Token, unlinked

ANSWERS_FILE = "answers.json"
_PAGE = "reference/codes.html"
_MAX_LINES, _MAX_COLUMNS = 24, 100

Block = tuple[File | None, str | list[Token]]
"""A part of an example: its file, or none for commands, and what is shown, of rules in tokens."""


def message_pages() -> Iterator[Page]:
    """The list of all codes, and a page for each."""
    answers = _stored_answers()
    listed = [(code, _path(code)) for code in CODES.values()]
    yield Page(_PAGE, "Messages", "reference", "codes", {"codes": listed}, group=LOOK_UP)
    for code in CODES.values():
        title, above = f"{code.code} {code.slug}", (("Messages", _PAGE),)
        values, group = _values(code, answers), f"{code.code[:3]}.."
        yield Page(_path(code), title, "message", "code", values, code.title, above, group)


def _values(code: Code, answers: Mapping[str, str]) -> dict[str, object]:
    return {
        "code": code,
        "wrong": list(_blocks(code.wrong)),
        "answer": answers.get(code.code, ""),
        "right": list(_blocks(code.right)),
    }


def _path(code: Code) -> str:
    """The address of the page of a code."""
    return f"reference/{code.code}.html"


def _stored_answers() -> dict[str, str]:
    """What the program answers to the wrong example of each code.

    They are printed into a file, since to try them takes longer than to write all other pages.
    """
    text = files("kbrules.tools.publishing.site").joinpath(ANSWERS_FILE).read_text(encoding="utf-8")
    answers: dict[str, str] = json.loads(text)
    return answers


def answers() -> dict[str, str]:
    """The same, codes: what `ANSWERS_FILE` is printed from."""
    codes = (code for code in CODES.values() if code.wrong.files and not code.wrong.commands)
    return {code.code: answer_text(findings_of(code.wrong, code), code) for code in codes}


def answer_text(findings: Sequence[Diagnostic], code: Code) -> str:
    """How the findings in the wrong example of a code read."""
    own_findings = [each for each in findings if each.code == code.code]
    text = "\n\n".join(map(render_full, own_findings or findings))
    return "\n".join(map(visible, text.split("\n")))


def _blocks(example: Example) -> Iterator[Block]:
    yield from ((file, _shown(file)) for file in example.files)
    if example.commands:
        yield None, "\n".join(f"kbrules {line}" for line in example.commands)


def _shown(file: File) -> str | list[Token]:
    shown = _shortened(file.text)
    if file.name.endswith(".kb") and shown == file.text.rstrip("\n"):
        return unlinked(rule_tokens(shown))
    return shown


def _shortened(text: str) -> str:
    """A text with what cannot be seen made visible, and cut where nobody would read on."""
    lines = [_cut(visible(line)) for line in text.rstrip("\n").split("\n")]
    more = len(lines) - _MAX_LINES
    return "\n".join([*lines[:_MAX_LINES], *([f"... and {more} more lines"] if more > 0 else [])])


def _cut(line: str) -> str:
    return line if len(line) <= _MAX_COLUMNS else f"{line[: _MAX_COLUMNS - 3]}..."

"""What an author is told about a rule text: codes, the words underlined, the help."""

from __future__ import annotations

from dataclasses import dataclass

from kbrules.diagnostics import Diagnostic
from kbrules.lang.syntax.parse import parse
from kbrules.library.load import load_all
from kbrules.library.reading import data_root, real_path
from kbrules.library.store import Files, parsed
from kbrules.text import Source

FILES = Files()  # the base box is read once for all cases


@dataclass(frozen=True)
class Told:
    """A finding as a test states it; an empty help states nothing."""

    code: str
    marked: str
    help: str = ""

    def is_said_by(self, finding: Diagnostic) -> bool:
        return (
            finding.code == self.code
            and finding.span.text == self.marked
            and self.help in finding.help
        )


def of_reading(text: str) -> list[Diagnostic]:
    """The findings about the shape of a text alone."""
    return parse(Source("x.kb", text))[1]


def of_checking(text: str) -> list[Diagnostic]:
    """The findings about a text as one more file beside the base box."""
    return list(load_all(["base"], more=[parsed(Source("x.kb", text))], files=FILES).findings)


def shown(findings: list[Diagnostic]) -> str:
    """The findings for the message of a test that fails."""
    return "\n".join(f"{f.code} {f.span.text!r}: {f.message} ({f.help})" for f in findings)


def assert_told(findings: list[Diagnostic], expected: list[Told]) -> None:
    """Each finding as stated, in the order of the text, and no other."""
    assert len(findings) == len(expected), shown(findings)
    for finding, told in zip(findings, expected, strict=True):
        assert told.is_said_by(finding), f"wanted {told}\n{shown(findings)}"


def of_shipped(name: str, text: str) -> list[Diagnostic]:
    """The findings about the base box, and the file's own, if a rule file had this text."""
    box = name.rpartition("/")[0]
    boxes = ["base", box] if box not in ("", "base") else ["base"]
    load_all(boxes, files=FILES)
    files = FILES.edited({real_path(data_root("rules") / name): text})
    return list(load_all(boxes, files=files).findings)

"""JUnit XML, as services for continuous integration read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from kbrules.diagnostics import Diagnostic
from kbrules.text import visible
from kbrules.tools.reports.records import printable

Element = ElementTree.Element


@dataclass(frozen=True, slots=True)
class JUnitCase:
    """One test case: the file it stands in, its name and line, how long it took, what came of it.

    The verdict is "" for passed, "failure", or "error" for what could not be judged. The text says
    all that was found, which of one that passed goes to its output.
    """

    file: str
    name: str
    line: int = 1
    seconds: float = 0.0
    verdict: str = ""
    findings: Sequence[Diagnostic] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Suite:
    """The cases of one run, in their order."""

    name: str
    cases: Sequence[JUnitCase]


def suites(suite: Suite) -> str:
    """The document of one suite, pure ASCII; nothing in it is a character that XML forbids."""
    root = Element("testsuites", _counts(suite))
    suite_element = ElementTree.SubElement(
        root, "testsuite", {"name": suite.name, **_counts(suite)}
    )
    for case in suite.cases:
        _case(suite_element, case)
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="us-ascii").decode("ascii")
    return f'<?xml version="1.0" encoding="us-ascii"?>\n{text}'


def _counts(suite: Suite) -> dict[str, str]:
    verdicts = [case.verdict for case in suite.cases]
    return {
        "tests": str(len(verdicts)),
        "failures": str(verdicts.count("failure")),
        "errors": str(verdicts.count("error")),
        "skipped": "0",
        "time": _seconds(sum(case.seconds for case in suite.cases)),
    }


def _case(suite: Element, case: JUnitCase) -> None:
    file = visible(case.file)
    element = ElementTree.SubElement(
        suite,
        "testcase",
        classname=file,
        name=visible(case.name),
        file=file,
        line=str(case.line),
        time=_seconds(case.seconds),
    )
    if case.verdict:
        message = visible("; ".join(finding.message for finding in case.findings))
        codes = " ".join(dict.fromkeys(finding.code for finding in case.findings))
        result_element = ElementTree.SubElement(element, case.verdict, message=message, type=codes)
        result_element.text = printable(case.text)
    elif case.text:
        ElementTree.SubElement(element, "system-out").text = printable(case.text)


def _seconds(seconds: float) -> str:
    return f"{seconds:.6f}"

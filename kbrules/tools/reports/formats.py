"""SARIF and JUnit: what code scanning and continuous integration read."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

from kbrules import __version__, diagnostics
from kbrules.messages import CODES, Code
from kbrules.text import Span, visible
from kbrules.tools.reports.data import CaseReport

# SARIF 2.1.0: what code scanning services and editors read.


SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
ROOT = "%SRCROOT%"  # the name that services know for the folder a relative path begins in
FINGERPRINT = "kbrulesDeclaration/v1"

Node = dict[str, Any]
_HEADING = re.compile(r"[^\W_][\w-]*(?: +\w+)?")


def sarif(command: str, findings: Sequence[diagnostics.Diagnostic], exit_code: int) -> str:
    """One run of a command; paths are relative to the folder it ran in, columns count characters.

    A finding is told from another by its code and the declaration it stands in, not by its line.
    """
    codes_found = sorted({finding.code for finding in findings})
    driver: Node = {"name": "kbrules", "version": __version__}
    driver["rules"] = [_rule(CODES[name]) for name in codes_found]
    run = {
        "tool": {"driver": driver},
        "automationDetails": {"id": f"kbrules/{command}/"},
        "invocations": [{"executionSuccessful": exit_code < 2, "exitCode": exit_code}],
        "columnKind": "unicodeCodePoints",
        "results": list(_results(findings, codes_found)),
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _rule(code: Code) -> Node:
    page = f"`kbrules explain {code.code}` shows more."
    return {
        "id": code.code,
        "name": code.slug,
        "shortDescription": {"text": f"{code.title[0].upper()}{code.title[1:]}."},
        "fullDescription": {"text": code.explanation},
        "help": {
            "text": f"{code.explanation}\n\n{page}",
            "markdown": "\n\n".join([code.explanation, *_examples(code), page]),
        },
        "defaultConfiguration": {"level": code.severity},
        "properties": {"tags": ["kbrules"]},
    }


def _printable(text: str) -> str:
    """Return a text of nothing but lines of printable characters; the others as escapes."""
    return "\n".join(visible(line) for line in text.split("\n"))


def _examples(code: Code) -> Iterator[str]:
    """The two examples as Markdown, where they are files."""
    for word, example in (("Wrong", code.wrong), ("Right", code.right)):
        for file in () if example.commands else example.files:
            yield f"{word} (`{file.name}`{file.note}):"
            lines = file.text.rstrip("\n").split("\n")
            rest = ["..."] if len(lines) > 14 else []
            yield "\n".join(["```", *map(_printable, lines[:14]), *rest, "```"])


def _results(findings: Iterable[diagnostics.Diagnostic], rules: Sequence[str]) -> Iterator[Node]:
    seen: Counter[str] = Counter()
    for finding in findings:
        name = f"{finding.code} {_declaration(finding.span)}"
        seen[name] += 1
        fingerprint = name if seen[name] == 1 else f"{name} {seen[name]}"
        yield _result(finding, rules.index(finding.code)) | {
            "partialFingerprints": {FINGERPRINT: fingerprint}
        }


def _result(finding: diagnostics.Diagnostic, rule: int) -> Node:
    claim = f" ({finding.claim})" if finding.claim else ""
    help_ = f"\n{finding.help}" if finding.help else ""
    node: Node = {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": finding.severity,
        "message": {"text": _printable(finding.message + claim + help_)},
        "locations": [{"physicalLocation": _place(finding.span)}],
    }
    if finding.labels:
        node["relatedLocations"] = [
            {"physicalLocation": _place(label.span), "message": {"text": _printable(label.text)}}
            for label in finding.labels
        ]
    if finding.fix:
        node["fixes"] = [_fix(finding)]
    return node


def _fix(finding: diagnostics.Diagnostic) -> Node:
    """All edits of a finding, together, by file."""
    by_name: dict[str, list[Node]] = {}
    for edit in finding.fix:
        replacement = {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.text}}
        by_name.setdefault(edit.span.source.name, []).append(replacement)
    changes = [
        {"artifactLocation": artifact(Path(name), Path.cwd()), "replacements": replacements}
        for name, replacements in by_name.items()
    ]
    what = finding.help or finding.message
    return {"description": {"text": _printable(what)}, "artifactChanges": changes}


def _declaration(span: Span) -> str:
    """The heading a place stands below, without what may change about it: `card mill`, `cards`."""
    source = span.source
    for number in range(span.line, 0, -1):
        match = _HEADING.match(source.line_text(number))
        if match is not None:
            return " ".join(match[0].split())
    return "file"


def _place(span: Span) -> Node:
    """A place; in a file that could not be read it is the first line."""
    place = artifact(Path(span.source.name), Path.cwd())
    return {"artifactLocation": place, "region": _region(span)}


def _region(span: Span) -> Node:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def artifact(path: PurePath, here: PurePath) -> Node:
    """The place of a file: relative to the current folder if it is below it, else a whole URI."""
    inside = path.is_absolute() and path.is_relative_to(here)
    path = path.relative_to(here) if inside else path
    if path.is_absolute():
        return {"uri": path.as_uri()}
    return {"uri": quote(path.as_posix(), errors="surrogatepass"), "uriBaseId": ROOT}


# JUnit XML, as services for continuous integration read it.


Element = ElementTree.Element


def junit(command: str, cases: Sequence[CaseReport]) -> str:
    """Return the document of one suite, in pure ASCII without characters that XML forbids."""
    counts = _junit_counts(cases)
    root = Element("testsuites", counts)
    suite = ElementTree.SubElement(root, "testsuite", {"name": f"kbrules {command}", **counts})
    for case in cases:
        _junit_case(suite, case)
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="us-ascii").decode("ascii")
    return f'<?xml version="1.0" encoding="us-ascii"?>\n{text}'


def _junit_counts(cases: Sequence[CaseReport]) -> dict[str, str]:
    verdicts = [case.verdict for case in cases]
    return {
        "tests": str(len(verdicts)),
        "failures": str(verdicts.count("failure")),
        "errors": str(verdicts.count("error")),
        "skipped": "0",
        "time": _seconds(sum(case.seconds for case in cases)),
    }


def _junit_case(suite: Element, case: CaseReport) -> None:
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
        result_element.text = _printable(case.text)
    elif case.text:
        ElementTree.SubElement(element, "system-out").text = _printable(case.text)


def _seconds(seconds: float) -> str:
    return f"{seconds:.6f}"

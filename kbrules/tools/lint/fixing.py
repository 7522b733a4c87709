"""Fixes tried out: rule files with the edits of findings, accepted only where they do good."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kbrules.diagnostics import Diagnostic, Edit
from kbrules.library.reading import real_path
from kbrules.project.project import Project
from kbrules.text import Source
from kbrules.tools.check import CheckResult
from kbrules.tools.fmt import FormattedFile, styled

_ROUNDS = 10  # a fix can make room for another one
_TRIED_ALONE = 50  # fixes that are tried one by one where they do no good together

CheckFunction = Callable[[Project], CheckResult]


@dataclass(slots=True)
class Fixer:
    """A project on its way to fewer findings; `check` looks at all selected files."""

    project: Project
    check: CheckFunction
    fixed: int = 0
    _texts: dict[Path, str] = field(default_factory=dict)
    _withdrawn: set[tuple[str, str, str]] = field(default_factory=set)

    def run(self) -> CheckResult:
        """What is left to be found when every fix that does good was made."""
        report = self.check(self.project)
        for _ in range(_ROUNDS):
            fixable = [e for e in report.findings if e.fix and self._may_fix(e, report)]
            if not fixable or report.problems:
                break
            report = self._try_fixes(report, fixable) or self._try_one_by_one(
                report, fixable[:_TRIED_ALONE]
            )
        return report

    def changed(self) -> list[FormattedFile]:
        """The files that are to be written anew, each as a whole, with the line ends it had."""
        found = ((path, path.read_bytes().decode(), text) for path, text in self._texts.items())
        return [
            FormattedFile(path, before, text.replace("\n", "\r\n") if "\r\n" in before else text)
            for path, before, text in found
        ]

    def _may_fix(self, finding: Diagnostic, report: CheckResult) -> bool:
        """Return whether a fix was not withdrawn, and changes only files that are the author's."""
        files = {real_path(Path(edit.span.source.name)) for edit in finding.fix}
        return _key(finding) not in self._withdrawn and not files & report.ignored

    def _try_one_by_one(self, report: CheckResult, fixable: Sequence[Diagnostic]) -> CheckResult:
        """The findings after the first fix that does good by itself; those before are withdrawn."""
        for finding in fixable:
            result = self._try_fixes(report, [finding])
            if result is not None:
                return result
            self._withdrawn.add(_key(finding))
        return report

    def _try_fixes(self, report: CheckResult, fixable: Sequence[Diagnostic]) -> CheckResult | None:
        """The findings after some fixes, or None if they do no good: then nothing has changed."""
        texts = dict(self._texts)
        for source in dict.fromkeys(finding.fix[0].span.source for finding in fixable):
            here = (each for each in fixable if each.fix[0].span.source == source)
            path = self.project.file(Path(source.name)).path
            texts[path] = _keep_format(source, apply_fixes(source, here))
        project = self.project.edited(texts)
        after = self.check(project)
        has_no_errors = all(each.severity == "warning" for each in after.all)
        if not has_no_errors or len(after.findings) >= len(report.findings):
            return None
        self.fixed += len(report.findings) - len(after.findings)
        self.project, self._texts = project, texts
        return after


def _key(finding: Diagnostic) -> tuple[str, str, str]:
    return finding.code, finding.span.source.name, finding.message


def apply_fixes(source: Source, findings: Iterable[Diagnostic]) -> str:
    """The text with the fixes of some findings; where two meddle, the later one is left out."""
    applied: list[Edit] = []
    for finding in findings:
        if not any(_overlap(new, old) for new in finding.fix for old in applied):
            applied += finding.fix
    text = source.text
    for edit in sorted(applied, key=lambda edit: edit.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def _overlap(one: Edit, other: Edit) -> bool:
    return one.span.start <= other.span.end and other.span.start <= one.span.end


def _keep_format(source: Source, text: str) -> str:
    """The text in the one style of rule files, if the file was written in it before."""
    if styled(source) == source.text:
        return styled(Source(source.name, text)) or text
    return text

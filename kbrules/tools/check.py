"""Checking a project: the errors in its files, and the warnings that are wanted of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial, reduce
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING

from kbrules import hooks, text
from kbrules.diagnostics import Diagnostic, distinct
from kbrules.library import reading
from kbrules.messages import Severity
from kbrules.project.files import SourceFile
from kbrules.project.project import Context, Project, once

if TYPE_CHECKING:
    from kbrules.tools.lint.run import LintSelection, LintSettings


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The names of the files checked, what is wrong in them, and what could not be checked."""

    names: tuple[str, ...]
    findings: tuple[Diagnostic, ...]
    problems: tuple[Diagnostic, ...] = ()
    ignored: frozenset[Path] = frozenset()
    """Files that git ignores and that are not named, by their real paths: they are not fixed."""

    @property
    def all(self) -> list[Diagnostic]:
        """Problems and findings together, sorted by place."""
        return sorted((*self.problems, *self.findings))

    def exit_code_at(self, min_severity: Severity | Callable[[Path], Severity]) -> int:
        """Return 0 if all is well, 1 with findings, 2 if something could not be checked.

        min_severity: the least that counts, or that for each file.
        """
        if self.problems:
            return 2

        def counts(finding: Diagnostic) -> bool:
            level = min_severity
            if callable(level):
                level = level(Path(finding.span.source.name))
            return level in (finding.severity, "warning")

        return int(any(map(counts, self.findings)))

    @property
    def summary(self) -> str:
        """All of it in one line."""
        if not self.all:
            return f"all good: {text.counted(len(self.names), 'file')}"
        names = {finding.span.source.name for finding in self.all}
        return f"{text.counted(len(self.all), 'finding')} in {text.counted(len(names), 'file')}"


def checked(
    project: Project,
    lints: LintSettings | None = None,
    files: Sequence[SourceFile] | None = None,
) -> CheckResult:
    """Return the errors in the files of a project, or in some of them, and the warnings wanted.

    There are warnings about rules only where there is no error in all that is loaded with them.
    """
    selected = project.selected
    judged = list(selected.files if files is None else files)
    found, wrong = project.errors(judged), list[Diagnostic]()
    if lints is not None:
        wrong = lints.problems(file.path for file in judged)
        found = sorted(distinct(once([*found, *_Warnings(project, lints, judged).all()])))
    return CheckResult(
        tuple(reading.shown_name(file.path) for file in judged),
        tuple(found),
        tuple(sorted([*selected.problems, *selected.unread, *wrong])),
        frozenset(file.real for file in judged if file.is_ignored),
    )


@dataclass(frozen=True, slots=True)
class _Warnings:
    """The warnings that are wanted of some files."""

    project: Project
    lints: LintSettings
    files: Sequence[SourceFile]

    def all(self) -> Iterator[Diagnostic]:
        """Yield the warnings about rules, boxes and texts, and those about scenarios."""
        found = [*self._in_rules(), *self._in_scenarios()]
        return (each for each in found if self.lints.of(Path(each.span.source.name)).wants(each))

    def _wanted_of(self, files: Iterable[SourceFile]) -> LintSelection:
        """Return all warnings that are wanted of any of some files."""
        return reduce(or_, (self.lints.of(file.path) for file in files))

    def _in_rules(self) -> Iterator[Diagnostic]:
        groups = self.project.by_context(self.files)
        sampled = [c for c, of in groups.items() if any(map(self._is_named, of))]
        for context, of in groups.items():
            if not self.project.errors_of(context, of):
                number = sampled.index(context) if context in sampled else 0
                yield from self._in_group(context, of, partial(self._tell, number, len(sampled)))

    def _in_group(
        self, context: Context, files: Sequence[SourceFile], on_progress: hooks.OnProgress
    ) -> Iterator[Diagnostic]:
        """Yield what lints say of the files for whose sake something was loaded."""
        from kbrules.tools.lint.run import lint_findings

        real = {file.real: file for file in files}

        @cache
        def selected(name: str) -> SourceFile | None:
            return real.get(reading.real_path(Path(name)))

        def is_named(name: str) -> bool:
            file = selected(name)
            return file is not None and self._is_named(file)

        yield from lint_findings(
            self.project.loaded(context), self.project.texts,
            lambda name: selected(name) is not None, is_named, self._wanted_of(files), on_progress,
        )  # fmt: skip

    def _is_named(self, file: SourceFile) -> bool:
        """Return whether somebody named a file or its folder, or works in that folder."""
        return self.project.is_named or not file.is_shipped

    def _tell(self, number: int, groups: int, done: int, wanted: int | None, unit: str) -> None:
        """Report the progress of all groups, by that of the one of a number."""
        each = wanted or 0
        self.project.texts.on_progress(number * each + done, groups * each, unit)

    def _in_scenarios(self) -> Iterator[Diagnostic]:
        """Yield the warnings of scenarios; they are played only if there are any to be had."""
        from kbrules.tools.lint.run import SCENARIO_LINTS

        files = [file for file in self.files if file.kind == "scenario"]
        codes = self._wanted_of(files).codes & SCENARIO_LINTS if files else frozenset[str]()
        cases = self.project.cases(files).cases if codes else []
        for case in hooks.with_progress(cases, "scenarios", self.project.texts.on_progress):
            yield from (each for each in case.run().diagnostics if each.code in codes)

"""Rule files written anew in their one canonical style."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kbrules import diagnostics, hooks, text
from kbrules.engine.logs.writing import write_atomically
from kbrules.lang.formatting import formatted
from kbrules.lang.syntax.parse import parse
from kbrules.library.reading import read_source, unseen_characters, within
from kbrules.project.project import Project
from kbrules.tools.reports.data import Data, FindingData, finding_data
from kbrules.tools.reports.report import Lines, Report


@dataclass(frozen=True, slots=True)
class FormattedFile:
    """A rule file as it is and as it should be; `findings` say why it cannot be written anew."""

    path: Path
    before: str
    after: str
    findings: tuple[diagnostics.Diagnostic, ...] = ()

    @property
    def changes(self) -> bool:
        """Whether writing it would change it."""
        return not self.findings and self.before != self.after


def formatted_files(
    paths: Sequence[Path], on_progress: hooks.OnProgress = hooks.silent
) -> Iterator[FormattedFile]:
    """Yield the rule files that paths name, or those below the current folder.

    Files that git ignores are left out, unless they are named.
    """
    project = Project(paths or [Path()], is_named=bool(paths))
    for problem in project.selected.problems:
        yield FormattedFile(Path(problem.span.source.name), "", "", (problem,))
    files = [file for file in project.files("rules") if not file.is_ignored]
    for file in hooks.with_progress(files, "files", on_progress):
        outside = within(file.home, file.path) if file.home is not None else []
        source, findings = (None, outside) if outside else read_source(file.path)
        if source is None:
            yield FormattedFile(file.path, "", "", tuple(findings))
        else:
            yield formatted_text(source, file.path)


def formatted_text(source: text.Source, path: Path) -> FormattedFile:
    """Return a rule text in its style, or what is wrong with it if it cannot be read."""
    findings = unseen_characters(source) or parse(source)[1]
    if findings:
        return FormattedFile(path, source.text, source.text, tuple(findings))
    # With the line ends of the file, if there is one.
    before = path.read_bytes().decode("utf-8") if path.is_file() else source.text
    return FormattedFile(path, before, formatted(source))


def styled(source: text.Source) -> str | None:
    """A rule text in its style; None if it cannot be read, or is nested too deep to be written."""
    findings = unseen_characters(source) or parse(source)[1]
    try:
        return None if findings else formatted(source)
    except ValueError:
        return None


def rewrite(files: Iterable[FormattedFile]) -> Iterator[Path]:
    """Write those files anew that change, each as a whole or not at all, and tell each.

    OSError with the name of the first that cannot be written.
    """
    for file in filter(lambda file: file.changes, files):
        try:
            write_atomically(file.path, [file.after])
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(file.path)) from None
        yield file.path


def difference(file: FormattedFile, how: str = "formatted") -> str:
    """What would change, as a unified diff; `how` says what the file would then be."""
    before, after = file.before.splitlines(keepends=True), file.after.splitlines(keepends=True)
    name = file.path.as_posix()
    return "".join(difflib.unified_diff(before, after, name, f"{name} ({how})"))


# The report of formatted files: which change, and which could not be read.


class FormatData(Data):
    """What `kbrules fmt` changed, or with `--check` or `--diff` would change."""

    files: int
    """Number of rule files."""
    changed: tuple[str, ...]
    findings: tuple[FindingData, ...]
    """Why files could not be formatted."""


def format_report(files: Sequence[FormattedFile], is_dry_run: bool) -> Report:
    """Return the report of files; people are told the names of those that would change."""
    changing = [file.path for file in files if file.changes]
    findings = [finding for file in files for finding in file.findings]
    lines = [f"{text.visible(str(path))} would change" for path in changing if is_dry_run]
    data = FormatData(
        files=len(files),
        changed=tuple(path.as_posix() for path in changing),
        findings=tuple(map(finding_data, findings)),
    )
    code = 2 if findings else int(bool(lines))
    return Report("Formatting", [Lines(tuple(lines))], data, lines, exit_code=code)

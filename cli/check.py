"""`kbrules check`: everything that is wrong with rules, data and scenarios, without a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from kbrules.hooks import lazily

from . import output
from .boxes import boxes_and_folders
from .options import With
from .terminal import Name, Progress, exit_with, exit_with_findings, source_for

with lazily():
    from kbrules import hooks, text as source_text
    from kbrules.library import store
    from kbrules.project import project as projects
    from kbrules.tools import check as checking, fmt as formatting, lock as locking
    from kbrules.tools.lint import fixing as lint_fixing, run as lint_run
    from kbrules.tools.reports import checked

if TYPE_CHECKING:
    from kbrules.messages import Severity


Paths = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="PATH",
        help="Rule files, scenarios, the data of a box, or folders; by default all that is "
        "shipped, the folders of --with, and the expansion whose folder you are in.",
        show_default=False,
    ),
]
Fix = Annotated[
    bool, typer.Option("--fix", help="Mend what can be mended without changing its meaning.")
]
Locked = Annotated[
    bool, typer.Option("--locked", help="Refuse boxes that differ from those of kbrules.lock.")
]
Diff = Annotated[bool, typer.Option("--diff", help="Write nothing; show what --fix would change.")]


def command(
    paths: Paths = None,
    with_: With = None,
    select: Select = None,
    ignore: Ignore = None,
    samples: Samples = None,
    fail_level: FailLevel = None,
    fix: Fix = False,
    diff: Diff = False,
    exit_zero: ExitZero = False,
    isolated: Isolated = False,
    locked: Locked = False,
    output_format: Annotated[output.FindingForm, output.form_option("check")] = output.FULL,
    output_file: output.File = None,
    watch: output.Watch = False,
    stdin_filename: Name = None,
) -> None:
    """Check rules (*.kb), boxes (expansion.yaml) and scenarios (*.scenario.yaml).

    Where nothing is wrong, warnings tell what is hardly meant, and whether that is exact or how
    many positions were looked at. `# kb: ignore[KB703] reason` behind or above a line suppresses
    one. kbrules.toml, or [tool.kbrules] in pyproject.toml, may set `select`, `ignore`, `samples`
    and `fail-level`. Ends with 0 if all is well, 1 with findings, 2 if it could not check.

    \b
    Examples:
      kbrules check                                what is shipped, and the expansion you are in
      kbrules check rules/mill.kb                  one file, beside its expansion
      kbrules check mine --with other              a folder, with another one loaded as well
      kbrules check mine --ignore KB703            without one of the warnings
      kbrules check mine --fix                     mend what can be mended, and tell the rest
      kbrules check mine --watch                   again on every save
      kbrules check - --stdin-filename rules/mill.kb   its text as typed, for editors
      kbrules explain KB203                        what a code means
    """
    boxes, folders = boxes_and_folders(with_ or [])
    chosen = _named("--select", select or []), _named("--ignore", ignore or [])
    lints = lint_run.LintSettings(*chosen, samples, isolated)
    level: Severity | None = fail_level.value if fail_level else None
    stdin_source = source_for([str(path) for path in paths or []], stdin_filename)
    if stdin_source is not None and (fix or diff or watch):
        exit_with("KB009", "what is typed is not mended or watched", "leave out the other options")
    check = _CheckCommand(
        [stdin_filename] if stdin_filename else paths or [],
        boxes,
        folders,
        lints,
        level or lints.fail_level,
        exit_zero,
        output.ReportOptions(output_format, file=output_file),
        stdin_source,
        locked,
    )
    if watch:
        check.watch(fix or diff)
    found = check.fixed if fix else check.checked
    raise typer.Exit(check.show_fixes() if diff else check.show(found()))


@dataclass(frozen=True, slots=True)
class _CheckCommand:
    """What is to be checked, by what, what of it counts, and how to report."""

    paths: list[Path]
    boxes: list[str]
    folders: list[Path]
    lints: lint_run.LintSettings
    min_severity: Severity | Callable[[Path], Severity]
    exit_zero: bool
    options: output.ReportOptions
    stdin_source: source_text.Source | None
    """What stands in the only file that is asked for, as long as it is not saved."""
    is_locked: bool = False

    def project(self, on_progress: hooks.OnProgress | None = None) -> projects.Project:
        """Return the files that are to be checked, as they are now."""
        files = store.Files(on_progress=on_progress or hooks.silent)
        if not self.paths:
            return projects.Project.here(self.boxes, self.folders, files=files)
        project = projects.Project(self.paths, self.boxes, self.folders, files=files)
        source = self.stdin_source
        return project if source is None else project.edited({self.paths[0]: source.text})

    def check(self, project: projects.Project) -> checking.CheckResult:
        """Return all that is found."""
        report = checking.checked(project, self.lints)
        if not self.is_locked:
            return report
        problems = (*report.problems, *locking.lock_differences(project))
        return replace(report, problems=problems)

    def fixed(self) -> checking.CheckResult:
        """Write the fixed files, print how much that was, and return what is left."""
        fixing, left = self._tried()
        files = fixing.changed()
        output.rewrite_files(files)
        typer.echo(f"fixed {_extent(fixing, files)}", err=True)
        return left

    def show_fixes(self) -> int:
        """Print what would be fixed, write nothing, and return 1 if that is anything."""
        fixing, _ = self._tried()
        files = fixing.changed()
        for file in files:
            typer.echo(formatting.difference(file, "fixed"), nl=False)
        typer.echo(f"would fix {_extent(fixing, files)}", err=True)
        return int(bool(files))

    def _tried(self) -> tuple[lint_fixing.Fixer, checking.CheckResult]:
        """Return the fixes that do good, and what is left; the line begins anew at each check."""
        with Progress("fixing") as progress:
            fixing = lint_fixing.Fixer(self.project(progress.show), self.check)
            return fixing, fixing.run()

    def checked(self) -> checking.CheckResult:
        """Return all that is found, while a line shows the progress."""
        with Progress("checking") as progress:
            return self.check(self.project(progress.show))

    def show(self, report: checking.CheckResult) -> int:
        """Report, and return the exit code."""
        code = report.exit_code_at(self.min_severity)
        code = 0 if self.exit_zero and code == 1 else code
        output.show(checked.check_report(report, code), self.options)
        return code

    def watch(self, writes: bool) -> NoReturn:
        """Check on every save: at once what is soon known, and in a pause what takes longer."""
        if writes:
            exit_with("KB009", "`--watch` mends nothing", "leave out `--fix` and `--diff`")
        project = self.project()
        quick_check = replace(self, lints=replace(self.lints, is_quick=True))
        watch = output.watch_loop(self.paths, self.folders, self.options)
        full_check = replace(
            self, lints=replace(self.lints, check_cancelled=watch.watcher.raise_if_saved)
        )

        def show_by(check: _CheckCommand) -> int:
            return self.show(check.check(project.refreshed()))

        in_pause = (lambda: show_by(full_check)) if self.lints.may_play else None
        watch.run(lambda _: show_by(quick_check), in_pause)


def _extent(fixing: lint_fixing.Fixer, files: Sequence[formatting.FormattedFile]) -> str:
    counted = source_text.counted
    return f"{counted(fixing.fixed, 'finding')} in {counted(len(files), 'file')}"


# Which warnings a command is to give: what its options say, and what is set for the folder.


class Level(StrEnum):
    """The weight of a finding, and the least that makes a command end with 1."""

    error = "error"
    warning = "warning"


Select = Annotated[
    list[str] | None,
    typer.Option(
        "--select", help="Only these warnings, as KB703, KB7, unused-define; again or a,b."
    ),
]
Ignore = Annotated[
    list[str] | None,
    typer.Option("--ignore", help="None of these warnings; again or a,b."),
]
Samples = Annotated[
    int | None,
    typer.Option(
        "--samples",
        min=0,
        max=100_000,
        help="Positions to look at for sampled warnings; 200 if nothing else is set.",
        show_default=False,
    ),
]
FailLevel = Annotated[
    Level | None,
    typer.Option("--fail-level", help="The least that ends with 1; `warning` if nothing is set."),
]
ExitZero = Annotated[bool, typer.Option("--exit-zero", help="End with 0 whatever is found.")]
Isolated = Annotated[
    bool, typer.Option("--isolated", help="Pass over kbrules.toml and pyproject.toml.")
]


def _named(option: str, values: Sequence[str]) -> frozenset[str]:
    """The codes that the values of an option name; a value may be a list with commas."""
    names = [name for value in values for name in value.split(",") if name.strip()]
    codes, problems = lint_run.codes_named(names, source_text.Span.none(option))
    if problems:
        exit_with_findings(problems)
    return codes

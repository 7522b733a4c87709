"""`kbrules check`: everything that is wrong with rules, data and scenarios, without a game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from .boxes import boxes_and_folders
from .checking.fixes import apply_fixes, show_fixes
from .checking.lint_options import (
    ExitZero,
    FailLevel,
    Ignore,
    Isolated,
    Samples,
    Select,
    lint_settings,
)
from .options import With
from .terminal.findings import exit_with
from .terminal.output import File, Form, Format, show
from .terminal.progress import Progress
from .terminal.standard_input import Name, source_for
from .terminal.watch import Watch, watch_loop

if TYPE_CHECKING:
    from kbrules.diagnostics import Diagnostic
    from kbrules.messages import Severity
    from kbrules.text import Source
    from kbrules.tools.check import CheckResult, FileChecker
    from kbrules.tools.lint.settings import LintSettings

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
    output_format: Form = Format.full,
    output_file: File = None,
    watch: Watch = False,
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
    lints = lint_settings(select or [], ignore or [], samples, isolated)
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
        output_format,
        output_file,
        stdin_source,
        locked,
    )
    if watch:
        check.watch(fix or diff)
    found = check.fixed if fix else check.checked
    raise typer.Exit(check.would_change() if diff else check.show(found()))


@dataclass(frozen=True, slots=True)
class _CheckCommand:
    """What is to be checked, by what, what of it counts, and how to report."""

    paths: list[Path]
    boxes: list[str]
    folders: list[Path]
    lints: LintSettings
    min_severity: Severity | Callable[[Path], Severity]
    exit_zero: bool
    form: Format
    file: Path | None
    stdin_source: Source | None
    """What stands in the only file that is asked for, as long as it is not saved."""
    is_locked: bool = False

    def check(self, checker: FileChecker) -> CheckResult:
        """All that is found."""
        report = checker.check(self.paths, self.boxes, self.folders, self.lints)
        if not self.is_locked:
            return report
        return replace(report, problems=(*report.problems, *self._lock_differences()))

    def _lock_differences(self) -> list[Diagnostic]:
        """Return how the boxes that are checked differ from their locks."""
        from kbrules.tools.lock import lock_differences

        return lock_differences(self.paths, self.folders, self.boxes)

    def fixed(self) -> CheckResult:
        """What is left when the fixes are made."""
        return apply_fixes(self.check)

    def would_change(self) -> int:
        """Show what fixes would change; 1 if that is anything."""
        return min(1, show_fixes(self.check))

    def checked(self) -> CheckResult:
        """All that is found, while a line shows how far it is."""
        from kbrules.library.file_cache import FileCache
        from kbrules.library.reading import real_path
        from kbrules.tools.check import FileChecker

        with Progress("checking") as progress:
            checker = FileChecker(FileCache(on_progress=progress.show))
            if self.stdin_source is not None:
                checker.override_text(real_path(self.paths[0]), self.stdin_source.text)
            return self.check(checker)

    def show(self, report: CheckResult) -> int:
        """Report, and answer with the exit code."""
        from kbrules.tools.reports.checked import CHECK_RENDERERS

        code = report.exit_code_at(self.min_severity)
        code = 0 if self.exit_zero and code == 1 else code
        show(CHECK_RENDERERS[self.form](report, code), self.form, self.file, report.summary)
        return code

    def watch(self, writes: bool) -> NoReturn:
        """Check on every save: at once what is soon known, and in a pause what takes longer."""
        from kbrules.tools.check import FileChecker

        if writes:
            exit_with("KB009", "`--watch` mends nothing", "leave out `--fix` and `--diff`")
        checker = FileChecker()
        quick_check = replace(self, lints=replace(self.lints, is_quick=True))
        watch = watch_loop(self.paths, self.folders, self.form, self.file)
        full_check = replace(
            self, lints=replace(self.lints, check_cancelled=watch.watcher.raise_if_saved)
        )
        in_pause = (lambda: self.show(full_check.check(checker))) if self.lints.may_play else None
        watch.run(lambda _: self.show(quick_check.check(checker)), in_pause)

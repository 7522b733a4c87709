"""How reports reach the reader: for people or for programs, into files, on every save."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from time import perf_counter, strftime
from typing import Annotated, NoReturn

import typer

from .app import report_exception
from .lazily import lazily
from .terminal import clear_progress, exit_unwritten, exit_with, printable, wants_colour

with lazily():
    from kbrules.engine.logs import writing as log_writing
    from kbrules.tools import fmt as formatting, testing
    from kbrules.tools.reports import report as reports


# How reports reach the reader: in full and in colour on a terminal, or in a form for programs.

STDOUT = Path("-")


class Format(StrEnum):
    """The forms of a report."""

    full = "full"
    concise = "concise"
    json = "json"
    jsonl = "jsonl"
    github = "github"
    sarif = "sarif"
    junit = "junit"

    @property
    def is_for_people(self) -> bool:
        """Whether a summary may stand below it."""
        return self in (Format.full, Format.concise)


class PageFormat(StrEnum):
    """The forms of what has no findings: as a page, or for programs."""

    full = "full"
    json = "json"


PageForm = Annotated[
    PageFormat,
    typer.Option("--output-format", help="How to tell it; json has a schema in schemas/output."),
]
Form = Annotated[
    Format,
    typer.Option("--output-format", help="How to report; all but the first two are for programs."),
]
File = Annotated[
    Path | None,
    typer.Option("--output-file", metavar="FILE", help="Write the report there instead."),
]


def show(report: str, form: Format, file: Path | None, summary: str) -> None:
    """Print a report, or put it into a file, and say how it went.

    Of a form for programs nothing else gets to standard output.
    """
    if file is not None:
        write(file, f"{report}\n" if report else "")
    elif report:
        colour = form is Format.full and wants_colour(False)
        typer.echo(reports.coloured(report) if colour else report, color=colour or None)
        if form is Format.full:
            typer.echo()
    typer.echo(summary, err=not form.is_for_people or file is not None)


def write(file: Path, data: str | bytes) -> None:
    """Put data into a file, as a whole or not at all, or print it if the file is `-`.

    Ends the command if it cannot be written.
    """
    if file == STDOUT:
        clear_progress()
        typer.echo(data, nl=False)
        return
    try:
        log_writing.write_bytes_atomically(file, data if isinstance(data, bytes) else data.encode())
    except OSError as error:
        exit_unwritten(f"`{file}`", error)


def check_folders(files: Iterable[Path | None]) -> None:
    """End the command, before anything is played, if a file's folder is not there."""
    for file in files:
        if file is not None and file != STDOUT and not file.absolute().parent.is_dir():
            message = f"`{file}` cannot be written: there is no such folder"
            exit_with("KB008", message, "make the folder first")


def rewrite_files(files: Sequence[formatting.FormattedFile]) -> None:
    """Write rule files anew, each whole or not at all; ends the command at one that cannot be."""
    written: list[Path] = []
    try:
        written.extend(formatting.rewrite(files))
    except OSError as error:
        message = f"`{printable(error.filename)}` cannot be written: {error.strerror}"
        done = ", ".join(f"`{printable(path)}`" for path in written) or "no file"
        exit_with("KB008", message, f"it is as it was; changed before it: {done}")


# How a command shows a report: on the terminal, as data, as a page, and its chart as a picture.


class ReportFormat(StrEnum):
    """The forms of a report: all of it, its findings in a line each, and its data."""

    full = "full"
    concise = "concise"
    json = "json"


Html = Annotated[
    Path | None,
    typer.Option("--html", help="Write a page there with all of it; `-` is standard output."),
]
Svg = Annotated[
    Path | None, typer.Option("--svg", help="Write the picture there; `-` is standard output.")
]


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """What is printed, and files for a page and a picture."""

    form: ReportFormat
    html: Path | None = None
    svg: Path | None = None
    no_color: bool = False


def show_report(
    report: reports.Report, options: ReportOptions, draw: Callable[[], str] = str
) -> None:
    """Write the files that are wanted, then print the report unless one of them was printed.

    draw: makes the picture.
    """
    write_page(report, options.html)
    if options.svg is not None:
        write(options.svg, draw() + "\n")
    if STDOUT not in (options.html, options.svg):
        colour = options.form is ReportFormat.full and wants_colour(options.no_color)
        typer.echo(rendered(report, options.form, colour), color=colour or None)


def write_page(report: reports.Report, file: Path | None) -> None:
    """Write the report as a page if a file is named for it."""
    if file is not None:
        write(file, reports.as_page(report))


def rendered(report: reports.Report, form: str, colour: bool = False) -> str:
    """The report in a form; in full with colours if they are wanted."""
    if form == ReportFormat.json:
        return reports.as_json(report)
    if form == ReportFormat.concise:
        return "\n".join(report.lines)
    return reports.as_text(report, colour)


# `--watch`: a command done again whenever a file is saved, until Ctrl-C.

CALM = 0.3  # seconds without a save after which there is time for what takes longer
CLEAR = "\x1b[2J\x1b[H"
Soon = Callable[[Set[Path]], object]
Later = Callable[[], object]
Watch = Annotated[
    bool, typer.Option("--watch", help="Do it again whenever a file is saved; Ctrl-C ends it.")
]


def watch_loop(
    paths: Sequence[Path], folders: Sequence[Path], form: Format, file: Path | None
) -> WatchLoop:
    """What looks at files and the folders they lie in; ends the command if it cannot report so."""
    if file is None and not (form.is_for_people or form is Format.jsonl):
        help = "use `jsonl`, or write each report to `--output-file`"
        exit_with("KB009", f"`--watch` cannot print one `{form}` after another", help)
    return WatchLoop(testing.watcher_of(testing.watched_paths(paths, folders)))


@dataclass(frozen=True, slots=True)
class WatchLoop:
    """A command that is done again and again."""

    watcher: testing.FileWatcher

    def run(
        self, soon: Callable[[Set[Path]], object], later: Callable[[], object] | None
    ) -> NoReturn:
        """Do something now and whenever files change, and another thing when all is calm.

        What is done is told which files have changed.
        """
        changed: Set[Path] = set()
        while True:
            self._timed(changed, partial(soon, changed))
            changed = self.watcher.wait(CALM) if later is not None else set()
            if not changed and later is not None:
                self._until_saved(later)
            changed = changed or self.watcher.wait()

    def _until_saved(self, later: Later) -> None:
        """Do what takes longer; a save breaks it off, since it is answered first."""
        with suppress(testing.FileSaved):
            self._timed(set(), later)

    def _timed(self, changed: Set[Path], act: Later) -> None:
        """Do it below what is left on the screen, and say how long it took."""
        if sys.stdout.isatty():
            typer.echo(CLEAR, nl=False)
        begun = perf_counter()
        _report_faults(act)
        took = (perf_counter() - begun) * 1000
        names = ", ".join(sorted({path.name for path in changed})[:3])
        why = f" {names} changed:" if names else ""
        files = len(self.watcher.stamps)
        typer.echo(
            f"[{strftime('%H:%M:%S')}]{why} {took:.0f} ms; watching {files} files, Ctrl-C ends",
            err=True,
        )


def _report_faults(act: Later) -> None:
    """Do it; what would end another command is told and only ends this turn."""
    try:
        act()
    except (BrokenPipeError, testing.FileSaved):
        raise
    except typer.Exit:
        return
    except Exception as fault:
        report_exception(fault)

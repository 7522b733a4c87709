"""How reports reach the reader: for people or for programs, into files, on every save."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter, strftime
from typing import Annotated, Any, Literal, NoReturn

import typer

from kbrules.hooks import lazily

from .app import report_exception
from .terminal import clear_progress, exit_unwritten, exit_with, printable, wants_colour

with lazily():
    from kbrules.engine.logs import writing as log_writing
    from kbrules.tools import fmt as formatting, testing
    from kbrules.tools.reports import page as pages, report as reports


# How a command shows its report: printed or in a file, as a page, and its picture.

STDOUT = Path("-")

PageForm = Literal["full", "json"]
ReportForm = Literal["full", "concise", "json"]
FindingForm = Literal["full", "concise", "json", "jsonl", "github", "sarif", "junit"]
FULL: Literal["full"] = "full"


def form_option(schema: str) -> Any:
    """Return the option that chooses the form of a report; `schema` is that of its JSON."""
    return typer.Option(
        "--output-format", help=f"Form of the report; `json` is that of schemas/output/{schema}."
    )


File = Annotated[
    Path | None,
    typer.Option("--output-file", metavar="FILE", help="Write the report there instead."),
]
Html = Annotated[
    Path | None,
    typer.Option("--html", help="Write a page there with all of it; `-` is standard output."),
]
Svg = Annotated[
    Path | None, typer.Option("--svg", help="Write the picture there; `-` is standard output.")
]


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """The form that is printed, or written to `file`, and files for a page and a picture."""

    form: str
    html: Path | None = None
    svg: Path | None = None
    no_color: bool = False
    file: Path | None = None


def show(report: reports.Report, options: ReportOptions) -> None:
    """Write the files that are wanted, then print the report unless one of them was printed.

    A summary goes below it; of a form for programs nothing else gets to standard output.
    """
    if options.html is not None:
        write(options.html, pages.as_page(report))
    if options.svg is not None:
        write(options.svg, pages.as_picture(report) + "\n")
    if STDOUT in (options.html, options.svg):
        return
    form = reports.Form(options.form)
    if options.file is None:
        _print(report, form, wants_colour(options.no_color))
    else:
        text = reports.render(report, form)
        write(options.file, f"{text}\n" if text else "")
    if report.summary:
        typer.echo(report.summary, err=not form.is_for_people or options.file is not None)


def end_with(report: reports.Report, options: ReportOptions) -> NoReturn:
    """Show a report, and end the command with its exit code."""
    show(report, options)
    raise typer.Exit(report.exit_code)


def _print(report: reports.Report, form: reports.Form, colour: bool) -> None:
    """Print a report, with an empty line between it and its summary."""
    colour = colour and form is reports.Form.full
    if text := reports.render(report, form, colour):
        typer.echo(text, color=colour or None)
        if form is reports.Form.full and report.summary:
            typer.echo()


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


# `--watch`: a command done again whenever a file is saved, until Ctrl-C.

CALM = 0.3  # seconds without a save after which there is time for what takes longer
CLEAR = "\x1b[2J\x1b[H"
Soon = Callable[[Set[Path]], object]
Later = Callable[[], object]
Watch = Annotated[
    bool, typer.Option("--watch", help="Do it again whenever a file is saved; Ctrl-C ends it.")
]


def watch_loop(paths: Sequence[Path], folders: Sequence[Path], options: ReportOptions) -> WatchLoop:
    """What looks at files and the folders they lie in; ends the command if it cannot report so."""
    form = options.form
    if options.file is None and form not in ("full", "concise", "jsonl"):
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
        """Do something now and whenever files change, and something else when nothing does.

        What is done is told which files have changed.
        """
        changed: Set[Path] = set()
        while True:
            self._timed(changed, partial(soon, changed))
            changed = self.watcher.wait(CALM) if later is not None else set()
            if not changed and later is not None:
                with suppress(testing.FileSaved):  # a save is answered first
                    self._timed(set(), later)
            changed = changed or self.watcher.wait()

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

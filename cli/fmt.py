"""`kbrules fmt`: rule files in their one style."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from kbrules.hooks import lazily

from . import terminal
from .output import FULL, PageForm, ReportOptions, form_option, rewrite_files, show

with lazily():
    from kbrules import text as source_text
    from kbrules.tools import fmt as formatting


def command(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATH",
            help="Rule files or folders; `-` is standard input; by default the folder you are in.",
            show_default=False,
        ),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; name the files that would change.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Write nothing; show what would change.")
    ] = False,
    stdin_filename: terminal.Name = None,
    output_format: Annotated[PageForm, form_option("fmt")] = FULL,
) -> None:
    """Write rule files (*.kb) in their one style: there are no settings.

    Comments are kept. Ends with 0 if all is well, 1 if --check or --diff found a file that would
    change, 2 if a file could not be read.

    \b
    Examples:
      kbrules fmt                        every rule file below this folder
      kbrules fmt mine/rules/mill.kb     one of them
      kbrules fmt --check rules          for CI: 1 if a file would change
      kbrules fmt --diff mine            what would change
      kbrules fmt - < mill.kb            for editors: from standard input to standard output
      kbrules fmt - --stdin-filename mill.kb       and what is said names this file
    """
    if paths == [terminal.STDIN] and output_format != FULL:
        help = "leave out `--output-format`"
        terminal.exit_with("KB009", "of standard input only the text is printed", help)
    if paths == [terminal.STDIN]:
        _format_standard_input(stdin_filename or Path("<stdin>"), check, diff)
    elif stdin_filename is not None:
        terminal.exit_with(
            "KB009", "`--stdin-filename` goes with the path `-`, and no other", "leave it out"
        )
    else:
        _files([Path(path) for path in paths or ()], check, diff, output_format)


def _files(paths: list[Path], check: bool, diff: bool, form: PageForm) -> NoReturn:
    """Files written anew, or told about."""
    with terminal.Progress("formatting") as progress:
        files = list(formatting.formatted_files(paths, progress.show))
    terminal.print_findings([finding for file in files for finding in file.findings])
    changing = [file for file in files if file.changes]
    if not (check or diff):
        rewrite_files(changing)
    report = formatting.format_report(files, check or diff)
    if diff and form == FULL:
        _show(changing, diff)
    else:
        show(report, ReportOptions(form))
    verb = "would change" if check or diff else "changed"
    typer.echo(f"{len(changing)} of {source_text.counted(len(files), 'file')} {verb}", err=True)
    raise typer.Exit(report.exit_code)


def _format_standard_input(name: Path, check: bool, diff: bool) -> None:
    """Standard input to standard output."""
    typed = formatting.formatted_text(
        terminal.read_standard_input(name.as_posix()), Path("<stdin>")
    )
    file = replace(typed, path=name)
    if file.findings:
        terminal.exit_with_findings(file.findings)
    if check or diff:
        _show([file] if file.changes else [], diff)
        raise typer.Exit(int(file.changes))
    typer.echo(file.after, nl=False)


def _show(files: list[formatting.FormattedFile], diff: bool) -> None:
    for file in files:
        if diff:
            typer.echo(formatting.difference(file), nl=False)
        else:
            typer.echo(f"{terminal.printable(file.path)} would change")

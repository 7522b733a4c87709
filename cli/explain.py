"""`kbrules explain`: what a code means, shown on an example that is tried while you wait."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from typing import Annotated

import typer

from kbrules.hooks import lazily

from . import app, completion
from .output import FULL, PageForm, ReportOptions, end_with, form_option
from .terminal import exit_with

with lazily():
    from kbrules import diagnostics, messages
    from kbrules.library import load as loading
    from kbrules.tools import explain as explaining, show as showing
    from kbrules.tools.reports import report as reports


def command(
    code: Annotated[
        str | None,
        typer.Argument(
            help="A code, its short name, or a word; without it, all codes.",
            autocompletion=completion.codes,
        ),
    ] = None,
    output_format: Annotated[PageForm, form_option("explain")] = FULL,
) -> None:
    """Explain a code: what is wrong, an example of it, and how it is put right; or a word.

    \b
    Examples:
      kbrules explain KB203        the page of a code
      kbrules explain wrong-sort   the same one, by its short name
      kbrules explain              every code there is
      kbrules explain adjacent     a word that an author may write
    """
    end_with(_report(code), ReportOptions(output_format))


def _report(name: str | None) -> reports.Report:
    """Return the page of a code or word, or the list of codes; end the command if there is none."""
    if name is None:
        pages = map(explaining.page_data, messages.CODES.values())
        return explaining.explain_report(explaining.list_of_codes(), [*pages])
    if (code := explaining.code_named(name)) is not None:
        page = explaining.code_page(code, answer_to(code))
        return explaining.explain_report(page, [explaining.page_data(code, page)])
    entries = showing.entries_of(loading.load(), name)
    if not entries:
        names = [*messages.CODES, *(code.slug for code in messages.CODES.values())]
        help = diagnostics.did_you_mean(name, names, "`kbrules explain` lists the codes")
        exit_with("KB009", f"there is no code `{name}`", help)
    words = [explaining.PageData(kind=e.kind or "word", id=e.name, text=e.text) for e in entries]
    return explaining.explain_report("\n\n".join(each.text for each in entries), words)


def answer_to(code: messages.Code) -> str:
    """What we say to somebody who writes the wrong example of a code."""
    example = code.wrong
    if example.commands:
        with explaining.example_folder(example):
            return [_run(line.split()) for line in example.commands][-1]
    findings = explaining.findings_of(example, code) if example.files else ()
    return "\n\n".join(map(diagnostics.render_full, findings))


def _run(arguments: list[str]) -> str:
    """What a command line prints."""
    output = io.StringIO()
    with redirect_stdout(output), redirect_stderr(output):
        app.app(arguments, prog_name="kbrules", standalone_mode=False)
    return output.getvalue().rstrip()

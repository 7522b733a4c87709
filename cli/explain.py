"""`kbrules explain`: what a code means, shown on an example that is tried while you wait."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from typing import Annotated, NoReturn

import typer

from . import app, completion
from .lazily import lazily
from .output import PageForm, PageFormat
from .terminal import exit_with, wants_colour

with lazily():
    from kbrules import diagnostics, messages
    from kbrules.library import load as loading
    from kbrules.tools import explain as explaining, show as showing
    from kbrules.tools.reports import output_models, report as reports


def command(
    code: Annotated[
        str | None,
        typer.Argument(
            help="A code, its short name, or a word; without it, all codes.",
            autocompletion=completion.codes,
        ),
    ] = None,
    output_format: PageForm = PageFormat.full,
) -> None:
    """Explain a code: what is wrong, an example of it, and how it is put right; or a word.

    \b
    Examples:
      kbrules explain KB203        the page of a code
      kbrules explain wrong-sort   the same one, by its short name
      kbrules explain              every code there is
      kbrules explain adjacent     a word that an author may write
    """
    if output_format is PageFormat.json:
        return _show_json(code)
    if code is None:
        typer.echo(explaining.list_of_codes())
        return
    found = explaining.code_named(code)
    if found is None and (pages := _word_pages(code)):
        typer.echo(pages)
        return
    if found is None:
        _no_code(code, explaining.nearest_code(code))
    page = explaining.code_page(found, answer_to(found))
    colour = wants_colour(False)
    typer.echo(reports.coloured(page) if colour else page, color=colour or None)


def _no_code(code: str, near: str | None) -> NoReturn:
    help = f"did you mean `{near}`?" if near else "`kbrules explain` lists the codes"
    exit_with("KB009", f"there is no code `{code}`", help)


def _show_json(name: str | None) -> None:
    def page(code: messages.Code, text: str) -> output_models.PageOutput:
        return output_models.PageOutput(
            kind="code", id=code.code, title=code.title, severity=code.severity, text=text
        )

    found = explaining.code_named(name) if name is not None else None
    if name is None:
        pages = [page(code, "") for code in messages.CODES.values()]
    elif found is not None:
        pages = [page(found, explaining.code_page(found, answer_to(found)))]
    else:
        entries = showing.entries_of(loading.load(), name)
        pages = [
            output_models.PageOutput(kind=e.kind or "word", id=e.name, text=e.text) for e in entries
        ]
        if not pages:
            _no_code(name, explaining.nearest_code(name))
    typer.echo(output_models.as_json(output_models.ExplainOutput(pages=tuple(pages))))


def _word_pages(word: str) -> str:
    """What a word of the language, of the usual boxes or of their files means."""
    return "\n\n".join(each.text for each in showing.entries_of(loading.load(), word))


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

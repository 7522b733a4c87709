"""`kbrules explain`: what a code means, shown on an example that is tried while you wait."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from .terminal import completion
from .terminal.colours import wants_colour
from .terminal.findings import exit_with
from .terminal.output import PageForm, PageFormat

if TYPE_CHECKING:
    from kbrules.messages import Code


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
    from kbrules.tools.explain import (
        code_named,
        code_page,
        list_of_codes,
        nearest_code,
    )

    if output_format is PageFormat.json:
        return _show_json(code)
    if code is None:
        typer.echo(list_of_codes())
        return
    found = code_named(code)
    if found is None and (pages := _word_pages(code)):
        typer.echo(pages)
        return
    if found is None:
        _no_code(code, nearest_code(code))
    page = code_page(found, answer_to(found))
    colour = wants_colour(False)
    from kbrules.tools.reports.report import coloured

    typer.echo(coloured(page) if colour else page, color=colour or None)


def _no_code(code: str, near: str | None) -> NoReturn:
    help = f"did you mean `{near}`?" if near else "`kbrules explain` lists the codes"
    exit_with("KB009", f"there is no code `{code}`", help)


def _show_json(name: str | None) -> None:
    from kbrules.library.load import load
    from kbrules.messages import CODES
    from kbrules.tools.explain import code_named, code_page, nearest_code
    from kbrules.tools.reports.output_models import ExplainOutput, PageOutput, as_json
    from kbrules.tools.show import entries_of

    def page(code: Code, text: str) -> PageOutput:
        return PageOutput(
            kind="code", id=code.code, title=code.title, severity=code.severity, text=text
        )

    found = code_named(name) if name is not None else None
    if name is None:
        pages = [page(code, "") for code in CODES.values()]
    elif found is not None:
        pages = [page(found, code_page(found, answer_to(found)))]
    else:
        entries = entries_of(load(), name)
        pages = [PageOutput(kind=e.kind or "word", id=e.name, text=e.text) for e in entries]
        if not pages:
            _no_code(name, nearest_code(name))
    typer.echo(as_json(ExplainOutput(pages=tuple(pages))))


def _word_pages(word: str) -> str:
    """What a word of the language, of the usual boxes or of their files means."""
    from kbrules.library.load import load
    from kbrules.tools.show import entries_of

    return "\n\n".join(each.text for each in entries_of(load(), word))


def answer_to(code: Code) -> str:
    """What we say to somebody who writes the wrong example of a code."""
    from kbrules.diagnostics import render_full
    from kbrules.tools.explain import example_folder, findings_of

    example = code.wrong
    if example.commands:
        with example_folder(example):
            return [_run(line.split()) for line in example.commands][-1]
    return "\n\n".join(map(render_full, findings_of(example, code) if example.files else ()))


def _run(arguments: list[str]) -> str:
    """What a command line prints."""
    from .app import app

    output = io.StringIO()
    with redirect_stdout(output), redirect_stderr(output):
        app(arguments, prog_name="kbrules", standalone_mode=False)
    return output.getvalue().rstrip()

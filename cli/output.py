"""How findings reach the reader: in full and in colour on a terminal, or in a form for programs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

import typer

from .paint import wants_colour

if TYPE_CHECKING:
    from kbrules.diagnostics import Diagnostic

__all__ = ["Format", "painted", "rendered", "show"]


class Format(StrEnum):
    """The forms of a report."""

    full = "full"
    concise = "concise"
    json = "json"
    github = "github"

    @property
    def is_for_people(self) -> bool:
        """Whether a summary may stand below it."""
        return self in (Format.full, Format.concise)


# What a line of a rendered finding begins with, and how its parts are painted.
_HEAD = re.compile(
    r"^(?P<place>.*?:\d+:\d+: )(?P<code>(?P<kind>error|warning)\[KB\d+\])(?P<rest>: .*)$"
)
_HUES = {"error": "red", "warning": "yellow"}
_SOURCE = re.compile(r"^(?P<gutter> *\d* \| ?)(?P<text>.*)$")
_HELP = re.compile(r"^(?P<word> +help:)(?P<text>.*)$")
_MARK = re.compile(r"^ *(\^+|-+ .*)$")


def rendered(findings: Sequence[Diagnostic], form: Format) -> str:
    """The findings in a form, without colours."""
    from kbrules import diagnostics

    match form:
        case Format.json:
            return diagnostics.render_json(findings)
        case Format.github:
            return diagnostics.render_github(findings)
        case Format.concise:
            return "\n".join(map(diagnostics.render_concise, findings))
        case Format.full:
            return "\n\n".join(map(diagnostics.render_full, findings))


def show(findings: Sequence[Diagnostic], form: Format, summary: str) -> None:
    """Print findings; of a form for programs nothing else gets to standard output."""
    text = rendered(findings, form)
    colour = form is Format.full and wants_colour(False)
    if text:
        typer.echo(painted(text) if colour else text, color=colour or None)
    if form is Format.full and text:
        typer.echo()
    typer.echo(summary, err=not form.is_for_people)


def painted(text: str) -> str:
    """A rendering in full with colours: red errors, yellow warnings, blue numbers, cyan help."""
    return "\n".join(_line(line) for line in text.split("\n"))


def _line(line: str) -> str:
    if found := _HEAD.match(line):
        code = typer.style(found["code"], fg=_HUES[found["kind"]], bold=True)
        return found["place"] + code + typer.style(found["rest"], bold=True)
    if found := _HELP.match(line):
        return typer.style(found["word"], fg="cyan") + found["text"]
    if found := _SOURCE.match(line):
        is_mark = not found["gutter"].strip(" |") and _MARK.match(found["text"])
        text = typer.style(found["text"], fg="red") if is_mark else found["text"]
        return typer.style(found["gutter"], fg="blue") + text
    return line

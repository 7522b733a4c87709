"""Which warnings a command is to give: what its options say, and what is set for the folder."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from ..terminal.findings import exit_with_findings

if TYPE_CHECKING:
    from kbrules.tools.lint.settings import LintSettings


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


def lint_settings(
    select: Sequence[str], ignore: Sequence[str], samples: int | None, isolated: bool
) -> LintSettings:
    """Return the warnings that are wanted of each file; end the command if a name means none."""
    from kbrules.tools.lint.settings import LintSettings

    selected, ignored = _named("--select", select), _named("--ignore", ignore)
    return LintSettings(selected, ignored, samples, isolated)


def _named(option: str, values: Sequence[str]) -> frozenset[str]:
    """The codes that the values of an option name; a value may be a list with commas."""
    from kbrules.text import Span
    from kbrules.tools.lint.run import codes_named

    names = [name for value in values for name in value.split(",") if name.strip()]
    codes, problems = codes_named(names, Span.none(option))
    if problems:
        exit_with_findings(problems)
    return codes

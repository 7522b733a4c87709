"""`kbrules conform`: cases of conformance, run by both engines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from kbrules.hooks import lazily

from .options import Engine
from .output import FULL, ReportForm, ReportOptions, end_with, form_option
from .terminal import Progress, exit_with_findings

with lazily():
    from kbrules.tools import conform as conformance

Files = Annotated[
    list[Path],
    typer.Argument(metavar="FILE", help="Files of cases (*.json).", show_default=False),
]
Engines = Annotated[
    list[Engine] | None,
    typer.Option(
        "--engine",
        help="Who answers, instead of `reference` and `python`; again. `native` needs "
        "`kbrules[fast]`.",
    ),
]
Form = Annotated[ReportForm, form_option("conform")]


def command(files: Files, engine: Engines = None, output_format: Form = FULL) -> None:
    """Run cases of conformance: positions with their legal moves, refusals, scores and events.

    Says for each case that fails what was expected and what an engine answers. The format stands
    in docs/conformance.md.

    The exit code is 0 if all cases hold, 1 if one does not, 2 if a file cannot be used.

    \b
    kbrules conform cases.json                      by the reference and the Python kernel
    kbrules conform cases.json --engine reference   by one of them
    """
    engines = engine or [Engine.reference, Engine.python]
    results = _run([_read(file) for file in files], engines)
    end_with(conformance.conformance_report(results), ReportOptions(output_format))


def _read(file: Path) -> conformance.ConformanceFile:
    """The cases of a file; ends the command if it cannot be used."""
    cases, found = conformance.read_cases(file)
    if cases is None:
        exit_with_findings(found)
    return cases


def _run(
    files: Sequence[conformance.ConformanceFile], engines: Sequence[Engine]
) -> list[conformance.CaseResult]:
    """The result of each case by each engine; raises CodedError if an engine cannot be made."""
    results: list[conformance.CaseResult] = []
    count = len(engines) * sum(len(file.cases) for file in files)
    with Progress("running") as progress:
        progress.show(0, count, "cases")
        for engine in engines:
            for file in files:
                for result in conformance.ConformanceRunner(engine.value).run(file):
                    results.append(result)
                    progress.show(len(results), count, "cases")
    return results

"""`kbrules test`: run scenarios and the examples in rule files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from .boxes import wanted
from .cover import Cover, CoverFile, FailUnder, wish
from .findings import refuse
from .mutants import Wishes, mutated
from .output import File, Form, Format, show
from .progress import Progress
from .watching import Watch, watching

if TYPE_CHECKING:
    from kbrules.diagnostics import Diagnostic
    from kbrules.scenario.running.collect import Collection
    from kbrules.scenario.running.items import Result

__all__ = ["command"]

Paths = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="PATH",
        help="Scenario files, rule files or folders; by default the shipped rules, and the "
        "expansion whose folder you are in.",
        show_default=False,
    ),
]
Only = Annotated[
    str, typer.Option("-k", "--only", help="Only those whose name holds this.", metavar="EXPR")
]
With = Annotated[
    list[str] | None,
    typer.Option("--with", help="A box, `all`, or the folder of an expansion; again or a,b."),
]
Mutate = Annotated[
    bool, typer.Option("--mutate", help="Plant small faults in the rules: do the tests notice?")
]
MutateOnly = Annotated[
    str, typer.Option("--mutate-only", help="Only in declarations so named.", metavar="EXPR")
]
Search = Annotated[
    bool,
    typer.Option("--search/--no-search", help="With --mutate: look for tests that would notice."),
]
Jobs = Annotated[
    int, typer.Option("--jobs", help="With --mutate: processes; 0 is one per core.", min=0)
]


def command(
    paths: Paths = None,
    only: Only = "",
    with_: With = None,
    output_format: Form = Format.full,
    output_file: File = None,
    coverage: Cover = False,
    coverage_json: CoverFile = None,
    fail_under: FailUnder = "",
    mutate: Mutate = False,
    mutate_only: MutateOnly = "",
    jobs: Jobs = 0,
    search: Search = True,
    watch: Watch = False,
) -> None:
    """Run scenarios (*.scenario.yaml) and the examples in rule files (*.kb).

    Says for each what was expected and what was found, on a picture of the board. Ends with 0 if
    all hold, 1 if some do not, 2 if some could not be run or there is none.
    Where one holds and is hardly meant as it is written, a warning says so.

    With --coverage it says as well which clauses of the rules were reached, which of them were
    only ever true or only ever false, and which steps changed nothing; of an expansion only its
    own. What a clause is, and the form of the JSON, stands in docs/coverage.md.

    With --mutate, plants one small fault after the other in the rule files below the paths, such
    as 4 for 3 or a condition left out, and says which of them no test notices. Ends with 0 if all
    are noticed or listed with a reason in a `mutants.yaml`; with --fail-under, if so many of a
    hundred are noticed.

    \b
    Examples:
      kbrules test                             the shipped rules, and the expansion you are in
      kbrules test my-expansion                all of an expansion
      kbrules test scenarios/ -k "two in a row and not slow"
      kbrules test --output-format junit --output-file report.xml
      kbrules test my-expansion --coverage --fail-under 100,95
      kbrules test my-expansion --mutate       what its tests would not notice
      kbrules test my-expansion --mutate --mutate-only "card rowers" --fail-under 90
      kbrules test my-expansion --watch        on every save, what it may change
    """
    from kbrules.scenario.running.collect import collect
    from kbrules.tools.reports.tested import exit_code

    boxes, folders = wanted(with_ or [])
    _runs_only(watch, mutate, coverage, coverage_json, fail_under)
    if mutate:
        wishes = Wishes(mutate_only, fail_under, jobs, search, output_format, output_file)
        mutated(paths or [], boxes, folders, wishes)
    chooses = _chooser(only)
    if watch:
        _again_and_again(paths or [], boxes, folders, chooses, output_format, output_file)
    covering = wish(coverage, coverage_json, fail_under)
    collection = collect(paths or [], boxes, folders, covering.caches)
    covering.begin()
    streaming = output_format is Format.jsonl and output_file is None
    running = _run(collection, chooses)
    results = list(_streamed(collection, running) if streaming else running)
    if not results and not collection.findings:
        help = "no name holds what `-k` asks for" if collection.items else "look at the path"
        refuse("KB007", "there is no scenario and no example to run", help)
    extend = covering.end(paths or [], output_format)
    _report(results, collection.findings, output_format, output_file, extend)
    told = covering.tell(output_format)
    raise typer.Exit(max(told, exit_code(results, collection.findings)))


def _runs_only(watch: bool, *wishes: object) -> None:
    """End the command if something is to be watched and more than run."""
    if watch and any(wishes):
        refuse("KB009", "`--watch` only runs tests", "leave out `--coverage` and `--mutate`")


def _again_and_again(
    paths: list[Path],
    boxes: list[str],
    folders: list[Path],
    chooses: Callable[[str], bool],
    form: Format,
    file: Path | None,
) -> NoReturn:
    """Test on every save what it may change, and report on all."""
    from kbrules.tools.checking.watch.rerunning import Rerunner
    from kbrules.tools.reports.tested import TESTED, summary

    rerunner = Rerunner(paths, boxes, folders, chooses)

    def test(changed: Set[Path]) -> None:
        whole = rerunner.test(changed)
        results, findings = whole.results, whole.findings
        line = f"{summary(results, findings)}, {whole.run} of them run just now"
        show(TESTED[form](results, findings), form, file, line)

    watching(paths, folders, form, file).run(test, None)


def _streamed(collection: Collection, results: Iterator[Result]) -> Iterator[Result]:
    """The results, each printed as a line as soon as it is there."""
    from kbrules.tools.reports.tested import opening, result_line

    for line in opening(collection.findings):
        typer.echo(line)
    for result in results:
        typer.echo(result_line(result))
        yield result


def _report(
    results: Sequence[Result],
    findings: Sequence[Diagnostic],
    form: Format,
    file: Path | None,
    extend: Callable[[str], str] | None,
) -> None:
    """Print the report, or what a stream of lines ends with."""
    from kbrules.tools.reports.tested import TESTED, closing, summary

    ends = form is Format.jsonl and file is None
    text = closing(results, findings) if ends else TESTED[form](results, findings)
    text = text if extend is None else extend(text)
    show(text, form, file, summary(results, findings))


def _chooser(only: str) -> Callable[[str], bool]:
    from kbrules.scenario.running.selection import selector

    if not only:
        return lambda id: True
    try:
        return selector(only)
    except ValueError as error:
        help = "write words, `and`, `or`, `not` and brackets"
        refuse("KB009", f"`-k {only}` cannot be read: {error}", help)


def _run(collection: Collection, chooses: Callable[[str], bool]) -> Iterator[Result]:
    """Run what was chosen, and say how far it is."""
    from kbrules.scenario.running.items import run_all

    chosen = [item for item in collection.items if chooses(item.id)]
    with Progress("running", "tests") as progress:
        for number, result in enumerate(run_all(chosen), 1):
            progress.show(number, len(chosen))
            yield result

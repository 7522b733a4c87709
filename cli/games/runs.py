"""Runs of many games for `simulate`, `ladder` and `balance`: who plays, until when, and results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

from ..terminal.findings import INTERRUPTED, exit_with, printable
from ..terminal.output import check_folders
from ..terminal.progress import Progress
from ..terminal.reports import ReportOptions, show_report
from .table_options import setup_errors

if TYPE_CHECKING:
    from kbrules.engine.game import Game
    from kbrules.tools.simulate.question import Question, QuestionTables
    from kbrules.tools.simulate.report import Answer
    from kbrules.tools.simulate.run import PlayMethod, RunProgress, SpanPool, Store

DEFAULT_SECONDS = 30.0
"""How long a run goes on by itself that was told no end."""
_MAX_SHOWN = 10**8  # deals that nobody waits for: the end is a matter of time
ShowAnswer = Callable[["Answer", ReportOptions], None]


@dataclass(frozen=True, slots=True)
class StopOptions:
    """When a run ends: deals, seconds, and how far the interval may reach to either side."""

    deals: int | None
    seconds: float | None
    until: float | None = None


@dataclass(frozen=True, slots=True)
class WorkerOptions:
    """Who plays: how many processes, and whether by the native kernel what it can play.

    jobs: None for one for each core. cluster: the address of one whose processes play instead.
    """

    jobs: int | None
    fast: bool
    cluster: str | None = None

    @property
    def method(self) -> PlayMethod:
        """How games are played."""
        from kbrules.tools.simulate.run import NATIVE_METHOD, REFERENCE_METHOD

        return NATIVE_METHOD if self.fast else REFERENCE_METHOD

    @property
    def processes(self) -> int:
        """How many processes play."""
        from kbrules.tools.processes import cores

        return self.jobs or cores()

    def pool(self, tables: QuestionTables, is_timed: bool, executor: Executor | None) -> SpanPool:
        """The pool; ends the command if there is no native kernel for these rules.

        is_timed: whether it has to end in time, and be it in the middle of a game, which only
        others can. executor: see `executor`.
        """
        from kbrules.tools.processes import Parallel, Serial
        from kbrules.tools.simulate.run import play, prepare

        if self.fast:
            deal, sides = tables.question.deal(0), range(len(tables.rulesets))
            games = (tables.game(deal, side) for side in sides)
            compile_kernels(tables.question.parties, games, deal.seed)
        if self.processes == 1 and not is_timed and executor is None:
            return Serial(lambda span: play(tables, span, self.method))
        arguments = tables.question, tables.digests, self.method
        return Parallel(self.processes, prepare, *arguments, executor=executor)

    @contextmanager
    def executor(self) -> Iterator[tuple[WorkerOptions, Executor | None]]:
        """The same with as many jobs as the cluster has processes, and its executor, if any."""
        if self.cluster is None:
            yield self, None
            return
        from kbrules.tools.processes import cluster

        with cluster(self.cluster) as executor:
            yield replace(self, jobs=executor.size), executor


def compile_kernels(parties: Sequence[Sequence[str]], games: Iterable[Game], seed: int) -> None:
    """Compile the kernels here, where it can be said why not; others find them in the cache.

    A game that needs more room than they have is played by the reference later on. Ends the command
    if no party has any use for them.
    """
    from kbrules.engine.simulation.kernels import OutOfRoom
    from kbrules.tools.simulate.run import NATIVE_METHOD

    if not any(map(_uses_kernel, parties)):
        message = "`--fast` plays random games, those in which `mc` looks ahead too: there are none"
        exit_with("KB009", message, "add `--bots random`, or leave out `--fast`")
    for game in games:
        with suppress(OutOfRoom):
            list(game.playouts([seed], NATIVE_METHOD.engine))


def _uses_kernel(party: Sequence[str]) -> bool:
    """Whether the native kernel plays any of a party's games, or is asked in one."""
    from kbrules.tools.bots import RANDOM, has_native_bot

    return {*party} == {RANDOM} or any(map(has_native_bot, party))


@dataclass(frozen=True, slots=True)
class ResultsOptions:
    """Where the games are kept: in a file that is named, in one of a default name, or nowhere."""

    path: Path | None
    nowhere: bool

    @property
    def has_default_name(self) -> bool:
        """Whether it is a file that nobody named."""
        return self.path is None and not self.nowhere

    def file(self, noun: str, facts: Mapping[str, str]) -> str | Path:
        """The file of a question; ends the command if there can be none."""
        from kbrules.tools.simulate.results_file import MEMORY, default_name

        if self.nowhere:
            return MEMORY
        path = self.path or Path(default_name(noun, facts))
        if path.is_dir() or not path.absolute().parent.is_dir():
            help = "there is no such folder, or it is one; `--no-file` keeps no games"
            exit_with("KB008", f"`{path}` cannot be written", help)
        return path


def tables_for(question: Question) -> QuestionTables:
    """The tables of a question; ends the command if they cannot be had."""
    from kbrules.tools.simulate.question import QuestionTables

    tables = QuestionTables(question)
    with setup_errors(tables.rulesets[-1], question.players):
        tables.check()
    return tables


def run(
    tables: QuestionTables,
    stop: StopOptions,
    worker_options: WorkerOptions,
    results: ResultsOptions,
    report: ReportOptions,
    noun: str = "simulation",
    show: ShowAnswer | None = None,
) -> None:
    """Play until it is enough, keep what was played, and print the answer.

    noun: the first word of the file's default name. show: prints it, if not as a simulation.
    """
    from kbrules.tools.simulate.run import Store, facts_of

    check_folders((report.html, report.svg))
    file = results.file(noun, facts_of(tables))
    with (
        worker_errors(),
        worker_options.executor() as (pool_options, executor),
        Store(file) as store,
    ):
        store.begin(tables)
        answer = _answer(store, stop, pool_options.pool(tables, stop.seconds is not None, executor))
        if not answer.deals:
            help = "give them longer with `--within`, or ask for bots that try less"
            exit_with("KB057", "no deal was finished in the time that there was", help)
        (show or _show)(answer, report)
        if not results.nowhere:
            typer.echo(f"the games are in {printable(store.path)}", err=True)


@contextmanager
def worker_errors() -> Iterator[None]:
    """Say of a lost worker that what was done is kept."""
    from kbrules.tools.processes import WorkerLost

    try:
        yield
    except WorkerLost as lost:
        lost.help += "; what was done is kept in the file"
        raise


def _answer(store: Store, stop: StopOptions, pool: SpanPool) -> Answer:
    from kbrules.tools.simulate.report import MOST, StopRule, answer_question

    rule = StopRule(stop.deals or MOST, stop.seconds or float("inf"), stop.until or 0.0)
    line = _ProgressLine(Progress("playing"))
    try:
        with line.progress:
            answer = answer_question(store, pool, rule, line.show)
    except KeyboardInterrupt:
        exit_interrupted(store.path, store.games)
    finally:
        pool.close()
    line.note_fallbacks()
    return answer


class _ProgressLine:
    """Says how far a run is and, in the end, which games another engine played."""

    def __init__(self, progress: Progress) -> None:
        self.progress, self._by_reference = progress, 0

    def show(self, run: RunProgress) -> None:
        """Where nobody waits for so many deals, the end is a matter of time."""
        self._by_reference = run.by_reference
        wanted = run.wanted if run.wanted <= _MAX_SHOWN else None
        self.progress.show(run.done, wanted, "deals")

    def note_fallbacks(self) -> None:
        """Say that games were too large for the engine that was asked for, if any was."""
        if self._by_reference:
            games = "1 game" if self._by_reference == 1 else f"{self._by_reference:,} games"
            why = "needed more room than the kernel has: the reference played"
            it = "it" if self._by_reference == 1 else "them"
            typer.echo(f"note: {games} {why} {it}, with the same result", err=True)


def exit_interrupted(path: str, games: int) -> NoReturn:
    """Say where the games are that were played, and end the command as one that was interrupted."""
    from kbrules.tools.simulate.results_file import MEMORY

    done = f"{games:,} games are in {path}, and the same command goes on from there"
    typer.echo("interrupted" if path == MEMORY else f"interrupted; {done}", err=True)
    raise typer.Exit(INTERRUPTED)


def show_file(path: Path, report: ReportOptions, show: ShowAnswer | None = None) -> None:
    """Print what a file says, as `run` would; ends the command if it says nothing."""
    from kbrules.tools.simulate.report import answer_in_file
    from kbrules.tools.simulate.results_file import UnusableFile
    from kbrules.tools.simulate.run import Store

    if not path.is_file():
        exit_with("KB001", f"`{path}` does not exist", "look for a slip in the path")
    try:
        with Store(path) as store:
            if not store.done:
                exit_with("KB056", f"`{path}` holds no game yet", "`kbrules simulate` plays some")
            (show or _show)(answer_in_file(store), report)
    except UnusableFile as error:
        exit_with(error.code, str(error), "name a file that `kbrules simulate` has written")


def _show(answer: Answer, report: ReportOptions) -> None:
    from kbrules.tools.simulate.report import simulation_report, simulation_svg

    show_report(simulation_report(answer), report, lambda: simulation_svg(answer))

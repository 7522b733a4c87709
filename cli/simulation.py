"""How a simulation is run from the command line: its file, its progress, its report."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

from .picture_files import check_room
from .terminal.findings import exit_with, printable
from .terminal.progress import Progress
from .terminal.reports import ReportOptions, show_report

if TYPE_CHECKING:
    from kbrules.engine.game import Game
    from kbrules.tools.measuring.simulate.answer import Answer
    from kbrules.tools.measuring.simulate.run import RunProgress, SpanPool
    from kbrules.tools.measuring.simulate.store import Store
    from kbrules.tools.measuring.simulate.tables import Tables

__all__ = [
    "ResultsOptions",
    "StopOptions",
    "WorkerOptions",
    "exit_interrupted",
    "playing",
    "run",
    "show_file",
    "try_kernel",
]  # fmt: skip

INTERRUPTED = 130
Show = Callable[["Answer", ReportOptions], None]

_MANY = 10**8  # deals that nobody waits for: the end is a matter of time


@dataclass(frozen=True, slots=True)
class StopOptions:
    """When it is enough: deals, seconds, and how far the interval may reach to either side."""

    deals: int | None
    seconds: float | None
    until: float | None


@dataclass(frozen=True, slots=True)
class WorkerOptions:
    """Who plays: how many processes, and whether by the native program what it can play.

    cluster: the address of one whose processes play instead.
    """

    jobs: int
    fast: bool
    cluster: str | None = None

    def pool(self, tables: Tables, is_timed: bool, executor: Executor | None) -> SpanPool:
        """The pool; ends the command if there is no native program for these rules.

        is_timed: whether it has to end in time, and be it in the middle of a game, which only
        others can. executor: see `executor`.
        """
        from kbrules.tools.measuring.simulate.playing import (
            NATIVE_METHOD,
            REFERENCE_METHOD,
            play,
            prepare,
        )
        from kbrules.tools.processes.pool import Parallel, Serial

        way = NATIVE_METHOD if self.fast else REFERENCE_METHOD
        if self.fast:
            deal, sides = tables.question.deal(0), range(len(tables.rulesets))
            games = (tables.game(deal, side) for side in sides)
            try_kernel(tables.question.parties, games, deal.seed)
        if self.jobs == 1 and not is_timed and executor is None:
            return Serial(lambda span: play(tables, span, way))
        given = tables.question, tables.digests, way
        return Parallel(self.jobs, prepare, *given, executor=executor)

    @contextmanager
    def executor(self) -> Iterator[tuple[WorkerOptions, Executor | None]]:
        """The same with as many jobs as the cluster has processes, and its executor, if any."""
        if self.cluster is None:
            yield self, None
            return
        from kbrules.tools.processes.cluster import cluster

        with cluster(self.cluster) as executor:
            yield replace(self, jobs=executor.size), executor


def try_kernel(parties: Sequence[Sequence[str]], games: Iterable[Game], seed: int) -> None:
    """Make the program here, where its maker can say why not; the others find it on the disk.

    Ends the command if none can be made, or if no party has any use for it.
    """
    from kbrules.kernel.errors import MissingNumba, NotLowered
    from kbrules.tools.measuring.simulate.playing import NATIVE_METHOD

    if not any(map(_is_any_faster, parties)):
        message = "`--fast` plays random games, those in which `mc` looks ahead too: there are none"
        exit_with("KB009", message, "add `--bots random`, or leave out `--fast`")
    try:
        for game in games:
            list(game.playouts([seed], NATIVE_METHOD.engine))
    except (MissingNumba, NotLowered) as error:
        exit_with(error.code, str(error), error.help)


def _is_any_faster(party: Sequence[str]) -> bool:
    """Whether the native program plays any of a party's games, or is asked in one."""
    from kbrules.tools.playing.bots import RANDOM, has_native_bot

    return {*party} == {RANDOM} or any(map(has_native_bot, party))


@dataclass(frozen=True, slots=True)
class ResultsOptions:
    """Where the games are kept: in a file that is named, in one of the usual name, or nowhere."""

    path: Path | None
    nowhere: bool

    @property
    def is_usual(self) -> bool:
        """Whether it is a file that nobody named."""
        return self.path is None and not self.nowhere

    def file(self, noun: str, facts: Mapping[str, str]) -> str | Path:
        """The file of a question; ends the command if there can be none."""
        from kbrules.tools.measuring.results_file import MEMORY, default_name

        if self.nowhere:
            return MEMORY
        path = self.path or Path(default_name(noun, facts))
        if path.is_dir() or not path.absolute().parent.is_dir():
            help = "there is no such folder, or it is one; `--no-file` keeps no games"
            exit_with("KB008", f"`{path}` cannot be written", help)
        return path


def run(
    tables: Tables,
    wish: StopOptions,
    hands: WorkerOptions,
    kept: ResultsOptions,
    forms: ReportOptions,
    noun: str = "simulation",
    show: Show | None = None,
) -> None:
    """Play until it is enough, keep what was played, and tell what it says.

    noun: the first word of the file's usual name. show: tells it, if not as a simulation.
    """
    from kbrules.tools.measuring.simulate.store import Store, facts_of

    check_room((forms.html, forms.svg))
    file = kept.file(noun, facts_of(tables))
    with playing(), hands.executor() as (hands, executor), Store(file) as store:
        store.begin(tables)
        answer = _answer(store, wish, hands.pool(tables, wish.seconds is not None, executor))
        if not answer.deals:
            help = "give them longer with `--within`, or ask for bots that try less"
            exit_with("KB057", "no deal was finished in the time that there was", help)
        (show or _show)(answer, forms)
        if not kept.nowhere:
            typer.echo(f"the games are in {printable(store.path)}", err=True)


@contextmanager
def playing() -> Iterator[None]:
    """End the command with the reason where games cannot be played, or kept in their file."""
    from kbrules.tools.measuring.results_file import OtherQuestion, UnusableFile

    try:
        with with_worker_pool("; what was done is kept in the file"):
            yield
    except (OtherQuestion, UnusableFile) as error:
        exit_with(error.code, str(error), error.help)


@contextmanager
def with_worker_pool(kept: str = "") -> Iterator[None]:
    """End the command with the reason where a worker is lost, or the rules it read are changed."""
    from kbrules.tools.processes.extras import MissingExtra
    from kbrules.tools.processes.pool import RulesChanged, WorkerLost

    try:
        yield
    except RulesChanged:
        help = "start again; a cluster needs the same kbrules and the same folders"
        exit_with("KB009", "the rules were changed while they were played", help)
    except WorkerLost as lost:
        exit_with(lost.code, str(lost), f"{lost.help}{kept}")
    except MissingExtra as missing:
        exit_with(missing.code, str(missing), missing.help)


def _answer(store: Store, wish: StopOptions, pool: SpanPool) -> Answer:
    from kbrules.tools.measuring.simulate.answer import MOST, StopRule, answer_question

    enough = StopRule(wish.deals or MOST, wish.seconds or float("inf"), wish.until or 0.0)
    line = _ProgressLine(Progress("playing"))
    try:
        with line.progress:
            found = answer_question(store, pool, enough, line.show)
    except KeyboardInterrupt:
        exit_interrupted(store.path, store.games)
    finally:
        pool.close()
    line.tell()
    return found


class _ProgressLine:
    """Says how far a run is and, in the end, which games another engine played."""

    def __init__(self, progress: Progress) -> None:
        self.progress, self._by_reference = progress, 0

    def show(self, run: RunProgress) -> None:
        """Where nobody waits for so many deals, the end is a matter of time."""
        self._by_reference = run.by_reference
        self.progress.show(run.done, run.wanted if run.wanted <= _MANY else None, "deals")

    def tell(self) -> None:
        """Say that games were too large for the engine that was asked for, if any was."""
        if self._by_reference:
            games = "1 game" if self._by_reference == 1 else f"{self._by_reference:,} games"
            why = "needed more room than the native engine has: the reference played"
            it = "it" if self._by_reference == 1 else "them"
            typer.echo(f"note: {games} {why} {it}, with the same result", err=True)


def exit_interrupted(path: str, games: int) -> NoReturn:
    """Say where the games are that were played, and end the command as one that was interrupted."""
    from kbrules.tools.measuring.results_file import MEMORY

    done = f"{games:,} games are in {path}, and the same command goes on from there"
    typer.echo("interrupted" if path == MEMORY else f"interrupted; {done}", err=True)
    raise typer.Exit(INTERRUPTED)


def show_file(path: Path, forms: ReportOptions, show: Show | None = None) -> None:
    """Tell what a file says, as `run` would; ends the command if it says nothing."""
    from kbrules.tools.measuring.results_file import UnusableFile
    from kbrules.tools.measuring.simulate.answer import answer_in_file
    from kbrules.tools.measuring.simulate.store import Store

    if not path.is_file():
        exit_with("KB001", f"`{path}` does not exist", "look for a slip in the path")
    try:
        with Store(path) as store:
            if not store.done:
                exit_with("KB056", f"`{path}` holds no game yet", "`kbrules simulate` plays some")
            (show or _show)(answer_in_file(store), forms)
    except UnusableFile as error:
        exit_with(error.code, str(error), "name a file that `kbrules simulate` has written")


def _show(answer: Answer, wish: ReportOptions) -> None:
    from kbrules.tools.measuring.simulate.report import simulation_report, simulation_svg

    show_report(simulation_report(answer), wish, lambda: simulation_svg(answer))

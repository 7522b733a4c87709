"""Games of `simulate`, `ladder` and `balance`: the table that is asked for, and runs of many."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from kbrules.hooks import lazily

from .output import ReportOptions, check_folders, show
from .terminal import INTERRUPTED, Progress, exit_with, printable

with lazily():
    from kbrules import diagnostics
    from kbrules.engine import setup as setups
    from kbrules.engine.simulation import kernels
    from kbrules.library import box as library_boxes
    from kbrules.tools import balance, bots as known_bots, processes, show as showing
    from kbrules.tools.simulate import (
        question as questions,
        report as answers,
        results_file,
        run as running,
    )

if TYPE_CHECKING:
    from kbrules.engine.game import Game
    from kbrules.engine.matches import Bot
    from kbrules.library.ruleset import Ruleset
    from kbrules.tools.simulate.question import Question


# Options about a table: rulings, sections beside it, cards, bots; and the table they ask for.

RANDOM = "random"
BOT_KINDS = (
    "`greedy` (by score), `careful:1` (with a margin), `mc:100`, `uct:2000` (games it tries)"
)

_TRUTHS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


@dataclass(frozen=True, slots=True)
class TableOptions:
    """Options about a table, as they were written; players: None for the fewest."""

    players: int | None = None
    seed: int = 0
    setup: str = RANDOM
    rulings: Sequence[str] = ()
    grids: Sequence[str] = ()
    cards: Sequence[str] = ()


def set_up_table(ruleset: Ruleset, options: TableOptions) -> setups.TableSetup:
    """The table that is asked for; ends the command if it cannot be laid."""
    rulings, grids = parse_options(ruleset, options.rulings), parse_sections(options.grids)
    players = player_count(ruleset, options.players)
    with setup_errors(ruleset, players):
        table = setups.choose_table(ruleset, players, options.seed, options.setup, rulings, grids)
        table = setups.with_cards(ruleset, table, parse_cards(ruleset, options.cards))
        setups.game_at(ruleset, table)
    return table


def player_count(ruleset: Ruleset, players: int | None) -> int:
    """How many play; the fewest that can, if nobody said."""
    return ruleset.parts.players[0] if players is None else players


@contextmanager
def setup_errors(ruleset: Ruleset, players: int) -> Iterator[None]:
    """End the command, with what could be had instead, where a table cannot be set up."""
    try:
        yield
    except setups.SetupError as error:
        exit_with(error.code, str(error), _remedy(ruleset, players, error.part))


def _remedy(ruleset: Ruleset, players: int, part: str) -> str:
    """What can be had in the place of a part of a set-up; empty if nothing is known."""
    match part:
        case "players":
            return _seats(ruleset, players)
        case "setup":
            return f"the set-ups are {', '.join([RANDOM, *sorted(ruleset.parts.setups)])}"
        case "grids":
            return _grids(ruleset)
    return ""


def _seats(ruleset: Ruleset, players: int) -> str:
    more = library_boxes.boxes_with_seats(ruleset.parts, players)
    least, most = ruleset.parts.players
    seats = f"seat {most}" if least == most else f"seat {least} to {most}"
    return f"add one by `--with {more[0]}`" if more else seats


def _grids(ruleset: Ruleset) -> str:
    sections = ruleset.parts.sections.values()
    known = sorted(f"{section.grid}={section.id}" for section in sections if section.grid)
    return f"there is {', '.join(known)}" if known else "no box has a grid beside the table"


def parse_options(ruleset: Ruleset, texts: Sequence[str]) -> dict[str, bool | int]:
    """What `--ruling name=value` asks for; ends the command if it is nothing of the kind."""
    return dict(_parse_option(ruleset, text) for text in texts)


def _parse_option(ruleset: Ruleset, text: str) -> tuple[str, bool | int]:
    name, _, value_text = (part.strip() for part in text.partition("="))
    value = _parse_value(value_text)
    error = showing.option_error(ruleset, name, value)
    if error is not None and value is None:
        exit_with("KB009", f"{diagnostics.quoted(text)} is not name=value: {error[0]}", error[1])
    if error is not None or value is None:
        exit_with("KB009", *(error or (text, "")))
    return name, value


def _parse_value(text: str) -> bool | int | None:
    """The value that is written so; None if none is."""
    if text.lower() in _TRUTHS:
        return _TRUTHS[text.lower()]
    return int(text) if re.fullmatch("-?[0-9]{1,9}", text) else None


def parse_sections(texts: Sequence[str]) -> dict[str, str]:
    """What `--grid grid=section` asks for; ends the command if it is nothing of the kind."""
    sections = {}
    for text in texts:
        grid, _, section = (part.strip() for part in text.partition("="))
        if not grid or not section:
            message = f"{diagnostics.quoted(text)} is not grid=section"
            exit_with("KB009", message, "write a name, `=`, a section")
        sections[grid] = section
    return sections


def parse_cards(ruleset: Ruleset, names: Sequence[str]) -> tuple[str, ...]:
    """The cards that names or titles mean, each once; ends the command if one means none."""
    return tuple(dict.fromkeys(balance.card_in(ruleset, name) for name in names))


def parse_bot(name: str, others: Sequence[str] = ()) -> Bot:
    """The bot of a name; ends the command if there is none. others: names that are known, too."""
    try:
        return known_bots.bot_named(name)
    except known_bots.UnknownBot as error:
        exit_with("KB009", str(error), ", ".join([error.help, *others]))


# Runs of many games for `simulate`, `ladder` and `balance`: who plays, until when, and results.

DEFAULT_SECONDS = 30.0
"""How long a run goes on by itself that was told no end."""
_MAX_SHOWN = 10**8  # deals that nobody waits for: the end is a matter of time
ShowAnswer = Callable[["answers.Answer", ReportOptions], None]


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Until when games are played, by whom, where they are kept, and how the answer is shown.

    deals, seconds, until: as in `StopRule`, None where nothing was said. jobs: None for one for
    each core. cluster: the address of one whose processes play instead. fast: by the native kernel
    what it can play. into: the file of the games, None for one of a default name.
    """

    deals: int | None
    seconds: float | None
    until: float | None
    jobs: int | None
    cluster: str | None
    fast: bool
    into: Path | None
    no_file: bool
    report: ReportOptions

    @property
    def stop_rule(self) -> answers.StopRule:
        """When the run ends."""
        return answers.StopRule(self.deals or answers.MOST, self.seconds or inf, self.until or 0.0)

    def executor(self) -> AbstractContextManager[processes.ClusterExecutor | None]:
        """Return the cluster, if one is to play."""
        return nullcontext() if self.cluster is None else processes.cluster(self.cluster)

    def pool(
        self, tables: questions.QuestionTables, executor: processes.ClusterExecutor | None
    ) -> running.SpanPool:
        """Return the pool; ends the command if there is no native kernel for these rules."""
        method = running.NATIVE_METHOD if self.fast else running.REFERENCE_METHOD
        if self.fast:
            deal, sides = tables.question.deal(0), range(tables.per_deal)
            games = (tables.game(deal, side) for side in sides)
            compile_kernels(tables.question.lineups, games, deal.seed)
        jobs = self.jobs or processes.cores() if executor is None else executor.size
        return running.pool_for(tables, jobs, method, executor, self.seconds is not None)

    def file(self, noun: str, facts: Mapping[str, str]) -> str | Path:
        """The file of a question; ends the command if there can be none."""
        if self.no_file:
            return results_file.MEMORY
        path = self.into or Path(results_file.default_name(noun, facts))
        if path.is_dir() or not path.absolute().parent.is_dir():
            help = "there is no such folder, or it is one; `--no-file` keeps no games"
            exit_with("KB008", f"`{path}` cannot be written", help)
        return path


def compile_kernels(lineups: Sequence[Sequence[str]], games: Iterable[Game], seed: int) -> None:
    """Compile the kernels here, where it can be said why not; others find them in the cache.

    A game that needs more room than they have is played by the reference later on. Ends the command
    if no line-up has any use for them.
    """
    if not any(map(_uses_kernel, lineups)):
        message = "`--fast` plays random games, those in which `mc` looks ahead too: there are none"
        exit_with("KB009", message, "add `--bots random`, or leave out `--fast`")
    for game in games:
        with suppress(kernels.OutOfRoom):
            list(game.playouts([seed], running.NATIVE_METHOD.engine))


def _uses_kernel(lineup: Sequence[str]) -> bool:
    """Whether the native kernel plays any of a line-up's games, or is asked in one."""
    return {*lineup} == {known_bots.RANDOM} or any(map(known_bots.has_native_bot, lineup))


def tables_for(
    question: Question, rulesets: Sequence[Ruleset] | None = None
) -> questions.QuestionTables:
    """The tables of a question; ends the command if they cannot be had.

    rulesets: the rules of each side, if they are loaded already.
    """
    tables = questions.QuestionTables(question, rulesets)
    with setup_errors(tables.rulesets[-1], question.players):
        tables.check()
    return tables


def run(
    tables: questions.QuestionTables,
    options: RunOptions,
    noun: str = "simulation",
    show: ShowAnswer | None = None,
) -> None:
    """Play until it is enough, keep what was played, and print the answer.

    noun: the first word of the file's default name. show: prints it, if not as a simulation.
    """
    check_folders((options.report.html, options.report.svg))
    file = options.file(noun, results_file.facts_of(tables))
    with worker_errors(), options.executor() as executor, results_file.Store(file) as store:
        store.begin(tables)
        answer = _answer(store, options.stop_rule, options.pool(tables, executor))
        if not answer.deals:
            help = "give them longer with `--within`, or ask for bots that try less"
            exit_with("KB057", "no deal was finished in the time that there was", help)
        (show or _show)(answer, options.report)
        if not options.no_file:
            typer.echo(f"the games are in {printable(store.path)}", err=True)


@contextmanager
def worker_errors() -> Iterator[None]:
    """Say of a lost worker that what was done is kept."""
    try:
        yield
    except processes.WorkerLost as lost:
        lost.help += "; what was done is kept in the file"
        raise


def _answer(
    store: results_file.Store, rule: answers.StopRule, pool: running.SpanPool
) -> answers.Answer:
    progress, by_reference = Progress("playing"), 0

    def show(run: running.RunProgress) -> None:
        nonlocal by_reference
        by_reference = run.by_reference
        progress.show(run.done, run.wanted if run.wanted <= _MAX_SHOWN else None, "deals")

    try:
        with progress:
            answer = answers.answer_question(store, pool, rule, show)
    except KeyboardInterrupt:
        done = f"{store.games:,} games are in {store.path}, and the same command goes on from there"
        kept = "" if store.path == results_file.MEMORY else f"; {done}"
        typer.echo(f"interrupted{kept}", err=True)
        raise typer.Exit(INTERRUPTED) from None
    finally:
        pool.close()
    if by_reference:
        games, it = ("1 game", "it") if by_reference == 1 else (f"{by_reference:,} games", "them")
        why = "needed more room than the kernel has: the reference played"
        typer.echo(f"note: {games} {why} {it}, with the same result", err=True)
    return answer


def show_file(path: Path, report: ReportOptions, show: ShowAnswer | None = None) -> None:
    """Print what a file says, as `run` would; ends the command if it says nothing."""
    if not path.is_file():
        exit_with("KB001", f"`{path}` does not exist", "look for a slip in the path")
    try:
        with results_file.Store(path) as store:
            if not store.done:
                exit_with("KB056", f"`{path}` holds no game yet", "`kbrules simulate` plays some")
            (show or _show)(answers.answer_in_file(store), report)
    except results_file.UnusableFile as error:
        exit_with(error.code, str(error), "name a file that `kbrules simulate` has written")


def _show(answer: answers.Answer, report: ReportOptions) -> None:
    if answer.question.beside:
        message = "this file is about a card among the others"
        exit_with("KB056", message, "`kbrules balance --report FILE` tells what it says")
    show(answers.simulation_report(answer), report)

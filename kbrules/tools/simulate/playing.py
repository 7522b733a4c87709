"""Deals played: every seating on every side, a row for each player of each game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, product
from operator import attrgetter
from time import perf_counter

from kbrules.diagnostics import RulesError
from kbrules.engine.configuration import NATIVE, PYTHON, REFERENCE
from kbrules.engine.game import Game
from kbrules.engine.matches import Bot, Outcome, outcome
from kbrules.engine.simulation.kernels import OutOfRoom
from kbrules.engine.simulation.playouts import is_kernel_seed
from kbrules.tools.playing.bots import RANDOM, bot_named, native_bot_named
from kbrules.tools.processes import RulesChanged
from kbrules.tools.simulate.question import Deal, Question, Seating
from kbrules.tools.simulate.results_file import DealSpan
from kbrules.tools.simulate.tables import (
    GameRows,
    Row,
    Tables,
)

# Plays deals: every seating on every side; a row for each player of each game.


PlayTables = Callable[[Tables, Sequence[Deal], int, Seating], GameRows]


@dataclass(frozen=True, slots=True)
class PlayMethod:
    """How games are played. What comes of them is the same.

    engine: what plays those of players who choose evenly. by_states: what answers other bots.
    bot: who plays others, by name. play_tables: plays many tables in one call, if there is such.
    """

    engine: str
    by_states: str
    bot: Callable[[str], Bot]
    play_tables: PlayTables | None = None


def _play_natively(tables: Tables, deals: Sequence[Deal], side: int, seating: Seating) -> GameRows:
    from kbrules.tools.simulate.native import play_natively  # it needs numpy

    return play_natively(tables, deals, side, seating)


REFERENCE_METHOD = PlayMethod(PYTHON, REFERENCE, bot_named)
FALLBACK_METHOD = PlayMethod(REFERENCE, REFERENCE, bot_named)
NATIVE_METHOD = PlayMethod(NATIVE, NATIVE, native_bot_named, _play_natively)
"""By the native kernel, which needs the extra `fast`."""


@dataclass(frozen=True, slots=True)
class PlayedSpan:
    """The rows of some deals, how long it took in seconds, and the invented maps that lay there.

    by_reference: games that needed more room than the engine has, and were played by the reference.
    """

    span: DealSpan
    rows: tuple[Row, ...]
    seconds: float
    stand_ins: frozenset[str]
    by_reference: int = 0


def play(tables: Tables, span: DealSpan, method: PlayMethod = REFERENCE_METHOD) -> PlayedSpan:
    """Play some deals. What comes of it is a function of the question and the span alone."""
    start = perf_counter()
    deals = [tables.question.deal(span.first + number) for number in range(span.deals)]
    seatings = product(range(len(tables.rulesets)), tables.question.seatings)
    parts = [_play(tables, deals, side, seating, method) for side, seating in seatings]
    return PlayedSpan(
        span,
        tuple(row for each in parts for row in each.rows),
        perf_counter() - start,
        frozenset(id for each in parts for id in each.stand_ins),
        sum(each.by_reference for each in parts),
    )


def prepare(
    question: Question, digests: tuple[str, ...], method: PlayMethod = REFERENCE_METHOD
) -> Callable[[DealSpan], PlayedSpan]:
    """What plays spans in a process of its own; RulesChanged if the rules are no longer those."""
    try:
        tables = Tables(question)
    except RulesError:
        raise RulesChanged from None
    if tables.digests != digests:
        raise RulesChanged
    return lambda span: play(tables, span, method)


def _play(
    tables: Tables, deals: Sequence[Deal], side: int, seating: Seating, method: PlayMethod
) -> GameRows:
    """The games of some deals on one side by players who sit in one way."""
    is_random, end_seeds = {*seating.bots} == {RANDOM}, (deals[0].seed, deals[-1].seed)
    if method.play_tables is None or not is_random or not all(map(is_kernel_seed, end_seeds)):
        return _by_table(tables, deals, side, seating, method)
    played = method.play_tables(tables, deals, side, seating)
    rest = _by_table(tables, played.unplayed, side, seating, FALLBACK_METHOD)
    return GameRows(played.rows + rest.rows, played.stand_ins, by_reference=len(played.unplayed))


def _by_table(
    tables: Tables, deals: Sequence[Deal], side: int, seating: Seating, method: PlayMethod
) -> GameRows:
    """The same, one table after another."""
    rows: list[Row] = []
    fallbacks: list[int] = []
    stand_ins: set[str] = set()
    for _, of_table in groupby(deals, key=attrgetter("table")):
        table_deals = list(of_table)
        game = tables.game(table_deals[0], side)
        row_writer, tiles_present = tables.row_writer(game, side), {*game.board.tiles.values()}
        stand_ins.update(game.board.stand_ins)
        outcomes = _outcomes(game, [deal.seed for deal in table_deals], seating, method, fallbacks)
        for deal, played in zip(table_deals, outcomes, strict=True):
            rows += row_writer.rows(deal, side, seating, played, tiles_present)
    return GameRows(rows, frozenset(stand_ins), by_reference=len(fallbacks))


def _outcomes(
    game: Game,
    seeds: Sequence[int],
    seating: Seating,
    method: PlayMethod,
    fallbacks: list[int],
) -> Iterable[Outcome]:
    """Players who choose evenly have a faster way; what comes of the games is the same."""
    if {*seating.bots} == {RANDOM}:
        return random_outcomes(game, seeds, method.engine, fallbacks)
    bots = [method.bot(name) for name in seating.bots]
    fast = game if game.engine == method.by_states else game.with_engine(method.by_states)
    return (_outcome(game, fast, seed, bots, fallbacks) for seed in seeds)


def random_outcomes(
    game: Game, seeds: Sequence[int], engine: str, fallbacks: list[int]
) -> Iterator[Outcome]:
    """The games of players who choose evenly.

    Those that need more room than the engine has are played by the reference; their seeds are added
    to `fallbacks`, so that whoever asks can say so.
    """
    at = 0
    while at < len(seeds):
        try:
            for played in game.playouts(seeds[at:], engine):
                yield played
                at += 1
        except OutOfRoom:
            fallbacks.append(seeds[at])
            yield game.playout(seeds[at], REFERENCE)
            at += 1


def _outcome(
    game: Game, fast: Game, seed: int, bots: Sequence[Bot], fallbacks: list[int]
) -> Outcome:
    """A game by an engine; one that needs more room, by the reference, with its seed noted."""
    try:
        return outcome(fast, seed, bots)
    except OutOfRoom:
        fallbacks.append(seed)
        return outcome(game, seed, bots)

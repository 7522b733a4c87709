"""Plays deals: every seating on every side; a row for each player of each game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, product
from operator import attrgetter
from time import perf_counter

from kbrules.diagnostics import RulesError
from kbrules.engine.configuration import NATIVE, PYTHON, REFERENCE
from kbrules.engine.game import Game
from kbrules.engine.matches.match import Bot
from kbrules.engine.matches.outcome import Outcome, outcome
from kbrules.engine.simulation.playouts import is_kernel_seed
from kbrules.engine.simulation.stepper import OutOfRoom
from kbrules.tools.measuring.results_file import Span
from kbrules.tools.measuring.simulate.question import Deal, Question, Seating
from kbrules.tools.measuring.simulate.rows import GameRows, Row
from kbrules.tools.measuring.simulate.tables import Tables
from kbrules.tools.playing.bots import RANDOM, bot_named, native_bot_named
from kbrules.tools.processes.pool import RulesChanged

__all__ = [
    "NATIVE_METHOD",
    "REFERENCE_METHOD",
    "PlayMethod",
    "PlayedSpan",
    "even_outcomes",
    "play",
    "prepare",
]

Together = Callable[[Tables, Sequence[Deal], int, Seating], GameRows]


@dataclass(frozen=True, slots=True)
class PlayMethod:
    """How games are played. What comes of them is the same.

    engine: what plays those of players who choose evenly. by_states: what answers other bots.
    bot: who plays others, by name. together: what plays many tables in one call, if anything.
    """

    engine: str
    by_states: str
    bot: Callable[[str], Bot]
    together: Together | None = None


def _natively(tables: Tables, deals: Sequence[Deal], side: int, seating: Seating) -> GameRows:
    from kbrules.tools.measuring.simulate.native_play import play_natively  # it needs numpy

    return play_natively(tables, deals, side, seating)


REFERENCE_METHOD = PlayMethod(PYTHON, REFERENCE, bot_named)
BY_REFERENCE = PlayMethod(REFERENCE, REFERENCE, bot_named)
NATIVE_METHOD = PlayMethod(NATIVE, NATIVE, native_bot_named, _natively)
"""By the native kernel, which needs the extra `fast`."""


@dataclass(frozen=True, slots=True)
class PlayedSpan:
    """The rows of some deals, how long it took in seconds, and the invented maps that lay there.

    by_reference: games that needed more room than the engine has, and were played by the reference.
    """

    span: Span
    rows: tuple[Row, ...]
    seconds: float
    stand_ins: frozenset[str]
    by_reference: int = 0


def play(tables: Tables, span: Span, way: PlayMethod = REFERENCE_METHOD) -> PlayedSpan:
    """Play some deals. What comes of it is a function of the question and the span alone."""
    begun = perf_counter()
    deals = [tables.question.deal(span.first + number) for number in range(span.deals)]
    ways = product(range(len(tables.rulesets)), tables.question.seatings)
    found = [_play(tables, deals, side, seating, way) for side, seating in ways]
    return PlayedSpan(
        span,
        tuple(row for each in found for row in each.rows),
        perf_counter() - begun,
        frozenset(id for each in found for id in each.stand_ins),
        sum(each.by_reference for each in found),
    )


def prepare(
    question: Question, digests: tuple[str, ...], way: PlayMethod = REFERENCE_METHOD
) -> Callable[[Span], PlayedSpan]:
    """What plays spans in a process of its own; RulesChanged if the rules are no longer those."""
    try:
        tables = Tables(question)
    except RulesError:
        raise RulesChanged from None
    if tables.digests != digests:
        raise RulesChanged
    return lambda span: play(tables, span, way)


def _play(
    tables: Tables, deals: Sequence[Deal], side: int, seating: Seating, way: PlayMethod
) -> GameRows:
    """The games of some deals on one side by players who sit in one way."""
    is_random, ends = {*seating.bots} == {RANDOM}, (deals[0].seed, deals[-1].seed)
    if way.together is None or not is_random or not all(map(is_kernel_seed, ends)):
        return _by_table(tables, deals, side, seating, way)
    found = way.together(tables, deals, side, seating)
    rest = _by_table(tables, found.left, side, seating, BY_REFERENCE)
    return GameRows(found.rows + rest.rows, found.stand_ins, by_reference=len(found.left))


def _by_table(
    tables: Tables, deals: Sequence[Deal], side: int, seating: Seating, way: PlayMethod
) -> GameRows:
    """The same, one table after another."""
    rows: list[Row] = []
    slow: list[int] = []
    stand_ins: set[str] = set()
    for _, of_table in groupby(deals, key=attrgetter("table")):
        together = list(of_table)
        game = tables.game(together[0], side)
        row_writer, lying = tables.row_writer(game, side), {*game.board.tiles.values()}
        stand_ins.update(game.board.stand_ins)
        found = _outcomes(game, [deal.seed for deal in together], seating, way, slow)
        for deal, came in zip(together, found, strict=True):
            rows += row_writer.rows(deal, side, seating, came, lying)
    return GameRows(rows, frozenset(stand_ins), by_reference=len(slow))


def _outcomes(
    game: Game, seeds: Sequence[int], seating: Seating, way: PlayMethod, slow: list[int]
) -> Iterable[Outcome]:
    """Players who choose evenly have a faster way; what comes of the games is the same."""
    if {*seating.bots} == {RANDOM}:
        return even_outcomes(game, seeds, way.engine, slow)
    bots = [way.bot(name) for name in seating.bots]
    fast = game if game.engine == way.by_states else game.with_engine(way.by_states)
    return (_outcome(game, fast, seed, bots, slow) for seed in seeds)


def even_outcomes(
    game: Game, seeds: Sequence[int], engine: str, slow: list[int]
) -> Iterator[Outcome]:
    """The games of players who choose evenly.

    Those that need more room than the engine has are played by the reference; their seeds are added
    to `slow`, so that whoever asks can say so.
    """
    at = 0
    while at < len(seeds):
        try:
            for came in game.playouts(seeds[at:], engine):
                yield came
                at += 1
        except OutOfRoom:
            slow.append(seeds[at])
            yield game.playout(seeds[at], REFERENCE)
            at += 1


def _outcome(game: Game, fast: Game, seed: int, bots: Sequence[Bot], slow: list[int]) -> Outcome:
    """A game by an engine; one that needs more room than that has, by the reference: in `slow`."""
    try:
        return outcome(fast, seed, bots)
    except OutOfRoom:
        slow.append(seed)
        return outcome(game, seed, bots)

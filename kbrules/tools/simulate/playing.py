"""Deals played: each by every seating on every side, each game told in a row for each player."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from time import perf_counter

from kbrules.engine.configuration import REFERENCE
from kbrules.engine.game import Game
from kbrules.engine.kernels import NATIVE
from kbrules.engine.match import Bot
from kbrules.engine.outcome import Outcome, outcome
from kbrules.engine.stepping import OutOfRoom
from kbrules.kernel.lowering.refused import NotLowered
from kbrules.tools.bots import RANDOM, bot_named, native_bot_named
from kbrules.tools.crew import Changed
from kbrules.tools.ledger import Span
from kbrules.tools.simulate.question import Question, Seating
from kbrules.tools.simulate.rows import Row
from kbrules.tools.simulate.tables import Tables

__all__ = ["NATIVELY", "PLAINLY", "Played", "Way", "get_ready", "play"]

Bulk = Callable[[Game, Sequence[int]], Iterable[Outcome]]


def one_by_one(game: Game, seeds: Sequence[int]) -> Iterable[Outcome]:
    """The games of some seeds between players who choose evenly.

    Rules of which no kernel can be made are played by the reference.
    """
    try:
        return game.playouts(seeds)
    except NotLowered:
        return game.playouts(seeds, REFERENCE)


def by_kernel(game: Game, seeds: Sequence[int]) -> Iterable[Outcome]:
    """The same by the native kernel; it needs the extra `fast`, see `playouts`."""
    return game.playouts(seeds, NATIVE)


@dataclass(frozen=True, slots=True)
class Way:
    """How games are played. What comes of them is the same.

    bulk: those of one table between players who choose evenly. bot: who plays others, by name.
    engine: what answers those others for states.
    """

    bulk: Bulk
    bot: Callable[[str], Bot]
    engine: str


PLAINLY = Way(one_by_one, bot_named, REFERENCE)
NATIVELY = Way(by_kernel, native_bot_named, NATIVE)
"""By the native kernel, which needs the extra `fast`."""


@dataclass(frozen=True, slots=True)
class Played:
    """The rows of some deals, how long it took in seconds, and the invented maps that lay there."""

    span: Span
    rows: tuple[Row, ...]
    seconds: float
    stand_ins: frozenset[str]


def play(tables: Tables, span: Span, way: Way = PLAINLY) -> Played:
    """Play some deals. What comes of it is a function of the question and the span alone."""
    begun = perf_counter()
    question = tables.question
    deals = (question.deal(number) for number in range(span.first, span.first + span.deals))
    rows: list[Row] = []
    stand_ins: set[str] = set()
    for _, of_table in groupby(deals, key=attrgetter("table")):
        together = list(of_table)
        for side in range(len(question.sides)):
            game = tables.game(together[0], side)
            teller, lying = tables.teller(game, side), {*game.board.tiles.values()}
            stand_ins.update(game.board.stand_ins)
            for seating in question.seatings:
                found = _outcomes(game, [deal.seed for deal in together], seating, way)
                for deal, came in zip(together, found, strict=True):
                    rows += teller.rows(deal, side, seating, came, lying)
    return Played(span, tuple(rows), perf_counter() - begun, frozenset(stand_ins))


def get_ready(
    question: Question, digests: tuple[str, ...], way: Way = PLAINLY
) -> Callable[[Span], Played]:
    """What plays spans in a process of its own; Changed if the rules are no longer those."""
    tables = Tables(question)
    if tables.digests != digests:
        raise Changed
    return lambda span: play(tables, span, way)


def _outcomes(game: Game, seeds: Sequence[int], seating: Seating, way: Way) -> Iterable[Outcome]:
    """Players who choose evenly have a faster way; what comes of the games is the same."""
    if {*seating.bots} == {RANDOM}:
        return way.bulk(game, seeds)
    bots = [way.bot(name) for name in seating.bots]
    fast = game if game.engine == way.engine else game.by(way.engine)
    return (_outcome(game, fast, seed, bots) for seed in seeds)


def _outcome(game: Game, fast: Game, seed: int, bots: Sequence[Bot]) -> Outcome:
    """A game by an engine; one that needs more room than that has, by the reference."""
    try:
        return outcome(fast, seed, bots)
    except OutOfRoom:
        return outcome(game, seed, bots)

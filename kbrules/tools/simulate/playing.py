"""Deals played: each by every seating on every side, each game told in a row for each player."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import NamedTuple

from kbrules.engine.game import Game
from kbrules.engine.outcome import Outcome, outcome
from kbrules.tools.bots import RANDOM, bot_named
from kbrules.tools.simulate.question import Seating
from kbrules.tools.simulate.rows import Row, Teller
from kbrules.tools.simulate.tables import Tables

__all__ = ["Played", "Span", "play"]


class Span(NamedTuple):
    """Deals in a row: the number of the first, and how many they are."""

    first: int
    deals: int


@dataclass(frozen=True, slots=True)
class Played:
    """The rows of some deals, how long it took in seconds, and the invented maps that lay there."""

    span: Span
    rows: tuple[Row, ...]
    seconds: float
    stand_ins: frozenset[str]


def play(tables: Tables, span: Span) -> Played:
    """Play some deals. What comes of it is a function of the question and the span alone."""
    begun = perf_counter()
    question = tables.question
    rows: list[Row] = []
    stand_ins: set[str] = set()
    for number in range(span.first, span.first + span.deals):
        deal = question.deal(number)
        for side in range(len(question.sides)):
            game = tables.game(deal, side)
            teller = Teller(tables.rules, tables.tiles, game)
            stand_ins.update(game.board.stand_ins)
            for seating in question.seatings:
                found = _outcome(game, deal.seed, seating)
                rows += teller.rows(deal, side, seating, found)
    return Played(span, tuple(rows), perf_counter() - begun, frozenset(stand_ins))


def _outcome(game: Game, seed: int, seating: Seating) -> Outcome:
    """Players who choose evenly have a faster way; what comes of the game is the same."""
    if {*seating.bots} == {RANDOM}:
        return game.playout(seed)
    return outcome(game, seed, [bot_named(name) for name in seating.bots])

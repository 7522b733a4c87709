"""The tables of the benchmarks, always the same, and the loops that play games on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

from kbrules.engine.configuration import NATIVE, PYTHON, REFERENCE
from kbrules.engine.game import Game
from kbrules.engine.matches import Bot
from kbrules.engine.setup import choose_table, game_at
from kbrules.engine.simulation.playthrough import Playthrough
from kbrules.game.moves import Move
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.tools.bots import RANDOM
from kbrules.tools.simulate.question import Question, QuestionTables, Side
from kbrules.tools.simulate.results_file import DealSpan

BASE = ("base",)
TABLES = 16
HEX_RULES = Path("tests/house/hex")
"""Hex in rule text, which only a checkout has."""


@lru_cache(maxsize=4)
def boxes(*names: str) -> Ruleset:
    """Return the rule set of some boxes; of the default ones if none is named."""
    return load(*names)


def games_of(
    ruleset: Ruleset, players: int, number: int = TABLES, engine: str = REFERENCE
) -> list[Game]:
    """Return tables by the seeds 0, 1, 2 ...; together their boards have tiles of every kind."""
    return [
        game_at(ruleset, choose_table(ruleset, players, seed), engine=engine)
        for seed in range(number)
    ]


def simulate_tables(*names: str) -> QuestionTables:
    """Return the tables of `simulate` for random games of two, a new table for each game."""
    side = Side(names)
    return QuestionTables(Question((side,), 2, ((RANDOM, RANDOM),)), [boxes(*names)])


@lru_cache(maxsize=1)
def hex_table() -> Game | None:
    """Return the table of Hex; None where there is no checkout."""
    if not HEX_RULES.is_dir():
        return None
    ruleset = load(folders=[HEX_RULES])
    return game_at(ruleset, choose_table(ruleset, 2, 0))


Step = Callable[[State, Move], State]


@dataclass(frozen=True, slots=True)
class PlayCount:
    """The number of games and decisions played."""

    games: int
    decisions: int


def in_place(games: Sequence[Game], each: int = 1, engine: str = PYTHON) -> PlayCount:
    """Play random games through a `Playthrough`: `count`, `choose` and the outcome."""
    begins = [partial(game.playthrough, engine=engine) for game in games]
    decisions = sum(_play_through(begin(seed), seed) for begin in begins for seed in range(each))
    return PlayCount(len(begins) * each, decisions)


def _play_through(play: Playthrough, seed: int) -> int:
    random, decisions = Random(seed, "bench"), 0
    while play.count:
        decisions += 1
        play.choose(random.below(play.count))
    play.outcome()
    return decisions


def side_by_side(game: Game, games: int) -> PlayCount:
    """Play random games side by side, with choices drawn by numpy."""
    import numpy

    batch, random, decisions = game.batch(range(games)), numpy.random.default_rng(1), 0
    while not batch.is_over.all():
        counts = batch.counts
        decisions += int((counts > 0).sum())
        batch.step((random.random(games) * numpy.maximum(counts, 1)).astype(numpy.int64))
    batch.scores()
    return PlayCount(games, decisions)


def perft(game: Game, depth: int, engine: str = NATIVE) -> int:
    """Count the positions `depth` decisions ahead, through every draw."""
    return _count_ahead(game.playthrough(1, engine), depth)


def _count_ahead(play: Playthrough, depth: int) -> int:
    if depth == 1 or not play.count:
        return play.count or 1
    saved, count = play.save(), 0
    for index in range(play.count):
        play.choose(index)
        count += _count_ahead(play, depth - 1)
        play.restore(saved)
    return count


def by_steps(games: Sequence[Game], each: int = 1) -> PlayCount:
    """Play random games by states: `legal_moves`, `sample`, `apply`; draws are not decisions."""
    return _played([(game, game.apply) for game in games], each)


def by_steps_with_events(games: Sequence[Game], each: int = 1) -> PlayCount:
    """Play random games through `play`, which reports every event."""
    return _played([(game, _step_with_events(game)) for game in games], each)


def _step_with_events(game: Game) -> Step:
    def step(state: State, move: Move) -> State:
        return game.play(state, move).state

    return step


def _played(tables: Sequence[tuple[Game, Step]], each: int) -> PlayCount:
    decisions = 0
    for game, step in tables:
        for seed in range(each):
            decisions += _game(game, step, seed)
    return PlayCount(len(tables) * each, decisions)


def _game(game: Game, step: Step, seed: int) -> int:
    random, decisions, state = Random(seed, "bench"), 0, game.start()
    moves = game.legal_moves(state)
    while moves:
        decisions += not moves.weights
        state = step(state, moves.sample(random))
        moves = game.legal_moves(state)
    game.totals(state)
    return decisions


def decisions_of_bot(games: Sequence[Game], bot: Bot) -> int:
    """Play a game on each table by states, a bot in every seat; return the decisions made."""
    return sum(_play_bot(game, bot, Random(0, "bench")) for game in games)


def _play_bot(game: Game, bot: Bot, random: Random) -> int:
    decisions, state = 0, game.start()
    moves = game.legal_moves(state)
    while moves:
        decisions += not moves.weights
        move = moves.sample(random) if moves.weights else bot(game, state, moves, random)
        state = game.apply(state, move)
        moves = game.legal_moves(state)
    return decisions


def playouts(games: Sequence[Game], each: int = 1, engine: str = PYTHON) -> PlayCount:
    """Play random games in bulk."""
    found = [outcome for game in games for outcome in game.playouts(range(each), engine)]
    return PlayCount(len(found), sum(sum(outcome.decisions) for outcome in found))


def raw_playouts(game: Game, number: int) -> int:
    """Play random games by the native kernel and leave their outcomes as arrays of numbers."""
    from kbrules.engine.simulation.playouts import Playouts

    return len(Playouts(game, NATIVE).rows(range(number))) and number


def simulated(tables: QuestionTables, number: int) -> int:
    """Play deals of `simulate --fast`: lay tables, play games, keep rows in a store."""
    from kbrules.tools.simulate.results_file import Store
    from kbrules.tools.simulate.run import NATIVE_METHOD, play

    with Store() as store:
        store.begin(tables)
        store.add(play(tables, DealSpan(0, number), NATIVE_METHOD))
    return number


def last_state(game: Game, seed: int = 0) -> State:
    """Return the final state of a random game."""
    random, state = Random(seed, "bench"), game.start()
    while not state.is_over:
        state = game.apply(state, game.legal_moves(state).sample(random))
    return state

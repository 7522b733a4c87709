"""What is done often and takes little: copies, scores, and what is done once for a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import mean, median

from kbrules.engine.game import Game
from kbrules.engine.setup import choose_table, game_at
from kbrules.game.state import State, draft_of
from kbrules.library.load import load
from kbrules.tools.measuring.bench.loops import last_state
from kbrules.tools.measuring.bench.rows import Goal, Row
from kbrules.tools.measuring.bench.tables import BASE, boxes, games_of
from kbrules.tools.measuring.bench.timing import ROUNDS, seconds

PLAYERS = 4
Place = tuple[Game, State]


def rows() -> Iterator[Row]:
    """Microseconds of small things, and the milliseconds of making a table ready."""
    places = [(game, last_state(game)) for game in games_of(boxes(*BASE), PLAYERS)]
    copy = _microseconds(places, lambda place: partial(draft_of, place[1]), 2000)
    yield Row("a copy of a state", copy, "us", Goal(1, is_most=True))
    totals = _microseconds(places, lambda place: partial(place[0].totals, place[1]), 200)
    yield Row("final scoring, four players, three cards", totals, "us", Goal(30, is_most=True))
    sheet = _microseconds(places, lambda place: partial(place[0].score, place[1]), 20)
    yield Row("the same with every hex that earned it", sheet, "us")
    for what, use in (("the first move", _first_move), ("the first playout", _first_playout)):
        name = f"a configuration compiled, up to {what}"
        yield Row(name, 1000 * _seconds_to_prepare(use), "ms", Goal(20, is_most=True))


def _microseconds(
    places: Sequence[Place], call_at: Callable[[Place], Callable[[], object]], n: int
) -> float:
    """Microseconds of a call: the mean over places, the median over rounds."""
    calls = [call_at(place) for place in places]
    return 1e6 * median(mean(seconds(call, n) for call in calls) for _ in range(ROUNDS))


def _seconds_to_prepare(use: Callable[[Game], object]) -> float:
    """Seconds until a table of a rule set just read can be used, nothing made ready beforehand."""
    times = []
    for seed in range(ROUNDS):
        ruleset = load(*BASE)
        table = choose_table(ruleset, 2, seed)
        times.append(seconds(lambda: use(game_at(ruleset, table))))  # noqa: B023 (done at once)
    return median(times)


def _first_move(game: Game) -> object:
    state = game.start()
    while (moves := game.legal_moves(state)).weights:
        state = game.apply(state, next(iter(moves)))
    return game.apply(state, next(iter(moves)))


def _first_playout(game: Game) -> object:
    return game.playout(0)

"""The benchmark: what the targets name, measured in one run, as figures and ratios.

`python -m kbrules.tools.bench`. It is no test: it never fails, it prints.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

from kbrules.engine.evaluators import Linking, generated, reference
from kbrules.engine.setup import choose_table, game_at
from kbrules.game.random import Random
from kbrules.library.load import load
from kbrules.library.resources import data_root
from kbrules.library.ruleset import Ruleset

ROUNDS = 5
SURVEYED = 33_500
"""Moves per second of python-chess on the machine that the aims were set on."""
GAMES = 40
STARTS = {
    "`kbrules check` of everything shipped": (("-m", "kbrules", "check"), "aim 0.6"),
    "`kbrules --help`": (("-m", "kbrules", "--help"), "aim 0.25"),
    "`import kbrules`": (("-c", "import kbrules"), "aim 0.1"),
}
"""What is started as a process of its own, by how it is called."""
SUITE = (data_root("rules"), Path("tests/scenarios"))
"""What `make run` tests: the examples of the rules and, in a checkout, the scenarios."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One line: what was measured, how much, of what, and what is aimed at."""

    what: str
    value: float
    unit: str
    aim: str = ""

    def __str__(self) -> str:
        return f"{self.what:<52}{self.value:>12,.2f} {self.unit:<12}{self.aim}"


def main() -> None:
    """Measure everything and print it."""
    print(f"median of {ROUNDS} rounds; CPU time of this process except where it says elapsed")
    for figure in figures():
        print(figure, flush=True)


def figures() -> Iterator[Figure]:
    """All figures, cheapest first."""
    yield from _starts()
    yield Figure("warm re-check of one rule file", 1000 * _warm(), "ms", "aim 50")
    ruleset = load("base")
    yield Figure("scenarios and examples", _scenarios(), "per s", "aim 1,000")
    # Interleaved, so that a busy machine slows both.
    rounds = [
        (*_games(ruleset, i, generated), _games(ruleset, i, reference)[0], _chess())
        for i in range(ROUNDS)
    ]
    games, decisions, walked, chess = (median(column) for column in zip(*rounds, strict=True))
    aim = "aim 1,500, floor 400"
    yield Figure("random two-player games", games, "per s", aim)
    yield Figure("decisions of them", decisions, "per s")
    yield Figure("the same games under the reference evaluator", walked, "per s")
    yield Figure("generated code / reference evaluator", games / walked, "times", "aim 1.6")
    if chess:
        yield Figure("python-chess random-playout moves, same run", chess, "per s")
        yield Figure("decisions / python-chess moves", decisions / chess, "times")
        scaled = games * SURVEYED / chess
        yield Figure(f"games where python-chess makes {SURVEYED:,} moves", scaled, "per s", aim)


def _timed(work: Callable[[], object], clock: Callable[[], float]) -> float:
    started = clock()
    work()
    return clock() - started


def _starts() -> Iterator[Figure]:
    """From nothing to the end of the program; in turns, so that a busy machine slows all alike."""
    took: dict[str, list[float]] = {what: [] for what in STARTS}
    for _ in range(1 + ROUNDS):
        for what, (words, _aim) in STARTS.items():
            took[what].append(_timed(partial(_run, words), time.perf_counter))
    for what, (_words, aim) in STARTS.items():
        yield Figure(f"cold {what} (elapsed)", median(took[what][1:]), "s", aim)


def _run(words: tuple[str, ...]) -> None:
    subprocess.run([sys.executable, *words], capture_output=True, check=False)


def _warm() -> float:
    from kbrules.tools.check import Checker

    file = next(iter(sorted(data_root("rules").rglob("scoring.kb"))))
    checker = Checker()
    checker.check([file])

    def work() -> object:
        return checker.recheck(file)

    return median(_timed(work, time.process_time) for _ in range(ROUNDS))


def _scenarios() -> float:
    from kbrules.scenario.runner import collect

    items = list(collect([path for path in SUITE if path.is_dir()]))
    for item in items:
        item.run()

    def work() -> object:
        return [item.run() for item in items]

    return len(items) / median(_timed(work, time.process_time) for _ in range(ROUNDS))


def _games(ruleset: Ruleset, part: int, linking: Linking) -> tuple[float, float]:
    """Games and decisions per second of a part of the seeds, through the public interface."""
    decisions = 0

    def work() -> None:
        nonlocal decisions
        for seed in range(part * GAMES, (part + 1) * GAMES):
            decisions += _play(ruleset, seed, linking)

    seconds = _timed(work, time.process_time)
    return GAMES / seconds, decisions / seconds


def _play(ruleset: Ruleset, seed: int, linking: Linking) -> int:
    game = game_at(ruleset, choose_table(ruleset, 2, seed), linking)
    random = Random(seed, "bench")
    state, decisions = game.start(), 0
    while not state.is_over:
        moves = game.legal_moves(state)
        decisions += not moves.weights
        state = game.apply(state, moves.sample(random))
    game.score(state)
    return decisions


def _chess() -> float:
    """Random-playout moves per second of python-chess, 0 if it is not installed."""
    try:
        import chess
    except ImportError:
        return 0.0
    random = Random(0, "chess")
    moves = 0

    def work() -> None:
        nonlocal moves
        for _ in range(8):
            board = chess.Board()
            while not board.is_game_over() and board.ply() < 400:
                board.push(random.choice(list(board.legal_moves)))
                moves += 1

    seconds = _timed(work, time.process_time)
    return moves / seconds


if __name__ == "__main__":
    main()

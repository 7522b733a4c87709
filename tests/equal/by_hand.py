"""The comparisons for whoever works on one of the ways: commands to be called by hand."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from time import process_time
from traceback import print_exc

from kbrules.engine.configuration import ENGINES, PYTHON, REFERENCE
from tests.equal import expressions, faulty, games, outcomes, playthroughs, rollouts
from tests.equal.settings import Mix, mix_named, setting_of


def play() -> None:
    """Play the games that were asked for, and say what was found."""
    parser = _parser("games", "Play whole random games in two ways and compare them move by move.")
    parser.add_argument("--ways", nargs=2, default=[PYTHON, REFERENCE], choices=ENGINES,
                        help="two engines; the second is believed")  # fmt: skip
    wanted = parser.parse_args()
    mine, theirs = wanted.ways
    tally = games.Tally()

    def one(seed: int, mix: Mix | None) -> None:
        games.compared(setting_of(seed, mix), mine, theirs, tally)

    _all_of(wanted, one, lambda: str(tally))


def ask() -> None:
    """Ask all expressions on the tables that were asked for, and say what was found."""
    wanted = _parser("tables", "Ask every expression in two ways on random positions.").parse_args()
    pairs: list[int] = []
    one = partial(_asked, pairs)
    _all_of(wanted, one, lambda: f"{len(pairs)} tables, {sum(pairs)} pairs")


def _asked(pairs: list[int], seed: int, mix: Mix | None) -> None:
    pairs.append(expressions.compared(seed, mix))


def finish() -> None:
    """Play games to their end in two ways on the tables that were asked for."""
    about = "Play whole random games by the kernel and by states, and compare what came of them."
    parser = _parser("tables", about)
    parser.add_argument("--native", action="store_true", help="by the native kernel")
    wanted = parser.parse_args()
    short: list[int] = []

    def one(seed: int, mix: Mix | None) -> None:
        compare = outcomes.compared_natively if wanted.native else outcomes.compared
        short.append(compare(setting_of(seed, mix)))

    _all_of(wanted, one, lambda: f"{len(short)} tables, {sum(short)} games that needed more room")


def go_through() -> None:
    """Play games in place and by states on the tables that were asked for."""
    about = "Play whole random games in place and by states, and compare what they offer."
    parser = _parser("tables", about)
    parser.add_argument("--native", action="store_true", help="by the native kernel")
    wanted = parser.parse_args()
    played: list[int] = []

    def one(seed: int, mix: Mix | None) -> None:
        compare = playthroughs.compared_natively if wanted.native else playthroughs.compared
        played.append(compare(setting_of(seed, mix)))

    _all_of(wanted, one, lambda: f"{len(played)} tables")


def plant() -> None:
    """Play games by rules with the faults that were asked for."""
    about = "Plant faults in rules, and play games by them in every way."
    played: list[bool] = []

    def one(seed: int, _mix: Mix | None) -> None:
        played.append(faulty.compared(seed))

    _all_of(_parser("faults", about).parse_args(), one, lambda: f"{sum(played)} faults played")


def play_on() -> None:
    """Play games on from states in both ways on the tables that were asked for."""
    parser = _parser("tables", "Play games on from states natively and by states, and compare.")
    wanted, states = parser.parse_args(), []

    def one(seed: int, mix: Mix | None) -> None:
        states.append(rollouts.compared(setting_of(seed, mix)))

    _all_of(wanted, one, lambda: f"{len(states)} tables, {sum(states)} states")


def _all_of(
    wanted: argparse.Namespace,
    one: Callable[[int, Mix | None], None],
    summary: Callable[[], str],
) -> None:
    mix, failed = mix_named(wanted.with_) if wanted.with_ else None, 0
    for seed in range(wanted.seed, wanted.seed + wanted.number):
        try:
            one(seed, mix)
        except Exception:
            print_exc(limit=-4)
            failed += 1
        if failed >= wanted.most or process_time() > wanted.seconds:
            break
    print(f"{summary()}, {failed} differ, {process_time():.1f} s of CPU time")
    sys.exit(1 if failed else 0)


def _parser(what: str, about: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=about)
    add = parser.add_argument
    add(f"--{what}", dest="number", metavar="N", type=int, default=50, help="how many")
    add("--seed", type=int, default=0, help="the seed of the first")
    add("--with", dest="with_", metavar="BOXES", default="",
        help="base,nomads or base,dale or hex; without it they are drawn by the seed")  # fmt: skip
    add("--seconds", type=float, default=1e9, help="of CPU time, then it stops")
    add("--most", type=int, default=5, help="stop after so many that differ")
    return parser

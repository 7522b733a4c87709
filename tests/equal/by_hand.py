"""The comparison of whole games for whoever works on one of the ways: a command of its own."""

from __future__ import annotations

import argparse
import sys
from time import process_time

from kbrules.engine import evaluators
from tests.equal.games import Tally, compared
from tests.equal.settings import mix_named, setting_of
from tests.equal.unequal import Unequal


def main() -> None:
    """Play the games that were asked for, and say what was found."""
    wanted = _parser().parse_args()
    tally, failed = Tally(), 0
    for seed in range(wanted.seed, wanted.seed + wanted.games):
        failed += not _agree(seed, wanted, tally)
        if failed >= wanted.most or process_time() > wanted.seconds:
            break
    print(f"{tally}, {failed} differ, {process_time():.1f} s of CPU time")
    sys.exit(1 if failed else 0)


def _agree(seed: int, wanted: argparse.Namespace, tally: Tally) -> bool:
    mine, theirs = (getattr(evaluators, name) for name in wanted.ways)
    mix = mix_named(wanted.with_) if wanted.with_ else None
    try:
        compared(setting_of(seed, mix), mine, theirs, tally)
    except Unequal as found:
        print(f"{found}\n", flush=True)
        return False
    return True


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.equal.games",
        description="Play whole random games in two ways at once and compare them move by move.",
    )
    add = parser.add_argument
    add("--games", type=int, default=50, help="how many")
    add("--seed", type=int, default=0, help="the seed of the first")
    add("--with", dest="with_", metavar="BOXES", default="", help="drawn, if not given")
    add("--ways", nargs=2, default=["generated", "reference"], help="the second is believed")
    add("--seconds", type=float, default=1e9, help="of CPU time, then it stops")
    add("--most", type=int, default=5, help="stop after so many that differ")
    return parser

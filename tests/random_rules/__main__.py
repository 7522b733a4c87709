"""Random boxes by hand: play them in two ways, and say what differs as small as it can be."""

from __future__ import annotations

import argparse
import sys
from time import process_time
from traceback import format_exc

from kbrules.engine.configuration import NATIVE, PYTHON
from tests.random_rules.boxes import RandomBox, box_of
from tests.random_rules.comparison import MOST, Found, accepted, compared, difference
from tests.random_rules.smaller import smallest


def main() -> None:
    """Play the boxes that were asked for."""
    parser = argparse.ArgumentParser(description="Play the games of random boxes in two ways.")
    add = parser.add_argument
    add("--boxes", metavar="N", type=int, default=50, help="how many")
    add("--seed", type=int, default=0, help="the seed of the first")
    add("--engine", default=PYTHON, choices=(PYTHON, NATIVE), help="compared with the reference")
    add("--moves", type=int, default=MOST, help="so many moves of a game are compared")
    add("--whole", action="store_true", help="do not make smaller what differs")
    wanted, found = parser.parse_args(), Found()
    for seed in range(wanted.seed, wanted.seed + wanted.boxes):
        began = process_time()
        table = accepted(box_of(seed))
        try:
            compared(table, wanted.engine, found, wanted.moves)
        except Exception:
            found.became["differ"] += 1
            print(f"--- seed {seed}\n{format_exc(limit=-4)}")
            if not wanted.whole:
                print(_as_small_as_it_is(table.box, wanted.engine, wanted.moves))
        if (seconds := process_time() - began) > 20:
            print(f"seed {seed}: {seconds:.0f} s")
        if not (seed + 1) % 50:
            print(f"as far as seed {seed}: {found}", flush=True)
    print(f"{found}; {process_time():.0f} s of CPU time")
    sys.exit(1 if found.became["differ"] else 0)


def _as_small_as_it_is(box: RandomBox, engine: str, moves: int) -> str:
    """Return what a box shows, and the smallest box that shows it."""
    kind = difference(box, engine, moves)
    return f"{kind}\n{smallest(box, lambda each: difference(each, engine, moves) == kind)}"


if __name__ == "__main__":
    main()

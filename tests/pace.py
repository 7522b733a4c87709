"""How fast the machine is just now: limits of time are for one on which the work here is `USUAL`.

Other programs, and a large heap that the collector has to walk, slow such work as they slow ours.
"""

from __future__ import annotations

from time import process_time

USUAL = 0.1
"""Seconds of processor time."""


def pace() -> float:
    """How many times as long as usual things take here; at least 1."""
    began = process_time()
    for _ in range(5):
        kept = [[number] for number in range(100_000)]
        assert sum(each[0] for each in kept) == 4_999_950_000
    return max(1.0, (process_time() - began) / USUAL)


def is_quick(began: float, seconds: float) -> bool:
    """Whether less time has passed than this, here and now; `began` is a process time.

    The pace takes longer to measure than most work, so it is asked for only in doubt.
    """
    took = process_time() - began
    return took < seconds or took < seconds * pace()

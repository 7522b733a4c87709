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

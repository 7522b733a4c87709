"""How hard a property is tried, and how much work something is, in time and in calls."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import process_time
from typing import TypeVar

from hypothesis import settings

TRIES = 3

T = TypeVar("T")


def in_time(seconds: float, work: Callable[[], T]) -> T:
    """The result of work of which at least one of three tries takes less processor time."""
    times = []
    for _ in range(TRIES):
        began = process_time()
        result = work()
        times.append(process_time() - began)
        if times[-1] < seconds:
            return result
    raise AssertionError(f"took {min(times):.2f} s at best, not {seconds}")


def calls(work: Callable[[], object]) -> int:
    """How many functions work calls: the same on every machine."""
    count = 0

    def counted(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def often(times: float, at_least: int = 1) -> settings:
    """So many times the examples of the profile."""
    return settings(max_examples=max(at_least, int(times * settings().max_examples)))

"""Where a kernel is cut off, and how it tells so."""

from __future__ import annotations

from kbrules.game.state import LIMITS
from kbrules.kernel.lowering.function_writer import FunctionWriter
from kbrules.lang.typed import MAX_ROUNDS

LIMIT_BITS = {limit: 1 << number for number, limit in enumerate(LIMITS)}
"""The bit of each limit in `State.cut`."""


def rounds(times: str, fn: FunctionWriter) -> str:
    """A local name for how often a block is done, given the text of the number."""
    number = fn.new_local(times)
    if not times.isdigit() or int(times) > MAX_ROUNDS:
        with fn.block(f"if {number} > {MAX_ROUNDS}:"):
            fn.line(f"{number} = {MAX_ROUNDS}")
            fn.line(f"cut_off(M, {LIMIT_BITS['rounds']})")
    return number

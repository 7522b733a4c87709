"""Memories of a game that are lent to whoever plays it in place, and given back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from kbrules.engine.kernels import kernel_of, memory_of
from kbrules.engine.playable import Playable
from kbrules.kernel.memory.cells import Memory

__all__ = ["Lent", "lent", "of_memory"]

MOST_FREE = 4
"""So many that nobody uses are kept: one takes half a megabyte, and ten times as long to make."""


class Lent(NamedTuple):
    """A memory and the calls of its kernel that are made at every move.

    keep: answers the row of the game, None if it needs more room than that has. free: where it is
    put back.
    """

    memory: Memory
    choose: Callable[[int], int]
    keep: Callable[[], Any]
    fetch: Callable[[Any], int]
    free: list[Lent]

    def give_back(self) -> None:
        """Somebody else may have it: each begins a game on it or fetches one."""
        if len(self.free) < MOST_FREE:
            self.free.append(self)


def lent(game: Playable, engine: str) -> Lent:
    """A memory that is nobody else's until it is given back."""
    try:
        return _free(game, engine).pop()
    except IndexError:
        return of_memory(game, engine, memory_of(game, engine))


def of_memory(game: Playable, engine: str, memory: Memory) -> Lent:
    """A memory with its calls."""
    layout = kernel_of(game, engine).lowered.layout
    choose, fetch = memory.bound(layout["CHOOSE"]), memory.fetching(layout["FETCH"])
    keep = memory.keeping(layout["KEEP"], layout["ROW_SIZE"])
    return Lent(memory, choose, keep, fetch, _free(game, engine))


def _free(game: Playable, engine: str) -> list[Lent]:
    """Those that nobody uses."""
    found: list[Lent] = game.kept.setdefault((Lent, engine), [])
    return found

"""How one is told that a kernel has no room for a game."""

from __future__ import annotations

from typing import Any

from kbrules.kernel.memory.layout import ROOMS

__all__ = ["OutOfRoom"]


class OutOfRoom(RuntimeError):
    """A game that needs more room than its kernel has; the reference can play it on.

    what: for which there is no room. fault: the number of what there is too much of, by its place
    in `ROOMS`, from 1 or down from -1.
    """

    def __init__(self, what: str, fault: int) -> None:
        much = [*ROOMS.values()][abs(fault) - 1]
        why = "the engine `reference` has no such limit"
        super().__init__(f"the kernel has no room for {what}: too many {much}; {why}")
        self.what, self.fault = what, fault

    def __reduce__(self) -> tuple[Any, ...]:
        return OutOfRoom, (self.what, self.fault)

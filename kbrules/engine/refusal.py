"""Why a move is refused: the clause that decides, its place, and the nearest legal hexes."""

from __future__ import annotations

from dataclasses import dataclass

from kbrules.hex.grid import Grid
from kbrules.hex.masks import Mask, bits
from kbrules.library.reading import place_of
from kbrules.text import Span

NOT_A_MOVE = (
    "a move is wanted; a text becomes one by `read_move(text, game.board, game.legal_moves(state))`"
)
"""The message for a program that gives something else."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One clause that stands against a move: the rule it is in, what it says, and where."""

    rule: str
    text: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a move is not legal; `nearest` are the closest hexes that would be.

    There are no reasons against a legal move.
    """

    move: str
    reasons: tuple[Reason, ...]
    nearest: tuple[str, ...] = ()

    @property
    def nearest_text(self) -> str:
        """Which hexes are the nearest, in words; empty if there is none."""
        if not self.nearest:
            return ""
        which = "hex is" if len(self.nearest) == 1 else "hexes are"
        return f"the nearest legal {which} {', '.join(self.nearest)}"

    def __str__(self) -> str:
        if not self.reasons:
            return f"`{self.move}` is legal"
        lines = [f"`{self.move}` is not legal"]
        for reason in self.reasons:
            where = f" ({place_of(reason.span)})" if reason.span else ""
            lines.append(f"  {reason.rule}: {reason.text}{where}")
        if self.nearest:
            lines.append(f"  {self.nearest_text}")
        return "\n".join(lines)


class IllegalMove(Exception):
    """A move that the rules refuse; `refusal` says why. Code KB502."""

    code = "KB502"

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        super().__init__(str(refusal))


def nearest(grid: Grid, legal: Mask, hex: int, count: int = 3) -> tuple[str, ...]:
    """The names of the legal hexes closest to a hex, board order breaking ties."""
    distances = [(grid.distance(hex, other), other) for other in bits(legal)]
    known = sorted((d, other) for d, other in distances if d is not None)
    return tuple(grid.name(other) for _, other in known[:count])

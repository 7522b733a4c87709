"""Perft: how many sequences of moves begin in a position, by depth and by first move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from kbrules.engine.configuration import Table
from kbrules.game.moves import Move, write_move
from kbrules.game.state import State
from kbrules.tools.reports.data import Data, Part
from kbrules.tools.reports.report import Block, Notes, Report, ReportTable

OnCount = Callable[[int], None]


def perft(game: Table, state: State, depth: int, on_count: OnCount | None = None) -> int:
    """How many sequences of `depth` legal moves begin in a state; 1 if `depth` is 0.

    One that ends the game sooner is none of them. The engine is that of the game; OutOfRoom if it
    has no room. tell: is told of each part of the sum.
    """
    if depth == 0:
        return 1
    moves = game.legal_moves(state)
    if depth == 1:
        count = len(moves)
        if on_count is not None:
            on_count(count)
        return count
    return sum(perft(game, game.apply(state, move), depth - 1, on_count) for move in moves)


def divide(
    game: Table, state: State, depth: int, on_count: OnCount | None = None
) -> list[tuple[Move, int]]:
    """The count of `perft` by the first move, in the order of the moves; nothing if depth is 0."""
    if depth == 0:
        return []
    moves = game.legal_moves(state)
    return [(move, perft(game, game.apply(state, move), depth - 1, on_count)) for move in moves]


@dataclass(slots=True)
class PerftResult:
    """What was counted at a position: by depth, 0 the first, and by the first move of the last.

    wanted: the depth that was asked for; less was counted if the command was broken off.
    """

    game: Table
    name: str
    wanted: int
    counts: list[int] = field(default_factory=list)
    divided: list[tuple[Move, int]] = field(default_factory=list)

    @property
    def is_whole(self) -> bool:
        """Whether all was counted that was asked for."""
        return len(self.counts) > self.wanted

    def count(self, state: State, by_move: bool, on_count: OnCount) -> None:
        """Count depth after depth; what is done stays if this is broken off."""
        for depth in range(self.wanted + 1):
            if by_move and depth == self.wanted > 0:
                self.divided = divide(self.game, state, depth, on_count)
                self.counts.append(sum(count for _, count in self.divided))
            else:
                self.counts.append(perft(self.game, state, depth, on_count))

    def texts(self) -> list[tuple[str, int]]:
        """The first moves as they are written, and their counts."""
        return [(write_move(move, self.game.board), count) for move, count in self.divided]


class MoveCountData(Part):
    """A first move, and how many sequences begin with it."""

    move: str
    count: int


class PerftData(Data):
    """What `kbrules perft` counted."""

    position: str
    engine: str
    depth: int
    """The requested depth."""
    counts: tuple[int, ...]
    """Sequences of moves by depth, from 0 on; fewer than requested if it was interrupted."""
    moves: tuple[MoveCountData, ...]
    """With `--divide`: each first move."""


def perft_report(result: PerftResult) -> Report:
    """What was counted, as tables and as data."""
    rows = tuple((str(depth), f"{count:,}") for depth, count in enumerate(result.counts))
    blocks: list[Block] = [ReportTable(("depth", "sequences"), rows)]
    if result.divided:
        firsts = tuple((move, f"{count:,}") for move, count in result.texts())
        blocks.append(ReportTable(("first move", "sequences"), firsts))
    if not result.is_whole:
        blocks.append(Notes((f"broken off: depth {len(result.counts)} is not counted",)))
    data = PerftData(
        position=result.name,
        engine=result.game.engine,
        depth=result.wanted,
        counts=tuple(result.counts),
        moves=tuple(MoveCountData(move=move, count=count) for move, count in result.texts()),
    )
    lines = [" ".join(row) for row in rows]
    return Report("perft", blocks, data, lines)

"""The course of a game: set-up, turns in rounds, what follows the last round, the end."""

from __future__ import annotations

from kbrules.engine.program import Program
from kbrules.game.events import GameOver, TurnEnded, TurnStarted
from kbrules.game.state import Frame, frame_of
from kbrules.game.table import Table

MAX_TURNS = 3000
"""A game that has gone on for so many turns is ended after the round, whatever the rules say."""


class Stages:
    """Which block comes next when the stack is empty.

    `before setup` is done once; `setup` and `finish` by every player in turn order;
    then players take turns, round after round, until the last round is over.
    """

    def __init__(self, program: Program, players: int) -> None:
        ruleset = program.ruleset
        self._players = players
        once = [(p.body.path, 0) for p, _ in ruleset.phases("before setup")]
        self._setup = once + self._by_player(program, "setup")
        self._turn = [p.body.path for p, _ in reversed(ruleset.phases("turn"))]
        self._finish = self._by_player(program, "finish")
        slots = [slot for scope, slot in ruleset.memories.values() if scope == "turn"]
        self._forgotten = tuple(slots)

    def _by_player(self, program: Program, name: str) -> list[tuple[str, int]]:
        blocks = [p.body.path for p, o in program.ruleset.phases(name) if program.applies_at_all(o)]
        return [(path, player) for player in range(self._players) for path in blocks]

    def next(self, table: Table) -> None:
        """Go on to the next stage; it may push a frame."""
        name, index = table.draft.stage
        if name == "setup":
            self._from_list(table, "setup", index, self._setup)
        elif name == "turn":
            table.draft.stage = ("turn over", index)
            table.emit(TurnEnded(index % self._players))
        elif name == "turn over":
            self._after_turn(table, index)
        elif name == "finish":
            self._from_list(table, "finish", index, self._finish)

    def _from_list(
        self, table: Table, name: str, index: int, blocks: list[tuple[str, int]]
    ) -> None:
        if index < len(blocks):
            path, player = blocks[index]
            table.draft.stage = (name, index + 1)
            table.draft.active = player
            table.draft.stack = (Frame(path, 0, player, {}),)
        elif name == "setup":
            self._start_turn(table, 0)
        else:
            table.emit(GameOver(-1))

    def _after_turn(self, table: Table, index: int) -> None:
        is_round_over = (index + 1) % self._players == 0
        if is_round_over and (table.draft.ending or index >= MAX_TURNS):
            table.draft.stage = ("finish", 0)
        else:
            self._start_turn(table, index + 1)

    def _start_turn(self, table: Table, index: int) -> None:
        player = index % self._players
        table.draft.stage = ("turn", index)
        table.draft.firings = 0
        frames = [frame_of((path, 0, player, {}, (), 0, ())) for path in self._turn]
        table.draft.stack = tuple(frames)
        table.emit(TurnStarted(player, self._forgotten))

"""The course of a game: set-up, turns in rounds, what follows the last round, the end."""

from __future__ import annotations

from kbrules.game.events import GameOver, TurnEnded, TurnStarted
from kbrules.game.move_context import MoveContext
from kbrules.game.state import Frame, frame_of
from kbrules.game.turn_order import player_of
from kbrules.game.view import View
from kbrules.lang.typed.core import Expr, Phase
from kbrules.plan.limits import MAX_TURNS
from kbrules.plan.plan import Plan


class PhaseSequence:
    """Which block comes next when the stack is empty.

    `before setup` is done once; `setup`, `after setup` and `finish` by every player in turn
    order; between them players take turns, round after round, until the last round is over. The
    finish begins anew where a step says so.
    """

    def __init__(self, plan: Plan, players: int) -> None:
        ruleset = plan.ruleset
        self._plan = plan
        self.players = players
        self._cards: dict[int, int] = {}
        once = [(phase, 0) for phase in self._phases("before setup")]
        self._setup = once + self._by_player("setup") + self._by_player("after setup")
        self.turn = self._phases("turn")
        self._finish = self._by_player("finish")
        self._forgotten = {
            scope: tuple(slot for its, slot in ruleset.memories.values() if its == scope)
            for scope in ("turn", "round")
        }

    def _phases(self, name: str) -> list[Phase]:
        found = self._plan.ruleset.phases(name)
        phases = [(phase, owner) for phase, owner in found if self._plan.may_apply(owner)]
        self._cards |= {id(phase): owner.card for phase, owner in phases if owner.card >= 0}
        return [phase for phase, _ in phases]

    def _by_player(self, name: str) -> list[tuple[Phase, int]]:
        phases = self._phases(name)
        return [(phase, player) for player in range(self.players) for phase in phases]

    def _frames(self, context: MoveContext, phases: list[Phase], player: int) -> tuple[Frame, ...]:
        """The frames of phases whose guards hold now, the first on top."""
        frames = [
            frame_of((phase.body.path, 0, player, {}, None, 0, ()))
            for phase in reversed(phases)
            if self._counts(phase, context)
            and (phase.guard is None or self._holds(phase.guard, context, player))
        ]
        return tuple(frames)

    def _counts(self, phase: Phase, context: MoveContext) -> bool:
        """Whether the card of a phase, if it is of one, counts now."""
        card = self._cards.get(id(phase))
        return card is None or not context.draft.unscored >> card & 1

    def _holds(self, guard: Expr, context: MoveContext, player: int) -> bool:
        view = View(context.board, context.draft, player, self._plan, {})
        return bool(self._plan.evaluate(guard, view))

    def next_stage(self, context: MoveContext) -> None:
        """Go on to the next stage; it may push a frame."""
        name, index = context.draft.stage
        if name == "setup":
            self._from_list(context, "setup", index, self._setup)
        elif name == "turn":
            context.draft.stage = ("turn over", index)
            context.emit(TurnEnded(self._player_of(index)))
        elif name == "turn over":
            self._after_turn(context, index)
        elif name == "finish":
            self._from_list(context, "finish", index, self._finish)

    def _from_list(
        self, context: MoveContext, name: str, index: int, phases: list[tuple[Phase, int]]
    ) -> None:
        if index < len(phases):
            phase, player = phases[index]
            context.draft.stage = (name, index + 1)
            context.draft.active = player
            context.draft.stack = self._frames(context, [phase], player)
        elif name == "setup":
            self.start_turn(context, 0)
        elif context.draft.further & 1:
            context.draft.further += 1
            context.draft.stage = (name, 0)
        else:
            context.emit(GameOver(-1))

    def _after_turn(self, context: MoveContext, index: int) -> None:
        if context.draft.further & 1:
            context.draft.further += 1
            self.start_turn(context, index)
            return
        context.draft.further = 0
        is_round_over = (index + 1) % self.players == 0
        if is_round_over and not context.draft.ending and index >= MAX_TURNS:
            context.cut_off(self._player_of(index), "turns", "")
        if is_round_over and (context.draft.ending or index >= MAX_TURNS):
            context.draft.stage = ("finish", 0)
        else:
            self.start_turn(context, index + 1)

    def _player_of(self, turn: int) -> int:
        return player_of(turn, self.players, self._plan.start_passes)

    def start_turn(self, context: MoveContext, index: int) -> None:
        """Begin the turn of a number, counted from 0 through all rounds."""
        player = self._player_of(index)
        context.draft.stage = ("turn", index)
        context.draft.firings = 0
        context.draft.stack = self._frames(context, self.turn, player)
        begins_round = index % self.players == 0 and not context.draft.further
        of_round = self._forgotten["round"] if begins_round else ()
        context.emit(TurnStarted(player, self._forgotten["turn"] + of_round))

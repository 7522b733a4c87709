"""Telling the rules what happened: triggers run at once, or begin a block if they must ask."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kbrules.engine.choices import Choices
from kbrules.engine.program import Program
from kbrules.game.events import TRIGGERS, Event
from kbrules.game.state import USED, Draft, Frame
from kbrules.game.table import Table
from kbrules.lang.core import Block, Each, If, Repeat, Step, Trigger, walk_blocks
from kbrules.library.ruleset import Owned


class Telling:
    """Hands each event to the rules that wait for it."""

    def __init__(self, program: Program, choices: Choices) -> None:
        self._program = program
        self._choices = choices
        self._evaluate = program.evaluate
        self._instant = {
            trigger.body.path: self._is_instant(trigger.body)
            for each in program.triggers.values()
            for trigger, _ in each
        }

    def _is_instant(self, body: Block) -> bool:
        return all(self._happens_at_once(doing) for b in walk_blocks(body) for doing in b.steps)

    def _happens_at_once(self, doing: object) -> bool:
        if isinstance(doing, Step):
            word = self._choices.word(doing)
            return not (word.asks or word.outcomes or word.is_offers)
        return isinstance(doing, If | Each) or (isinstance(doing, Repeat) and not doing.may_stop)

    def tell(self, table: Table) -> None:
        """Let every rule that waits for what just happened act, in the order it happened."""
        frames: list[Frame] = []
        while table.news:
            event = table.news.pop(0)
            name = TRIGGERS.get(type(event), "")
            for trigger, owner in self._program.triggers.get(name, ()):
                for me in self._whose(trigger, owner, table.draft, event):
                    self._act(table, trigger, me, event.binds(), frames)
        if frames:
            table.draft.stack = (*table.draft.stack, *reversed(frames))

    def _whose(self, trigger: Trigger, owner: Owned, draft: Draft, event: Event) -> Iterator[int]:
        """The players for whom a trigger acts: whom the event speaks of, or holders of a tile."""
        speaker = event.player
        count = len(draft.seats)
        if trigger.who == "me":
            players = [speaker] if speaker >= 0 else []
        else:
            first = max(draft.active, 0)
            players = [(first + i) % count for i in range(count)]
            if trigger.who == "others":
                players = [player for player in players if player != speaker]
        held = [p for p in players if self._program.applies_to(owner, draft, p)]
        return (p for p in held if not trigger.offered or self._may_react(owner, draft, p))

    def _may_react(self, owner: Owned, draft: Draft, player: int) -> bool:
        """Whether a reaction is left to a player: a tile that was not used, or no tile needed."""
        tiles = draft.seats[player].tiles
        return owner.tile < 0 or any(t.kind == owner.tile and t.status != USED for t in tiles)

    def _act(
        self, table: Table, trigger: Trigger, me: int, env: Mapping[str, Any], frames: list[Frame]
    ) -> None:
        view = self._choices.view(table.draft, me, env)
        if trigger.guard is not None and not self._evaluate(trigger.guard, view):
            return
        if trigger.offered:
            frames.append(Frame(trigger.body.path, 0, me, env, ("up to", 1, 0, True)))
        elif self._instant[trigger.body.path]:
            self._do_all(table, trigger.body, me, env)
        else:
            frames.append(Frame(trigger.body.path, 0, me, env))

    def _do_all(self, table: Table, block: Block, me: int, env: Mapping[str, Any]) -> None:
        for doing in block.steps:
            view = self._choices.view(table.draft, me, env)
            if isinstance(doing, Step):
                self._choices.word(doing).code(table, me, *self._choices.values(doing, view))
            elif isinstance(doing, If):
                body = doing.body if self._evaluate(doing.condition, view) else doing.other
                if body is not None:
                    self._do_all(table, body, me, env)
            elif isinstance(doing, Repeat):
                for _ in range(self._evaluate(doing.times, view)):
                    self._do_all(table, doing.body, me, env)
            elif isinstance(doing, Each):
                self._do_each(table, doing, me, env)

    def _do_each(self, table: Table, doing: Each, me: int, env: Mapping[str, Any]) -> None:
        view = self._choices.view(table.draft, me, env)
        items = self._evaluate(doing.domain, view)
        if isinstance(items, int):
            items = tuple(1 << hex for hex in range(items.bit_length()) if items >> hex & 1)
        for item in items:
            inner = {**env, doing.variable: item}
            seen = self._choices.view(table.draft, me, inner)
            if doing.guard is None or self._evaluate(doing.guard, seen):
                self._do_all(table, doing.body, me, inner)

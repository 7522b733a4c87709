"""Writing out how one turn ends and the next begins."""

from __future__ import annotations

from kbrules.compile.steps.doings import top
from kbrules.compile.steps.facts import Following, happened
from kbrules.compile.steps.scribe import Scribe

AT_MOST = 32
"""After so many turns the machine goes on, which needs no more room for each of them."""


def next_stage(pen: Scribe) -> None:
    """The end of a turn, and the beginning of the next; all other stages are the machine's."""
    players = pen.plan.players
    pen.line("name, index = d.stage")
    pen.line("if name != 'turn' or d.ending: return give_over(K, t, d)")
    pen.line(f"if index >= {pen.plan.most_turns}: return give_over(K, t, d)")
    pen.line("d.stage = ('turn over', index)")
    pen.line(f"me = index % {players}")
    pen.line("env = {}")
    happened(pen, "TurnEnded(me)")
    Following(pen, "()").told("turn_end", "TurnEnded(me)", {"actor": "me"})
    with pen.under("if d.ending:"):  # the end may be called as a turn ends
        pen.line("d.stack = ()")
        pen.line("return give_over(K, t, d)")
    pen.line("index += 1")
    pen.line(f"me = index % {players}")
    pen.forget_all()
    pen.line("d.stage = ('turn', index)")
    pen.line("d.firings = 0")
    _frames(pen)
    pen.line("d.active = me")
    pen.line("d.used = ()")
    pen.line("d.revealed = -1")
    _forget(pen)
    pen.changed()
    forgotten = pen.bound(pen.plan.forgotten)
    happened(pen, f"TurnStarted(me, {forgotten})")
    Following(pen, "stack").told("turn_start", f"TurnStarted(me, {forgotten})", {"actor": "me"})
    # Where nobody has anything to decide one turn calls the next; that must not go on for ever.
    with pen.under(f"if index % {AT_MOST} == 0:"):
        pen.line("d.stack = stack")
        pen.line("return give_over(K, t, d)")
    top(pen)


def _frames(pen: Scribe) -> None:
    """The blocks of the turn whose guards hold, the first on top."""
    pen.line("stack = ()")
    for phase in reversed(pen.plan.turn):
        frame = f"frame_of(({pen.bound(phase.body.path)}, 0, me, {{}}, (), 0, ()))"
        if phase.guard is None:
            pen.line(f"stack = (*stack, {frame})")
            continue
        with pen.under(f"if {pen.text(pen.plan.decided(phase.guard))}:"):
            pen.line(f"stack = (*stack, {frame})")
    pen.line("d.stack = stack")


def _forget(pen: Scribe) -> None:
    """Clear what is remembered for a turn only."""
    for slot in pen.plan.forgotten:
        pen.line(f"forget(d, {slot})")

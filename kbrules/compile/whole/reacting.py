"""Reactions written out: whether to begin one is asked, for each unused tile once more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kbrules.compile.whole.around import BOUND, Around, placed, rule_of
from kbrules.compile.whole.branching import branches, go_into, unsplit
from kbrules.compile.whole.plan import Follow
from kbrules.compile.whole.running import unused
from kbrules.compile.whole.scribe import Scribe

if TYPE_CHECKING:
    from kbrules.compile.whole.blocks import Writer


def reaction(writer: Writer, follow: Follow) -> str:
    """The function that lets a player react to an event, as often as they may."""

    def write(scribe: Scribe) -> None:
        # A reaction is never required, whatever it interrupts.
        required, done = scribe.new(), scribe.new()
        scribe.line(f"{required}, t.required = t.required, False")
        scribe.line(f"{done} = False")
        test = f"not {done}"
        if follow.tile >= 0:
            test = f"{scribe.names.of(unused)}(seat, {follow.tile})"
        with scribe.under(f"while {test}:"), scribe.binding({name: name for name in BOUND}):
            _once(writer, scribe, follow, done)
        scribe.line(f"t.required = {required}")

    takes = f", me, {', '.join(BOUND)}"
    name = writer.function(("reaction", follow.block.path), takes, write, placed(follow.block))
    writer.begun.add(name)
    return name


def _once(writer: Writer, scribe: Scribe, follow: Follow, done: str) -> None:
    """Ask, and carry out what was chosen; it is over if nothing was."""
    around, which, hex = Around(rule_of(follow.block)), scribe.new(), scribe.new()
    if follow.guard is not None:
        scribe.line(f"if not ({writer.asked(scribe, follow.guard)}): break")
    writer.whenever(scribe, scribe.plan.standings, around)
    unsplit(writer, scribe, [follow.block])
    found = branches(writer, scribe, [follow.block], around)
    scribe.manner.any_of(scribe, [branch.way for branch in found], (which, hex), "True")
    scribe.line(f"if {which} < 0 or {which} == {len(found)}: break")
    scribe.line(f"{done} = True")
    if follow.tile >= 0:
        scribe.line(f"seat.spend({follow.tile})")
        scribe.line(f"t.used_tiles[me][{follow.tile}] += 1")
    go_into(writer, scribe, found, (which, hex), around)

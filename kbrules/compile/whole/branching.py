"""Blocks begun in one of several ways, and the branches of `either`, written out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kbrules.compile.whole.around import Around
from kbrules.compile.whole.asked import rare
from kbrules.compile.whole.manners import Way
from kbrules.compile.whole.scribe import Scribe
from kbrules.compile.whole.trying import Start, starts, tried
from kbrules.lang.core import Block, Either

if TYPE_CHECKING:
    from kbrules.compile.whole.blocks import Writer


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """A body that may be begun, in one of its ways; `way` has its hexes."""

    body: Block
    start: Start
    way: Way


def branches(
    writer: Writer, scribe: Scribe, bodies: Sequence[Block], around: Around
) -> list[Branch]:
    """All ways to begin one of some bodies, with the lines that find whether they are open."""
    name, found = scribe.names.of, []
    for body in bodies:
        for start in starts(writer.plan, body):
            mask = scribe.new()
            scribe.line(f"{mask} = {tried(writer, scribe, body, start)}")
            way = Way(
                name(start.verb), name(around.rule), mask, name(body.path), lone=start.step is None
            )
            found.append(Branch(body, start, way))
    return found


def go_into(
    writer: Writer,
    scribe: Scribe,
    found: Sequence[Branch],
    names: tuple[str, str],
    around: Around,
) -> None:
    """Carry out the body whose number was chosen, from the hex that was chosen with it."""
    which, hex = names
    inner = replace(around, loop=None, given="", waiting="", verb="")
    for number, branch in enumerate(found):
        with scribe.under(f"{'el' if number else ''}if {which} == {number}:"):
            begin(writer, scribe, branch.body, inner, branch.start, hex)
    scribe.forget()


def begin(
    writer: Writer, scribe: Scribe, block: Block, around: Around, start: Start, hex: str
) -> None:
    """A block that is begun in some way, with its first hex in a local if it has one."""
    first = block.steps[0]
    if isinstance(first, Either):
        if start.inner is not None and start.step is not None:
            begin(writer, scribe, first.bodies[start.branch], around, start.inner, hex)
        else:
            _begin_otherwise(writer, scribe, first, around, hex)
        scribe.forget()
        writer.steps(scribe, block.steps[1:], around)
    elif start.step is None:
        writer.block(scribe, block, around)
    elif start.direct:
        writer.block(scribe, block, replace(around, given=hex))
    else:
        writer.block(scribe, block, replace(around, waiting=hex, verb=start.verb))


def _begin_otherwise(
    writer: Writer, scribe: Scribe, doing: Either, around: Around, hex: str
) -> None:
    """Go into the first body that begins without a hex."""
    lone = [(b, s) for b in doing.bodies for s in starts(writer.plan, b) if s.step is None]
    for number, (body, start) in enumerate(lone):
        with scribe.under(f"{'el' if number else ''}if {tried(writer, scribe, body, start)}:"):
            begin(writer, scribe, body, around, start, hex)
            scribe.forget()
    with scribe.under("else:"):
        rare(scribe, "a branch that closed when its action began")


def either(writer: Writer, scribe: Scribe, doing: Either, around: Around) -> None:
    """One of several bodies, begun by the player."""
    which, hex = scribe.new(), scribe.new()
    with scribe.under("while True:"):
        scribe.share([standing.guard for standing in scribe.plan.standings])
        writer.whenever(scribe, scribe.plan.standings, around)
        unsplit(writer, scribe, doing.bodies)
        found = branches(writer, scribe, doing.bodies, around)
        _choose(scribe, found, (which, hex), around)
        scribe.line("break")
    if around.loop:
        # Where there is nothing to choose it is as if the player had stopped.
        scribe.line(f"{around.loop[1]} = {which} < 0 or {which} == {len(found)}")
    go_into(writer, scribe, found, (which, hex), around)


def unsplit(writer: Writer, scribe: Scribe, bodies: Sequence[Block]) -> None:
    """Nothing is known of branches that wait for a terrain to be chosen."""
    if any(writer.plan.needs_terrain(body) for body in bodies):
        with scribe.under("if t.split:"):
            rare(scribe, "a choice between terrains before branches")


def _choose(
    scribe: Scribe, found: Sequence[Branch], names: tuple[str, str], around: Around
) -> None:
    """Put in locals which way was chosen, and the hex; -1 if there is none to choose."""
    which, hex = names
    ways, stop = [branch.way for branch in found], ""
    if around.loop is not None:
        rounds, _, may_at_first = around.loop
        stop = "True" if may_at_first else f"{rounds} > 0"
    if not around.waiting:
        scribe.manner.any_of(scribe, ways, names, stop)
        return
    waiting = around.waiting
    with scribe.under(f"if {waiting} < 0:"):
        scribe.manner.any_of(scribe, ways, names, stop)
    with scribe.under("else:"):
        scribe.line(f"{which} = -1")
        scribe.line(f"{hex} = {waiting}")
        for number, branch in enumerate(found):
            if branch.start.verb == around.verb:
                test = f"{which} < 0 and {branch.way.hexes} >> {hex} & 1"
                scribe.line(f"if {test}: {which} = {number}")
        scribe.line(f"if {which} >= 0: {waiting} = -1")

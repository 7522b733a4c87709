"""The step at which a player carries out an action of a tile once more, written out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kbrules.compile.whole import offering, terrains
from kbrules.compile.whole.around import Around, rule_of
from kbrules.compile.whole.asked import values
from kbrules.compile.whole.manners import CALL, GROUND, LAST
from kbrules.compile.whole.plan import Asked, Begin
from kbrules.compile.whole.running import serving
from kbrules.compile.whole.scribe import Scribe
from kbrules.game.moves import Group

if TYPE_CHECKING:
    from kbrules.compile.whole.blocks import Writer


def reuse(writer: Writer, scribe: Scribe, asked: Asked, around: Around) -> None:
    """One action, begun by the player; it is as it always is, but not used up by it."""
    done = scribe.new()
    with scribe.under("while True:"):
        scribe.share([standing.guard for standing in scribe.plan.standings])
        writer.whenever(scribe, scribe.plan.standings, around)
        places, test = values(scribe, asked)[0], _may_stop(around)
        decide = _decision(writer, around.rule, bool(around.loop))
        scribe.line(f"{done} = {CALL}{decide}(t, me, {places}, {test})")
        scribe.line(f"if {done} == {GROUND}: continue")
        if around.loop:
            scribe.line(f"{around.loop[1]} = {done} == {LAST}")
        scribe.line("break")
    scribe.forget()


def _may_stop(around: Around) -> str:
    """When the loop around, if there is one, may be stopped."""
    if around.loop is None:
        return "False"
    rounds, _, may_at_first = around.loop
    return "True" if may_at_first else f"{rounds} > 0"


def reusable(writer: Writer, scribe: Scribe, asked: Asked, rule: str) -> str:
    """A text for how much a player could reuse now."""
    return f"{_found(writer, rule)}(t, me, {values(scribe, asked)[0]}, [], [])"


def _decision(writer: Writer, rule: str, may_stop: bool) -> str:
    """The function of the decision; it answers what came of it."""

    def write(scribe: Scribe) -> None:
        scribe.line("found, grounds = [], []")
        found = f"{_found(writer, rule)}(t, me, places, found, grounds)"
        scribe.line(f"total = {found} - len(grounds)")
        scribe.manner.one_or_terrain(scribe, Group("stop", rule), "may_stop")

    return writer.function(("reuse", rule), ", me, places, may_stop", write)


def _found(writer: Writer, rule: str) -> str:
    """The function that finds all that tiles from some places let a player do once more."""
    again = writer.again

    def write(scribe: Scribe) -> None:
        kinds = f"{scribe.names.of(serving)}(seat, places)"
        scribe.line("total = 0")
        with scribe.under("if t.split:"):
            terrains.before_choosing(scribe, (), (known, needing), kinds)
            scribe.line("return total + len(grounds)")
        terrains.of_tiles(scribe, every, kinds, "found")
        scribe.line("return total")

    def other(offer: Begin) -> bool:
        return rule_of(offer.block) != rule

    number = again.numbers.setdefault(rule, len(again.numbers))
    every, known, needing = (f"again{number}_{each}" for each in ("every", "known", "needing"))
    name = again.function(("reusable", rule), ", me, places, found, grounds", write)
    if every not in again.lists:
        offering.listed(again, every, other)
        offering.listed(again, known, lambda o: other(o) and (not o.needs_terrain or o.mixed))
        offering.listed(again, needing, lambda o: other(o) and o.needs_terrain)
    return name

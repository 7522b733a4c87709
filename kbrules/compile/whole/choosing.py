"""Steps that ask written out: what is chosen, or drawn, and what it leads to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from kbrules.compile.whole.around import Around
from kbrules.compile.whole.asked import (
    first_hexes,
    is_once,
    parts_of,
    rare,
    rounds,
    values,
    when_lifted,
)
from kbrules.compile.whole.manners import Way
from kbrules.compile.whole.plan import Asked
from kbrules.compile.whole.scribe import Scribe
from kbrules.compile.whole.steps import CHOSEN, DRAWN
from kbrules.compile.whole.straying import strayed
from kbrules.compile.whole.terrains import settled, with_which

if TYPE_CHECKING:
    from kbrules.compile.whole.blocks import Writer


def choosing(writer: Writer, scribe: Scribe, asked: Asked, around: Around) -> None:
    """A step that asks the player for hexes, one after another."""
    is_given = bool(around.given) and is_once(asked) and not around.again
    if is_given and not asked.word.lifts:
        _do(writer, scribe, asked, around, ("", around.given))
        return
    done, hex = scribe.new(), around.given or scribe.new()
    scribe.line(f"{done} = 0")
    if not around.given:
        scribe.line(f"{hex} = -1")
    lifted = scribe.new() if asked.word.lifts else ""
    if lifted:
        scribe.line(f"{lifted} = {hex}")
        scribe.line(f"{hex} = -1")
    with rounds(scribe, asked, done):
        if lifted:
            if not is_given:
                _lifting(writer, scribe, asked, around, (done, lifted))
            _landing(writer, scribe, asked, around, (done, lifted, hex))
        else:
            with scribe.under(f"if {hex} < 0:"):
                _one(writer, scribe, asked, around, (done, hex))
        _do(writer, scribe, asked, around, (lifted, hex))
        # The step may come again in a loop, and what was given is given for the first time only.
        scribe.line(f"{hex} = -1")
        if is_once(asked):
            scribe.line("break")
            return
        if lifted:
            scribe.line(f"{lifted} = -1")
        scribe.line(f"{done} += 1")


def _do(
    writer: Writer, scribe: Scribe, asked: Asked, around: Around, names: tuple[str, str]
) -> None:
    """What a step does with what was chosen."""
    scribe.forget()
    CHOSEN.get(asked.step.name, plainly)(writer, scribe, asked, around, names)
    scribe.forget()


def _one(
    writer: Writer, scribe: Scribe, asked: Asked, around: Around, names: tuple[str, str]
) -> None:
    """Choose the only hex of a step."""
    done, hex = names
    guards = [standing.guard for standing in scribe.plan.standings] if around.active else []
    scribe.ahead([*guards, *parts_of(asked)])
    writer.whenever(scribe, scribe.plan.standings, around)

    def find() -> str:
        return first_hexes(scribe, asked)

    _split(scribe, asked, around, done, find)
    mask = find()
    _pick(scribe, mask, around, (done, hex), asked)


def _lifting(
    writer: Writer, scribe: Scribe, asked: Asked, around: Around, names: tuple[str, str]
) -> None:
    """Choose the piece to lift; then the loop comes by again."""
    done, lifted = names
    with scribe.under(f"if {lifted} < 0:"):
        _one(writer, scribe, asked, around, (done, lifted))
        scribe.line("continue")


def _landing(
    writer: Writer, scribe: Scribe, asked: Asked, around: Around, names: tuple[str, str, str]
) -> None:
    """Choose where the lifted piece goes."""
    done, lifted, hex = names
    guards = [standing.guard for standing in scribe.plan.standings] if around.active else []
    scribe.share(guards)
    writer.whenever(scribe, scribe.plan.standings, around)
    around, origin = replace(around, loop=None), scribe.new()
    scribe.line(f"{origin} = 1 << {lifted}")

    def find() -> str:
        return when_lifted(scribe, asked.legal, origin)

    _split(scribe, asked, around, done, find)
    _pick(scribe, find(), around, (done, hex), asked, 1)


def _split(
    scribe: Scribe, asked: Asked, around: Around, done: str, find: Callable[[], str]
) -> None:
    """Where there are several terrains one is chosen first, of those with which it can be done."""
    if not asked.needs_terrain:
        return
    with scribe.under("if t.split:"):
        if asked.at_random:
            rare(scribe, "chance that chooses a terrain")
            return
        found, terrain = with_which(scribe, find), scribe.new()
        _or_pass_over(scribe, found, around, done)
        rule = scribe.names.of(around.rule)
        scribe.manner.terrain(scribe, found, terrain, _stop(around, done), rule)
        settled(scribe, terrain)
        scribe.line("continue")


def _pick(
    scribe: Scribe,
    mask: str,
    around: Around,
    names: tuple[str, str],
    asked: Asked,
    number: int = 0,
) -> None:
    """A hex of a set, or to stop; nothing to choose from ends the step, or the loop around."""
    done, hex = names
    _or_pass_over(scribe, mask, around, done)
    if asked.at_random:
        scribe.line(f"{hex} = t.chance.pick({mask})")
        return
    name = asked.names[number]
    way = Way(scribe.names.of(name), scribe.names.of(around.rule), mask)
    if not around.waiting or number:
        _decide(scribe, way, around, names)
        return
    with scribe.under(f"if {around.waiting} >= 0:"):
        scribe.line(f"{hex} = {around.waiting}")
        scribe.line(f"{around.waiting} = -1")
    with scribe.under("else:"):
        _decide(scribe, way, around, names)


def _decide(scribe: Scribe, way: Way, around: Around, names: tuple[str, str]) -> None:
    """Let the player choose a hex, or stop."""
    done, hex = names
    stop = _stop(around, done)
    if stop is None:
        scribe.manner.hex(scribe, way, hex)
        return
    stopped, test = stop
    scribe.manner.hex_or_stop(scribe, way, (hex, stopped), test)


def _or_pass_over(scribe: Scribe, found: str, around: Around, done: str) -> None:
    """Nothing to choose from ends the step, or the loop around."""
    with scribe.under(f"if not {found}:"):
        if around.loop:
            scribe.line(f"{around.loop[1]} = {done} == 0")
        scribe.line("break")


def _stop(around: Around, done: str) -> tuple[str, str] | None:
    """Of a loop around that may be stopped: the local that says so, and when it may be."""
    if around.loop is None:
        return None
    rounds, stopped, may_at_first = around.loop
    return stopped, f"{done} == 0" if may_at_first else f"{done} == 0 and {rounds} > 0"


def plainly(
    writer: Writer, scribe: Scribe, asked: Asked, around: Around, names: tuple[str, str]
) -> None:
    """What was chosen is done by the step's own code."""
    lifted, hex = names
    chosen = f"({lifted}, {hex})" if lifted else f"({hex},)"
    scribe.line(f"t.strayed = {strayed(scribe, asked, names)}")
    given = values(scribe, asked)
    scribe.line(f"t.rule = {scribe.names.of(around.rule)}")
    code = scribe.names.of(asked.word.code)
    scribe.line(f"{code}(t, me, {chosen}{''.join(', ' + value for value in given)})")
    writer.tell(scribe, around)


def drawing(writer: Writer, scribe: Scribe, asked: Asked, around: Around) -> None:
    """A step that lets chance draw cards."""
    done, sums, card = scribe.new(), scribe.new(), scribe.new()
    scribe.line(f"{done} = 0")
    with rounds(scribe, asked, done):
        scribe.share([standing.guard for standing in scribe.plan.draws])
        writer.whenever(scribe, scribe.plan.draws, around)
        outcomes = asked.word.outcomes
        assert outcomes is not None
        # The sums of the weights up to each card, after a 0: where a number falls is its card.
        weights = scribe.applied(outcomes, ["view"])
        scribe.line(f"{sums} = [*accumulate({weights}, initial=0)]")
        scribe.line(f"if not {sums}[-1]: break")
        scribe.line(f"{card} = bisect_right({sums}, t.chance.draw({sums}[-1])) - 1")
        given = "".join(", " + value for value in values(scribe, asked))
        if asked.step.name in DRAWN:
            DRAWN[asked.step.name](writer, scribe, asked, around, card)
        else:
            scribe.line(f"{scribe.names.of(asked.word.code)}(t, me, {card}{given})")
            writer.tell(scribe, around)
        scribe.forget()
        scribe.line("break" if is_once(asked) else f"{done} += 1")
    scribe.forget()

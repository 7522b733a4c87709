"""What follows events written out: rules that act at once, and those that ask afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from kbrules.compile.whole.around import Around, rule_of, usual
from kbrules.compile.whole.plan import Follow
from kbrules.compile.whole.reacting import reaction
from kbrules.compile.whole.running import whose_turn
from kbrules.compile.whole.scribe import Scribe

if TYPE_CHECKING:
    from kbrules.compile.whole.blocks import Writer


FEW = 8
"""So many things that follow are written out where the event happens."""


def told_by(writer: Writer, event: str) -> str:
    """The function of what follows an event, "" if nothing does."""
    writer = writer.base
    waiting = writer.plan.follows.get(event, ())
    if not waiting:
        return ""

    def write(scribe: Scribe) -> None:
        for plain, group in groupby(waiting, key=_is_plain):
            if plain:
                with scribe.under("if player >= 0:"):
                    _for(writer, scribe, list(group), "player")
            else:
                for follow in group:
                    _whose(writer, scribe, follow)

    takes = ", player, here, origin, strayed"
    writer.told[event] = writer.function(("event", event), takes, write)
    return writer.told[event]


def follow_here(
    writer: Writer, scribe: Scribe, event: str, hex: str, piece: int, strayed: str
) -> bool:
    """Write what follows where a piece of the player came to a hex, if that is short and plain."""
    waiting = writer.plan.follows.get(event, ())
    if len(waiting) > FEW or not all(_is_plain(each) and each.instant for each in waiting):
        return False
    bound = {"actor": "me", "here": hex, "origin": "0", "strayed": strayed}
    with scribe.binding(bound), scribe.laying(piece):
        for follow in waiting:
            scribe.forget()
            _guarded(writer, scribe, follow)
    scribe.forget()
    return True


def calling(lines: Sequence[str]) -> int | None:
    """How deep the lines stand that call anything that could let more happen.

    That is told the table, or told of it. Where nothing does, nothing waits to be told: None.
    Where less deep lines come after a call, or there are loops, it is the depth of all.
    """
    calls = [n for n, line in enumerate(lines) if any(call in line for call in _CALLS)]
    if not calls:
        return None
    depths = [(len(line) - len(line.lstrip())) // 4 for line in lines]
    first = depths[calls[0]]
    loops = any(line.lstrip().startswith(("for ", "while ")) for line in lines)
    return min(depths) if loops or min(depths[calls[0] :]) < first else first


_CALLS = "(t,", "(t)", ".append("


def _whose(writer: Writer, scribe: Scribe, follow: Follow) -> None:
    """What follows for players that are found when it happens."""
    whose = int(follow.who == "others")
    me = scribe.new()
    found = f"{scribe.names.of(whose_turn)}(t, player, {whose}, {follow.tile})"
    with scribe.under(f"for {me} in {found}:"):
        _for(writer, scribe, [follow], me)


def _for(writer: Writer, scribe: Scribe, follows: list[Follow], me: str) -> None:
    """What follows, done by one player."""
    scribe.line(f"me = {me}")
    start = len(scribe.lines)
    bound = {"actor": "player", "here": "here", "origin": "origin", "strayed": "strayed"}
    for follow in follows:
        scribe.forget()
        with scribe.binding(bound):
            _guarded(writer, scribe, follow)
    indent = "    " * scribe.depth
    scribe.lines[start:start] = usual(scribe.lines[start:], scribe.repeating, indent)


def _guarded(writer: Writer, scribe: Scribe, follow: Follow) -> None:
    scribe.share([follow.guard])
    tests = [] if follow.guard is None else [scribe.text(follow.guard)]
    if follow.tile >= 0 and follow.who == "me":
        tests.append(f"{follow.tile} in seat.kinds")
    if not tests:
        _acts(writer, scribe, follow)
        return
    with scribe.under(f"if {' and '.join(tests)}:"):
        _acts(writer, scribe, follow)


def _acts(writer: Writer, scribe: Scribe, follow: Follow) -> None:
    rule = rule_of(follow.block)
    if follow.instant:
        writer.block(scribe, follow.block, Around(rule, telling=True))
    else:
        if follow.offered:
            name = reaction(writer, follow)
        else:
            name = writer.of_block(follow.block, Around(rule), binds=True)
            writer.begun.add(name)
        scribe.line(f"t.later.append(({name}, (me, player, here, origin, strayed)))")


def _is_plain(follow: Follow) -> bool:
    """Whether it follows for the very player of whom the event speaks, if for anybody."""
    return follow.who == "me"

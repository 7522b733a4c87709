"""The choice between terrains written out: for a step, and among the actions of a turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from kbrules.compile.whole.grounds import among, as_before, settle, suppose
from kbrules.compile.whole.plan import Begin
from kbrules.compile.whole.scribe import Scribe

Adding = tuple[Begin, str]
"""An action of the table, and the name of the function that adds how it may begin."""


@contextmanager
def each_terrain(scribe: Scribe) -> Iterator[str]:
    """What is written meanwhile is done with each of the terrains chosen; it has that name."""
    terrain = scribe.new()
    with scribe.under(f"for {terrain} in {scribe.names.of(among)}(t):"), scribe.apart():
        scribe.line(f"{scribe.names.of(suppose)}(t, {terrain})")
        yield terrain
    scribe.line(f"{scribe.names.of(as_before)}(t)")


def with_which(scribe: Scribe, find: Callable[[], str]) -> str:
    """The local name of the terrains with which a step can be done; `find` writes its hexes."""
    found = scribe.new()
    scribe.line(f"{found} = []")
    with each_terrain(scribe) as terrain:
        mask = find()
        scribe.line(f"if {mask}: {found}.append({terrain})")
    return found


def settled(scribe: Scribe, terrain: str) -> None:
    """Choose a terrain."""
    scribe.line(f"{scribe.names.of(settle)}(t, {terrain})")


def settled_by(scribe: Scribe, offer: Begin) -> None:
    """Of several cards with one terrain, an action that needs it takes the first."""
    if offer.needs_terrain:
        with scribe.under("if len(t.shown) > 1 and t.played >= 0:"):
            settled(scribe, "t.played")


def before_choosing(
    scribe: Scribe, table: Sequence[Adding], lists: tuple[str, str], kinds: str
) -> None:
    """Find what a player can begin while there are several terrains.

    Actions that need none can begin; of the terrains those can be chosen with which another can.
    lists: the names of what tiles of a kind offer, without a terrain and with one. kinds: a text
    for the kinds of tiles that serve. The local lists `found` and `grounds` are filled.
    """
    known, needing = lists
    _those(scribe, [t for t in table if not t[0].needs_terrain or t[0].mixed], "found")
    of_tiles(scribe, known, kinds, "found")
    before = scribe.new()
    scribe.line(f"{before} = total")
    with each_terrain(scribe) as terrain:
        scribe.line("more = []")
        _those(scribe, [t for t in table if t[0].needs_terrain], "more")
        of_tiles(scribe, needing, kinds, "more")
        with scribe.under("for each in more:"), scribe.under("if each not in found:"):
            scribe.line(f"grounds.append({terrain})")
            scribe.line("break")
    scribe.line(f"total = {before}")


def _those(scribe: Scribe, table: Sequence[Adding], found: str) -> None:
    """Add how some actions of the table may begin."""
    for offer, add in table:
        with scribe.under(f"if {scribe.names.of(offer.block.path)} not in t.used:"):
            scribe.line(f"count = {add}(t, me, {found})")
            scribe.line("total += count")
            if offer.required:
                scribe.line("if count: must = True")


def of_tiles(scribe: Scribe, name: str, kinds: str, found: str) -> None:
    """Add how some actions of tiles may begin."""
    of_kind = f"for offer in {name}[kind]:"
    with scribe.under(f"for kind in {kinds}:"), scribe.under(of_kind):
        scribe.line(f"total += offer(t, me, {found})")

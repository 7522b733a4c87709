"""The choice between terrains written out: for a step, and among the actions of a turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from kbrules.compile.whole.asked import apart
from kbrules.compile.whole.grounds import among, as_before, settle, suppose
from kbrules.compile.whole.plan import Begin
from kbrules.compile.whole.scribe import Scribe

KNOWN, NEEDING = "by_tile_known", "by_tile_needing"
"""What tiles offer before a terrain is chosen, and what they might with one, by kind."""
Adding = tuple[Begin, str]
"""An action of the table, and the name of the function that adds how it may begin."""


@contextmanager
def each_terrain(scribe: Scribe) -> Iterator[str]:
    """What is written meanwhile is done with each of the terrains chosen; it has that name."""
    terrain = scribe.new()
    with scribe.under(f"for {terrain} in {scribe.names.of(among)}(t):"), apart(scribe):
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


def before_choosing(scribe: Scribe, table: Sequence[Adding], tiles: bool) -> None:
    """A player's decision while there are several terrains; whether to go on is answered.

    Actions that need none can begin; of the terrains those can be chosen with which another can.
    """
    scribe.line("total, must, found, grounds = 0, False, [], []")
    _those(scribe, [t for t in table if not t[0].needs_terrain or t[0].mixed], "found")
    if tiles:
        _of_tiles(scribe, KNOWN, "found")
    before = scribe.new()
    scribe.line(f"{before} = total")
    with each_terrain(scribe) as terrain:
        scribe.line("more = []")
        _those(scribe, [t for t in table if t[0].needs_terrain], "more")
        if tiles:
            _of_tiles(scribe, NEEDING, "more")
        with scribe.under("for each in more:"), scribe.under("if each not in found:"):
            scribe.line(f"grounds.append({terrain})")
            scribe.line("break")
    scribe.line(f"total = {before}")
    scribe.manner.one_or_terrain(scribe)


def _those(scribe: Scribe, table: Sequence[Adding], found: str) -> None:
    """Add how some actions of the table may begin."""
    for offer, add in table:
        with scribe.under(f"if {scribe.names.of(offer.block.path)} not in t.used:"):
            scribe.line(f"count = {add}(t, me, {found})")
            scribe.line("total += count")
            if offer.required:
                scribe.line("if count: must = True")


def _of_tiles(scribe: Scribe, name: str, found: str) -> None:
    """Add how some actions of tiles may begin."""
    kinds, of_kind = "for kind in seat.ready:", f"for offer in {name}.get(kind, ()):"
    with scribe.under(kinds), scribe.under(of_kind):
        scribe.line(f"total += offer(t, me, {found})")

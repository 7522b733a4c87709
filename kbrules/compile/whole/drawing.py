"""Decisions drawn at random: a number below the number of legal moves."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from kbrules.compile.whole.manners import (
    BEGUN,
    CALL,
    CALLED,
    CLOSED,
    NEVER,
    Way,
    ground,
    is_mostly_alone,
)
from kbrules.game.moves import Group

if TYPE_CHECKING:
    from kbrules.compile.whole.scribe import Scribe


class Drawing:
    """A player's stream of chance decides, evenly."""

    def hex(self, scribe: Scribe, way: Way, hex: str) -> None:
        """One draw, and the hex of that number."""
        scribe.line("seat.decisions += 1")
        scribe.line(f"{hex} = pick({way.hexes})")

    def hex_or_stop(self, scribe: Scribe, way: Way, names: tuple[str, str], test: str) -> None:
        """One draw; the number after all hexes stops."""
        (hex, stopped), count, index = names, scribe.new(), scribe.new()
        scribe.line("seat.decisions += 1")
        scribe.line(f"{count} = {way.hexes}.bit_count()")
        scribe.line(f"{index} = below({count} + ({test}))")
        with scribe.under(f"if {index} == {count}:"):
            scribe.line(f"{stopped} = True")
            scribe.line("break")
        scribe.line(f"{hex} = member({way.hexes}, {index})")

    def found(self, scribe: Scribe, way: Way) -> str:
        """Its hexes, and what is to be done; the number of hexes."""
        scribe.line(f"found.append(({way.hexes}, {way.act}))")
        return f"{way.hexes}.bit_count()"

    def one_of(self, scribe: Scribe, ways: Sequence[Way], must: str, lists: bool) -> None:
        """One draw over all; the number after them ends."""
        if is_mostly_alone(ways) and must != NEVER:
            with scribe.under(f"if {must} and not found:" if lists else f"if {must}:"):
                scribe.line("seat.decisions += 1")
                scribe.line(f"{CALL}{ways[0].act}(t, me, pick({ways[0].hexes}))")
                scribe.line("continue")
        counts = [scribe.new() for _ in ways]
        for way, count in zip(ways, counts, strict=True):
            scribe.line(f"{count} = {way.hexes}.bit_count()")
        scribe.line(f"index = {' + '.join([*counts, *(['more'] if lists else [])]) or 0}")
        scribe.line("if not index: break")
        scribe.line("seat.decisions += 1")
        end = "1" if must == NEVER else f"(not {must})"
        scribe.line(f"index = below(index + {end})")
        for way, count in zip(ways, counts, strict=True):
            with scribe.under(f"if index < {count}:"):
                scribe.line(f"{CALL}{way.act}(t, me, member({way.hexes}, index))")
                scribe.line("continue")
            scribe.line(f"index -= {count}")
        if not lists:
            scribe.line("break")
            return
        with scribe.under("for mask, act in found:"):
            scribe.line("count = mask.bit_count()")
            with scribe.under("if index < count:"):
                scribe.line(f"{CALL}act(t, me, member(mask, index))")
                scribe.line("break")
            scribe.line("index -= count")
        scribe.line("else: break")

    def only(self, scribe: Scribe, way: Way, must: bool) -> None:
        """One draw; a number for the end where that is allowed."""
        scribe.line(f"if not {way.hexes}: break")
        scribe.line("seat.decisions += 1")
        if must:
            scribe.line(f"hex = pick({way.hexes})")
            return
        scribe.line(f"count = {way.hexes}.bit_count()")
        scribe.line("index = below(count + 1)")
        scribe.line("if index == count: break")
        scribe.line(f"hex = member({way.hexes}, index)")

    def terrain(
        self, scribe: Scribe, found: str, terrain: str, stop: tuple[str, str] | None, rule: str
    ) -> None:
        """One draw; the number after all terrains stops."""
        scribe.line("seat.decisions += 1")
        if stop is None:
            scribe.line(f"{terrain} = {found}[below(len({found}))]")
            return
        stopped, test = stop
        scribe.line(f"{terrain} = below(len({found}) + ({test}))")
        with scribe.under(f"if {terrain} == len({found}):"):
            scribe.line(f"{stopped} = True")
            scribe.line("break")
        scribe.line(f"{terrain} = {found}[{terrain}]")

    def one_or_terrain(self, scribe: Scribe, last: Group, test: str) -> None:
        """One draw over all."""
        scribe.line("total += len(grounds)")
        scribe.line(f"if not total: return {CLOSED}")
        scribe.line("seat.decisions += 1")
        scribe.line(f"index = below(total + ({test}))")
        with scribe.under("for mask, act in found:"):
            scribe.line("count = mask.bit_count()")
            with scribe.under("if index < count:"):
                scribe.line(f"{CALL}act(t, me, member(mask, index))")
                scribe.line(f"return {BEGUN}")
            scribe.line("index -= count")
        ground(scribe)

    def any_of(
        self, scribe: Scribe, ways: Sequence[Way], names: tuple[str, str], stop: str
    ) -> None:
        """One draw over all; the number after them stops."""
        (which, hex), left = names, scribe.new()
        counts = [scribe.new() for _ in ways]
        for count, way in zip(counts, ways, strict=True):
            scribe.line(f"{count} = {way.hexes}.bit_count()")
        scribe.line(f"{which} = -1")
        with scribe.under(f"if {' or '.join(counts) or False}:"):
            scribe.line("seat.decisions += 1")
            scribe.line(f"{left} = below({' + '.join(counts)}{f' + ({stop})' if stop else ''})")
            before: list[str] = []
            for number, (way, count) in enumerate(zip(ways, counts, strict=True)):
                found = f"member({way.hexes}, {' - '.join([left, *before])})"
                before.append(count)
                test = f"{'el' if number else ''}if {left} < {' + '.join(before)}:"
                scribe.line(f"{test} {which}, {hex} = {number}, {found}")
            scribe.line(f"else: {which} = {len(ways)}")
            _first_of_equals(scribe, ways, names)

    def settled(
        self, texts: Sequence[str], begun: Collection[str], asking: set[str]
    ) -> list[str]:
        """Calls are calls."""
        return [CALLED.sub(r"\1(", text) for text in texts]


def _first_of_equals(scribe: Scribe, ways: Sequence[Way], names: tuple[str, str]) -> None:
    """Where two ways hold the same move the first of them is meant."""
    which, hex = names
    for number, way in enumerate(ways):
        earlier = [i for i in range(number) if ways[i].verb == way.verb]
        if earlier:
            with scribe.under(f"if {which} == {number}:"):
                for index, other in enumerate(earlier):
                    test = f"{'el' if index else ''}if {ways[other].hexes} >> {hex} & 1:"
                    scribe.line(f"{test} {which} = {other}")

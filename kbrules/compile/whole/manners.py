"""How the decisions of a program are made: drawn at random, or asked of whoever plays.

The text around them is the same. Where players draw, a decision is a number below the number of
legal moves; where they are asked, every function that comes to a decision is a generator, which
yields who decides and the groups of legal moves, and is sent the number of the group and the hex.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from kbrules.compile.whole.grounds import settle
from kbrules.game.moves import Group

if TYPE_CHECKING:
    from kbrules.compile.whole.scribe import Scribe

CALL = "@"
"""Stands before a call that may come to a decision, until it is known whether it does."""
END, _STOP = Group("end", "turn"), "stop"
CLOSED, BEGUN, GROUND, LAST = range(4)
"""What came of a decision between actions and terrains."""
_GROUNDS = "[group(('choose', board.catalog.hexes[each].id, 0, '')) for each in {}]"


@dataclass(frozen=True, slots=True)
class Way:
    """A group of legal moves in the text: verb, rule and path are names of values, hexes a local.

    act: the name of the function that carries out what was chosen, if that is not what follows.
    lone: whether it is one move without a hex; then the local is 1 if it is open.
    """

    verb: str
    rule: str
    hexes: str
    path: str = "''"
    act: str = ""
    lone: bool = False

    @property
    def group(self) -> str:
        """A text for the group."""
        hexes = 0 if self.lone else self.hexes
        return f"group(({self.verb}, {self.rule}, {hexes}, {self.path}))"


class Manner(Protocol):
    """One of the two; what it writes is told by the classes.

    at_once: whether all must be written before any can be settled.
    """

    at_once: bool

    def hex(self, scribe: Scribe, way: Way, hex: str) -> None:
        """Put in a local name the hex that is chosen of a set that is not empty."""

    def hex_or_stop(self, scribe: Scribe, way: Way, names: tuple[str, str], test: str) -> None:
        """The same, but if a test holds the loop may be stopped instead.

        names: the locals of the hex and of whether it was stopped. Stopping breaks off.
        """

    def found(self, scribe: Scribe, way: Way) -> None:
        """Add a way that is open to those found, a local list."""

    def one_of(self, scribe: Scribe, ways: Sequence[Way], lists: bool) -> None:
        """Let a player begin one of some ways, of which each may be closed (no hexes), or end.

        lists: whether there are others in the list `found`. The local `must` forbids to end.
        Within a loop: it goes on after what was begun, and is broken off at the end.
        """

    def only(self, scribe: Scribe, way: Way, must: bool) -> None:
        """The same where there is but one way, for what follows to carry it out.

        The first hex is put in the local `hex`. `must` forbids to end.
        """

    def terrain(
        self, scribe: Scribe, found: str, terrain: str, stop: tuple[str, str] | None, rule: str
    ) -> None:
        """Put in a local name the terrain that is chosen of a local list that is not empty.

        stop: where a loop may be stopped instead, the local that says so, and the test for it.
        rule: the name of the rule that stops.
        """

    def one_or_terrain(self, scribe: Scribe, last: Group, test: str) -> None:
        """Let a player begin one of the ways in `found`, or choose one of the terrains `grounds`.

        last: the move that does nothing of it, if a test holds. `CLOSED` is answered where there is
        nothing to choose, else what was chosen: `BEGUN`, `GROUND` or `LAST`.
        """

    def any_of(
        self, scribe: Scribe, ways: Sequence[Way], names: tuple[str, str], stop: str
    ) -> None:
        """Let a player choose one of some ways, of which each may be closed (no hexes).

        names: the locals of its number and of the hex. If all are closed the number is -1. stop:
        a test whether the player may do none of it, "" if never; then it is the number after all.
        """

    def settled(self, texts: Sequence[str], begun: Collection[str]) -> list[str]:
        """The functions, with every call that may come to a decision written out.

        begun: the names of those that are begun from lists.
        """


class Drawing:
    """A player's stream of chance decides, evenly."""

    at_once = False

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
        scribe.line(f"{hex} = nth({way.hexes}, {index})")

    def found(self, scribe: Scribe, way: Way) -> None:
        """Its hexes, and what is to be done; their number is added to a local."""
        scribe.line(f"found.append(({way.hexes}, {way.act}))")
        scribe.line(f"total += {way.hexes}.bit_count()")

    def one_of(self, scribe: Scribe, ways: Sequence[Way], lists: bool) -> None:
        """One draw over all; the number after them ends."""
        scribe.line("if not total: break")
        scribe.line("seat.decisions += 1")
        scribe.line("index = below(total + (not must))")
        for way in ways:
            scribe.line(f"count = {way.hexes}.bit_count()")
            with scribe.under("if index < count:"):
                scribe.line(f"{CALL}{way.act}(t, me, nth({way.hexes}, index))")
                scribe.line("continue")
            scribe.line("index -= count")
        if not lists:
            scribe.line("break")
            return
        with scribe.under("for mask, act in found:"):
            scribe.line("count = mask.bit_count()")
            with scribe.under("if index < count:"):
                scribe.line(f"{CALL}act(t, me, nth(mask, index))")
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
        scribe.line(f"hex = nth({way.hexes}, index)")

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
                scribe.line(f"{CALL}act(t, me, nth(mask, index))")
                scribe.line(f"return {BEGUN}")
            scribe.line("index -= count")
        _ground(scribe)

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
                found = f"nth({way.hexes}, {' - '.join([left, *before])})"
                before.append(count)
                test = f"{'el' if number else ''}if {left} < {' + '.join(before)}:"
                scribe.line(f"{test} {which}, {hex} = {number}, {found}")
            scribe.line(f"else: {which} = {len(ways)}")
            _first_of_equals(scribe, ways, names)

    def settled(self, texts: Sequence[str], begun: Collection[str]) -> list[str]:
        """Calls are calls."""
        return [_CALLED.sub(r"\1(", text) for text in texts]


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


class Asking:
    """Whoever plays is asked: functions are generators where they come to a decision."""

    at_once = True

    def hex(self, scribe: Scribe, way: Way, hex: str) -> None:
        """One group to choose from."""
        scribe.line("seat.decisions += 1")
        scribe.line(f"_, {hex} = yield me, ({way.group},)")

    def hex_or_stop(self, scribe: Scribe, way: Way, names: tuple[str, str], test: str) -> None:
        """A group, and another without a hex."""
        (hex, stopped), groups = names, scribe.new()
        scribe.line("seat.decisions += 1")
        scribe.line(f"{groups} = ({way.group},)")
        stop = f"group(({scribe.names.of(_STOP)}, {way.rule}, 0, ''))"
        scribe.line(f"if {test}: {groups} = (*{groups}, {stop})")
        scribe.line(f"{stopped}, {hex} = yield me, {groups}")
        with scribe.under(f"if {stopped}:"):
            scribe.line("break")

    def found(self, scribe: Scribe, way: Way) -> None:
        """Its group, and what is to be done."""
        scribe.line(f"found.append(({way.group}, {way.act}))")
        scribe.line("total += 1")

    def one_of(self, scribe: Scribe, ways: Sequence[Way], lists: bool) -> None:
        """All groups in one list."""
        if not lists:
            scribe.line("found = ()")
        scribe.line("groups, acts = [], []")
        for way in ways:
            with scribe.under(f"if {way.hexes}:"):
                scribe.line(f"groups.append({way.group})")
                scribe.line(f"acts.append({way.act})")
        with scribe.under("for each, act in found:"):
            scribe.line("groups.append(each)")
            scribe.line("acts.append(act)")
        scribe.line("if not groups: break")
        scribe.line("seat.decisions += 1")
        scribe.line(f"if not must: groups.append({scribe.names.of(END)})")
        scribe.line("index, hex = yield me, tuple(groups)")
        scribe.line("if index == len(acts): break")
        scribe.line("yield from acts[index](t, me, hex)")

    def only(self, scribe: Scribe, way: Way, must: bool) -> None:
        """Its group, and perhaps the end."""
        scribe.line(f"if not {way.hexes}: break")
        scribe.line("seat.decisions += 1")
        end = "" if must else scribe.names.of(END)
        scribe.line(f"index, hex = yield me, ({way.group}, {end})")
        if not must:
            scribe.line("if index: break")

    def terrain(
        self, scribe: Scribe, found: str, terrain: str, stop: tuple[str, str] | None, rule: str
    ) -> None:
        """A group for each terrain, and perhaps one that stops."""
        groups = scribe.new()
        scribe.line("seat.decisions += 1")
        scribe.line(f"{groups} = {_GROUNDS.format(found)}")
        if stop is not None:
            stopping = f"group(({scribe.names.of(_STOP)}, {rule}, 0, ''))"
            scribe.line(f"if {stop[1]}: {groups}.append({stopping})")
        scribe.line(f"{terrain}, _ = yield me, tuple({groups})")
        if stop is not None:
            with scribe.under(f"if {terrain} == len({found}):"):
                scribe.line(f"{stop[0]} = True")
                scribe.line("break")
        scribe.line(f"{terrain} = {found}[{terrain}]")

    def one_or_terrain(self, scribe: Scribe, last: Group, test: str) -> None:
        """All groups in one list, those of terrains after those of actions."""
        scribe.line(f"groups = [*(each for each, _ in found), *{_GROUNDS.format('grounds')}]")
        scribe.line(f"if not groups: return {CLOSED}")
        scribe.line("seat.decisions += 1")
        scribe.line(f"if {test}: groups.append({scribe.names.of(last)})")
        scribe.line("index, hex = yield me, tuple(groups)")
        with scribe.under("if index < len(found):"):
            scribe.line("yield from found[index][1](t, me, hex)")
            scribe.line(f"return {BEGUN}")
        scribe.line("index -= len(found)")
        _ground(scribe)

    def any_of(
        self, scribe: Scribe, ways: Sequence[Way], names: tuple[str, str], stop: str
    ) -> None:
        """Their groups in one list, and one without a hex to stop."""
        (which, hex), groups, numbers = names, scribe.new(), scribe.new()
        scribe.line(f"{groups}, {numbers}, {which} = [], [], -1")
        for number, way in enumerate(ways):
            with scribe.under(f"if {way.hexes}:"):
                scribe.line(f"{groups}.append({way.group})")
                scribe.line(f"{numbers}.append({number})")
        with scribe.under(f"if {groups}:"):
            scribe.line("seat.decisions += 1")
            if stop:
                name = f"group(({scribe.names.of(_STOP)}, {ways[0].rule}, 0, ''))"
                scribe.line(f"if {stop}: {groups}.append({name})")
                scribe.line(f"{numbers}.append({len(ways)})")
            scribe.line(f"{which}, {hex} = yield me, tuple({groups})")
            scribe.line(f"{which} = {numbers}[{which}]")

    def settled(self, texts: Sequence[str], begun: Collection[str]) -> list[str]:
        """Calls of generators are gone into; what is begun from a list is always one."""
        named = {name: text for text in texts for name in _NAME.findall(text)}
        asking = {"tell", *begun, *(name for name, text in named.items() if "yield" in text)}
        before = 0
        while len(asking) > before:
            before = len(asking)
            asking |= {n for n, text in named.items() if asking & set(_CALLED.findall(text))}
        return [_gone_into(text, asking) + _generator(name, begun) for name, text in named.items()]


def _ground(scribe: Scribe) -> None:
    """Choose the terrain whose number came up, or none."""
    scribe.line(f"if index == len(grounds): return {LAST}")
    scribe.line(f"{scribe.names.of(settle)}(t, grounds[index])")
    scribe.line(f"return {GROUND}")


_NAME = re.compile(r"^def (\w+)\(", re.MULTILINE)
_CALLED = re.compile(rf"{CALL}(\w+)\(")


def _gone_into(text: str, asking: set[str]) -> str:
    def call(found: re.Match[str]) -> str:
        return f"yield from {found[1]}(" if found[1] in asking else f"{found[1]}("

    return _CALLED.sub(call, text)


def _generator(name: str, begun: Collection[str]) -> str:
    """A line that makes a function a generator, whatever else it does."""
    return "    if False: yield\n" if name in begun else ""

"""Decisions asked of whoever plays: what comes to one is a generator, which yields the groups."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from kbrules.compile.whole.manners import (
    BEGUN,
    CALLED,
    CLOSED,
    END,
    NEVER,
    Way,
    ground,
    is_mostly_alone,
)
from kbrules.game.moves import Group

if TYPE_CHECKING:
    from kbrules.compile.whole.scribe import Scribe

_STOP = "stop"
_GROUNDS = "[group(('choose', board.catalog.hexes[each].id, 0, '')) for each in {}]"
_NAME = re.compile(r"^def (\w+)\(", re.MULTILINE)


class Asking:
    """Whoever plays is asked: functions are generators where they come to a decision."""

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

    def found(self, scribe: Scribe, way: Way) -> str:
        """Its group, and what is to be done; it is one."""
        scribe.line(f"found.append(({way.group}, {way.act}))")
        return "1"

    def one_of(self, scribe: Scribe, ways: Sequence[Way], must: str, lists: bool) -> None:
        """All groups in one list."""
        if not lists:
            scribe.line("found = ()")
        if is_mostly_alone(ways) and must != NEVER:
            with scribe.under(f"if {must} and not found:"):
                scribe.line("seat.decisions += 1")
                scribe.line(f"_, hex = yield me, ({ways[0].group},)")
                scribe.line(f"yield from {ways[0].act}(t, me, hex)")
                scribe.line("continue")
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
        scribe.line(f"if not {must}: groups.append({scribe.names.of(END)})")
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
        ground(scribe)

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

    def settled(
        self, texts: Sequence[str], begun: Collection[str], asking: set[str]
    ) -> list[str]:
        """Calls of generators are gone into; what is begun from a list is always one."""
        named = {name: text for text in texts for name in _NAME.findall(text)}
        asking |= {"tell", *begun, *(name for name, text in named.items() if "yield" in text)}
        before = 0
        while len(asking) > before:
            before = len(asking)
            asking |= {n for n, text in named.items() if asking & set(CALLED.findall(text))}
        return [_gone_into(text, asking) + _generator(name, begun) for name, text in named.items()]


def _gone_into(text: str, asking: set[str]) -> str:
    def call(found: re.Match[str]) -> str:
        return f"yield from {found[1]}(" if found[1] in asking else f"{found[1]}("

    return CALLED.sub(call, text)


def _generator(name: str, begun: Collection[str]) -> str:
    """A line that makes a function a generator, whatever else it does."""
    return "    if False: yield\n" if name in begun else ""

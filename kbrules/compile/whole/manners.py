"""How the decisions of a program are made: `drawing` at random, or `questions` to whoever plays.

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
CALLED = re.compile(rf"{CALL}(\w+)\(")
END = Group("end", "turn")
NEVER = "False"
"""A test that never holds."""
CLOSED, BEGUN, GROUND, LAST = range(4)
"""What came of a decision between actions and terrains."""


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
    """One of the two; what it writes is told by the classes."""

    def hex(self, scribe: Scribe, way: Way, hex: str) -> None:
        """Put in a local name the hex that is chosen of a set that is not empty."""

    def hex_or_stop(self, scribe: Scribe, way: Way, names: tuple[str, str], test: str) -> None:
        """The same, but if a test holds the loop may be stopped instead.

        names: the locals of the hex and of whether it was stopped. Stopping breaks off.
        """

    def found(self, scribe: Scribe, way: Way) -> str:
        """Add a way that is open to those found, a local list; a text for how much that is."""

    def one_of(self, scribe: Scribe, ways: Sequence[Way], must: str, lists: bool) -> None:
        """Let a player begin one of some ways, of which each may be closed (no hexes), or end.

        must: a test that forbids to end. lists: whether there are others in the list `found`,
        of which the local `more` says how much they are.
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

    def settled(
        self, texts: Sequence[str], begun: Collection[str], asking: set[str]
    ) -> list[str]:
        """The functions, with every call that may come to a decision written out.

        begun: the names of those that are begun from lists. asking: of those of earlier parts that
        come to a decision; those of this part are added.
        """


def is_mostly_alone(ways: Sequence[Way]) -> bool:
    """Whether there is one way of the table, with hexes: where it must be taken it is all there is,
    but for tiles that are ready."""
    return len(ways) == 1 and not ways[0].lone


def ground(scribe: Scribe) -> None:
    """Choose the terrain whose number came up, or none."""
    scribe.line(f"if index == len(grounds): return {LAST}")
    scribe.line(f"{scribe.names.of(settle)}(t, grounds[index])")
    scribe.line(f"return {GROUND}")

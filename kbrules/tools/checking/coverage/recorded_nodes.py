"""Nodes that note what came of a question, beside answering it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kbrules.lang.nodes import Node
from kbrules.tools.checking.coverage.outcome_bits import ASKED, CUT, KEPT, NO, YES

Bits = bytearray


class RecordedNode(Node):
    """A question of which only matters that it was asked."""

    __slots__ = ("_at", "_bits", "_node")

    def __init__(self, node: Node, bits: Bits, at: int) -> None:
        self._node, self._bits, self._at = node, bits, at

    def value(self, view: Any) -> Any:
        self._bits[self._at] |= ASKED
        return self._node.value(view)


class RecordedTruth(RecordedNode):
    """A question that is answered by yes or no, by something or nothing."""

    __slots__ = ()

    def value(self, view: Any) -> Any:
        found = self._node.value(view)
        self._bits[self._at] |= ASKED | YES if found else ASKED | NO
        return found


class RecordedMembers(Node):
    """Sets cut down by one another: what each keeps of all that the others let through.

    parts: node, whether it is taken away, and where its bits are (-1 if nobody wants them).
    """

    __slots__ = ("_bits", "_parts")

    def __init__(self, parts: Sequence[tuple[Node, bool, int]], bits: Bits) -> None:
        self._parts, self._bits = parts, bits

    def value(self, view: Any) -> Any:
        values = self._values(view)
        board = view.board.grid.full
        rest, after = [board], board
        for value in reversed(values[1:]):
            after &= value
            rest.append(after)
        found = board
        for (_, _, at), value, others in zip(self._parts, values, reversed(rest), strict=True):
            if at >= 0:
                self._note(at, found & others, value)
            found &= value
        return found

    def _note(self, at: int, others: int, value: int) -> None:
        kept, cut = others & value, others & ~value
        self._bits[at] |= ASKED | (KEPT if kept else 0) | (CUT if cut else 0)

    def _values(self, view: Any) -> list[int]:
        """What each part lets through. Once nothing is left, nothing more earns anything."""
        values, found, notes = [], -1, view.notes
        for node, is_taken_away, _ in self._parts:
            value = node.value(view)
            value = ~value if is_taken_away else value
            found &= value
            if not found:
                view.notes = None
            values.append(value)
        view.notes = notes
        return values


class RecordedUnion(RecordedMembers):
    """Sets put together: what each brings that no other does."""

    __slots__ = ()

    def value(self, view: Any) -> Any:
        values = [node.value(view) for node, _, _ in self._parts]
        found = 0
        for value in values:
            found |= value
        for index, (_, _, at) in enumerate(self._parts):
            others = 0
            for value in (*values[:index], *values[index + 1 :]):
                others |= value
            if at >= 0:
                own, lacking = values[index] & ~others, found & ~values[index]
                self._bits[at] |= ASKED | (KEPT if own else 0) | (CUT if lacking else 0)
        return found


class RecordedForbids(Node):
    """Legal hexes less what norms take away: `parts` with where the bits of their norms are."""

    __slots__ = ("_bits", "_legal", "_parts")

    def __init__(self, legal: Node, parts: Sequence[tuple[Node, int]], bits: Bits) -> None:
        self._legal, self._parts, self._bits = legal, parts, bits

    def value(self, view: Any) -> Any:
        legal = self._legal.value(view)
        left = legal
        for node, at in self._parts:
            barred = node.value(view)
            self._note(at, legal & barred)
            left &= ~barred
        return left

    def _note(self, at: int, mattered: int) -> None:
        if at >= 0:
            self._bits[at] |= ASKED | YES if mattered else ASKED | NO


class RecordedPreference(RecordedForbids):
    """Legal hexes narrowed to what norms prefer, if that leaves any."""

    __slots__ = ()

    def value(self, view: Any) -> Any:
        legal = self._legal.value(view)
        values = [(node.value(view), at) for node, at in self._parts]
        left = legal
        for value, _ in values:
            left &= value
        for value, at in values:
            self._note(at, left and legal & ~value)
        return left or legal


def recording(code: Callable[..., Any], bits: Bits, at: int) -> Callable[..., Any]:
    """The code of a step, which notes that it was done, and whether anything came of it."""

    def done(table: Any, *arguments: Any) -> Any:
        known = len(table.events)
        found = code(table, *arguments)
        bits[at] |= ASKED | YES if len(table.events) > known else ASKED | NO
        return found

    return done

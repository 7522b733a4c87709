"""Words of words that are found sooner together than one after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from kbrules.game.board import Board
from kbrules.hex.masks import Mask
from kbrules.lang.core import Call, Expr
from kbrules.primitives import groups, hexes

if TYPE_CHECKING:
    from kbrules.compile.writing import Writer


def _largest_group(board: Board, of: Mask) -> Mask:
    return board.grid.largest_group(of)


_TOGETHER: Mapping[tuple[Callable[..., Any], Callable[..., Any]], Callable[..., Any]] = {
    (hexes.largest, groups.groups): _largest_group,
}
"""What answers for a word of what another word answers; it takes what the inner one takes."""
_BETTER: Mapping[Callable[..., Any], str] = {hexes.largest: ">", hexes.smallest: "<"}


def together(writer: Writer, call: Call) -> str | None:
    """A word and the word it is asked of, answered by one function; None if there is none."""
    inner = call.arguments[0] if len(call.arguments) == 1 else None
    if not isinstance(inner, Call) or inner.fixed or writer.is_kept(inner):
        return None
    words = writer.implementations
    code = _TOGETHER.get((words[call.word].code, words[inner.word].code))
    if code is None:
        return None
    return writer.applied(code, ["view.board", *map(writer.text, inner.arguments)])


def best_size(writer: Writer, expr: Expr) -> str | None:
    """The size of the largest or smallest part of a set, found without the parts themselves."""
    if not isinstance(expr, Call) or writer.is_kept(expr):
        return None
    inner, sign = expr.arguments[:1], _BETTER.get(writer.implementations[expr.word].code, "")
    if not sign or not isinstance(parts := inner[0], Call) or writer.is_kept(parts):
        return None
    if writer.implementations[parts.word].code is not groups.parts:
        return None
    return _compared(writer, sign, *map(writer.text, parts.arguments))


def _compared(writer: Writer, sign: str, of: str, among: str) -> str:
    of, among = writer.keep(of), writer.keep(among)
    # No part is larger than the set; where there are no parts the answer is none.
    start = "0" if sign == ">" else f"{of}.bit_count() if {among} else 0"
    best, each, size = writer.keep(start), writer.new(), writer.new()
    with writer.under(f"for {each} in {among}:"):
        writer.line(f"{size} = ({of} & {each}).bit_count()")
        writer.line(f"if {size} {sign} {best}: {best} = {size}")
    return best

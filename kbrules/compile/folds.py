"""Words over `... for x in ...` as loops that keep one value, without a list of all of them.

What decides the value ends the loop. A word that is not known here is given the list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kbrules.lang.core import Call, Expr, Fold
from kbrules.primitives import numbers, operators

if TYPE_CHECKING:
    from kbrules.compile.writing import Writer


@dataclass(frozen=True, slots=True)
class Running:
    """What a loop keeps: how it begins, what a value does to it, and what it comes to.

    In the texts `{found}` stands for what is kept and `{value}` for the value, which is a name
    if it is read twice. decides: whether the value is asked only whether it holds, and may end
    the loop. after: what is done with the outcome.
    """

    start: str
    step: tuple[str, ...]
    end: str = "{found}"
    decides: bool = False
    after: Callable[..., Any] | None = None


_BY_CODE: Mapping[Callable[..., Any], Running] = {
    operators.most: Running(
        "None",
        ("if {found} is None or {value} > {found}: {found} = {value}",),
        "({found} or 0)",
    ),
    operators.least: Running(
        "None",
        ("if {found} is None or {value} < {found}: {found} = {value}",),
        "({found} or 0)",
    ),
    operators.sum_: Running("0", ("{found} += {value}",), after=operators.bounded),
    operators.union: Running("0", ("{found} |= {value}",)),
    operators.any_: Running(
        "False", ("if {value}:", "    {found} = True", "    break"), decides=True
    ),
    operators.all_: Running(
        "True", ("if not {value}:", "    {found} = False", "    break"), decides=True
    ),
}
_SIZE_MOST = Running("0", ("if {value} > {found}: {found} = {value}",))
"""The largest of sizes: there is none below 0."""
_SIZES = (numbers.count, numbers.count_)


def folded(writer: Writer, fold: Fold, code: Callable[..., Any]) -> str | None:
    """The value of a fold, written as a loop; None if its word needs the list of values."""
    running = _SIZE_MOST if _is_of_sizes(writer, fold, code) else _BY_CODE.get(code)
    if running is None or (running.decides and not writer.may_stop(fold)):
        return None
    found = writer.new()
    writer.line(f"{found} = {running.start}")
    with writer.looped(fold):
        if fold.condition is None:
            _step(writer, running, found, fold.body)
        else:
            with writer.under(f"if {condition(writer, fold.condition)}:"):
                _step(writer, running, found, fold.body)
    found = running.end.format(found=found)
    return found if running.after is None else writer.applied(running.after, [found])


def _is_of_sizes(writer: Writer, fold: Fold, code: Callable[..., Any]) -> bool:
    body = fold.body
    is_size = isinstance(body, Call) and writer.implementations[body.word].code in _SIZES
    return is_size and code is operators.most


def _step(writer: Writer, running: Running, found: str, body: Expr) -> None:
    value = condition(writer, body) if running.decides else writer.text(body)
    if not running.decides and running.step[0].count("{value}") > 1:
        value = writer.keep(value)
    for line in running.step:
        writer.line(line.format(found=found, value=value))


def condition(writer: Writer, expr: Expr) -> str:
    """A text to be asked whether it holds: of a set, whether there is a hex in it."""
    if not isinstance(expr, Call) or writer.is_kept(expr):
        return writer.text(expr)
    code = writer.implementations[expr.word].code
    if code is numbers.any_:
        return writer.text(expr.arguments[0])
    if code is numbers.none:
        return f"not {writer.text(expr.arguments[0])}"
    return writer.text(expr)

"""Writing out the doings that hold blocks, and the end of a block that is done over and over."""

from __future__ import annotations

from collections.abc import Callable

from kbrules.compile.steps.doings import FRAME, Spot, on_top, stack_at, top
from kbrules.compile.steps.plan import Plan
from kbrules.compile.steps.scribe import Scribe
from kbrules.lang.core import MOST_ROUNDS, Block, Doing, Each, If, Repeat
from kbrules.lang.sorts import Sort


def nesting(spot: Spot, doing: Doing) -> Callable[[Scribe], None] | None:
    """What writes the function that runs a doing with blocks in it; None where none does."""
    if isinstance(doing, If):
        return lambda pen: deciding(pen, spot, doing)
    if isinstance(doing, Repeat):
        return lambda pen: repeating(pen, spot, doing)
    if isinstance(doing, Each):
        return lambda pen: looping(pen, spot, doing)
    return None


def deciding(pen: Scribe, spot: Spot, doing: If) -> None:
    """`if`: one block or the other."""
    pen.line(FRAME)
    holds = pen.keep(pen.text(pen.plan.decided(doing.condition)))
    pen.line(f"stack = {stack_at(pen, spot, spot.pc + 1)}")
    pen.line(f"if {holds}: stack = (*stack, {_begun(pen, doing.body)})")
    if doing.other is not None:
        pen.line(f"else: stack = (*stack, {_begun(pen, doing.other)})")
    top(pen)


def repeating(pen: Scribe, spot: Spot, doing: Repeat) -> None:
    """`repeat n times` and `up to n times`."""
    pen.line(FRAME)
    times = pen.keep(f"min({pen.text(pen.plan.decided(doing.times))}, {MOST_ROUNDS})")
    pen.line(f"stack = {stack_at(pen, spot, spot.pc + 1)}")
    may_stop = not (spot.pc == 0 and pen.plan.is_action(spot.block.path))
    loop = f"('up to', {times}, 0, {may_stop})" if doing.may_stop else f"('repeat', {times})"
    pen.line(f"if {times} > 0: stack = (*stack, {_begun(pen, doing.body, loop)})")
    top(pen)


def looping(pen: Scribe, spot: Spot, doing: Each) -> None:
    """`for x in ...`."""
    pen.line(FRAME)
    domain = pen.plan.decided(doing.domain)
    items = pen.text(domain)
    if domain.sort is Sort.HEXES:
        items = f"tuple([1 << hex for hex in bits({items})])"
    items = pen.keep(items)
    pen.line(f"stack = {stack_at(pen, spot, spot.pc + 1)}")
    _next_item(pen, doing, items, "(*stack, frame)")
    top(pen)


def _next_item(pen: Scribe, doing: Each, items: str, stack: str) -> None:
    """Go into the block with the first item whose guard holds; go on behind if there is none."""
    index, item = pen.new(), pen.new()
    name = pen.bound(doing.variable)
    with pen.under(f"for {index}, {item} in enumerate({items}):"):
        with pen.speaking_of(doing.variable, item):
            if doing.guard is not None:
                holds = pen.text(pen.plan.decided(doing.guard))
                pen.line(f"if not {holds}: continue")
        inner = f"{{**env, {name}: {item}}}"
        loop = f"('each', {name}, {items}[{index} + 1:])"
        pen.line(f"frame = {_begun(pen, doing.body, loop, inner)}")
        pen.line(f"stack = {stack}")
        top(pen)


def _begun(pen: Scribe, block: Block, loop: str = "()", env: str = "env") -> str:
    return f"frame_of(({pen.bound(block.path)}, 0, me, {env}, {loop}, 0, ()))"


def ending(plan: Plan, block: Block) -> Callable[[Scribe], None] | None:
    """What writes the end of a block that is done over and over; None for any other."""
    around = plan.loop_around(block.path)
    if isinstance(around, Repeat):
        return lambda pen: _once_more(pen, block)
    if isinstance(around, Each):
        return lambda pen: _next_round(pen, around)
    return None


def _once_more(pen: Scribe, block: Block) -> None:
    pen.line(FRAME)
    with pen.under("if loop[1] > 1:"):
        pen.line("if loop[0] == 'up to': loop = ('up to', loop[1] - 1, loop[2] + 1, loop[3])")
        pen.line("else: loop = ('repeat', loop[1] - 1)")
        pen.line(f"frame = {_begun(pen, block, 'loop')}")
        pen.line(f"stack = {on_top('frame')}")
        top(pen)
    pen.line("stack = stack[:-1]")
    top(pen)


def _next_round(pen: Scribe, doing: Each) -> None:
    pen.line(FRAME)
    pen.line("_, _, items = loop")
    _next_item(pen, doing, "items", on_top("frame"))
    pen.line("stack = stack[:-1]")
    top(pen)

"""Writing out what a block does: a function that runs each of its steps, one that resumes it."""

from __future__ import annotations

from dataclasses import dataclass

from kbrules.compile.steps.facts import (
    Following,
    built,
    happened,
    moved,
    take_draft,
    write_seat,
)
from kbrules.compile.steps.lifting import sources, targets
from kbrules.compile.steps.plan import Asked, Plan
from kbrules.compile.steps.scribe import Scribe
from kbrules.lang.core import Block, Step

PARAMETERS = "K, t, d, stack, frame"
RESUMED = "K, t, state, stack, frame, group, hex"
FRAME = "_, _, me, env, loop, done, chosen = frame"


@dataclass(frozen=True, slots=True)
class Spot:
    """A step in its block."""

    block: Block
    pc: int
    is_loop: bool

    @property
    def rule(self) -> str:
        """The rule it belongs to."""
        return self.block.path.split("/", 2)[1]

    @property
    def is_last(self) -> bool:
        """Whether the block is over after it."""
        return self.pc + 1 >= len(self.block.steps)


def on_top(frame: str) -> str:
    """The stack with another frame on top; most stacks are of one or two."""
    return f"((stack[0], {frame}) if len(stack) == 2 else (*stack[:-1], {frame}))"


def top(pen: Scribe) -> None:
    """Run whatever is on top of the stack now."""
    pen.line("d.stack = stack")
    pen.line("if not stack: return next_stage(K, t, d)")
    pen.line("frame = stack[-1]")
    pen.line("return K.runs[frame[0]][frame[1]](K, t, d, stack, frame)")


def leave(pen: Scribe, spot: Spot) -> None:
    """Go on to what comes after a step."""
    if spot.is_last and not spot.is_loop:
        pen.line("stack = stack[:-1]")
        top(pen)
        return
    path = pen.bound(spot.block.path)
    loop = "loop" if spot.is_loop else "()"
    pen.line(f"frame = frame_of(({path}, {spot.pc + 1}, me, env, {loop}, 0, ()))")
    pen.line(f"stack = {on_top('frame')}")
    top(pen)


def seal(pen: Scribe, groups: str, player: str = "me", weights: str = "()") -> None:
    """A decision is due."""
    pen.line("m = new(MoveSet)")
    pen.line(f"m.player = {player}")
    pen.line(f"m.groups = {groups}")
    pen.line(f"m.weights = {weights}")
    pen.line("d.cache = (K.game, m)")
    pen.line("d.__class__ = State")
    pen.line("return d")


def unless_interrupted(pen: Scribe, drawing: bool = False) -> None:
    """Where a rule acts `whenever` something holds, the machine lets it."""
    standings = pen.plan.standings_of_draws if drawing else pen.plan.standings
    if not standings:
        return
    pen.line("if me != d.active: return give_over(K, t, d)")
    for each in standings:
        pen.line(f"if {pen.text(each.condition)}: return give_over(K, t, d)")


def is_written(asked: Asked) -> bool:
    """Whether choosing for a step is written out."""
    return asked.constants is not None and not asked.at_random and asked.step.name in FACTS


# choosing


def choosing(pen: Scribe, spot: Spot, asked: Asked) -> None:
    """Run up to the question, from wherever the step is."""
    pen.line(FRAME)
    times = _times(pen, asked)
    with pen.under(f"if done >= {times}:"):
        leave(pen, spot)
    if len(asked.sets) > 1:
        pen.line("if chosen: return give_over(K, t, d)")
    ask(pen, spot, asked, "done")


def _times(pen: Scribe, asked: Asked) -> str:
    assert asked.count is not None
    return pen.text(asked.count)


def ask(pen: Scribe, spot: Spot, asked: Asked, done: str) -> None:
    """Ask for the first hex; the stack is on the table, and all that was done is done."""
    unless_interrupted(pen)
    unless_open(pen, asked)
    if asked.is_simple:
        hexes = pen.keep(pen.text(asked.legal))
    else:
        hexes = pen.keep(sources(pen, asked))
    group = f"new_group(({pen.bound(asked.names[0])}, {pen.bound(spot.rule)}, {hexes}, ''))"
    pen.line(f"if not {hexes}: return give_over(K, t, d)")
    if spot.is_loop and not spot.pc:
        stop = pen.bound(pen.names.stop(spot.rule))
        may = f"loop[0] == 'up to' and not {done} and (loop[2] or loop[3])"
        pen.line(f"g = ({group}, {stop}) if {may} else ({group},)")
        seal(pen, "g")
    else:
        seal(pen, f"({group},)")


def unless_open(pen: Scribe, asked: Asked) -> None:
    """Where it is still open which terrain is used, the machine asks for that."""
    if asked.needs_terrain:
        pen.line("shown = d.shown")
        several = "(len(shown) > 1 or K.sole[shown[0]] < 0)"
        pen.line(f"if d.choice < 0 and shown and {several}: return give_over(K, t, d)")


def resumed(pen: Scribe, spot: Spot, asked: Asked) -> None:
    """Go on from a hex that was chosen for a step."""
    path, loop = pen.bound(spot.block.path), "loop" if spot.is_loop else "()"
    pen.line("if hex < 0: return None")
    pen.line(FRAME)
    if len(asked.sets) > 1:
        with pen.under("if not chosen:"):
            take_draft(pen)
            frame = f"frame_of(({path}, {spot.pc}, me, env, {loop}, done, (hex,)))"
            pen.line(f"stack = {on_top(frame)}")
            chosen_first(pen, spot, asked, "hex")
    frame = f"frame_of(({path}, {spot.pc}, me, env, {loop}, done + 1, ()))"
    start(pen, asked)
    fact(pen, asked, f"{on_top(frame)}")
    after(pen, spot, asked, f"{on_top(frame)}", "done + 1")


def start(pen: Scribe, asked: Asked) -> None:
    """Look whether it is an everyday choice, and take a draft of the state."""
    if asked.waived is not None:
        pen.draft = "state"
        pen.line(f"if {pen.text(asked.waived)}: return None")
        pen.draft = "d"
        pen.changed()
    take_draft(pen)


def fact(pen: Scribe, asked: Asked, pending: str) -> None:
    """What was chosen happens, and the rules that follow it act."""
    FACTS[asked.step.name](pen, asked, pending)


def after(pen: Scribe, spot: Spot, asked: Asked, stack: str, done: str) -> None:
    """Ask again, or go on if the step was done as often as it should be."""
    times = _times(pen, asked)
    if times == "1":
        leave(pen, spot)
        return
    with pen.under(f"if {done} >= {times}:"):
        leave(pen, spot)
    pen.line(f"d.stack = stack = {stack}")
    ask(pen, spot, asked, done)


def chosen_first(pen: Scribe, spot: Spot, asked: Asked, hex: str) -> None:
    """Ask where a piece goes that is lifted now; the draft stays as it is."""
    pen.line("d.stack = stack")
    unless_interrupted(pen)
    unless_open(pen, asked)
    pen.line(f"origin = 1 << {hex}")
    pen.seat("mine")
    pen.occupied()
    pen.line("if not pieces[0] & origin: return give_over(K, t, d)")
    hexes = targets(pen, asked)
    group = f"new_group(({pen.bound(asked.names[1])}, {pen.bound(spot.rule)}, {hexes}, ''))"
    pen.line(f"if not {hexes}: return give_over(K, t, d)")
    seal(pen, f"({group},)")


# facts


def _build(pen: Scribe, asked: Asked, pending: str) -> None:
    assert asked.constants is not None
    kind = asked.constants[0] or 0
    pen.line("here = 1 << hex")
    built(pen, kind)
    binds = {"here": "here", "actor": "me", "strayed": "False"}
    Following(pen, pending).told("build", f"Built(me, {kind}, hex, False)", binds)


def _move(pen: Scribe, asked: Asked, pending: str) -> None:
    pen.line("here = 1 << hex")
    pen.line("origin = 1 << chosen[0]")
    pen.seat("pieces")
    pen.line("if not pieces[0] & origin: return None")
    moved(pen)
    binds = {"here": "here", "actor": "me", "origin": "origin"}
    Following(pen, pending).told("move", "Moved(me, 0, chosen[0], hex)", binds)


FACTS = {"build": _build, "move": _move}
"""By the name of a step's signature: what happens when its hexes were chosen."""


# what happens at once, and what is drawn


def happening(pen: Scribe, spot: Spot) -> None:
    """The steps from here on that ask nobody anything, and whatever comes after them."""
    pen.line(FRAME)
    for at in steps_of(pen.plan, spot.block)[spot.pc :]:
        step = step_at(at)
        asked = None if step is None else pen.plan.asked(step)
        if asked is None or not _is_instant(asked):
            pen.line(f"stack = {stack_at(pen, at, at.pc)}")
            top(pen)
            return
        following = Following(pen, stack_at(pen, at, at.pc + 1))
        before = len(pen.lines)
        following.instant(asked, at.rule)
        following.finished(before)
    pen.line(f"stack = {stack_at(pen, spot, len(spot.block.steps))}")
    top(pen)


def _is_instant(asked: Asked) -> bool:
    word = asked.word
    return not (word.asks or word.outcomes or word.is_offers or word.is_reuse)


def stack_at(pen: Scribe, spot: Spot, pc: int) -> str:
    """The stack when the block has come to a step, or is over."""
    if pc >= len(spot.block.steps) and not spot.is_loop:
        return "stack[:-1]"
    path, loop = pen.bound(spot.block.path), "loop" if spot.is_loop else "()"
    return on_top(f"frame_of(({path}, {pc}, me, env, {loop}, 0, ()))")


# what is drawn


def drawing(pen: Scribe, spot: Spot, asked: Asked) -> None:
    """Let chance draw a card, or go on."""
    pen.line(FRAME)
    with pen.under(f"if done < {_times(pen, asked)}:"):
        unless_interrupted(pen, drawing=True)
        with pen.under("if any(d.piles[0]):"):
            seal(pen, "DRAW", "-1", "d.piles[0]")
    leave(pen, spot)


def drawn(pen: Scribe, spot: Spot, asked: Asked) -> None:
    """A card was drawn into the hand."""
    with pen.under("if hex < 0:"):  # without a card the move is like its group, but not legal
        pen.line("return None")
    pen.line(FRAME)
    take_draft(pen)
    pen.seat("hand")
    pen.line("hand = (*hand, hex)")
    pen.line("piles = d.piles")
    pen.line("d.piles = (with_item(piles[0], hex, piles[0][hex] - 1), *piles[1:])")
    write_seat(pen)
    pen.changed()
    happened(pen, "Drew(me, hex)")
    path, loop = pen.bound(spot.block.path), "loop" if spot.is_loop else "()"
    with pen.under(f"if done + 1 >= {_times(pen, asked)}:"):
        leave(pen, spot)
    pen.line(f"frame = frame_of(({path}, {spot.pc}, me, env, {loop}, done + 1, ()))")
    pen.line(f"d.stack = stack = {on_top('frame')}")
    pen.line("return K.runs[frame[0]][frame[1]](K, t, d, stack, frame)")


def steps_of(plan: Plan, block: Block) -> list[Spot]:
    """The steps of a block, each in its place."""
    is_loop = plan.is_loop(block.path)
    return [Spot(block, pc, is_loop) for pc, doing in enumerate(block.steps)]


def step_at(spot: Spot) -> Step | None:
    """The step of a spot; None if something else stands there."""
    doing = spot.block.steps[spot.pc]
    return doing if isinstance(doing, Step) else None

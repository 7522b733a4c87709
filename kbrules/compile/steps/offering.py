"""Writing out the step at which a player uses actions: what can be begun, and its beginning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from kbrules.compile.steps.doings import (
    Spot,
    after,
    chosen_first,
    fact,
    is_written,
    leave,
    seal,
    start,
    unless_interrupted,
)
from kbrules.compile.steps.facts import take_draft, used, write_seat
from kbrules.compile.steps.lifting import sources
from kbrules.compile.steps.plan import Asked, Offered
from kbrules.compile.steps.scribe import Scribe, heavy_parts
from kbrules.lang.core import Expr, Lit
from kbrules.lang.sorts import Sort


def offering(pen: Scribe, spot: Spot) -> None:
    """All that can be begun now; the step is over if there is nothing."""
    offers = [offer for offer in pen.plan.offers if _may_begin(pen, offer)]
    pen.line("_, _, me, env, _, _, _ = frame")
    pen.line("shown = d.shown")
    several = "(len(shown) > 1 or K.sole[shown[0]] < 0)"
    pen.line(f"if d.choice < 0 and shown and {several}: return give_over(K, t, d)")
    unless_interrupted(pen)
    pen.line("used = d.used")
    if len(offers) == 1 and offers[0].owner.tile < 0:
        with pen.under(f"if {pen.bound(offers[0].path)} in used:"):
            leave(pen, spot)
    _share(pen, offers)
    pen.line("groups = []")
    pen.line("required = False")
    pen.seat("tiles")
    for offer in offers:
        if offer.owner.tile < 0:
            with pen.under(f"if {pen.bound(offer.path)} not in used:"):
                _offered(pen, offer)
    _of_tiles(pen, offers)
    with pen.under("if not groups:"):
        leave(pen, spot)
    pen.line(f"if not required: groups.append({pen.bound(pen.names.end)})")
    seal(pen, "tuple(groups)")


def _may_begin(pen: Scribe, offer: Offered) -> bool:
    """Whether options do not rule an action out."""
    guard = offer.action.guard
    decided = None if guard is None else pen.plan.decided(guard)
    return not isinstance(decided, Lit) or bool(decided.value)


def _share(pen: Scribe, offers: Sequence[Offered]) -> None:
    """Find what several actions ask: each of that is worked out in the first that comes up."""
    counted: Counter[object] = Counter()
    for offer in offers:
        if offer.first is not None:
            counted.update(set(heavy_parts(offer.first.legal)))
    for key, count in counted.items():
        if count > 1 and pen.recalled(key) is None:
            name = pen.shared[key] = pen.new()
            pen.line(f"{name} = None")


def _of_tiles(pen: Scribe, offers: Sequence[Offered]) -> None:
    kinds = sorted({offer.owner.tile for offer in offers if offer.owner.tile >= 0})
    if not kinds:
        return
    pen.line("seen = 0")
    with pen.under("for kind, _, status in tiles:"):
        pen.line("if status != READY or seen >> kind & 1: continue")
        pen.line("seen |= 1 << kind")
        for number, kind in enumerate(kinds):
            with pen.under(f"{'el' if number else ''}if kind == {kind}:"):
                for offer in offers:
                    if offer.owner.tile == kind:
                        _offered(pen, offer)


def _offered(pen: Scribe, offer: Offered) -> None:
    guard = offer.action.guard
    if guard is None:
        _group(pen, offer)
        return
    with pen.under(f"if {pen.text(pen.plan.decided(guard))}:"):
        _group(pen, offer)


def _group(pen: Scribe, offer: Offered) -> None:
    """The moves that begin an action; where it begins otherwise, the machine finds them."""
    if offer.first is None:
        _found_by_machine(pen, offer)
        return
    start = len(pen.lines)
    with pen.inside(offer.action.required):
        _if_asked(pen, offer, offer.first, offer.tests)
    if offer.minds and pen.viewed:
        del pen.lines[start:]
        _found_by_machine(pen, offer)


def _if_asked(pen: Scribe, offer: Offered, asked: Asked, tests: Sequence[Expr]) -> None:
    if tests and isinstance(tests[0], Lit) and tests[0].value > 0:
        _if_asked(pen, offer, asked, tests[1:])
        return
    if tests:
        with pen.under(f"if {_holds(pen, tests[0])}:"):
            _if_asked(pen, offer, asked, tests[1:])
        with pen.under("else:"):
            _found_by_machine(pen, offer)
        return
    hexes = pen.keep(pen.text(asked.legal) if asked.is_simple else sources(pen, asked))
    name, rule, path = map(pen.bound, (asked.names[0], offer.owner.rule.id, offer.path))
    with pen.under(f"if {hexes}:"):
        pen.line(f"groups.append(new_group(({name}, {rule}, {hexes}, {path})))")
        if offer.action.required:
            pen.line("required = True")


def _holds(pen: Scribe, test: Expr) -> str:
    """A test for a truth, or for a number above 0."""
    return pen.text(test) if test.sort is Sort.TRUTH else f"{pen.text(test)} > 0"


def _found_by_machine(pen: Scribe, offer: Offered) -> None:
    pen.line(f"found, must = K.begun(d, frame, {pen.bound(offer.handle)})")
    pen.line("groups += found")
    pen.line("required = required or must")


def begun(pen: Scribe, spot: Spot) -> None:
    """Go on from what a player did: an action, or the end of the turn."""
    pen.line("path = group[3]")
    with pen.under("if path:"):
        pen.line("return K.begins[path][0](K, t, state, stack, frame, group, hex)")
    pen.line("if group[0] != 'end': return None")
    pen.line("_, _, me, env, loop, done, chosen = frame")
    take_draft(pen)
    leave(pen, spot)


def beginning(pen: Scribe, spot: Spot, offer: Offered) -> None:
    """Begin an action whose first step asks for a hex: use it, and choose."""
    asked = offer.asked
    if asked is None or not is_written(asked):
        pen.line("return None")
        return
    pen.line("if hex < 0: return None")
    pen.line("if (frame[0], frame[1]) not in K.offerings: return None")
    pen.line("me, env = frame[2], frame[3]")
    if offer.needs_terrain:
        pen.line("if len(state.shown) > 1: return None")
    if not spot.is_last and not isinstance(asked.count, Lit):
        _unless_none(pen, asked)
    start(pen, asked)
    used(pen, offer.path, offer.owner.tile)
    path = pen.bound(offer.path)
    if len(asked.sets) > 1:
        frame = f"frame_of(({path}, 0, me, env, (), 0, (hex,)))"
        pen.line(f"stack = (*stack, {frame})")
        if offer.owner.tile >= 0 and not pen.tells:
            write_seat(pen)
        chosen_first(pen, spot, asked, "hex")
        return
    pending = f"(*stack, frame_of(({path}, 0, me, env, (), 1, ())))"
    fact(pen, asked, pending)
    _go_on(pen, spot, asked, pending)


def _unless_none(pen: Scribe, asked: Asked) -> None:
    """A step that is done no times at all asked for nothing: what was chosen is for another one."""
    assert asked.count is not None
    pen.draft = "state"
    pen.line(f"if {pen.text(asked.count)} <= 0: return None")
    pen.draft = "d"
    pen.changed()


def _go_on(pen: Scribe, spot: Spot, asked: Asked, pending: str) -> None:
    assert asked.count is not None
    if spot.is_last and pen.text(asked.count) == "1":
        pen.line("d.stack = stack")
        pen.line("return K.runs[frame[0]][frame[1]](K, t, d, stack, frame)")
        return
    pen.line(f"stack = {pending}")
    pen.line("loop = ()")
    after(pen, spot, asked, "stack", "1")

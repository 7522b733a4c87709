"""Actions and branches written out: what a player may begin, and what begins then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from kbrules.compile.whole import terrains
from kbrules.compile.whole.around import Around, placed, rule_of
from kbrules.compile.whole.asked import apart, first_hexes, parts_of, rare
from kbrules.compile.whole.manners import BEGUN, CALL, END, GROUND, Way
from kbrules.compile.whole.plan import Begin
from kbrules.compile.whole.scribe import Scribe
from kbrules.lang.core import Block, Either, Expr, If, Lit, Repeat, Step

if TYPE_CHECKING:
    from kbrules.compile.whole.blocks import Writer


BY_TILE = "by_tile"
"""What tiles offer, by kind."""


def offers(writer: Writer, scribe: Scribe, around: Around) -> None:
    """The step at which a player uses actions until the turn ends."""
    plan = scribe.plan
    with scribe.under("while True:"):
        scribe.share([*(standing.guard for standing in plan.standings), *_wanted(scribe)])
        writer.whenever(scribe, plan.standings, around)
        with scribe.under("if t.split:"):
            done = scribe.new()
            scribe.line(f"{done} = {CALL}{_before_choosing(writer)}(t, me)")
            scribe.line(f"if {done} in ({BEGUN}, {GROUND}): continue")
            scribe.line("break")
        scribe.line("total, must = 0, False")
        if plan.tile_offers:
            scribe.line("found = ()")
        ways = [_table_offer(writer, scribe, offer) for offer in plan.offers]
        if plan.tile_offers:
            with scribe.under("if seat.ready:"):
                scribe.line("found = []")
                scribe.line(f"total += {_tile_offers(writer)}(t, me, found)")
        scribe.manner.one_of(scribe, ways, lists=bool(plan.tile_offers))
    scribe.forget()


def _wanted(scribe: Scribe) -> list[Expr | None]:
    """What the actions of the table ask first."""
    found: list[Expr | None] = []
    for offer in scribe.plan.offers:
        first = offer.block.steps[0] if offer.block.steps else None
        if isinstance(first, Step) and scribe.plan.asked(first).word.asks:
            found += parts_of(scribe.plan.asked(first))
    return found


def _table_offer(writer: Writer, scribe: Scribe, offer: Begin) -> Way:
    """The way of an action of the table, closed if it cannot begin."""
    mask = scribe.new()
    scribe.line(f"{mask} = 0")
    with scribe.under(f"if {scribe.names.of(offer.block.path)} not in t.used:"):
        _offered(writer, scribe, offer, mask)
        with scribe.under(f"if {mask}:"):
            scribe.line(f"total += {mask}.bit_count()")
            if offer.required:
                scribe.line("must = True")
    return _way(writer, scribe, offer, mask)


def _way(writer: Writer, scribe: Scribe, offer: Begin, hexes: str) -> Way:
    """The way of an action, with its first hexes."""
    name = scribe.names.of
    rule, verb = name(rule_of(offer.block)), name(_verb(scribe, offer.block))
    return Way(verb, rule, hexes, name(offer.block.path), _act(writer, offer))


def _verb(scribe: Scribe, block: Block) -> str:
    """What the first choice of a block is called; what has none is just used."""
    doing = block.steps[0] if block.steps else None
    if isinstance(doing, Repeat | If):
        return _verb(scribe, doing.body)
    names = scribe.plan.asked(doing).names if isinstance(doing, Step) else ()
    return names[0] if names else "use"


def _tile_offers(writer: Writer) -> str:
    """The function that adds what the tiles of a player offer, and answers how much that is."""

    def write(scribe: Scribe) -> None:
        scribe.line("total = 0")
        kinds = "for kind in fromkeys(seat.ready):"
        of_kind = f"for offer in {BY_TILE}.get(kind, ()):"
        with scribe.under(kinds), scribe.under(of_kind):
            scribe.line("total += offer(t, me, found)")
        scribe.line("return total")

    listed(writer, BY_TILE, lambda offer: True)
    return writer.function(("tile offers", ""), ", me, found", write)


def listed(writer: Writer, name: str, test: Callable[[Begin], bool]) -> None:
    """Let the functions that add what tiles offer stand under a name, by the kind of tile."""
    listed = writer.lists[name] = {}
    for kind, offers in writer.plan.tile_offers.items():
        names = [_added(writer, offer) for offer in offers if test(offer)]
        if names:
            listed[kind] = f"({', '.join(names)},)"


def _before_choosing(writer: Writer) -> str:
    """The function of a decision while there are several terrains to choose from."""

    def write(scribe: Scribe) -> None:
        table = [(offer, _added(writer, offer)) for offer in scribe.plan.offers]
        scribe.line("total, must, found, grounds = 0, False, [], []")
        terrains.before_choosing(scribe, table, lists, "fromkeys(seat.ready)")
        scribe.manner.one_or_terrain(scribe, END, "not must")

    lists = f"{BY_TILE}_known", f"{BY_TILE}_needing"
    listed(writer, lists[0], lambda offer: not offer.needs_terrain or offer.mixed)
    listed(writer, lists[1], lambda offer: offer.needs_terrain)
    return writer.function(("before choosing", ""), ", me", write)


def _added(writer: Writer, offer: Begin) -> str:
    """The function that adds what an action lets choose first, and answers how much that is."""

    def write(scribe: Scribe) -> None:
        if offer.required and offer.tile >= 0:
            rare(scribe, "a required action of a tile")
        first = offer.block.steps[0] if offer.block.steps else None
        if isinstance(first, Step) and scribe.plan.asked(first).word.asks:
            scribe.share([offer.guard, *parts_of(scribe.plan.asked(first))])
        mask = scribe.new()
        scribe.line("total = 0")
        scribe.line(f"{mask} = 0")
        _offered(writer, scribe, offer, mask)
        with scribe.under(f"if {mask}:"):
            scribe.manner.found(scribe, _way(writer, scribe, offer, mask))
        scribe.line("return total")

    return writer.function(("offer", offer.block.path), ", me, found", write)


def _offered(writer: Writer, scribe: Scribe, offer: Begin, found: str) -> None:
    """Set a local name, which is 0, to the first hexes of an action that can begin."""
    with _if(scribe, offer.guard), apart(scribe) if offer.minds else _together():
        if offer.minds:
            scribe.line("t.required = True")
        _first(writer, scribe, offer.block, found)
        if offer.minds:
            scribe.line("t.required = False")


@contextmanager
def _if(scribe: Scribe, guard: Expr | None) -> Iterator[None]:
    """What is done under a guard, if there is one."""
    if guard is None:
        yield
        return
    with scribe.under(f"if {scribe.text(guard)}:"):
        yield


@contextmanager
def _together() -> Iterator[None]:
    yield


def _first(writer: Writer, scribe: Scribe, block: Block, found: str) -> None:
    """Set a local name to the first hexes that a block lets choose."""
    doing = block.steps[0] if block.steps else None
    if isinstance(doing, Step) and scribe.plan.asked(doing).word.asks:
        asked = scribe.plan.asked(doing)
        if not asked.at_random:
            if isinstance(asked.count, Lit) and asked.count.value > 0:
                scribe.line(f"{found} = {first_hexes(scribe, asked)}")
                return
            assert asked.count is not None
            with scribe.under(f"if {scribe.text(asked.count)} > 0:"):
                scribe.line(f"{found} = {first_hexes(scribe, asked)}")
            with scribe.under("else:"):
                rare(scribe, "an action that may begin with nothing")
            return
    if isinstance(doing, Repeat | If):
        test = doing.times if isinstance(doing, Repeat) else doing.condition
        text = scribe.text(scribe.plan.folded(test))
        with scribe.under(f"if {text} > 0:" if isinstance(doing, Repeat) else f"if {text}:"):
            _first(writer, scribe, doing.body, found)
        with scribe.under("else:"):
            rare(scribe, "an action that may begin otherwise")
        return
    if isinstance(doing, Step) and scribe.plan.asked(doing).word.is_reuse:
        rare(scribe, "an action that begins without a hex: reuse")
    rare(scribe, "an action that begins without a hex")


def _act(writer: Writer, offer: Begin) -> str:
    """The function that carries out an action whose first hex was chosen."""

    def write(scribe: Scribe) -> None:
        terrains.settled_by(scribe, offer)
        if writer.repeating:
            pass
        elif offer.tile >= 0:
            scribe.line(f"seat.spend({offer.tile})")
            scribe.line(f"t.used_tiles[me][{offer.tile}] += 1")
        else:
            scribe.line(f"t.used = (*t.used, {scribe.names.of(offer.block.path)})")
        if offer.required:
            scribe.line("t.required = True")
        rule, often = rule_of(offer.block), offer.tile < 0
        around = Around(rule, active=True, often=often, given="hex")
        writer.block(scribe, offer.block, around)
        if offer.required:
            scribe.line("t.required = False")

    key = "act", offer.block.path
    name = writer.function(key, ", me, hex", write, placed(offer.block))
    writer.begun.add(name)
    return name


def either(writer: Writer, scribe: Scribe, doing: Either, around: Around) -> None:
    """One of several bodies, begun by the player."""
    if around.given:
        rare(scribe, "an action that begins with branches")
        return
    hex, index = scribe.new(), scribe.new()
    masks = []
    with scribe.under("while True:"):
        writer.whenever(scribe, scribe.plan.standings, around)
        for body in doing.bodies:
            masks.append(scribe.new())
            scribe.line(f"{masks[-1]} = 0")
            _first(writer, scribe, body, masks[-1])
            scribe.forget()
        scribe.line("break")
    rare(scribe, "branches")
    scribe.line(f"{hex} = {index} = 0")

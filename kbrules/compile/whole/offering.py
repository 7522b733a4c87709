"""Actions and branches written out: what a player may begin, and what begins then."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import TYPE_CHECKING

from kbrules.compile.whole import terrains
from kbrules.compile.whole.around import Around, placed, rule_of
from kbrules.compile.whole.asked import first_hexes, how_often, parts_of, rare
from kbrules.compile.whole.branching import begin
from kbrules.compile.whole.manners import BEGUN, CALL, END, GROUND, NEVER, Way
from kbrules.compile.whole.plan import Begin, Plan
from kbrules.compile.whole.scribe import Scribe
from kbrules.compile.whole.trying import Start, is_plain, is_sure, starts, tried
from kbrules.lang.core import Block, Expr, If, Repeat, Step

if TYPE_CHECKING:
    from kbrules.compile.whole.blocks import Writer


REQUIRED = "required()"
BY_TILE = "by_tile"
"""What tiles offer, by kind."""


def offers(writer: Writer, scribe: Scribe, around: Around) -> None:
    """The step at which a player uses actions until the turn ends."""
    plan = scribe.plan
    with scribe.under("while True:"):
        scribe.ahead([*(standing.guard for standing in plan.standings), *_wanted(scribe)])
        writer.whenever(scribe, plan.standings, around)
        if any(offer.needs_terrain for offer in _all(plan)):
            _may_choose_terrain(writer, scribe)
        (_only if _is_one(plan) else _any)(writer, scribe)
    scribe.forget()


def _all(plan: Plan) -> Iterator[Begin]:
    """The actions of the table and of tiles."""
    yield from plan.offers
    for offers in plan.tile_offers.values():
        yield from offers


def _may_choose_terrain(writer: Writer, scribe: Scribe) -> None:
    """Where there are several terrains, that choice is among the moves."""
    with scribe.under("if t.split:"):
        done = scribe.new()
        scribe.line(f"{done} = {CALL}{_before_choosing(writer)}(t, me)")
        scribe.line(f"if {done} in ({BEGUN}, {GROUND}): continue")
        scribe.line("break")


def _any(writer: Writer, scribe: Scribe) -> None:
    """All actions that can begin."""
    plan = scribe.plan
    ways = [(offer, way) for offer in plan.offers for way in _table_offer(writer, scribe, offer)]
    musts = [way.hexes for offer, way in ways if offer.required]
    must = f"({' or '.join(musts)})" if musts[1:] else "".join(musts) or NEVER
    if plan.tile_offers:
        scribe.line("found, more = (), 0")
        with scribe.under("if seat.ready:"):
            scribe.line("found = []")
            scribe.line(f"more = {_tile_offers(writer)}(t, me, found)")
    scribe.manner.one_of(scribe, [way for _, way in ways], must, lists=bool(plan.tile_offers))


def _is_one(plan: Plan) -> bool:
    """Whether there is one action, and it begins with a hex."""
    if len(plan.offers) != 1 or plan.tile_offers:
        return False
    ways = starts(plan, plan.offers[0].block)
    return len(ways) == 1 and ways[0].step is not None


def _only(writer: Writer, scribe: Scribe) -> None:
    """The only action there is; once it was used, nothing is left to begin."""
    (offer,) = scribe.plan.offers
    (start,) = starts(writer.plan, offer.block)
    way = _way(scribe, offer, start)
    is_first = bool(scribe.plan.kept["sole"]) and not scribe.plan.standings
    unused = f"if {scribe.names.of(offer.block.path)} not in t.used:"
    with nullcontext() if is_first else scribe.under(unused):
        _offered(writer, scribe, offer, [way])
    scribe.manner.only(scribe, way, offer.required)
    _begun(writer, scribe, offer, start, is_first)
    if not scribe.plan.standings:
        scribe.line("break")


def _wanted(scribe: Scribe) -> list[Expr | None]:
    """What the actions of the table ask first."""
    found: list[Expr | None] = []
    for offer in scribe.plan.offers:
        first = offer.block.steps[0] if offer.block.steps else None
        if isinstance(first, Step) and scribe.plan.asked(first).word.asks:
            found += parts_of(scribe.plan.asked(first))
    return found


def _table_offer(writer: Writer, scribe: Scribe, offer: Begin) -> list[Way]:
    """The ways of an action of the table, closed if it cannot begin so."""
    ways = _closed(writer, scribe, offer)
    with scribe.under(f"if {scribe.names.of(offer.block.path)} not in t.used:"):
        _offered(writer, scribe, offer, ways)
    return ways


def _open(writer: Writer, scribe: Scribe, offer: Begin) -> list[Way]:
    """The ways of an action, with what it can begin with now."""
    first = offer.block.steps[0] if offer.block.steps else None
    is_free = offer.guard is None and not offer.minds and is_plain(writer.plan, offer.block)
    if is_free and isinstance(first, Step) and is_sure(scribe.plan.asked(first)):
        hexes = scribe.keep(first_hexes(scribe, scribe.plan.asked(first)))
        (start,) = starts(writer.plan, offer.block)
        return [_way(scribe, offer, start, _act(writer, offer, start), hexes)]
    ways = _closed(writer, scribe, offer)
    _offered(writer, scribe, offer, ways)
    return ways


def _closed(writer: Writer, scribe: Scribe, offer: Begin) -> list[Way]:
    """The ways of an action, with local names for their hexes that say there are none."""
    ways = starts(writer.plan, offer.block)
    return [_way(scribe, offer, start, _act(writer, offer, start)) for start in ways]


def _way(scribe: Scribe, offer: Begin, start: Start, act: str = "", hexes: str = "") -> Way:
    """One of them, carried out by a function or by what follows; with no hexes unless given."""
    name = scribe.names.of
    if not hexes:
        hexes = scribe.new()
        scribe.line(f"{hexes} = 0")
    verb, rule, path = name(start.verb), name(rule_of(offer.block)), name(offer.block.path)
    return Way(verb, rule, hexes, path, act, start.step is None)


def _tile_offers(writer: Writer) -> str:
    """The function that adds what the tiles of a player offer, and answers how much that is."""

    def write(scribe: Scribe) -> None:
        scribe.line("total = 0")
        kinds = "for kind in fromkeys(seat.ready):"
        of_kind = f"for offer in {BY_TILE}[kind]:"
        with scribe.under(kinds), scribe.under(of_kind):
            scribe.line("total += offer(t, me, found)")
        scribe.line("return total")

    listed(writer, BY_TILE, lambda offer: True)
    return writer.function(("tile offers", ""), ", me, found", write)


def listed(writer: Writer, name: str, test: Callable[[Begin], bool]) -> None:
    """Let the functions that add what tiles offer stand under a name, by the kind of tile.

    They are written when they are wanted.
    """
    listed = writer.lists[name] = {}
    for kind, offers in writer.plan.tile_offers.items():
        chosen = [offer for offer in offers if test(offer)]
        if chosen:
            listed[kind] = partial(_adding, writer, chosen)


def _adding(writer: Writer, offers: Sequence[Begin]) -> str:
    """A text for the functions that add what some actions offer."""
    return f"({', '.join([_added(writer, offer) for offer in offers])},)"


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
        if writer.repeating and is_shared(writer, offer):
            _added_again(writer, scribe, offer)
            return
        if offer.required and offer.tile >= 0:
            rare(scribe, "a required action of a tile")
        first = offer.block.steps[0] if offer.block.steps else None
        if isinstance(first, Step) and scribe.plan.asked(first).word.asks:
            scribe.share([offer.guard, *parts_of(scribe.plan.asked(first))])
        ways = _open(writer, scribe, offer)
        if len(ways) == 1:
            scribe.line(f"if not {ways[0].hexes}: return 0")
            scribe.line(f"return {scribe.manner.found(scribe, ways[0])}")
            return
        scribe.line("total = 0")
        for way in ways:
            with scribe.under(f"if {way.hexes}:"):
                scribe.line(f"total += {scribe.manner.found(scribe, way)}")
        scribe.line("return total")

    return writer.function(("offer", offer.block.path), ", me, found", write)


def _added_again(writer: Writer, scribe: Scribe, offer: Begin) -> None:
    """What begins an action begins it once more, but it is not used up."""
    ways = starts(writer.plan, offer.block)
    acts = [(_act(writer.base, offer, way), _act(writer, offer, way)) for way in ways]
    scribe.line("more = []")
    scribe.line(f"total = {_added(writer.base, offer)}(t, me, more)")
    again = "acts[act]" if len(acts) > 1 else acts[0][1]
    if len(acts) > 1:
        pairs = ", ".join(f"{act}: {again}" for act, again in acts)
        scribe.line(f"acts = {{{pairs}}}")
    scribe.line(f"for each, act in more: found.append((each, {again}))")
    scribe.line("return total")


def _offered(writer: Writer, scribe: Scribe, offer: Begin, ways: list[Way]) -> None:
    """Set the hexes of the ways, none yet, in which an action can begin."""
    with _if(scribe, offer.guard), scribe.beside(REQUIRED) if offer.minds else _together():
        if offer.minds:
            scribe.line("t.required = True")
        if is_plain(writer.plan, offer.block):
            _first(scribe, offer.block, ways[0].hexes)
        else:
            for way, start in zip(ways, starts(writer.plan, offer.block), strict=True):
                scribe.line(f"{way.hexes} = {tried(writer, scribe, offer.block, start)}")
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


def _first(scribe: Scribe, block: Block, found: str) -> None:
    """Set a local name to the first hexes that a plain block lets choose, if it does."""
    doing = block.steps[0]
    if isinstance(doing, Step):
        asked = scribe.plan.asked(doing)
        if is_sure(asked):
            first_hexes(scribe, asked, found)
            return
        assert asked.count is not None
        with scribe.under(f"if {how_often(scribe, asked.count)} > 0:"):
            first_hexes(scribe, asked, found)
    elif isinstance(doing, Repeat | If):
        test = doing.times if isinstance(doing, Repeat) else doing.condition
        text = scribe.text(scribe.plan.folded(test))
        with scribe.under(f"if {text} > 0:" if isinstance(doing, Repeat) else f"if {text}:"):
            _first(scribe, doing.body, found)


def _act(writer: Writer, offer: Begin, start: Start) -> str:
    """The function that carries out an action that was begun in some way, with its first hex."""

    def write(scribe: Scribe) -> None:
        _earlier(writer, scribe, offer, start)
        _begun(writer, scribe, offer, start)

    key = "act", f"{offer.block.path} {starts(writer.plan, offer.block).index(start)}"
    name = writer.function(key, ", me, hex", write, placed(offer.block))
    writer.begun.add(name)
    return name


def _begun(
    writer: Writer, scribe: Scribe, offer: Begin, start: Start, is_first: bool = False
) -> None:
    """Carry out an action that was begun in some way, with its first hex in the local `hex`.

    is_first: whether it is the first of its turn.
    """
    terrains.settled_by(scribe, offer)
    if not writer.repeating:
        _used_up(scribe, offer, "" if is_first else "*t.used, ")
    if offer.required:
        scribe.line("t.required = True")
    if is_shared(writer, offer):
        scribe.line(f"{CALL}{_carried_out(writer.base, offer, start)}(t, me, hex)")
    else:
        _carry_out(writer, scribe, offer, start)
    if offer.required:
        scribe.line("t.required = False")


def _used_up(scribe: Scribe, offer: Begin, before: str) -> None:
    """An action serves once: that of a tile uses the tile. before: a text for those used before."""
    if offer.tile >= 0:
        scribe.line(f"seat.spend({offer.tile})")
        scribe.line(f"t.used_tiles[me][{offer.tile}] += 1")
    else:
        scribe.line(f"t.used = ({before}{scribe.names.of(offer.block.path)},)")


def _carry_out(writer: Writer, scribe: Scribe, offer: Begin, start: Start) -> None:
    """What an action does, whatever it was begun by."""
    around = Around(rule_of(offer.block), active=True, often=offer.tile < 0)
    begin(writer, scribe, offer.block, around, start, "hex")


def _carried_out(writer: Writer, offer: Begin, start: Start) -> str:
    """The function of that, where it is done in just the same way once more."""

    def write(scribe: Scribe) -> None:
        _carry_out(writer, scribe, offer, start)

    key = "do", f"{offer.block.path} {starts(writer.plan, offer.block).index(start)}"
    return writer.function(key, ", me, hex", write, placed(offer.block))


def is_shared(writer: Writer, offer: Begin) -> bool:
    """Whether an action can be reused, and is then just what it always is."""
    return bool(writer.plan.kept["reuses"]) and offer.tile >= 0 and not offer.repeats


def _earlier(writer: Writer, scribe: Scribe, offer: Begin, start: Start) -> None:
    """What could be begun in an earlier way with the same hex is meant so."""
    for other in starts(writer.plan, offer.block):
        if other is start:
            return
        if other.verb == start.verb:
            if offer.minds:
                rare(scribe, "an action that minds how it begins")
            same = writer.base if is_shared(writer, offer) else writer
            test = f"{tried(same, scribe, offer.block, other)} >> hex & 1"
            with scribe.under(f"if {test}:"):
                scribe.line(f"{CALL}{_act(writer, offer, other)}(t, me, hex)")
                scribe.line("return")

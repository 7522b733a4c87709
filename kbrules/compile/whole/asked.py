"""What can be chosen: the sets of hexes that a step asks for, written out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from kbrules.compile.whole.facts import lift, put_back
from kbrules.compile.whole.kinds import of_kinds
from kbrules.compile.whole.plan import Asked, Sourced
from kbrules.compile.whole.scribe import Scribe
from kbrules.lang.core import Call, Expr, Lit
from kbrules.lang.sorts import Sort

ORIGIN = "origin"


def rare(scribe: Scribe, what: str) -> None:
    """A place that few games come to, and that is not written out: it says what it is."""
    scribe.line(f"raise Rare({what!r})")


def values(scribe: Scribe, asked: Asked) -> list[str]:
    """The texts of the arguments that a step's code takes; None for what was left out."""
    given = [value for value in asked.values if value is not None]
    scribe.share(given)
    return ["None" if value is None else scribe.text(value) for value in asked.values]


@contextmanager
def rounds(scribe: Scribe, asked: Asked, done: str) -> Iterator[None]:
    """The loop of a step that is done a number of times; that is asked before each of them.

    What is done once is to break off; while it is not, the loop comes by again.
    """
    if is_once(asked):
        with scribe.under("while True:"):
            yield
        return
    assert asked.count is not None
    if isinstance(asked.count, Lit):
        with scribe.under(f"while {done} < {asked.count.value}:"):
            yield
        return
    with scribe.under("while True:"):
        scribe.share([asked.count])
        scribe.line(f"if {done} >= {how_often(scribe, asked.count)}: break")
        yield


def is_once(asked: Asked) -> bool:
    """Whether a step is always done just once."""
    return asked.count is None or (isinstance(asked.count, Lit) and asked.count.value == 1)


def how_often(scribe: Scribe, count: Expr) -> str:
    """How often a step is done, to compare with; a sum may be greater than numbers can be."""
    if isinstance(count, Call) and count.word == "+(number,number)":
        first, second = map(scribe.text, count.arguments)
        return f"({first} + {second})"
    return scribe.text(count)


def parts_of(asked: Asked) -> list[Expr | None]:
    """What is asked to find the first hexes of a step."""
    if not asked.word.lifts:
        return [asked.legal, asked.source]
    way = asked.sourced
    return [asked.source, *((way.own, way.through) if way else ()), asked.forbidden]


def first_hexes(scribe: Scribe, asked: Asked, name: str = "") -> str:
    """The local name, if not given a new one, of the set that a step lets choose first."""
    found = name or scribe.new()
    if asked.word.lifts:
        _sources(scribe, asked, found)
    elif asked.legal is not None:
        scribe.line(f"{found} = {scribe.text(asked.legal)}")
    else:
        scribe.line(f"{found} = {_pieces(scribe, asked)}")
    return found


def _pieces(scribe: Scribe, asked: Asked) -> str:
    """The hexes of a `from` phrase that hold a piece of the right kind."""
    assert asked.source is not None
    text = f"{scribe.text(asked.source)} & t.occupied"
    for kind in asked.stays:
        text += f" & ~{of_kinds(scribe, (kind,))}"
    if isinstance(asked.piece, Lit):
        text += f" & {of_kinds(scribe, (asked.piece.value,))}"
    elif asked.piece is not None:
        text += f" & held(t, {scribe.text(asked.piece)})"
    return f"({text})"


def _sources(scribe: Scribe, asked: Asked, found: str) -> None:
    """The pieces that have somewhere to go once lifted."""
    pieces = scribe.keep(_pieces(scribe, asked))
    scribe.line(f"{found} = 0")
    way = asked.sourced
    if way is None:
        _one_by_one(scribe, asked, pieces, found)
        return
    with scribe.under(f"if {pieces}:"):
        odd = _of_kinds(scribe, way, pieces)
        if way.through is not None:
            _beside(scribe, way, (pieces, odd, found))
        else:
            _to_free(scribe, asked, way, (pieces, found))
        if odd:
            _one_by_one(scribe, asked, odd, found)


def _of_kinds(scribe: Scribe, way: Sourced, pieces: str) -> str:
    """Set those aside that are asked for themselves: their local name, "" if there can be none."""
    if not way.kinds:
        is_sure = way.through is None or way.only
        return "" if is_sure else scribe.keep("(0)")
    odd = scribe.keep(f"{pieces} & {of_kinds(scribe, way.kinds)}")
    scribe.line(f"if {odd}: {pieces} &= ~{odd}")
    return odd


def _beside(scribe: Scribe, way: Sourced, names: tuple[str, str, str]) -> None:
    """Who stands beside a set goes on into it."""
    pieces, odd, found = names
    assert way.through is not None
    near = Call(Sort.HEXES, way.through.span, "adjacent(hexes)", (way.through,))
    scribe.line(f"{found} = {pieces} & {scribe.text(near)}")
    if not way.only:
        scribe.line(f"{odd} = {odd} | {pieces} & ~{found}")


def _to_free(scribe: Scribe, asked: Asked, way: Sourced, names: tuple[str, str]) -> None:
    """Who can go to one of the hexes that are free."""
    pieces, found = names
    assert way.own is not None
    own = scribe.keep(scribe.text(way.own))
    free = scribe.keep(f"{own} & ~{scribe.text(asked.forbidden)}")
    with scribe.under(f"if {free}:"):
        if way.relation is not None:
            with scribe.binding({ORIGIN: free}):
                pieces = scribe.keep(f"{pieces} & {scribe.text(way.relation)}")
        if asked.freely:
            scribe.line(f"{found} = {pieces}")
            return
        scribe.line(f"{found} = {pieces} & ~{own}")
        # Where a piece stands is free for it once lifted, may be preferred to every other
        # hex, and then be denied: those pieces are asked one by one.
        doubtful = scribe.keep(f"{pieces} & {own}")
        if asked.touching:
            with scribe.under(f"if {doubtful} and {free} & seat.near:"):
                _all_but_few(scribe, (free, doubtful, found))
        _one_by_one(scribe, asked, doubtful, found)


def _all_but_few(scribe: Scribe, names: tuple[str, str, str]) -> None:
    """Where hexes that touch one's own are preferred: who can go to one of those that are free.

    That is every piece, but for one that all of these hexes touch; it may be the only one they do.
    """
    free, doubtful, found = names
    one, few = scribe.new(), scribe.new()
    scribe.line(f"{one} = {free} & seat.near")
    scribe.line(f"{few} = {doubtful} & nearby[{one}.bit_length() - 1]")
    scribe.line(f"if {few}: {few} &= nearby[({one} & -{one}).bit_length() - 1]")
    scribe.line(f"{found} |= {doubtful} & ~{few}")
    scribe.line(f"{doubtful} = {few}")


def _one_by_one(scribe: Scribe, asked: Asked, pieces: str, found: str) -> None:
    left, low = scribe.new(), scribe.new()
    scribe.line(f"{left} = {pieces}")
    with scribe.under(f"while {left}:"):
        scribe.line(f"{low} = {left} & -{left}")
        scribe.line(f"{left} ^= {low}")
        mask = when_lifted(scribe, asked.legal, low)
        scribe.line(f"if {mask}: {found} |= {low}")


def when_lifted(scribe: Scribe, legal: Expr | None, origin: str) -> str:
    """The local name of a set as it is when the piece on `origin` is taken up to see."""
    assert legal is not None
    token, mask = scribe.new(), scribe.new()
    with scribe.apart(), scribe.binding({ORIGIN: origin}):
        scribe.line(f"{token} = {scribe.names.of(lift)}(t, {origin})")
        scribe.share([legal])
        scribe.line(f"{mask} = {scribe.text(legal)}")
        scribe.line(f"{scribe.names.of(put_back)}(t, {origin}, {token})")
    return mask

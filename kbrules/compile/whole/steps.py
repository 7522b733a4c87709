"""Steps that are written out instead of being called: those that happen all the time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING

from kbrules.compile.whole.asked import values
from kbrules.compile.whole.facts import shift, take
from kbrules.compile.whole.following import calling, follow_here, told_by
from kbrules.compile.whole.kinds import in_supply
from kbrules.compile.whole.straying import strayed
from kbrules.lang.core import Lit

if TYPE_CHECKING:
    from kbrules.compile.whole.around import Around
    from kbrules.compile.whole.blocks import Writer
    from kbrules.compile.whole.plan import Asked
    from kbrules.compile.whole.scribe import Scribe

Chosen = Callable[["Writer", "Scribe", "Asked", "Around", tuple[str, str]], None]
Happens = Callable[["Writer", "Scribe", "Asked", "Around"], None]


def _piece(asked: Asked) -> int | None:
    """The kind of piece that a step names, the main one if it names none."""
    if asked.piece is None:
        return 0
    return asked.piece.value if isinstance(asked.piece, Lit) else None


def _build(
    writer: Writer, scribe: Scribe, asked: Asked, around: Around, names: tuple[str, str]
) -> None:
    piece, (_, hex) = _piece(asked), names
    if piece is None:
        from kbrules.compile.whole.choosing import plainly

        plainly(writer, scribe, asked, around, names)
        return
    astray, bit = strayed(scribe, asked, names), scribe.new()
    scribe.line(f"{bit} = 1 << {hex}")
    if piece:
        scribe.line(f"seat.others[{piece}] |= {bit}")
        scribe.line(f"t.laid[{piece}] |= {bit}")
    scribe.line(f"seat.all |= {bit}")
    scribe.line(f"t.occupied |= {bit}")
    scribe.line(f"seat.near |= nearby[{hex}]")
    scribe.line(f"{in_supply(piece)} -= 1")
    told = told_by(writer, "build")
    if told:
        start = len(scribe.lines)
        if not (around.often and follow_here(writer, scribe, "build", bit, piece, astray)):
            scribe.line(f"{told}(t, me, {bit}, 0, {astray})")
        depth = calling(scribe.lines[start:])
        if depth is not None:
            with scribe.within(depth):
                writer.hear(scribe, around)
        writer.over(scribe, around)


def _move(
    writer: Writer, scribe: Scribe, asked: Asked, around: Around, names: tuple[str, str]
) -> None:
    """A piece of several hexes is never moved, so that a bit is a piece."""
    lifted, hex = names
    owner, kind = scribe.new(), scribe.new()
    scribe.line(f"{owner}, {kind} = t.owner_of({lifted})")
    scribe.line(f"{scribe.names.of(shift)}(t, {owner}, {kind}, {lifted}, {hex})")
    told = told_by(writer, "move")
    if told:
        scribe.line(f"{told}(t, {owner}, 1 << {hex}, 1 << {lifted}, False)")
        writer.tell(scribe, around)


def _play(writer: Writer, scribe: Scribe, asked: Asked, around: Around) -> None:
    hand = scribe.keep("seat.hand")
    with scribe.under(f"if {hand}:"):
        scribe.line("seat.hand = ()")
        # As `show` does it for one card of one terrain.
        with scribe.under(f"if {hand} in alone and not t.shown:"):
            scribe.line(f"t.shown = {hand}")
            scribe.line(f"t.played, t.ground = alone[{hand}]")
        scribe.line(f"else: t.show((*t.shown, *{hand}), t.choice)")


def _discard(writer: Writer, scribe: Scribe, asked: Asked, around: Around) -> None:
    pile = scribe.keep("t.piles[1]")
    scribe.line(f"for card in t.shown: {pile}[card] += 1")
    scribe.line(f"for card in t.aside: {pile}[card] += 1")
    # As `show` does it for no cards.
    scribe.line("t.shown, t.aside, t.choice, t.played, t.ground = (), (), -1, -1, 0")
    scribe.line("t.split = t.several = False")


def _ready(writer: Writer, scribe: Scribe, asked: Asked, around: Around) -> None:
    (places,) = values(scribe, asked)
    scribe.line(f"seat.make_ready({0 if places == 'None' else f'full & ~({places})'})")


def _draw(writer: Writer, scribe: Scribe, asked: Asked, around: Around, card: str) -> None:
    scribe.line(f"t.piles[0][{card}] -= 1")
    scribe.line(f"seat.hand = (*seat.hand, {card})")


def _add(writer: Writer, scribe: Scribe, asked: Asked, around: Around) -> None:
    what, memory = asked.values
    assert what is not None and isinstance(memory, Lit)
    scope, slot = scribe.plan.memories[memory.value]
    place = f"t.memory[{slot}]" if scope == "table" else f"seat.memory[{slot}]"
    scribe.share([what])
    scribe.line(f"{place} |= {scribe.text(what)}")


def _tiles(writer: Writer, scribe: Scribe, asked: Asked, around: Around) -> None:
    """Losing tiles: those of no place are none."""
    first, *rest = values(scribe, asked)
    with scribe.under(f"if {first}:"):
        code = scribe.names.of(asked.word.code)
        scribe.line(f"{code}(t, me, {first}{''.join(', ' + value for value in rest)})")
        writer.tell(scribe, around)


def _take(writer: Writer, scribe: Scribe, asked: Asked, around: Around) -> None:
    """Of no place nothing is taken, as it is mostly."""
    (places,) = values(scribe, asked)
    told_by(writer, "take")
    if not places.isidentifier():
        places = scribe.keep(places)
    seldom = scribe.where(places) if scribe.is_seldom(places) else nullcontext()
    with seldom, scribe.under(f"if {places}:"):
        scribe.line(f"{scribe.names.of(take)}(t, me, {places})")
        writer.tell(scribe, around)


def _last_round(writer: Writer, scribe: Scribe, asked: Asked, around: Around) -> None:
    scribe.line("t.ending = True")


def _end_game(writer: Writer, scribe: Scribe, asked: Asked, around: Around) -> None:
    scribe.line("t.stage, t.over = ('over', 0), True")
    writer.tell(scribe, around)


CHOSEN: Mapping[str, Chosen] = {"build": _build, "move": _move}
"""What is done with a chosen hex, by the name of the step."""

INSTANT: Mapping[str, Happens] = {
    "add": _add,
    "play": _play,
    "discard": _discard,
    "ready": _ready,
    "take": _take,
    "lose": _tiles,
    "last_round": _last_round,
    "end_game": _end_game,
}
"""What happens at once."""

DRAWN: Mapping[str, Callable[..., None]] = {"draw": _draw}
"""What is done with a card that was drawn."""

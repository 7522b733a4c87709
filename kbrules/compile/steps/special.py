"""The words that are written otherwise than by their code: because the table is at hand."""

from __future__ import annotations

from collections.abc import Mapping

from kbrules.compile.flooding import connected
from kbrules.compile.steps.scribe import ADJACENT, CONNECTED, DEAD, Scribe, Special
from kbrules.game.state import ZONES
from kbrules.lang.core import Call, Lit

LONGEST_LINE = 400
"""No line is longer, as the word for lines has it."""


def _mine(pen: Scribe, call: Call) -> str:
    return pen.seat("mine")


def _mine_of(pen: Scribe, call: Call) -> str:
    (kind,) = call.arguments
    return f"{pen.seat('pieces')}[{pen.text(kind)}]"


def _supply(pen: Scribe, call: Call) -> str:
    (kind,) = call.arguments
    return f"{pen.seat('supply')}[{pen.text(kind)}]"


def _occupied(pen: Scribe, call: Call) -> str:
    return pen.occupied()


def _adjacent(pen: Scribe, call: Call) -> str:
    return pen.neighbours(pen.text(call.arguments[0]))


def _connected(pen: Scribe, call: Call) -> str:
    """By the last flood of the player: the sets of two players are not alike."""
    of, by = map(pen.text, call.arguments)
    place = pen.keep(f"{pen.names.flood() * pen.plan.players} + me")
    return connected(pen, (of, by), "K.floods", place, "K.board.grid")


def _count(pen: Scribe, call: Call) -> str:
    return f"({pen.text(call.arguments[0])}).bit_count()"


def _any(pen: Scribe, call: Call) -> str:
    return f"({pen.text(call.arguments[0])} != 0)"


def _none(pen: Scribe, call: Call) -> str:
    return f"({pen.text(call.arguments[0])} == 0)"


def _memory(pen: Scribe, call: Call) -> str:
    (name,) = call.arguments
    assert isinstance(name, Lit)
    scope, slot = pen.plan.ruleset.memories[name.value]
    return f"{pen.draft}.memory[{slot}]" if scope == "table" else f"{pen.seat('memory')}[{slot}]"


def _open(pen: Scribe, call: Call) -> str:
    (verb,) = call.arguments
    assert isinstance(verb, Lit)
    return pen.text(pen.plan.open(verb.value))


def _forbidden(pen: Scribe, call: Call) -> str:
    (verb,) = call.arguments
    assert isinstance(verb, Lit)
    return pen.text(pen.plan.forbidden(verb.value))


def _dead(pen: Scribe, call: Call) -> str:
    """Only what kills no card is written out: that is what is asked at every decision."""
    (verb,) = call.arguments
    name = pen.new()
    pen.line(f"{name} = 0")
    with pen.under(f"if {pen.draft}.shown:"):
        found = pen.keep(_open(pen, call))
        with pen.under(f"if not {found}:"):
            code = pen.bound(pen.code(call.word))
            pen.line(f"{name} = {code}({pen.view()}, {pen.text(verb)})")
    return name


def _played(pen: Scribe, call: Call) -> str:
    name = pen.new()
    d = pen.draft
    pen.line(f"{name} = {d}.choice")
    with pen.under(f"if {name} < 0:"):
        pen.line(f"{name} = {d}.shown")
        one = f"K.sole[{name}[0]] if len({name}) == 1"
        pen.line(f"{name} = {one} else terrain_played({d}, K.board)")
    return name


def _terrain(pen: Scribe, call: Call) -> str:
    return f"K.kinds[{pen.text(call.arguments[0])}]"


def _held(pen: Scribe, call: Call) -> str:
    return f"held({pen.seat('tiles')}, {pen.text(call.arguments[0])})"


def _usable(pen: Scribe, call: Call) -> str:
    return f"usable({pen.seat('tiles')}, {pen.text(call.arguments[0])})"


def _my_turn(pen: Scribe, call: Call) -> str:
    return f"(me == {pen.draft}.active)"


def _ends(pen: Scribe, call: Call) -> str:
    """The ends of long lines: the lines need not be taken apart for that."""
    (lines,) = call.arguments
    if isinstance(lines, Call) and lines.word == "lines(hexes,range)" and not lines.fixed:
        of, length = lines.arguments
        if isinstance(length, Lit) and length.value[1] >= LONGEST_LINE:
            return f"K.board.grid.ends({pen.text(of)}, {max(2, length.value[0])})"
    code = pen.bound(pen.code(call.word))
    return f"{code}(K.board, {pen.text(lines)})"


def _required(pen: Scribe, call: Call) -> str:
    if pen.required is not None:
        return str(pen.required)
    code = pen.bound(pen.code(call.word))
    return f"{code}({pen.view()})"


def _cards(pen: Scribe, call: Call) -> str:
    (zone,) = call.arguments
    assert isinstance(zone, Lit)
    if zone.value in ZONES:
        return f"sum({pen.draft}.piles[{ZONES.index(zone.value)}])"
    return f"len({pen.draft}.shown)"


def _above(pen: Scribe, call: Call) -> str:
    """`dead(...) > 0` asks for more than what is open only where nothing is."""
    first, second = call.arguments
    if not (isinstance(first, Call) and first.word == DEAD and isinstance(second, Lit)):
        one, two = map(pen.text, call.arguments)
        return f"({one} > {two})"
    found = pen.keep(_open(pen, first))
    name = pen.new()
    pen.line(f"{name} = {second.value < 0}")
    with pen.under(f"if not {found} and {pen.draft}.shown:"):
        code = pen.bound(pen.code(DEAD))
        verb = pen.text(first.arguments[0])
        pen.line(f"{name} = {code}({pen.view()}, {verb}) > {second.value}")
    return name


def _can_build(pen: Scribe, call: Call) -> str:
    kind = _kind_of(call)
    piece = pen.plan.ruleset.catalog.pieces[kind]
    if piece.size != 1:
        return "False"
    return _can_place(pen, call)


def _can_place(pen: Scribe, call: Call) -> str:
    kind = _kind_of(call)
    if pen.plan.ruleset.catalog.pieces[kind].neutral:
        return f"{pen.bound(pen.code('can place'))}({pen.view()}, {kind})"
    return f"({pen.seat('supply')}[{kind}] > 0)"


def _kind_of(call: Call) -> int:
    (kind,) = call.arguments
    assert isinstance(kind, Lit)
    return int(kind.value or 0)


def _quantity(pen: Scribe, call: Call) -> str:
    (name,) = call.arguments
    assert isinstance(name, Lit)
    value = pen.new()
    pen.line(f"{value} = {pen.plan.ruleset.catalog.numbers[name.value]}")
    for amount, guard, owner in pen.plan.changes(name.value):
        is_held = f"held({pen.seat('tiles')}, {owner.tile})" if owner.tile >= 0 else "True"
        with pen.under(f"if {is_held}:"):
            holds = pen.keep("True" if guard is None else pen.text(guard))
            pen.line(f"if {holds}: {value} += {pen.text(amount)}")
    return f"({value} if {value} > 0 else 0)"


def _sum(sign: str) -> Special:
    def written(pen: Scribe, call: Call) -> str:
        one, two = map(pen.text, call.arguments)
        return f"bounded({one} {sign} {two})"

    return written


def _players(pen: Scribe, call: Call) -> str:
    return "me"


SPECIAL: Mapping[str, Special] = {
    "mine()": _mine,
    "mine(piece)": _mine_of,
    "supply(piece)": _supply,
    "occupied()": _occupied,
    ADJACENT: _adjacent,
    CONNECTED: _connected,
    "count(hexes)": _count,
    "any(hexes)": _any,
    "none(hexes)": _none,
    "memory": _memory,
    "quantity": _quantity,
    "open(verb)": _open,
    "forbidden(verb)": _forbidden,
    DEAD: _dead,
    ">(number,number)": _above,
    "ends(groups)": _ends,
    "required()": _required,
    "cards(zone)": _cards,
    "played()": _played,
    "terrain(terrain)": _terrain,
    "held(tile)": _held,
    "usable(tile)": _usable,
    "my_turn()": _my_turn,
    "me()": _players,
    "can build": _can_build,
    "can place": _can_place,
}

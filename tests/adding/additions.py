"""What is added to a copy of the package, edit by edit, and the rules that need it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Edit:
    """A text put into a file behind another text, which stands there once."""

    path: str
    behind: str
    text: str


@dataclass(frozen=True)
class Addition:
    """Something added: how docs call it, what is written for it, rules that use it."""

    kind: str
    edits: tuple[Edit, ...]
    rules: str


PLACE = "kbrules/primitives/sets.py"
WORD = Addition(
    "word",
    (
        Edit(
            PLACE,
            '''@word("buildable & edge")
def edge(board: Board) -> Hexes:
    """The hexes at the rim of the table: first and last row, first and last column."""
    return board.grid.edge()
''',
            '''

@word("empty & ring(mine, 2)")
def ring(view: View, hexes: Hexes, number: Number) -> Hexes:
    """The hexes at exactly that distance from a set."""
    if number <= 0:
        return hexes if number == 0 else 0
    grid = view.board.grid
    return grid.within(hexes, number) & ~grid.within(hexes, number - 1)
''',
        ),
        Edit(
            "kbrules/kernel/runtime/geometry.py",
            "    return m & load(M, FULL)\n",
            '''

@native
def ring(M: Memory, hexes: Hexes, number: int) -> Hexes:
    """The hexes at exactly that distance from a set."""
    if number <= 0:
        return hexes if number == 0 else nothing()
    return within(M, hexes, number) & ~within(M, hexes, number - 1)
''',
        ),
    ),
    """\
rule turn "The yard":
    "Build two hexes from everything, if one can."
    permit build on empty
    prefer build on ring(occupied, 2)
    turn:
        build 1 tent
    when build: gain count(ring(here, count(mine & edge) - 1))
    when turn_end if none(empty): end game
    gold count(ring(mine, 1) & theirs)
    gold 100 * count(ring(mine, 2))
    win by total
""",
)

STEP = Addition(
    "step",
    (
        Edit(
            "kbrules/primitives/steps.py",
            """    context.emit(events.Moved(owned[0], owned[1], hexes[0], hexes[1]))
""",
            '''

@step(
    "trade {count: number} [{piece: piece}] from {source: hexes} with {target: hexes} [freely]",
    asks=(HexPhrase("from", name="offer"), HexPhrase("with", "trade")),
    can=lambda view, piece: view.state.seats[view.me].all.bit_count() > 2,
    lifts=True,
    binds={"with": _ORIGIN},
    example="trade 1 from mine with theirs",
)
def trade(context: MoveContext, me: int, hexes: tuple[int, ...], piece: int | None) -> None:
    """Let two pieces of one hex change places; `origin` is the hex of the first."""
    here, there = hexes
    mine, other = context.owner_of(here), context.owner_of(there)
    if mine is not None and other is not None and is_single(context.board, other[1]):
        context.emit(events.Removed(*other, there, 1 << there))
        context.emit(events.Moved(*mine, here, there))
        context.emit(events.Placed(*other, here, 1 << here))
''',
        ),
        Edit(
            "kbrules/kernel/runtime/pieces.py",
            """        notify(M, ON_MOVE, other, single(origin), single(hex), 0)
""",
            '''

@native
def can_trade(M: Memory, me: int, piece: int) -> bool:
    """Whether there are pieces enough, a lifted one aside."""
    return count(load(M, seat_of(me) + ALL)) > 2


@native
def do_trade(M: Memory, me: int, origin: int, hex: int) -> None:
    """Let two pieces of one hex change places."""
    owner, piece = owner_of(M, hex)
    if owner > -2 and M[SIZES + piece] == 1:
        do_remove(M, me, hex)
        do_move(M, me, origin, hex)
        M[STRAYED] = 0
        do_place(M, owner, origin, piece)
''',
        ),
    ),
    """\
rule turn "The yard":
    "Build, and let one piece of yours and one of another's change places."
    permit build on empty
    forbid trade on heath & edge
    turn:
        build 1 tent
        build 1 hut
        trade 1 from mine with theirs - adjacent(origin)
        up to 2 times: trade 1 hut from mine with theirs
    when move: gain 3
    when remove: gain count(here & moor)
    when place: gain 10 * count(here & moor)
    when turn_end if none(empty): end game
    gold count(mine & moor)
    win by total
""",
)

TRIGGER = Addition(
    "trigger",
    (
        Edit(
            "kbrules/game/view.py",
            """        "A piece of `actor` left the board from `here`.",
    ),
""",
            """    TriggerKind(
        "store",
        (Stored,),
        ("here", "actor"),
        "A piece of `actor` was laid aside from `here`.",
    ),
""",
        ),
        Edit(
            "kbrules/kernel/runtime/pieces.py",
            "# Each trigger's number, and whether a rule follows it: 0 here, as in `names`.\n",
            "ON_STORE = FOLLOWS_STORE = 0\n",
        ),
        Edit(
            "kbrules/kernel/runtime/pieces.py",
            '''    """Take a piece off the board, not into the supply."""
    owner, piece = owner_of(M, hex)
    take_off_board(M, owner, piece, hexes_of_piece_at(M, owner, piece, hex))
''',
            """    if FOLLOWS_STORE:
        notify(M, ON_STORE, owner, single(hex), nothing(), 0)
""",
        ),
    ),
    """\
memory stored: number of player "How many were laid aside."

rule turn "The yard":
    "Build two, and lay one aside that touches another's."
    permit build on empty
    turn:
        build 2 tent
        store 1 from mine & adjacent(theirs)
    when store:
        count 1 into stored
        gain count(here & moor)
        place 1 hut on adjacent(here) & empty if stored >= 2
    when store by others if count(mine) > 2: gain 1000
    when remove: gain 50
    when turn_end if none(empty): end game
    when turn_end if stored >= 9: end game
    gold stored
    win by total
""",
)
ADDITIONS = (WORD, STEP, TRIGGER)
YARD = """\
format: 1
id: yard
title: The yard
players: {least: 2, most: 3}
table: {rows: 1, columns: 2}
section: {rows: 4, columns: 4}
terrains: {heath: {letter: H}, moor: {letter: M}}
pieces:
  tent: {letter: t, title: tent, supply: 30}
  hut: {letter: h, title: hut, supply: 9}
sections:
  high:
    rows: |
      H H M H
       H H M M
      H - H H
       M M H H
  low:
    rows: |
      M H M H
       H H - M
      H H H H
       M H H M
"""

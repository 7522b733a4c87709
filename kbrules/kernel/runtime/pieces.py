"""Facts of pieces and gold.

The text after the line of dashes goes into every kernel.
"""

from __future__ import annotations

from kbrules.kernel.runtime.geometry import inside, neighbours
from kbrules.kernel.runtime.grouping import star_of
from kbrules.kernel.runtime.intrinsics import (
    Hexes,
    Memory,
    bit_at,
    count,
    inlined,
    load,
    lowest,
    native,
    nothing,
    single,
    some,
    store,
)
from kbrules.kernel.runtime.names import (
    ALL,
    CUT,
    EVENTS,
    FAULT,
    FOLLOWS_BUILD,
    FOLLOWS_MOVE,
    FOLLOWS_PLACE,
    FOLLOWS_REMOVE,
    FULL,
    GAINS,
    GOLD,
    HELD,
    MAX_TRIGGER_EVENTS,
    NEUTRAL,
    NEUTRALS,
    OCCUPIED,
    ON_BUILD,
    ON_MOVE,
    ON_PLACE,
    ON_REMOVE,
    OUT_OF_EVENTS,
    PIECE_KINDS,
    PIECES,
    PLAYERS,
    SEAT,
    SEATS,
    SIZES,
    STRAYED,
    SUPPLIES,
    SUPPLY,
    THIS_TURN,
    TRIGGER_EVENT_COUNT,
    TRIGGER_EVENT_SIZE,
    TRIGGER_EVENTS,
    Groups,
    W,
)

# ------------------------------------------------------------------------------------------


@inlined
def seat_of(player: int) -> int:
    """Where the part of a player begins."""
    return SEATS + player * SEAT


@inlined
def count_event(M: Memory) -> None:
    """One more event."""
    M[EVENTS] += 1


@native
def cut_off(M: Memory, limit: int) -> None:
    """A limit stopped what a rule would have done; that is reported once in a turn."""
    if not M[CUT] >> THIS_TURN & limit:
        M[CUT] |= limit | limit << THIS_TURN
        count_event(M)


@native
def notify(M: Memory, kind: int, player: int, here: Hexes, origin: Hexes, strayed: int) -> None:
    """Something that some rule waits for."""
    number = M[TRIGGER_EVENT_COUNT]
    if number >= MAX_TRIGGER_EVENTS:
        M[FAULT] = OUT_OF_EVENTS
        return
    at = TRIGGER_EVENTS + number * TRIGGER_EVENT_SIZE
    M[at] = kind
    M[at + 1] = player
    M[at + 2] = strayed
    store(M, at + 8, here)
    store(M, at + 8 + W, origin)
    M[TRIGGER_EVENT_COUNT] = number + 1


@inlined
def put_pieces(M: Memory, player: int, piece: int, hexes: Hexes) -> None:
    """Put a piece on hexes."""
    store(M, OCCUPIED, load(M, OCCUPIED) | hexes)
    store(M, HELD + piece * W, load(M, HELD + piece * W) | hexes)
    if player < 0:
        store(M, NEUTRAL + piece * W, load(M, NEUTRAL + piece * W) | hexes)
    else:
        seat = seat_of(player)
        store(M, seat + ALL, load(M, seat + ALL) | hexes)
        store(M, seat + PIECES + piece * W, load(M, seat + PIECES + piece * W) | hexes)


@inlined
def take_pieces(M: Memory, player: int, piece: int, hexes: Hexes) -> None:
    """Take a piece off hexes."""
    store(M, OCCUPIED, load(M, OCCUPIED) & ~hexes)
    store(M, HELD + piece * W, load(M, HELD + piece * W) & ~hexes)
    if player < 0:
        store(M, NEUTRAL + piece * W, load(M, NEUTRAL + piece * W) & ~hexes)
    else:
        seat = seat_of(player)
        store(M, seat + ALL, load(M, seat + ALL) & ~hexes)
        store(M, seat + PIECES + piece * W, load(M, seat + PIECES + piece * W) & ~hexes)


@native
def owner_of(M: Memory, hex: int) -> Groups:
    """The player, -1 for nobody, and the piece on a hex; -2 and -1 if it is empty."""
    for player in range(M[PLAYERS]):
        seat = seat_of(player)
        if bit_at(M, seat + ALL, hex):
            for piece in range(PIECE_KINDS):
                if bit_at(M, seat + PIECES + piece * W, hex):
                    return player, piece
    for piece in range(PIECE_KINDS):
        if bit_at(M, NEUTRAL + piece * W, hex):
            return -1, piece
    return -2, -1


@native
def hexes_of_piece_at(M: Memory, owner: int, piece: int, hex: int) -> Hexes:
    """The hexes under the very piece that covers a hex."""
    if M[SIZES + piece] == 1:
        return single(hex)
    at = NEUTRAL if owner < 0 else seat_of(owner) + PIECES
    return star_of(M, load(M, at + piece * W), hex)


@inlined
def has_left(M: Memory, me: int, piece: int) -> bool:
    """Whether the player, or the table for a piece of nobody, has such a piece left."""
    if M[NEUTRALS + piece]:
        return count(load(M, NEUTRAL + piece * W)) // M[SIZES + piece] < M[SUPPLIES + piece]
    return M[seat_of(me) + SUPPLY + piece] > 0


@inlined
def held_by_all(M: Memory, piece: int) -> Hexes:
    """The hexes with a piece of a kind, whoever owns it."""
    return load(M, HELD + piece * W)


@inlined
def can_build(M: Memory, me: int, piece: int) -> bool:
    """Whether there is such a piece left, and it takes up one hex."""
    return M[SIZES + piece] == 1 and has_left(M, me, piece)


@inlined
def can_place(M: Memory, me: int, piece: int) -> bool:
    """Whether there is such a piece left."""
    return has_left(M, me, piece)


@native
def room_place(M: Memory, me: int, piece: int) -> Hexes:
    """The hexes around which a piece finds all free that it covers."""
    if M[SIZES + piece] == 1:
        return load(M, FULL)
    free = load(M, FULL) & ~load(M, OCCUPIED)
    return inside(M, free)


@inlined
def lift_piece(M: Memory, hex: int) -> Groups:
    """Take up a player's piece on a hex; whose it was, -1 if there is none, and its kind."""
    for player in range(M[PLAYERS]):
        seat = seat_of(player)
        if bit_at(M, seat + ALL, hex):
            piece = 0
            while not bit_at(M, seat + PIECES + piece * W, hex):
                piece += 1
            take_pieces(M, player, piece, single(hex))
            return player, piece
    return -1, 0


@inlined
def put_back(M: Memory, player: int, piece: int, hex: int) -> None:
    """Put a piece back that was taken up."""
    if player >= 0:
        put_pieces(M, player, piece, single(hex))


@inlined
def do_build(M: Memory, me: int, hex: int, piece: int) -> None:
    """Put a piece from the supply on a hex."""
    put_pieces(M, me, piece, single(hex))
    M[seat_of(me) + SUPPLY + piece] -= 1
    count_event(M)
    if FOLLOWS_BUILD:
        notify(M, ON_BUILD, me, single(hex), nothing(), M[STRAYED])


@native
def do_place(M: Memory, me: int, hex: int, piece: int) -> None:
    """The same without building; a piece may be of nobody, or of seven hexes."""
    hexes = single(hex)
    if M[SIZES + piece] != 1:
        hexes = hexes | neighbours(M, hexes)
    owner = me
    if M[NEUTRALS + piece]:
        owner = -1
    else:
        M[seat_of(me) + SUPPLY + piece] -= 1
    put_pieces(M, owner, piece, hexes)
    count_event(M)
    if FOLLOWS_PLACE:
        notify(M, ON_PLACE, owner, hexes, nothing(), M[STRAYED])


@native
def do_move(M: Memory, me: int, origin: int, hex: int) -> None:
    """Move a piece from one hex to another."""
    owner, piece = owner_of(M, origin)
    take_pieces(M, owner, piece, single(origin))
    put_pieces(M, owner, piece, single(hex))
    count_event(M)
    if FOLLOWS_MOVE:
        notify(M, ON_MOVE, owner, single(hex), single(origin), 0)


@native
def room_swap(M: Memory, me: int, origin: Hexes, piece: int) -> Hexes:
    """The hexes of pieces that may change places with the one on a hex."""
    owner, kind = owner_of(M, lowest(origin))
    at = NEUTRAL if owner < 0 else seat_of(owner) + PIECES
    found = load(M, OCCUPIED) & ~load(M, at + kind * W)
    for each in range(PIECE_KINDS):
        if M[SIZES + each] != 1:
            found = found & ~held_by_all(M, each)
    return found


@native
def do_swap(M: Memory, me: int, origin: int, hex: int) -> None:
    """Let two pieces change places."""
    owner, piece = owner_of(M, origin)
    other, kind = owner_of(M, hex)
    take_pieces(M, owner, piece, single(origin))
    take_pieces(M, other, kind, single(hex))
    put_pieces(M, owner, piece, single(hex))
    put_pieces(M, other, kind, single(origin))
    count_event(M)
    count_event(M)
    if FOLLOWS_MOVE:
        notify(M, ON_MOVE, owner, single(hex), single(origin), 0)
        notify(M, ON_MOVE, other, single(origin), single(hex), 0)


@native
def take_off_board(M: Memory, owner: int, piece: int, hexes: Hexes) -> None:
    """Take a piece off the board."""
    take_pieces(M, owner, piece, hexes)
    count_event(M)
    if FOLLOWS_REMOVE:
        notify(M, ON_REMOVE, owner, hexes, nothing(), 0)


@native
def do_remove(M: Memory, me: int, hex: int) -> None:
    """Take a piece off the board, back into the supply."""
    owner, piece = owner_of(M, hex)
    if owner >= 0:
        M[seat_of(owner) + SUPPLY + piece] += 1
    take_off_board(M, owner, piece, hexes_of_piece_at(M, owner, piece, hex))


@native
def do_replace(M: Memory, me: int, hex: int, piece: int) -> None:
    """Take a piece off the board, back into the supply, and place one on its hex."""
    do_remove(M, me, hex)
    do_place(M, me, hex, piece)


@inlined
def can_replace(M: Memory, me: int, piece: int) -> bool:
    """Whether there is such a piece left, and it takes up one hex."""
    return can_build(M, me, piece)


@native
def do_store(M: Memory, me: int, hex: int) -> None:
    """Take a piece off the board, not into the supply."""
    owner, piece = owner_of(M, hex)
    take_off_board(M, owner, piece, hexes_of_piece_at(M, owner, piece, hex))


@native
def do_restore(M: Memory, me: int, number: int, piece: int) -> None:
    """Put pieces that were laid aside into the supply."""
    if number > 0:
        M[seat_of(me) + SUPPLY + piece] += number
        count_event(M)


@native
def undo_restore(M: Memory, me: int, number: int, piece: int) -> None:
    """Take back that pieces were put into the supply, as if it had never been."""
    if number > 0:
        M[seat_of(me) + SUPPLY + piece] -= number
        M[EVENTS] -= 1


@native
def do_pay(M: Memory, me: int, number: int, piece: int) -> None:
    """Lay pieces of the supply aside."""
    paid = min(number, M[seat_of(me) + SUPPLY + piece])
    if paid > 0:
        M[seat_of(me) + SUPPLY + piece] -= paid
        count_event(M)


@inlined
def can_pay(M: Memory, me: int, number: int, piece: int) -> bool:
    """Whether the supply has so many pieces."""
    return M[seat_of(me) + SUPPLY + piece] >= number


@inlined
def can_pay_gold(M: Memory, me: int, number: int) -> bool:
    """Whether a player holds so much gold."""
    return M[seat_of(me) + GOLD] >= number


@native
def do_pay_gold(M: Memory, me: int, number: int, rule: int) -> None:
    """Give gold back."""
    paid = min(number, M[seat_of(me) + GOLD])
    if paid > 0:
        change_gold(M, me, 0 - paid, rule)


@native
def do_return(M: Memory, me: int, piece: int) -> None:
    """Take all pieces of a kind off the board."""
    at = seat_of(me) + PIECES + piece * W
    while some(load(M, at)):
        hexes = hexes_of_piece_at(M, me, piece, lowest(load(M, at)))
        M[seat_of(me) + SUPPLY + piece] += 1
        take_off_board(M, me, piece, hexes)


@native
def change_gold(M: Memory, player: int, by: int, rule: int) -> None:
    """Change the gold of a player by a rule."""
    M[seat_of(player) + GOLD] += by
    M[seat_of(player) + GAINS + rule] += by
    count_event(M)


@native
def do_gain(M: Memory, me: int, gold: int, player: int, rule: int) -> None:
    """Get gold by a rule, or let a player get it."""
    if gold:
        change_gold(M, player, max(-1000000, min(1000000, gold)), rule)

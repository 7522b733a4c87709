"""Facts of pieces, gold, memories and tiles, and the events that rules follow."""

from __future__ import annotations

from kbrules.kernel.runtime.geometry import allocate_scratch, inside, neighbours, star_of
from kbrules.kernel.runtime.intrinsics import (
    Groups, Hexes, Memory, bit_at, count, has, inlined, load, lowest, native, nothing, single,
    some, store,
)  # fmt: skip
from kbrules.kernel.runtime.names import *

# Each trigger's number, and whether a rule follows it: 0 here, as in `names`.
ON_BUILD = ON_PLACE = ON_MOVE = ON_REMOVE = ON_TAKE = ON_LOSE = ON_TURN_START = ON_TURN_END = 0
FOLLOWS_BUILD = FOLLOWS_PLACE = FOLLOWS_MOVE = FOLLOWS_REMOVE = 0
FOLLOWS_TAKE = FOLLOWS_LOSE = FOLLOWS_TURN_START = FOLLOWS_TURN_END = 0


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
def change_pieces(M: Memory, player: int, piece: int, to: Hexes, away: Hexes) -> None:
    """Put a piece on hexes, and take it off others; the player of a piece of nobody is -1."""
    at = NEUTRAL + piece * W
    if player >= 0:
        at = seat_of(player) + ALL
        store(M, at, load(M, at) & ~away | to)
        at = seat_of(player) + PIECES + piece * W
    store(M, at, load(M, at) & ~away | to)
    store(M, OCCUPIED, load(M, OCCUPIED) & ~away | to)
    store(M, HELD + piece * W, load(M, HELD + piece * W) & ~away | to)


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
def held_by_all(M: Memory, piece: int) -> Hexes:
    """The hexes with a piece of a kind, whoever owns it."""
    return load(M, HELD + piece * W)


@inlined
def can_build(M: Memory, me: int, piece: int) -> bool:
    """Whether there is such a piece left, and it takes up one hex."""
    return M[SIZES + piece] == 1 and can_place(M, me, piece)


@inlined
def can_place(M: Memory, me: int, piece: int) -> bool:
    """Whether the player, or the table for a piece of nobody, has such a piece left."""
    if M[NEUTRALS + piece]:
        return count(load(M, NEUTRAL + piece * W)) // M[SIZES + piece] < M[SUPPLIES + piece]
    return M[seat_of(me) + SUPPLY + piece] > 0


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
            change_pieces(M, player, piece, nothing(), single(hex))
            return player, piece
    return -1, 0


@inlined
def put_back(M: Memory, player: int, piece: int, hex: int) -> None:
    """Put a piece back that was taken up."""
    if player >= 0:
        change_pieces(M, player, piece, single(hex), nothing())


@inlined
def do_build(M: Memory, me: int, hex: int, piece: int) -> None:
    """Put a piece from the supply on a hex."""
    change_pieces(M, me, piece, single(hex), nothing())
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
    change_pieces(M, owner, piece, hexes, nothing())
    count_event(M)
    if FOLLOWS_PLACE:
        notify(M, ON_PLACE, owner, hexes, nothing(), M[STRAYED])


@native
def do_move(M: Memory, me: int, origin: int, hex: int) -> None:
    """Move a piece from one hex to another."""
    owner, piece = owner_of(M, origin)
    change_pieces(M, owner, piece, single(hex), single(origin))
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
    change_pieces(M, owner, piece, nothing(), single(origin))
    change_pieces(M, other, kind, nothing(), single(hex))
    change_pieces(M, owner, piece, single(hex), nothing())
    change_pieces(M, other, kind, single(origin), nothing())
    count_event(M)
    count_event(M)
    if FOLLOWS_MOVE:
        notify(M, ON_MOVE, owner, single(hex), single(origin), 0)
        notify(M, ON_MOVE, other, single(origin), single(hex), 0)


@native
def take_off_board(M: Memory, owner: int, piece: int, hexes: Hexes) -> None:
    """Take a piece off the board."""
    change_pieces(M, owner, piece, nothing(), hexes)
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


# Memories, and numbers compared.


@inlined
def bounded(value: int) -> int:
    """A number kept within bounds."""
    return max(-1000000, min(1000000, value))


@native
def remember_hexes(M: Memory, at: int, hexes: Hexes) -> None:
    """Store a set in a memory."""
    if some(hexes ^ load(M, at)):
        store(M, at, hexes)
        count_event(M)


@native
def remember_number(M: Memory, at: int, number: int) -> None:
    """Store a number in a memory."""
    if M[at] != number:
        M[at] = number
        count_event(M)


@inlined
def do_add(M: Memory, hexes: Hexes, memory: int) -> None:
    """Add hexes to a memory."""
    remember_hexes(M, memory, load(M, memory) | hexes)


@inlined
def do_mark(M: Memory, hex: int, memory: int) -> None:
    """Add the hex that was decided to a memory."""
    remember_hexes(M, memory, load(M, memory) | single(hex))


@inlined
def do_count(M: Memory, by: int, memory: int) -> None:
    """Add a number to a memory."""
    remember_number(M, memory, max(0, bounded(M[memory] + by)))


@inlined
def do_clear(M: Memory, memory: int) -> None:
    """Forget the number that a memory holds."""
    remember_number(M, memory, 0)


@native
def place_among(M: Memory, at: int, number: int, value: int) -> int:
    """The rank of a value among some: ties do not use up the places below them."""
    place = 1
    for i in range(number):
        is_new = M[at + i] > value
        for j in range(i):
            is_new = is_new and M[at + j] != M[at + i]
        place += is_new
    return place


# Tiles.


@native
def add_tile(M: Memory, me: int, kind: int, origin: int) -> None:
    """Give a player a tile."""
    at = seat_of(me) + TILES
    number = M[at]
    if number >= MAX_TILES:
        M[FAULT] = OUT_OF_TILES
        return
    M[at + 1 + 3 * number] = kind
    M[at + 2 + 3 * number] = origin
    M[at + 3 + 3 * number] = FRESH
    M[at] = number + 1
    M[seat_of(me) + TAKES + kind] += 1
    count_event(M)


@native
def do_take(M: Memory, me: int, places: Hexes) -> None:
    """Take a tile from each place of a set."""
    places = places & load(M, STOCKED)
    while some(places):
        hex = lowest(places)
        places = places & ~single(hex)
        place = M[PLACE_AT + hex]
        M[STOCK + place] -= 1
        if M[STOCK + place] == 0:
            store(M, STOCKED, load(M, STOCKED) & ~single(hex))
        add_tile(M, me, M[PLACE_KIND + place], hex)
        if FOLLOWS_TAKE:
            notify(M, ON_TAKE, me, single(hex), nothing(), 0)


@native
def lose_tile(M: Memory, me: int, index: int, used_first: bool) -> None:
    """Take a tile from a player."""
    at = seat_of(me) + TILES
    base = at + 1 + 3 * index
    kind, origin, status = M[base], M[base + 1], M[base + 2]
    M[at] -= 1
    for i in range(base, at + 1 + 3 * M[at]):
        M[i] = M[i + 3]
    if used_first and status == READY:
        for i in range(M[at]):
            if M[at + 1 + 3 * i] == kind and M[at + 3 + 3 * i] == USED:
                M[at + 3 + 3 * i] = READY
                break
    count_event(M)
    if FOLLOWS_LOSE:
        notify(M, ON_LOSE, me, single(origin), nothing(), 0)


@native
def holding(M: Memory, of: int) -> Hexes:
    """The hexes on which tiles of a kind lie at the start of the game."""
    found = nothing()
    for place in range(M[PLACES]):
        if M[PLACE_KIND + place] == of:
            found = found | single(M[PLACE_HEX + place])
    return found


@native
def tile_kinds(M: Memory) -> int:
    """A list of the kinds of tile that lie on the board at the start of the game."""
    at = allocate_scratch(M, TILE_KINDS + 1)
    M[at] = 0
    for kind in range(TILE_KINDS):
        if some(holding(M, kind)):
            M[at] += 1
            M[at + M[at]] = kind
    return at


@native
def held_tiles(M: Memory, me: int) -> int:
    """A list of the tiles that a player holds."""
    tiles = seat_of(me) + TILES
    at = allocate_scratch(M, M[tiles] + 1)
    M[at] = M[tiles]
    for i in range(M[tiles]):
        M[at + 1 + i] = M[tiles + 1 + 3 * i]
    return at


@native
def restock_tile(M: Memory, hex: int) -> None:
    """Put a tile back on its place."""
    M[STOCK + M[PLACE_AT + hex]] += 1
    store(M, STOCKED, load(M, STOCKED) | single(hex))
    count_event(M)


@native
def lose_from(M: Memory, me: int, places: Hexes, used_first: bool, comes_back: bool) -> None:
    """Lose the tiles from some places, each the first held of its kind and origin."""
    at = seat_of(me) + TILES
    number = M[at]
    lost = allocate_scratch(M, 2 * number)
    for i in range(number):
        M[lost + 2 * i] = M[at + 1 + 3 * i]
        M[lost + 2 * i + 1] = M[at + 2 + 3 * i]
    for i in range(number):
        kind, origin = M[lost + 2 * i], M[lost + 2 * i + 1]
        if origin >= 0 and has(places, origin):
            lose_tile(M, me, first_tile(M, me, kind, origin), used_first)
            if comes_back:
                restock_tile(M, origin)


@native
def first_tile(M: Memory, me: int, kind: int, origin: int) -> int:
    """The first tile of a kind from a hex."""
    at = seat_of(me) + TILES
    for i in range(M[at]):
        if M[at + 1 + 3 * i] == kind and M[at + 2 + 3 * i] == origin:
            return i
    return 0


@native
def do_lose(M: Memory, me: int, places: Hexes, used_first: bool) -> None:
    """Lose the tiles from some places."""
    if M[seat_of(me) + TILES]:
        lose_from(M, me, places, used_first, False)


@native
def do_restock(M: Memory, me: int, places: Hexes, used_first: bool) -> None:
    """Put the tiles from some places back there."""
    lose_from(M, me, places, used_first, True)


@native
def do_withdraw(M: Memory, me: int, places: Hexes) -> None:
    """Put the tiles that lie on some places out of the game."""
    for place in range(M[PLACES]):
        hex = M[PLACE_HEX + place]
        if has(places, hex) and M[STOCK + place]:
            M[STOCK + place] = 0
            store(M, STOCKED, load(M, STOCKED) & ~single(hex))
            count_event(M)


@native
def do_drop(M: Memory, me: int, kind: int, used_first: bool) -> None:
    """Put the first tile of a kind out of the game."""
    at = seat_of(me) + TILES
    for i in range(M[at]):
        if M[at + 1 + 3 * i] == kind:
            lose_tile(M, me, i, used_first)
            return


@native
def do_ready(M: Memory, me: int, places: Hexes) -> None:
    """Make all tiles usable, but for those that came from other places of the board."""
    at = seat_of(me) + TILES
    held_back = load(M, FULL) & ~places
    is_news = False
    for i in range(M[at]):
        origin, status = M[at + 2 + 3 * i], M[at + 3 + 3 * i]
        if status != READY and (origin < 0 or not has(held_back, origin)):
            M[at + 3 + 3 * i] = READY
            is_news = True
    if is_news:
        count_event(M)


@native
def can_spend(M: Memory, me: int, kind: int) -> bool:
    """Whether a player has a usable tile of a kind."""
    return usable(M, me, kind) > 0


@native
def do_spend(M: Memory, me: int, kind: int) -> None:
    """Mark a usable tile as used."""
    if usable(M, me, kind) > 0:
        use_tile(M, me, kind)


@native
def use_tile(M: Memory, me: int, kind: int) -> None:
    """Mark a tile as used: a usable one, else one that is not used yet."""
    at = seat_of(me) + TILES
    unused = -1
    for i in range(M[at]):
        if M[at + 1 + 3 * i] == kind and M[at + 3 + 3 * i] != USED:
            if M[at + 3 + 3 * i] == READY:
                unused = i
                break
            if unused < 0:
                unused = i
    if unused < 0:
        unused = M[at] - 1
    M[at + 1 + 3 * unused] = kind
    M[at + 3 + 3 * unused] = USED
    M[seat_of(me) + USES + kind] += 1
    count_event(M)


@native
def use_action(M: Memory, action: int) -> None:
    """An action of the table was used."""
    M[USED_ACTIONS] += 1
    M[USED_ACTIONS + M[USED_ACTIONS]] = action
    count_event(M)


@native
def was_used(M: Memory, action: int) -> bool:
    """Whether an action of the table was used in this turn."""
    for i in range(M[USED_ACTIONS]):
        if M[USED_ACTIONS + 1 + i] == action:
            return True
    return False


@native
def do_receive(M: Memory, me: int, kind: int) -> None:
    """Get a tile that lies on no place."""
    add_tile(M, me, kind, -1)


@native
def held(M: Memory, me: int, kind: int) -> int:
    """How many tiles of a kind a player holds."""
    at = seat_of(me) + TILES
    number = 0
    for i in range(M[at]):
        if M[at + 1 + 3 * i] == kind:
            number += 1
    return number


@native
def usable(M: Memory, me: int, kind: int) -> int:
    """How many of them may still be used."""
    at = seat_of(me) + TILES
    number = 0
    for i in range(M[at]):
        if M[at + 1 + 3 * i] == kind and M[at + 3 + 3 * i] == READY:
            number += 1
    return number


@native
def has_unused(M: Memory, me: int, kind: int) -> bool:
    """Whether a player has a tile of a kind that was not used."""
    at = seat_of(me) + TILES
    for i in range(M[at]):
        if M[at + 1 + 3 * i] == kind and M[at + 3 + 3 * i] != USED:
            return True
    return False


@native
def fresh_from(M: Memory, me: int) -> Hexes:
    """The places that gave tiles which cannot be used yet."""
    at = seat_of(me) + TILES
    found = nothing()
    for i in range(M[at]):
        if M[at + 3 + 3 * i] == FRESH and M[at + 2 + 3 * i] >= 0:
            found = found | single(M[at + 2 + 3 * i])
    return found

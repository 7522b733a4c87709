"""Facts of tiles.

The text after the line of dashes goes into every kernel.
"""

from __future__ import annotations

from kbrules.kernel.runtime.grouping import allocate_scratch
from kbrules.kernel.runtime.intrinsics import (
    Hexes,
    Memory,
    has,
    load,
    lowest,
    native,
    nothing,
    single,
    some,
    store,
)
from kbrules.kernel.runtime.names import (
    FAULT,
    FOLLOWS_LOSE,
    FOLLOWS_TAKE,
    FRESH,
    FULL,
    MAX_TILES,
    ON_LOSE,
    ON_TAKE,
    OUT_OF_TILES,
    PLACE_AT,
    PLACE_HEX,
    PLACE_KIND,
    PLACES,
    READY,
    STOCK,
    STOCKED,
    TAKES,
    TILE_KINDS,
    TILES,
    USED,
    USED_ACTIONS,
    USES,
)
from kbrules.kernel.runtime.pieces import count_event, notify, seat_of

# ------------------------------------------------------------------------------------------


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
            origin = M[at + 2 + 3 * i]
            lose_tile(M, me, first_tile(M, me, kind, origin), used_first)
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

"""What players see of many games that lie in rows, as numbers and bytes for arrays.

Lists in the head of the views begin with how many entries they have; tables do not.

The text after the line of dashes goes into every kernel.
"""

from __future__ import annotations

from kbrules.kernel.runtime.intrinsics import (
    Hexes,
    Memory,
    inlined,
    load,
    lowest,
    native,
    single,
    some,
)
from kbrules.kernel.runtime.names import (
    ACTIVE,
    ASIDE,
    BESIDE,
    CARDS_KINDS,
    CHOICE,
    CHOSEN,
    DECIDER,
    DEPTH,
    ENDING,
    FIRST,
    FRAME,
    FRAMES,
    GOLD,
    GROUP_COUNT,
    GROUP_SIZE,
    GROUPS,
    HAND,
    HEX_KINDS,
    IN_PLAY,
    IN_PLAY_SIZE,
    INDEX,
    MOVE_COUNT,
    PILES,
    PLACES,
    PLAYERS,
    READY,
    REVEALED,
    ROW_SIZE,
    SHOWN,
    STAGE,
    STOCK,
    TILE_KINDS,
    TILES,
    TURN,
    VIEW_CELLS,
    VIEW_CHOSEN,
    VIEW_HEAD,
    VIEW_KINDS,
    VIEW_LEGAL,
    VIEW_MASK_SIZE,
    VIEW_PLACES,
    VIEW_PLANES_SIZE,
    VIEW_RULES,
    VIEW_SEAT_NUMBERS,
    VIEW_SEAT_SETS,
    VIEW_SIZE,
    VIEW_SUPPLIES,
    VIEW_TABLE_NUMBERS,
    VIEW_TABLE_SETS,
    VIEW_TILES,
)
from kbrules.kernel.runtime.pieces import seat_of
from kbrules.kernel.runtime.rows import load_row

# ------------------------------------------------------------------------------------------


@inlined
def put_byte_at(views: Memory, at: int, number: int, value: int) -> None:
    """Put a value, 1 to 127, in the byte with a number; at: where the bytes begin."""
    views[at + (number >> 3)] |= value << 8 * (number & 7)


@native
def write_plane(views: Memory, planes: int, first: int, hexes: Hexes) -> None:
    """Put 1 in the cell of each hex of a set, on the plane that begins with a byte."""
    while some(hexes):
        hex = lowest(hexes)
        hexes = hexes & ~single(hex)
        put_byte_at(views, planes, first + views[views[VIEW_CELLS] + hex], 1)


@native
def write_numbers(M: Memory, views: Memory, addresses: int, start: int, to: int) -> int:
    """Copy the numbers at the addresses of a list, each counted from a start; where they end."""
    number = views[addresses]
    for i in range(number):
        views[to + i] = M[start + views[addresses + 1 + i]]
    return to + number


@native
def write_card_counts(M: Memory, at: int, views: Memory, to: int) -> int:
    """Count the cards of a list by kind; where the counts end."""
    for i in range(M[at]):
        views[to + M[at + 1 + i]] += 1
    return to + CARDS_KINDS


@native
def write_cards(M: Memory, views: Memory, me: int, to: int) -> int:
    """The cards shown, put aside and in the player's hand, those unseen, and where others are."""
    to = write_card_counts(M, ASIDE, views, write_card_counts(M, SHOWN, views, to))
    to = write_card_counts(M, seat_of(me) + HAND, views, to)
    for kind in range(3 * CARDS_KINDS):
        views[to + kind] = M[PILES + kind]
    for player in range(M[PLAYERS]):
        if player != me:
            write_card_counts(M, seat_of(player) + HAND, views, to)
    to += 3 * CARDS_KINDS
    if M[REVEALED] >= 0:
        views[to + M[REVEALED]] = 1
    to += CARDS_KINDS
    if M[CHOICE] >= 0:
        views[to + M[CHOICE]] = 1
    return to + HEX_KINDS


@native
def write_seat(M: Memory, views: Memory, player: int, to: int) -> int:
    """What a player has: cards in hand, gold, supplies, tiles ready and in all, memories."""
    seat = seat_of(player)
    views[to] = M[seat + HAND]
    views[to + 1] = M[seat + GOLD]
    to = write_numbers(M, views, views[VIEW_SUPPLIES], seat, to + 2)
    for i in range(M[seat + TILES]):
        tile = seat + TILES + 1 + 3 * i
        if M[tile + 2] == READY:
            views[to + M[tile]] += 1
        views[to + TILE_KINDS + M[tile]] += 1
    return write_numbers(M, views, views[VIEW_SEAT_NUMBERS], seat, to + 2 * TILE_KINDS)


@native
def write_all_numbers(M: Memory, views: Memory, me: int, at: int) -> None:
    """All numbers that a player sees, in the order of the features."""
    turn = M[INDEX] if M[STAGE] == TURN else 0
    views[at + 1] = 1 if M[MOVE_COUNT] > 0 and M[DECIDER] == me else 0
    views[at + 2] = (M[ACTIVE] + M[PLAYERS] - me) % M[PLAYERS]
    views[at + 3] = M[STAGE]
    views[at + 4] = turn
    views[at + 5] = turn // M[PLAYERS]
    views[at + 6] = M[ENDING]
    to = write_cards(M, views, me, at + 7)
    for player in range(M[PLAYERS]):
        to = write_seat(M, views, (me + player) % M[PLAYERS], to)
    for card in range(IN_PLAY_SIZE):
        views[to + card] = M[IN_PLAY + card] if M[IN_PLAY + card] <= BESIDE else 0
    write_numbers(M, views, views[VIEW_TABLE_NUMBERS], 0, to + IN_PLAY_SIZE)


@native
def write_set_planes(M: Memory, views: Memory, me: int, planes: int) -> None:
    """The planes of the sets of each seat and of the table, and that of the hex chosen before.

    A list of the head says of each set where it lies, and the first byte of its plane; of those of
    a seat also how many bytes later the plane of the next seat begins.
    """
    for i in range(views[views[VIEW_SEAT_SETS]]):
        listed = views[VIEW_SEAT_SETS] + 1 + 3 * i
        first = views[listed + 1]
        for player in range(M[PLAYERS]):
            hexes = load(M, seat_of((me + player) % M[PLAYERS]) + views[listed])
            write_plane(views, planes, first, hexes)
            first += views[listed + 2]
    for i in range(views[views[VIEW_TABLE_SETS]]):
        listed = views[VIEW_TABLE_SETS] + 1 + 2 * i
        hexes = load(M, views[listed])
        write_plane(views, planes, views[listed + 1], hexes)
    top = FRAMES + (M[DEPTH] - 1) * FRAME
    if M[DEPTH] > 0 and M[top + CHOSEN]:
        write_plane(views, planes, views[VIEW_CHOSEN], single(M[top + FIRST]))


@native
def write_tile_planes(M: Memory, views: Memory, planes: int) -> None:
    """How many tiles are left on each place; a table of the head says in which byte."""
    for i in range(M[PLACES]):
        put_byte_at(views, planes, views[views[VIEW_TILES] + i], M[STOCK + i])


@native
def write_offers(M: Memory, views: Memory, planes: int, mask: int) -> None:
    """The moves that are offered: the hexes of all of them on a plane, and each in the mask.

    A table of the head says for a verb and a rule which byte of the mask is the first.
    """
    for i in range(M[GROUP_COUNT]):
        group = GROUPS + i * GROUP_SIZE
        kind = M[group] * views[VIEW_RULES] + M[group + 1]
        first = views[views[VIEW_KINDS] + kind]
        hexes = load(M, group + 8)
        if not some(hexes):
            put_byte_at(views, mask, first, 1)
        while some(hexes):
            hex = lowest(hexes)
            hexes = hexes & ~single(hex)
            put_byte_at(views, planes, views[VIEW_LEGAL] + views[views[VIEW_CELLS] + hex], 1)
            put_byte_at(views, mask, first + views[views[VIEW_PLACES] + hex], 1)


@native
def row_views(M: Memory, number: int, views: Memory, rows: Memory) -> None:
    """What a player sees of each of so many games.

    views: a head, then a row of numbers for each game, all 0 but for the first one: which player
    looks; then the planes of each game, in bytes, with all that the board decides; then the mask
    of actions of each, in bytes, all 0. The head says how large it is and each of these rows, where
    the first byte of a plane is, and where its lists and tables begin.
    """
    planes = views[VIEW_HEAD] + number * views[VIEW_SIZE]
    mask = planes + number * views[VIEW_PLANES_SIZE]
    for i in range(number):
        at = views[VIEW_HEAD] + i * views[VIEW_SIZE]
        me = views[at]
        load_row(M, rows, i * ROW_SIZE)
        write_all_numbers(M, views, me, at)
        write_set_planes(M, views, me, planes)
        write_tile_planes(M, views, planes)
        if views[at + 1]:
            write_offers(M, views, planes, mask)
        planes += views[VIEW_PLANES_SIZE]
        mask += views[VIEW_MASK_SIZE]

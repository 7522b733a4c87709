"""What players see of many games that lie in rows, as numbers for arrays.

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
    store,
)
from kbrules.kernel.runtime.names import (
    ASIDE,
    CARDS_KINDS,
    CHOSEN,
    DECIDER,
    DEPTH,
    FIRST,
    FRAME,
    FRAMES,
    GROUP_COUNT,
    GROUP_SIZE,
    GROUPS,
    HAND,
    MOVE_COUNT,
    PLACES,
    PLAYERS,
    READY,
    ROW_SIZE,
    SHOWN,
    STOCK,
    TILE_KINDS,
    TILES,
    VIEW_CELLS,
    VIEW_HEAD,
    VIEW_KINDS,
    VIEW_MASK_SIZE,
    VIEW_PARTS,
    VIEW_PLACES,
    VIEW_PLANE_COUNT,
    VIEW_PLANES,
    VIEW_PLANES_SIZE,
    VIEW_RULES,
    VIEW_SEAT_PARTS,
    VIEW_SETS,
    VIEW_SIZE,
    VIEW_TABLE_PARTS,
    VIEW_TILES,
    W,
)
from kbrules.kernel.runtime.pieces import seat_of
from kbrules.kernel.runtime.rows import load_row

# ------------------------------------------------------------------------------------------


@native
def write_parts(M: Memory, views: Memory, part: int, number: int, start: int, to: int) -> int:
    """Copy so many parts of the memory, from the one with a number on; where the copy ends.

    start: what is added to where each lies.
    """
    for i in range(part, part + number):
        at = start + views[VIEW_PARTS + 2 * i]
        for j in range(views[VIEW_PARTS + 2 * i + 1]):
            views[to] = M[at + j]
            to += 1
    return to


@native
def write_card_counts(M: Memory, at: int, views: Memory, to: int) -> int:
    """Count the cards of a list by kind; where the counts end."""
    for i in range(M[at]):
        views[to + M[at + 1 + i]] += 1
    return to + CARDS_KINDS


@native
def write_seat_view(M: Memory, views: Memory, player: int, to: int) -> int:
    """A player's cards in hand, tiles ready and tiles in all, and the parts of a seat."""
    seat = seat_of(player)
    to = write_card_counts(M, seat + HAND, views, to)
    for i in range(M[seat + TILES]):
        kind = M[seat + TILES + 1 + 3 * i]
        if M[seat + TILES + 3 + 3 * i] == READY:
            views[to + kind] += 1
        views[to + TILE_KINDS + kind] += 1
    number = views[VIEW_SEAT_PARTS]
    return write_parts(M, views, views[VIEW_TABLE_PARTS], number, seat, to + 2 * TILE_KINDS)


@inlined
def put_byte_at(views: Memory, at: int, number: int, value: int) -> None:
    """Put a value, 1 to 127, in the byte with a number; at: where the bytes begin."""
    views[at + (number >> 3)] |= value << 8 * (number & 7)


@native
def put_hexes(views: Memory, at: int, first: int, numbers: int, hexes: Hexes) -> None:
    """Put 1 in the byte of each hex of a set.

    at: where the bytes begin; first: the number of the first of them; numbers: where the number of
    each hex lies, to be counted from there.
    """
    while some(hexes):
        hex = lowest(hexes)
        hexes = hexes & ~single(hex)
        put_byte_at(views, at, first + views[numbers + hex], 1)


@native
def write_offers_view(M: Memory, views: Memory, legal: int, mask: int) -> None:
    """The moves that are offered: all their hexes as a set, and the byte of each in the mask.

    A number of the head says for a verb and a rule which byte is the first.
    """
    for i in range(M[GROUP_COUNT]):
        group = GROUPS + i * GROUP_SIZE
        first = views[views[VIEW_KINDS] + M[group] * views[VIEW_RULES] + M[group + 1]]
        hexes = load(M, group + 8)
        if some(hexes):
            store(views, legal, load(views, legal) | hexes)
            put_hexes(views, mask, first, views[VIEW_PLACES], hexes)
        else:
            put_byte_at(views, mask, first, 1)


@native
def write_planes(M: Memory, views: Memory, at: int, planes: int) -> None:
    """The planes behind those that the board decides: tiles on places, then sets of the row.

    The head says for each place in which byte its tiles are counted, and for each set where it
    lies in a row and which byte is the first of its plane.
    """
    for i in range(M[PLACES]):
        put_byte_at(views, planes, views[views[VIEW_TILES] + i], M[STOCK + i])
    for i in range(views[VIEW_PLANE_COUNT]):
        plane = views[VIEW_PLANES] + 2 * i
        hexes = load(views, at + views[plane])
        put_hexes(views, planes, views[plane + 1], views[VIEW_CELLS], hexes)


@inlined
def write_chosen_view(M: Memory, views: Memory, at: int) -> None:
    """The hex that was chosen before in the step under way."""
    if M[DEPTH] > 0:
        top = FRAMES + (M[DEPTH] - 1) * FRAME
        if M[top + CHOSEN]:
            store(views, at, single(M[top + FIRST]))


@native
def row_views(M: Memory, number: int, views: Memory, rows: Memory) -> None:
    """What a player sees of each of so many games.

    views: a head, then a row of numbers for each game, all 0 but for the first one: which player
    looks; then the planes of each game, in bytes, with all that the board decides; then the mask
    of actions of each, in bytes, all 0. The head says how large it is and each of these rows; how
    many parts of the table and of a seat are copied, then where each of these lies and how large
    it is; where hexes, tiles, sets and moves go.
    """
    planes = views[VIEW_HEAD] + number * views[VIEW_SIZE]
    masks = planes + number * views[VIEW_PLANES_SIZE]
    for i in range(number):
        at = views[VIEW_HEAD] + i * views[VIEW_SIZE]
        me = views[at]
        load_row(M, rows, i * ROW_SIZE)
        to = write_parts(M, views, 0, views[VIEW_TABLE_PARTS], 0, at + 2)
        to = write_card_counts(M, ASIDE, views, write_card_counts(M, SHOWN, views, to))
        for player in range(M[PLAYERS]):
            to = write_seat_view(M, views, (me + player) % M[PLAYERS], to)
        write_chosen_view(M, views, at + views[VIEW_SETS])
        if M[MOVE_COUNT] > 0 and M[DECIDER] == me:
            views[at + 1] = 1
            mask = masks + i * views[VIEW_MASK_SIZE]
            write_offers_view(M, views, at + views[VIEW_SETS] + W, mask)
        write_planes(M, views, at, planes + i * views[VIEW_PLANES_SIZE])

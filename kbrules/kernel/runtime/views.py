"""What players see of many games that lie in rows, as numbers for arrays.

The text after the line of dashes goes into every kernel.
"""

from __future__ import annotations

from kbrules.kernel.runtime.intrinsics import Memory, inlined, load, native, single, some, store
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
    PLAYERS,
    READY,
    ROW_SIZE,
    SHOWN,
    TILE_KINDS,
    TILES,
    VIEW_HEAD,
    VIEW_KINDS,
    VIEW_PARTS,
    VIEW_RULES,
    VIEW_SEAT_PARTS,
    VIEW_SETS,
    VIEW_SIZE,
    VIEW_TABLE_PARTS,
    VIEW_WITH_HEX,
    W,
)
from kbrules.kernel.runtime.pieces import seat_of
from kbrules.kernel.runtime.rows import load_row

# ------------------------------------------------------------------------------------------


@native
def parts_copied(M: Memory, views: Memory, part: int, number: int, start: int, to: int) -> int:
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
def cards_counted(M: Memory, at: int, views: Memory, to: int) -> int:
    """Count the cards of a list by kind; where the counts end."""
    for i in range(M[at]):
        views[to + M[at + 1 + i]] += 1
    return to + CARDS_KINDS


@native
def seat_viewed(M: Memory, views: Memory, player: int, to: int) -> int:
    """A player's cards in hand, tiles ready and tiles in all, and the parts of a seat."""
    seat = seat_of(player)
    to = cards_counted(M, seat + HAND, views, to)
    for i in range(M[seat + TILES]):
        kind = M[seat + TILES + 1 + 3 * i]
        if M[seat + TILES + 3 + 3 * i] == READY:
            views[to + kind] += 1
        views[to + TILE_KINDS + kind] += 1
    number = views[VIEW_SEAT_PARTS]
    return parts_copied(M, views, views[VIEW_TABLE_PARTS], number, seat, to + 2 * TILE_KINDS)


@native
def offers_viewed(M: Memory, views: Memory, at: int) -> None:
    """The moves that are offered: all their hexes, the hexes of each kind, and kinds without one.

    A number of the head says for a verb and a rule which kind that is.
    """
    for i in range(M[GROUP_COUNT]):
        group = GROUPS + i * GROUP_SIZE
        kind = views[views[VIEW_KINDS] + M[group] * views[VIEW_RULES] + M[group + 1]]
        hexes = load(M, group + 8)
        if some(hexes):
            store(views, at, load(views, at) | hexes)
            at_kind = at + W * (1 + kind)
            store(views, at_kind, load(views, at_kind) | hexes)
        else:
            views[at + W * (1 + views[VIEW_WITH_HEX]) + kind - views[VIEW_WITH_HEX]] = 1


@inlined
def chosen_viewed(M: Memory, views: Memory, at: int) -> None:
    """The hex that was chosen before in the step under way."""
    if M[DEPTH] > 0:
        top = FRAMES + (M[DEPTH] - 1) * FRAME
        if M[top + CHOSEN]:
            store(views, at, single(M[top + FIRST]))


@native
def row_views(M: Memory, number: int, views: Memory, rows: Memory) -> None:
    """What a player sees of each of so many games.

    views: a head, then a row for each game, all 0 but for its first number: which player looks.
    The head says how large it is and a row; how many parts of the table and of a seat are copied,
    then where each of these lies and how large it is; and the kinds of moves.
    """
    for i in range(number):
        at = views[VIEW_HEAD] + i * views[VIEW_SIZE]
        me = views[at]
        load_row(M, rows, i * ROW_SIZE)
        to = parts_copied(M, views, 0, views[VIEW_TABLE_PARTS], 0, at + 2)
        to = cards_counted(M, ASIDE, views, cards_counted(M, SHOWN, views, to))
        for player in range(M[PLAYERS]):
            to = seat_viewed(M, views, (me + player) % M[PLAYERS], to)
        chosen_viewed(M, views, at + views[VIEW_SETS])
        if M[MOVE_COUNT] > 0 and M[DECIDER] == me:
            views[at + 1] = 1
            offers_viewed(M, views, at + views[VIEW_SETS] + W)

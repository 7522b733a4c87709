"""A table laid in a memory from a row of numbers, and what a board decides worked out from it.

A row has the sets of each kind of hex, for each card whether it is in play, how many places with
tiles there are, and of each its hex and its kind of tile.

The text after the line of dashes goes into every kernel.
"""

from __future__ import annotations

from kbrules.kernel.runtime.decisions import play, start
from kbrules.kernel.runtime.generated import compute_board_values, write_result
from kbrules.kernel.runtime.intrinsics import Memory, load, native, nothing, single, some, store
from kbrules.kernel.runtime.names import (
    CARDS_KINDS,
    EACH,
    FAULT,
    HEX_KINDS,
    IN_PLAY_SIZE,
    IN_PLAY_START,
    KINDS,
    MAX_SAVE,
    ONLY_TERRAIN,
    PLACE_AT,
    PLACE_HEX,
    PLACE_KIND,
    PLACES,
    SAVE_SIZE,
    SAVES,
    SCRATCH,
    SCRATCH_FLOOR,
    SCRATCH_START,
    SHOWS,
    SHOWS_SIZE,
    STATE,
    STOCK,
    STOCKED,
    W,
)

# ------------------------------------------------------------------------------------------


@native
def load_table(M: Memory, row: Memory, at: int) -> int:
    """Lay the table of a row; 0, or what there was no room for."""
    for kind in range(HEX_KINDS):
        store(M, KINDS + kind * W, load(row, at + kind * W))
    at += HEX_KINDS * W
    for card in range(IN_PLAY_SIZE):
        M[IN_PLAY_START + card] = row[at + card]
    lay_places(M, row, at + IN_PLAY_SIZE)
    for card in range(CARDS_KINDS):
        show_terrains(M, card)
    M[FAULT] = 0
    M[SCRATCH] = SCRATCH_START
    compute_board_values(M)
    M[SCRATCH_FLOOR] = M[SCRATCH]
    return M[FAULT]


@native
def lay_places(M: Memory, row: Memory, at: int) -> None:
    """The places with tiles, and what is in stock there in the state in which games begin."""
    first = SAVES + MAX_SAVE * SAVE_SIZE - STATE
    for place in range(M[PLACES]):
        M[PLACE_AT + M[PLACE_HEX + place]] = -1
        M[first + STOCK + place] = 0
    stocked = nothing()
    M[PLACES] = row[at]
    for place in range(M[PLACES]):
        hex, kind = row[at + 1 + 2 * place], row[at + 2 + 2 * place]
        M[PLACE_AT + hex] = place
        M[PLACE_HEX + place] = hex
        M[PLACE_KIND + place] = kind
        M[first + STOCK + place] = M[EACH + kind]
        if M[EACH + kind]:
            stocked = stocked | single(hex)
    store(M, first + STOCKED, stocked)


@native
def show_terrains(M: Memory, card: int) -> None:
    """The terrains of a card that are on the board, all of them if none is."""
    at = SHOWS + card * SHOWS_SIZE
    every = at + SHOWS_SIZE // 2
    number = 0
    for i in range(M[every]):
        if some(load(M, KINDS + M[every + 1 + i] * W)):
            number += 1
            M[at + number] = M[every + 1 + i]
    if number == 0:
        number = M[every]
        for i in range(number):
            M[at + 1 + i] = M[every + 1 + i]
    M[at] = number
    M[ONLY_TERRAIN + card] = M[at + 1] if number == 1 else -1


@native
def play_tables(M: Memory, number: int, given: Memory, out: Memory) -> None:
    """One game on each of so many tables, their outcomes one after another.

    given: how long a row is, then for each game its seed and the row of its table.
    """
    size = given[0]
    to = 0
    for i in range(number):
        at = 1 + i * (1 + size)
        fault = load_table(M, given, at + 1)
        start(M)
        play(M, given[at])
        M[FAULT] = fault if fault else M[FAULT]
        to = write_result(M, out, to)

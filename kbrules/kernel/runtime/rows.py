"""Many games side by side: each is saved in a row of its own, and loaded to be played on.

The text after the line of dashes goes into every kernel.
"""

from __future__ import annotations

from kbrules.kernel.runtime.chance import below
from kbrules.kernel.runtime.decisions import choose, resume, run_to_player, start
from kbrules.kernel.runtime.generated import write_result
from kbrules.kernel.runtime.intrinsics import Memory, load, lowest, native, single, some
from kbrules.kernel.runtime.moves import group_of
from kbrules.kernel.runtime.names import (
    DECIDER,
    DEPTH,
    FAULT,
    GROUP_COUNT,
    GROUP_SIZE,
    GROUPS,
    MAX_ROW_GROUPS,
    MOVE_COUNT,
    OFFERED_TOP,
    OUT_OF_ROW,
    PENDING_COUNT,
    ROW_CHANCE,
    ROW_CHANCE_SIZE,
    ROW_COUNT,
    ROW_DECIDER,
    ROW_FRAMES,
    ROW_GROUPS,
    ROW_OFFERED,
    ROW_SIZE,
    ROW_STATE,
    SAVED,
    SCRATCH,
    SCRATCH_FLOOR,
    STREAMS,
    TRIGGER_EVENT_COUNT,
)
from kbrules.kernel.runtime.saving import copy_between, pack_state, unpack_state

# ------------------------------------------------------------------------------------------


@native
def save_row(M: Memory, rows: Memory, at: int) -> int:
    """Save a game, with how many moves it offers: how much of the row it takes.

    Its fault below 0, there too instead of the moves, if it needs more room than there is.
    """
    count = M[MOVE_COUNT]
    if M[DEPTH] > ROW_FRAMES or M[GROUP_COUNT] > MAX_ROW_GROUPS:
        count = -OUT_OF_ROW
    rows[at + ROW_COUNT] = count
    if count < 0:
        return count
    rows[at + ROW_DECIDER] = M[DECIDER]
    rows[at + ROW_GROUPS] = M[GROUP_COUNT]
    copy_between(rows, at + ROW_CHANCE, M, STREAMS, ROW_CHANCE_SIZE)
    end = pack_state(M, rows, at + ROW_STATE)
    rows[at + ROW_OFFERED] = end - at
    return end - at + copy_between(rows, end, M, GROUPS, M[GROUP_COUNT] * GROUP_SIZE)


@native
def load_row(M: Memory, rows: Memory, at: int) -> None:
    """Load a game that was saved."""
    M[MOVE_COUNT] = rows[at + ROW_COUNT]
    M[DECIDER] = rows[at + ROW_DECIDER]
    M[GROUP_COUNT] = rows[at + ROW_GROUPS]
    copy_between(M, STREAMS, rows, at + ROW_CHANCE, ROW_CHANCE_SIZE)
    end = unpack_state(M, rows, at + ROW_STATE)
    copy_between(M, GROUPS, rows, end, M[GROUP_COUNT] * GROUP_SIZE)
    M[FAULT] = M[SAVED] = M[TRIGGER_EVENT_COUNT] = M[OFFERED_TOP] = M[PENDING_COUNT] = 0
    M[SCRATCH] = M[SCRATCH_FLOOR]


@native
def begin_rows(M: Memory, number: int, streams: Memory, rows: Memory) -> None:
    """Begin so many games, each with where its stream of chance begins."""
    for i in range(number):
        start(M)
        M[STREAMS] = streams[i]
        run_to_player(M)
        save_row(M, rows, i * ROW_SIZE)


@native
def step_rows(M: Memory, number: int, choices: Memory, rows: Memory) -> None:
    """Carry out a move in each of so many games that are not over."""
    for i in range(number):
        at = i * ROW_SIZE
        if rows[at + ROW_COUNT] > 0:
            load_row(M, rows, at)
            choose(M, choices[i])
            run_to_player(M)
            save_row(M, rows, at)


@native
def act_rows(M: Memory, number: int, codes: Memory, rows: Memory) -> None:
    """Carry out a move in each of so many games, each by its code; below 0 none.

    A code becomes -1 if that move was made, and stays if it is not offered.
    """
    for i in range(number):
        at = i * ROW_SIZE
        if codes[i] >= 0 and rows[at + ROW_COUNT] > 0:
            load_row(M, rows, at)
            verb, rule, hex = codes[i] >> 16 & 255, codes[i] >> 24, (codes[i] & 65535) - 1
            group = group_of(M, verb, rule, hex)
            if group >= 0:
                codes[i] = -1
                resume(M, group, verb, rule, hex)
                run_to_player(M)
                save_row(M, rows, at)


@native
def play_rows(M: Memory, number: int, seats: Memory, rows: Memory) -> None:
    """Let others move by chance in each of so many games until a seat decides; below 0 nothing.

    Each player draws from the stream that is their own.
    """
    for i in range(number):
        at = i * ROW_SIZE
        if seats[i] >= 0 and rows[at + ROW_COUNT] > 0:
            load_row(M, rows, at)
            while M[MOVE_COUNT] > 0 and M[DECIDER] != seats[i]:
                choose(M, below(M, STREAMS + M[DECIDER] + 1, M[MOVE_COUNT]))
                run_to_player(M)
            save_row(M, rows, at)


@native
def row_codes(number: int, width: int, codes: Memory, rows: Memory) -> None:
    """What is offered in each of so many games: up to a width, a number for each move.

    The hex and 1 are its lower 16 bits, then 8 bits of the verb, then the rule.
    """
    for i in range(number):
        at = i * ROW_SIZE
        to = i * width
        end = to + width
        if rows[at + ROW_COUNT] > 0:
            for k in range(rows[at + ROW_GROUPS]):
                group = at + rows[at + ROW_OFFERED] + k * GROUP_SIZE
                code = rows[group] << 16 | rows[group + 1] << 24
                hexes = load(rows, group + 8)
                if not some(hexes) and to < end:
                    codes[to] = code
                    to += 1
                while some(hexes) and to < end:
                    hex = lowest(hexes)
                    hexes = hexes & ~single(hex)
                    codes[to] = code | hex + 1
                    to += 1


@native
def row_results(M: Memory, number: int, out: Memory, rows: Memory) -> None:
    """The outcomes of so many games, one after another."""
    at = 0
    for i in range(number):
        load_row(M, rows, i * ROW_SIZE)
        at = write_result(M, out, at)

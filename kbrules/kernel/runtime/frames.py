"""Frames: running blocks, one on another.

The text after the line of dashes goes into every kernel.
"""

from __future__ import annotations

from kbrules.kernel.runtime.generated import next_item
from kbrules.kernel.runtime.intrinsics import Memory, inlined, native
from kbrules.kernel.runtime.names import (
    BEGUN,
    BLOCK,
    CHOSEN,
    DEPTH,
    DONE,
    FAULT,
    FRAME,
    FRAMES,
    LEFT,
    LENGTHS,
    LOOP,
    MAX_FRAME,
    MAX_PENDING,
    ME,
    OUT_OF_FRAMES,
    OUT_OF_PENDING,
    PC,
    PENDING,
    PENDING_COUNT,
    ROUNDS,
)
from kbrules.kernel.runtime.saving import copy_cells

# ------------------------------------------------------------------------------------------


@inlined
def top_frame(M: Memory) -> int:
    """Where the frame on top lies."""
    return FRAMES + (M[DEPTH] - 1) * FRAME


@inlined
def new_frame(M: Memory, block: int, me: int) -> int:
    """A frame on top of the others; its names are still to be bound."""
    if M[DEPTH] >= MAX_FRAME:
        M[FAULT] = OUT_OF_FRAMES
        M[DEPTH] -= 1
    f = FRAMES + M[DEPTH] * FRAME
    M[DEPTH] += 1
    M[f + BLOCK] = block
    M[f + PC] = 0
    M[f + ME] = me
    M[f + LOOP] = 0
    M[f + DONE] = 0
    M[f + CHOSEN] = 0
    return f


@inlined
def pop(M: Memory) -> None:
    """Leave the block on top."""
    M[DEPTH] -= 1


@inlined
def next_statement(M: Memory) -> None:
    """Go on to the next step of the block on top; leave it if there is none."""
    f = top_frame(M)
    if M[f + LOOP] == 0 and M[f + PC] + 1 >= M[LENGTHS + M[f + BLOCK]]:
        pop(M)
    else:
        M[f + PC] += 1
        M[f + DONE] = 0
        M[f + CHOSEN] = 0


@inlined
def skip(M: Memory, f: int) -> None:
    """Go on past a step that cannot be done; `up to` ends if it would begin a round."""
    if M[f + LOOP] == 2 and M[f + PC] + M[f + DONE] + M[f + CHOSEN] == 0:
        pop(M)
    else:
        next_statement(M)


@native
def end_block(M: Memory, f: int) -> None:
    """The end of a block: once more, or back to the one below."""
    loop = M[f + LOOP]
    if loop == 3:
        next_item(M, M[f + BLOCK], f)
    elif loop != 0 and M[f + LEFT] > 1:
        M[f + LEFT] -= 1
        M[f + ROUNDS] += 1
        M[f + PC] = 0
        M[f + DONE] = 0
        M[f + CHOSEN] = 0
    else:
        pop(M)


@native
def required(M: Memory) -> bool:
    """Whether the innermost of the actions and reactions under way is a required one."""
    for depth in range(M[DEPTH] - 1, -1, -1):
        begun = M[BEGUN + M[FRAMES + depth * FRAME + BLOCK]]
        if begun >= 0:
            return begun == 1
    return False


@native
def push_pending(M: Memory) -> None:
    """Move the frame on top to the pending ones."""
    number = M[PENDING_COUNT]
    M[DEPTH] -= 1
    if number >= MAX_PENDING:
        M[FAULT] = OUT_OF_PENDING
        return
    copy_cells(M, PENDING + number * FRAME, FRAMES + M[DEPTH] * FRAME, FRAME)
    M[PENDING_COUNT] = number + 1


@native
def begin_pending(M: Memory) -> None:
    """Put the pending frames on the stack, the first on top."""
    for number in range(M[PENDING_COUNT] - 1, -1, -1):
        if M[DEPTH] >= MAX_FRAME:
            M[FAULT] = OUT_OF_FRAMES
            return
        copy_cells(M, FRAMES + M[DEPTH] * FRAME, PENDING + number * FRAME, FRAME)
        M[DEPTH] += 1
    M[PENDING_COUNT] = 0

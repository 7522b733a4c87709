"""The course of a game: stages, turns, and running until a decision is due.

The text after the line of dashes goes into every kernel.
"""

from __future__ import annotations

from kbrules.kernel.runtime.frames import end_block
from kbrules.kernel.runtime.generated import (
    do_step,
    run_triggers,
    stage_begun,
    turn_begun,
    turn_forgotten,
)
from kbrules.kernel.runtime.intrinsics import Memory, native, nothing
from kbrules.kernel.runtime.names import (
    ACTIVE,
    AFTER_PHASES,
    BLOCK,
    CUT,
    CUT_FURTHER,
    CUT_TURNS,
    DECIDER,
    DEPTH,
    ENDING,
    EVENTS,
    FAULT,
    FINISH,
    FINISH_PHASES,
    FIRINGS,
    FIRST_STEP,
    FOLLOWS_TURN_END,
    FOLLOWS_TURN_START,
    FRAME,
    FRAMES,
    FURTHER,
    INDEX,
    IS_DRAW,
    LENGTHS,
    MAX_FURTHER,
    MAX_TURNS,
    ON_TURN_END,
    ON_TURN_START,
    ONCE_PHASES,
    OVER,
    PC,
    PLAYERS,
    REVEALED,
    SCRATCH,
    SCRATCH_FLOOR,
    SETUP,
    SETUP_PHASES,
    STAGE,
    START_PASSES,
    THIS_TURN,
    TRIED_SINCE,
    TRIGGER_EVENT_COUNT,
    TURN,
    TURN_OVER,
    TURNS,
    USED_ACTIONS,
)
from kbrules.kernel.runtime.pieces import count_event, cut_off, notify

# ------------------------------------------------------------------------------------------


@native
def do_end_turn(M: Memory, me: int) -> None:
    """The turn is over, whatever is left to do."""
    if M[STAGE] == TURN:
        M[DEPTH] = 0
        count_event(M)


@native
def do_another_turn(M: Memory, me: int) -> None:
    """The player whose turn it is takes another one after it."""
    in_turn = M[STAGE] == TURN or M[STAGE] == TURN_OVER
    if in_turn and M[FURTHER] & 1 == 0:
        if M[FURTHER] >= 2 * MAX_FURTHER:
            cut_off(M, CUT_FURTHER)
        else:
            M[FURTHER] |= 1
            count_event(M)


@native
def do_another_finish(M: Memory, me: int) -> None:
    """What finishes the game is done once more, by all players."""
    if M[STAGE] == FINISH and M[FURTHER] & 1 == 0:
        if M[FURTHER] >= 2 * MAX_FURTHER:
            cut_off(M, CUT_FURTHER)
        else:
            M[FURTHER] |= 1
            count_event(M)


@native
def player_of(M: Memory, turn: int) -> int:
    """The player of a turn, counted from 0 through all rounds."""
    players = M[PLAYERS]
    if START_PASSES:
        return (turn + turn // players) % players
    return turn % players


@native
def is_turn_to_come(M: Memory, me: int) -> bool:
    """Whether a player's turn of this round is still to come, in the turn of another player."""
    players, index, place = M[PLAYERS], M[INDEX], me
    if START_PASSES:
        place = (me + players - index // players % players) % players
    return M[STAGE] == TURN and place > index % players


@native
def do_last_round(M: Memory, me: int) -> None:
    """This round is the last one."""
    if not M[ENDING]:
        M[ENDING] = 1
        count_event(M)


@native
def do_end_game(M: Memory, me: int) -> None:
    """The game is over."""
    M[STAGE] = OVER
    M[INDEX] = 0
    M[DEPTH] = 0
    count_event(M)


@native
def next_stage(M: Memory) -> None:
    """Go on to the next stage; it may begin blocks."""
    stage, index = M[STAGE], M[INDEX]
    players = M[PLAYERS]
    if stage == SETUP:
        phase, player = index, 0
        if index >= ONCE_PHASES:
            index -= ONCE_PHASES
            if index < SETUP_PHASES * players:
                phase = ONCE_PHASES + index % max(SETUP_PHASES, 1)
                player = index // max(SETUP_PHASES, 1)
            else:
                index -= SETUP_PHASES * players
                if index >= AFTER_PHASES * players:
                    start_turn(M, 0)
                    return
                phase = ONCE_PHASES + SETUP_PHASES + index % max(AFTER_PHASES, 1)
                player = index // max(AFTER_PHASES, 1)
        M[INDEX] += 1
        stage_begun(M, phase, player)
    elif stage == TURN:
        M[STAGE] = TURN_OVER
        count_event(M)
        if FOLLOWS_TURN_END:
            notify(M, ON_TURN_END, player_of(M, index), nothing(), nothing(), 0)
    elif stage == TURN_OVER:
        after_turn(M, index)
    elif stage == FINISH:
        if index < FINISH_PHASES * players:
            M[INDEX] += 1
            first = ONCE_PHASES + SETUP_PHASES + AFTER_PHASES
            phases = max(FINISH_PHASES, 1)
            stage_begun(M, first + index % phases, index // phases)
        elif M[FURTHER] & 1:
            M[FURTHER] += 1
            M[INDEX] = 0
        else:
            do_end_game(M, -1)


@native
def after_turn(M: Memory, index: int) -> None:
    """Go on to the next turn, or to what follows the last round."""
    is_round_over = (index + 1) % M[PLAYERS] == 0
    if M[FURTHER] & 1:
        M[FURTHER] += 1
        start_turn(M, index)
        return
    M[FURTHER] = 0
    if is_round_over and not M[ENDING] and index >= MAX_TURNS:
        cut_off(M, CUT_TURNS)
    if is_round_over and (M[ENDING] or index >= MAX_TURNS):
        M[STAGE] = FINISH
        M[INDEX] = 0
    else:
        start_turn(M, index + 1)


@native
def start_turn(M: Memory, index: int) -> None:
    """Begin a turn."""
    player = player_of(M, index)
    M[STAGE] = TURN
    M[INDEX] = index
    M[FIRINGS] = 0
    turn_begun(M, player)
    M[ACTIVE] = player
    M[USED_ACTIONS] = 0
    M[REVEALED] = -1
    M[CUT] &= (1 << THIS_TURN) - 1
    turn_forgotten(M, int(index % M[PLAYERS] == 0 and M[FURTHER] == 0))
    M[TURNS] += 1
    count_event(M)
    if FOLLOWS_TURN_START:
        notify(M, ON_TURN_START, player, nothing(), nothing(), 0)


@native
def run(M: Memory, base_depth: int) -> int:
    """Run until a decision is due (1) or all is over (2).

    With a base depth it is a trial: until the stack is no deeper, or something has happened (0).
    """
    while True:
        depth = M[DEPTH]
        if M[FAULT]:
            return 2
        if base_depth >= 0 and (depth <= base_depth or M[EVENTS] != M[TRIED_SINCE]):
            return 0
        if depth == 0:
            if M[STAGE] == OVER:
                M[DECIDER] = -1
                M[IS_DRAW] = 0
                return 2
            next_stage(M)
            if M[TRIGGER_EVENT_COUNT]:
                run_triggers(M)
            continue
        M[SCRATCH] = M[SCRATCH_FLOOR] if base_depth < 0 else M[SCRATCH]
        f = FRAMES + (depth - 1) * FRAME
        block, pc = M[f + BLOCK], M[f + PC]
        if pc >= M[LENGTHS + block]:
            end_block(M, f)
        elif do_step(M, M[FIRST_STEP + block] + pc, f):
            return 1

"""The machine: frames of running blocks, the moves they offer, trials, and the course of a game.

A step of a block never waits. Where somebody must decide, `run` returns, and all that is under way
lies in the frames of the state: so it can be saved, tried and taken back, and run on later.
"""

from __future__ import annotations

from kbrules.kernel.runtime.geometry import allocate_scratch
from kbrules.kernel.runtime.intrinsics import (
    Hexes, Memory, bit_at, has, inlined, load, native, nothing, some, store,
)  # fmt: skip
from kbrules.kernel.runtime.names import *
from kbrules.kernel.runtime.pieces import (
    FOLLOWS_TURN_END, FOLLOWS_TURN_START, ON_TURN_END, ON_TURN_START, count_event, cut_off,
    notify,
)  # fmt: skip

# Copies of a state: what is live of it, one part close behind another. They are made in whole sets,
# for a set is one number or one register: what lies behind a part is copied along, and there is
# room for that everywhere.


@native
def copy_between(target: Memory, to: int, origin: Memory, at: int, size: int) -> int:
    """Copy so many numbers from one memory to another; how many were copied."""
    for i in range(0, size, W):
        store(target, to + i, load(origin, at + i))
    return (size + W - 1) // W * W


@native
def copy_cells(M: Memory, to: int, source: int, size: int) -> None:
    """Copy so many numbers to another place of the memory."""
    copy_between(M, to, M, source, size)


@native
def pack_state(M: Memory, out: Memory, to: int) -> int:
    """Copy the state to another memory, or another place of its own; where the copy ends."""
    to += copy_between(out, to, M, STATE, STOCK - STATE)
    to += copy_between(out, to, M, STOCK, M[PLACES])
    to += copy_between(out, to, M, SHOWN, 1 + M[SHOWN])
    to += copy_between(out, to, M, ASIDE, 1 + M[ASIDE])
    for player in range(M[PLAYERS]):
        seat = SEATS + player * SEAT
        to += copy_between(out, to, M, seat, HAND)
        to += copy_between(out, to, M, seat + HAND, 1 + M[seat + HAND])
        to += copy_between(out, to, M, seat + TILES, 1 + 3 * M[seat + TILES])
    return to + copy_between(out, to, M, FRAMES, M[DEPTH] * FRAME)


@native
def unpack_state(M: Memory, given: Memory, at: int) -> int:
    """Take a state from a copy of it; where the copy ends."""
    at += copy_between(M, STATE, given, at, STOCK - STATE)
    at += copy_between(M, STOCK, given, at, M[PLACES])
    at += copy_between(M, SHOWN, given, at, 1 + given[at])
    at += copy_between(M, ASIDE, given, at, 1 + given[at])
    for player in range(M[PLAYERS]):
        seat = SEATS + player * SEAT
        at += copy_between(M, seat, given, at, HAND)
        at += copy_between(M, seat + HAND, given, at, 1 + given[at])
        at += copy_between(M, seat + TILES, given, at, 1 + 3 * given[at])
    return at + copy_between(M, FRAMES, given, at, M[DEPTH] * FRAME)


# Frames: running blocks, one on another.


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


# The moves of a decision, in groups, and the offers they come from.


@native
def add_group(M: Memory, verb: int, rule: int, path: int, hexes: Hexes) -> None:
    """One more group of moves."""
    number = M[GROUP_COUNT]
    if number >= MAX_GROUP:
        M[FAULT] = OUT_OF_GROUPS
        return
    at = GROUPS + number * GROUP_SIZE
    M[at] = verb
    M[at + 1] = rule
    M[at + 2] = path
    store(M, at + 8, hexes)
    M[GROUP_COUNT] = number + 1


@native
def stop(M: Memory, f: int, rule: int) -> None:
    """The move that ends an `up to` loop, where the player may stop."""
    if M[f + LOOP] == 2 and M[f + PC] + M[f + DONE] + M[f + CHOSEN] == 0:
        if M[f + ROUNDS] or M[f + MAY_STOP]:
            add_group(M, VERB_STOP, rule, 0, nothing())


@native
def same_group(M: Memory, a: int, b: int) -> bool:
    """Whether two groups are the same."""
    one, other = GROUPS + a * GROUP_SIZE, GROUPS + b * GROUP_SIZE
    if M[one] != M[other] or M[one + 1] != M[other + 1] or M[one + 2] != M[other + 2]:
        return False
    return not some(load(M, one + 8) ^ load(M, other + 8))


@native
def has_new_groups(M: Memory, start: int, middle: int) -> bool:
    """Whether one of the groups from the middle on is none of those before it."""
    for i in range(middle, M[GROUP_COUNT]):
        is_known = False
        for j in range(start, middle):
            is_known = is_known or same_group(M, i, j)
        if not is_known:
            return True
    return False


@native
def group_of(M: Memory, verb: int, rule: int, hex: int) -> int:
    """The first group to which a move belongs; -1 if it belongs to none."""
    for i in range(M[GROUP_COUNT]):
        at = GROUPS + i * GROUP_SIZE
        if M[at] == verb and M[at + 1] == rule:
            if hex >= 0:
                if bit_at(M, at + 8, hex):
                    return i
            elif not some(load(M, at + 8)):
                return i
    return -1


@inlined
def offer(M: Memory, number: int) -> None:
    """One more action to look at."""
    at = M[OFFERED_TOP]
    if at >= MAX_OFFERED:
        M[FAULT] = OUT_OF_ACTIONS
        return
    M[OFFERED + at] = number
    M[OFFERED_TOP] = at + 1


@inlined
def is_first_ready(M: Memory, at: int, i: int) -> bool:
    """Whether a tile may be used and is the first of its kind."""
    if M[at + 3 + 3 * i] != READY:
        return False
    for j in range(i):
        if M[at + 1 + 3 * j] == M[at + 1 + 3 * i] and M[at + 3 + 3 * j] == READY:
            return False
    return True


@inlined
def serves_again(M: Memory, at: int, i: int, places: Hexes) -> bool:
    """Whether a tile from some places may be reused."""
    if M[at + 3 + 3 * i] == FRESH or M[at + 2 + 3 * i] < 0:
        return False
    return has(places, M[at + 2 + 3 * i])


@inlined
def is_first_serving(M: Memory, at: int, i: int, places: Hexes) -> bool:
    """Whether a tile serves to be reused and is the first of its kind."""
    if not serves_again(M, at, i, places):
        return False
    for j in range(i):
        if M[at + 1 + 3 * j] == M[at + 1 + 3 * i] and serves_again(M, at, j, places):
            return False
    return True


# Trials: playing a block on, and taking everything back.


@native
def save(M: Memory) -> int:
    """Save the state; where it was put. None but the running frames are saved."""
    at = SAVES + M[SAVED] * SAVE_SIZE
    M[SAVED] += 1
    pack_state(M, M, at)
    return at


@native
def restore(M: Memory, at: int) -> None:
    """Take everything back to where it was saved."""
    unpack_state(M, M, at)
    M[SAVED] -= 1


@native
def try_begun_block(
    M: Memory, saved: int, base_depth: int, path: int, rule: int, knows_terrain: bool
) -> None:
    """Play a block that was just begun until it asks for something or has done something.

    Adds the moves by which it can be begun, and takes everything back.
    """
    first = M[GROUP_COUNT]
    before, outer = M[EVENTS], M[TRIED_SINCE]
    M[STRAYED] = 0
    M[TRIED_SINCE] = before
    due = run(M, base_depth)
    M[TRIED_SINCE] = outer
    has_begun = M[EVENTS] != before or (due != 0 and M[DECIDER] < 0)
    needs_use = has_begun
    if not has_begun:
        for i in range(first, M[GROUP_COUNT]):
            at = GROUPS + i * GROUP_SIZE
            is_later = M[at + 2] != 0 or (knows_terrain and M[at] == VERB_CHOOSE)
            if is_later and (M[at + 1] != rule or not some(load(M, at + 8))):
                needs_use = True
    restore(M, saved)
    keep_new_groups(M, first, path, rule, needs_use, not has_begun)


@native
def keep_new_groups(
    M: Memory, first: int, path: int, rule: int, needs_use: bool, at_once: bool
) -> None:
    """Of the groups found by a trial, those with hexes of the rule itself, as its own."""
    last = M[GROUP_COUNT]
    start = allocate_scratch(M, (last - first + 1) * GROUP_SIZE)
    copy_cells(M, start, GROUPS + first * GROUP_SIZE, (last - first) * GROUP_SIZE)
    M[GROUP_COUNT] = first
    if needs_use:
        add_group(M, VERB_USE, rule, path, nothing())
    if at_once:
        for i in range(last - first):
            at = start + i * GROUP_SIZE
            if M[at + 1] == rule and some(load(M, at + 8)):
                add_group(M, M[at], rule, path, load(M, at + 8))


# The course of a game: stages, turns, and running until a decision is due.


@native
def do_end_turn(M: Memory, me: int) -> None:
    """The turn is over, whatever is left to do."""
    if M[STAGE] == TURN:
        M[DEPTH] = 0
        count_event(M)


@native
def do_another_turn(M: Memory, me: int) -> None:
    """The player whose turn it is takes another one after it."""
    if M[STAGE] == TURN or M[STAGE] == TURN_OVER:
        go_further(M)


@native
def do_another_finish(M: Memory, me: int) -> None:
    """What finishes the game is done once more, by all players."""
    if M[STAGE] == FINISH:
        go_further(M)


@native
def go_further(M: Memory) -> None:
    """Note that the stage under way is repeated, unless that was so too often."""
    if M[FURTHER] & 1 == 0:
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

"""Decisions carried out, by players and by chance, and whole games."""

from __future__ import annotations

from kbrules.kernel.runtime.cards import choose_terrain
from kbrules.kernel.runtime.intrinsics import (
    Memory, count, digest, inlined, is_below, load, mixed, native, nothing, nth, remainder,
    single, some, times_high,
)  # fmt: skip
from kbrules.kernel.runtime.machine import (
    add_group, copy_cells, group_of, next_statement, pop, run, top_frame,
)  # fmt: skip
from kbrules.kernel.runtime.names import *
from kbrules.kernel.runtime.pieces import seat_of


# Chance, as `game.random` specifies it: streams of a seed, numbers, weights.


@inlined
def raw(M: Memory, at: int) -> int:
    """The next raw number of a stream."""
    M[at] = M[at] - 7046029254386353131  # 0x9E3779B97F4A7C15, as a signed number
    return mixed(M[at])


@inlined
def below(M: Memory, at: int, n: int) -> int:
    """A number from 0 to `n - 1`."""
    x = raw(M, at)
    if is_below(x * n, n):
        limit = remainder(n)
        while is_below(x * n, limit):
            x = raw(M, at)
    return times_high(x, n)


@native
def weighted(M: Memory, at: int, weights: int, number: int) -> int:
    """An index, each as likely as its weight says."""
    total = 0
    for i in range(number):
        total += M[weights + i]
    left = below(M, at, total)
    for i in range(number):
        if left < M[weights + i]:
            return i
        left -= M[weights + i]
    return 0


@native
def put_byte(M: Memory, at: int, byte: int) -> int:
    """Write a byte of a message; where the next one goes."""
    M[MESSAGE + (at >> 3)] |= byte << 8 * (at & 7)
    return at + 1


@native
def put_number(M: Memory, at: int, number: int) -> int:
    """Write a number in decimal; where the next byte goes."""
    if number < 0:
        at = put_byte(M, at, 45)
    left = number
    size = 1
    while left > 9 or left < -9:
        left = left // 10 if left > 0 else -(-left // 10)
        size += 1
    for i in range(size):
        digit = number % 10 if number >= 0 else -number % 10
        put_byte(M, at + size - 1 - i, 48 + digit)
        number = number // 10 if number >= 0 else -(-number // 10)
    return at + size


@native
def seed_streams(M: Memory, seed: int) -> None:
    """The streams `deck` and `bot 0`, `bot 1` ... of a seed."""
    for stream in range(M[PLAYERS] + 1):
        for i in range(16):
            M[MESSAGE + i] = 0
        at = put_byte(M, put_number(M, 0, seed), 47)
        if stream == 0:
            for byte in (100, 101, 99, 107):
                at = put_byte(M, at, byte)
        else:
            for byte in (98, 111, 116, 32):
                at = put_byte(M, at, byte)
            at = put_number(M, at, stream - 1)
        M[STREAMS + stream] = digest(M, MESSAGE, at)


# Decisions carried out, and whole games.


@native
def choose_first(M: Memory, verb: int, rule: int, hex: int) -> int:
    """Go down to the step that offers a hex and choose; the group of another step, or -1."""
    while True:
        f = top_frame(M)
        block, pc = M[f + BLOCK], M[f + PC]
        step = M[FIRST_STEP + block] + pc
        kind = M[KIND_OF + step] if pc < M[LENGTHS + block] else OTHER
        if kind == CHOOSING:
            carry_out(M, step, f, hex)
            return -1
        if kind == REPEATING:
            do_step(M, step, f)
            continue
        M[GROUP_COUNT] = 0
        run(M, -1)
        return group_of(M, verb, rule, hex)


@native
def branch_of(M: Memory, verb: int, rule: int) -> int:
    """The group of a branch that the same move begins, if a block begins with branches."""
    f = top_frame(M)
    step = M[FIRST_STEP + M[f + BLOCK]] + M[f + PC]
    if M[KIND_OF + step] != BRANCHING:
        return -1
    M[GROUP_COUNT] = 0
    alternatives(M, step, f)
    return group_of(M, verb, rule, -1)


@native
def resume(M: Memory, group: int, verb: int, rule: int, hex: int) -> None:
    """Carry out what was decided, up to where the next run begins."""
    while group >= 0:
        at = GROUPS + group * GROUP_SIZE
        path = M[at + 2]
        f = top_frame(M)
        if path:
            has_hexes = some(load(M, at + 8))
            begin(M, path - 1, f)
            group = choose_first(M, verb, rule, hex) if has_hexes else branch_of(M, verb, rule)
            continue
        if M[at] == VERB_END:
            next_statement(M)
        elif M[at] == VERB_STOP:
            pop(M)
        elif M[at] == VERB_CHOOSE:
            choose_terrain(M, M[at + 1] - TERRAIN_RULES)
        else:
            carry_out(M, M[FIRST_STEP + M[f + BLOCK]] + M[f + PC], f, hex)
        return


@inlined
def record_move(M: Memory, who: int, verb: int, rule: int, hex: int) -> None:
    """Write a move down, if moves are written down."""
    number = M[TRACED]
    if 0 <= number < MAX_TRACE:
        at = TRACE + 4 * number
        M[at] = who
        M[at + 1] = verb
        M[at + 2] = rule
        M[at + 3] = hex
        M[TRACED] = number + 1


@native
def draw_card(M: Memory) -> None:
    """Chance draws a card, from the first stream."""
    card = weighted(M, STREAMS, PILES, CARDS_KINDS)
    record_move(M, -1, -1, -1, card)
    f = top_frame(M)
    carry_out(M, M[FIRST_STEP + M[f + BLOCK]] + M[f + PC], f, card)


@native
def choices(M: Memory) -> int:
    """How many moves are offered."""
    total = 0
    for i in range(M[GROUP_COUNT]):
        total += max(1, count(load(M, GROUPS + i * GROUP_SIZE + 8)))
    return total


@native
def choose(M: Memory, index: int) -> None:
    """Carry out the move with an index in the order in which they are offered."""
    verb = rule = 0
    hex = -1
    for i in range(M[GROUP_COUNT]):
        at = GROUPS + i * GROUP_SIZE
        hexes = load(M, at + 8)
        size = count(hexes)
        if index < max(size, 1):
            verb, rule = M[at], M[at + 1]
            if size:
                hex = nth(hexes, index)
            break
        index -= max(size, 1)
    record_move(M, M[DECIDER], verb, rule, hex)
    resume(M, group_of(M, verb, rule, hex), verb, rule, hex)


@native
def play_random_move(M: Memory, stream: int) -> None:
    """Whoever must decide takes any move, by chance from a stream."""
    index = below(M, stream, choices(M))
    if M[DECIDER] >= 0:
        M[DECISIONS + M[DECIDER]] += 1
    choose(M, index)


@native
def play_to_end(M: Memory, own: int) -> None:
    """A game played on to its end: whoever decides draws from the stream that is their own.

    own: 1, or 0 where everything is drawn from the first one.
    """
    while True:
        M[GROUP_COUNT] = 0
        M[STRAYED] = 0
        if run(M, -1) != 1:
            return
        if M[IS_DRAW]:
            draw_card(M)
        else:
            play_random_move(M, STREAMS + own * (M[DECIDER] + 1))


@native
def settle_state(M: Memory) -> None:
    """Nothing is half done that a state does not say."""
    M[FAULT] = M[SAVED] = M[TRIGGER_EVENT_COUNT] = M[OFFERED_TOP] = M[PENDING_COUNT] = 0
    M[SCRATCH] = M[SCRATCH_FLOOR]


@native
def run_to_decision(M: Memory) -> int:
    """Run until anybody must decide, chance too: 1, 0 if it is over, less without room."""
    M[GROUP_COUNT] = 0
    M[STRAYED] = 0
    is_due = run(M, -1)
    if M[FAULT]:
        return -M[FAULT]
    return 1 if is_due == 1 else 0


@native
def decide(M: Memory, verb: int, rule: int, hex: int, path: int) -> None:
    """Carry out a move; a card that is drawn has the verb -1. path: of the group it belongs to."""
    M[GROUP_COUNT] = 0
    M[STRAYED] = 0
    if verb < 0:
        f = top_frame(M)
        carry_out(M, M[FIRST_STEP + M[f + BLOCK]] + M[f + PC], f, hex)
        return
    add_group(M, verb, rule, path, single(hex) if hex >= 0 else nothing())
    resume(M, 0, verb, rule, hex)


@native
def run_to_player(M: Memory) -> int:
    """Run until a player must decide: how many moves are offered.

    0 if the game is over, its fault below 0 if it needs more room than there is. Chance decides
    meanwhile.
    """
    M[MOVE_COUNT] = run_to_next_player(M)
    return M[MOVE_COUNT]


@inlined
def run_to_next_player(M: Memory) -> int:
    """The same, to be noted."""
    while True:
        M[GROUP_COUNT] = 0
        M[STRAYED] = 0
        due = run(M, -1)
        if M[FAULT]:
            return -M[FAULT]
        if due != 1:
            return 0
        if M[IS_DRAW]:
            draw_card(M)
        elif M[DECIDER] < 0:
            play_random_move(M, STREAMS)
        else:
            M[DECISIONS + M[DECIDER]] += 1
            return choices(M)


@native
def write_facts(M: Memory, out: Memory, at: int, me: int) -> int:
    """How often a player used and took tiles of each kind, and gold got in play, by rule."""
    seat = seat_of(me)
    for kind in range(TILE_KINDS):
        out[at + kind] = M[seat + USES + kind]
        out[at + TILE_KINDS + kind] = M[seat + TAKES + kind]
    at += 2 * TILE_KINDS
    for rule in range(GAIN_RULES):
        out[at + rule] = M[seat + GAINS + rule]
    return at + GAIN_RULES


@native
def start(M: Memory) -> None:
    """Everything as in the beginning; a copy of that lies behind the other saved states."""
    copy_cells(M, STATE, START, SEATS + M[PLAYERS] * SEAT - STATE)
    copy_cells(M, FRAMES, START + FRAMES - STATE, M[DEPTH] * FRAME)
    settle_state(M)
    M[GROUP_COUNT] = 0
    if M[TRACED] > 0:
        M[TRACED] = 0
    for player in range(M[PLAYERS]):
        M[DECISIONS + player] = 0


@native
def lead(M: Memory, me: int) -> int:
    """By how much a player is ahead of the best of the others; of what nobody else has, all."""
    most = 0
    is_first = True
    for player in range(M[PLAYERS]):
        if player != me and (is_first or M[WIN_VALUES + player] > most):
            most = M[WIN_VALUES + player]
            is_first = False
    return M[WIN_VALUES + me] - most


@native
def play_on(M: Memory, number: int, asked_for: Memory, out: Memory) -> int:
    """Games played on by chance, each from the beginning after a move.

    asked_for: who asks, how many games for each move, the first of them to be played, then verb,
    rule and hex of each move. out: room for an outcome, then of each move the sum of the leads.
    Answers which game is the next one: `number`, or the first that needs more room than there is;
    the stream is where that begins.
    """
    me, times = asked_for[0], asked_for[1]
    for game in range(asked_for[2], number):
        at = 3 + 3 * (game // times)
        verb, rule, hex = asked_for[at], asked_for[at + 1], asked_for[at + 2]
        before = M[STREAMS]
        start(M)
        run(M, -1)
        group = group_of(M, verb, rule, hex)
        if group < 0:
            M[FAULT] = OUT_OF_ROOM
        resume(M, group, verb, rule, hex)
        play_to_end(M, 0)
        size = write_result(M, out, 0)
        if M[FAULT]:
            M[STREAMS] = before
            return game
        out[size + game // times] += lead(M, me)
    return number

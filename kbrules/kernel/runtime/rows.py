"""Tables and games in rows of numbers, what players see of them, and the entry to a kernel."""

from __future__ import annotations

from kbrules.kernel.runtime.decisions import (
    below, choose, decide, play_on, play_to_end, resume, run_to_decision, run_to_player,
    seed_streams, settle_state, start,
)  # fmt: skip
from kbrules.kernel.runtime.intrinsics import (
    Hexes, Memory, inlined, load, lowest, native, nothing, single, some, store,
)  # fmt: skip
from kbrules.kernel.runtime.machine import copy_between, group_of, pack_state, run, unpack_state
from kbrules.kernel.runtime.names import *
from kbrules.kernel.runtime.pieces import seat_of

# A row of a table has the sets of each kind of hex, for each card whether it is in play, how many
# places with tiles there are, and of each its hex and its kind of tile.


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
    first = START - STATE
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
        seed_streams(M, given[at])
        play_to_end(M, 1)
        M[FAULT] = fault if fault else M[FAULT]
        to = write_result(M, out, to)


# Many games side by side: each is saved in a row, and loaded to be played on. A row has the live
# part of the state, where chance is, and the moves that are offered. Events, pending frames and
# scratch are not in it, for nothing of them is left when a decision is due.


@native
def save_row(M: Memory, rows: Memory, at: int) -> int:
    """Save a game, with how many moves it offers: how much of the row it takes.

    Its fault below 0, there too instead of the moves, if it needs more room than there is.
    """
    count = M[MOVE_COUNT]
    if M[DEPTH] > MAX_ROW_FRAMES or M[GROUP_COUNT] > MAX_ROW_GROUPS:
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
    settle_state(M)


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


# What players see of many games that lie in rows, as numbers and bytes for arrays. Lists in the
# head of the views begin with how many entries they have; tables do not.


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


# The one function of a kernel that is called from outside.


@native
def row_call(M: Memory, what: int, number: int, given: Memory, rows: Memory) -> int:
    """What is done with games that lie in rows: one is saved or loaded, many are stepped."""
    if what == SAVE_ROW:
        return save_row(M, rows, 0)
    if what == LOAD_ROW:
        load_row(M, rows, 0)
        return rows[ROW_COUNT]
    if what == BEGIN_ROWS:
        begin_rows(M, number, given, rows)
    if what == STEP_ROWS:
        step_rows(M, number, given, rows)
    if what == ROW_CODES:
        row_codes(number, given[0], given, rows)
    if what == ROW_RESULTS:
        row_results(M, number, given, rows)
    if what == ROW_VIEWS:
        row_views(M, number, given, rows)
    if what == ACT_ROWS:
        act_rows(M, number, given, rows)
    if what == PLAY_ROWS:
        play_rows(M, number, given, rows)
    return 0


@native
def kernel(M: Memory, what: int, number: int, seeds: Memory, out: Memory) -> int:
    """The one function that is called from outside: what to do, and with what.

    0: run down to a base depth. BEGIN a game that players decide, its first stream
    being where chance begins; CHOOSE a move of it; SAVE_ROW and LOAD_ROW: write it to a row, read
    it from one; the RESULT is written to `out`. NEXT_DECISION: run until a decision is due, one
    of chance as well; DECIDE: the same after a move that the decision offered. PLAY_ON: see
    `play_on`. LOAD_TABLE: the table of a row; PLAY_TABLES: see `play_tables`. Of many games the
    rows lie in `out`. PLAY_FROM: so many games, their streams one after another in `seeds`; else
    by their seeds; the outcomes in `out`.
    """
    if what == 0:
        return run(M, number)
    if what == BEGIN:
        start(M)
        return run_to_player(M)
    if what == CHOOSE:
        choose(M, number)
        return run_to_player(M)
    if what == RESULT:
        return write_result(M, out, 0)
    if what == PLAY_ON:
        return play_on(M, number, seeds, out)
    if what == NEXT_DECISION:
        settle_state(M)
        return run_to_decision(M)
    if what == DECIDE:
        settle_state(M)
        decide(M, seeds[0], seeds[1], seeds[2], seeds[3])
        return run_to_decision(M)
    if what == LOAD_TABLE:
        return load_table(M, seeds, 0)
    if what == PLAY_TABLES:
        play_tables(M, number, seeds, out)
        return 0
    if what >= BEGIN_ROWS and what != PLAY_FROM:
        return row_call(M, what, number, seeds, out)
    at = 0
    for i in range(number):
        start(M)
        if what == PLAY:
            seed_streams(M, seeds[i])
        else:
            for stream in range(M[PLAYERS] + 1):
                M[STREAMS + stream] = seeds[i * (M[PLAYERS] + 1) + stream]
        play_to_end(M, 1)
        at = write_result(M, out, at)
    return at

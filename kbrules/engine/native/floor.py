"""The machine of a kernel: what is the same for all rules. The text below goes into a kernel.

Everything after the line of dashes is copied into each kernel, where the names in capitals are
numbers: places of the memory, sizes, and what rules follow. It says what `engine.machine`,
`engine.offers` and the events of `game` say, in numbers instead of tuples.
"""

from __future__ import annotations

from kbrules.compile.native.geometry import Groups, inside, neighbours, room, star_of
from kbrules.compile.native.plain import (
    Hexes,
    Memory,
    again,
    bit_at,
    count,
    digest,
    has,
    inlined,
    is_below,
    load,
    lowest,
    mixed,
    native,
    nothing,
    nth,
    remainder,
    single,
    some,
    store,
    times_high,
)

W = 8
STRIDE = LESS = FULL = WITH_HOLES = KINDS = HEX_KINDS = AXIAL = PART_COUNT = 0
SCRATCH = SCRATCH_START = SCRATCH_END = FAULT = OUT_OF_ROOM = 0
PLAYERS = PLACES = PLACE_AT = PLACE_HEX = PLACE_KIND = CARDS_KINDS = SHOWS = SHOWS_SIZE = SOLE = 0
SIZES = SUPPLIES = NEUTRALS = PIECE_KINDS = TILE_KINDS = BEGUN = FIRST_STEP = LENGTHS = KIND_OF = 0
GROUPS = GROUP_COUNT = GROUP_SIZE = GROUP_MOST = WHO = IS_DRAW = 0
OFFERED = OFFERED_TOP = OFFERED_MOST = SAVES = SAVE_SIZE = SAVE_MOST = SAVED = 0
NEWS = NEWS_COUNT = NEWS_SIZE = NEWS_MOST = PENDING = PENDING_COUNT = PENDING_MOST = 0
STREAMS = DECISIONS = TRACE = TRACED = TRACE_MOST = MESSAGE = 0
STATE = STATE_END = SEATS = SEAT = ALL = PIECES = SUPPLY = GOLD = HAND = HAND_MOST = TILES = 0
TILES_MOST = OCCUPIED = NEUTRAL = STOCKED = STOCK = PILES = SHOWN = ASIDE = SHOWN_MOST = 0
ACTIVE = STAGE = INDEX = ENDING = USED_ACTIONS = REVEALED = CHOICE = FIRINGS = DEPTH = EVENTS = 0
STRAYED = TURNS = USES = TAKES = GAINS = GAIN_RULES = FRAMES = FRAME = FRAME_MOST = 0
BLOCK = PC = ME = LOOP = LEFT = ROUNDS = MAY_STOP = DONE = CHOSEN = FIRST = ITEMS = 0
SETUP = TURN = TURN_OVER = FINISH = OVER = 0
ONCE_PHASES = SETUP_PHASES = AFTER_PHASES = FINISH_PHASES = MOST_TURNS = MOST_FIRINGS = 0
VERB_END = VERB_STOP = VERB_CHOOSE = VERB_USE = RULE_TURN = CHOOSING = REPEATING = BRANCHING = 0
REUSING = FRESH = READY = USED = BUILT = PLACED = MOVED = REMOVED = TOOK = LOST = TURN_START = 0
TURN_ENDED = FOLLOWS_BUILT = FOLLOWS_PLACED = FOLLOWS_MOVED = FOLLOWS_REMOVED = FOLLOWS_TOOK = 0
FOLLOWS_LOST = FOLLOWS_TURN_START = FOLLOWS_TURN_ENDED = TERRAIN_RULES = HEX_BITS = 0


def do_step(M: Memory, step: int, f: int) -> int:
    """Written from the rules: run a step; whether a decision is due."""
    return 0


def stage_begun(M: Memory, phase: int, player: int) -> None:
    """Written from the rules: begin a phase of set-up or finish."""


def turn_begun(M: Memory, player: int) -> None:
    """Written from the rules: begin the phases of a turn."""


def turn_forgotten(M: Memory) -> None:
    """Written from the rules: forget what lasts a turn."""


def tell(M: Memory) -> None:
    """Written from the rules: let them follow what happened."""


def next_item(M: Memory, block: int, f: int) -> None:
    """Written from the rules: bind the next item of a `for`, or leave the loop."""


def begin(M: Memory, path: int, f: int) -> None:
    """Written from the rules: begin an action, a reaction or an alternative."""


def chosen(M: Memory, step: int, f: int, hex: int) -> None:
    """Written from the rules: carry out a step for a hex, or a card."""


def alternatives(M: Memory, step: int, f: int) -> None:
    """Written from the rules: the moves that begin a branch."""


def result(M: Memory, out: Memory, at: int) -> int:
    """Written from the rules: the outcome; where the next one goes."""
    return at


# ------------------------------------------------------------------------------------------

# Chance


@inlined
def raw(M: Memory, at: int) -> int:
    M[at] = M[at] - 7046029254386353131  # 0x9E3779B97F4A7C15, as a signed number
    return mixed(M[at])


@inlined
def below(M: Memory, at: int, n: int) -> int:
    x = raw(M, at)
    if is_below(x * n, n):
        limit = remainder(n)
        while is_below(x * n, limit):
            x = raw(M, at)
    return times_high(x, n)


@native
def weighted(M: Memory, at: int, weights: int, number: int) -> int:
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
    M[MESSAGE + (at >> 3)] |= byte << 8 * (at & 7)
    return at + 1


@native
def put_number(M: Memory, at: int, number: int) -> int:
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


# Frames


@inlined
def top_frame(M: Memory) -> int:
    return FRAMES + (M[DEPTH] - 1) * FRAME


@inlined
def new_frame(M: Memory, block: int, me: int) -> int:
    """A frame on top of the others; its names are still to be bound."""
    if M[DEPTH] >= FRAME_MOST:
        M[FAULT] = OUT_OF_ROOM
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
    M[DEPTH] -= 1


@inlined
def go_on(M: Memory) -> None:
    f = top_frame(M)
    if M[f + LOOP] == 0 and M[f + PC] + 1 >= M[LENGTHS + M[f + BLOCK]]:
        pop(M)
    else:
        M[f + PC] += 1
        M[f + DONE] = 0
        M[f + CHOSEN] = 0


@inlined
def pass_over(M: Memory, f: int) -> None:
    if M[f + LOOP] == 2 and M[f + PC] + M[f + DONE] + M[f + CHOSEN] == 0:
        pop(M)
    else:
        go_on(M)


@native
def ended(M: Memory, f: int) -> None:
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


# Moves


@native
def add_group(M: Memory, verb: int, rule: int, path: int, hexes: Hexes) -> None:
    number = M[GROUP_COUNT]
    if number >= GROUP_MOST:
        M[FAULT] = OUT_OF_ROOM
        return
    at = GROUPS + number * GROUP_SIZE
    M[at] = verb
    M[at + 1] = rule
    M[at + 2] = path
    store(M, at + 8, hexes)
    M[GROUP_COUNT] = number + 1


@native
def stop(M: Memory, f: int, rule: int) -> None:
    if M[f + LOOP] == 2 and M[f + PC] + M[f + DONE] + M[f + CHOSEN] == 0:
        if M[f + ROUNDS] or M[f + MAY_STOP]:
            add_group(M, VERB_STOP, rule, 0, nothing())


@native
def same_group(M: Memory, a: int, b: int) -> bool:
    one, other = GROUPS + a * GROUP_SIZE, GROUPS + b * GROUP_SIZE
    if M[one] != M[other] or M[one + 1] != M[other + 1] or M[one + 2] != M[other + 2]:
        return False
    return not some(load(M, one + 8) ^ load(M, other + 8))


@native
def has_news_beyond(M: Memory, start: int, middle: int) -> bool:
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


# Facts


@inlined
def seat_of(player: int) -> int:
    return SEATS + player * SEAT


@inlined
def happened(M: Memory) -> None:
    M[EVENTS] += 1


@native
def news(M: Memory, kind: int, player: int, here: Hexes, origin: Hexes, strayed: int) -> None:
    number = M[NEWS_COUNT]
    if number >= NEWS_MOST:
        M[FAULT] = OUT_OF_ROOM
        return
    at = NEWS + number * NEWS_SIZE
    M[at] = kind
    M[at + 1] = player
    M[at + 2] = strayed
    store(M, at + 8, here)
    store(M, at + 8 + W, origin)
    M[NEWS_COUNT] = number + 1


@inlined
def lay(M: Memory, player: int, piece: int, hexes: Hexes) -> None:
    store(M, OCCUPIED, load(M, OCCUPIED) | hexes)
    if player < 0:
        store(M, NEUTRAL + piece * W, load(M, NEUTRAL + piece * W) | hexes)
    else:
        seat = seat_of(player)
        store(M, seat + ALL, load(M, seat + ALL) | hexes)
        store(M, seat + PIECES + piece * W, load(M, seat + PIECES + piece * W) | hexes)


@inlined
def take_up(M: Memory, player: int, piece: int, hexes: Hexes) -> None:
    store(M, OCCUPIED, load(M, OCCUPIED) & ~hexes)
    if player < 0:
        store(M, NEUTRAL + piece * W, load(M, NEUTRAL + piece * W) & ~hexes)
    else:
        seat = seat_of(player)
        store(M, seat + ALL, load(M, seat + ALL) & ~hexes)
        store(M, seat + PIECES + piece * W, load(M, seat + PIECES + piece * W) & ~hexes)


@native
def owner_of(M: Memory, hex: int) -> Groups:
    """The player, -1 for nobody, and the piece on a hex; -2 and -1 if it is empty."""
    for player in range(M[PLAYERS]):
        seat = seat_of(player)
        if bit_at(M, seat + ALL, hex):
            for piece in range(PIECE_KINDS):
                if bit_at(M, seat + PIECES + piece * W, hex):
                    return player, piece
    for piece in range(PIECE_KINDS):
        if bit_at(M, NEUTRAL + piece * W, hex):
            return -1, piece
    return -2, -1


@native
def under(M: Memory, owner: int, piece: int, hex: int) -> Hexes:
    if M[SIZES + piece] == 1:
        return single(hex)
    at = NEUTRAL if owner < 0 else seat_of(owner) + PIECES
    return star_of(M, load(M, at + piece * W), hex)


@inlined
def has_left(M: Memory, me: int, piece: int) -> bool:
    if M[NEUTRALS + piece]:
        return count(load(M, NEUTRAL + piece * W)) // M[SIZES + piece] < M[SUPPLIES + piece]
    return M[seat_of(me) + SUPPLY + piece] > 0


@inlined
def do_build(M: Memory, me: int, hex: int, piece: int) -> None:
    lay(M, me, piece, single(hex))
    M[seat_of(me) + SUPPLY + piece] -= 1
    happened(M)
    if FOLLOWS_BUILT:
        news(M, BUILT, me, single(hex), nothing(), M[STRAYED])


@native
def do_place(M: Memory, me: int, hex: int, piece: int) -> None:
    hexes = single(hex)
    if M[SIZES + piece] != 1:
        hexes = hexes | neighbours(M, hexes)
    owner = me
    if M[NEUTRALS + piece]:
        owner = -1
    else:
        M[seat_of(me) + SUPPLY + piece] -= 1
    lay(M, owner, piece, hexes)
    happened(M)
    if FOLLOWS_PLACED:
        news(M, PLACED, owner, hexes, nothing(), M[STRAYED])


@native
def do_move(M: Memory, me: int, origin: int, hex: int) -> None:
    owner, piece = owner_of(M, origin)
    take_up(M, owner, piece, single(origin))
    lay(M, owner, piece, single(hex))
    happened(M)
    if FOLLOWS_MOVED:
        news(M, MOVED, owner, single(hex), single(origin), 0)


@native
def taken_off(M: Memory, owner: int, piece: int, hexes: Hexes) -> None:
    take_up(M, owner, piece, hexes)
    happened(M)
    if FOLLOWS_REMOVED:
        news(M, REMOVED, owner, hexes, nothing(), 0)


@native
def do_remove(M: Memory, me: int, hex: int) -> None:
    owner, piece = owner_of(M, hex)
    if owner >= 0:
        M[seat_of(owner) + SUPPLY + piece] += 1
    taken_off(M, owner, piece, under(M, owner, piece, hex))


@native
def do_store(M: Memory, me: int, hex: int) -> None:
    owner, piece = owner_of(M, hex)
    taken_off(M, owner, piece, under(M, owner, piece, hex))


@native
def do_restore(M: Memory, me: int, number: int, piece: int) -> None:
    if number > 0:
        M[seat_of(me) + SUPPLY + piece] += number
        happened(M)


@native
def do_pay(M: Memory, me: int, number: int, piece: int) -> None:
    paid = min(number, M[seat_of(me) + SUPPLY + piece])
    if paid > 0:
        M[seat_of(me) + SUPPLY + piece] -= paid
        happened(M)


@native
def do_return(M: Memory, me: int, piece: int) -> None:
    at = seat_of(me) + PIECES + piece * W
    while some(load(M, at)):
        hexes = under(M, me, piece, lowest(load(M, at)))
        M[seat_of(me) + SUPPLY + piece] += 1
        taken_off(M, me, piece, hexes)


# Tiles


@native
def add_tile(M: Memory, me: int, kind: int, origin: int) -> None:
    at = seat_of(me) + TILES
    number = M[at]
    if number >= TILES_MOST:
        M[FAULT] = OUT_OF_ROOM
        return
    M[at + 1 + 3 * number] = kind
    M[at + 2 + 3 * number] = origin
    M[at + 3 + 3 * number] = FRESH
    M[at] = number + 1
    M[TAKES + me * TILE_KINDS + kind] += 1
    happened(M)


@native
def do_take(M: Memory, me: int, places: Hexes) -> None:
    places = places & load(M, STOCKED)
    while some(places):
        hex = lowest(places)
        places = places & ~single(hex)
        place = M[PLACE_AT + hex]
        M[STOCK + place] -= 1
        if M[STOCK + place] == 0:
            store(M, STOCKED, load(M, STOCKED) & ~single(hex))
        add_tile(M, me, M[PLACE_KIND + place], hex)
        if FOLLOWS_TOOK:
            news(M, TOOK, me, single(hex), nothing(), 0)


@native
def lose_tile(M: Memory, me: int, index: int, used_first: bool) -> None:
    at = seat_of(me) + TILES
    base = at + 1 + 3 * index
    kind, origin, status = M[base], M[base + 1], M[base + 2]
    M[at] -= 1
    for i in range(base, at + 1 + 3 * M[at]):
        M[i] = M[i + 3]
    if used_first and status == READY:
        for i in range(M[at]):
            if M[at + 1 + 3 * i] == kind and M[at + 3 + 3 * i] == USED:
                M[at + 3 + 3 * i] = READY
                break
    happened(M)
    if FOLLOWS_LOST:
        news(M, LOST, me, single(origin), nothing(), 0)


@native
def restocked(M: Memory, hex: int) -> None:
    M[STOCK + M[PLACE_AT + hex]] += 1
    store(M, STOCKED, load(M, STOCKED) | single(hex))
    happened(M)


@native
def lose_from(M: Memory, me: int, places: Hexes, used_first: bool, comes_back: bool) -> None:
    """Lose the tiles from some places, each the first held of its kind and origin."""
    at = seat_of(me) + TILES
    number = M[at]
    wanted = room(M, 2 * number)
    for i in range(number):
        M[wanted + 2 * i] = M[at + 1 + 3 * i]
        M[wanted + 2 * i + 1] = M[at + 2 + 3 * i]
    for i in range(number):
        kind, origin = M[wanted + 2 * i], M[wanted + 2 * i + 1]
        if origin >= 0 and has(places, origin):
            lose_tile(M, me, first_tile(M, me, kind, origin), used_first)
            if comes_back:
                restocked(M, origin)


@native
def first_tile(M: Memory, me: int, kind: int, origin: int) -> int:
    at = seat_of(me) + TILES
    for i in range(M[at]):
        if M[at + 1 + 3 * i] == kind and M[at + 2 + 3 * i] == origin:
            return i
    return 0


@native
def do_lose(M: Memory, me: int, places: Hexes, used_first: bool) -> None:
    if M[seat_of(me) + TILES]:
        lose_from(M, me, places, used_first, False)


@native
def do_restock(M: Memory, me: int, places: Hexes, used_first: bool) -> None:
    lose_from(M, me, places, used_first, True)


@native
def do_withdraw(M: Memory, me: int, places: Hexes) -> None:
    for place in range(M[PLACES]):
        hex = M[PLACE_HEX + place]
        if has(places, hex) and M[STOCK + place]:
            M[STOCK + place] = 0
            store(M, STOCKED, load(M, STOCKED) & ~single(hex))
            happened(M)


@native
def do_drop(M: Memory, me: int, kind: int, used_first: bool) -> None:
    at = seat_of(me) + TILES
    for i in range(M[at]):
        if M[at + 1 + 3 * i] == kind:
            origin = M[at + 2 + 3 * i]
            lose_tile(M, me, first_tile(M, me, kind, origin), used_first)
            return


@native
def do_ready(M: Memory, me: int) -> None:
    at = seat_of(me) + TILES
    is_news = False
    for i in range(M[at]):
        is_news = is_news or M[at + 3 + 3 * i] != READY
        M[at + 3 + 3 * i] = READY
    if is_news:
        happened(M)


@native
def do_spend(M: Memory, me: int, kind: int) -> None:
    if usable(M, me, kind) > 0:
        use_tile(M, me, kind)


@native
def use_tile(M: Memory, me: int, kind: int) -> None:
    """Mark a tile as used: a usable one, else one that is not used yet."""
    at = seat_of(me) + TILES
    unused = -1
    for i in range(M[at]):
        if M[at + 1 + 3 * i] == kind and M[at + 3 + 3 * i] != USED:
            if M[at + 3 + 3 * i] == READY:
                unused = i
                break
            if unused < 0:
                unused = i
    if unused < 0:
        unused = M[at] - 1
    M[at + 1 + 3 * unused] = kind
    M[at + 3 + 3 * unused] = USED
    M[USES + me * TILE_KINDS + kind] += 1
    happened(M)


@native
def use_action(M: Memory, bit: int) -> None:
    M[USED_ACTIONS] |= 1 << bit
    happened(M)


@native
def do_receive(M: Memory, me: int, kind: int) -> None:
    add_tile(M, me, kind, -1)


@native
def held(M: Memory, me: int, kind: int) -> int:
    at = seat_of(me) + TILES
    number = 0
    for i in range(M[at]):
        if M[at + 1 + 3 * i] == kind:
            number += 1
    return number


@native
def usable(M: Memory, me: int, kind: int) -> int:
    at = seat_of(me) + TILES
    number = 0
    for i in range(M[at]):
        if M[at + 1 + 3 * i] == kind and M[at + 3 + 3 * i] == READY:
            number += 1
    return number


@native
def fresh_from(M: Memory, me: int) -> Hexes:
    at = seat_of(me) + TILES
    found = nothing()
    for i in range(M[at]):
        if M[at + 3 + 3 * i] == FRESH and M[at + 2 + 3 * i] >= 0:
            found = found | single(M[at + 2 + 3 * i])
    return found


@native
def do_gain(M: Memory, me: int, gold: int, rule: int) -> None:
    if gold:
        gold = max(-1000000, min(1000000, gold))
        M[seat_of(me) + GOLD] += gold
        M[GAINS + me * GAIN_RULES + rule] += gold
        happened(M)


@inlined
def bounded(value: int) -> int:
    return max(-1000000, min(1000000, value))


# Cards


@native
def add_card(M: Memory, at: int, card: int) -> None:
    """Put a card at the end of a list: its length, then its cards."""
    if M[at] >= SHOWN_MOST:
        M[FAULT] = OUT_OF_ROOM
        return
    M[at + 1 + M[at]] = card
    M[at] += 1


@native
def take_card(M: Memory, at: int, card: int) -> None:
    """Take the first such card out of a list."""
    for i in range(M[at]):
        if M[at + 1 + i] == card:
            M[at] -= 1
            for j in range(i, M[at]):
                M[at + 1 + j] = M[at + 2 + j]
            return


@native
def all_to(M: Memory, source: int, target: int) -> None:
    for i in range(M[source]):
        add_card(M, target, M[source + 1 + i])
    M[source] = 0


@native
def do_play(M: Memory, me: int) -> None:
    hand = seat_of(me) + HAND
    if M[hand]:
        all_to(M, hand, SHOWN)
        happened(M)


@native
def cleared(M: Memory, pile: int) -> None:
    for at in (SHOWN, ASIDE):
        for i in range(M[at]):
            M[PILES + pile * CARDS_KINDS + M[at + 1 + i]] += 1
        M[at] = 0
    M[CHOICE] = -1
    happened(M)


@native
def do_discard(M: Memory, me: int) -> None:
    if M[SHOWN] or M[ASIDE]:
        cleared(M, 1)


@native
def do_keep(M: Memory, me: int) -> None:
    several = M[CHOICE] == -1 and M[SHOWN] > 1
    if M[ASIDE] or several:
        hand = seat_of(me) + HAND
        if several:
            all_to(M, SHOWN, hand)
        all_to(M, ASIDE, hand)
        happened(M)


@native
def do_remove_cards(M: Memory, me: int) -> None:
    if M[SHOWN] or M[ASIDE]:
        cleared(M, 2)


@native
def do_strike(M: Memory, me: int, terrain: int) -> None:
    """All cards with a terrain, in the deck and in hands, leave the game."""
    for card in range(CARDS_KINDS):
        if shows(M, card, terrain):
            M[PILES + 2 * CARDS_KINDS + card] += M[PILES + card]
            M[PILES + card] = 0
            for player in range(M[PLAYERS]):
                hand = seat_of(player) + HAND
                before = M[hand]
                for _ in range(before):
                    take_card(M, hand, card)
                M[PILES + 2 * CARDS_KINDS + card] += before - M[hand]
    happened(M)


@native
def shows(M: Memory, card: int, terrain: int) -> bool:
    """Whether a card has a terrain, be it on the board or not."""
    at = SHOWS + card * SHOWS_SIZE + SHOWS_SIZE // 2
    for i in range(M[at]):
        if M[at + 1 + i] == terrain:
            return True
    return False


@native
def do_remove_card(M: Memory, me: int, number: int) -> None:
    if 1 <= number <= M[SHOWN]:
        card = M[SHOWN + number]
        M[PILES + 2 * CARDS_KINDS + card] += 1
        take_card(M, SHOWN, card)
        M[CHOICE] = -1
        happened(M)


@native
def do_choose(M: Memory, me: int) -> None:
    if M[CHOICE] != -1:
        M[CHOICE] = -1
        happened(M)


@native
def do_draw(M: Memory, me: int, card: int) -> None:
    M[PILES + card] -= 1
    add_card(M, seat_of(me) + HAND, card)
    happened(M)


@native
def do_reveal(M: Memory, me: int, card: int) -> None:
    M[PILES + card] -= 1
    M[PILES + CARDS_KINDS + card] += 1
    M[REVEALED] = card
    happened(M)


@native
def do_reshuffle(M: Memory, me: int, pile: int) -> None:
    for card in range(CARDS_KINDS):
        number = M[PILES + pile * CARDS_KINDS + card]
        M[PILES + pile * CARDS_KINDS + card] = 0
        M[PILES + card] = 2 * number if pile == 0 else M[PILES + card] + number
    happened(M)


@native
def cards_in(M: Memory, pile: int) -> int:
    total = 0
    for card in range(CARDS_KINDS):
        total += M[PILES + pile * CARDS_KINDS + card]
    return total


@inlined
def terrain_played(M: Memory) -> int:
    if M[CHOICE] != -1:
        return M[CHOICE]
    if M[SHOWN] == 1:
        return M[SOLE + M[SHOWN + 1]]
    at, number = terrains(M)
    return M[at] if number == 1 else -1


@inlined
def is_open(M: Memory) -> bool:
    if M[CHOICE] != -1 or M[SHOWN] == 0:
        return False
    if M[SHOWN] == 1:
        return M[SOLE + M[SHOWN + 1]] == -1
    _, number = terrains(M)
    return number > 1


@native
def terrains(M: Memory) -> Groups:
    """The terrains there are to choose from: where they begin in the scratch, how many."""
    at = room(M, 64)
    number = 0
    if M[CHOICE] != -1:
        M[at] = M[CHOICE]
        return at, 1
    for i in range(M[SHOWN]):
        card = SHOWS + M[SHOWN + 1 + i] * SHOWS_SIZE
        for j in range(M[card]):
            is_known = False
            for k in range(number):
                is_known = is_known or M[at + k] == M[card + 1 + j]
            if not is_known and number < 64:
                M[at + number] = M[card + 1 + j]
                number += 1
    return at, number


@native
def choose_terrain(M: Memory, terrain: int) -> None:
    """Settle which of the cards face up is used; the others are set aside."""
    card = -1
    for i in range(M[SHOWN] - 1, -1, -1):
        at = SHOWS + M[SHOWN + 1 + i] * SHOWS_SIZE
        for j in range(M[at]):
            if M[at + 1 + j] == terrain:
                card = M[SHOWN + 1 + i]
    take_card(M, SHOWN, card)
    all_to(M, SHOWN, ASIDE)
    add_card(M, SHOWN, card)
    M[CHOICE] = terrain
    happened(M)


@inlined
def kind_hexes(M: Memory, terrain: int) -> Hexes:
    return load(M, KINDS + terrain * W) if terrain >= 0 else nothing()


@native
def revealed(M: Memory) -> Hexes:
    found = nothing()
    if M[REVEALED] >= 0:
        at = SHOWS + M[REVEALED] * SHOWS_SIZE + SHOWS_SIZE // 2
        for i in range(M[at]):
            found = found | load(M, KINDS + M[at + 1 + i] * W)
    return found


@native
def record_of(M: Memory, card: int) -> int:
    """Where the number of a card's terrains lies, be they on the board or not; 0 there for none."""
    if card >= 0:
        return SHOWS + card * SHOWS_SIZE + SHOWS_SIZE // 2
    at = room(M, 1)
    M[at] = 0
    return at


@native
def held_by_all(M: Memory, piece: int) -> Hexes:
    """The hexes with a piece of a kind, whoever owns it."""
    found = load(M, NEUTRAL + piece * W)
    for player in range(M[PLAYERS]):
        found = found | load(M, seat_of(player) + PIECES + piece * W)
    return found


@native
def room_for(M: Memory, piece: int) -> Hexes:
    """The hexes around which a piece finds all free that it covers."""
    if M[SIZES + piece] == 1:
        return load(M, FULL)
    free = load(M, FULL) & ~load(M, OCCUPIED)
    return inside(M, free)


@native
def remember_hexes(M: Memory, at: int, hexes: Hexes) -> None:
    if some(hexes ^ load(M, at)):
        store(M, at, hexes)
        happened(M)


@native
def remember_number(M: Memory, at: int, number: int) -> None:
    if M[at] != number:
        M[at] = number
        happened(M)


@inlined
def lifted_by(M: Memory, hex: int) -> Groups:
    """Take up a player's piece on a hex; whose it was, -1 if there is none, and its kind."""
    for player in range(M[PLAYERS]):
        seat = seat_of(player)
        if bit_at(M, seat + ALL, hex):
            piece = 0
            while not bit_at(M, seat + PIECES + piece * W, hex):
                piece += 1
            take_up(M, player, piece, single(hex))
            return player, piece
    return -1, 0


@inlined
def put_back(M: Memory, player: int, piece: int, hex: int) -> None:
    if player >= 0:
        lay(M, player, piece, single(hex))


@native
def place_among(M: Memory, at: int, number: int, value: int) -> int:
    """The rank of a value among some: ties do not use up the places below them."""
    place = 1
    for i in range(number):
        is_new = M[at + i] > value
        for j in range(i):
            is_new = is_new and M[at + j] != M[at + i]
        place += is_new
    return place


@native
def pend(M: Memory) -> None:
    """Keep the frame on top for later."""
    number = M[PENDING_COUNT]
    M[DEPTH] -= 1
    if number >= PENDING_MOST:
        M[FAULT] = OUT_OF_ROOM
        return
    for i in range(FRAME):
        M[PENDING + number * FRAME + i] = M[FRAMES + M[DEPTH] * FRAME + i]
    M[PENDING_COUNT] = number + 1


@native
def begin_pending(M: Memory) -> None:
    """Put the frames that were kept on the stack, the first on top."""
    for number in range(M[PENDING_COUNT] - 1, -1, -1):
        if M[DEPTH] >= FRAME_MOST:
            M[FAULT] = OUT_OF_ROOM
            return
        for i in range(FRAME):
            M[FRAMES + M[DEPTH] * FRAME + i] = M[PENDING + number * FRAME + i]
        M[DEPTH] += 1
    M[PENDING_COUNT] = 0


@inlined
def offer(M: Memory, number: int) -> None:
    at = M[OFFERED_TOP]
    if at >= OFFERED_MOST:
        M[FAULT] = OUT_OF_ROOM
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


@native
def has_unused(M: Memory, me: int, kind: int) -> bool:
    at = seat_of(me) + TILES
    for i in range(M[at]):
        if M[at + 1 + 3 * i] == kind and M[at + 3 + 3 * i] != USED:
            return True
    return False


# The course of the game


@native
def do_last_round(M: Memory, me: int) -> None:
    if not M[ENDING]:
        M[ENDING] = 1
        happened(M)


@native
def do_end_game(M: Memory, me: int) -> None:
    M[STAGE] = OVER
    M[INDEX] = 0
    M[DEPTH] = 0
    happened(M)


@native
def next_stage(M: Memory) -> None:
    stage, index = M[STAGE], M[INDEX]
    players = M[PLAYERS]
    if stage == SETUP:
        phase, player = index, 0
        if index >= ONCE_PHASES:
            index -= ONCE_PHASES
            if index < SETUP_PHASES * players:
                phase, player = ONCE_PHASES + index % max(SETUP_PHASES, 1), index // max(SETUP_PHASES, 1)
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
        happened(M)
        if FOLLOWS_TURN_ENDED:
            news(M, TURN_ENDED, index % players, nothing(), nothing(), 0)
    elif stage == TURN_OVER:
        if (index + 1) % players == 0 and (M[ENDING] or index >= MOST_TURNS):
            M[STAGE] = FINISH
            M[INDEX] = 0
        else:
            start_turn(M, index + 1)
    elif stage == FINISH:
        if index < FINISH_PHASES * players:
            M[INDEX] += 1
            first = ONCE_PHASES + SETUP_PHASES + AFTER_PHASES
            phases = max(FINISH_PHASES, 1)
            stage_begun(M, first + index % phases, index // phases)
        else:
            do_end_game(M, -1)


@native
def start_turn(M: Memory, index: int) -> None:
    player = index % M[PLAYERS]
    M[STAGE] = TURN
    M[INDEX] = index
    M[FIRINGS] = 0
    turn_begun(M, player)
    M[ACTIVE] = player
    M[USED_ACTIONS] = 0
    M[REVEALED] = -1
    turn_forgotten(M)
    M[TURNS] += 1
    happened(M)
    if FOLLOWS_TURN_START:
        news(M, TURN_START, player, nothing(), nothing(), 0)


@native
def run(M: Memory, floor: int) -> int:
    """Run until a decision is due (1), the stack is down to the floor (0), all is over (2)."""
    while True:
        depth = M[DEPTH]
        if M[FAULT]:
            return 2
        if floor >= 0 and depth <= floor:
            return 0
        if depth == 0:
            if M[STAGE] == OVER:
                M[WHO] = -1
                M[IS_DRAW] = 0
                return 2
            next_stage(M)
            if M[NEWS_COUNT]:
                tell(M)
            continue
        M[SCRATCH] = SCRATCH_START if floor < 0 else M[SCRATCH]
        f = top_frame(M)
        block, pc = M[f + BLOCK], M[f + PC]
        if pc >= M[LENGTHS + block]:
            ended(M, f)
        elif do_step(M, M[FIRST_STEP + block] + pc, f):
            return 1


# Rehearsals


@native
def save(M: Memory) -> int:
    """Keep the state; where it was put. None but the running frames are kept."""
    number = M[SAVED]
    if number >= SAVE_MOST:
        M[FAULT] = OUT_OF_ROOM
        number = SAVE_MOST - 1
    M[SAVED] = number + 1
    at = SAVES + number * SAVE_SIZE
    size = FRAMES + M[DEPTH] * FRAME - STATE
    for i in range(size):
        M[at + i] = M[STATE + i]
    M[at + SAVE_SIZE - 1] = size
    return at


@native
def restore(M: Memory, at: int) -> None:
    for i in range(M[at + SAVE_SIZE - 1]):
        M[STATE + i] = M[at + i]
    M[SAVED] -= 1


@native
def rehearsed(M: Memory, saved: int, floor: int, path: int, rule: int, knows_terrain: bool) -> None:
    """Play a block that was just begun until it asks for something or has done something.

    Adds the moves by which it can be begun, and takes everything back.
    """
    first = M[GROUP_COUNT]
    before = M[EVENTS]
    M[STRAYED] = 0
    due = again(M, floor)
    has_begun = M[EVENTS] != before or (due != 0 and M[WHO] < 0)
    needs_use = has_begun
    if not has_begun:
        for i in range(first, M[GROUP_COUNT]):
            at = GROUPS + i * GROUP_SIZE
            is_later = M[at + 2] != 0 or (knows_terrain and M[at] == VERB_CHOOSE)
            if is_later and (M[at + 1] != rule or not some(load(M, at + 8))):
                needs_use = True
    restore(M, saved)
    kept(M, first, path, rule, needs_use, not has_begun)


@native
def kept(M: Memory, first: int, path: int, rule: int, needs_use: bool, at_once: bool) -> None:
    """Of the groups found by a rehearsal, those with hexes of the rule itself, as its own."""
    last = M[GROUP_COUNT]
    start = room(M, (last - first + 1) * GROUP_SIZE)
    for i in range((last - first) * GROUP_SIZE):
        M[start + i] = M[GROUPS + first * GROUP_SIZE + i]
    M[GROUP_COUNT] = first
    if needs_use:
        add_group(M, VERB_USE, rule, path, nothing())
    if at_once:
        for i in range(last - first):
            at = start + i * GROUP_SIZE
            if M[at + 1] == rule and some(load(M, at + 8)):
                add_group(M, M[at], rule, path, load(M, at + 8))


# Decisions


@native
def choose_first(M: Memory, verb: int, rule: int, hex: int) -> int:
    """Go down to the step that offers a hex and choose; the group of another step, or -1."""
    while True:
        f = top_frame(M)
        step = M[FIRST_STEP + M[f + BLOCK]] + M[f + PC]
        kind = M[KIND_OF + step]
        if kind == CHOOSING:
            chosen(M, step, f, hex)
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
            go_on(M)
        elif M[at] == VERB_STOP:
            pop(M)
        elif M[at] == VERB_CHOOSE:
            choose_terrain(M, M[at + 1] - TERRAIN_RULES)
        else:
            chosen(M, M[FIRST_STEP + M[f + BLOCK]] + M[f + PC], f, hex)
        return


@inlined
def note(M: Memory, who: int, verb: int, rule: int, hex: int) -> None:
    number = M[TRACED]
    if 0 <= number < TRACE_MOST:
        at = TRACE + 4 * number
        M[at] = who
        M[at + 1] = verb
        M[at + 2] = rule
        M[at + 3] = hex
        M[TRACED] = number + 1


@native
def drawn(M: Memory) -> None:
    """Chance draws a card."""
    card = weighted(M, STREAMS, PILES, CARDS_KINDS)
    note(M, -1, -1, -1, card)
    f = top_frame(M)
    chosen(M, M[FIRST_STEP + M[f + BLOCK]] + M[f + PC], f, card)


@native
def decided(M: Memory) -> None:
    """Whoever must decide takes any move."""
    number = M[GROUP_COUNT]
    total = 0
    for i in range(number):
        total += max(1, count(load(M, GROUPS + i * GROUP_SIZE + 8)))
    who = M[WHO]
    index = below(M, STREAMS + who + 1, total)
    verb = rule = 0
    hex = -1
    for i in range(number):
        at = GROUPS + i * GROUP_SIZE
        hexes = load(M, at + 8)
        size = count(hexes)
        if index < max(size, 1):
            verb, rule = M[at], M[at + 1]
            if size:
                hex = nth(hexes, index)
            break
        index -= max(size, 1)
    note(M, who, verb, rule, hex)
    if who >= 0:
        M[DECISIONS + who] += 1
    resume(M, group_of(M, verb, rule, hex), verb, rule, hex)


@native
def play(M: Memory, seed: int) -> None:
    """A whole game."""
    seed_streams(M, seed)
    while True:
        M[GROUP_COUNT] = 0
        M[STRAYED] = 0
        if run(M, -1) != 1:
            return
        if M[IS_DRAW]:
            drawn(M)
        else:
            decided(M)


@native
def facts_of(M: Memory, out: Memory, at: int, me: int) -> int:
    """How often a player used and took tiles of each kind, and gold got in play, by rule."""
    for kind in range(TILE_KINDS):
        out[at + kind] = M[USES + me * TILE_KINDS + kind]
        out[at + TILE_KINDS + kind] = M[TAKES + me * TILE_KINDS + kind]
    at += 2 * TILE_KINDS
    for rule in range(GAIN_RULES):
        out[at + rule] = M[GAINS + me * GAIN_RULES + rule]
    return at + GAIN_RULES


@native
def kernel(M: Memory, what: int, number: int, seeds: Memory, out: Memory) -> int:
    """Run the machine down to a floor, or play so many games."""
    if what == 0:
        return run(M, number)
    at = 0
    for i in range(number):
        start(M)
        play(M, seeds[i])
        at = result(M, out, at)
    return at


@native
def start(M: Memory) -> None:
    """Everything as before set-up; a copy of that lies where the first saved state goes."""
    at = SAVES + SAVE_MOST * SAVE_SIZE
    for i in range(FRAMES - STATE):
        M[STATE + i] = M[at + i]
    M[FAULT] = M[SAVED] = M[GROUP_COUNT] = M[NEWS_COUNT] = M[OFFERED_TOP] = 0
    M[PENDING_COUNT] = 0
    M[SCRATCH] = SCRATCH_START
    if M[TRACED] > 0:
        M[TRACED] = 0
    for player in range(M[PLAYERS]):
        M[DECISIONS + player] = 0

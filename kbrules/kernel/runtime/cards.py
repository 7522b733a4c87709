"""Facts of cards, and the terrains they leave to choose."""

from __future__ import annotations

from kbrules.kernel.runtime.geometry import allocate_scratch
from kbrules.kernel.runtime.intrinsics import Groups, Hexes, Memory, inlined, load, native, nothing
from kbrules.kernel.runtime.names import *
from kbrules.kernel.runtime.pieces import count_event, seat_of


@native
def add_card(M: Memory, at: int, card: int) -> None:
    """Put a card at the end of a list: its length, then its cards."""
    if M[at] >= MAX_SHOWN:
        M[FAULT] = OUT_OF_CARDS
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
    """Move all cards of a list to another."""
    for i in range(M[source]):
        add_card(M, target, M[source + 1 + i])
    M[source] = 0


@native
def do_play(M: Memory, me: int) -> None:
    """Lay the hand face up."""
    hand = seat_of(me) + HAND
    if M[hand]:
        all_to(M, hand, SHOWN)
        count_event(M)


@native
def clear_cards(M: Memory, pile: int) -> None:
    """Put all cards face up on a pile."""
    for at in (SHOWN, ASIDE):
        for i in range(M[at]):
            M[PILES + pile * CARDS_KINDS + M[at + 1 + i]] += 1
        M[at] = 0
    M[CHOICE] = -1
    count_event(M)


@native
def do_discard(M: Memory, me: int) -> None:
    """Put the cards face up on the discards."""
    if M[SHOWN] or M[ASIDE]:
        clear_cards(M, 1)


@native
def do_keep(M: Memory, me: int) -> None:
    """Take back the cards that were not used."""
    has_choice = M[CHOICE] == -1 and M[SHOWN] > 1
    if M[ASIDE] or has_choice:
        hand = seat_of(me) + HAND
        if has_choice:
            all_to(M, SHOWN, hand)
        all_to(M, ASIDE, hand)
        count_event(M)


@native
def do_remove_cards(M: Memory, me: int) -> None:
    """Put the cards face up out of the game."""
    if M[SHOWN] or M[ASIDE]:
        clear_cards(M, 2)


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
    count_event(M)


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
    """Put one of the cards face up out of the game."""
    if 1 <= number <= M[SHOWN]:
        card = M[SHOWN + number]
        M[PILES + 2 * CARDS_KINDS + card] += 1
        take_card(M, SHOWN, card)
        M[CHOICE] = -1
        count_event(M)


@native
def do_choose(M: Memory, me: int) -> None:
    """Take back which terrain is used."""
    if M[CHOICE] != -1:
        M[CHOICE] = -1
        count_event(M)


@native
def do_draw(M: Memory, me: int, card: int) -> None:
    """Draw a card into the hand."""
    M[PILES + card] -= 1
    add_card(M, seat_of(me) + HAND, card)
    count_event(M)


@native
def do_reveal(M: Memory, me: int, card: int) -> None:
    """Turn up a card; it goes to the discards."""
    M[PILES + card] -= 1
    M[PILES + CARDS_KINDS + card] += 1
    M[REVEALED] = card
    count_event(M)


@native
def do_reshuffle(M: Memory, me: int, pile: int) -> None:
    """Make a pile part of the deck; number 3 is what lies face up."""
    if pile == 3:
        if M[SHOWN] or M[ASIDE]:
            clear_cards(M, 0)
        return
    for card in range(CARDS_KINDS):
        number = M[PILES + pile * CARDS_KINDS + card]
        M[PILES + pile * CARDS_KINDS + card] = 0
        M[PILES + card] += number
    count_event(M)


@native
def cards_in(M: Memory, pile: int) -> int:
    """How many cards lie in a pile."""
    total = 0
    for card in range(CARDS_KINDS):
        total += M[PILES + pile * CARDS_KINDS + card]
    return total


@inlined
def terrain_played(M: Memory) -> int:
    """The terrain in use; -1 if there is none, or more than one to choose from."""
    if M[CHOICE] != -1:
        return M[CHOICE]
    if M[SHOWN] == 1:
        return M[ONLY_TERRAIN + M[SHOWN + 1]]
    at, number = terrains(M)
    return M[at] if number == 1 else -1


@inlined
def is_open(M: Memory) -> bool:
    """Whether there is more than one terrain to choose from."""
    if M[CHOICE] != -1 or M[SHOWN] == 0:
        return False
    if M[SHOWN] == 1:
        return M[ONLY_TERRAIN + M[SHOWN + 1]] == -1
    _, number = terrains(M)
    return number > 1


@native
def terrains(M: Memory) -> Groups:
    """The terrains there are to choose from: where they begin in the scratch, how many."""
    if M[CHOICE] != -1:
        at = allocate_scratch(M, 1)
        M[at] = M[CHOICE]
        return at, 1
    at = shown_terrains(M)
    return at + 1, M[at]


@native
def shown_terrains(M: Memory) -> int:
    """A list of the terrains on the cards face up, each once."""
    at = allocate_scratch(M, 65)
    M[at] = 0
    for i in range(M[SHOWN]):
        card = SHOWS + M[SHOWN + 1 + i] * SHOWS_SIZE
        for j in range(M[card]):
            is_known = False
            for k in range(M[at]):
                is_known = is_known or M[at + 1 + k] == M[card + 1 + j]
            if not is_known and M[at] < 64:
                M[at] += 1
                M[at + M[at]] = M[card + 1 + j]
    return at


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
    count_event(M)


@inlined
def kind_hexes(M: Memory, terrain: int) -> Hexes:
    """The hexes of a kind; nothing if there is none."""
    return load(M, KINDS + terrain * W) if terrain >= 0 else nothing()


@native
def revealed(M: Memory) -> Hexes:
    """The hexes of the terrains of the card revealed last."""
    found = nothing()
    if M[REVEALED] >= 0:
        at = SHOWS + M[REVEALED] * SHOWS_SIZE + SHOWS_SIZE // 2
        for i in range(M[at]):
            found = found | load(M, KINDS + M[at + 1 + i] * W)
    return found


@native
def do_retire(M: Memory, me: int, which: int) -> None:
    """A scoring card leaves the game."""
    if M[IN_PLAY + which] != RETIRED:
        M[IN_PLAY + which] = RETIRED
        count_event(M)


@native
def do_bring(M: Memory, me: int, which: int) -> None:
    """A scoring card that lies beside the table comes into play."""
    if M[IN_PLAY + which] == BESIDE:
        M[IN_PLAY + which] = COUNTS
        count_event(M)


@native
def do_substitute(M: Memory, me: int, which: int, other: int) -> None:
    """A scoring card in play and one beside the table change places."""
    if M[IN_PLAY + which] == COUNTS and M[IN_PLAY + other] == BESIDE:
        M[IN_PLAY + which] = BESIDE
        count_event(M)
        M[IN_PLAY + other] = COUNTS
        count_event(M)


@native
def cards_at(M: Memory, where: int) -> int:
    """A list of the scoring cards in play, or of those beside the table."""
    at = allocate_scratch(M, IN_PLAY_SIZE + 1)
    M[at] = 0
    for card in range(IN_PLAY_SIZE):
        if M[IN_PLAY + card] == where:
            M[at] += 1
            M[at + M[at]] = card
    return at


@native
def record_of(M: Memory, card: int) -> int:
    """Where the number of a card's terrains lies, be they on the board or not; 0 there for none."""
    if card >= 0:
        return SHOWS + card * SHOWS_SIZE + SHOWS_SIZE // 2
    at = allocate_scratch(M, 1)
    M[at] = 0
    return at

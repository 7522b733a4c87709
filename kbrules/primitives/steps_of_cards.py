"""The steps that move cards between hand, table and piles."""

from __future__ import annotations

from kbrules.game.catalog import NONE
from kbrules.game.events_of_cards import (
    Cleared,
    Died,
    Drew,
    Entered,
    Kept,
    Played,
    PutBeside,
    Reopened,
    Reshuffled,
    Retired,
    Revealed,
    Struck,
)
from kbrules.game.move_context import MoveContext
from kbrules.game.state import SHOWN
from kbrules.game.view import View
from kbrules.primitives.registry import step


@step("play cards", example="play cards")
def play(context: MoveContext, me: int) -> None:
    """Lay the cards of the hand face up."""
    if context.draft.seats[me].hand:
        context.emit(Played(me))


@step("discard cards", example="discard cards")
def discard(context: MoveContext, me: int) -> None:
    """Put the cards that lie face up on the discards."""
    if context.draft.shown or context.draft.aside:
        context.emit(Cleared(me, "discards"))


@step("keep cards", example="keep cards")
def keep(context: MoveContext, me: int) -> None:
    """Take back into the hand the cards that lie face up and were not used.

    Those are the ones set aside when another was chosen; of several of which none was, all.
    """
    draft = context.draft
    if draft.aside or (draft.choice == NONE and len(draft.shown) > 1):
        context.emit(Kept(me))


@step("remove cards [of {terrain: terrain}]", example="remove cards")
def remove_cards(context: MoveContext, me: int, terrain: int | None) -> None:
    """Put the cards that lie face up out of the game; with `of`, those in the deck and in hands."""
    if terrain is not None:
        deck = context.board.catalog.deck
        context.emit(Struck(me, tuple(i for i, c in enumerate(deck) if terrain in c.terrains)))
    elif context.draft.shown or context.draft.aside:
        context.emit(Cleared(me, "removed"))


@step("remove card at {at: number}", example="remove card at dead(build)")
def remove_card(context: MoveContext, me: int, at: int) -> None:
    """Put one of the cards that lie face up out of the game: the first is 1."""
    if 1 <= at <= len(context.draft.shown):
        context.emit(Died(me, context.draft.shown[at - 1]))


@step("choose anew", example="choose anew")
def choose(context: MoveContext, me: int) -> None:
    """Take back which terrain of the card in use is used; another is to be chosen."""
    if context.draft.choice != NONE:
        context.emit(Reopened(me))


def deck(view: View) -> tuple[int, ...]:
    """How many cards of each kind are in the deck."""
    return view.state.piles[0]


@step("draw {count: number} card|cards", outcomes=deck, example="draw hand cards")
def draw(context: MoveContext, me: int, card: int) -> None:
    """Draw cards from the deck into the hand; chance decides, and the log remembers."""
    context.emit(Drew(me, card))


@step("reveal {count: number} card|cards", outcomes=deck, example="reveal 1 card")
def reveal(context: MoveContext, me: int, card: int) -> None:
    """Draw cards from the deck for all to see; they go to the discards, and `revealed` tells."""
    context.emit(Revealed(me, card))


@step("reshuffle {zone: zone}", example="reshuffle discards")
def reshuffle(context: MoveContext, me: int, zone: str) -> None:
    """Make a pile of cards part of the deck, or with `shown` the cards that lie face up."""
    if zone != SHOWN:
        context.emit(Reshuffled(me, zone))
    elif context.draft.shown or context.draft.aside:
        context.emit(Cleared(me, "deck"))


@step("retire {which: card}", example="retire rowers")
def retire(context: MoveContext, me: int, which: int) -> None:
    """Take a scoring card out of the game, be it in play or beside the table: it pays nobody."""
    if not context.draft.retired >> which & 1:
        context.emit(Retired(me, which))


@step("bring {which: card}", example="bring rowers")
def bring(context: MoveContext, me: int, which: int) -> None:
    """Put a scoring card that lies beside the table in play: it counts as if it always had."""
    if context.draft.beside >> which & 1:
        context.emit(Entered(me, which))


@step("substitute {which: card} with {other: card}", example="substitute rowers with rowers")
def substitute(context: MoveContext, me: int, which: int, other: int) -> None:
    """Put a scoring card in play beside the table, and one that lies there in play."""
    draft = context.draft
    is_in_play = which in context.cards and not draft.unscored >> which & 1
    if is_in_play and draft.beside >> other & 1:
        context.emit(PutBeside(me, which))
        context.emit(Entered(me, other))

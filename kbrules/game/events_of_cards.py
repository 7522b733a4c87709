"""Events of the cards: played, chosen, drawn, revealed, put on piles, taken out of the game."""

from __future__ import annotations

from typing import NamedTuple

from kbrules.game.catalog import NONE
from kbrules.game.draft_changes import set_hand, set_pile, with_item
from kbrules.game.state import ZONES, Draft


class Played(NamedTuple):
    """A player laid the hand face up."""

    player: int

    def fold(self, draft: Draft) -> None:
        seat = draft.seats[self.player]
        draft.shown = (*draft.shown, *seat.hand)
        set_hand(draft, self.player, ())


class Chose(NamedTuple):
    """A player chose a terrain of the cards laid face up; cards not chosen are set aside."""

    player: int
    card: int
    terrain: int

    def fold(self, draft: Draft) -> None:
        left = list(draft.shown)
        left.remove(self.card)
        draft.shown = (self.card,)
        draft.aside = (*draft.aside, *left)
        draft.choice = self.terrain


class Reopened(NamedTuple):
    """Which terrain of the card in use is used is to be chosen once more."""

    player: int

    def fold(self, draft: Draft) -> None:
        draft.choice = NONE


class Cleared(NamedTuple):
    """All cards laid face up went to one of the piles, those set aside too."""

    player: int
    zone: str

    def fold(self, draft: Draft) -> None:
        pile = list(draft.piles[ZONES.index(self.zone)])
        for card in (*draft.shown, *draft.aside):
            pile[card] += 1
        set_pile(draft, self.zone, tuple(pile))
        draft.shown = draft.aside = ()
        draft.choice = NONE


class Kept(NamedTuple):
    """A player took back what was not used: cards set aside, or several without a choice."""

    player: int

    def fold(self, draft: Draft) -> None:
        back = draft.aside
        if draft.choice == NONE and len(draft.shown) > 1:
            back = (*draft.shown, *back)
            draft.shown = ()
        draft.aside = ()
        set_hand(draft, self.player, (*draft.seats[self.player].hand, *back))


class Died(NamedTuple):
    """One card laid face up left the game; if it was the chosen one, the choice is open again."""

    player: int
    card: int

    def fold(self, draft: Draft) -> None:
        removed = draft.piles[ZONES.index("removed")]
        removed = with_item(removed, self.card, removed[self.card] + 1)
        set_pile(draft, "removed", removed)
        left = list(draft.shown)
        left.remove(self.card)
        draft.shown = tuple(left)
        draft.choice = NONE


class Drew(NamedTuple):
    """A player drew a card from the deck into the hand."""

    player: int
    card: int

    def fold(self, draft: Draft) -> None:
        deck = draft.piles[0]
        draft.piles = (with_item(deck, self.card, deck[self.card] - 1), *draft.piles[1:])
        hand = draft.seats[self.player].hand
        set_hand(draft, self.player, (*hand, self.card))


class Revealed(NamedTuple):
    """A card of the deck was shown to all and went to the discards at once."""

    player: int
    card: int

    def fold(self, draft: Draft) -> None:
        deck, discards, *rest = draft.piles
        deck = with_item(deck, self.card, deck[self.card] - 1)
        discards = with_item(discards, self.card, discards[self.card] + 1)
        draft.piles = (deck, discards, *rest)
        draft.revealed = self.card


class Reshuffled(NamedTuple):
    """All cards of a pile became part of the deck."""

    player: int
    zone: str

    def fold(self, draft: Draft) -> None:
        pile = draft.piles[ZONES.index(self.zone)]
        set_pile(draft, self.zone, (0,) * len(pile))
        deck = tuple(a + b for a, b in zip(draft.piles[0], pile, strict=True))
        set_pile(draft, "deck", deck)


class Entered(NamedTuple):
    """A scoring card that lay beside the table came into play."""

    player: int
    card: int

    def fold(self, draft: Draft) -> None:
        draft.beside &= ~(1 << self.card)


class Retired(NamedTuple):
    """A scoring card left the game."""

    player: int
    card: int

    def fold(self, draft: Draft) -> None:
        draft.beside &= ~(1 << self.card)
        draft.retired |= 1 << self.card


class PutBeside(NamedTuple):
    """A scoring card in play was put beside the table."""

    player: int
    card: int

    def fold(self, draft: Draft) -> None:
        draft.beside |= 1 << self.card


class Struck(NamedTuple):
    """All cards of some kinds that were in the deck or in a hand left the game."""

    player: int
    cards: tuple[int, ...]

    def fold(self, draft: Draft) -> None:
        deck, removed = list(draft.piles[0]), list(draft.piles[ZONES.index("removed")])
        for card in self.cards:
            removed[card] += deck[card]
            deck[card] = 0
        for player, seat in enumerate(draft.seats):
            for card in (card for card in seat.hand if card in self.cards):
                removed[card] += 1
            hand = tuple(card for card in seat.hand if card not in self.cards)
            set_hand(draft, player, hand)
        set_pile(draft, "deck", tuple(deck))
        set_pile(draft, "removed", tuple(removed))

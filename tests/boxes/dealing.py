"""Terrain cards dealt at random: one or more face up, chosen or not, and piles of every size."""

from __future__ import annotations

from collections import Counter
from random import Random

from tests.boxes.scene import Scene
from tests.oracle.ground import BUILDABLE

ALL_CARDS = Counter(dict.fromkeys(BUILDABLE, 5))


def living(s: Scene) -> list[str]:
    """The terrains on which somebody could build."""
    return [terrain for terrain in BUILDABLE if s.available(terrain)]


def deal(s: Scene, full: str | None, random: Random) -> None:
    """One card for everybody, or more; sometimes none is left in the deck, or none at all."""
    s.deck = ALL_CARDS.copy()
    first = full if full and random.random() < 0.7 else random.choice(living(s) or BUILDABLE)
    s.deck[first] -= 1
    s.shown = [first, *take_cards(s, random.choice([0, 0, 1, 1, 1, 2]), random)]
    if first != full or random.random() < 0.3:
        random.shuffle(s.shown)
    s.hands = [take_cards(s, random.choice([1, 1, 2]), random) for _ in s.supply]
    s.hands[s.mover].clear()
    if random.random() < 0.4:
        s.chosen, *s.aside = s.shown
        s.shown = [s.chosen]
    if random.random() < 0.03:
        s.shown, s.aside, s.chosen, s.deck = [], [], None, Counter()
    _pile(s, random)
    s.ending = any(not supply["settlement"] for supply in s.supply)


def take_cards(s: Scene, count: int, random: Random) -> list[str]:
    """Cards out of the deck."""
    drawn = random.sample(sorted(s.deck.elements()), count)
    s.deck.subtract(drawn)
    return drawn


def _pile(s: Scene, random: Random) -> None:
    """Now and then most or all cards of the deck on another pile; whatever is nowhere is gone."""
    pile = random.choice([s.discards, s.discards, s.removed])
    if random.random() < 0.4:
        left = random.choice([0, 0, 1, 2, 5])
        gone = take_cards(s, max(0, s.deck.total() - left), random)
        pile.update(gone)
    lying = [*s.shown, *s.aside, *(card for hand in s.hands for card in hand)]
    s.removed = ALL_CARDS - s.deck - s.discards - Counter(lying)

"""The answer in a sentence: what the card pays, beside which others, and whether it decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf

from kbrules.text import visible
from kbrules.tools.measuring.balance.ranking import CardFigures, CardRanking
from kbrules.tools.measuring.simulate.figures import Estimate

_NAMED = 3  # cards; more are counted


def sentence(ranking: CardRanking, titles: Mapping[str, str], kind: str) -> str:
    """Where a card stands with one kind of bot.

    titles: what the cards are called, by id. kind: what the others are, as in `official`.
    """
    card = ranking.candidate
    title = visible(titles[card.id])
    payment = f"{title} pays {gold_text(card.gold)} to {_player_text(ranking.bot)}"
    comparison = f": {_comparison_text(ranking, titles, kind)}" if ranking.others else ""
    decisive = f"without it another would have most gold in {percent_text(card.decisive)} of the"
    return f"{payment}{comparison}; {decisive} games."


def _player_text(bot: str) -> str:
    """A bot as a player: its name is a word of English unless it has a number."""
    if not bot.isalpha():
        return f"a player like `{bot}`"
    return f"an {bot} player" if bot[0] in "aeiou" else f"a {bot} player"


def gold_text(gold: Estimate) -> str:
    """An amount as people read it: `9.8 gold (95 %: 9.1 to 10.5)`."""
    if gold.margin == 0:  # which says little of others, if they are few
        return f"{gold.value:.1f} gold in each of {gold.games} games"
    interval = f" (95 %: {gold.low:.1f} to {gold.high:.1f})" if gold.margin < inf else ""
    return f"{gold.value:.1f} gold{interval}"


def percent_text(share: Estimate) -> str:
    """A share as people read it: `31 % (95 %: 20 to 44)`."""
    low, high = (f"{100 * end:.0f}" for end in (share.low, share.high))
    return f"{100 * share.value:.0f} % (95 %: {low} to {high})"


def _comparison_text(ranking: CardRanking, titles: Mapping[str, str], kind: str) -> str:
    """Which others pay less, which more, which about as much, and of which nothing is known."""
    count = len(ranking.others)
    parts = [
        f"{word} than {_cards_text(cards, titles, count, kind)}"
        for word, cards in (("more", ranking.below), ("less", ranking.above))
        if cards
    ]
    games = ranking.candidate.gold.games
    if near := ranking.near:
        nearest = _cards_text(near, titles, count, kind)
        parts.append(f"level with {nearest} as far as {games} games can tell")
    if unknown := ranking.unknown:
        those = _cards_text(unknown, titles, count, kind)
        parts.append(f"too few games ({games}) to say whether more or less than {those}")
    return ", ".join(parts)


def _cards_text(
    cards: Sequence[CardFigures], titles: Mapping[str, str], count: int, kind: str
) -> str:
    all_ = f"{kind} {'card' if count == 1 else 'cards'}"
    if len(cards) == count > 1:
        return f"all {count} {all_}"
    if len(cards) > _NAMED:
        return f"{len(cards)} of the {count} {all_}"
    return _and_list([visible(titles[card.id]) for card in cards])


def _and_list(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last

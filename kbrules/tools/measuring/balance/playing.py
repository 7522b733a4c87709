"""The games of a question, played deal by deal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from kbrules.engine.game import Game
from kbrules.engine.matches import Outcome, outcome
from kbrules.library.ruleset import Ruleset
from kbrules.tools.measuring.balance.tables import (
    BalanceQuestion,
    DealtGame,
    dealt_games,
    others_of,
)
from kbrules.tools.measuring.simulate.playing import REFERENCE_METHOD, PlayMethod, random_outcomes
from kbrules.tools.playing.bots import RANDOM


@dataclass(frozen=True, slots=True)
class CardPayments:
    """What a card paid each player of a game, and whether another had won without it.

    beside: the cards that lay there with it.
    """

    card: str
    gold: tuple[int, ...]
    decisive: bool
    other_cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SeedPayments:
    """All that was paid in the games of one seed between bots of one kind.

    games: how many there were. stand_ins: the invented maps that lay there.
    """

    bot: str
    seed: int
    paid: tuple[CardPayments, ...]
    games: int
    stand_ins: tuple[str, ...]


def results_of_seeds(
    ruleset: Ruleset,
    question: BalanceQuestion,
    seeds: Iterable[int],
    method: PlayMethod = REFERENCE_METHOD,
    fallbacks: list[int] | None = None,
) -> Iterator[SeedPayments]:
    """The results of some seeds, one for each bot; what they are depends on nothing else.

    method: how the games are played; what comes of them is the same. fallbacks: takes the seeds of
    games that need more room than the engine has, and are played by the reference.
    """
    others, fallbacks = (
        others_of(ruleset, question.card),
        [] if fallbacks is None else fallbacks,
    )
    for seed in seeds:
        games = list(dealt_games(ruleset, question, others, seed))
        for bot in question.bots:
            paid = [
                each
                for game in games
                for each in _card_payments(game, seed, bot, method, fallbacks)
            ]
            yield SeedPayments(bot, seed, tuple(paid), len(games), games[0].game.board.stand_ins)


def _card_payments(
    dealt: DealtGame, seed: int, bot: str, method: PlayMethod, fallbacks: list[int]
) -> Iterator[CardPayments]:
    game = dealt.game
    game_outcome = _outcome(game, seed, bot, method, fallbacks)
    for card in dealt.counted:
        gold = _gold(game, game_outcome, card)
        decisive = _leaders(game_outcome.totals) != _leaders(
            _totals_without(game_outcome.totals, gold)
        )
        yield CardPayments(card, gold, decisive, tuple(each for each in game.cards if each != card))


def _outcome(game: Game, seed: int, bot: str, method: PlayMethod, fallbacks: list[int]) -> Outcome:
    """The outcome of a game; one that is left to chance alone is played in a quicker way."""
    if bot == RANDOM:
        return next(random_outcomes(game, [seed], method.engine, fallbacks))
    return outcome(game, seed, [method.bot(bot)] * game.players)


def _gold(game: Game, game_outcome: Outcome, card: str) -> tuple[int, ...]:
    """What a card paid at the end and in play, for each player."""
    index = next((index for index, rule in enumerate(game.scoring.rules) if rule.id == card), None)
    at_end = [0 if index is None else paid[index] for paid in game_outcome.gold]
    in_play = [sum(gold for rule, gold in gains if rule == card) for gains in game_outcome.gains]
    return tuple(map(sum, zip(at_end, in_play, strict=True)))


def _leaders(totals: Sequence[int]) -> list[int]:
    """Whoever has most."""
    return [player for player, total in enumerate(totals) if total == max(totals)]


def _totals_without(totals: Sequence[int], gold: Sequence[int]) -> list[int]:
    return [total - paid for total, paid in zip(totals, gold, strict=True)]

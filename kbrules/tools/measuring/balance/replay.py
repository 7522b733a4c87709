"""A game of a balance played again: the one in which a card paid most."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kbrules.engine.game import Game
from kbrules.engine.matches import play_to_end
from kbrules.game.state import State
from kbrules.library.ruleset import Ruleset
from kbrules.tools.measuring.balance.playing import SeedPayments
from kbrules.tools.measuring.balance.tables import BalanceQuestion, dealt_games, others_of
from kbrules.tools.playing.bots import bot_named


@dataclass(frozen=True, slots=True)
class CardPayment:
    """The gold that the card asked about paid a player, and the seed and bot of the game."""

    seed: int
    bot: str
    player: int
    gold: int


def highest_payment(results: Iterable[SeedPayments], card: str) -> CardPayment | None:
    """The highest of the payments of a card, of equal ones the first; None if there is none."""
    payments = (
        CardPayment(result.seed, result.bot, player, gold)
        for result in results
        for each in result.paid
        if each.card == card
        for player, gold in enumerate(each.gold)
    )
    return max(payments, key=lambda payment: payment.gold, default=None)


def replay(ruleset: Ruleset, question: BalanceQuestion, payment: CardPayment) -> tuple[Game, State]:
    """The game of a payment, and its final state."""
    others = others_of(ruleset, question.card)
    game = next(dealt_games(ruleset, question, others, payment.seed)).game
    bots = [bot_named(payment.bot)] * game.players
    return game, play_to_end(game, payment.seed, bots)

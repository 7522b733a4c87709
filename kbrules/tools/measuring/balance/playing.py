"""The games of a question, played deal by deal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from kbrules.engine.game import Game
from kbrules.engine.matches.outcome import Outcome, outcome
from kbrules.library.ruleset import Ruleset
from kbrules.tools.measuring.balance.tables import DealtGame, Question, dealt_games, others_of
from kbrules.tools.measuring.simulate.playing import REFERENCE_METHOD, PlayMethod, even_outcomes
from kbrules.tools.playing.bots import RANDOM

__all__ = ["CardPayments", "Result", "played"]


@dataclass(frozen=True, slots=True)
class CardPayments:
    """What a card paid each player of a game, and whether another had won without it.

    beside: the cards that lay there with it.
    """

    card: str
    gold: tuple[int, ...]
    decided: bool
    beside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """All that was paid in the games of one seed between bots of one kind.

    games: how many there were. stand_ins: the invented maps that lay there.
    """

    bot: str
    seed: int
    paid: tuple[CardPayments, ...]
    games: int
    stand_ins: tuple[str, ...]


def played(
    ruleset: Ruleset,
    question: Question,
    seeds: Iterable[int],
    way: PlayMethod = REFERENCE_METHOD,
    slow: list[int] | None = None,
) -> Iterator[Result]:
    """The results of some seeds, one for each bot; what they are depends on nothing else.

    way: how the games are played; what comes of them is the same. slow: takes the seeds of games
    that need more room than the engine has, and are played by the reference.
    """
    others, slow = others_of(ruleset, question.card), [] if slow is None else slow
    for seed in seeds:
        games = list(dealt_games(ruleset, question, others, seed))
        for bot in question.bots:
            paid = [each for game in games for each in _paid(game, seed, bot, way, slow)]
            yield Result(bot, seed, tuple(paid), len(games), games[0].game.board.stand_ins)


def _paid(
    dealt: DealtGame, seed: int, bot: str, way: PlayMethod, slow: list[int]
) -> Iterator[CardPayments]:
    game = dealt.game
    came = _outcome(game, seed, bot, way, slow)
    for card in dealt.counted:
        gold = _gold(game, came, card)
        decided = _first(came.totals) != _first(_less(came.totals, gold))
        yield CardPayments(card, gold, decided, tuple(each for each in game.cards if each != card))


def _outcome(game: Game, seed: int, bot: str, way: PlayMethod, slow: list[int]) -> Outcome:
    """The outcome of a game; one that is left to chance alone is played in a quicker way."""
    if bot == RANDOM:
        return next(even_outcomes(game, [seed], way.engine, slow))
    return outcome(game, seed, [way.bot(bot)] * game.players)


def _gold(game: Game, came: Outcome, card: str) -> tuple[int, ...]:
    """What a card paid at the end and in play, for each player."""
    at = next((at for at, rule in enumerate(game.scoring.rules) if rule.id == card), None)
    ends = [0 if at is None else paid[at] for paid in came.gold]
    in_play = [sum(gold for rule, gold in gains if rule == card) for gains in came.gains]
    return tuple(map(sum, zip(ends, in_play, strict=True)))


def _first(totals: Sequence[int]) -> list[int]:
    """Whoever has most."""
    return [player for player, total in enumerate(totals) if total == max(totals)]


def _less(totals: Sequence[int], gold: Sequence[int]) -> list[int]:
    return [total - paid for total, paid in zip(totals, gold, strict=True)]

"""A card measured: games played until it is known well enough, and what they say of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import replace

from kbrules.library.ruleset import Ruleset
from kbrules.progress import OnProgress, silent
from kbrules.tools.measuring.balance.playing import SeedPayments
from kbrules.tools.measuring.balance.ranking import CardRanking, rank_card
from kbrules.tools.measuring.balance.result import BalanceResult
from kbrules.tools.measuring.balance.results import Results
from kbrules.tools.measuring.balance.seed_pool import PlayedSeeds, SeedPool
from kbrules.tools.measuring.balance.tables import BalanceQuestion, is_shipped, others_of
from kbrules.tools.measuring.simulate.figures import ERROR, InterimLook, looks
from kbrules.tools.measuring.simulate.playing import REFERENCE_METHOD, PlayMethod

_GAMES = "games with each card"


def measure(
    ruleset: Ruleset,
    question: BalanceQuestion,
    results: Results,
    max_games: int,
    command: Sequence[str] = (),
    until: float | None = None,
    jobs: int = 1,
    on_progress: OnProgress = silent,
    method: PlayMethod = REFERENCE_METHOD,
    executor: Executor | None = None,
) -> BalanceResult:
    """What is known of a card after at most so many games with each card and bot.

    results: for that question; what is there already is not played again. until: stop as soon as
    the gold of the candidate is known within so much to either side, with every bot. jobs:
    processes that play. on_progress: told how many deals are done, at first those that were; and
    how many processes play, if others do. method: how they play. executor: see `Parallel`.
    SetupError if no table can be laid, RulesChanged if the rules are no longer those that were
    loaded.
    """
    known: list[SeedPayments] = []
    rankings: tuple[CardRanking, ...] = ()
    done = max_games - sum(span.deals for span in results.missing(max_games))
    by_reference = 0
    on_progress(done, max_games, _GAMES)
    with SeedPool(ruleset, question, jobs, method, executor, on_progress) as pool:
        for look in [InterimLook(max_games, ERROR)] if until is None else looks(max_games):
            for span in _missing_spans(pool, question, results, look.games):
                results.add(span)
                by_reference += span.by_reference
                done += len(span.seeds)
                if not pool.is_starting:
                    on_progress(done, max_games, _GAMES)
            known = [*results.first(look.games)]
            rankings = _rankings(ruleset, question, known, look)
            if until is not None and all(each.candidate.gold.is_known(until) for each in rankings):
                break
    return replace(_result(ruleset, question, command, known, rankings), by_reference=by_reference)


def _missing_spans(
    pool: SeedPool, question: BalanceQuestion, results: Results, deals: int
) -> Iterator[PlayedSeeds]:
    """What is missing of so many deals."""
    for first, count in [*results.missing(deals)]:
        yield from pool.run(range(question.seed + first, question.seed + first + count))


def _rankings(
    ruleset: Ruleset, question: BalanceQuestion, results: Sequence[SeedPayments], look: InterimLook
) -> tuple[CardRanking, ...]:
    others = others_of(ruleset, question.card)
    return tuple(
        rank_card(results, question.card, others, bot, look.error) for bot in question.bots
    )


def _result(
    ruleset: Ruleset,
    question: BalanceQuestion,
    command: Sequence[str],
    results: Sequence[SeedPayments],
    rankings: tuple[CardRanking, ...],
) -> BalanceResult:
    others = others_of(ruleset, question.card)
    rules = (ruleset.rule(card) for card in (question.card, *others))
    return BalanceResult(
        question=question,
        command=tuple(command),
        rankings=rankings,
        titles={rule.id: rule.title or rule.id for rule in rules if rule is not None},
        kind="official" if all(is_shipped(ruleset, card) for card in others) else "other",
        deals=len(results) // len(question.bots),
        games=sum(result.games for result in results),
        digest=ruleset.digest,
        stand_ins=tuple(sorted({name for result in results for name in result.stand_ins})),
    )

"""A card measured until it is known well enough, and ranked among the others."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace

from kbrules import __version__
from kbrules.game.board import stand_in_note
from kbrules.library.ruleset import Ruleset
from kbrules.progress import OnProgress, silent
from kbrules.text import visible
from kbrules.tools.balance.playing import (
    BalanceQuestion,
    CardPayments,
    PlayedSeeds,
    SeedPayments,
    SeedPool,
    is_shipped,
    others_of,
)
from kbrules.tools.balance.results import Results
from kbrules.tools.simulate.figures import ERROR, Estimate, InterimLook, Tally, holm, looks, share
from kbrules.tools.simulate.playing import REFERENCE_METHOD, PlayMethod
from kbrules.tools.simulate.question import ruling_text

# The ranking of a card: its figures beside those of others, and significant gaps.


_NEAR_GOLD = 1.0
_NEAR_PART = 0.25
"""Cards pay about as much if their gap is surely below one gold, or a quarter of the larger."""


@dataclass(slots=True)
class CardTallies:
    """What is counted of one card: gold per player, best less worst in a game, decisive games.

    gap: by how much the candidate, the card that is measured, pays more in its place.
    """

    gold: Tally = field(default_factory=Tally)
    spread: Tally = field(default_factory=Tally)
    gap: Tally = field(default_factory=Tally)
    decisive: int = 0

    def add(self, paid: CardPayments) -> None:
        """Take in a game."""
        self.gold.add(sum(paid.gold), len(paid.gold))
        self.spread.add(max(paid.gold) - min(paid.gold))
        self.decisive += paid.decisive

    def compare(self, paid: CardPayments, candidate: CardPayments) -> None:
        """Take in two games of one seed, in which the two cards had company of the same kind."""
        self.gap.add(sum(candidate.gold) - sum(paid.gold), len(paid.gold))


@dataclass(frozen=True, slots=True)
class CardFigures:
    """The figures of a card, each with its interval.

    gold: per player and game. spread: best paid less worst paid of a game. decisive: in what
    share of the games somebody else would have most without it. gap: how much more the candidate
    pays; p_value: how often chance alone makes such a gap somewhere, the others considered (Holm).
    """

    id: str
    gold: Estimate
    spread: Estimate
    decisive: Estimate
    gap: Estimate
    p_value: float


@dataclass(frozen=True, slots=True)
class CardRanking:
    """One card among the others, with one kind of bot.

    candidate: the one that is measured. error: how often any of it may be wrong. deviation: that of
    the gap in one game, of the card of which it is largest.
    """

    bot: str
    candidate: CardFigures
    others: tuple[CardFigures, ...]
    error: float
    deviation: float

    @property
    def by_gold(self) -> list[CardFigures]:
        """All cards, the one that pays most first."""
        return sorted((self.candidate, *self.others), key=lambda card: (-card.gold.value, card.id))

    @property
    def below(self) -> list[CardFigures]:
        """The cards that surely pay less than the candidate."""
        return [card for card in self.others if card.gap.value > 0 and self._is_sure(card)]

    @property
    def above(self) -> list[CardFigures]:
        """The cards that surely pay more."""
        return [card for card in self.others if card.gap.value < 0 and self._is_sure(card)]

    @property
    def level(self) -> list[CardFigures]:
        """The cards that these games do not tell apart from it, the nearest first."""
        level = [card for card in self.others if not self._is_sure(card)]
        return sorted(level, key=lambda card: (abs(card.gap.value), card.id))

    @property
    def near(self) -> list[CardFigures]:
        """Those of them that surely pay about as much: the whole interval of the gap is small."""
        return [card for card in self.level if self._is_near(card)]

    @property
    def unknown(self) -> list[CardFigures]:
        """Those of them of which so few games say nothing."""
        return [card for card in self.level if not self._is_near(card)]

    def _is_near(self, card: CardFigures) -> bool:
        limit = max(_NEAR_GOLD, _NEAR_PART * max(self.candidate.gold.value, card.gold.value))
        gap = card.gap
        return gap.is_known(limit) and max(abs(gap.low), abs(gap.high)) <= limit

    def _is_sure(self, card: CardFigures) -> bool:
        return card.p_value < self.error

    @property
    def places(self) -> tuple[int, int]:
        """Its best and worst place that are still possible, 1 being the best."""
        return len(self.above) + 1, len(self.others) + 1 - len(self.below)


def rank_card(
    results: Iterable[SeedPayments],
    card: str,
    others: Sequence[str],
    bot: str,
    error: float = ERROR,
) -> CardRanking:
    """The ranking of a card by the results with one bot; others keep their order.

    Of cards that are not among the others nothing is told.
    """
    tallies = _tallies((each for each in results if each.bot == bot), card, others)
    p_values = holm([tallies[other].gap.chance() for other in others])
    figures = [
        _card_figures(other, tallies[other], p_value, error)
        for other, p_value in zip(others, p_values, strict=True)
    ]
    deviation = max((tallies[other].gap.deviation for other in others), default=0.0)
    candidate = _card_figures(card, tallies[card], 1.0, error)
    return CardRanking(bot, candidate, tuple(figures), error, deviation)


def _tallies(
    results: Iterable[SeedPayments], card: str, others: Sequence[str]
) -> Mapping[str, CardTallies]:
    tallies = {each: CardTallies() for each in (card, *others)}
    for result in results:
        candidate = next(paid for paid in result.paid if paid.card == card)
        for paid in (paid for paid in result.paid if paid.card in tallies):
            tallies[paid.card].add(paid)
            # Beside the candidate, a card that pays for the same things does better than
            # it ever does without; to compare the two there would be unjust to one of them.
            if paid.card not in candidate.other_cards:
                tallies[paid.card].compare(paid, candidate)
    return tallies


def _card_figures(id: str, tallies: CardTallies, p_value: float, error: float) -> CardFigures:
    decisive = share(tallies.decisive, tallies.gold.games, error)
    return CardFigures(
        id,
        tallies.gold.figure(error),
        tallies.spread.figure(error),
        decisive,
        tallies.gap.figure(error),
        p_value,
    )


# What was found out about a card, and what must be the same for it to come out the same.


def balance_command(
    question: BalanceQuestion, games: int, until: float | None = None
) -> tuple[str, ...]:
    """The words of the command that measures a card again."""
    boxes = [word for name in (*question.boxes, *question.folders) for word in ("--with", name)]
    bots = [word for bot in question.bots for word in ("--bots", bot)]
    rulings = (ruling_text(name, value) for name, value in question.options.items())
    return (
        *("kbrules", "balance", question.card, *boxes, "--players", str(question.players), *bots),
        *("--games", str(games), "--seed", str(question.seed)),
        *([] if until is None else ["--until", f"{until:g}"]),
        *(word for ruling in rulings for word in ("--option", ruling)),
    )


@dataclass(frozen=True, slots=True, eq=False)
class BalanceResult:
    """What was found out about a card.

    rankings: one for each bot. titles: of the cards, by id. kind: what the others are, such as
    `official`. deals: seeds that were played. digest: names the rules. stand_ins: invented maps.
    by_reference: games of this run that needed more room than the engine has.
    """

    question: BalanceQuestion
    command: tuple[str, ...]
    rankings: tuple[CardRanking, ...]
    titles: Mapping[str, str]
    kind: str
    deals: int
    games: int
    digest: str
    stand_ins: tuple[str, ...] = ()
    by_reference: int = 0

    def title(self, card: str) -> str:
        """What a card is called, without what cannot be printed."""
        return visible(self.titles[card])

    def provenance(self) -> Iterator[str]:
        """Where the figures come from: what must be the same for them to come out the same."""
        if any(each.error < ERROR for each in self.rankings):
            yield "the run stopped when it knew enough; its looks together miss 5 % at most"
        seeds = f"seeds {self.question.seed} to {self.question.seed + self.deals - 1}"
        yield (
            f"{self.games} games, {self.question.players} players, {seeds}; "
            f"kbrules {__version__}, rules {self.digest}"
        )
        if note := stand_in_note(self.stand_ins):
            yield note
        if self.by_reference:
            games = f"{self.by_reference} game{'s' if self.by_reference > 1 else ''}"
            yield f"{games} needed more room than the engine has: the reference played them"
        yield f"again: {visible(shlex.join(self.command))}"


# A card measured: games played until it is known well enough, and what they say of it.


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

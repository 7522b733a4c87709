"""A card measured until it is known well enough, ranked among the others, and reported."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

from kbrules import __version__
from kbrules.engine.game import Game
from kbrules.engine.matches import play_to_end
from kbrules.game.board import stand_in_note
from kbrules.game.state import State
from kbrules.hooks import OnProgress, silent
from kbrules.library.ruleset import Ruleset
from kbrules.text import visible
from kbrules.tools.balance import playing
from kbrules.tools.bots import bot_named
from kbrules.tools.reports import report
from kbrules.tools.reports.report import (
    Chart,
    ChartLine,
    ChartMark,
    Lines,
    Notes,
    Report,
    ReportTable,
    Sentences,
    charts_svg,
    scale,
)
from kbrules.tools.simulate.figures import (
    ERROR,
    Estimate,
    InterimAnalysis,
    Tally,
    detectable,
    games_needed,
    holm,
    interim_analyses,
    share,
)
from kbrules.tools.simulate.question import ruling_text
from kbrules.tools.simulate.run import REFERENCE_METHOD, PlayMethod

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

    def add(self, paid: playing.CardPayments) -> None:
        """Take in a game."""
        self.gold.add(sum(paid.gold), len(paid.gold))
        self.spread.add(max(paid.gold) - min(paid.gold))
        self.decisive += paid.decisive

    def compare(self, paid: playing.CardPayments, candidate: playing.CardPayments) -> None:
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
    results: Iterable[playing.SeedPayments],
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
    results: Iterable[playing.SeedPayments], card: str, others: Sequence[str]
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
    question: playing.BalanceQuestion, games: int, until: float | None = None
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

    question: playing.BalanceQuestion
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
    question: playing.BalanceQuestion,
    results: playing.Results,
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
    known: list[playing.SeedPayments] = []
    rankings: tuple[CardRanking, ...] = ()
    done = max_games - sum(span.deals for span in results.missing(max_games))
    by_reference = 0
    on_progress(done, max_games, _GAMES)
    with playing.SeedPool(ruleset, question, jobs, method, executor, on_progress) as pool:
        for look in (
            [InterimAnalysis(max_games, ERROR)] if until is None else interim_analyses(max_games)
        ):
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
    pool: playing.SeedPool, question: playing.BalanceQuestion, results: playing.Results, deals: int
) -> Iterator[playing.PlayedSeeds]:
    """What is missing of so many deals."""
    for first, count in [*results.missing(deals)]:
        yield from pool.run(range(question.seed + first, question.seed + first + count))


def _rankings(
    ruleset: Ruleset,
    question: playing.BalanceQuestion,
    results: Sequence[playing.SeedPayments],
    look: InterimAnalysis,
) -> tuple[CardRanking, ...]:
    others = playing.others_of(ruleset, question.card)
    return tuple(
        rank_card(results, question.card, others, bot, look.error) for bot in question.bots
    )


def _result(
    ruleset: Ruleset,
    question: playing.BalanceQuestion,
    command: Sequence[str],
    results: Sequence[playing.SeedPayments],
    rankings: tuple[CardRanking, ...],
) -> BalanceResult:
    others = playing.others_of(ruleset, question.card)
    rules = (ruleset.rule(card) for card in (question.card, *others))
    return BalanceResult(
        question=question,
        command=tuple(command),
        rankings=rankings,
        titles={rule.id: rule.title or rule.id for rule in rules if rule is not None},
        kind="official" if all(playing.is_shipped(ruleset, card) for card in others) else "other",
        deals=len(results) // len(question.bots),
        games=sum(result.games for result in results),
        digest=ruleset.digest,
        stand_ins=tuple(sorted({name for result in results for name in result.stand_ins})),
    )


# The answer in a sentence: what the card pays, beside which others, and whether it decides.


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


# The picture for a terminal: a line for each card, a mark for its gold, a stroke for its 95 %.


_WIDTH = 40  # columns of the scale
_LONGEST = 20  # letters of a title


def text_chart(ranking: CardRanking, titles: Mapping[str, str]) -> Iterator[str]:
    """Head, a line for each card with the one that pays most on top, and the scale below."""
    cards = ranking.by_gold
    low, high, step = scale([end for card in cards for end in card.gold.ends])
    names = {card.id: _cut(titles[card.id]) for card in cards}
    wide = max(map(len, names.values()))
    yield f"  {'':{wide}}   gold {'':{_WIDTH}} spread  decides"
    for card in cards:
        row = _text_row(card, (low, high), "=#" if card is ranking.candidate else "-o")
        mark = ">" if card is ranking.candidate else " "
        yield f"{mark} {names[card.id]:{wide}}  {card.gold.value:5.1f} {row} {_other_columns(card)}"
    yield f"  {'':{wide}}        {_ticks(low, high, step)}".rstrip()


def _other_columns(card: CardFigures) -> str:
    return f"{card.spread.value:6.1f}  {100 * card.decisive.value:5.0f} %"


def _cut(title: str) -> str:
    shown = visible(title)
    return shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 2]}.."


def _text_row(card: CardFigures, scale: tuple[float, float], signs: str) -> str:
    row = [" "] * (_WIDTH + 1)
    ends = [_column(value, *scale) for value in card.gold.ends]
    for at in range(ends[0], ends[-1] + 1):
        row[at] = signs[0]
    row[_column(card.gold.value, *scale)] = signs[1]
    return "".join(row)


def _column(value: float, low: float, high: float) -> int:
    return round((value - low) / (high - low) * _WIDTH)


def _ticks(low: float, high: float, step: float) -> str:
    row = [" "] * (_WIDTH + 8)
    for number in range(round((high - low) / step) + 1):
        text = f"{low + number * step:g}"
        at = _column(low + number * step, low, high)
        row[at : at + len(text)] = text
    return "".join(row)


# A game of a balance played again: the one in which a card paid most.


@dataclass(frozen=True, slots=True)
class CardPayment:
    """The gold that the card asked about paid a player, and the seed and bot of the game."""

    seed: int
    bot: str
    player: int
    gold: int


def highest_payment(results: Iterable[playing.SeedPayments], card: str) -> CardPayment | None:
    """The highest of the payments of a card, of equal ones the first; None if there is none."""
    payments = (
        CardPayment(result.seed, result.bot, player, gold)
        for result in results
        for each in result.paid
        if each.card == card
        for player, gold in enumerate(each.gold)
    )
    return max(payments, key=lambda payment: payment.gold, default=None)


def replay(
    ruleset: Ruleset, question: playing.BalanceQuestion, payment: CardPayment
) -> tuple[Game, State]:
    """The game of a payment, and its final state."""
    others = playing.others_of(ruleset, question.card)
    game = next(playing.dealt_games(ruleset, question, others, payment.seed)).game
    bots = [bot_named(payment.bot)] * game.players
    return game, play_to_end(game, payment.seed, bots)


_HEADS = ("card", "gold", "gap", "chance", "spread", "decides")
_MEANINGS = (
    "spread: the best paid player of a game less the worst paid, on average",
    "decides: how often somebody else would have most gold without what the card pays",
)
_COLUMNS = (
    "In brackets: where the truth lies with 95 %. The gap is by how much the card asked about pays "
    "more, on the same tables; chance: how often luck alone would make one of all these gaps so "
    "wide."
)


def balance_report(result: BalanceResult) -> Report:
    """The report for people and programs."""
    lines = [_sentence(result, each) for each in result.rankings]
    answers = [Sentences((each,)) for each in lines]
    figures = [_figure(result, each) for each in result.rankings]
    figures[-1:] = [replace(each, notes=(*each.notes, _COLUMNS)) for each in figures[-1:]]
    notes = Notes((*_MEANINGS, *result.provenance()))
    title = f"{result.title(result.question.card)}: what the card is worth"
    return Report(title, (*answers, *figures, notes), _data(result), lines)


def balance_svg(result: BalanceResult) -> str:
    """The charts in one picture, with where they come from at its foot."""
    label = f"What {result.title(result.question.card)} pays beside other cards"
    charts = [_chart(result, each) for each in result.rankings]
    return charts_svg(charts, label, list(result.provenance()))


def _sentence(result: BalanceResult, ranking: CardRanking) -> str:
    return sentence(ranking, result.titles, result.kind)


def _figure(result: BalanceResult, ranking: CardRanking) -> report.Figure:
    chart = _chart(result, ranking)
    lines = [chart.title, *text_chart(ranking, result.titles), *_place(ranking)]
    notes = tuple(f"{line.strip().capitalize()}." for line in _place(ranking))
    shown = (Lines(tuple(lines)),)
    return report.Figure(chart.title, chart, _table(result, ranking), shown, notes)


def _place(ranking: CardRanking) -> Iterator[str]:
    if ranking.others:
        best, worst = ranking.places
        places = f"{best}" if best == worst else f"{best} to {worst}"
        yield f"  place {places} of {len(ranking.others) + 1}{_power(ranking)}"


def _power(ranking: CardRanking) -> str:
    """How small a gap so many games would show, and what a gold of it takes."""
    games = ranking.candidate.gold.games
    if not 0 < ranking.deviation < float("inf"):
        return ""
    error = ranking.error / len(ranking.others)
    smallest_gap = detectable(ranking.deviation, games, error=error)
    needed = games_needed(1.0, ranking.deviation, error=error)
    text = f"; 4 of 5 such runs would show a gap of {smallest_gap:.1f} gold"
    return text + (f", {needed} games one of 1.0" if needed > games else "")


def _chart(result: BalanceResult, ranking: CardRanking) -> Chart:
    title = f"{ranking.bot}: gold of a player, {ranking.candidate.gold.games} games with each card"
    return Chart(title, tuple(_line(result, card, ranking) for card in ranking.by_gold))


def _line(result: BalanceResult, card: CardFigures, ranking: CardRanking) -> ChartLine:
    gold, title = card.gold, result.title(card.id)
    mark = ChartMark(gold.value, *gold.ends, f"{title}: {gold.text(1)} gold")
    return ChartLine(card.id, title, (mark,), card is ranking.candidate)


def _table(result: BalanceResult, ranking: CardRanking) -> ReportTable:
    rows = tuple(_row(result, card, ranking) for card in ranking.by_gold)
    return ReportTable(_HEADS, rows, frozenset({ranking.by_gold.index(ranking.candidate)}))


def _row(result: BalanceResult, card: CardFigures, ranking: CardRanking) -> tuple[str, ...]:
    gap = ("-", "-") if card is ranking.candidate else (_text(card.gap, "+"), f"{card.p_value:.3f}")
    ends = (card.decisive.value, card.decisive.low, card.decisive.high)
    value, low, high = (f"{100 * end:.0f}" for end in ends)
    decisive_text = f"{value} % ({low} to {high})"
    return result.title(card.id), _text(card.gold), *gap, _text(card.spread), decisive_text


def _text(figure: Estimate, sign: str = "") -> str:
    return figure.text(1, sign, label="")


def _data(result: BalanceResult) -> dict[str, Any]:
    return {
        "format": 1,
        "version": __version__,
        "rules": result.digest,
        "command": list(result.command),
        "card": result.question.card,
        "players": result.question.players,
        "seed": result.question.seed,
        "deals": result.deals,
        "games": result.games,
        "stand_ins": list(result.stand_ins),
        "bots": [_ranking_data(result, each) for each in result.rankings],
    }


def _ranking_data(result: BalanceResult, ranking: CardRanking) -> dict[str, Any]:
    return {
        "bot": ranking.bot,
        "sentence": _sentence(result, ranking),
        "places": list(ranking.places),
        "error": ranking.error,
        "asked": _card_data(ranking.candidate),
        "more_than": [card.id for card in ranking.below],
        "less_than": [card.id for card in ranking.above],
        "level_with": [card.id for card in ranking.near],
        "too_few_games_for": [card.id for card in ranking.unknown],
        "others": [
            {**_card_data(each), "gap": _figure_data(each.gap), "p": each.p_value}
            for each in ranking.others
        ],
    }


def _card_data(card: CardFigures) -> dict[str, Any]:
    return {
        "card": card.id,
        "gold": _figure_data(card.gold),
        "spread": _figure_data(card.spread),
        "decides": _figure_data(card.decisive),
    }


def _figure_data(figure: Estimate) -> dict[str, float | int | None]:
    low, high = (figure.low, figure.high) if figure.has_ends else (None, None)
    return {"value": figure.value, "low": low, "high": high, "games": figure.games}

"""The card that `kbrules balance` is asked about, and the report on what it is worth."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from kbrules.diagnostics import CodedError, quoted, suggest
from kbrules.game.board import stand_in_note
from kbrules.library.box import read_box, shipped_box, shipped_boxes
from kbrules.library.reading import RULES, author_folder, real_path, shown_name
from kbrules.library.ruleset import Ruleset
from kbrules.text import visible
from kbrules.tools.reports import data, report
from kbrules.tools.reports.charts import Chart, ChartLine, ChartMark, scale, shortened
from kbrules.tools.reports.report import Block, Lines, Notes, Report, ReportTable, Sentences
from kbrules.tools.simulate.figures import ERROR, Estimate, detectable, games_needed
from kbrules.tools.simulate.question import Company, balance_command
from kbrules.tools.simulate.ranking import CardFigures, CardRanking
from kbrules.tools.simulate.report import Answer

# Finds the card of a question: by name or title, by its file, or by its folder.


class CardNotFound(CodedError):
    """No card is meant, or more than one; `help` says what could be."""

    def __init__(self, code: str, message: str, help: str) -> None:
        super().__init__(message, help)
        self.code = code


def folder_of(name: str) -> Path | None:
    """The author's folder in which a card lies that is named by a path; None if it is no path.

    Raises CardNotFound for a path at which no card can lie.
    """
    path = Path(name)
    if not path.is_dir() and path.suffix != RULES:
        return None
    if not path.exists():
        raise CardNotFound("KB001", f"{quoted(name)} does not exist", "look for a slip in the path")
    folder = author_folder(path / "rules" if path.is_dir() else path)
    if folder is None:
        help = "it must lie in the folder of an expansion: `kbrules new expansion NAME` makes one"
        raise CardNotFound("KB006", f"{quoted(shown_name(path))} belongs to no expansion", help)
    return folder


def boxes_with(name: str) -> list[str]:
    """The shipped boxes in which a card of that id or title may lie."""
    plain_name = _plain(name)
    read = ((id, read_box(shipped_box(id))[0]) for id in shipped_boxes())
    models = ((id, box.model) for id, box in read if box is not None)
    return [id for id, each in models if plain_name in map(_plain, (*each.cards, *each.tasks))]


def card_in(ruleset: Ruleset, name: str) -> str:
    """The id of the card that is meant by id, title or path. Raises CardNotFound."""
    catalog = ruleset.catalog
    titles = {card: rule.title for card in catalog.cards if (rule := ruleset.rule(card))}
    path = Path(name)
    if path.is_dir() or path.suffix == RULES:
        return _single_card(path, [card for card in titles if _lies_in(ruleset, card, path)])
    plain_name = _plain(name)
    for card, title in titles.items():
        if plain_name in (_plain(card), _plain(title)):
            return card
    help = _elsewhere(name, ruleset) or _card_hint(plain_name, catalog.cards)
    raise CardNotFound("KB413", f"there is no card {quoted(name)}", help)


def _plain(name: str) -> str:
    return name.strip().lower().replace(" ", "_")


def _lies_in(ruleset: Ruleset, card: str, path: Path) -> bool:
    rule = ruleset.rule(card)
    assert rule is not None, "a card of the catalog has a rule"
    file, folder_or_file = real_path(Path(rule.span.source.name)), real_path(path)
    return file == folder_or_file or folder_or_file in file.parents


def _single_card(path: Path, cards: list[str]) -> str:
    if len(cards) == 1:
        return cards[0]
    if not cards:
        raise CardNotFound("KB413", f"there is no card in {quoted(shown_name(path))}", "")
    folder = author_folder(path / "rules" if path.is_dir() else path)
    named = f"`kbrules balance {cards[0]} --with {folder}`"
    message = f"there are several cards in {quoted(shown_name(path))}: {_joined(cards)}"
    raise CardNotFound("KB009", message, f"name one of them: {named}")


def _elsewhere(name: str, ruleset: Ruleset) -> str:
    """The box in which it is, if only that is missing."""
    is_shipped = {*ruleset.boxes} & {*shipped_boxes()}
    boxes = boxes_with(name) if is_shipped else []
    return f"it is in {quoted(boxes[0])}: add `--with {boxes[0]}`" if boxes else ""


def _card_hint(name: str, known: Collection[str]) -> str:
    near = suggest(name, known)
    if not known:
        return "no box that is in play has any card; name others with `--with`"
    return f"did you mean {quoted(near)}?" if near else f"the cards are {_joined(sorted(known))}"


def _joined(names: Iterable[str]) -> str:
    return ", ".join(map(quoted, names))


# The answer in a sentence: what the card pays, beside which others, and whether it decides.


_NAMED = 3  # cards; more are counted


def sentence(ranking: CardRanking, titles: Mapping[str, str], kind: str) -> str:
    """Where a card stands with one kind of bot.

    titles: what the cards are called, by id. kind: what the others are, as in `official`.
    """
    card = ranking.candidate
    title = visible(titles[card.id])
    payment = f"{title} pays {gold_text(card.gold)} to {player_text(ranking.bot)}"
    comparison = f": {_comparison_text(ranking, titles, kind)}" if ranking.others else ""
    decisive = f"without it another would have most gold in {percent_text(card.decisive)} of the"
    return f"{payment}{comparison}; {decisive} games."


def player_text(bot: str) -> str:
    """A bot as a player: its name is a word of English unless it has a number."""
    if not bot.isalpha():
        return f"a player like `{bot}`"
    return f"an {bot} player" if bot[0] in "aeiou" else f"a {bot} player"


def gold_text(gold: Estimate) -> str:
    """An amount as people read it: `9.8 gold (95 %: 9.1 to 10.5)`."""
    if gold.margin == 0:  # which says little of others, if they are few
        return f"{gold.value:.1f} gold in each of {gold.games} games"
    return gold.text(1, unit=" gold")


def percent_text(share: Estimate, label: str = "95 %: ") -> str:
    """A share as people read it: `31 % (95 %: 20 to 44)`."""
    value, low, high = (100 * end for end in (share.value, share.low, share.high))
    return Estimate(value, low, high, share.games).text(0, label=label, unit=" %")


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
    return and_list([visible(titles[card.id]) for card in cards])


def and_list(names: Sequence[str]) -> str:
    """Names as they are listed in a sentence."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


# The picture for a terminal: a line for each card, a mark for its gold, a stroke for its 95 %.


_WIDTH = 40  # columns of the scale
_LONGEST = 20  # letters of a title


def text_chart(ranking: CardRanking, titles: Mapping[str, str]) -> Iterator[str]:
    """Head, a line for each card with the one that pays most on top, and the scale below."""
    cards = ranking.by_gold
    low, high, step = scale([end for card in cards for end in card.gold.ends])
    names = {card.id: shortened(titles[card.id], _LONGEST) for card in cards}
    wide = max(map(len, names.values()))
    yield f"  {'':{wide}}   gold {'':{_WIDTH}} spread  decides"
    for card in cards:
        row = _text_row(card, (low, high), "=#" if card is ranking.candidate else "-o")
        mark = ">" if card is ranking.candidate else " "
        more = f"{card.spread.value:6.1f}  {100 * card.decisive.value:5.0f} %"
        yield f"{mark} {names[card.id]:{wide}}  {card.gold.value:5.1f} {row} {more}"
    yield f"  {'':{wide}}        {_ticks(low, high, step)}".rstrip()


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


# The report: sentences, a chart and a table for each kind of bot, and where they come from.


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


def balance_report(answer: Answer, command: Sequence[str] = ()) -> Report:
    """Return the report for people and programs on a question about a card.

    command: what plays the games again, if it is not the one of the question.
    """
    words = command or balance_command(answer.question, answer.deals, answer.until)
    lines = [_sentence(answer, each) for each in answer.rankings]
    answers = [Sentences((each,)) for each in lines]
    figures = [_figure(answer, each) for each in answer.rankings]
    figures[-1:] = [replace(each, notes=(*each.notes, _COLUMNS)) for each in figures[-1:]]
    notes = Notes((*_MEANINGS, *_provenance(answer, words)))
    title = f"{_title(answer, answer.question.beside)}: what the card is worth"
    caption = f"What {_title(answer, answer.question.beside)} pays beside other cards"
    blocks: list[Block] = [*answers, *figures, notes]
    return Report(title, blocks, _data(answer, words), lines, caption=caption)


def _title(answer: Answer, card: str) -> str:
    """Return what a card is called, without what cannot be printed."""
    return visible(answer.titles.get(card, card))


def _titles(answer: Answer) -> dict[str, str]:
    company = _company(answer)
    return {id: answer.titles.get(id, id) for id in (answer.question.beside, *company.others)}


def _company(answer: Answer) -> Company:
    company = answer.store.company
    assert company is not None, "the question is about a card"
    return company


def _sentence(answer: Answer, ranking: CardRanking) -> str:
    return sentence(ranking, _titles(answer), _company(answer).kind)


def _provenance(answer: Answer, command: Sequence[str]) -> Iterator[str]:
    """Yield where the figures come from: what must be the same for them to come out the same."""
    yield other_cards(answer)
    if answer.error < ERROR:
        yield "the run stopped when it knew enough; its looks together miss 5 % at most"
    first, last = answer.seeds
    yield (
        f"{answer.games} games, {answer.question.players} players, seeds {first} to {last}; "
        f"kbrules {answer.version}, rules {''.join(answer.rules)}"
    )
    if note := stand_in_note(answer.stand_ins):
        yield note
    yield f"again: {visible(shlex.join(command))}"


def other_cards(answer: Answer) -> str:
    """Say which cards lay on the tables of a question about a card."""
    company, title = _company(answer), _title(answer, answer.question.beside)
    number, kind = len(company.others), company.kind
    if not number:
        return f"on the table: {title} alone, for there is no other card of its kind"
    if company.room == 1 or number == 1:
        cards = f"the {number} {kind} cards lie" if number > 1 else f"the {kind} card lies"
        return f"on the table: {title} alone; {cards} on tables with the same board, one at a time"
    room = min(company.room, number)
    return (
        f"on the table: {title} and {room - 1} of the {number} {kind} cards, drawn for each deal; "
        f"all {number} lie on tables with the same board, {room} at a time"
    )


def _figure(answer: Answer, ranking: CardRanking) -> report.Figure:
    title = f"{ranking.bot}: gold of a player, {ranking.candidate.gold.games} games with each card"
    cards, candidate = ranking.by_gold, ranking.candidate
    chart = Chart(title, tuple(_line(answer, card, card is candidate) for card in cards))
    rows = tuple(_row(answer, card, card is candidate) for card in cards)
    table = ReportTable(_HEADS, rows, frozenset({cards.index(candidate)}))
    lines = [title, *text_chart(ranking, _titles(answer)), *_place(ranking)]
    notes = tuple(f"{line.strip().capitalize()}." for line in _place(ranking))
    return report.Figure(title, chart, table, (Lines(tuple(lines)),), notes)


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


def _line(answer: Answer, card: CardFigures, is_candidate: bool) -> ChartLine:
    gold, title = card.gold, _title(answer, card.id)
    mark = ChartMark(gold.value, *gold.ends, f"{title}: {gold.text(1)} gold")
    return ChartLine(card.id, title, (mark,), is_candidate)


def _row(answer: Answer, card: CardFigures, is_candidate: bool) -> tuple[str, ...]:
    gold, spread = (each.text(1, label="") for each in (card.gold, card.spread))
    gaps = ("-", "-") if is_candidate else (card.gap.text(1, "+", label=""), f"{card.p_value:.3f}")
    return _title(answer, card.id), gold, *gaps, spread, percent_text(card.decisive, "")


class GoldFigureData(data.Part):
    """A figure, and the interval in which the truth lies with 95 %."""

    value: float
    low: float | None
    """The ends of the interval; null if there is no end, or if all games gave the same."""
    high: float | None
    games: int
    """Number of games by which it is known, each on a table of its own."""


class CardData(data.Part):
    """What a card pays."""

    card: str
    gold: GoldFigureData
    """Gold of a player in a game."""
    spread: GoldFigureData
    """The best paid player of a game less the worst paid."""
    decides: GoldFigureData
    """Share of the games in which without it another player would have had the most gold."""


class OtherCardData(CardData):
    """What another card pays on the same tables."""

    gap: GoldFigureData
    """By how much the card in question pays more."""
    p: float
    """How often luck alone would make one of all gaps so wide."""


class RankingData(data.Part):
    """Where the card stands among the others when one bot plays."""

    bot: str
    sentence: str
    places: tuple[int, int]
    """The best and the worst place it may have."""
    error: float
    """How often an interval may miss the truth, after all interim analyses."""
    asked: CardData
    """The card in question."""
    more_than: tuple[str, ...]
    """Cards than which it surely pays more."""
    less_than: tuple[str, ...]
    level_with: tuple[str, ...]
    too_few_games_for: tuple[str, ...]
    """Cards of which nothing can be said yet."""
    others: tuple[OtherCardData, ...]


class BalanceData(data.Data):
    """What `kbrules balance` found."""

    version: str
    """The version of kbrules."""
    rules: str
    """A digest of the rules."""
    command: tuple[str, ...]
    card: str
    players: int
    seed: int
    """The seed of the first deal."""
    deals: int
    games: int
    stand_ins: tuple[str, ...]
    """Sections whose map is not the printed one."""
    other_cards: str
    """Which other cards lay on the tables."""
    bots: tuple[RankingData, ...]


def _data(answer: Answer, command: Sequence[str]) -> BalanceData:
    return BalanceData.from_value(
        answer,
        rules="".join(answer.rules),
        command=tuple(command),
        card=answer.question.beside,
        players=answer.question.players,
        seed=answer.question.seed,
        other_cards=other_cards(answer),
        bots=tuple(_ranking_data(answer, each) for each in answer.rankings),
    )


def _ranking_data(answer: Answer, ranking: CardRanking) -> RankingData:
    return RankingData.from_value(
        ranking,
        sentence=_sentence(answer, ranking),
        asked=CardData(**_card_figures(ranking.candidate)),
        more_than=tuple(card.id for card in ranking.below),
        less_than=tuple(card.id for card in ranking.above),
        level_with=tuple(card.id for card in ranking.near),
        too_few_games_for=tuple(card.id for card in ranking.unknown),
        others=tuple(
            OtherCardData(**_card_figures(each), gap=_figure_data(each.gap), p=each.p_value)
            for each in ranking.others
        ),
    )


def _card_figures(card: CardFigures) -> dict[str, Any]:
    return {
        "card": card.id,
        "gold": _figure_data(card.gold),
        "spread": _figure_data(card.spread),
        "decides": _figure_data(card.decisive),
    }


def _figure_data(figure: Estimate) -> GoldFigureData:
    low, high = (figure.low, figure.high) if figure.has_ends else (None, None)
    return GoldFigureData.from_value(figure, low=low, high=high)

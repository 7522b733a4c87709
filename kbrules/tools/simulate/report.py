"""The answer to a question: figures, sentences, charts and tables, and its origin."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import compress, count
from math import inf
from pathlib import Path
from time import perf_counter
from typing import Any

from kbrules.engine.setup import RANDOM
from kbrules.game.board import stand_in_note
from kbrules.text import visible
from kbrules.tools.reports import charts, data, report as reports
from kbrules.tools.simulate import run
from kbrules.tools.simulate.figures import ERROR, Estimate, interim_analyses
from kbrules.tools.simulate.question import Question, QuestionTables, side_names, simulate_command
from kbrules.tools.simulate.ranking import CardRanking, rankings
from kbrules.tools.simulate.results_file import MEMORY, Store

# The tables of figures of a simulation, for every form of report.


DIFFERENCE = -1
_SEATS = ("first", "second", "third", "fourth", "fifth", "sixth")
TOTAL = "total"


class ColumnData(data.Part):
    """A column of a table of figures."""

    lineup: str
    bot: str
    side: int
    """0 or 1; -1 for the difference of side 1 from side 0."""

    @property
    def who(self) -> str:
        """Who it is, in words."""
        if self.bot in ("", self.lineup):
            return self.lineup
        others = [*self.lineup.split(",")]
        others.remove(self.bot)
        return f"{self.bot} against {', '.join(others)}"


@dataclass(frozen=True, slots=True)
class FigureLine:
    """What one thing has in each column; None where it is not in the game."""

    id: str
    figures: tuple[Estimate | None, ...]


@dataclass(frozen=True, slots=True)
class FigureTable:
    """Figures of one kind. unit: what they count, in words. even: what they would all be if
    nothing mattered; None if that is nothing that can be said."""

    id: str
    unit: str
    columns: tuple[ColumnData, ...]
    lines: tuple[FigureLine, ...]
    digits: int = 2
    even: float | None = None

    def entries(self, id: str) -> Iterator[tuple[ColumnData, Estimate | None]]:
        """What one thing has in each column; nothing if there is no such thing."""
        line = self.line(id)
        return zip(self.columns, line.figures, strict=True) if line else iter(())

    def line(self, id: str) -> FigureLine | None:
        """The line about one thing."""
        return next((line for line in self.lines if line.id == id), None)


def figure_tables(summary: run.Summary, first: Sequence[str] = ()) -> Iterator[FigureTable]:
    """Yield all tables. first: the ids of what is told before all else."""
    question, per_player = summary.store.question, summary.per_player
    players, named, tiles = question.players, _ids_of(summary, "gold_"), _ids_of(summary, "taken_")
    table, of_games = partial(_table, summary), ("lineup",)
    rules = [*(id for id in first if id in named), *(id for id in named if id not in first)]
    gold = [per_player(column) for column in (*(f"gold_{id}" for id in rules), TOTAL)]
    yield table("gold", "gold a player and game", gold, [*rules, TOTAL])
    even = 100 / players
    if any(len({*lineup}) > 1 for lineup in question.lineups):  # players of different kinds
        yield table("wins", "per cent of the games won", [summary.wins], ["wins"], 1, even)
    seats = [_SEATS[p] if p < len(_SEATS) else str(p + 1) for p in range(players)]
    at_seats = [f"player = {player}" for player in range(players)]
    gold, wins = (list(map(each.where, at_seats)) for each in (per_player(TOTAL), summary.wins))
    yield table("seat_gold", "gold by seat", gold, seats)
    yield table("seat_wins", "per cent of the games won, by seat", wins, seats, 1, even)
    for what in ("taken", "used"):
        counted = [per_player(f"{what}_{tile}") for tile in tiles]
        yield table(f"tiles_{what}", f"tiles {what} a player and game", counted, tiles)
    yield table("length", "turns a game", [summary.per_game("turns")], ["turns"], by=of_games)
    yield table("ties", "per cent of the games tied", [summary.ties], ["ties"], 1, by=of_games)
    yield table("pace", "decisions a turn", [summary.pace], ["decisions"])


def _ids_of(summary: run.Summary, prefix: str) -> list[str]:
    """The ids of the rules or tiles that have a column with this prefix."""
    return [c.removeprefix(prefix) for c in summary.store.columns if c.startswith(prefix)]


def _table(
    summary: run.Summary,
    id: str,
    unit: str,
    measures: Sequence[run.Measure],
    ids: Sequence[str],
    digits: int = 2,
    even: float | None = None,
    by: tuple[str, ...] = ("lineup", "bot"),
) -> FigureTable:
    figures_of = _figures_by_column(summary, measures, by)
    columns = sorted(figures_of, key=lambda c: (c.lineup, c.bot, c.side % 3))
    lines = []
    for number, row_id in enumerate(ids):
        figures = tuple(figures_of[column][number] for column in columns)
        if any(figure is not None for figure in figures):
            lines.append(FigureLine(row_id, figures))
    return FigureTable(id, unit, tuple(columns), tuple(lines), digits, even)


def _figures_by_column(
    summary: run.Summary, measures: Sequence[run.Measure], by: tuple[str, ...]
) -> dict[ColumnData, list[Estimate | None]]:
    """The figures by column; between two sides only of what both have in their games."""
    figures_of = dict(_columns(summary.means(measures, ("side", *by))))
    if len(summary.store.question.sides) == 1:
        return figures_of
    gaps = {(DIFFERENCE, *key): gap for key, gap in summary.differences(measures, by).items()}
    for column, figures in _columns(gaps):
        before, after = (figures_of[ColumnData.from_value(column, side=side)] for side in (0, 1))
        compared = zip(measures, figures, before, after, strict=True)
        figures_of[column] = [
            gap if one and two and not measure.weight_differs else None
            for measure, gap, one, two in compared
        ]
    return figures_of


def _columns(
    figures_by_key: run.FiguresByKey,
) -> Iterator[tuple[ColumnData, list[Estimate | None]]]:
    for (side, lineup, *bot), figures in figures_by_key.items():
        name = str(bot[0]) if bot else ""
        column = ColumnData(lineup=str(lineup), bot=name, side=int(side))
        yield column, [figure if figure.games else None for figure in figures]


# The answer to a question: plays until the stop rule holds, and computes figures.


MOST = 10**9


@dataclass(frozen=True, slots=True)
class StopRule:
    """When a run ends: after so many deals, after so many seconds, or as soon as the interval of
    the figure asked for reaches no further than `until` to either side."""

    deals: int = MOST
    seconds: float = inf
    until: float = 0.0


@dataclass(frozen=True)
class Answer:
    """The figures of the first deals of a store.

    error: how often an interval may miss; less than usual if the run looked more than once.
    until: how well the run had to know before it stopped; 0 if that was no matter.
    """

    store: Store
    deals: int
    error: float = ERROR
    until: float = 0.0

    @cached_property
    def question(self) -> Question:
        """What was asked."""
        return self.store.question

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """What rules and tiles are called."""
        return self.store.fact("titles", dict[str, str])

    @property
    def version(self) -> str:
        """Of kbrules, when the games were played."""
        return self.store.facts["version"]

    @property
    def rules(self) -> tuple[str, ...]:
        """The digest of the rules of each side."""
        return tuple(self.store.fact("rules", list[str]))

    @property
    def command(self) -> str:
        """The command that gives these figures again."""
        return simulate_command(self.question, self.deals, self.until)

    @property
    def seeds(self) -> tuple[int, int]:
        """The first and the last seed."""
        return self.question.seed, self.question.seed + self.deals - 1

    @property
    def stand_ins(self) -> tuple[str, ...]:
        """The sections with an invented map that lay on a table."""
        return self.store.stand_ins

    @property
    def sides(self) -> tuple[str, ...]:
        """What each side is called; empty if there is only one."""
        return side_names(self.question, self.titles)

    @property
    def games(self) -> int:
        """How many games that were."""
        return self.deals * self.store.tables_per_deal * len(self.question.seatings)

    @cached_property
    def tables(self) -> tuple[FigureTable, ...]:
        """All figures."""
        return tuple(figure_tables(self._summary, self.chosen_cards))

    @property
    def _summary(self) -> run.Summary:
        return run.Summary(self.store, self.deals, self.error)

    @cached_property
    def rankings(self) -> tuple[CardRanking, ...]:
        """The ranking of the card that the question is about, for each bot."""
        return rankings(self.store, self.deals, self.error)

    @property
    def figures(self) -> Iterator[Estimate | None]:
        """All of them, one by one."""
        return (f for table in self.tables for line in table.lines for f in line.figures)

    @property
    def chosen_cards(self) -> tuple[str, ...]:
        """The cards that were asked for on any side."""
        return tuple(dict.fromkeys(c for side in reversed(self.question.sides) for c in side.cards))

    @property
    def target_figures(self) -> tuple[Estimate, ...]:
        """The figures that the question is about: what the first card pays, or all gold; between
        two sides the difference in all gold. One for each kind of players."""
        if self.question.beside:
            return tuple(each.candidate.gold for each in self.rankings)
        two = len(self.question.sides) > 1
        id = TOTAL if two or not self.chosen_cards else self.chosen_cards[0]
        table = next(figure_tables(self._summary, self.chosen_cards))
        line = table.line(id) or table.line(TOTAL)
        figures = zip(table.columns, line.figures if line else (), strict=bool(line))
        return tuple(f for c, f in figures if f and (c.side == DIFFERENCE) == two)


def answer_question(
    store: Store, pool: run.SpanPool, stop_rule: StopRule, on_progress: run.OnProgress
) -> Answer:
    """Play what is missing of a question that `store` was begun with, and tell the figures.

    Looks only at moments that are fixed beforehand, by numbers of games and never by what they
    say, and each look spends its part of the error: so the intervals hold what they say even of a
    run that stopped because it liked what it saw.
    """
    per_table, deadline = store.question.per_table, perf_counter() + stop_rule.seconds
    by_reference = 0

    def play(deals: int) -> None:
        nonlocal by_reference
        ends = on_progress, deadline, by_reference
        by_reference = run.play_until(store, pool, deals, per_table, *ends)

    store.set_target(stop_rule.until)
    return _answer_at_looks(store, stop_rule, play)


def answer_in_file(store: Store) -> Answer:
    """What a store says: the same as the run that was asked last, if that came to its end."""
    store.check()
    return _answer_at_looks(store, StopRule(store.done, until=store.until), lambda deals: None)


def _answer_at_looks(store: Store, stop_rule: StopRule, play: Callable[[int], None]) -> Answer:
    """Answer after as many interim analyses as it takes; `play` plays up to so many deals."""
    if not stop_rule.until:
        play(stop_rule.deals)
        return Answer(store, min(store.done, stop_rule.deals))
    per_table = store.question.per_table
    for look in interim_analyses(-(-stop_rule.deals // per_table)):
        deals = min(look.games * per_table, stop_rule.deals)
        play(deals)
        answer = Answer(store, min(store.done, deals), look.error, stop_rule.until)
        if answer.deals < deals or all(f.is_known(stop_rule.until) for f in answer.target_figures):
            break
    return answer


# What a simulation found out, in sentences.


_KNOWN_GOLD, _KNOWN_PERCENT = 2.0, 10.0
"""How wide the interval of a gap may be to either side for it to be called none."""


def sentences(answer: Answer) -> Iterator[str]:
    """What the figures say, in sentences."""
    yield _games_sentence(answer)
    yield from _gold_sentences(answer)
    yield from _win_sentences(answer)
    yield from _unused_tiles(answer)


def _games_sentence(answer: Answer) -> str:
    question = answer.question
    lineups = dict.fromkeys(seating.lineup for seating in question.seatings)
    who = " and then by ".join(lineup.replace(",", " against ") for lineup in lineups)
    sides = f", {answer.sides[0]} and {answer.sides[1]}" if len(answer.sides) > 1 else ""
    deals, games = (f"{n:,} {of}" for n, of in ((answer.deals, "deals"), (answer.games, "games")))
    return f"{deals} for {question.players} players, each played by {who}{sides}: {games}."


def _gold_sentences(answer: Answer) -> Iterator[str]:
    """What the cards asked for pay; between two sides what all gold comes to."""
    two = len(answer.sides) > 1
    for id in (TOTAL,) if two else answer.chosen_cards:
        for column, figure in answer.tables[0].entries(id):
            if figure is not None and two and column.side == DIFFERENCE:
                yield _gap_sentence(answer, column, figure)
            elif figure is not None and not two:
                yield f"{name_of(answer, id)} pays {_player(column)} {figure.text()} gold a game."


def _gap_sentence(answer: Answer, column: ColumnData, figure: Estimate) -> str:
    before, after = map(visible, answer.sides)
    if figure.low <= 0 <= figure.high:
        who, interval = _player(column), figure.text(sign="+")
        if figure.is_known(_KNOWN_GOLD):
            return f"No difference in gold is seen for {who}: {interval}."
        return f"Too few games to say whether {who} gets more {after} or {before}: {interval}."
    more = "more" if figure.value > 0 else "less"
    size = figure if figure.value > 0 else -figure
    return _capitalized(f"{_player(column)} gets {size.text()} gold {more} {after} than {before}.")


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def _player(column: ColumnData) -> str:
    return f"a {column.who} player" if column.bot == column.lineup else column.who


def _win_sentences(answer: Answer) -> Iterator[str]:
    """Who wins more often than their part: the first seat, or one kind of players."""
    last = len(answer.sides) - 1  # of two sides the one that is asked about
    tables = {table.id: table for table in answer.tables}
    for column, figure in tables["wins"].entries("wins") if "wins" in tables else ():
        if figure is not None and column.side == last and column.bot != column.lineup:
            yield _capitalized(f"{column.who} wins {figure.text(1, unit=' %')} of the games.")
    for column, figure in tables["seat_wins"].entries("first"):
        if figure is not None and column.side == last and column.bot == column.lineup:
            yield _first_seat_sentence(answer, column, figure)


def _first_seat_sentence(answer: Answer, column: ColumnData, figure: Estimate) -> str:
    part = 100 / answer.question.players
    is_known = figure.is_known(_KNOWN_PERCENT)
    verdict = "no advantage is seen" if is_known else "too few games to say who has an advantage"
    if not figure.low <= part <= figure.high:
        verdict = f"not {part:.1f}"
    of = f"The first of {answer.question.players} {column.bot} players"
    return f"{of} wins {figure.text(1, unit=' %')} of the games: {verdict}."


def _unused_tiles(answer: Answer) -> Iterator[str]:
    """Tiles that nobody used."""
    table = next(table for table in answer.tables if table.id == "tiles_used")
    unused = [
        line.id for line in table.lines if all(f is None or not f.value for f in line.figures)
    ]
    if unused:
        names = ", ".join(name_of(answer, id) for id in unused)
        yield f"Never used, as far as there is an action: {names}."


def name_of(answer: Answer, id: str) -> str:
    """What a thing is called."""
    return visible(answer.titles.get(id, id.replace("_", " ")))


# The report on a simulation: sentences, a chart and a table for each kind of figure, its origin.


_WIDEST = 3  # columns that stand side by side
_DIGITS = 6  # of a figure in the data
_CAPTION = "What the games say"


def simulation_report(answer: Answer) -> reports.Report:
    """The report for people and programs."""
    lines = tuple(sentences(answer))
    figures = [f for table in answer.tables for f in _ReportedTable(answer, table).figures()]
    notes = reports.Notes(tuple(_provenance(answer)))
    title = f"Simulation: {_about(answer)}"
    blocks: list[reports.Block] = [reports.Sentences(lines), *figures, notes]
    return reports.Report(title, blocks, _data(answer), lines, caption=_CAPTION)


def _about(answer: Answer) -> str:
    cards = ", ".join(name_of(answer, card) for card in answer.chosen_cards)
    side = answer.question.sides[-1]
    boxes = [visible(answer.titles.get(f"box {box}", box)) for box in side.boxes]
    return cards or " + ".join([*boxes, *side.folders])


def _side(answer: Answer, column: ColumnData) -> str:
    """What the side of a column is called; nothing if there is only one."""
    return "difference" if column.side == DIFFERENCE else visible(answer.sides[column.side])


@dataclass(frozen=True, slots=True)
class _ReportedTable:
    """A table of figures in a report: as charts, and as text in a terminal."""

    answer: Answer
    table: FigureTable

    def figures(self) -> Iterator[reports.Figure]:
        """Yield the figures; the differences between two sides have a scale of their own.

        In a terminal the two sides and their difference stand side by side instead, with the first.
        """
        text = tuple(self._text_tables()) if self.table.lines else ()
        for is_between in (False, True):
            of_kind = ((each.side == DIFFERENCE) is is_between for each in self.table.columns)
            chosen = [*compress(count(), of_kind)]
            if any(line.figures[i] is not None for line in self.table.lines for i in chosen):
                chart = self._chart(chosen, is_between)
                part = self._part(chosen, ("what", *map(self._head, chosen)))
                yield reports.Figure(chart.title, chart, part, text)
                text = ()

    def _chart(self, chosen: Sequence[int], is_between: bool) -> charts.Chart:
        title = f"{self.table.unit}, difference" if is_between else self.table.unit
        lines = (line for line in self.table.lines if any(line.figures[i] for i in chosen))
        shown = tuple(self._chart_line(line, chosen) for line in lines)
        even = None if is_between else self.table.even
        return charts.Chart(title, shown, tuple(map(self._head, chosen)), even)

    def _chart_line(self, line: FigureLine, chosen: Sequence[int]) -> charts.ChartLine:
        name = name_of(self.answer, line.id)
        marks: list[charts.ChartMark | None] = []
        for i in chosen:
            figure, digits = line.figures[i], self.table.digits
            spoken = f"{name}, {self._head(i)}: {figure.text(digits, label='')}" if figure else ""
            marks.append(charts.ChartMark(figure.value, *figure.ends, spoken) if figure else None)
        return charts.ChartLine(line.id, name, tuple(marks))

    def _text_tables(self) -> Iterator[reports.ReportTable]:
        """Yield the table in as many parts as are needed for columns to stand side by side."""
        columns = self.table.columns
        kinds = dict.fromkeys(column.who for column in columns)
        if len(self.answer.sides) < 2 and len(columns) <= _WIDEST:
            yield self._part(range(len(columns)), (self.table.unit, *kinds))
            return
        for who in kinds:
            chosen = [i for i, column in enumerate(columns) if column.who == who]
            heads = (_side(self.answer, columns[i]) or who for i in chosen)
            yield self._part(chosen, (f"{self.table.unit}, {who}", *heads))

    def _part(self, chosen: Sequence[int], heads: tuple[str, ...]) -> reports.ReportTable:
        rows = (
            (name_of(self.answer, line.id), *(self._cell(line, i) for i in chosen))
            for line in self.table.lines
        )
        return reports.ReportTable(heads, tuple(rows))

    def _cell(self, line: FigureLine, column: int) -> str:
        figure = line.figures[column]
        sign = "+" if self.table.columns[column].side == DIFFERENCE else ""
        return "-" if figure is None else figure.text(self.table.digits, sign, label="")

    def _head(self, at: int) -> str:
        """Return what stands above a column."""
        column = self.table.columns[at]
        return ", ".join(filter(None, (column.who, _side(self.answer, column))))


def origin(answer: Answer) -> str:
    """Where figures come from, in short."""
    first, last = answer.seeds
    rules = ", ".join(dict.fromkeys(answer.rules))
    return f"seeds {first} to {last}; kbrules {answer.version}; rules {rules}"


def other_cards(answer: Answer) -> str:
    """Say which cards lay on the tables next to those that were asked for."""
    question = answer.question
    drawn = "the cards that its seed draws"
    if question.setup != RANDOM:
        drawn = f"the cards of the set-up `{visible(question.setup)}`, or that its seed draws"
    if len(answer.sides) > 1:
        return f"on each table: the cards of the side and, the same on both sides, {drawn}"
    names = ", ".join(name_of(answer, card) for card in answer.chosen_cards)
    return f"on each table: {names}{' and ' if names else ''}{drawn}"


def _provenance(answer: Answer) -> Iterator[str]:
    """Where figures come from: what must be the same for them to come out the same."""
    yield other_cards(answer)
    each = f"; with {100 * (1 - answer.error):.5g} % at this look" if answer.error < ERROR else ""
    when = ", whenever the run stopped" if each else ""
    yield f"In brackets: where the truth lies with {100 * (1 - ERROR):g} %{when}{each}."
    if any(figure and not figure.margin for figure in answer.figures):
        yield "Each time: on every table that was played, which is no certainty of the others."
    yield origin(answer)
    if note := stand_in_note(answer.stand_ins):
        yield note
    yield f"again: {answer.command}"


class FigureData(data.Part):
    """A figure, and the interval in which the truth lies with 95 %."""

    value: float
    low: float | None
    """The ends of the interval; null if there is no end, or if all tables gave the same."""
    high: float | None
    tables: int
    """Number of independent tables by which it is known."""


class GamesData(data.Data):
    """The games that were played, and how to play them again."""

    format: int = 2
    question: Mapping[str, Any]
    """The question, as in the file of games."""
    deals: int
    games: int
    seeds: tuple[int, int]
    """The first and the last seed."""
    version: str
    """The version of kbrules."""
    rules: tuple[str, ...]
    """A digest of the rules of each side."""
    command: str
    error: float
    """How often an interval may miss the truth, after all interim analyses."""
    stand_ins: tuple[str, ...]
    """Sections whose map is not the printed one."""


class LineData(data.Part):
    """The figures of a thing."""

    id: str
    title: str
    figures: tuple[FigureData | None, ...]
    """One for each column; null where a thing is not in the game."""


class TableData(data.Part):
    """A table of figures of one kind."""

    id: str
    unit: str
    even: float | None
    """What all would have if nothing mattered; null if there is no such figure."""
    columns: tuple[ColumnData, ...]
    lines: tuple[LineData, ...]


class SimulationData(GamesData):
    """What `kbrules simulate` found."""

    sides: tuple[str, ...]
    other_cards: str
    """Which other cards lay on the tables."""
    sentences: tuple[str, ...]
    tables: tuple[TableData, ...]


def _data(answer: Answer) -> SimulationData:
    return SimulationData.from_value(
        answer,
        question=answer.question.to_json(),
        other_cards=other_cards(answer),
        sentences=tuple(sentences(answer)),
        tables=tuple(_table_data(answer, table) for table in answer.tables),
    )


def _table_data(answer: Answer, table: FigureTable) -> TableData:
    titles = (answer.titles.get(line.id, line.id) for line in table.lines)
    lines = [
        LineData(id=line.id, title=title, figures=tuple(map(figure_data, line.figures)))
        for line, title in zip(table.lines, titles, strict=True)
    ]
    return TableData.from_value(table, lines=tuple(lines))


def figure_data(figure: Estimate | None) -> FigureData | None:
    """Return a figure as data, None where there is none."""
    if figure is None:
        return None
    ends = (figure.low, figure.high) if figure.has_ends else (None, None)
    value, low, high = (each and round(each, _DIGITS) for each in (figure.value, *ends))
    return FigureData(value=value or 0.0, low=low, high=high, tables=figure.games)


# A simulation in one call, for programs: what `kbrules simulate` plays, by any executor.


def simulate(
    question: Question,
    deals: int,
    file: str | Path = MEMORY,
    executor: Executor | None = None,
    *,
    jobs: int = 1,
    method: run.PlayMethod = run.REFERENCE_METHOD,
    report: Callable[[Answer], reports.Report] = simulation_report,
) -> reports.Report:
    """The report on so many deals of a question; those that a file has are not played again.

    executor: one of `concurrent.futures` or alike, which stays open; without it, processes of our
    own. jobs: how many parts it does at once, or how many processes there are; one is this process.
    method: how games are played. report: what is made of the answer while the file is open.
    RulesError, SetupError, OtherQuestion or UnusableFile if there can be no answer.
    """
    tables = QuestionTables(question)
    tables.check()
    return report_on(tables, deals, file, run.pool_for(tables, jobs, method, executor), report)


def report_on(
    tables: QuestionTables,
    deals: int,
    file: str | Path,
    pool: run.SpanPool,
    report: Callable[[Answer], reports.Report],
    on_progress: run.OnProgress = lambda progress: None,
) -> reports.Report:
    """Return the report on so many deals of tables, which a pool plays; it is closed then."""
    with Store(file) as store, closing(pool):
        store.begin(tables)
        return report(answer_question(store, pool, StopRule(deals), on_progress))

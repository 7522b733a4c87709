"""The tables of figures of a simulation, for every form of report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kbrules.tools.measuring.simulate.figures import Estimate
from kbrules.tools.measuring.simulate.summary import FiguresByKey, Measure, Summary

DIFFERENCE = -1
_SEATS = ("first", "second", "third", "fourth", "fifth", "sixth")
TOTAL = "total"


@dataclass(frozen=True, slots=True)
class FigureColumn:
    """Whose figures stand in a column: players of a party, on one side, or between the two.

    bot: empty if it is about whole games.
    """

    party: str
    bot: str
    side: int

    @property
    def who(self) -> str:
        """Who it is, in words."""
        if self.bot in ("", self.party):
            return self.party
        others = [*self.party.split(",")]
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
    columns: tuple[FigureColumn, ...]
    lines: tuple[FigureLine, ...]
    digits: int = 2
    even: float | None = None

    def entries(self, id: str) -> Iterator[tuple[FigureColumn, Estimate | None]]:
        """What one thing has in each column; nothing if there is no such thing."""
        line = self.line(id)
        return zip(self.columns, line.figures, strict=True) if line else iter(())

    def line(self, id: str) -> FigureLine | None:
        """The line about one thing."""
        return next((line for line in self.lines if line.id == id), None)


def figure_tables(summary: Summary, first: Sequence[str] = ()) -> Iterator[FigureTable]:
    """All tables. first: the ids of what is told before all else."""
    yield _gold(summary, first)
    yield from _wins(summary)
    yield from _by_seat(summary)
    yield from _tiles(summary)
    yield from _game_course(summary)


def _gold(summary: Summary, first: Sequence[str]) -> FigureTable:
    named = _ids_of(summary, "gold_")
    rules = [*(id for id in first if id in named), *(id for id in named if id not in first)]
    columns = [*(f"gold_{id}" for id in rules), TOTAL]
    measures = [summary.per_player(column) for column in columns]
    return _table("gold", "gold a player and game", summary, measures, [*rules, TOTAL])


def _wins(summary: Summary) -> Iterator[FigureTable]:
    """Who wins of those who play each other, if they are of different kinds."""
    question = summary.store.question
    if any(len({*party}) > 1 for party in question.parties):
        wins, even = [summary.wins], 100 / question.players
        yield _table("wins", "per cent of the games won", summary, wins, ["wins"], 1, even)


def _by_seat(summary: Summary) -> Iterator[FigureTable]:
    players = summary.store.question.players
    for id, unit, measure, digits, even in (
        ("seat_gold", "gold by seat", summary.per_player(TOTAL), 2, None),
        ("seat_wins", "per cent of the games won, by seat", summary.wins, 1, 100 / players),
    ):
        of_seats = [measure.where(f"player = {player}") for player in range(players)]
        names = [_SEATS[p] if p < len(_SEATS) else str(p + 1) for p in range(players)]
        yield _table(id, unit, summary, of_seats, names, digits, even)


def _tiles(summary: Summary) -> Iterator[FigureTable]:
    tiles = _ids_of(summary, "taken_")
    for what in ("taken", "used"):
        measures = [summary.per_player(f"{what}_{tile}") for tile in tiles]
        yield _table(f"tiles_{what}", f"tiles {what} a player and game", summary, measures, tiles)


def _ids_of(summary: Summary, prefix: str) -> list[str]:
    """The ids of the rules or tiles that have a column with this prefix."""
    return [c.removeprefix(prefix) for c in summary.store.columns if c.startswith(prefix)]


def _game_course(summary: Summary) -> Iterator[FigureTable]:
    per_game = [summary.per_game("turns")]
    yield _table("length", "turns a game", summary, per_game, ["turns"], by=("party",))
    shared = [summary.ties]
    yield _table("ties", "per cent of the games tied", summary, shared, ["ties"], 1, by=("party",))
    yield _table("pace", "decisions a turn", summary, [summary.pace], ["decisions"])


def _table(
    id: str,
    unit: str,
    summary: Summary,
    measures: Sequence[Measure],
    ids: Sequence[str],
    digits: int = 2,
    even: float | None = None,
    by: tuple[str, ...] = ("party", "bot"),
) -> FigureTable:
    figures_of = _figures_by_column(summary, measures, by)
    columns = sorted(figures_of, key=lambda c: (c.party, c.bot, c.side % 3))
    lines = []
    for number, row_id in enumerate(ids):
        figures = tuple(figures_of[column][number] for column in columns)
        if any(figure is not None for figure in figures):
            lines.append(FigureLine(row_id, figures))
    return FigureTable(id, unit, tuple(columns), tuple(lines), digits, even)


def _figures_by_column(
    summary: Summary, measures: Sequence[Measure], by: tuple[str, ...]
) -> dict[FigureColumn, list[Estimate | None]]:
    """The figures by column; between two sides only of what both have in their games."""
    figures_of = dict(_columns(summary.means(measures, ("side", *by))))
    if len(summary.store.question.sides) == 1:
        return figures_of
    gaps = {(DIFFERENCE, *key): gap for key, gap in summary.differences(measures, by).items()}
    for column, figures in _columns(gaps):
        before, after = (
            figures_of[FigureColumn(column.party, column.bot, side)] for side in (0, 1)
        )
        compared = zip(measures, figures, before, after, strict=True)
        figures_of[column] = [
            gap if one and two and not measure.weight_differs else None
            for measure, gap, one, two in compared
        ]
    return figures_of


def _columns(figures_by_key: FiguresByKey) -> Iterator[tuple[FigureColumn, list[Estimate | None]]]:
    for (side, party, *bot), figures in figures_by_key.items():
        column = FigureColumn(str(party), str(bot[0]) if bot else "", int(side))
        yield column, [figure if figure.games else None for figure in figures]

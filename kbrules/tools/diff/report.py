"""Two sets of rules compared: what they do, what the change is worth, and the report of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import inf
from operator import sub
from statistics import mean, quantiles

from kbrules.engine import matches, setup
from kbrules.engine.game import Game
from kbrules.hooks import OnProgress, silent, with_progress
from kbrules.scenario.reader import PLAYERS
from kbrules.tools.diff import positions as differing
from kbrules.tools.reports.data import Data, Part
from kbrules.tools.reports.report import Lines, Report, Style
from kbrules.tools.sampling import drawn_table
from kbrules.tools.simulate.figures import Tally

# What the change is worth: the same games under both rules, and the gold they end with.


TOTAL = "total"


@dataclass(frozen=True, slots=True)
class GoldChange:
    """What a rule pays a player in a game: before and after, game by game, seat by seat.

    Both begin from the same table and the same seeds. seats: how many players each game has.
    """

    about: str
    before: tuple[int, ...]
    after: tuple[int, ...]
    seats: tuple[int, ...]

    @property
    def change(self) -> float:
        """By how much it pays more on average."""
        return mean(self.after) - mean(self.before)

    @property
    def margin(self) -> float:
        """Half of the interval in which the true change lies with 95 %."""
        tally, gaps = Tally(), map(sub, self.after, self.before)
        for seats in self.seats:
            tally.add(sum(islice(gaps, seats)), seats)
        return tally.figure().margin

    @property
    def spread(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Least, lower quarter, middle, upper quarter and most, before and after."""
        return _five_numbers(self.before), _five_numbers(self.after)


def _five_numbers(values: Sequence[int]) -> tuple[int, ...]:
    inner = quantiles(values, n=4, method="inclusive") if len(values) > 1 else [*values] * 3
    return (min(values), *(round(value) for value in inner), max(values))


def gold_changes(
    versions: differing.Versions,
    count: int,
    seed: int,
    bot: matches.Bot,
    on_progress: OnProgress = silent,
) -> tuple[int, list[GoldChange]]:
    """How many games were played under both rules, and what each changed card and all paid."""
    cards = versions.changes.cards
    before: dict[str, list[int]] = {}
    after: dict[str, list[int]] = {}
    seats: list[int] = []
    for game_seed in with_progress(range(seed, seed + count), "games", on_progress):
        pair = _tables(versions, game_seed)
        if pair is None:
            continue
        seats.append(pair[0].players)
        for game, golds in zip(pair, (before, after), strict=True):
            played = matches.outcome(game, game_seed, [bot] * game.players)
            for paid, total in zip(played.paid(game.scoring.ids), played.totals, strict=True):
                for about in cards:
                    golds.setdefault(about, []).append(paid.get(about, 0))
                golds.setdefault(TOTAL, []).append(total)
    changed = [
        GoldChange(id, tuple(before[id]), tuple(after[id]), tuple(seats))
        for id in (*cards, TOTAL)
        if id in before
    ]
    return len(seats), changed


def _tables(versions: differing.Versions, seed: int) -> tuple[Game, Game] | None:
    """The same table under both rules, if both can lay it."""
    old, new = versions.old.ruleset, versions.new.ruleset
    table = drawn_table(old, seed, versions.changes.cards)
    try:
        return setup.game_at(old, table), setup.game_at(new, table)
    except (setup.SetupError, KeyError):
        return None


# Two sets of rules compared: what they contain, what they do, and what it pays.


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Everything that was found out about two sets of rules."""

    old: str
    new: str
    seed: int
    changes: differing.RuleChanges
    search: differing.DifferenceSearch
    boards: tuple[differing.MinimalExample, ...]
    games: int
    gold: tuple[GoldChange, ...]

    @property
    def differs(self) -> bool:
        """Whether any difference was seen: in what the two contain, or in what they do.

        A declaration that only says the same otherwise is none.
        """
        changes = self.changes
        contain = changes.added or changes.removed or changes.contents_differ
        gold = any(each.before != each.after for each in self.gold)
        return bool(contain or self.search.counts or gold)


def compare(
    versions: differing.Versions,
    positions: int,
    games: int,
    seed: int,
    bot: matches.Bot,
    on_progress: OnProgress = silent,
) -> Comparison:
    """Two sets of rules compared on so many positions and games.

    on_progress: told how many positions are compared, boards made small, and games played.
    """
    about = versions.old.name, versions.new.name, seed, versions.changes
    if versions.changes.is_empty:
        return Comparison(*about, differing.DifferenceSearch(), (), 0, ())
    search = differing.find_differences(versions, positions, seed, on_progress)
    boards = tuple(differing.minimal_examples(search, versions, on_progress))
    played, gold = gold_changes(versions, games, seed, bot, on_progress)
    return Comparison(*about, search, boards, played, tuple(gold))


# The report of a comparison: what differs, the smallest boards that show it, and the gold.


DIFFERS = 1
_EFFECTS = {differing.OFFERED: "what is offered", differing.EFFECT: "what comes of it"}


def comparison_report(comparison: Comparison) -> Report:
    """The report for people and programs."""
    lines = (*_change_lines(comparison), *_offer_lines(comparison), *_gold_lines(comparison))
    boards = [_board(number, example) for number, example in enumerate(comparison.boards, 1)]
    title = f"{comparison.old} and {comparison.new}: what differs"
    code = DIFFERS if comparison.differs else 0
    return Report(title, (Lines(lines), *boards), _data(comparison), lines, exit_code=code)


def _change_lines(comparison: Comparison) -> Iterator[str]:
    changes = comparison.changes
    if changes.is_empty:
        yield "the rules mean the same (exact): only text differs, if anything"
        return
    yield from (f"changed: {name}" for name in changes.changed)
    yield from (f"only in {comparison.new}: {name}" for name in changes.added)
    yield from (f"only in {comparison.old}: {name}" for name in changes.removed)
    if changes.contents_differ:
        yield "what the boxes contain differs, too"


def _offer_lines(comparison: Comparison) -> Iterator[str]:
    search = comparison.search
    if not search.positions:
        return
    compared = search.positions - search.skipped
    for (kind, about, verb), count in search.counts.most_common():
        effect = _EFFECTS.get(kind, "gold")
        yield f"{_offer(about, verb)}: {effect} differs on {count} of {compared} positions"
    if not compared:
        yield "no position can be laid out by both: nothing was compared"
    elif not search.counts:
        yield f"no difference in what is offered, done or paid (sampled {compared})"
    if search.skipped:
        yield f"{search.skipped} positions cannot be laid out by both and were left out"


def _offer(about: str, verb: str) -> str:
    return f"`{about}: {verb}`" if verb else f"`{about}`"


def _gold_lines(comparison: Comparison) -> Iterator[str]:
    for each in comparison.gold:
        before, after = each.spread
        interval = f"95 % within {each.margin:.2f} " if each.margin < inf else ""
        games = f"{comparison.games} {'games' if comparison.games != 1 else 'game'} under each"
        yield f"gold, {each.about}: {each.change:+.2f} a player on average, {interval}({games})"
        yield f"    before {_spread_text(before)}    now {_spread_text(after)}"


class DifferenceData(Part):
    """What differs on how many positions."""

    kind: str
    """`offered`, `effect` or `gold`."""
    about: str
    """The rule."""
    verb: str
    positions: int


class ExampleData(Part):
    """The smallest board found that shows a difference."""

    kind: str
    about: str
    before: str
    after: str
    moves: tuple[str, ...]
    """Moves that lead to the difference."""
    picture: str
    """The board as a drawing."""
    scenario: str
    """A scenario that shows it."""


class GoldData(Part):
    """What a card pays, or all together, before and after."""

    about: str
    """The card, or `total`."""
    change: float
    """By how much it pays more on average."""
    margin: float | None
    """Half of the 95 % interval of the change; null if nothing is known of it."""
    before: tuple[int, ...]
    """Gold game by game, player by player."""
    after: tuple[int, ...]


class DiffData(Data):
    """What `kbrules diff` found."""

    old: str
    new: str
    seed: int
    changed: tuple[str, ...]
    """Declarations that differ."""
    added: tuple[str, ...]
    removed: tuple[str, ...]
    things_differ: bool
    """Whether what the boxes contain differs."""
    is_exact: bool
    """Whether the rules mean the same, so that nothing needed to be sampled."""
    positions: int
    """Compared positions."""
    skipped: int
    """Positions that only one of the two can lay out."""
    differences: tuple[DifferenceData, ...]
    boards: tuple[ExampleData, ...]
    games: int
    """Games played under each."""
    gold: tuple[GoldData, ...]


def _data(comparison: Comparison) -> DiffData:
    changes, search = comparison.changes, comparison.search
    differences = (
        DifferenceData(kind=kind, about=about, verb=verb, positions=count)
        for (kind, about, verb), count in search.counts.most_common()
    )
    return DiffData.from_value(
        comparison,
        changed=changes.changed,
        added=changes.added,
        removed=changes.removed,
        things_differ=changes.contents_differ,
        is_exact=changes.is_empty,
        positions=search.positions - search.skipped,
        skipped=search.skipped,
        differences=tuple(differences),
        boards=tuple(map(_example_data, comparison.boards)),
        gold=tuple(map(_gold_data, comparison.gold)),
    )


def _example_data(example: differing.MinimalExample) -> ExampleData:
    return ExampleData.from_value(
        example.difference,
        moves=example.moves,
        picture=example.picture,
        scenario=example.scenario,
    )


def _gold_data(gold: GoldChange) -> GoldData:
    margin = round(gold.margin, 4) if gold.margin < inf else None
    return GoldData.from_value(gold, change=round(gold.change, 4), margin=margin)


def _spread_text(numbers: tuple[int, ...]) -> str:
    least, *inner, most = numbers
    return f"{least} .. [{' '.join(map(str, inner))}] .. {most}"


def _board(number: int, example: differing.MinimalExample) -> Lines:
    difference = example.difference
    who = f" for {PLAYERS[difference.player]}" if difference.player >= 0 else ""
    offer = _offer(difference.about, difference.verb)
    head = f"{number}. {offer}{who}: before {difference.before}, now {difference.after}"
    moves = [f"after {', '.join(f'`{move}`' for move in example.moves)}"] if example.moves else []
    return Lines((head, *moves, *example.picture.split("\n")), (Style.strong,))

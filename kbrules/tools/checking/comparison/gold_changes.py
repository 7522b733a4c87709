"""What the change is worth: the same games under both rules, and the gold they end with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import sub
from statistics import mean, quantiles

from kbrules.engine.game import Game
from kbrules.engine.matches import Bot, play_to_end
from kbrules.engine.setup import SetupError, game_at
from kbrules.progress import OnProgress, silent, with_progress
from kbrules.tools.checking.comparison.rule_changes import RuleChanges
from kbrules.tools.checking.comparison.versions import RulesVersion
from kbrules.tools.checking.sampling import drawn_table
from kbrules.tools.measuring.simulate.figures import Tally

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
    old: RulesVersion,
    new: RulesVersion,
    changes: RuleChanges,
    count: int,
    seed: int,
    bot: Bot,
    on_progress: OnProgress = silent,
) -> tuple[int, list[GoldChange]]:
    """How many games were played under both rules, and what each changed card and all paid."""
    cards = changes.cards(old.ruleset, new.ruleset)
    before: dict[str, list[int]] = {}
    after: dict[str, list[int]] = {}
    seats: list[int] = []
    for game_seed in with_progress(range(seed, seed + count), "games", on_progress):
        pair = _tables(old, new, game_seed, cards)
        if pair is None:
            continue
        seats.append(pair[0].players)
        for game, golds in zip(pair, (before, after), strict=True):
            for about, gold in _gold_of_game(game, game_seed, bot, cards):
                golds.setdefault(about, []).append(gold)
    changed = [
        GoldChange(id, tuple(before[id]), tuple(after[id]), tuple(seats))
        for id in (*cards, TOTAL)
        if id in before
    ]
    return len(seats), changed


def _tables(
    old: RulesVersion, new: RulesVersion, seed: int, cards: tuple[str, ...]
) -> tuple[Game, Game] | None:
    """The same table under both rules, if both can lay it."""
    table = drawn_table(old.ruleset, seed, cards)
    try:
        return game_at(old.ruleset, table), game_at(new.ruleset, table)
    except (SetupError, KeyError):
        return None


def _gold_of_game(
    game: Game, seed: int, bot: Bot, cards: Sequence[str]
) -> Iterator[tuple[str, int]]:
    sheet = game.score(play_to_end(game, seed, [bot] * game.players))
    for player, total in enumerate(sheet.totals):
        lines: Mapping[str, int] = {line.rule: line.gold for line in sheet.lines[player]}
        yield from ((card, lines.get(card, 0)) for card in cards)
        yield TOTAL, total

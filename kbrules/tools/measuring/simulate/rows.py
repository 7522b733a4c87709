"""What a game came to for each player, as rows of one table."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kbrules.engine.game import Game
from kbrules.engine.matches import Outcome
from kbrules.tools.measuring.simulate.question import Deal, Seating

Row = tuple[int | str | None, ...]


class Column(NamedTuple):
    """A column of the rows: its name, what it holds, and the bits of its numbers, 0 of a text."""

    name: str
    meaning: str
    bits: int


COLUMNS = (
    Column("deal", "the deal, counted from 0", 64),
    Column("side", "the side, 0 or 1", 8),
    Column("party", "the bots that were asked for together", 0),
    Column("turned", "by how many seats they were turned round the table", 8),
    Column("player", "whose row it is, 0 for who began", 8),
    Column("bot", "who decided", 0),
    Column("seed", "the seed of the game", 64),
    Column("table_seed", "the seed of its table; games of one table share its luck", 64),
    Column("won", "1 for a winner", 8),
    Column("winners", "how many winners there are", 8),
    Column("total", "the player's gold", 64),
    Column("turns", "the turns of the whole game", 32),
    Column("decisions", "the player's decisions", 32),
)
"""The columns that there always are, never empty."""
ID_COLUMNS = (
    Column("gold_ID", "what a rule paid, at the end and in play; empty if it is not there", 64),
    Column("taken_ID", "tiles of a kind that the player took; empty if none can be had", 32),
    Column("used_ID", "uses of tiles of a kind; empty if it cannot be used", 32),
)
"""The columns that follow, for each rule that may pay and each kind of tile; ID is its id."""
FIXED = tuple(column.name for column in COLUMNS)


@dataclass(frozen=True, slots=True)
class GameRows:
    """What came of some deals.

    rows: of their games. stand_ins: sections with an invented map that lay on a table. unplayed:
    deals that need more room than the engine has. by_reference: games that needed it and were
    played by the reference.
    """

    rows: list[Row]
    stand_ins: frozenset[str]
    unplayed: Sequence[Deal] = ()
    by_reference: int = 0


def columns(rules: Sequence[str], tiles: Sequence[str]) -> tuple[str, ...]:
    """The names of the columns, those of `COLUMNS` and `ID_COLUMNS` in their order."""
    return (
        *FIXED,
        *(f"gold_{rule}" for rule in rules),
        *(f"taken_{tile}" for tile in tiles),
        *(f"used_{tile}" for tile in tiles),
    )


def column(name: str) -> Column:
    """The column of a name; ValueError if there is none."""
    for each in COLUMNS:
        if each.name == name:
            return each
    for each in ID_COLUMNS:
        if name.startswith(each.name.removesuffix("ID")):
            return each._replace(name=name)
    raise ValueError(name)


class RowWriter:
    """Tells the outcomes of games with the same cards and options in rows.

    rules, tiles: those that have columns; the attribute `rules` has None for those that are not in
    the games, `kinds` and `usable` have the numbers of kinds of tiles, -1 for those that are not.
    """

    def __init__(self, rules: Sequence[str], tiles: Sequence[str], game: Game) -> None:
        self._paid = [rule.id for rule in game.scoring.rules]
        end_only = {rule.id for rule in game.scoring.rules if not rule.acts_in_play}
        absent = {*game.ruleset.catalog.cards} - {*game.cards} | end_only & game.scoring.nonpaying
        known = {rule.id for rule in game.ruleset.rules} - absent
        self.rules = [rule if rule in known else None for rule in rules]
        kinds = {tile.id: index for index, tile in enumerate(game.ruleset.catalog.tiles)}
        self.kinds = [kinds.get(tile, -1) for tile in tiles]
        owners = game.ruleset.owners.values()
        usable = {owned.tile for owned in owners if owned.rule.actions}
        self.usable = [kind if kind in usable else -1 for kind in self.kinds]

    def rows(
        self,
        deal: Deal,
        side: int,
        seating: Seating,
        outcome: Outcome,
        tiles_present: Collection[int],
    ) -> Iterator[Row]:
        """A row for each player. tiles_present: the kinds of tiles on the board."""
        game = deal.number, side, seating.party, seating.turned
        present = {*tiles_present, *_kinds_of(outcome)}
        taken, used = (
            [kind if kind in present else -1 for kind in kinds]
            for kinds in (self.kinds, self.usable)
        )
        for player, total in enumerate(outcome.totals):
            yield (
                *game, player, seating.bots[player], deal.seed, deal.table,
                int(player in outcome.winners), len(outcome.winners), total,
                outcome.turns, outcome.decisions[player],
                *self._gold(outcome, player),
                *_counts_of(outcome.taken[player], taken), *_counts_of(outcome.used[player], used),
            )  # fmt: skip

    def _gold(self, outcome: Outcome, player: int) -> Iterator[int | None]:
        paid = dict(outcome.gains[player])
        for rule, gold in zip(self._paid, outcome.gold[player], strict=True):
            paid[rule] = paid.get(rule, 0) + gold
        return (None if rule is None else paid.get(rule, 0) for rule in self.rules)


def _kinds_of(outcome: Outcome) -> Iterator[int]:
    """The kinds of tiles that came to a player in play, from wherever."""
    return (kind for taken in outcome.taken for kind, number in enumerate(taken) if number)


def _counts_of(counts: Sequence[int], kinds: Sequence[int]) -> Iterator[int | None]:
    """What was counted of some kinds of tiles; nothing where a kind is not in the game."""
    return (counts[kind] if kind >= 0 else None for kind in kinds)

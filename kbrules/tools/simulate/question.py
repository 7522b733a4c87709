"""The question that many games answer, the tables it is about, and the command that repeats it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from shlex import join
from typing import Any, NamedTuple

from kbrules.engine.game import Game
from kbrules.engine.matches import Outcome
from kbrules.engine.setup import RANDOM, SetupError, TableSetup, choose_table, game_at, with_cards
from kbrules.game import board, random
from kbrules.lang.typed import Rule, Step
from kbrules.library.boards.positions import OWNERS
from kbrules.library.box import shipped_in
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.text import visible

# The question that many games answer: by what rules, on which tables, by whom, from which seed.


@dataclass(frozen=True, slots=True)
class Side:
    """Rules and cards that the games are played with.

    boxes: ids of shipped ones. folders: an author's own. cards: those that lie on every table.
    options: rulings that differ from their defaults.
    """

    boxes: tuple[str, ...]
    folders: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    options: Mapping[str, bool | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sits where: the bots asked for together, turned on by so many seats."""

    lineup: str
    rotation: int
    bots: tuple[str, ...]


class Deal(NamedTuple):
    """One draw of chance: its number from 0, the seed of its games, and that of its table."""

    number: int
    seed: int
    table: int


@dataclass(frozen=True, slots=True)
class Question:
    """Everything that decides what the games of a simulation are; how many are played does not.

    sides: one, or two that are compared on the same tables, with the same cards beside their own
    and the same luck. lineups: the bots that play each other, one for each seat; every deal is
    played by every line-up on every side, once for each way to turn them round the table. seed: of
    the first deal. per_table: how many deals in a row have the same table. beside: the card that is
    measured next to all others of its kind (see `Company`), of the only side.
    """

    sides: tuple[Side, ...]
    players: int
    lineups: tuple[tuple[str, ...], ...]
    seed: int = 0
    setup: str = RANDOM
    grids: Mapping[str, str] = field(default_factory=dict)
    per_table: int = 1
    beside: str = ""

    def deal(self, number: int) -> Deal:
        """The deal of a number. That of seed 7 is the game of `kbrules play --seed 7`."""
        first = number - number % self.per_table
        return Deal(number, self.seed + number, self.seed + first)

    @property
    def seatings(self) -> tuple[Seating, ...]:
        """All ways in which a deal is played: each line-up, turned until it would repeat itself."""
        return tuple(
            Seating(lineup_name(bots), rotation, bots[rotation:] + bots[:rotation])
            for bots in self.lineups
            for rotation in range(len({bots[at:] + bots[:at] for at in range(len(bots))}))
        )

    def to_json(self) -> dict[str, Any]:
        """As plain data; `beside` is there only in a question about a card."""
        data = asdict(self)
        return data if self.beside else {name: data[name] for name in data if name != "beside"}

    @property
    def is_possible(self) -> bool:
        """Whether tables can be laid for it: of one read in a file, nobody knows."""
        seats = {len(bots) for bots in self.lineups}
        is_even = seats == {self.players} and 0 < self.players <= len(OWNERS)
        is_whole = is_even and 0 < len(self.sides) <= 2 and self.per_table > 0
        return is_whole and (not self.beside or self._is_of_one_card)

    @property
    def _is_of_one_card(self) -> bool:
        """Whether it can be one about a card: one side without cards, like bots at each table."""
        alike = all(len({*bots}) == 1 for bots in self.lineups)
        return alike and len(self.sides) == 1 and not self.sides[0].cards and self.per_table == 1


def question_about(
    card: str, side: Side, players: int, bots: Sequence[str], seed: int = 0
) -> Question:
    """Return the question what a card pays among the others, played by each of some bots alone."""
    lineups = tuple((bot,) * players for bot in dict.fromkeys(bots))
    return Question((side,), players, lineups, seed, beside=card)


def lineup_name(bots: tuple[str, ...]) -> str:
    """What a line-up is called: the bot, or the bots one by one if they differ."""
    return bots[0] if len({*bots}) == 1 else ",".join(bots)


# A question as text, and the command that repeats it.


def simulate_command(question: Question, deals: int, until: float = 0.0) -> str:
    """The command that gives the same figures again.

    until: how well the run had to know; it looks where the first one did, with the same intervals.
    """
    words = ["kbrules", "simulate", *_side(question.sides[-1])]
    if len(question.sides) > 1:
        words += _comparison(*question.sides)
    words += ["--players", str(question.players)]
    for lineup in question.lineups:
        words += ["--bots", lineup[0] if len({*lineup}) == 1 else ",".join(lineup)]
    words += _deals(question, deals)
    return visible(join([*words, *(["--until", repr(until)] if until else [])]))


def ladder_command(question: Question, deals: int, bots: Sequence[str]) -> str:
    """The command that has these bots play each other again."""
    words = ["kbrules", "ladder", ",".join(bots), *_side(question.sides[-1])]
    return visible(join([*words, *_deals(question, deals)]))


def balance_command(question: Question, deals: int, until: float = 0.0) -> tuple[str, ...]:
    """The words of the command that measures a card again."""
    side = question.sides[0]
    boxes = [word for name in (*side.boxes, *side.folders) for word in ("--with", name)]
    bots = [word for lineup in question.lineups for word in ("--bots", lineup[0])]
    rulings = (ruling_text(name, value) for name, value in side.options.items())
    return (
        *("kbrules", "balance", question.beside, *boxes, "--players", str(question.players), *bots),
        *("--games", str(deals), "--seed", str(question.seed)),
        *(["--until", f"{until:g}"] if until else []),
        *(word for ruling in rulings for word in ("--option", ruling)),
    )


def _deals(question: Question, deals: int) -> list[str]:
    """Where, and from which seed how many."""
    words = ["--setup", question.setup] if question.setup != RANDOM else []
    words += [w for g, s in question.grids.items() for w in ("--grid", f"{g}={s}")]
    words += ["--games-per-table", str(question.per_table)] if question.per_table > 1 else []
    return [*words, "--seed", str(question.seed), "--games", str(deals)]


def _side(side: Side) -> Iterator[str]:
    yield from _with("--with", side)
    for card in side.cards:
        yield from ("--card", card)
    for name, value in side.options.items():
        yield from ("--option", ruling_text(name, value))


def _with(option: str, side: Side) -> Iterator[str]:
    if side.boxes:
        yield from (option, ",".join(side.boxes))
    for folder in side.folders:
        yield from (option, folder)


def _comparison(before: Side, after: Side) -> Iterator[str]:
    """What is asked for beside the second side, so that the first is what it was."""
    if (before.boxes, before.folders) != (after.boxes, after.folders):
        yield from _with("--against", before)
    if before.cards != after.cards:
        yield from ("--without",) if not before.cards else ()
        yield from (word for card in before.cards for word in ("--against-card", card))
    for name, value in _other_rulings(before, after):
        yield from ("--against-option", ruling_text(name, value))


def _other_rulings(before: Side, after: Side) -> list[tuple[str, bool | int]]:
    """The rulings of the first side that are not those of the second."""
    return [each for each in before.options.items() if each not in after.options.items()]


def ruling_text(name: str, value: bool | int) -> str:
    """A ruling as it is asked for."""
    value_text = ("yes" if value else "no") if isinstance(value, bool) else str(value)
    return f"{name}={value_text}"


def side_names(question: Question, titles: Mapping[str, str]) -> tuple[str, ...]:
    """What each side is called where they are compared; nothing if there is only one."""
    if len(question.sides) == 1:
        return ("",)
    before, after = question.sides
    if before.cards != after.cards:
        return _names_by_cards(before, after, titles)
    if (before.boxes, before.folders) != (after.boxes, after.folders):
        names = [" + ".join([*side.boxes, *side.folders]) for side in question.sides]
        return tuple(names)
    rulings = ", ".join(ruling_text(*each) for each in _other_rulings(before, after))
    return (rulings or "the one", "as asked" if rulings else "the other")


def _names_by_cards(before: Side, after: Side, titles: Mapping[str, str]) -> tuple[str, ...]:
    removed, added = (
        " and ".join(titles.get(card, card) for card in one.cards if card not in other.cards)
        for one, other in ((before, after), (after, before))
    )
    if removed and added:
        return removed, added
    card = added or removed
    names = f"without {card}", f"with {card}"
    return names if added else names[::-1]


# What a game came to for each player, as rows of one table.


Row = tuple[int | str | None, ...]


class Column(NamedTuple):
    """A column of the rows: its name, what it holds, and the bits of its numbers, 0 of a text."""

    name: str
    meaning: str
    bits: int


COLUMNS = (
    Column("deal", "the deal, counted from 0", 64),
    Column("side", "the side, 0 or 1; for `balance` the table of the deal (0: the card)", 16),
    Column("lineup", "the line-up: the bots that play together", 0),
    Column("rotation", "by how many seats the line-up is rotated", 8),
    Column("player", "the player of this row; 0 is the start player", 8),
    Column("bot", "the bot that played this seat", 0),
    Column("seed", "the seed of the game", 64),
    Column("table_seed", "the seed of its table; games of one table share its luck", 64),
    Column("won", "1 for a winner", 8),
    Column("winners", "the number of winners", 8),
    Column("total", "the player's gold", 64),
    Column("turns", "the number of turns in the whole game", 32),
    Column("decisions", "the number of the player's decisions", 32),
)
"""The columns that there always are, never empty."""
ID_COLUMNS = (
    Column("gold_ID", "gold paid by a rule, at the end and in play; empty if not in the game", 64),
    Column("taken_ID", "tiles of a kind that the player took; empty if there are none", 32),
    Column("used_ID", "number of times such a tile was used; empty if it cannot be used", 32),
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
        self._paying = game.scoring.ids
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
        game = deal.number, side, seating.lineup, seating.rotation
        in_play = (kind for own in outcome.taken for kind, number in enumerate(own) if number)
        present = {*tiles_present, *in_play}
        columns = self.kinds, self.usable
        taken, used = ([kind if kind in present else -1 for kind in kinds] for kinds in columns)
        paid = outcome.paid(self._paying)
        for player, total in enumerate(outcome.totals):
            yield (
                *game, player, seating.bots[player], deal.seed, deal.table,
                int(player in outcome.winners), len(outcome.winners), total,
                outcome.turns, outcome.decisions[player],
                *(None if rule is None else paid[player].get(rule, 0) for rule in self.rules),
                *_counts_of(outcome.taken[player], taken), *_counts_of(outcome.used[player], used),
            )  # fmt: skip


def _counts_of(counts: Sequence[int], kinds: Sequence[int]) -> Iterator[int | None]:
    """What was counted of some kinds of tiles; nothing where a kind is not in the game."""
    return (counts[kind] if kind >= 0 else None for kind in kinds)


# The cards that a card is measured next to: the same board and luck for all of them.
#
# With each seed the others are dealt to as many tables as they need. The candidate, the card that
# is measured, lies on a table before these, in the place of the first card of the first of them:
# the same seats, board, deck and further cards.


@dataclass(frozen=True, slots=True)
class Company:
    """The cards that a card is measured next to.

    others: their ids in order. room: how many cards of the kind lie on a table. kind: what the
    others are, `official` or `other`.
    """

    others: tuple[str, ...]
    room: int
    kind: str

    @property
    def tables(self) -> int:
        """How many tables each deal has, that of the candidate included."""
        return 1 + -(-len(self.others) // self.room)

    def is_possible(self, candidate: str) -> bool:
        """Return whether it can be that of a candidate: of one read in a file, nobody knows."""
        return self.room > 0 and len({*self.others, candidate}) == len(self.others) + 1


def company_of(ruleset: Ruleset, card: str) -> Company:
    """Return the company of a card: the shipped ones of its kind, or all if none is shipped."""
    catalog = ruleset.catalog
    is_task = card in catalog.tasks
    kind = catalog.tasks if is_task else catalog.scoring
    same_kind = tuple(each for each in sorted(kind) if each != card)
    shipped = tuple(each for each in same_kind if is_shipped(ruleset, each))
    room = 1 if is_task else max(1, catalog.numbers.get(board.CARDS_IN_PLAY, 1))
    others = shipped or same_kind
    return Company(others, room, "official" if others == shipped else "other")


def is_shipped(ruleset: Ruleset, card: str) -> bool:
    """Whether a card came in one of the shipped boxes."""
    rule = ruleset.rule(card)
    return rule is not None and bool(shipped_in(Path(rule.span.source.name)))


def cards_of_tables(
    card: str, others: Sequence[str], room: int, seed: int
) -> list[tuple[str, ...]]:
    """The cards of each table: the one with `card`, then those that have all the others once.

    The others are shuffled by the stream `balance`; the last table is filled up from the first.
    """
    order = random.Random(seed, "balance").sample(others, len(others))
    rows = [order[at : at + room] for at in range(0, len(order), room)]
    if len(rows) > 1:
        rows[-1] += order[: room - len(rows[-1])]
    other_cards = rows[0][1:] if rows else []
    return [(card, *other_cards), *map(tuple, rows)]


# The tables of a question: for each deal and each side the game that is played.


MOST_WRITERS = 256
_MOST_DRAWN = 4096


class QuestionTables:
    """Lays the tables of a question. Those of the same seed are kept while they are in use.

    A deal has a table for each side; of a question about a card, those of its company are numbered
    as if they were sides. rules: ids of all rules that may pay, on any side. tiles: ids of all
    kinds of tiles. company: of a question about a card. cache: what whoever plays them makes of
    them.
    """

    def __init__(self, question: Question, rulesets: Sequence[Ruleset] | None = None) -> None:
        """RulesError if the rules of a side cannot be loaded."""
        self.question = question
        self.rulesets = tuple(
            rulesets or (load(*side.boxes, folders=side.folders) for side in question.sides)
        )
        rules = (rule.id for each in self.rulesets for rule in rules_with_gold(each))
        tiles = (tile.id for each in self.rulesets for tile in each.catalog.tiles)
        self.rules, self.tiles = tuple(dict.fromkeys(rules)), tuple(dict.fromkeys(tiles))
        self.cache: dict[Any, Any] = {}
        self.company = company_of(self.rulesets[0], question.beside) if question.beside else None
        self.per_deal = len(self.rulesets) if self.company is None else self.company.tables
        self._drawn_table = lru_cache(_MOST_DRAWN)(self._draw)
        self._games: dict[tuple[int, int], Game] = {}
        self._writers: dict[tuple[int, frozenset[str]], RowWriter] = {}

    def check(self) -> None:
        """SetupError if what the question asks for cannot be had."""
        question, first = self.question, self.question.deal(0)
        if question.beside and question.beside not in self.rulesets[0].catalog.cards:
            raise SetupError(f"there is no card `{question.beside}`", "cards")
        for number, (side, ruleset) in enumerate(zip(question.sides, self.rulesets, strict=True)):
            options = question.setup, side.options, question.grids
            table = choose_table(ruleset, question.players, first.table, *options)
            with_cards(ruleset, table, side.cards)
            self.game(first, number)

    def ruleset(self, side: int) -> Ruleset:
        """Return the rules of a table."""
        return self.rulesets[0 if self.company is not None else side]

    @property
    def digests(self) -> tuple[str, ...]:
        """What names the rules of each side."""
        return tuple(ruleset.digest for ruleset in self.rulesets)

    @property
    def titles(self) -> dict[str, str]:
        """What rules and tiles are called, by their ids; boxes by `box` and theirs."""
        of_boxes = [each for set_ in self.rulesets for each in set_.parts.box_titles.items()]
        boxes = {f"box {id}": title for id, title in of_boxes}
        rules = {rule.id: rule.title for set_ in self.rulesets for rule in set_.rules if rule.title}
        tiles = {tile.id: tile.title for set_ in self.rulesets for tile in set_.catalog.tiles}
        return {**boxes, **tiles, **rules}

    def game(self, deal: Deal, side: int) -> Game:
        """The game of a deal on one side; SetupError if its table cannot be had."""
        key = deal.table, side
        if key not in self._games:
            if any(table != deal.table for table, _ in self._games):
                self._games.clear()
            self._games[key] = game_at(self.ruleset(side), self.table(deal, side))
        return self._games[key]

    def with_cards(self, deal: Deal, side: int, cards: tuple[str, ...]) -> Game:
        """The game of a deal on one side with other cards."""
        return game_at(self.ruleset(side), replace(self.table(deal, side), cards=cards))

    def row_writer(self, game: Game, side: int) -> RowWriter:
        """What tells the games of one side with the cards of a game."""
        key = side, frozenset(game.cards)
        writer = self._writers.get(key)
        if writer is None:
            if len(self._writers) >= MOST_WRITERS:
                self._writers.clear()
            writer = self._writers[key] = RowWriter(self.rules, self.tiles, game)
        return writer

    def table(self, deal: Deal, side: int) -> TableSetup:
        """The table of a deal on one side: the same board on all, and the same cards but its own.

        A card that is asked for takes the place of the one drawn last, and none is drawn that any
        side asks for; so `kbrules play` lays the same table with the same seed and cards.
        """
        if self.company is not None:
            return self._table_in_company(self.company, deal, side)
        own = self.question.sides[side]
        drawn = self._drawn_table(deal.table)
        cards = (*own.cards, *self._other_cards(drawn, deal.table))
        for card in cards:
            if card not in self.rulesets[side].catalog.cards:
                raise SetupError(f"there is no card `{card}` on every side", "cards")
        return replace(drawn, cards=cards, options=dict(own.options))

    def _table_in_company(self, company: Company, deal: Deal, number: int) -> TableSetup:
        """The table of a deal on which the card that is measured lies, or some of the others."""
        card, drawn, tasks = self.question.beside, self._drawn_table(deal.table), self._tasks
        cards = cards_of_tables(card, company.others, company.room, deal.table)[number]
        rest = [each for each in drawn.cards if (each in tasks) is not (card in tasks)]
        in_order = tuple(sorted([*cards, *rest], key=tasks.__contains__))
        return replace(drawn, cards=in_order, options=dict(self.question.sides[0].options))

    @property
    def _tasks(self) -> Collection[str]:
        return self.rulesets[0].catalog.tasks

    def _draw(self, seed: int) -> TableSetup:
        question = self.question
        named = question.setup, None, question.grids
        return choose_table(self.rulesets[0], question.players, seed, *named)

    def _other_cards(self, drawn: TableSetup, seed: int) -> tuple[str, ...]:
        """The cards and tasks that lie on the table beside those that are asked for."""
        tasks, chosen = self._tasks, self._chosen_cards
        scoring = [card for card in drawn.cards if card not in tasks]
        sides = ([c for c in s.cards if c not in tasks] for s in self.question.sides)
        free_places = max(0, len(scoring) - max(map(len, sides)))
        free = (card for card in scoring if card not in chosen)
        candidates = list(filter(self._is_everywhere, free))
        if len(candidates) < free_places:
            candidates = [card for card in self._drawn_order(scoring, seed) if card not in chosen]
        drawn_tasks = (card for card in drawn.cards if card in tasks and card not in chosen)
        return (*candidates[:free_places], *drawn_tasks)

    def _is_everywhere(self, card: str) -> bool:
        return all(card in ruleset.catalog.cards for ruleset in self.rulesets)

    def _drawn_order(self, scoring: Collection[str], seed: int) -> list[str]:
        """The scoring cards drawn, and those that would be drawn after them."""
        catalog = self.rulesets[0].catalog
        order = random.Random(seed, "cards").sample(sorted(catalog.scoring), len(catalog.scoring))
        on_every_side = list(filter(self._is_everywhere, order))
        setup = self.rulesets[0].parts.setups.get(self.question.setup)
        is_named = setup is not None and any(card in catalog.scoring for card in setup.cards)
        further = [card for card in on_every_side if card not in scoring and not is_named]
        return [*(card for card in scoring if card in on_every_side), *further]

    @cached_property
    def _chosen_cards(self) -> set[str]:
        return {card for side in self.question.sides for card in side.cards}


def rules_with_gold(ruleset: Ruleset) -> list[Rule]:
    """The rules, tiles and cards that may pay gold, in play or at the end."""
    rules = [owned.rule for owned in ruleset.owners.values()]
    return [rule for rule in rules if rule.awards or "gain" in _verbs(rule)]


def _verbs(rule: Rule) -> set[str]:
    steps = (step for block in rule.blocks() for step in block.steps)
    return {step.verb for step in steps if isinstance(step, Step)}

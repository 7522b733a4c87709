"""The tables of a question: for each deal and each side the game that is played."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from kbrules.engine.game import Game
from kbrules.engine.setup import SetupError, TableSetup, choose_table, game_at, with_cards
from kbrules.game.random import Random
from kbrules.lang.typed import Rule, Step
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.tools.measuring.simulate.question import Deal, Question
from kbrules.tools.measuring.simulate.rows import RowWriter

MOST_WRITERS = 256


class Tables:
    """Lays the tables of a question. Those of the same seed are kept while they are in use.

    rules: ids of all rules that may pay, on any side. tiles: ids of all kinds of tiles. cache: what
    whoever plays them makes of them.
    """

    def __init__(self, question: Question, rulesets: Sequence[Ruleset] | None = None) -> None:
        """RulesError if the rules of a side cannot be loaded."""
        self.question = question
        self.rulesets = tuple(
            rulesets or (load(*side.boxes, folders=side.folders) for side in question.sides)
        )
        self.rules = _ids(rule.id for set_ in self.rulesets for rule in rules_with_gold(set_))
        self.tiles = _ids(tile.id for set_ in self.rulesets for tile in set_.catalog.tiles)
        self.cache: dict[Any, Any] = {}
        self._games: dict[tuple[int, int], Game] = {}
        self._writers: dict[tuple[int, frozenset[str]], RowWriter] = {}

    def check(self) -> None:
        """SetupError if what the question asks for cannot be had."""
        question, first = self.question, self.question.deal(0)
        for number, (side, ruleset) in enumerate(zip(question.sides, self.rulesets, strict=True)):
            options = question.setup, side.options, question.grids
            table = choose_table(ruleset, question.players, first.table, *options)
            with_cards(ruleset, table, side.cards)
            self.game(first, number)

    @property
    def digests(self) -> tuple[str, ...]:
        """What names the rules of each side."""
        return tuple(ruleset.digest for ruleset in self.rulesets)

    @property
    def titles(self) -> dict[str, str]:
        """What rules and tiles are called, by their ids; boxes by `box` and theirs."""
        boxes = {
            f"box {id}": title
            for set_ in self.rulesets
            for id, title in set_.parts.box_titles.items()
        }
        rules = {rule.id: rule.title for set_ in self.rulesets for rule in set_.rules if rule.title}
        tiles = {tile.id: tile.title for set_ in self.rulesets for tile in set_.catalog.tiles}
        return {**boxes, **tiles, **rules}

    def game(self, deal: Deal, side: int) -> Game:
        """The game of a deal on one side; SetupError if its table cannot be had."""
        key = deal.table, side
        if key not in self._games:
            if any(table != deal.table for table, _ in self._games):
                self._games.clear()
            self._games[key] = game_at(self.rulesets[side], self.table(deal, side))
        return self._games[key]

    def with_cards(self, deal: Deal, side: int, cards: tuple[str, ...]) -> Game:
        """The game of a deal on one side with other cards."""
        return game_at(self.rulesets[side], replace(self.table(deal, side), cards=cards))

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
        own = self.question.sides[side]
        drawn = self._drawn_table(deal)
        cards = (*own.cards, *self._other_cards(drawn, deal.table))
        for card in cards:
            if card not in self.rulesets[side].catalog.cards:
                raise SetupError(f"there is no card `{card}` on every side", "cards")
        return replace(drawn, cards=cards, options=dict(own.options))

    def _drawn_table(self, deal: Deal) -> TableSetup:
        question = self.question
        return choose_table(
            self.rulesets[0], question.players, deal.table, question.setup, None, question.grids
        )

    def _other_cards(self, drawn: TableSetup, seed: int) -> tuple[str, ...]:
        """The cards and tasks that lie on the table beside those that are asked for."""
        catalog, chosen = self.rulesets[0].catalog, self._chosen_cards
        scoring = [card for card in drawn.cards if card not in catalog.tasks]
        sides = ([c for c in s.cards if c not in catalog.tasks] for s in self.question.sides)
        free_places = max(0, len(scoring) - max(map(len, sides)))
        candidates = [card for card in scoring if self._is_free(card)]
        if len(candidates) < free_places:
            candidates = [card for card in self._drawn_order(scoring, seed) if card not in chosen]
        tasks = (card for card in drawn.cards if card in catalog.tasks and card not in chosen)
        return (*candidates[:free_places], *tasks)

    def _is_free(self, card: str) -> bool:
        """Whether no side asks for a card, and every side has it."""
        return card not in self._chosen_cards and self._is_everywhere(card)

    def _is_everywhere(self, card: str) -> bool:
        return all(card in ruleset.catalog.cards for ruleset in self.rulesets)

    def _drawn_order(self, scoring: Collection[str], seed: int) -> list[str]:
        """The scoring cards drawn, and those that would be drawn after them."""
        catalog = self.rulesets[0].catalog
        order = Random(seed, "cards").sample(sorted(catalog.scoring), len(catalog.scoring))
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
    return [rule for rule in rules if rule.awards or _gives_gold(rule)]


def _gives_gold(rule: Rule) -> bool:
    steps = (step for block in rule.blocks() for step in block.steps)
    return any(isinstance(step, Step) and step.verb == "gain" for step in steps)


def _ids(ids: object) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ids))  # type: ignore[call-overload]

"""What rules pay, by one generated function, against the score sheet; and what it looks like."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbrules.compile.awards import by_rank, by_ranks
from kbrules.compile.late import OFTEN
from kbrules.compile.scores import Teller
from kbrules.engine.game import Game
from kbrules.engine.golds import Ledger
from kbrules.engine.scoring import Scoring, Sheet
from kbrules.lang.core import Award, Call, Lit
from kbrules.lang.sorts import Sort
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.plan.evaluators import reference
from kbrules.primitives.vocabulary import implementations
from kbrules.text import Span
from kbrules.tools.sampling import Sample, samples

SPAN = Span.none("x")
POSITIONS = 60


@lru_cache(maxsize=1)
def positions() -> list[Sample]:
    return list(samples(load(), POSITIONS, seed=5))


def golds_of(sheet: Sheet) -> list[tuple[int, ...]]:
    return [tuple(line.gold for line in lines) for lines in sheet.lines]


def scoring_of_all(sample: Sample) -> Scoring:
    """The rules of a position's table, and every card there is."""
    cards = range(len(sample.game.ruleset.catalog.cards))
    return Scoring(sample.game.program, sample.game.board, cards)


def test_every_card_pays_what_its_lines_say() -> None:
    paid: set[str] = set()
    for sample in positions():
        scoring = scoring_of_all(sample)
        golds = scoring.golds(sample.state)
        assert golds == golds_of(scoring.sheet(sample.state)), (sample.seed, sample.kind)
        columns = zip(scoring.rules, zip(*golds, strict=True), strict=True)
        paid |= {rule.id for rule, column in columns if any(column)}
    assert len(paid) > 20


def test_a_table_asked_once_and_one_asked_often_say_the_same() -> None:
    for sample in positions()[:20]:
        for _ in range(OFTEN + 1):
            scoring = scoring_of_all(sample)
            assert scoring.golds(sample.state) == golds_of(scoring.sheet(sample.state))


def test_totals_and_winners_are_those_of_the_sheet() -> None:
    for sample in positions():
        game, state = sample.game, sample.state
        totals, sheet = game.totals(state), game.score(state)
        assert totals == sheet.totals
        assert game.scoring.winners(state, totals) == sheet.winners


def test_under_the_reference_nothing_is_generated() -> None:
    ruleset = load("base")
    for sample in samples(ruleset, 6, linking=reference):
        assert sample.game.totals(sample.state) == sample.game.score(sample.state).totals
    assert Ledger not in ruleset.kept


@pytest.mark.parametrize("options", [{"lords_rank_zero": False}, {"lords_rank_zero": True}])
def test_options_are_heeded(options: dict[str, bool]) -> None:
    ruleset = load("base")
    for sample in samples(ruleset, 30, cards=("lords",), options=options):
        assert sample.game.totals(sample.state) == sample.game.score(sample.state).totals


def test_cards_in_play_are_heeded() -> None:
    """A rule that asks for a card pays on one table, and not on another of the same rules."""
    ruleset = load()
    asking = [card for card in ("fishermen", "noblewomen") if card in ruleset.catalog.cards]
    for sample in positions()[:12]:
        for cards in ((), tuple(asking)):
            game = Game(ruleset, sample.game.board, sample.game.players, cards)
            assert game.totals(sample.state) == game.score(sample.state).totals


def call(word: str, sort: Sort, *arguments: object) -> Call:
    return Call(sort, SPAN, word, arguments)  # type: ignore[arg-type]


def teller(ruleset: Ruleset) -> Teller:
    return Teller(ruleset.evaluate, ruleset.memories)


def test_ranks_among_hexes_of_ones_own_are_left_to_the_walk() -> None:
    one = Lit(Sort.NUMBER, SPAN, 1)
    award = Award(one, 1, "", None, 1, one, None, (("x", call("mine()", Sort.HEXES), None),), SPAN)
    assert "mine()" in implementations()
    assert teller(load("base")).scores([[award]]) is None
    assert teller(load("base")).scores([[replace(award, loops=())]]) is not None


def test_no_word_of_an_author_reaches_the_source() -> None:
    ruleset = load()
    awards = [rule.awards for rule in ruleset.rules if rule.awards]
    scores = teller(ruleset).scores(awards)
    assert scores is not None
    said = set(re.findall(r"[a-z_]\w*", scores.source.text))
    said -= {f"{letter}{number}" for letter in "ktc" for number in range(999)}
    names = {rule.id for rule in ruleset.rules} | set(ruleset.memories) | set(ruleset.options)
    assert not said & (names - {"board"})
    assert '"' not in scores.source.text
    assert "'" not in scores.source.text


def test_equals_share_a_rank_and_do_not_use_up_the_next() -> None:
    values = [[3, 1], [3, 0], [2, 0], [1, 0]]
    gains = [[12, 12]] * 4
    assert by_rank(1, values, gains) == [24, 12, 0, 0]
    assert by_rank(2, values, gains) == [0, 12, 24, 12]
    assert by_rank(3, values, gains) == [0, 0, 0, 12]
    assert by_rank(4, values, gains) == [0, 0, 0, 0]


@given(st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=5))
def test_ranks_that_pay_all_alike_are_paid_at_once(values: list[list[int]]) -> None:
    found = by_ranks(((1, 12), (2, 6)), values)
    first, second = (by_rank(r, values, [[g] * 3] * len(values)) for r, g in ((1, 12), (2, 6)))
    assert found == [a + b for a, b in zip(first, second, strict=True)]


def test_parts_of_a_set_are_not_made_where_only_the_size_of_the_best_is_asked() -> None:
    """Nor are groups of which the largest is wanted; both are what most of the time went into."""
    ruleset = load("base")
    texts = {}
    for rule in ruleset.rules:
        if rule.awards:
            scores = teller(ruleset).scores([rule.awards])
            assert scores is not None
            texts[rule.id] = scores.source.text
    assert "(t1 & t3).bit_count()" in texts["knights"]
    assert "if t4 < t2: t2 = t4" in texts["farmers"]
    assert "largest_group" in texts["citizens"]

"""What must not matter: the order of files, defaults said aloud, the cards in play."""

from __future__ import annotations

from random import Random as Shuffler

import pytest
from hypothesis import given, strategies as st

from kbrules.engine.game import Game
from kbrules.engine.setup import TableSetup, choose_table, game_at
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.library import load as loading
from kbrules.library.ruleset import Ruleset
from kbrules.library.store import parsed
from kbrules.text import Source
from tests.oracle.seen import rules
from tests.pace import often
from tests.source_tree import ROOT

FILES = sorted([*(ROOT / "rules").glob("*.kb"), *(ROOT / "rules" / "base").glob("*.kb")])


def shuffled(seed: int) -> Ruleset:
    """The base game with its declarations read in another order."""
    order = Shuffler(seed)
    whole = loading._check_and_compose

    def join(reading: loading._Reading) -> loading.Loaded:
        for each in (reading.declarations, reading.sources, reading.boxes):
            order.shuffle(each)
        return whole(reading)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading, "_check_and_compose", join)
        return loading.load("base")


def same_game(one: Game, other: Game, seed: int, moves: int = 60) -> None:
    """Both offer the same, and the same moves lead to the same states and scores."""
    state, twin = one.start(), other.start()
    random = Random(seed, "moves")
    for _ in range(moves):
        assert state.hash() == twin.hash()
        offered, also = one.legal_moves(state), other.legal_moves(twin)
        assert (offered.player, offered.weights) == (also.player, also.weights)
        assert set(offered.groups) == set(also.groups)
        if state.is_over:
            break
        move = offered.sample(random)
        state, twin = one.apply(state, move), other.apply(twin, move)
    same_scores(one, other, state, twin)


def same_scores(one: Game, other: Game, state: State, twin: State) -> None:
    for mine, theirs in zip(one.score(state).lines, other.score(twin).lines, strict=True):
        assert {(line.rule, line.gold, line.hexes) for line in mine} == {
            (line.rule, line.gold, line.hexes) for line in theirs
        }


@pytest.mark.parametrize("order", range(8))
def test_the_order_of_declarations_does_not_matter(order: int) -> None:
    other = shuffled(order)
    assert other.digest == rules().digest
    assert [(rule.kind, rule.id) for rule in other.rules] == [
        (rule.kind, rule.id) for rule in rules().rules
    ]
    assert (other.options, other.memories) == (rules().options, rules().memories)
    assert list(other.blocks) == list(rules().blocks)
    table = choose_table(rules(), 3, order)
    assert choose_table(other, 3, order) == table
    same_game(game_at(rules(), table), game_at(other, table), order)


def test_how_the_declarations_are_spread_over_files_does_not_matter() -> None:
    """All rules in one text play the same game, though they are another text."""
    bare = [parsed(Source("all.kb", "\n".join(f.read_text("utf-8") for f in FILES)))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading._Reading, "rules", lambda *_: None)
        other = loading.load_all(["base"], (), bare).ruleset
    assert other is not None
    assert other.digest != rules().digest
    assert list(other.blocks) == list(rules().blocks)
    table = choose_table(rules(), 2, 5)
    same_game(game_at(rules(), table), game_at(other, table), 5, 150)


@often(1 / 4, at_least=10)
@given(st.integers(2, 4), st.integers(0, 10**6))
def test_defaults_said_aloud_change_nothing(players: int, seed: int) -> None:
    silent = choose_table(rules(), players, seed)
    aloud = choose_table(rules(), players, seed, options=dict(rules().options))
    assert (silent.layout, silent.cards) == (aloud.layout, aloud.cards)
    same_game(game_at(rules(), silent), game_at(rules(), aloud), seed)


@given(st.integers(0, 10**6))
def test_the_cards_in_play_change_no_move(seed: int) -> None:
    table = choose_table(rules(), 2, seed)
    plain = TableSetup(2, table.layout, (), table.options)
    one, other = game_at(rules(), table), game_at(rules(), plain)
    state, twin, random = one.start(), other.start(), Random(seed, "moves")
    for _ in range(40):
        assert one.legal_moves(state).groups == other.legal_moves(twin).groups
        move = one.legal_moves(state).sample(random)
        state, twin = one.apply(state, move), other.apply(twin, move)
    assert state.hash() == twin.hash()


@given(st.integers(0, 10**6))
def test_scores_do_not_depend_on_the_order_of_cards(seed: int) -> None:
    table = choose_table(rules(), 3, seed)
    turned = TableSetup(3, table.layout, table.cards[::-1], table.options)
    same_game(game_at(rules(), table), game_at(rules(), turned), seed, 90)

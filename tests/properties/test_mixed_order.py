"""The order of boxes and files does not matter, nor does a box of which nothing is used."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from random import Random as Shuffler

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbrules.engine.game import Game
from kbrules.engine.setup import TableSetup, choose_table, game_at
from kbrules.game.moves import MoveGroup
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.library import load as loading
from kbrules.library.file_cache import FileCache
from kbrules.library.ruleset import Ruleset
from tests.oracle.effort import often
from tests.properties.mixes import BOXES, MIXES, any_kind, rules, table_of

FILES = FileCache()
END = MoveGroup("end", "turn")


def disordered(boxes: Iterable[str], seed: int) -> Ruleset:
    """The boxes read one after another in another order, and so are the files of each."""
    order = Shuffler(seed)
    names = ["base", *boxes]
    order.shuffle(names)
    read, join = loading._Reading.rules, loading._check_and_compose

    def rules(reading: loading._Reading, root: Path, files: Iterable[Path]) -> None:
        shuffled = list(files)
        order.shuffle(shuffled)
        read(reading, root, shuffled)

    def joined(reading: loading._Reading) -> loading.Loaded:
        for each in (reading.boxes, reading.declarations, reading.sources):
            order.shuffle(each)
        return join(reading)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading._Reading, "rules", rules)
        patch.setattr(loading, "_check_and_compose", joined)
        found = loading.load_all(names, files=FILES)
    assert found.ruleset is not None, found.findings
    return found.ruleset


@often(1 / 3)
@given(st.sampled_from(MIXES[2:]), st.integers(0, 10**6))
def test_the_order_of_boxes_and_files_does_not_matter(boxes: tuple[str, ...], seed: int) -> None:
    one, other = rules(boxes), disordered(boxes, seed)
    assert other.digest == one.digest
    assert (other.catalog, other.catalog.deck) == (one.catalog, one.catalog.deck)
    assert list(other.parts.sections) == list(one.parts.sections)
    assert other.parts.players == one.parts.players
    assert [(s.id, s.layout, s.cards) for s in other.parts.setups.values()] == [
        (s.id, s.layout, s.cards) for s in one.parts.setups.values()
    ]
    assert [(rule.kind, rule.id) for rule in other.rules] == [(r.kind, r.id) for r in one.rules]
    assert (other.options, other.memories) == (one.options, one.memories)
    assert list(other.blocks) == list(one.blocks)
    table = table_of(one, seed)
    assert table_of(other, seed) == table
    the_very_same_game(game_at(one, table), game_at(other, table), seed)


def the_very_same_game(one: Game, other: Game, seed: int) -> None:
    """The same moves, in the same order, lead to the same hashes, events and scores."""
    state, twin, random = one.start(), other.start(), Random(seed, "moves")
    while not state.is_over:
        moves = one.legal_moves(state)
        assert other.legal_moves(twin) == moves
        move = moves.sample(random) if moves.weights else any_kind(state, moves, random)
        step, same = one.play(state, move), other.play(twin, move)
        assert step.events == same.events
        state, twin = step.state, same.state
        assert state.hash() == twin.hash()
    assert twin.is_over
    assert one.score(state).lines == other.score(twin).lines


def test_boxes_named_in_another_order_are_the_same() -> None:
    one = loading.load("base", *BOXES)
    other = loading.load(*reversed(BOXES), "base")
    assert (other.boxes, other.digest, other.catalog) == (one.boxes, one.digest, one.catalog)


# A box of which nothing is used

SEEN = {"island", "marshlands"}
"""Boxes that lie on every table: a grid beside it, and cards of the deck."""


def base_table(seed: int, players: int) -> TableSetup:
    """A table of the base game; without the sections that a capitol comes to."""
    for other in range(seed, seed + 1000):
        table = choose_table(rules(()), players, other)
        names = {name for row in table.layout.rows for name, _ in row}
        if not names & {"oracle", "harbor"}:
            return table
    raise AssertionError("every table has one of them")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("boxes", [b for b in MIXES if b and not {*b} & SEEN], ids="+".join)
def test_a_box_of_which_nothing_is_used_changes_nothing(boxes: tuple[str, ...], seed: int) -> None:
    """Only the walk through the caves is offered beside all else; nobody takes it here."""
    table = base_table(31 * seed, 2 + seed)
    one, other = game_at(rules(()), table), game_at(rules(boxes), table)
    state, twin, random = one.start(), other.start(), Random(seed, "moves")
    while not state.is_over:
        twin = at_the_same_question(other, twin)
        moves = one.legal_moves(state)
        assert moves.weights == other.legal_moves(twin).weights
        assert said(moves.groups) == said(other.legal_moves(twin).groups) - CAVES
        move = moves.sample(random) if moves.weights else any_kind(state, moves, random)
        state, twin = one.apply(state, move), other.apply(twin, move)
    twin = at_the_same_question(other, twin)
    assert twin.is_over
    same_table(state, twin)
    same_gold(one, other, state, twin)


CAVES = {("lift", "cave_walk")}


def said(groups: Iterable[MoveGroup]) -> set[object]:
    return {
        (g.verb, g.rule) if g.rule == "cave_walk" else (g.verb, g.rule, g.hexes, g.path)
        for g in groups
    }


def at_the_same_question(game: Game, twin: State) -> State:
    """Where only the caves are left to walk through, the turn is ended by hand."""
    groups = game.legal_moves(twin).groups
    if {group.rule for group in groups} == {"cave_walk", "turn"}:
        return game.apply(twin, END.moves()[0])
    return twin


def same_table(state: State, twin: State) -> None:
    assert (state.piles, state.shown, state.stock) == (twin.piles, twin.shown, twin.stock)
    for mine, theirs in zip(state.seats, twin.seats, strict=True):
        assert (mine.all, mine.supply[0], mine.hand) == (theirs.all, theirs.supply[0], theirs.hand)
        assert (mine.tiles, mine.gold) == (theirs.tiles, theirs.gold)


def same_gold(one: Game, other: Game, state: State, twin: State) -> None:
    """Rules of the other boxes pay nothing, all others the same."""
    for mine, theirs in zip(one.score(state).lines, other.score(twin).lines, strict=True):
        paid = {line.rule: line.gold for line in theirs}
        known = {line.rule: line.gold for line in mine}
        assert {**dict.fromkeys(paid, 0), **known} == paid

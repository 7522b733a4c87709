"""Whole games of mixed boxes: every law after every move, logs, the order of files."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from random import Random as Shuffler
from typing import Any, NamedTuple

import pytest
from hypothesis import given, strategies as st

from kbrules.engine.configuration import Transition
from kbrules.engine.game import Game
from kbrules.engine.logs.replay import parse_log, replay
from kbrules.engine.logs.writing import MatchInfo, Recorder
from kbrules.engine.matches import Match
from kbrules.engine.setup import TableSetup, choose_table, game_at
from kbrules.game.events import Received, Took
from kbrules.game.moves import Move, MoveGroup, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State, draft_of
from kbrules.library import load as loading
from kbrules.library.ruleset import Ruleset
from kbrules.library.store import Files
from kbrules.text import Source
from tests.pace import often
from tests.properties.mixed_laws import Laws
from tests.properties.mixes import (
    BOXES,
    MIXES,
    any_kind,
    any_move,
    game_of,
    played,
    rules,
    table_for_five,
    table_of,
)

GAMES, EARLY = 12, 5
"""Games of each mix, and how many of them `make test` plays."""
OF_ALL_BOXES = 125
"""So many games bring every tile and card of all boxes."""
PARTS = 16
"""How often so many games are played."""


@pytest.mark.parametrize("boxes", MIXES, ids=lambda boxes: "+".join(("base", *boxes)))
def test_every_law_holds_in_every_game(boxes: tuple[str, ...]) -> None:
    """The games of each mix, of two players or more and with some options turned over."""
    _play(boxes, range(EARLY))


@pytest.mark.slow
@pytest.mark.parametrize("boxes", MIXES, ids=lambda boxes: "+".join(("base", *boxes)))
def test_every_law_holds_in_later_games(boxes: tuple[str, ...]) -> None:
    _play(boxes, range(EARLY, GAMES))


def _play(boxes: tuple[str, ...], games: range) -> None:
    for seed in (MIXES.index(boxes) * GAMES + number for number in games):
        try:
            play_by_the_laws(game_of(boxes, seed), seed)
        except Exception as error:
            error.add_note(f"the game of {boxes} with seed {seed}")
            raise


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_every_law_holds_with_all_boxes_and_five_players(part: int) -> None:
    """Every tile is taken in some of them, and every card and task in play."""
    all_boxes_from(part * OF_ALL_BOXES)


def all_boxes_from(first: int) -> None:
    """Play the games of some seeds, and see that everything there is occurred."""
    occurred: set[str] = set()
    for seed in range(first, first + OF_ALL_BOXES):
        try:
            occurred |= play_by_the_laws(table_for_five(seed), seed)
        except Exception as error:
            error.add_note(f"the game of all boxes for five with seed {seed}")
            raise
    catalog = rules(BOXES).catalog
    assert {*(tile.id for tile in catalog.tiles), *catalog.cards} - occurred == set()


def play_by_the_laws(game: Game, seed: int, wanted: type[Laws] = Laws) -> set[str]:
    """A whole game, watched: the cards in play and the tiles taken."""
    tiles = game.ruleset.catalog.tiles
    occurred = {*game.cards}
    laws = wanted(game)
    state = game.start()
    laws.begin(state)
    for before, move, step in played(game, seed):
        laws.step(before, move, step)
        taken = [event for event in step.events if isinstance(event, Took | Received)]
        occurred |= {tiles[event.kind].id for event in taken}
        state = step.state
    laws.end(state)
    return occurred


LOGGED_GAMES = [(boxes, 7 * i) for i, boxes in enumerate(MIXES) if i % 3 == 0 or boxes == BOXES]


class Logged(NamedTuple):
    """A whole game: the state before every move and after the last, all that happened, its log."""

    game: Game
    states: tuple[State, ...]
    moves: tuple[Move, ...]
    steps: tuple[Transition, ...]
    hashes: tuple[str, ...]
    lines: tuple[str, ...]


def somebody(game: Game, state: State, moves: MoveSet, random: Random) -> Move:
    return any_kind(state, moves, random) if random.below(2) else any_move(state, moves, random)


@lru_cache(maxsize=1)
def logged(boxes: tuple[str, ...], seed: int) -> Logged:
    table = table_of(rules(boxes), seed)
    game = game_at(rules(boxes), table)
    recorder = Recorder(game, game.start(), MatchInfo(table, seed, ("any",) * table.players))
    match = Match(game, seed, [somebody] * table.players, recorder.watch)
    states, moves, steps = [match.state], [], []
    for each in match:
        recorder.add(each.player, each.move, each.transition)
        moves.append(each.move)
        steps.append(each.transition)
        states.append(match.state)
    recorder.close(match.state)
    hashes = tuple(state.hash() for state in states)
    return Logged(game, (*states,), (*moves,), (*steps,), hashes, tuple(recorder.lines))


@pytest.mark.parametrize(("boxes", "seed"), LOGGED_GAMES, ids=lambda value: str(value))
class TestMixedGames:
    """The tests of one game follow one another, so that it is played once for all of them."""

    def test_a_replay_is_the_same_game(self, boxes: tuple[str, ...], seed: int) -> None:
        game = logged(boxes, seed)
        log, found = parse_log(Source("game.kblog", "".join(game.lines)))
        assert log is not None and found == []
        result = replay(rules(boxes), log)
        assert (result.findings, result.difference) == ((), None)
        assert result.moves == len(game.moves)
        assert tuple(state.hash() for state in result.states[-3:]) == game.hashes[-3:]

    def test_the_events_alone_tell_the_table(self, boxes: tuple[str, ...], seed: int) -> None:
        """Folded one by one from the first position on, without any rule and never set right."""
        game = logged(boxes, seed)
        draft = draft_of(game.states[0])
        for line, step in zip(game.lines[1:-1], game.steps, strict=True):
            told: list[Any] = json.loads(line)["events"]
            for event, written in zip(step.events, told, strict=True):
                event.fold(draft)
                assert draft.facts_hash() == written["hash"], written
        assert draft.facts() == game.states[-1].facts()

    def test_no_state_is_changed_by_what_follows(self, boxes: tuple[str, ...], seed: int) -> None:
        """From any state of old another game can be played, and the first one again."""
        game = logged(boxes, seed)
        random = Random(seed, "back")
        for _ in range(8):
            at = random.below(len(game.moves))
            state = game.states[at]
            for _ in range(20):
                moves = game.game.legal_moves(state)
                if moves:
                    state = game.game.apply(state, moves.sample(random))
            assert game.game.apply(game.states[at], game.moves[at]).hash() == game.hashes[at + 1]
        assert tuple(state.hash() for state in game.states) == game.hashes
        assert len(set(game.hashes)) == len(game.hashes), "a position twice"


FILES = Files()
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

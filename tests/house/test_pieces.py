"""Rules that change which piece stands where: judged by examples, played by kernels."""

from __future__ import annotations

from pathlib import Path

import pytest

import kbrules
from kbrules.engine.configuration import PYTHON
from kbrules.engine.setup import choose_table, game_at
from kbrules.hex.sets import Mask, bits
from kbrules.scenario.collection import collect
from kbrules.tools.narration import marks_text, players_text, sheet_text
from kbrules.tools.pictures.replay import Timeline
from tests.equal.playthroughs import Both

PIECES = Path(__file__).with_name("pieces")


def test_its_scenarios_and_examples_pass() -> None:
    items = collect([PIECES])
    assert len(items) >= 5
    for item in items:
        outcome = item.run()
        assert outcome.passed, f"{item.id}\n{outcome.text}"


def test_kernels_play_it_as_the_reference_does() -> None:
    ruleset = kbrules.load(folders=[PIECES])
    for seed in range(3):
        game = game_at(ruleset, choose_table(ruleset, 2 + seed % 2, seed))
        Both(game.playthrough(seed, PYTHON), game).play()


def test_all_engines_tell_the_same_games() -> None:
    game = kbrules.new_game(kbrules.load(folders=[PIECES]), 3, 1, "pieces")
    told = {engine: list(game.playouts(range(2), engine)) for engine in ("reference", PYTHON)}
    assert told["reference"] == told[PYTHON]
    pytest.importorskip("numba")
    assert list(game.playouts(range(2), "native")) == told[PYTHON]


def test_numbers_with_a_title_are_seen_and_the_others_are_not() -> None:
    game = kbrules.new_game(kbrules.load(folders=[PIECES]), 2, 1, "pieces")
    state, random = game.start(), kbrules.Random(5, "test")
    while not state.is_over:
        state = game.apply(state, game.legal_moves(state).sample(random))
    slots = {name: slot for name, (_, slot) in game.ruleset.memories.items()}
    thefts = [seat.memory[slots["thefts"]] for seat in state.seats]
    bells = state.memory[slots["bells"]]
    assert bells and sum(thefts)
    sheet = sheet_text(game, game.score(state)).splitlines()
    assert [row.split()[1:] for row in sheet if row.startswith("thefts")] == [[*map(str, thefts)]]
    assert f"bells: {bells}" in sheet and f"bells: {bells}" in marks_text(game, state)
    held = players_text(game, state).splitlines()
    assert [line.rpartition("; ")[2] for line in held] == [f"thefts {n}" for n in thefts]
    timeline = Timeline(game, state, [])
    (frame,) = timeline.frames()
    assert timeline.own_counts == ["thefts"] and timeline.mark_titles[-1] == "bells"
    assert ([frame["n0"], frame["n1"]], frame["marks"][-1]) == ([[n] for n in thefts], [str(bells)])
    assert "visited" not in "".join([*sheet, *held])


def partners_one_by_one(game: kbrules.Game, state: kbrules.State, hex: int) -> Mask:
    """The slow twin: every hex whose one piece is another player's or of another kind."""
    standing = {
        at: (player, kind, game.ruleset.catalog.pieces[kind].size)
        for player, seat in enumerate(state.seats)
        for kind, held in enumerate(seat.pieces)
        for at in bits(held)
    }
    owner, kind, _ = standing[hex]
    others = (at for at, (p, k, size) in standing.items() if (p, k) != (owner, kind) and size == 1)
    return sum(1 << at for at in others)


def test_what_may_change_places_is_offered_and_nothing_else() -> None:
    game = kbrules.new_game(kbrules.load(folders=[PIECES]), 3, 2, "pieces")
    state, random, swaps = game.start(), kbrules.Random(5, "test"), 0
    castles = game.board.grid.neighbours(game.board.kinds[game.ruleset.catalog.hex_index("castle")])
    chosen = -1
    while not state.is_over:
        moves = game.legal_moves(state)
        for group in moves.groups:
            if group.verb == "swap" and group.rule == "ferry":
                theirs = state.occupied & ~state.seats[moves.player].all
                near = game.board.grid.neighbours(1 << chosen) & theirs & ~castles
                assert group.hexes == near & partners_one_by_one(game, state, chosen)
                swaps += 1
        move = moves.sample(random)
        chosen = move.hex if move.verb == "lift" else chosen
        state = game.apply(state, move)
    assert swaps > 2

"""Rules as no box has them: kernels play whatever the checker accepts, as states do."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from kbrules.engine.configuration import NATIVE, PYTHON
from kbrules.engine.matches import outcome, random_bot
from kbrules.engine.setup import choose_table, game_at
from kbrules.kernel.layout import PLACES
from kbrules.kernel.lowering.blocks import EFFECTS
from kbrules.kernel.lowering.expressions import EACH, STARTS, ExpressionLowering
from kbrules.lang.evaluation import CONNECTIVES
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.plan.plan import Plan
from kbrules.primitives.registry import FOLDS, OPERATORS, STEPS, WORDS, StepWord, Word
from kbrules.primitives.steps import deck
from kbrules.text import Source
from tests.equal.playthroughs import Both

PLAYERS = """\
define some_players "Now these, now those.":
    (others if any(mine & edge) otherwise players)

rule odd "Odd":
    "Loops over players and groups that are worked out."
    gold 1 per player in some_players if count(pieces(player)) > 2
    gold 3 * most(count(pieces(player)) for player in some_players)
    gold 2 * sum(count(pieces(player)) for player in (others if count(mine) > 4))
    gold 5 per group in (groups(mine) if count(mine) > 30) if count(group) > 2
    gold count((lines(mine, at least 3) if any(mine & edge)))
    when turn_end:
        for player in some_players: gain count(pieces(player) & edge)
        for player in (others if none(mine & edge)): gain 1
        for group in (groups(mine) if any(mine & edge)): gain count(group & edge)
"""
TERRAINS = """\
rule odd "Odd":
    "Loops over terrains that are worked out, and asks for some of them."
    when turn_end:
        reveal 1 card
        for ground in (revealed_terrains if any(mine & edge) otherwise revealed_terrains):
            gain count(mine & terrain(ground))
            up to 1 times: build 1 on empty & terrain(ground)
        reshuffle discards
"""
LISTS = """\
rule odd "Odd":
    "Loops over all that lies on the table, with choices within them."
    gold 1 per site in place_kinds if any(mine & adjacent(place(site)))
    gold most(held(kind) for kind in tile_kinds) * count(count(mine) > 3 for card in scoring_cards)
    gold 2 per ground in terrains to second by count(mine & edge) if any(mine & ground)
    gold 1 per 2 hexes in mine & edge to first by most(count(mine & sector) for sector in sectors)
    for ground in terrains if any(mine & terrain(ground)):
        for kind in piece_kinds: gold count(mine(kind) & terrain(ground)) / 2
    when turn_end:
        for ground in (terrains if any(mine & edge)):
            up to 1 times: build 1 on empty & terrain(ground)
            gain 1 if all(other = ground or any(terrain(other)) for other in terrains)
        for site in place_kinds: gain count(adjacent(place(site)) & mine)
        for kind in held_tiles:
            up to held(kind) times: move 1 from mine to adjacent(holding(kind)) & empty freely
        for kind in tile_kinds if held(kind) = 0: gain 1
        for kind in piece_kinds: gain least(supply(other) for other in piece_kinds)
        for card in scoring_cards if not in_play(card): gain 100
"""
WATCHED = """\
rule odd "Odd":
    "What is done whenever something holds asks where a piece came from."
    forbid move on adjacent(origin)
    whenever count(forbidden(move) - occupied) >= 5: gain 1
    when move: build 1 on edge & empty
    when build by others:
        up to 1 times: move 1 from mine to edge & empty
    when turn_start: move 1 from mine to empty freely
"""
OTHERS_TURN = """\
rule odd "Odd":
    "What is required of one player is not required of those who follow it."
    prefer build on edge if required
    forbid build on adjacent(water) if not required
    when build by anyone:
        gain 1 if required
        gain 2 if not required
        up to 1 times: build 1 on empty & edge if not required and count(mine) < 9
    when turn_end: gain 5 if required
"""
REUSED = """\
rule odd "Odd":
    "Actions are begun within loops and after events, of which they know nothing."
    action:
        for ground in terrains:
            reuse tiles from location
    when turn_end:
        for group in (groups(mine) if count(mine) > 4):
            up to 2 times: reuse tiles from location
    when build by anyone if count(mine) < 12:
        up to 1 times: reuse tiles from location
    when turn_start:
        for ground in terrains if any(mine & terrain(ground)):
            actions
"""
SHUFFLED = """\
memory counted: number of player "How often a deck has been made."

rule odd "Odd":
    "What lies face up becomes part of the deck, and the deck of itself."
    when build if counted < 4:
        count 1 into counted
        reshuffle shown
        reshuffle deck
        gain cards(deck)
"""
BEGUN = """\
rule odd "Odd":
    "Actions that begin with actions, and reuse within a reuse."
    action: actions
    action:
        either: actions
        or: build 1 on edge & empty
    action:
        gain 1
        actions
    when take: reuse tiles from location

rule odder "Odder":
    "The same again."
    action: actions
    action: reuse tiles from location
    action if any(mine):
        may:
            do each_other

steps each_other "Tiles reuse tiles.":
    reuse tiles from board

location oracle "Oracle" replaces oracle:
    "It reuses others."
    action: reuse tiles from location

location farm "Farm" replaces farm:
    "It reuses others, and takes."
    action:
        take tiles from location
        reuse tiles from location
    action: reuse tiles from board
"""
RICH = """\
rule odd "Odd":
    "Gold beyond 32 bits is paid, given back and counted."
    when build:
        repeat 400 times: gain 999999
        gain gold
        pay most(gold, 0) gold if count(mine) = 20
    gold gold per hex in board
    gold gold - 5 if gold * gold > 3
    gold 3 to first by gold
    gold gold * gold - gold
"""
ACTIONS = "\n".join(
    f'rule more_{number} "More":\n    "One more."\n    action: build 1 on edge & empty\n'
    for number in range(140)
)
ODD = {
    "players": PLAYERS,
    "terrains": TERRAINS,
    "lists": LISTS,
    "watched": WATCHED,
    "others_turn": OTHERS_TURN,
    "reused": REUSED,
    "shuffled": SHUFFLED,
    "begun": BEGUN,
    "rich": RICH,
    "actions": ACTIONS,
}
SIDE = 15
FAIR = f"""\
format: 1
id: fair
title: The fair
players: {{least: 2, most: 2}}
table: {{rows: 1, columns: 1}}
section: {{rows: {SIDE}, columns: {SIDE}}}
terrains: {{heath: {{letter: H}}}}
places: {{stall: {{letter: Y, title: stall}}}}
pieces: {{tent: {{letter: t, title: tent, supply: 40}}}}
tiles: {{ride: {{kind: location, place: stall, each: 2, title: Ride}}}}
sections:
  green:
    places: {{"1": ride}}
    rows: |
"""
STALLS = """\
location ride "Ride":
    "Build one more beside a stall."
    action: build 1 on heath & empty & adjacent(stall)

rule turn "The fair":
    "Build, take what lies near, and ride."
    permit build on heath & empty
    turn:
        build 1 tent
        actions
        ready tiles
    when build if count(mine) < 7: take tiles from adjacent(here)
    when turn_end if count(mine) >= 25: end game
    win by count(mine)
"""
EACH_ENGINE = pytest.mark.parametrize(
    "engine",
    [
        PYTHON,
        pytest.param(
            NATIVE,
            marks=[
                pytest.mark.slow,
                pytest.mark.skipif(find_spec("numba") is None, reason="no extra `fast`"),
            ],
        ),
    ],
)


def agree(ruleset: Ruleset, engine: str, games: int = 3) -> None:
    """Play some games by a kernel and by states: every move, and what comes of it."""
    most = ruleset.parts.players[1]
    for seed in range(games):
        table = choose_table(ruleset, min(2 + seed % 2, most), seed)
        game = game_at(ruleset, table)
        Both(game.playthrough(seed, engine), game).play()
        assert game.playout(seed, engine) == outcome(game, seed, [random_bot] * game.players)


@EACH_ENGINE
@pytest.mark.parametrize("name", ODD)
def test_odd_rules_are_played(name: str, engine: str) -> None:
    agree(load("base", texts=[Source("odd.kb", ODD[name])]), engine)


@EACH_ENGINE
def test_a_board_with_many_places_is_played(tmp_path: Path, engine: str) -> None:
    line = " ".join("H" if column % 2 else "1" for column in range(SIDE))
    other = " ".join("1" if column % 4 else "H" for column in range(SIDE))
    rows = [f"      {' ' * (row % 2)}{other if row % 2 else line}\n" for row in range(SIDE)]
    (tmp_path / "expansion.yaml").write_text(FAIR + "".join(rows), encoding="utf-8")
    (tmp_path / "fair.kb").write_text(STALLS, encoding="utf-8")
    ruleset = load(folders=[tmp_path])
    assert len(game_at(ruleset, choose_table(ruleset, 2, 0)).board.places) > PLACES
    agree(ruleset, engine, 2)


@pytest.mark.parametrize("word", STEPS, ids=lambda word: word.signature.name)
def test_every_step_has_a_function_in_the_kernel(word: StepWord) -> None:
    name = word.signature.name.rstrip("_")
    assert name in EFFECTS or word.is_offers or word.is_reuse
    assert word.outcomes in (None, deck), "the kernel draws from the deck only"


def test_every_word_has_a_form_in_the_kernel() -> None:
    expressions = ExpressionLowering(Plan(load("base"), (), {}))
    assert [word for word in (*WORDS, *OPERATORS) if not _has_form(expressions, word)] == []
    assert all(word.signature.key in {*STARTS, EACH} for word in FOLDS)


def _has_form(expressions: ExpressionLowering, word: Word) -> bool:
    key = word.signature.key
    return word.signature.fixed or key in CONNECTIVES or expressions.has_form(key)

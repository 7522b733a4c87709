"""Positions of files and of programs: possible ones are laid, others are refused by place."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import kbrules
from kbrules import Offered, RulesError, read_position
from kbrules.engine.game import Game
from kbrules.game.moves import CHANCE
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.library.boards.tables import lay_table, layout_of
from kbrules.library.load import check_all
from kbrules.library.yaml import read_yaml
from kbrules.scenario.position import STAGES, build_start, enter_stage
from kbrules.scenario.reader import parse_scenarios, read_scenarios
from kbrules.scenario.running import Case, run_scenario
from kbrules.scenario.setup import RulesetCache, rules_of
from kbrules.text import Source
from tests.collecting import collect
from tests.scenario.texts import BOARD, HEAD, READ, finding, game_cache, outcome, unmarked
from tests.source_tree import ROOT

EXPECT = "expect: {over: no}\n"
IMPOSSIBLE = [
    "position: {a: {pieces: {settlement: [a1, «b1»]}}}",
    "position: {b: {pieces: {settlement: [«b1»]}}}",
    "position: {a: {pieces: {settlement: [a3, «a3»]}}}",
    "position: {a: {pieces: {settlement: [«c2»]}}}",
    "position: {a: {pieces: {settlement: [«a5»]}}}",
    "position: {a: {supply: {settlement: «38»}}}",
    "position: {a: {supply: {settlement: «36»}}}",
    "position: {b: {tiles: [«tavern»]}}",
    "position: {a: {tiles: [«{tile: tavern, from: g4}»]}}",
    "position: {a: {tiles: [«{tile: tavern, from: a1}»]}}",
    "position: {a: {tiles: [«farm»]}}",
    "position: {a: {tiles: [tavern, tavern, «tavern»]}}",
    "position: {a: {tiles: [tavern]}, left: {c2: «2»}}",
    "position: {left: {g4: «3»}}",
    "position: {deck: {grass: «6»}}",
    "position: {discards: {grass: «6»}}",
    "position: {b: {hand: «[grass, grass, grass, grass, grass, grass]»}}",
]


@pytest.mark.parametrize("line", IMPOSSIBLE)
def test_what_play_cannot_lead_to_is_refused(line: str) -> None:
    assert finding(f"{HEAD}{line}\n{EXPECT}").code == "KB504"


@pytest.mark.parametrize("line", IMPOSSIBLE)
def test_it_may_be_meant(line: str) -> None:
    result = outcome(f"{HEAD}{line}\nunchecked: yes\n{EXPECT}")
    assert result.passed, result.text


ALWAYS = [
    "position: {left: {«a1»: 1}}",
    "position: {nobody: {pieces: {«settlement»: [a1]}}}",
    "board:\n  drawing: G 1 Ga 1\n  legend: {'1': tavern}\nposition: {a: {tiles: [«tavern»]}}",
]


@pytest.mark.parametrize("line", ALWAYS)
def test_what_has_no_meaning_is_refused_in_any_case(line: str) -> None:
    head = "format: 1\ntitle: it\n" if line.startswith("board") else HEAD
    assert finding(f"{head}{line}\nunchecked: yes\n{EXPECT}").code == "KB504"


def test_what_is_not_said_is_as_at_the_beginning() -> None:
    result = outcome(
        f"{HEAD}expect:\n  supply: {{a: {{settlement: 37}}, b: {{settlement: 39}}}}\n"
        "  left: {c2: 2, g4: 2}\n  deck: {grass: 5, forest: 5}\n"
    )
    assert result.passed, result.text


def test_a_place_that_was_visited_gives_no_second_tile() -> None:
    """What is on the board is remembered as if it had been built: b1 touches the place c2."""
    text = f"{HEAD}turn: {{played: canyon}}\nsteps: [b2]\n"
    assert outcome(text + "expect: {tiles: {a: []}, left: {c2: 2}}\n").passed
    fresh = text + "position: {a: {memory: {visited: []}}}\n"
    assert outcome(fresh + "expect: {tiles: {a: [{tavern: fresh}]}, left: {c2: 1}}\n").passed


def test_a_tile_comes_from_the_place_that_is_touched() -> None:
    drawn = "board:\n  drawing: G 1 G Ga 1 G\n  legend: {'1': tavern}\n"
    text = f"format: 1\ntitle: it\n{drawn}position: {{a: {{tiles: [tavern]}}}}\n"
    assert outcome(f"{text}expect: {{left: {{b1: 2, e1: 1}}}}\n").passed


LONG_TURN = """\
rule turn replaces turn:
    "Actions lie deep in the turn, and something follows."
    turn:
        repeat 2 times:
            if yes:
                actions
            gain 5

rule what_follows:
    "Something follows in another rule."
    turn:
        gain 1
"""


def test_what_follows_the_actions_follows_wherever_they_stand_in_the_turn() -> None:
    ruleset, findings = check_all(("base",), texts=[Source("long.kb", LONG_TURN)])
    assert ruleset is not None, findings
    steps = "steps: [b2, d2, {expect: {gold: {a: 0}}}, e2, {expect: {gold: {a: 6}}}]"
    text = f"{HEAD}turn: {{played: canyon, last_round: yes}}\n{steps}\n"
    cases, _ = parse_scenarios(Source("it.scenario.yaml", text))
    result = run_scenario(RulesetCache(ruleset), cases[0])
    assert result.passed, result.text


def test_an_action_that_is_done_is_not_offered_again() -> None:
    text = HEAD + "turn: {played: canyon, done: [mandatory]}\nposition: {a: {tiles: [tavern]}}\n"
    assert outcome(text + "expect: {choices: [tavern, turn]}\n").passed


@pytest.mark.parametrize(
    ("stage", "line"),
    [
        ("setup", "expect: {turn: chance, deck: {grass: 5}}"),
        ("start", "position: {a: {hand: [grass]}}\nexpect: {turn: a, shown: [grass]}"),
        ("actions", "position: {a: {hand: [grass]}}\nexpect: {shown: [], hand: {a: [grass]}}"),
        ("finish", "expect: {over: yes}"),
    ],
)
def test_a_scenario_begins_at_any_stage(stage: str, line: str) -> None:
    assert stage in STAGES
    result = outcome(f"{HEAD}turn: {{stage: {stage}}}\n{line}\n")
    assert result.passed, result.text


# Every state that play reaches can be said as a scenario, and is then the same state.

LAYOUT = [["tavern", "paddock turned"], ["oasis", "farm"]]


def _game() -> Game:
    ruleset = game_cache().ruleset
    board = lay_table(ruleset.catalog, ruleset.parts, layout_of(LAYOUT))
    return Game(ruleset, board, 2, ("knights", "lords"))


GAME = _game()


def _begun_turns(seed: int, moves: int) -> list[State]:
    """The states of a random game in which a player has just come to act."""
    random = Random(seed, "law")
    state = GAME.start()
    found = []
    for _ in range(moves):
        legal = GAME.legal_moves(state)
        if state.is_over:
            break
        if legal.player != CHANCE and not state.used and _nothing_half_done(state):
            found.append(state)
        state = GAME.apply(state, legal.sample(random))
    return found


def _nothing_half_done(state: State) -> bool:
    draft = GAME.empty()
    enter_stage(draft, GAME.ruleset, "actions", state.active)
    return draft.stack == state.stack


def _written(state: State) -> str:
    catalog, names = GAME.board.catalog, GAME.board.names
    lines = ["format: 1", "title: law", "cards: [knights, lords]", "expect: {over: no}"]
    lines += ["board: {sections: [[tavern, paddock turned], [oasis, farm]]}", "position:"]
    for letter, seat in zip("ab", state.seats, strict=True):
        tiles = ", ".join(
            f"{{tile: {catalog.tiles[t.kind].id}, from: {names(1 << t.origin)[0]}, "
            f"status: {t.status}}}"
            for t in seat.tiles
        )
        memory = ", ".join(names(seat.memory[GAME.ruleset.memories["visited"][1]]))
        hand = ", ".join(catalog.card_name(card) for card in seat.hand)
        pieces = ", ".join(names(seat.all))
        lines.append(
            f"  {letter}: {{pieces: {{settlement: [{pieces}]}}, tiles: [{tiles}], "
            f"hand: [{hand}], memory: {{visited: [{memory}]}}}}"
        )
    left = zip(GAME.board.places, state.stock, strict=True)
    lines.append("  left: {" + ", ".join(f"{names(1 << h)[0]}: {len(s)}" for h, s in left) + "}")
    for pile, counts in zip(("deck", "discards"), state.piles, strict=False):
        cards = (f"{catalog.card_name(card)}: {count}" for card, count in enumerate(counts))
        lines.append(f"  {pile}: {{{', '.join(cards)}}}")
    shown = ", ".join(catalog.card_name(card) for card in state.shown)
    lines.append(f"turn: {{player: {'ab'[state.active]}, played: [{shown}]}}")
    return "\n".join(lines) + "\n"


@settings(max_examples=15)
@given(st.integers(0, 10_000), st.integers(20, 200), st.integers(0, 1000))
def test_a_state_of_play_said_as_a_scenario_is_the_same_state(
    seed: int, moves: int, which: int
) -> None:
    states = _begun_turns(seed, moves)
    state = states[which % len(states)]
    cases, findings = parse_scenarios(Source("law.scenario.yaml", _written(state)))
    assert findings == []
    begun, findings = build_start(cases[0], game_cache())
    assert begun is not None, [f"{each.message} {each.span.text}" for each in findings]
    game, laid = begun.game, begun.state
    assert laid.seats == state.seats
    assert laid.occupied == state.occupied
    assert (laid.piles, laid.stock, laid.shown) == (state.piles, state.stock, state.shown)
    assert sorted(game.legal_moves(laid)) == sorted(GAME.legal_moves(state))
    assert game.score(laid).totals == GAME.score(state).totals


def test_a_card_is_counted_once_in_whatever_order_its_terrains_are_written() -> None:
    marshes = rules_of(READ, ("base", "marshlands"))
    line = "position: {deck: {grass+swamp: 1, swamp+grass: 0}}"
    (case,), _ = parse_scenarios(Source("it.scenario.yaml", f"{HEAD}{line}\n{EXPECT}"))
    (only,) = run_scenario(marshes, case).diagnostics
    assert (only.code, only.span.text) == ("KB504", "swamp+grass")


NOMADS = """\
format: 1
title: it
unchecked: yes
board:
  drawing: |
    G G G G
     G G 1 G
    G G G Gb
  legend: {"1": sword}
turn: {played: grass}
"""
BUILT = "'mandatory: build a1', 'mandatory: build b1', 'mandatory: build c1'"
DRAWN = [f"steps: [{BUILT}, {{draw: «grass»}}]\n", f"steps: [{BUILT}]\nseed: «1»\n"]
HOMELESS = [
    ("outpost", True),
    ("{tile: outpost, status: used}", True),
    ("{tile: outpost, status: fresh}", False),  # it stays for the next turn anyhow
    ("{tile: sword, status: used}", False),
    ("{tile: farm, status: used}", False),
]


@pytest.mark.parametrize("steps", DRAWN)
@pytest.mark.parametrize(("tile", "is_refused"), HOMELESS)
def test_a_tile_of_chance_from_no_place_is_not_carried_over_a_turn(
    tile: str, is_refused: bool, steps: str
) -> None:
    nomads = rules_of(READ, ("base", "nomads"))
    plain, marked = unmarked(f"{NOMADS}position: {{a: {{tiles: [{tile}]}}}}\n{steps}{EXPECT}")
    (case,), _ = parse_scenarios(plain)
    found = run_scenario(nomads, case).diagnostics
    assert [(each.code, (each.span.start, each.span.end)) for each in found] == (
        [("KB504", marked)] if is_refused else []
    )


TEXT = BOARD + "with: [base]\nturn: {played: canyon}\nposition: {a: {tiles: [tavern]}}\n"
FOLDERS = ("locations", "island", "marshlands", "caves", "nomads")
SHARED = ("with", "players", "options", "cards", "board", "unchecked", "position", "turn")


def _values(text: str) -> Any:
    document, findings = read_yaml(Source("it", text))
    assert document is not None and findings == []
    return document.data


def test_what_is_offered_is_told_by_names() -> None:
    game, state = read_position(TEXT)
    offered = {(each.rule, each.verb): each.hexes for each in game.offered(state)}
    assert offered["tavern", "build"] == ("a1", "e1")
    assert all(isinstance(each, Offered) for each in game.offered(state))
    masks = {(g.rule, g.verb): g.hexes for g in game.legal_moves(state).groups}
    for key, hexes in offered.items():
        assert game.board.mask(hexes) == masks[key]


def test_a_move_without_a_hex_is_offered_without_one() -> None:
    game, state = read_position(TEXT + "unchecked: yes\n")
    for text in ("mandatory: build a2", "mandatory: build d2", "mandatory: build e2"):
        state = game.apply(state, kbrules.read_move(text, game.board, game.legal_moves(state)))
    assert Offered("turn", "end") in game.offered(state)
    assert game.legal_moves(state).player == 0


def test_values_say_the_same_as_text() -> None:
    values = _values(TEXT)
    values["board"]["legend"] = {1: "tavern", 2: "paddock"}
    values["turn"]["played"] = ("canyon",)
    (game, state), (other, same) = read_position(TEXT), read_position(values)
    assert state == same and game.offered(state) == other.offered(same)


@pytest.mark.parametrize("folder", FOLDERS)
def test_all_that_scenarios_lay_can_be_given(folder: str) -> None:
    """The first scenario of every file: islands, drawn boards, sections, any number of players."""
    found = collect([ROOT / "tests" / "scenarios" / folder], files=READ).cases
    firsts = {item.span.source.name: item for item in reversed(found)}
    for item in firsts.values():
        begun, _ = build_start(item.definition, item.cache)  # type: ignore[arg-type]
        assert begun is not None
        game, state = read_position(_shared(item))
        assert state == begun.state and game.players == begun.game.players


def _shared(item: Case) -> Mapping[str, Any]:
    """What a scenario file says of the position of one of its scenarios."""
    cases, _ = read_scenarios(Path(item.span.source.name))
    data = cases[0].document.data
    entry = {**data, **(data["scenarios"][0] if "scenarios" in data else {})}
    boxes = entry.get("with", [])
    return {**{key: entry[key] for key in SHARED if key in entry}, "with": boxes}


WRONG = [
    ("KB402", "«bord»: {drawing: G}\n", "board"),
    ("KB402", f"{BOARD}«steps»: [a1]\n", "steps"),
    ("KB412", "«turn: {player: a}»\n", "board"),
    ("KB413", f"{BOARD}with: [«bse»]\n", "base"),
    ("KB413", f"{BOARD}turn: {{played: «canyn»}}\n", "canyon"),
    ("KB506", f"{BOARD}position: {{a: {{pieces: {{settlement: [«z9»]}}}}}}\n", ""),
    ("KB504", f"{BOARD}with: [base]\nplayers: «5»\n", "2 to 4"),
    ("KB401", "board: «[»1\n", "closed"),
    ("KB403", "", "nothing"),
]


@pytest.mark.parametrize(("code", "text", "said"), WRONG)
def test_bad_text_is_refused_at_its_line_and_column(code: str, text: str, said: str) -> None:
    source, marked = unmarked(text)
    with pytest.raises(RulesError) as raised:
        read_position(source.text)
    found = raised.value.diagnostics[0]
    assert found.code == code and said in f"{found.message} {found.help}"
    assert marked is None or (found.span.start, found.span.end) == marked


VALUES: list[Any] = [
    7, None, [], {}, {"board": {"drawing": "G Q"}}, {"board": {1, 2}}, {("a",): 1},
    {"players": float("nan")}, {"board": {"drawing": "G"}, "turn": {"player": "\ud800"}},
]  # fmt: skip


@pytest.mark.parametrize("values", VALUES, ids=lambda values: repr(values)[:20])
def test_bad_values_are_refused_by_code(values: Any) -> None:
    with pytest.raises(RulesError) as raised:
        read_position(values)
    assert all(each.code.startswith("KB4") or each.code == "KB004" for each in
               raised.value.diagnostics)  # fmt: skip


def test_values_in_a_ring_are_refused() -> None:
    ring: list[object] = []
    ring.append(ring)
    with pytest.raises(RulesError, match="KB403"):
        read_position({"board": ring})


def test_an_authors_folder_may_be_named() -> None:
    home = ROOT / "tests" / "house" / "hex"
    game, state = read_position("board: {sections: [[rhombus]]}\n", folders=[home])
    assert game.offered(state)

"""Positions that a program gives: laid as scenarios lay them, refused by code and place."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import kbrules
from kbrules import Offered, RulesError, read_position
from kbrules.library.yaml import read_yaml
from kbrules.scenario.collection import collect
from kbrules.scenario.position import build_start
from kbrules.scenario.reader import read_scenarios
from kbrules.scenario.running import Case
from kbrules.text import Source
from tests.scenario.texts import BOARD, CACHES, unmarked
from tests.source_tree import ROOT

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
    found = collect([ROOT / "tests" / "scenarios" / folder], caches=CACHES).cases
    firsts = {item.span.source.name: item for item in reversed(found)}
    for item in firsts.values():
        begun, _ = build_start(item.definition, item.cache)  # type: ignore[arg-type]
        assert begun is not None
        game, state = read_position(_shared(item))
        assert state == begun.state and game.players == begun.setup.game.players


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

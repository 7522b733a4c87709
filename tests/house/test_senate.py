"""Scoring cards that rule the game: what each says holds while it is in play, and only then."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

import kbrules
from kbrules.engine.configuration import PYTHON
from kbrules.engine.game import Game
from kbrules.game.moves import Move
from kbrules.scenario.position import read_position
from kbrules.tools.reports.report import as_text
from kbrules.tools.why.questions import AboutMoves
from kbrules.tools.why.report import MovesAnswer, answer, why_report
from tests.equal.playthroughs import Both

SENATE = Path(__file__).with_name("senate")
CARDS = ("fishermen", "loans", "processions", "tolls", "dues")
ASIDE = [aside for size in (1, 2, 3) for aside in combinations(CARDS, size)]


@pytest.fixture(scope="module")
def game() -> Game:
    return kbrules.new_game(kbrules.load(folders=[SENATE]), 2, 1, "senate")


@pytest.mark.parametrize("seed", range(3))
def test_kernels_play_it_as_the_reference_does(game: Game, seed: int) -> None:
    Both(game.playthrough(seed, PYTHON), game).play()


def given(aside: tuple[str, ...], played: str, **turn: object) -> dict[str, object]:
    return {
        "cards": [*CARDS],
        "unchecked": True,
        "board": {"drawing": "Ga G  G  W\n D  D  D  D\nGb W  G  G\n"},
        "position": {"beside": [*aside]},
        "turn": {"played": played} | turn,
    }


@pytest.mark.parametrize("aside", ASIDE, ids="-".join)
def test_a_card_beside_says_nothing(aside: tuple[str, ...]) -> None:
    offered = {}
    for played in ("grass", "desert"):
        game, state = read_position(given(aside, played), [SENATE])
        offered[played] = {group.rule for group in game.legal_moves(state).groups}
    built = [group.hexes for group in game.legal_moves(state).groups if group.verb == "build"]
    assert built[0].bit_count() == (1 if "fishermen" in aside else 4), "next to one's own, or all"
    assert ("fishermen" in offered["desert"]) == ("fishermen" not in aside)
    assert ("mandatory" in offered["grass"]) == ("fishermen" in aside)
    assert ("loans" in offered["desert"]) == ("loans" not in aside)


def test_cards_beside_pay_nothing_and_hold_no_processions() -> None:
    for aside in ASIDE:
        game, state = read_position(given(aside, "grass", stage="start", round=1), [SENATE])
        sheet = game.score(state)
        assert not {line.rule for line in sheet.lines[0] if line.gold} & {*aside}
        assert sheet.gained[0] == ("processions" not in aside)


@pytest.mark.parametrize("aside", [(), *ASIDE], ids="-".join)
def test_why_names_no_card_beside(aside: tuple[str, ...]) -> None:
    game, state = read_position(given(aside, "desert"), [SENATE])
    far = Move("build", "mandatory", game.board.grid.index("c1"))
    found = answer(game, state, AboutMoves(state, (far,)))
    assert isinstance(found, MovesAnswer)
    text = as_text(why_report(found, ""), False)
    assert ("Nobody builds on grass" in text) == ("fishermen" not in aside)

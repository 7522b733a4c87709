"""Rules of mirrored, closed and winding settlements: judged by examples, played by kernels."""

from __future__ import annotations

from pathlib import Path

import pytest

import kbrules
from kbrules.diagnostics import RulesError
from kbrules.engine.configuration import PYTHON
from kbrules.engine.setup import choose_table, game_at
from kbrules.scenario.collection import collect
from kbrules.text import Source
from tests.equal.playthroughs import Both
from tests.example_games import DALE

SHAPES = Path(__file__).with_name("shapes")


def test_its_scenarios_and_examples_pass() -> None:
    items = collect([SHAPES])
    assert len(items) >= 9
    for item in items:
        outcome = item.run()
        assert outcome.passed, f"{item.id}\n{outcome.text}"


def test_kernels_play_it_as_the_reference_does() -> None:
    ruleset = kbrules.load(folders=[SHAPES])
    for seed in range(3):
        game = game_at(ruleset, choose_table(ruleset, 2 + seed % 2, seed))
        Both(game.playthrough(seed, PYTHON), game).play()


def test_all_engines_tell_the_same_games_of_the_longest_way() -> None:
    game = kbrules.new_game(kbrules.load(folders=[SHAPES]), 3, 1, "shapes")
    assert "wanderers" in game.cards
    told = {engine: list(game.playouts(range(2), engine)) for engine in ("reference", PYTHON)}
    assert told["reference"] == told[PYTHON]
    pytest.importorskip("numba")
    assert list(game.playouts(range(2), "native")) == told[PYTHON]


WIDE = 'rule wide "Wide":\n    "All of it."\n    gold longest_way({})\n'
LARGE = [
    "board", "empty", "water", "mine | pieces(me)", "within(mine, 1)", "connected(mine, occupied)",
    "within(foremost(mine), 4)", "largest(groups(board))", "row) for row in rows if (yes",
]  # fmt: skip
SMALL = [
    "mine", "mine & board", "within(foremost(mine), 3)", "mine - water", "largest(groups(mine))",
    "connected(board, mine)", "group) for group in groups(mine) if (yes",
]  # fmt: skip


def wide(of: str) -> list[Source]:
    text = WIDE.format(of)
    return [Source("wide.kb", text.replace("gold longest", "gold sum(longest") + ")"
                   if " for " in of else text)]  # fmt: skip


@pytest.mark.parametrize("of", LARGE)
def test_a_set_that_may_be_too_large_is_refused_when_rules_are_loaded(of: str) -> None:
    with pytest.raises(RulesError, match=r"wide.kb:3:\d+: error\[KB216\]: .* 40 hexes"):
        kbrules.load("base", texts=wide(of))


@pytest.mark.parametrize("of", SMALL)
def test_the_pieces_of_a_player_and_what_is_near_a_hex_are_small(of: str) -> None:
    kbrules.load("base", texts=wide(of))


POSITION = """\
board:
  drawing: |
    {}
     H H
"""


@pytest.mark.parametrize("engine", ["reference", PYTHON, "native"])
def test_every_engine_refuses_too_large_a_group_by_one_code(engine: str, tmp_path: Path) -> None:
    if engine == "native":
        pytest.importorskip("numba")
    for name, text in DALE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text.replace("supply: 2", "supply: 60"), encoding="utf-8")
    (tmp_path / "rules" / "wide.kb").write_text(WIDE.format("mine"), encoding="utf-8")
    for huts, is_refused in ((40, False), (41, True)):
        text = POSITION.format(" ".join(["Ha"] * huts))
        game, state = kbrules.read_position(text, [tmp_path])
        game = game.with_engine(engine)
        if not is_refused:
            assert game.totals(state) == (40, 0)
            continue
        with pytest.raises(RulesError, match=r"KB513.* more than 40 hexes"):
            game.totals(state)

"""Games played by the kernel are those played step by step, whatever rules they have."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbrules.engine.configuration import PYTHON
from kbrules.engine.game import Game
from kbrules.engine.matches import outcome, random_bot
from kbrules.engine.setup import choose_table, game_at
from kbrules.engine.simulation.playouts import Playouts
from kbrules.kernel.python import PythonKernel
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.text import Source
from tests.equal.playthroughs import by_chance
from tests.shipped import compile_anew

HEAD = 'rule more "More":\n    "What no box has."\n'
TEXTS = {
    "waived by one rule": (
        "    waive build if count(mine) < 12\n    when build if strayed: gain 1\n"
    ),
    "waived by two rules": (
        "    waive build if count(mine) < 20\n"
        "    when build if strayed: gain 1\n\n"
        'rule other "Other":\n    "It waives as well."\n'
        "    waive build, move if count(mine & edge) > 1\n"
    ),
    "a waived move": (
        "    waive move if count(mine & edge) > 0\n"
        "    action: move 1 from mine to terrain(played)\n"
    ),
    "a slide that stays off what is barred": (
        "    forbid move on edge\n"
        "    action: move 1 from mine to slide(origin, buildable - forbidden(move)) freely\n"
    ),
    "a slide into what is barred": (
        "    forbid move on edge\n"
        "    action: move 1 from mine to slide(origin, buildable - occupied) freely\n"
    ),
    "a jump": "    action: move 1 from mine to next_in(origin, board - forbidden(move)) freely\n",
    "a jump to the edge": (
        "    action: move 1 from mine to next_in(origin, board - forbidden(move)) & edge\n"
    ),
    "a short walk": "    action: move 1 from mine to reach(origin, 2, empty & buildable)\n",
    "a step beside anybody": (
        "    forbid move on adjacent(water) & adjacent(pieces(settlement))\n"
        "    action: move 1 from mine to buildable & adjacent(origin)\n"
    ),
    "a step, then a build on the terrain": (
        "    action:\n"
        "        up to 2 times: move 1 from mine to buildable & straight(origin, 2)\n"
        "        build 1 on terrain(played)\n"
    ),
    "tiles taken one place after the other, and gold before them": (
        "    when take: gain count(mine & adjacent(here))\n\n"
        'rule zeal "Zeal":\n    "It is the last that follows."\n'
        "    when build:\n"
        "        gain 1\n"
        "        for lot in groups(location & stocked):\n"
        "            if any(lot & within(here, 6)) and count(visited) < 2:\n"
        "                take tiles from lot\n"
    ),
    "tiles taken one place after the other, and gold after them": (
        "    when build:\n"
        "        repeat 2 times: gain count(visited)\n"
        "        for lot in groups(location & stocked):\n"
        "            if any(lot & within(here, 6)) and count(visited) < 2:\n"
        "                take tiles from lot\n"
        "        gain count(visited)\n"
    ),
    "tiles taken in one case, and gold in the other": (
        "    when build:\n"
        "        if any(here & edge):\n"
        "            take tiles from within(here, 3) & location & stocked\n"
        "        otherwise:\n"
        "            gain supply(settlement)\n"
        "    when take: gain count(mine(settlement) & adjacent(here))\n"
    ),
    "a game that ends with the pieces": (
        "    when build if supply(settlement) = 20 or none(mine(settlement) - edge): end game\n"
    ),
    "a turn of two parts": "    turn:\n        gain count(mine & edge)\n",
    "a turn with a part for some": "    turn if count(mine) > 3:\n        gain 1\n",
    "a number of dead cards": "    when build, turn_end if dead(build) < 1: gain 1 + dead(build)\n",
    "an action of rounds": (
        "    action:\n        repeat 2 times:\n            build 1 on edge\n            gain 1\n"
    ),
    "an action that begins in one case only": (
        "    action:\n"
        "        if count(mine) > 4:\n"
        "            build 1 on water\n"
        "        build 1 on edge\n"
    ),
    "tiles used once more": "    action: reuse tiles from location\n",
    "tiles used twice more": (
        "    action:\n"
        "        up to 2 times:\n"
        "            reuse tiles from location\n"
        "            gain 1\n"
    ),
    "tiles that mind it": (
        "    forbid build on edge if repeated\n"
        "    increase builds by 1 if repeated\n"
        "    action: reuse tiles from location\n"
    ),
}


@pytest.mark.parametrize("what", TEXTS)
@pytest.mark.parametrize("box", ["base", "crossroads"])
def test_it_is_the_same_game(what: str, box: str) -> None:
    _compare(what, box, range(1))


@pytest.mark.slow
@pytest.mark.parametrize("what", TEXTS)
@pytest.mark.parametrize("box", ["base", "crossroads"])
def test_other_games_are_the_same(what: str, box: str) -> None:
    _compare(what, box, range(1, 4))


def _compare(what: str, box: str, seeds: range) -> None:
    text = Source("more.kb", HEAD + TEXTS[what])
    ruleset = load(*dict.fromkeys(("base", box)), texts=[text])
    for seed in seeds:
        game = game_at(ruleset, choose_table(ruleset, 2, seed))
        playouts, bots = Playouts(game, PYTHON), [random_bot] * 2
        for each in range(2):
            assert playouts(each) == outcome(game, each, bots)
        assert playouts.faults == 0
        assert by_chance(game.playthrough(0)).outcome() == outcome(game, 0, bots)


HOUSE_RULES = Path("tests/house")


@pytest.fixture(scope="module", params=["base", "hex", "dale"])
def ruleset(request: pytest.FixtureRequest) -> Ruleset:
    boxes = [] if request.param == "hex" else ["base"]
    return load(*boxes, folders=[] if request.param == "base" else [HOUSE_RULES / request.param])


@pytest.mark.parametrize("seed", range(12))
def test_outcomes_are_those_of_the_steps(ruleset: Ruleset, seed: int) -> None:
    players = ruleset.parts.players[seed % 2]
    game = game_at(ruleset, choose_table(ruleset, players, seed))
    for each in range(3):
        assert game.playout(each) == outcome(game, each, [random_bot] * players)


def table() -> Game:
    ruleset = load("base")
    return game_at(ruleset, choose_table(ruleset, 2, 3))


@pytest.fixture
def stops(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tenth function is not made the first time."""
    compile_anew(monkeypatch)
    makes = PythonKernel._compile
    parts: list[str] = []

    def made(self: PythonKernel, name: str) -> object:
        parts.append(name)
        if len(parts) == 10:
            raise KeyboardInterrupt
        return makes(self, name)

    monkeypatch.setattr(PythonKernel, "_compile", made)
    return parts


def test_a_game_at_a_stretch_is_played_again(stops: list[str]) -> None:
    game = table()
    with pytest.raises(KeyboardInterrupt):
        for seed in range(9):
            game.playout(seed)
    assert [game.playout(seed) for seed in range(9)] == [table().playout(n) for n in range(9)]
    assert len(stops) > 20

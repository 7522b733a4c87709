"""States and the memory of a kernel are convertible both ways, exactly, whatever is on a table."""

from __future__ import annotations

from functools import lru_cache

import pytest

from kbrules.engine.configuration import ENGINES, NATIVE, PYTHON, REFERENCE, IllegalMove
from kbrules.engine.game import Game
from kbrules.engine.setup import choose_table, game_at
from kbrules.engine.simulation.kernels import OutOfRoom, kernel_of
from kbrules.game.moves import Move
from kbrules.game.random import Random
from kbrules.game.state import STATE_FIELDS, State, draft_of
from kbrules.kernel.layout import MAX_COUNTS
from kbrules.kernel.lowering.writing import BINDINGS, binding_of, bound_by
from kbrules.kernel.states import StateCodec
from kbrules.library.box import shipped_boxes
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.primitives.vocabulary import EVENTS
from kbrules.tools.sampling import samples

BOXES = [name for name in shipped_boxes() if name != "base"]
HOUSE_BOXES = ["tests/house/dale", "tests/house/hex", "tests/house/fair"]


@lru_cache(maxsize=4)
def rules(name: str) -> Ruleset:
    if name == "hex" or name.endswith("/hex"):
        return load(folders=[name])
    return load("base", folders=[name]) if "/" in name else load(*dict.fromkeys(("base", name)))


def there_and_back(game: Game, state: State, engine: str) -> State:
    """A state written into a memory of the kernel and read again."""
    lowered, memory = kernel_of(game, engine).lowered, kernel_of(game, engine).new_memory(game)
    codec = StateCodec(lowered, game, memory.cells, memory)
    numbers = codec.encode(state)
    memory.put(lowered.layout["STATE"], numbers)
    kept = memory.part(lowered.layout["STATE"], len(numbers))
    return codec.state(kept)


def same(one: State, other: State) -> bool:
    facts = all(getattr(one, fact) == getattr(other, fact) for fact in STATE_FIELDS)
    return facts and one.to_json() == other.to_json() and one.hash() == other.hash()


@pytest.mark.parametrize("name", ["base", *BOXES, *HOUSE_BOXES])
def test_a_state_of_any_box_comes_back_as_it_was(name: str) -> None:
    ruleset, seen = rules(name), 0
    for sample in samples(ruleset, 12, seed=5):
        back = there_and_back(sample.game, sample.state, PYTHON)
        assert same(back, sample.state)
        seen += 1
    assert seen


@pytest.mark.parametrize("name", ["base", "tests/house/hex"])
def test_it_does_so_in_words_of_64_bits(name: str) -> None:
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    for sample in samples(rules(name), 12, seed=6):
        assert same(there_and_back(sample.game, sample.state, NATIVE), sample.state)


@pytest.mark.parametrize("name", ["base", "nomads", "marshlands", "harvest", "tests/house/hex"])
def test_every_state_of_a_game_comes_back_as_it_was(name: str) -> None:
    """Half-finished actions, too: their frames, and what is bound in them."""
    game = game_at(rules(name), choose_table(rules(name), 2, 3))
    state, random, depths = game.start(), Random(3, "moves"), set()
    while moves := game.legal_moves(state):
        assert same(there_and_back(game, state, PYTHON), state)
        depths.add(len(state.stack))
        state = game.apply(state, moves.sample(random))
    assert name.endswith("hex") or len(depths) > 1


def test_what_every_event_binds_is_told_apart_by_the_names() -> None:
    for event in EVENTS:
        names = bound_by(event)
        env = {name: 0 for name, _ in names}
        assert BINDINGS[binding_of(env)] == names
    assert BINDINGS[binding_of({})] == ()


# a game whose states are stepped by a kernel


def table(engine: str = PYTHON) -> Game:
    return game_at(rules("base"), choose_table(rules("base"), 2, 1), engine=engine)


def test_a_game_says_which_engine_steps_its_states() -> None:
    for engine in ENGINES:
        assert (f"states by {engine}" in repr(table(engine))) == (engine != REFERENCE)
    assert table().engine == PYTHON
    with pytest.raises(ValueError, match="no engine is called 'fast'"):
        table("fast")


def test_states_of_one_engine_serve_another() -> None:
    one, other, random = table(), table(REFERENCE), Random(1, "moves")
    state = other.start()
    for number in range(60):
        game = one if number % 3 else other
        moves = game.legal_moves(state)
        state = game.apply(state, moves.sample(random))
        assert one.legal_moves(draft_of(state).seal()) == other.legal_moves(draft_of(state).seal())
    assert one.totals(state) == other.totals(state) == one.score(state).totals


def test_a_branch_does_not_disturb_another() -> None:
    """Between two moves from one state the memory has held others."""
    game, twin = table(), table(REFERENCE)
    state = game.start()
    for _ in range(12):
        afters = [game.apply(state, move) for move in game.legal_moves(state)]
        known = [twin.apply(state, move) for move in twin.legal_moves(state)]
        assert all(map(same, afters, known))
        state = afters[-1]


def test_what_it_refuses_the_reference_explains() -> None:
    game, twin = table(), table(REFERENCE)
    state = game.start()
    said = []
    for each in (game, twin):
        with pytest.raises(IllegalMove) as found:
            each.apply(state, Move("build", "placement", 0))
        said.append(str(found.value))
    assert said[0] == said[1]


def test_a_state_too_deep_for_it_is_refused_by_name() -> None:
    game = table()
    draft = draft_of(game.start())
    draft.stack = draft.stack * (MAX_COUNTS["FRAME"] + 1)
    with pytest.raises(OutOfRoom, match="no room"):
        game.legal_moves(draft.seal())

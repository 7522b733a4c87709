"""States, saves and arrays know their table: those of another one change nothing."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from copy import copy, deepcopy
from functools import lru_cache
from typing import Any

import pytest

import kbrules
from kbrules.engine.configuration import NATIVE, PYTHON, REFERENCE
from kbrules.engine.game import Game
from kbrules.engine.simulation.playthrough import Playthrough, Saved
from kbrules.game.moves import Move
from kbrules.game.random import Random
from kbrules.game.state import Draft, State, draft_of
from tests.equal.games import bare

pytest.importorskip("numba")
numpy = pytest.importorskip("numpy")

STATES = REFERENCE, PYTHON, NATIVE
KERNELS = PYTHON, NATIVE


@lru_cache(maxsize=16)
def game_of(seed: int = 1, players: int = 2, engine: str = REFERENCE, **options: bool) -> Game:
    rules = kbrules.load("base")
    return kbrules.new_game(rules, players, seed, options=options, engine=engine)


def again(engine: str = REFERENCE) -> Game:
    """The table of `game_of()` made once more, of rules that were loaded once more."""
    return kbrules.new_game(kbrules.load("base"), 2, 1, engine=engine)


def midway(game: Game, engine: str = PYTHON, moves: int = 40) -> Playthrough:
    play, random = game.playthrough(3, engine), Random(1, "way")
    for _ in range(moves):
        play.choose(random.below(play.count))
    return play


def other_cards() -> Game:
    """The same table with other cards."""
    game = game_of()
    return Game(game.ruleset, game.board, 2, ("knights", "lords", "miners"))


OTHERS: dict[str, tuple[Callable[[], Game], str]] = {
    "players": (lambda: game_of(players=3), "it has 3 players, this table has 2"),
    "board": (lambda: game_of(seed=2), "its board is not the one on this table"),
    "cards": (other_cards, "its cards are `knights`, `lords`, `miners`"),
    "options": (lambda: game_of(lords_rank_zero=False), "option `lords_rank_zero` is no, here yes"),
    "rules": (lambda: kbrules.new_game(kbrules.load(), 2, 1), "its rules have the digest"),
}
ASKED: dict[str, Callable[[Game, State], Any]] = {
    "legal_moves": lambda game, state: game.legal_moves(state),
    "offered": lambda game, state: game.offered(state),
    "apply": lambda game, state: game.apply(state, Move("end", "turn")),
    "play": lambda game, state: game.play(state, Move("end", "turn")),
    "explain": lambda game, state: game.explain(state, Move("end", "turn")),
    "score": lambda game, state: game.score(state),
    "totals": lambda game, state: game.totals(state),
    "after_events": lambda game, state: game.after_events(state, ()),
    "view": lambda game, state: game.view(state, 0, {}),
}


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("other", OTHERS)
def test_a_state_of_another_table_is_refused_with_what_differs(other: str, asked: str) -> None:
    make, sentence = OTHERS[other]
    with pytest.raises(kbrules.TableMismatch, match=sentence) as refused:
        ASKED[asked](game_of(), make().start())
    assert refused.value.code == "KB066" and isinstance(refused.value, ValueError)


@pytest.mark.parametrize("engine", STATES)
@pytest.mark.parametrize("asked", ASKED)
def test_what_is_no_state_is_a_type_error(engine: str, asked: str) -> None:
    for odd in (None, 7, 0.5, "state", b"", (), game_of(), game_of().board, State):
        with pytest.raises(TypeError, match="a state is wanted"):
            ASKED[asked](game_of(engine=engine), odd)  # type: ignore[arg-type]


@pytest.mark.parametrize("engine", STATES)
def test_states_go_to_every_game_at_the_same_table(engine: str) -> None:
    game, play = game_of(engine=engine), midway(again())
    state = play.state
    for same in (state, pickle.loads(pickle.dumps(state)), draft_of(state).seal()):
        assert game.legal_moves(same) == play.moves
        assert game.totals(same) == game.score(same).totals
        assert same.hash() == state.hash() and game.apply(same, play.moves[0])
    assert game.legal_moves(game_of().start()) == game_of().legal_moves(game_of().start())


@pytest.mark.parametrize("engine", STATES)
@pytest.mark.parametrize("other", OTHERS)
def test_a_pickled_state_knows_its_table(other: str, engine: str) -> None:
    make, sentence = OTHERS[other]
    state = pickle.loads(pickle.dumps(make().start()))
    with pytest.raises(kbrules.TableMismatch, match=sentence):
        game_of(engine=engine).legal_moves(state)
    assert make().legal_moves(state) == make().legal_moves(make().start())


def changed(**facts: Any) -> State:
    """A state of unknown origin that is half another one."""
    draft = draft_of(midway(game_of()).state)
    for name, value in facts.items():
        setattr(draft, name, value)
    return draft.seal()


def seat(**facts: Any) -> tuple[Any, ...]:
    one, other = midway(game_of()).state.seats
    return one._replace(**facts), other


DAMAGED: dict[str, Callable[[], State]] = {
    "no seats": lambda: changed(seats=()),
    "pieces beyond the board": lambda: changed(seats=seat(pieces=(1 << 600,))),
    "hand": lambda: changed(seats=seat(hand=(99,))),
    "tiles": lambda: changed(seats=seat(tiles=((99, 0, "ready"),))),
    "gold": lambda: changed(seats=seat(gold=2**70)),
    "a seat that is none": lambda: changed(seats=(1, 2)),
    "stock": lambda: changed(stock=((99,),) * len(game_of().board.places)),
    "piles": lambda: changed(piles=((), (), ())),
    "shown": lambda: changed(shown=(10**9,)),
    "active": lambda: changed(active=2),
    "stage": lambda: changed(stage=("nowhere", 0)),
    "used": lambda: changed(used=("nothing",)),
    "stack": lambda: changed(stack=(midway(game_of()).state.stack[0]._replace(pc=99),)),
    "block": lambda: changed(stack=(midway(game_of()).state.stack[0]._replace(block="x"),)),
    "text": lambda: changed(firings="many"),
    "nothing": lambda: Draft.__new__(Draft).seal(),
}


@pytest.mark.parametrize("engine", STATES)
@pytest.mark.parametrize("part", DAMAGED)
def test_a_state_of_unknown_origin_must_fit_in_every_part(part: str, engine: str) -> None:
    game, state = game_of(engine=engine), DAMAGED[part]()
    for asked in (game.legal_moves, game.totals, game.score):
        with pytest.raises(kbrules.TableMismatch):
            asked(state)


def test_no_state_is_made_but_by_a_game() -> None:
    with pytest.raises(TypeError, match="a game makes states"):
        State()


@pytest.mark.parametrize("engine", STATES)
def test_what_is_no_move_is_a_type_error(engine: str) -> None:
    game = game_of(engine=engine)
    for state in (game.start(), midway(game_of()).state):
        moves = game.legal_moves(state)
        for odd in (None, "build", ("build",), (), ("build", "mandatory", 0.5), (1, 2, 3),
                    ("build", None, 3), tuple.__new__(Move, ("build",))):  # fmt: skip
            for asked in (game.apply, game.play, game.explain):
                with pytest.raises(TypeError, match="a move is wanted"):
                    asked(state, odd)  # type: ignore[operator]
        assert game.legal_moves(state) == moves and game.apply(state, tuple(moves[0]))  # type: ignore[arg-type]


# saves


def flipped(row: Any) -> Any:
    """A row with a bit turned."""
    head = bytes([row[0] ^ 1]) if isinstance(row, bytes) else (row[0] ^ 1,)
    return head + row[1:]


FORGED: dict[str, Callable[[Any], Any]] = {
    "a bit": lambda saved: saved._replace(row=flipped(saved.row)),
    "cut": lambda saved: saved._replace(row=saved.row[:50]),
    "longer": lambda saved: saved._replace(row=saved.row * 2),
    "empty": lambda saved: saved._replace(row=saved.row[:0]),
    "moves": lambda saved: saved._replace(moves_made=3),
    "made": lambda saved: type(saved)(flipped(saved.row), 3, saved.origin),
    "by hand": lambda saved: Saved(saved.row, 3),
    "pickled": lambda saved: flipped_pickle(saved),
}


def flipped_pickle(saved: Any) -> Any:
    """A save from elsewhere, of which a number of the row was changed on the way."""
    make, (row, *rest) = saved.__reduce__()
    return make(flipped(row), *rest)


@pytest.mark.parametrize("engine", KERNELS)
@pytest.mark.parametrize("forged", FORGED)
def test_a_save_that_was_changed_is_refused_and_nothing_moves(forged: str, engine: str) -> None:
    play = midway(game_of(), engine)
    state, moves = play.state, play.moves
    with pytest.raises(kbrules.TableMismatch, match="was changed after"):
        play.restore(FORGED[forged](play.save()))
    assert (play.state, play.moves, play.moves_made) == (state, moves, 40)


@pytest.mark.parametrize("engine", KERNELS)
@pytest.mark.parametrize("other", OTHERS)
def test_a_save_of_another_table_is_refused_with_what_differs(other: str, engine: str) -> None:
    make, sentence = OTHERS[other]
    play, saved = midway(game_of(), engine), midway(make(), engine).save()
    state = play.state
    for each in (saved, copy(saved), deepcopy(saved), pickle.loads(pickle.dumps(saved))):
        with pytest.raises(kbrules.TableMismatch, match=sentence):
            play.restore(each)
    assert play.state == state


def test_a_save_of_another_engine_is_refused() -> None:
    python, native = midway(game_of(), PYTHON), midway(game_of(), NATIVE)
    with pytest.raises(kbrules.TableMismatch, match="of the engine `python`; `native` plays here"):
        native.restore(python.save())
    with pytest.raises(kbrules.TableMismatch, match="of the engine `native`; `python` plays here"):
        python.restore(native.save())


@pytest.mark.parametrize("engine", KERNELS)
def test_a_save_goes_to_every_game_at_the_same_table(engine: str) -> None:
    play = midway(game_of(), engine)
    saved, state = play.save(), play.state
    for each in (saved, copy(saved), pickle.loads(pickle.dumps(saved))):
        for other in (copy(play), midway(again(), engine, 5), again().playthrough(9, engine)):
            other.restore(each)
            assert (other.state, other.moves, other.moves_made) == (state, play.moves, 40)


@pytest.mark.parametrize("engine", KERNELS)
def test_what_is_no_save_or_no_index_is_a_type_error(engine: str) -> None:
    play = midway(game_of(), engine)
    state = play.state
    for odd in (None, 5, b"\0" * 9000, (1, 2), tuple(play.save()), play.save().row, play):
        with pytest.raises(TypeError, match="a save is wanted"):
            play.restore(odd)  # type: ignore[arg-type]
    for odd in (None, 0.0, float("nan"), "0", b"0", (), numpy.zeros(2)):
        with pytest.raises(TypeError):
            play.choose(odd)  # type: ignore[arg-type]
    assert play.state == state and play.moves_made == 40
    play.choose(numpy.int64(0))  # type: ignore[arg-type]


# batches and games


@pytest.mark.parametrize(
    "choices",
    [[0.5, 0.0], [0.0, 0.0], ["0", "0"], [None, 0], [True, False], [0, 10**30], [[0], [0, 0]],
     numpy.zeros(2), numpy.zeros(2, "M8[s]"), None, "00", 0.5],
    ids=repr,
)  # fmt: skip
def test_choices_of_a_batch_are_whole_numbers(choices: Any) -> None:
    batch = game_of().batch([1, 2])
    codes = batch.codes()
    with pytest.raises(TypeError, match="choices are whole numbers"):
        batch.step(choices)
    assert (batch.codes() == codes).all()


def test_choices_may_be_any_array_of_whole_numbers() -> None:
    wanted = game_of().batch([1, 2])
    wanted.step([1, 0])
    wide = numpy.array([[1, 9], [0, 9]])
    fixed = numpy.array([1, 0], numpy.uint8)
    fixed.flags.writeable = False
    for choices in (wide[:, 0], fixed, numpy.array([1, 0], ">i4"), (1, 0), [numpy.int8(1), 0]):
        batch = game_of().batch([1, 2])
        batch.step(choices)
        assert (batch.codes() == wanted.codes()).all()


def test_codes_and_widths_of_a_batch_are_in_range() -> None:
    batch = game_of().batch([1, 2])
    good = int(batch.codes()[0, 0])
    for odd in (-1, 10**30, 255 << 16, 10**6 << 24, good | 65535):
        with pytest.raises(ValueError, match="no move has the code"):
            batch.move(odd)
    for odd in (None, 0.5, "1", b"1"):
        with pytest.raises(TypeError, match="a whole number"):
            batch.move(odd)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a whole number"):
        batch.codes(1.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="at most 65,536"):
        batch.codes(10**12)


@pytest.mark.parametrize("seeds", [None, 5, 0.5, {}, iter([1]), object(), numpy.zeros((2, 2))])
def test_seeds_are_a_sequence(seeds: Any) -> None:
    for asked in (game_of().batch, game_of().playouts):
        with pytest.raises(TypeError, match="seeds are a sequence"):
            asked(seeds)


def test_a_game_is_made_of_what_belongs_together() -> None:
    game, foreign = game_of(), kbrules.new_game(kbrules.load(), 2, 1)
    with pytest.raises(kbrules.TableMismatch, match="laid for other rules"):
        Game(game.ruleset, foreign.board, 2)
    for odd in (None, "rules", game):
        with pytest.raises(TypeError, match="a rule set is wanted"):
            Game(odd, game.board, 2)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="a board is wanted"):
            Game(game.ruleset, odd, 2)  # type: ignore[arg-type]
    for number in (0, 7, -1, 10**30):
        with pytest.raises(ValueError, match="1 to 6 players"):
            Game(game.ruleset, game.board, number)
    for odd in (None, 2.0, "2", True):
        with pytest.raises(TypeError, match="number of players"):
            Game(game.ruleset, game.board, odd)  # type: ignore[arg-type]
    for value in (1, None, "yes", 1.0):
        with pytest.raises(TypeError, match="`lords_rank_zero` is yes or no"):
            Game(game.ruleset, game.board, 2, (), {"lords_rank_zero": value})  # type: ignore[dict-item]


def test_games_at_the_same_table_have_the_same_fingerprint() -> None:
    game = game_of()
    assert game.fingerprint == again().fingerprint == game.with_engine(NATIVE).fingerprint
    assert game.fingerprint is game.fingerprint and len(game.fingerprint.digest) == 32
    assert len({make().fingerprint for make, _ in OTHERS.values()} | {game.fingerprint}) == 6
    shuffled = Game(game.ruleset, game.board, 2, game.cards[::-1])
    assert shuffled.fingerprint == game.fingerprint


CANOE = """
with: [marshlands]
board:
  drawing: |
    G  G  S  Sb
     G  1  W  2
    Ga G  G  G
  legend: {"1": farm, "2": canoe}
position: {b: {tiles: [canoe]}, left: {b2: 1}}
turn: {played: grass}
"""


def test_a_state_in_which_somebody_may_react_is_known_from_elsewhere() -> None:
    game, state = kbrules.read_position(CANOE)
    state = game.apply(state, game.legal_moves(state).groups[0].moves()[0])
    assert any(group.rule == "canoe" for group in game.legal_moves(state).groups)
    moved = bare(state)
    assert game.legal_moves(moved) == game.legal_moves(state)


@pytest.mark.parametrize("engine", STATES)
def test_a_draft_of_another_table_is_not_played_on(engine: str) -> None:
    larger = kbrules.new_game(kbrules.load(), 5, 2)
    with pytest.raises(kbrules.TableMismatch, match="it has 5 players, this table has 2"):
        game_of(engine=engine).run_to_decision(larger.empty())
    assert game_of(engine=engine).run_to_decision(game_of().empty()) == game_of().start()


@pytest.mark.parametrize("engine", STATES)
def test_before_the_first_decision_there_are_no_moves(engine: str) -> None:
    game = game_of(engine=engine)
    move = game.legal_moves(game.start())[0]
    asked: tuple[Callable[[State], Any], ...] = (
        game.legal_moves,
        lambda state: game.apply(state, move),
        lambda state: game.play(state, move),
    )
    for ask in asked:
        for draft in (game.empty(), game.empty().seal()):
            with pytest.raises(kbrules.TableMismatch, match="run_to_decision"):
                ask(draft)


@pytest.mark.parametrize("engine", KERNELS)
def test_a_game_in_place_says_what_to_pickle(engine: str) -> None:
    with pytest.raises(TypeError, match="pickle its `save\\(\\)`"):
        pickle.dumps(midway(game_of(), engine))


def test_a_batch_is_copied_and_not_pickled() -> None:
    many = game_of().batch([1, 2])
    other = deepcopy(many)
    other.step([0, 0])
    assert (many.codes() == game_of().batch([1, 2]).codes()).all()
    with pytest.raises(TypeError, match="pickle its seeds"):
        pickle.dumps(many)

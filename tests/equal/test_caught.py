"""The comparison itself: what is broken on one side, however little, it finds and says where."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from kbrules.engine.configuration import PYTHON, REFERENCE, Transition
from kbrules.engine.game import Game
from kbrules.engine.scoring import Sheet
from kbrules.game.events import Event
from kbrules.game.moves import Move, MoveSet
from kbrules.game.state import Draft, State, draft_of
from kbrules.kernel.passes import SourceUnit
from tests.equal import expressions, outcomes
from tests.equal.games import Pair, Tally
from tests.equal.settings import Mix, Setting, rules_of, setting_of
from tests.equal.unequal import Unequal
from tests.shipped import compile_anew

MIX = Mix(("base", "nomads"))
SEEDS = range(8)


# one side is broken in what it answers


def changed(state: State, **values: Any) -> State:
    """A state with other values in some slots."""
    draft: Draft = draft_of(state)
    for name, value in values.items():
        setattr(draft, name, value)
    return draft.seal(state.cache)


def reordered(moves: MoveSet) -> MoveSet:
    return MoveSet(moves.player, tuple(reversed(moves.groups)), moves.weights)


def cut(moves: MoveSet) -> MoveSet:
    """Without the last hex of the last group."""
    *groups, last = moves.groups
    less = last.hexes & ~(1 << last.hexes.bit_length() - 1) if last.hexes else 0
    return MoveSet(moves.player, (*groups, last._replace(hexes=less or last.hexes)), moves.weights)


def without_tiles(state: State) -> State:
    """As if the rule that hands out tiles had not been told what happened."""
    return changed(state, seats=tuple(seat._replace(tiles=()) for seat in state.seats))


def without_frame(state: State) -> State:
    """As if a block had been left too early."""
    return changed(state, stack=state.stack[1:] or state.stack)


def never_ending(state: State) -> State:
    return changed(state, ending=False)


def richer(sheet: Sheet) -> Sheet:
    return Sheet(sheet.lines, (sheet.gained[0] + 1, *sheet.gained[1:]), sheet.judge)


def by_the_way(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Without the second event, if there is one."""
    return (*events[:1], *events[2:])


class Broken(Game):
    """A game that answers something else, in one respect."""

    moves: Callable[[MoveSet], MoveSet] = staticmethod(lambda moves: moves)
    anew: Callable[[MoveSet], MoveSet] = staticmethod(lambda moves: moves)
    after: Callable[[State], State] = staticmethod(lambda state: state)
    events: Callable[[tuple[Event, ...]], tuple[Event, ...]] = staticmethod(lambda events: events)
    sheet: Callable[[Sheet], Sheet] = staticmethod(lambda sheet: sheet)

    def legal_moves(self, state: State) -> MoveSet:
        is_known = state.cache is not None
        moves = super().legal_moves(state)
        return self.moves(moves) if is_known else self.anew(moves)

    def apply(self, state: State, move: Move) -> State:
        return self.after(super().apply(state, move))

    def play(self, state: State, move: Move, watch: Any = None) -> Transition:
        done = super().play(state, move, watch)
        return Transition(self.after(done.state), self.events(done.events))

    def score(self, state: State) -> Sheet:
        return self.sheet(super().score(state))


FAULTS: Mapping[str, Mapping[str, Any]] = {
    "an order of groups": {"moves": reordered},
    "a hex that is not offered": {"moves": cut},
    "a hex that is not offered when moves are found anew": {"anew": cut},
    "a trigger that is dropped": {"after": without_tiles},
    "a frame that is lost": {"after": without_frame},
    "an end that is forgotten": {"after": never_ending},
    "an event that is left out": {"events": by_the_way},
    "gold that nobody earned": {"sheet": richer},
}


def game_with(setting: Setting, fault: Mapping[str, Any]) -> Game:
    game = setting.game(PYTHON)
    kind = type("Faulty", (Broken,), {name: staticmethod(code) for name, code in fault.items()})
    return kind(game.ruleset, game.board, game.players, game.cards, game.options, PYTHON)


def first_difference(make: Callable[[Setting], Game]) -> Unequal | None:
    """What is found first in the games of some seeds."""
    for seed in SEEDS:
        setting = setting_of(seed, MIX)
        try:
            Pair(make(setting), setting.game(REFERENCE), seed, Tally()).play()
        except Unequal as found:
            return found
    return None


@pytest.mark.parametrize("fault", FAULTS)
def test_a_game_that_answers_otherwise_is_found(fault: str) -> None:
    assert first_difference(lambda setting: game_with(setting, FAULTS[fault]))


def test_a_game_without_a_fault_is_not_found() -> None:
    assert first_difference(lambda setting: game_with(setting, {})) is None


# one side is broken in the text of its expressions

REPLACED = {
    "another operator": (" & ", " | "),
    "a complement": ("~", ""),
    "another player": (r"(?<=[(, ])me(?=[),])", "0"),
    "a number": (r"\b1\b", "2"),
    "another set": (r"\bALL\b", "PIECES"),
    "a test turned over": (r"\bif (t[0-9]+|some\(t[0-9]+\)):", r"if not \1:"),
    "a value left out": (r"(t[0-9]+) \+= .*", r"\1 += 0"),
    "a case left out": (r"\belse:\n( +)t[0-9]+ = .*", r"else:\n\1pass"),
}


@pytest.mark.parametrize("fault", REPLACED)
def test_an_expression_that_is_written_otherwise_is_found(
    fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    mix = Mix(("base", "nomads", "harvest"))
    monkeypatch.setattr(SourceUnit, "parsed", _broken("answer_", *REPLACED[fault]))
    with pytest.raises(Exception) as found:  # it may break what is asked altogether
        expressions.compared(3, mix)
    said = "\n".join(found.value.__notes__)
    assert re.search(r"to (rules/\w+(/\w+)?\.kb|the norms):\d+:\d+: `", said)
    assert "--seed 3" in said


# one side is broken in the kernel

IN_KERNELS = {
    "another operator": ("base", "neighbours", r"<<", ">>"),
    "another player": ("base", "start_turn", r"player = .*", "player = 0"),
    "a hex that is not offered": ("base", "add_group", r"(?s)$", "\n    M[GROUP_COUNT] -= 1"),
    "a decision that nobody counts": ("base", "play_random_move", r"\+= 1", "+= 0"),
    "a draw of another card": ("base", "weighted", r"return i\b", "return 0"),
    "a set that is not kept": ("base", "change_pieces", r"store\(M, OCCUPIED.*\)", "pass"),
    "an end that is forgotten": ("base", "do_last_round", r"= 1", "= 0"),
    "a reaction that nobody is asked for": (
        "marshlands",
        "push_pending",
        r"= number \+ 1",
        "= number",
    ),
    "a piece that cannot slide": ("nomads", "slide_over", r"some\(front\)", "False"),
    "a tile that serves again": ("base", "use_tile", r"= USED", "= READY"),
}
"""A box in which it matters, a function, and what is written there instead."""


@pytest.mark.parametrize("fault", IN_KERNELS)
def test_a_kernel_that_is_written_otherwise_is_found(
    fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    box, function, old, new = IN_KERNELS[fault]
    mix = Mix(tuple(dict.fromkeys(("base", box))))
    compile_anew(monkeypatch)
    monkeypatch.setattr(SourceUnit, "parsed", _broken(function, old, new))
    rules_of(mix).derived.clear()
    try:
        assert _is_found(mix)
    finally:
        rules_of(mix).derived.clear()


def _broken(function: str, old: str, new: str) -> Callable[[SourceUnit, str], ast.FunctionDef]:
    """Parses functions; one of them, or each with a name that begins so, has a fault."""
    right = SourceUnit.parsed

    def parsed(self: SourceUnit, name: str) -> ast.FunctionDef:
        code = right(self, name)
        if name != function and not (function.endswith("_") and name.startswith(function)):
            return code
        text = re.sub(old, new, ast.unparse(code))
        assert function.endswith("_") or text != ast.unparse(code), "nothing was changed"
        found = ast.parse(text).body[0]
        assert isinstance(found, ast.FunctionDef)
        return found

    return parsed


def _is_found(mix: Mix) -> bool:
    """Whether the games differ, or break."""
    for seed in range(0, 120, 5):
        try:
            outcomes.compared(setting_of(seed, mix))
        except Exception as error:
            return "tests.equal.outcomes" in "\n".join(error.__notes__)
    return False

"""The engine and the twin side by side, through a turn or a whole game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from kbrules.engine.game import Game
from kbrules.game.moves import Move
from kbrules.game.random import Random
from kbrules.game.state import State
from tests.boxes import bridge
from tests.boxes.effects import Story
from tests.boxes.scene import Scene
from tests.boxes.turn import story
from tests.oracle.seen import answer_of, question_of
from tests.oracle.twin_game import CHANCE, Question


def follow(game: Game, state: State, scene: Scene, random: Random, turns: int = 2) -> State:
    """Play so many turns at random and compare what is offered at every decision and what lies.

    Ends with the game if that is over before; both must say so.
    """
    twin, first = story(scene, turns), scene.mover
    question = _next(twin, None)
    while question is not None:
        if question.player == CHANCE:
            state, answer = _drawn(game, state, question, random)
        else:
            move = _agreed(game, state, question, random)
            state, answer = game.apply(state, move), answer_of(game, move)
        question = _next(twin, answer)
        same(game, state, scene)
        if question is not None or state.is_over:  # else the engine has begun another turn
            alike("cards", bridge.cards(game, state), cards(scene))
    over = state.is_over or state.stage[1] >= first + scene.turn
    assert over, f"the twin is done, the engine asks: {game.legal_moves(state)}"
    return state


def _next(twin: Story, answer: object) -> Question | None:
    try:
        return twin.send(answer)
    except StopIteration:
        return None


def _drawn(game: Game, state: State, question: Question, random: Random) -> tuple[State, str]:
    """The state after a draw, and the terrain drawn."""
    moves = game.legal_moves(state)
    assert moves.weights, f"a card should be drawn, the engine asks: {moves}"
    alike("the deck", dict(question_of(game, moves).cards), dict(question.cards))
    move = moves.sample(random)
    return game.apply(state, move), game.ruleset.catalog.card_name(move.hex)


def _agreed(game: Game, state: State, question: Question, random: Random) -> Move:
    """One of the moves that both offer, of an evenly chosen action."""
    moves = game.legal_moves(state)
    answers = {} if moves.weights else {answer_of(game, move): move for move in moves}
    extra, missing = set(answers) - question.answers, question.answers - set(answers)
    wrong = {"too much": _short(extra), "missing": _short(missing)}
    assert not extra and not missing, f"{wrong}" + (" (the engine draws)" if moves.weights else "")
    assert moves.player == question.player
    group = moves.groups[random.below(len(moves.groups))]
    if group.verb == "end" and len(moves.groups) > 1 and random.below(4):
        group = moves.groups[0]
    each = group.moves()
    return each[random.below(len(each))]


def _short(answers: set[tuple[str, str, object]]) -> dict[str, list[str]]:
    """Answers by what is done, for people to read."""
    found: dict[str, list[str]] = {}
    for verb, rule, cell in sorted(answers, key=str):
        found.setdefault(f"{verb} {rule}", []).append(str(cell))
    return found


def same(game: Game, state: State, scene: Scene) -> None:
    """Fail unless the same pieces, tiles and gold lie on both tables."""
    alike("pieces", bridge.pieces(game, state), {c: tuple(p) for c, p in scene.pieces.items()})
    held = [sorted((tile.kind, tile.origin) for tile in hand) for hand in scene.held]
    alike("tiles", dict(enumerate(bridge.tiles(game, state))), dict(enumerate(held)))
    gold = [seat.gold for seat in state.seats]
    alike("gold", dict(enumerate(gold)), dict(enumerate(scene.gold)))
    for player, left in enumerate(bridge.supplies(game, state)):
        alike(f"supply of {player}", left, {k: n for k, n in scene.supply[player].items() if n})


def cards(s: Scene) -> dict[str, Counter[str]]:
    """Where all terrain cards lie, and in whose hands."""
    found = {f"hand of {player}": Counter(hand) for player, hand in enumerate(s.hands)}
    piles = {"deck": +s.deck, "discards": +s.discards, "removed": +s.removed}
    return {"shown": Counter(s.shown), "aside": Counter(s.aside), **found, **piles}


def alike(what: str, engine: Mapping[Any, object], twin: Mapping[Any, object]) -> None:
    """Fail, saying where they differ, unless both have the same."""
    keys = sorted(key for key in {*engine, *twin} if engine.get(key) != twin.get(key))
    differ = [f"{key}: {engine.get(key)}, not {twin.get(key)}" for key in keys]
    assert not differ, f"{what} of the engine: " + "; ".join(differ)

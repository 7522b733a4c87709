"""Cases of options: a position under each value, where the answers differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from kbrules.engine.configuration import IllegalMove
from kbrules.engine.game import Game
from kbrules.game.moves import AmbiguousMove, InvalidMove, write_move
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.library.box import shipped_boxes
from kbrules.library.load import load, needed
from kbrules.library.ruleset import Ruleset
from kbrules.library.store import Files
from kbrules.scenario.position import build_start
from kbrules.scenario.reader import Scenario
from kbrules.tools import conform as answers
from kbrules.tools.sampling import samples
from tests.collecting import collect
from tests.conformance.book import Book, files, laid, written
from tests.conformance.prints import moves_of, own_keys

SAMPLES, KEPT = 70, 5
FURTHER = 120  # moves


def record_all(book: Book, paths: Iterable[Path]) -> None:
    """Enter the cases of every option, by sampled positions, else by scenarios."""
    record(book)
    record_played(book, paths)


def record(book: Book) -> None:
    """Enter the cases of every option of every shipped box."""
    seen: set[str] = set()
    for box in sorted(shipped_boxes(), key=lambda id: (len(_with(id)), id)):
        ruleset = load(*_with(box))
        for option in sorted(ruleset.options.keys() - seen):
            seen.add(option)
            _option(book, ruleset, option)


def record_played(book: Book, paths: Iterable[Path]) -> None:
    """Enter what the scenarios of a ruling come to under the values of its options.

    The first moment that differs after the moves of the scenario is asked about.
    """
    for item in collect([*paths], files=files()):
        scenario = item.definition
        if not isinstance(scenario, Scenario):
            continue
        game = build_start(scenario, item.cache)[0]
        for option in scenario.model.options:
            if game is not None and not any(option in c["holds"] for c in book.cases.values()):
                keys = own_keys(scenario, game.game)
                _played(book, option, keys, [*moves_of(scenario)])


def _played(book: Book, option: str, keys: Any, moves: list[str]) -> None:
    ruleset = load(*keys["with"])
    tables = [(value, _with_option(keys, option, value)) for value in _values(ruleset, option)]
    games = [laid(there) for _, there in tables]
    if None in games:
        return
    moves = [*moves, *_further(games[0], moves, option)]
    under = [
        (value, there, [*_told_after(*game, moves)])
        for (value, there), game in zip(tables, games, strict=True)
        if game is not None
    ]
    (_, _, one), (_, _, other) = under
    for number, (mine, theirs) in enumerate(zip(one, other, strict=False)):
        for question in mine:
            if mine[question] != theirs.get(question, mine[question]):
                for value, there, told in under:
                    answer = {question: told[number][question]}
                    _put(book, option, value, there, answer, 0, moves[:number])
                return


def _further(laid_out: tuple[Game, State] | None, moves: list[str], option: str) -> Iterator[str]:
    """Moves at random after those of a scenario: some options come to light turns later."""
    assert laid_out is not None
    (game, state), random = laid_out, Random(1, option)
    for number in range(len(moves) + FURTHER):
        legal = game.legal_moves(state)
        if not legal:
            return
        if number < len(moves):
            move = answers.move_named(game, state, moves[number])
            if legal.group_of(move) is None:
                return
        else:
            move = legal.sample(random)
            yield write_move(move, game.board)
        state = game.apply(state, move)


def _told_after(game: Game, state: State, moves: list[str]) -> Iterator[dict[str, Any]]:
    """What is answered before each move and after the last one that is legal."""
    events: dict[str, Any] = {}
    for text in (*moves, ""):
        yield {**events, "legal": answers.legal(game, state), "scores": answers.scores(game, state)}
        try:
            done = game.play(state, answers.move_named(game, state, text)) if text else None
        except (IllegalMove, InvalidMove, AmbiguousMove):
            return
        if done is not None:
            state, events = done.state, {"events": answers.event_records(game, done.events)}


def _with(box: str) -> list[str]:
    return needed(Files(), sorted({"base", box}), ())


def _option(book: Book, ruleset: Ruleset, option: str) -> None:
    kept = 0
    for sample in samples(ruleset, SAMPLES, seed=1):
        keys = written(sample.game, sample.state)
        if keys is None or kept == KEPT:
            continue
        under = [(value, *_under(keys, option, value)) for value in _values(ruleset, option)]
        for question in ("legal", "scores"):
            told = [each[2][question] for each in under if each[2]]
            if len(told) == len(under) > 1 and any(each != told[0] for each in told):
                kept += 1
                for value, keys_there, answer in under:
                    _put(book, option, value, keys_there, {question: answer[question]}, kept)
                break


def _values(ruleset: Ruleset, option: str) -> Iterator[bool | int]:
    usual = ruleset.options[option]
    yield usual
    yield (not usual) if isinstance(usual, bool) else usual + 1


def _under(keys: Any, option: str, value: bool | int) -> tuple[Any, dict[str, Any]]:
    """The position with an option, and what is answered there; nothing if it cannot be laid."""
    there = _with_option(keys, option, value)
    found = laid(there)
    if found is None:
        return there, {}
    return there, {"legal": answers.legal(*found), "scores": answers.scores(*found)}


def _with_option(keys: Any, option: str, value: bool | int) -> Any:
    return {**keys, "options": {**keys.get("options", {}), option: _said(value)}}


def _said(value: bool | int) -> str | int:
    return ("no", "yes")[value] if isinstance(value, bool) else value


def _put(
    book: Book, option: str, value: bool | int, keys: Any, question: Any, number: int,
    moves: Iterable[str] = (),
) -> None:  # fmt: skip
    said = _said(value)
    name = f"{option}-{number}-{said}"
    book.positions[name] = keys
    source = "docs/rulings.md"
    (asked,) = question
    id = f"{name}-{asked}"
    book.put(id, name, question, [option], "ruling", source, moves, option={option: said})

"""Cases worked by hand from the rule book: the shipped scenarios, and the examples in rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from kbrules.engine.game import Game
from kbrules.game.moves import CHANCE, write_move
from kbrules.game.state import State
from kbrules.hex.sets import bits
from kbrules.scenario.checks import move_of
from kbrules.scenario.examples import RuleExample, set_up_example
from kbrules.scenario.models import ExpectModel
from kbrules.scenario.position import Laid, build_start
from kbrules.scenario.reader import Scenario
from kbrules.scenario.running import Case
from tests.collecting import collect
from tests.conformance.book import LETTERS, Book, files, laid, written
from tests.source_tree import ROOT


def record(book: Book, path: Path) -> None:
    """Enter the cases of all scenarios and examples below a folder."""
    for number, item in enumerate(collect([path], files=files())):
        name = f"{path.name}-{number}"
        if isinstance(item.definition, Scenario):
            _scenario(book, name, item, item.definition)
        else:
            _example(book, name, item, item.definition)


def source_of(item: Case) -> str:
    """The file, from the root of the repository, and the title."""
    file = Path(item.span.source.name).resolve()
    shown = file.relative_to(ROOT).as_posix() if file.is_relative_to(ROOT) else file.name
    return f"{shown}: {item.title}"


def known_in(game: Game) -> set[str]:
    """All that a case can hold."""
    catalog = game.ruleset.catalog
    things = {tile.id for tile in catalog.tiles} | {*catalog.cards}
    return things | {rule.id for rule in game.ruleset.rules} | {*game.ruleset.options}


def _scenario(book: Book, name: str, item: Case, scenario: Scenario) -> None:
    start, _ = build_start(scenario, item.cache)
    if start is None:
        return
    keys = own_keys(scenario, start.game)
    if laid(keys) is None:
        return
    book.positions[name] = keys
    made: list[str] = []
    state = start.state
    told = _Told(book, name, item, start, scenario)
    for step in scenario.model.steps:
        expect = getattr(step, "expect", None)
        text = _text(step)
        if state.stage != start.state.stage and scenario.model.seed is not None:
            return  # what is drawn by the seed stands in no step
        if expect is not None:
            told.expected(expect, state, made)
        elif text:
            moved = _moved(start, state, text, scenario)
            if moved is None:
                return
            state, written_text = moved
            made.append(written_text)
    if scenario.model.expect is not None and scenario.model.seed is None:
        told.expected(scenario.model.expect, state, made)


def own_keys(scenario: Scenario, game: Game) -> Any:
    """The keys of a scenario up to its turn, with its boxes and players whatever the file says."""
    fields = scenario.model.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    fields |= {"with": [*game.ruleset.boxes], "players": game.players}
    keys = ("with", "players", "options", "cards", "board", "unchecked", "position", "turn")
    return {key: fields[key] for key in keys if key in fields}


def moves_of(scenario: Scenario) -> Iterator[str]:
    """The moves and draws of a scenario, as they are written there."""
    for step in scenario.model.steps:
        text = _text(step)
        if text:
            yield text


def _text(step: object) -> str:
    """The move or draw of a step; empty for an expectation."""
    if isinstance(step, str):
        return step
    draw = getattr(step, "draw", None)
    return getattr(step, "move", None) or (f"draw {draw}" if draw else "")


def _moved(setup: Laid, state: State, text: str, scenario: Scenario) -> tuple[State, str] | None:
    move = move_of(setup.game, state, text, scenario.where())
    if not isinstance(move, tuple) or setup.game.legal_moves(state).group_of(move) is None:
        return None
    return setup.game.apply(state, move), write_move(move, setup.game.board)


class _Told:
    """Enters what a scenario expects, each kind of question as a case."""

    def __init__(self, book: Book, name: str, item: Case, setup: Laid, scenario: Scenario) -> None:
        self._book, self._name, self._item, self._setup = book, name, item, setup
        known = known_in(setup.game)
        words = {*Path(item.span.source.name).name.split("."), *scenario.model.cards}
        options = {*scenario.model.options}
        self._about = (words | options | {*scenario.model.options}) & known
        self._known = known

    def expected(self, expect: ExpectModel, state: State, made: list[str]) -> None:
        """All of an expectation that a case can ask."""
        id = f"{self._name}-{len(made)}"
        offers = dict(self._offers(expect))
        if offers:
            holds = {action.split()[0] for action in offers}
            self._put(f"{id}-offered", {"offered": offers}, holds, made)
        refused = dict(self._refused(expect, state))
        if refused:
            holds = {rule for rules in refused.values() for rule in rules}
            self._put(f"{id}-refused", {"refused": refused}, holds, made)
        if expect.gold:
            gold = {p: {"total": g} if isinstance(g, int) else g for p, g in expect.gold.items()}
            paid = {rule for each in gold.values() for rule in each}
            self._put(f"{id}-scores", {"scores": gold}, paid, made)

    def _put(self, id: str, question: Any, holds: Iterable[str], made: list[str]) -> None:
        held = ({*holds} | self._about) & self._known
        source = source_of(self._item)
        self._book.put(id, self._name, question, held, "print", source, made)

    def _offers(self, expect: ExpectModel) -> Iterator[tuple[str, tuple[str, ...]]]:
        name = self._setup.game.board.grid.name
        for action, offer in expect.offered.items():
            if offer == "none":
                yield action, ()
            elif offer == "marked":
                yield action, tuple(map(name, bits(self._setup.marked)))
            elif isinstance(offer, tuple):
                yield action, offer

    def _refused(self, expect: ExpectModel, state: State) -> Iterator[tuple[str, tuple[str, ...]]]:
        moves = self._setup.game.legal_moves(state)
        if moves.player == CHANCE:
            return
        for each in expect.refused:
            if isinstance(each, str):
                yield each, ()
            else:
                yield each.move, (each.because,) if each.because else ()


def _example(book: Book, name: str, item: Case, definition: RuleExample) -> None:
    example, _ = set_up_example(item.cache.ruleset, definition)
    if example is None or example.chosen:
        return
    state, lines = example.state, example.lines
    keys = written(example.game, state)
    if keys is None:
        return
    book.positions[name] = keys
    source, rule = source_of(item), example.rule.id
    gold: dict[str, dict[str, int]] = {}
    for claim in lines.gives:
        gold[LETTERS[claim.player]] = {rule: claim.value}
    if gold and rule in dict(_lines(example.game, state)):
        book.put(f"{name}-scores", name, {"scores": gold}, [rule], "print", source)
    for offer in lines.offers:
        hexes = () if offer.name else map(example.game.board.grid.name, bits(example.expected))
        made = _lifts(example.game, state, rule, example.lifted)
        if made is not None and not lines.draws:
            wanted = {"offered": {example.action: [*hexes]}}
            book.put(f"{name}-offered", name, wanted, [rule], "print", source, made)


def _lines(game: Game, state: State) -> Iterator[tuple[str, int]]:
    for lines in game.score(state).lines:
        yield from ((line.rule, line.gold) for line in lines)


def _lifts(game: Game, state: State, rule: str, lifted: int) -> list[str] | None:
    """The move that lifts the marked piece, if one is; None if there is no such move."""
    if not lifted:
        return []
    groups = (g for g in game.legal_moves(state).groups if g.rule == rule and g.hexes & lifted)
    group = next(groups, None)
    if group is None:
        return None
    move = next(move for move in group.moves() if lifted >> move.hex & 1)
    return [write_move(move, game.board)]

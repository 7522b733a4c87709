"""The run of conformance cases by an engine: what differs, case by case."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from kbrules.diagnostics import Diagnostic, RulesError
from kbrules.engine.configuration import REFERENCE, IllegalMove
from kbrules.engine.game import Game
from kbrules.game.moves import AmbiguousMove, InvalidMove
from kbrules.game.state import State
from kbrules.library.yaml import Document, RefusedNode
from kbrules.scenario.models import ScenarioModel, TableModel
from kbrules.scenario.names import TOTAL
from kbrules.scenario.preparation import position_of, unknown_boxes
from kbrules.scenario.reader import Scenario
from kbrules.scenario.setup import RulesetCaches
from kbrules.text import Source
from kbrules.tools.checking.conformance import answers
from kbrules.tools.checking.conformance.models import CaseModel, ConformanceFile

_NAME = "position"


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What an engine made of a case: the answers that differ, expected and found, by their key."""

    id: str
    engine: str
    differences: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        """Whether every answer is as expected."""
        return not self.differences


def set_up_position(table: TableModel, caches: RulesetCaches) -> tuple[Game, State]:
    """The game and the state of a position. RulesError with all that is wrong with it."""
    values = {name: getattr(table, name) for name in TableModel.model_fields}
    model = ScenarioModel.model_construct(title="", **values)
    data = table.model_dump(mode="json", by_alias=True, exclude_unset=True)
    document = Document(Source(_NAME, ""), RefusedNode(0, 0), data)
    scenario = Scenario(model, document)
    findings: list[Diagnostic] = unknown_boxes(scenario)
    if table.board is None:
        findings.append(Diagnostic("KB412", scenario.span(), "this position lacks the key `board`"))
    if findings:
        raise RulesError(findings)
    cache, rule_findings = caches.cache_for(caches.boxes_for(table.boxes, ()))
    if cache is None:
        raise RulesError(rule_findings)
    return position_of(scenario, cache)


class ConformanceRunner:
    """Runs the cases of files by one engine; positions are laid once for all their cases."""

    def __init__(self, engine: str = REFERENCE, caches: RulesetCaches | None = None) -> None:
        self.engine = engine
        self._caches = caches or RulesetCaches()

    def run(self, file: ConformanceFile) -> Iterator[CaseResult]:
        """The result of each case, in the order of the file."""
        positions: dict[str, tuple[Game, Game, State]] = {}
        for case in file.cases:
            try:
                if case.position not in positions:
                    positions[case.position] = self._set_up(file.positions[case.position])
                differences = _differences(case, *positions[case.position])
            except (RulesError, IllegalMove, InvalidMove, AmbiguousMove) as error:
                differences = {"run": ("an answer", str(error))}
            yield CaseResult(case.id, self.engine, differences)

    def _set_up(self, table: TableModel) -> tuple[Game, Game, State]:
        """The game by the reference, the same by the engine, and the state."""
        game, state = set_up_position(table, self._caches)
        return game, game if self.engine == REFERENCE else game.with_engine(self.engine), state


def _differences(
    case: CaseModel, game: Game, tested: Game, state: State
) -> dict[str, tuple[Any, Any]]:
    """The answers to a case that differ, expected and found."""
    before = state
    for text in case.moves:
        before, state = state, tested.apply(state, answers.move_named(tested, state, text))
    checks: Mapping[str, Callable[[], Iterator[tuple[str, Any, Any]]]] = {
        "legal": lambda: _legal(case, tested, state),
        "offered": lambda: _offered(case, tested, state),
        "refused": lambda: _refused(case, tested, state),
        "scores": lambda: _scores(case, game, tested, state),
        "events": lambda: _events(case, game, tested.engine, before, state),
    }
    each = checks[case.question]()
    return {key: (expected, actual) for key, expected, actual in each if expected != actual}


def _legal(case: CaseModel, game: Game, state: State) -> Iterator[tuple[str, Any, Any]]:
    expected, actual = case.legal or {}, answers.legal(game, state)
    for move in sorted({*expected, *actual}):
        yield move, _sorted(expected.get(move)), _sorted(actual.get(move))


def _offered(case: CaseModel, game: Game, state: State) -> Iterator[tuple[str, Any, Any]]:
    for action, hexes in (case.offered or {}).items():
        yield action, _sorted(hexes), _sorted(answers.offered(game, state, action))


def _sorted(hexes: tuple[str, ...] | None) -> list[str] | None:
    return None if hexes is None else sorted(hexes)


def _refused(case: CaseModel, game: Game, state: State) -> Iterator[tuple[str, Any, Any]]:
    """Moves that are refused; why, only the reference says."""
    for text, rules in (case.refused or {}).items():
        move = answers.move_named(game, state, text)
        if game.legal_moves(state).group_of(move) is not None:
            yield text, "refused", "legal"
        elif game.engine == REFERENCE:
            actual = answers.reasons(game, state, move)
            yield text, [*rules], [*rules] if {*rules} <= {*actual} else [*actual]


def _scores(
    case: CaseModel, game: Game, tested: Game, state: State
) -> Iterator[tuple[str, Any, Any]]:
    """Gold by rule; a kernel counts the totals alone."""
    if tested is not game:
        yield TOTAL, list(game.totals(state)), list(tested.totals(state))
    actual = answers.scores(game, state)
    for player, expected in (case.scores or {}).items():
        for rule, gold in expected.items():
            yield f"{player} {rule}", gold, actual.get(player, {}).get(rule)


def _events(
    case: CaseModel, game: Game, engine: str, before: State, state: State
) -> Iterator[tuple[str, Any, Any]]:
    """The events of the last move; what a kernel made of it must be the same state."""
    transition = game.play(before, answers.move_named(game, before, case.moves[-1]))
    expected = [dict(event) for event in case.events or ()]
    yield "events", expected, [*answers.event_records(game, transition.events)]
    if engine != REFERENCE:
        yield "state", transition.state.hash(), state.hash()

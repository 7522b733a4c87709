"""Conformance: cases in a neutral format, read, run by an engine, and reported."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, ValidationError, model_validator

from kbrules.diagnostics import Diagnostic, RulesError
from kbrules.engine.configuration import REFERENCE, IllegalMove
from kbrules.engine.game import Game
from kbrules.game import events as game_events
from kbrules.game.moves import AmbiguousMove, InvalidMove, Move, read_move, write_move
from kbrules.game.state import State
from kbrules.hex.sets import bits
from kbrules.library import models, reading, store
from kbrules.library.box import shipped_boxes
from kbrules.scenario.models import Gold, Hexes, MidgameModel, MoveText, Player
from kbrules.scenario.position import cache_of, laid_or_error
from kbrules.scenario.reader import GAINED, PLAYERS, TOTAL, position_in, unknown_name
from kbrules.text import Span, counted, visible
from kbrules.tools.reports.data import Data, Part
from kbrules.tools.reports.report import Block, Lines, Report

# Models of a file of conformance cases; other implementations read its schema.


QUESTIONS = ("legal", "offered", "refused", "scores", "events")
Name = Annotated[str, Field(min_length=1, max_length=120)]
Event = dict[models.Id, str | int | Hexes | None]


class CaseModel(models.Data):
    """One question about a position, with its answer."""

    id: Name = Field(description="Its name, once in all files.", examples=["twin-7-legal"])
    position: Name = Field(description="A position of this file.", examples=["twin-7"])
    moves: Annotated[tuple[MoveText, ...], Field(max_length=400)] = Field(
        (), description="Moves and draws to be made first, in full.", examples=[["mill: lift a5"]]
    )
    legal: dict[MoveText, Hexes] | None = Field(
        None,
        description="All legal moves: each without its hex, and its hexes, none if it has none; "
        "of a draw the cards.",
        examples=[{"mill: build": ["a5", "b5"], "end turn": []}],
    )
    offered: dict[MoveText, Hexes] | None = Field(
        None,
        description="For a rule, or a rule and a verb, exactly the hexes that it offers.",
        examples=[{"mill": ["a5"]}],
    )
    refused: dict[MoveText, tuple[models.Id, ...]] | None = Field(
        None,
        description="Moves that are not legal, each with rules that stand against it; others may "
        "as well.",
        examples=[{"mill: build a1": ["occupied"]}],
    )
    scores: dict[Player, dict[models.Id, Gold]] | None = Field(
        None,
        description="The gold of a player by rule if the game ended now; `total` is all of it, "
        "`gained` what was paid during play.",
        examples=[{"a": {"rowers": 4, "total": 9}}],
    )
    events: tuple[Event, ...] | None = Field(
        None,
        description="What the last of `moves` did to pieces, supplies, tiles and gold, in order.",
        examples=[[{"event": "built", "player": "a", "piece": "hut", "hex": "a5"}]],
    )
    holds: Annotated[tuple[models.Id, ...], Field(min_length=1)] = Field(
        description="The rules, cards and tiles that the answer holds.", examples=[["mill"]]
    )
    found: Literal["print", "twin", "ruling"] = Field(
        description="How the answer was found: worked by hand from the rule book, by a second "
        "telling of the rules, or by an option, which rules what is disputed."
    )
    option: dict[models.Id, models.Option] = Field(
        {}, description="Of a ruling: the option and its value.", examples=[{"short_game": "yes"}]
    )
    source: Annotated[str, Field(max_length=400)] = Field(
        description="Where it was worked out.", examples=["dale.scenario.yaml: a mill builds"]
    )

    @model_validator(mode="after")
    def _has_one_question(self) -> CaseModel:
        questions = [name for name in QUESTIONS if getattr(self, name) is not None]
        if len(questions) != 1:
            raise ValueError("a case has exactly one of " + ", ".join(QUESTIONS))
        if self.events is not None and not self.moves:
            raise ValueError("events are those of the last of `moves`, and there is none")
        if (self.found == "ruling") != bool(self.option):
            raise ValueError("a ruling, and only a ruling, has an `option`")
        return self

    @property
    def question(self) -> str:
        """Which of `QUESTIONS` it asks."""
        return next(name for name in QUESTIONS if getattr(self, name) is not None)


class ConformanceFile(models.Data):
    """Cases, and the positions that they ask about."""

    model_config = ConfigDict(title="Conformance cases of kbrules")

    format: Literal[1] = Field(description="The version of this format.", examples=[1])
    positions: dict[Name, MidgameModel] = Field(
        description="The positions by name, in the keys of a scenario."
    )
    cases: Annotated[tuple[CaseModel, ...], Field(min_length=1)] = Field(
        description="The questions and their answers."
    )

    @model_validator(mode="after")
    def _names_are_known(self) -> ConformanceFile:
        unknown = sorted({case.position for case in self.cases} - self.positions.keys())
        if unknown:
            raise ValueError(f"there is no position `{unknown[0]}`")
        ids = {case.id for case in self.cases}
        if len(ids) != len(self.cases):
            raise ValueError("two cases have the same `id`")
        return self


# What a game answers to the questions of a case, in the words of the cases.


_REPORTED_EVENTS = (
    game_events.Built, game_events.Placed, game_events.Moved, game_events.Swapped,
    game_events.Removed, game_events.Stored, game_events.Supplied, game_events.Received,
    game_events.Took, game_events.Lost, game_events.Gained,
)  # fmt: skip
"""What changes pieces, supplies, tiles and gold; the rest is only for this engine."""
_OMITTED_FIELDS = frozenset({"place", "strayed", "path", "used_first"})


def legal(game: Game, state: State) -> dict[str, tuple[str, ...]]:
    """The hexes of each legal move without its hex; of a draw the cards."""
    moves, board = game.legal_moves(state), game.board
    if moves.weights:
        cards = [card for card, weight in enumerate(moves.weights) if weight]
        return {"draw": tuple(sorted(board.catalog.card_name(card) for card in cards))}
    hexes_by_move: dict[str, tuple[str, ...]] = {}
    for group in moves.groups:
        name = write_move(Move(group.verb, group.rule), board)
        names = map(board.grid.name, bits(group.hexes))
        hexes_by_move[name] = (*hexes_by_move.get(name, ()), *names)
    return hexes_by_move


def offered(game: Game, state: State, action: str) -> tuple[str, ...]:
    """The hexes that a rule offers, perhaps only by one verb."""
    rule, _, verb = action.partition(" ")
    groups = game.legal_moves(state).groups
    masks = (g.hexes for g in groups if g.rule == rule and verb in ("", g.verb))
    return tuple(sorted({game.board.grid.name(hex) for mask in masks for hex in bits(mask)}))


def reasons(game: Game, state: State, move: Move) -> tuple[str, ...]:
    """The rules that stand against a move."""
    return tuple(dict.fromkeys(reason.rule for reason in game.explain(state, move).reasons))


def move_named(game: Game, state: State, text: str) -> Move:
    """The move of a text; InvalidMove or AmbiguousMove if it is none."""
    return read_move(text, game.board, game.legal_moves(state), game.ruleset.move_words)


def scores(game: Game, state: State) -> dict[str, dict[str, int]]:
    """The gold of each player by rule, what was gained, and all of it."""
    sheet = game.score(state)
    scores_by_player = {}
    for player in range(game.players):
        by_rule = {line.rule: line.gold for line in sheet.lines[player]}
        sums = {GAINED: sheet.gained[player], TOTAL: sheet.totals[player]}
        scores_by_player[PLAYERS[player]] = {**by_rule, **sums}
    return scores_by_player


def event_records(game: Game, events: Iterable[game_events.Event]) -> tuple[dict[str, Any], ...]:
    """The events that change pieces, supplies, tiles and gold, by names."""
    return tuple(_record(game, event) for event in events if isinstance(event, _REPORTED_EVENTS))


def _record(game: Game, event: game_events.Event) -> dict[str, Any]:
    values = {key: each for key, each in event._asdict().items() if key not in _OMITTED_FIELDS}
    named_values = {key: _with_names(game, key, value) for key, value in values.items()}
    return {"event": type(event).__name__.lower(), **named_values}


def _with_names(game: Game, key: str, value: Any) -> Any:
    catalog, grid = game.ruleset.catalog, game.board.grid
    if key == "player":
        return PLAYERS[value] if value >= 0 else "nobody"
    if key == "piece":
        return catalog.pieces[value].id
    if key == "kind":
        return catalog.tiles[value].id
    if key in ("hex", "origin"):
        is_there = value >= 0 and grid.full >> value & 1
        return grid.name(value) if is_there else None
    if key == "hexes":
        return tuple(map(grid.name, bits(value)))
    return value


# The reader of conformance files: a file with its cases, or why it cannot be used.


LIMIT = 16 * 1024 * 1024  # bytes of one file
_SCHEMA = "see schemas/conformance.schema.json"
_MAX_FINDINGS = 10


def read_cases(path: Path) -> tuple[ConformanceFile | None, list[Diagnostic]]:
    """The cases of a file and all that is wrong with it; no cases when anything is."""
    span = Span.none(reading.shown_name(path))
    try:
        with path.open("rb") as file:
            data = file.read(LIMIT + 1)
    except (OSError, ValueError) as error:
        message = reading.unreadable(error)
        return None, [Diagnostic("KB001", span, message, reading.SLIP)]
    if len(data) > LIMIT:
        message = f"the file is larger than {LIMIT} bytes"
        return None, [Diagnostic("KB003", span, message, "write the cases in several files")]
    try:
        cases = ConformanceFile.model_validate_json(data)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False)[:_MAX_FINDINGS]
        return None, [Diagnostic("KB403", span, _fault_text(each), _SCHEMA) for each in faults]
    shipped = shipped_boxes()
    boxes = dict.fromkeys(box for table in cases.positions.values() for box in table.boxes)
    unknown = [unknown_name("box", box, shipped, span) for box in boxes if box not in shipped]
    return (None, unknown) if unknown else (cases, [])


def _fault_text(fault: object) -> str:
    """Where in the file something is wrong, and what."""
    assert isinstance(fault, dict)
    place = ".".join(map(str, fault["loc"]))
    message = fault["msg"].removeprefix("Value error, ")
    return visible(f"{place}: {message}" if place else message)


# The run of conformance cases by an engine: what differs, case by case.


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


class ConformanceRunner:
    """Runs the cases of files by one engine; positions are laid once for all their cases."""

    def __init__(self, engine: str = REFERENCE, files: store.Files | None = None) -> None:
        self.engine = engine
        self._files = files or store.Files()

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

    def _set_up(self, table: MidgameModel) -> tuple[Game, Game, State]:
        """The game by the reference, the same by the engine, and the state."""
        position = position_in(table)
        laid = laid_or_error(position, cache_of(position, self._files))
        game, state = laid.game, laid.state
        return game, game if self.engine == REFERENCE else game.with_engine(self.engine), state


def _differences(
    case: CaseModel, game: Game, tested: Game, state: State
) -> dict[str, tuple[Any, Any]]:
    """The answers to a case that differ, expected and found."""
    before = state
    for text in case.moves:
        before, state = state, tested.apply(state, move_named(tested, state, text))
    answers = _answers(case, game, tested, before, state)
    return {key: (expected, actual) for key, expected, actual in answers if expected != actual}


def _answers(
    case: CaseModel, game: Game, tested: Game, before: State, state: State
) -> Iterator[tuple[str, Any, Any]]:
    """Yield what a case asks about, with the expected answer and the one found."""
    if case.legal is not None:
        actual = legal(tested, state)
        for move in sorted({*case.legal, *actual}):
            yield move, _sorted(case.legal.get(move)), _sorted(actual.get(move))
    for action, hexes in (case.offered or {}).items():
        yield action, _sorted(hexes), _sorted(offered(tested, state, action))
    yield from _refused(case, tested, state)
    if case.scores is not None:
        yield from _scores(case.scores, game, tested, state)
    if case.events is not None:
        yield from _events(case, game, tested.engine, before, state)


def _sorted(hexes: tuple[str, ...] | None) -> list[str] | None:
    return None if hexes is None else sorted(hexes)


def _refused(case: CaseModel, game: Game, state: State) -> Iterator[tuple[str, Any, Any]]:
    """Moves that are refused; why, only the reference says."""
    for text, rules in (case.refused or {}).items():
        move = move_named(game, state, text)
        if game.legal_moves(state).group_of(move) is not None:
            yield text, "refused", "legal"
        elif game.engine == REFERENCE:
            actual = reasons(game, state, move)
            yield text, [*rules], [*rules] if {*rules} <= {*actual} else [*actual]


def _scores(
    scores_by_player: Mapping[str, Mapping[str, int]], game: Game, tested: Game, state: State
) -> Iterator[tuple[str, Any, Any]]:
    """Gold by rule; a kernel counts the totals alone."""
    if tested is not game:
        yield TOTAL, list(game.totals(state)), list(tested.totals(state))
    actual = scores(game, state)
    for player, expected in scores_by_player.items():
        for rule, gold in expected.items():
            yield f"{player} {rule}", gold, actual.get(player, {}).get(rule)


def _events(
    case: CaseModel, game: Game, engine: str, before: State, state: State
) -> Iterator[tuple[str, Any, Any]]:
    """The events of the last move; what a kernel made of it must be the same state."""
    transition = game.play(before, move_named(game, before, case.moves[-1]))
    expected = [dict(event) for event in case.events or ()]
    yield "events", expected, [*event_records(game, transition.events)]
    if engine != REFERENCE:
        yield "state", transition.state.hash(), state.hash()


# The report of conformance cases: each failed case with the answers that differ.


_SHOWN = 20  # failed cases that people are shown in full


class DifferenceData(Part):
    """An answer that differs, in the form that it has in the file of cases."""

    expected: Any
    found: Any


class CaseData(Part):
    """A case that failed."""

    id: str
    engine: str
    differences: Mapping[str, DifferenceData]
    """By what was asked: a move, an action, or a player and a rule."""


class ConformData(Data):
    """The results of `kbrules conform`."""

    cases: int
    """Cases that were run, each once by each engine."""
    failed: int
    results: tuple[CaseData, ...]
    """Those that failed."""


def conformance_report(results: Sequence[CaseResult]) -> Report:
    """A block for each failed case, and a last line that says how it went."""
    failed = [result for result in results if not result.passed]
    blocks: list[Block] = [Lines(tuple(_failure(result))) for result in failed[:_SHOWN]]
    if len(failed) > _SHOWN:
        blocks.append(Lines((f"{len(failed) - _SHOWN} further cases failed",)))
    blocks.append(Lines((_summary(results, len(failed)),)))
    cases = tuple(map(_case_data, failed))
    data = ConformData(cases=len(results), failed=len(failed), results=cases)
    lines = [visible(f"{r.id} by {r.engine}: {', '.join(r.differences)}") for r in failed]
    return Report("Conformance", blocks, data, lines, exit_code=1 if failed else 0)


def _failure(result: CaseResult) -> Iterator[str]:
    yield f"FAILED {visible(result.id)} by {result.engine}"
    for key, (expected, actual) in result.differences.items():
        yield visible(f"  {key}: {_answer(actual)}, not {_answer(expected)}")


def _answer(value: object) -> str:
    return "nothing" if value is None else value if isinstance(value, str) else json.dumps(value)


def _summary(results: Sequence[CaseResult], failed: int) -> str:
    engines = ", ".join(dict.fromkeys(result.engine for result in results))
    passed = f"{len(results) - failed} passed"
    cases = counted(len({result.id for result in results}), "case")
    return f"{f'{failed} failed, ' if failed else ''}{passed}: {cases} by {engines}"


def _case_data(result: CaseResult) -> CaseData:
    pairs = result.differences.items()
    differences = {key: DifferenceData(expected=old, found=new) for key, (old, new) in pairs}
    return CaseData.from_value(result, differences=differences)

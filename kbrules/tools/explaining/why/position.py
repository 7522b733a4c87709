"""The position of a question: from a scenario, an example, a log or a drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kbrules.diagnostics import Diagnostic, did_you_mean, quoted
from kbrules.engine.game import Game
from kbrules.engine.logs.reading import Log, read_log
from kbrules.engine.logs.replay import replay
from kbrules.game.state import State
from kbrules.library.boxes.box import boxes_by_name
from kbrules.library.file_cache import FileCache
from kbrules.library.load import check_all
from kbrules.library.reading import RULES, SLIP
from kbrules.progress import OnProgress, silent
from kbrules.scenario.collection import cases_named, collect, shell_name
from kbrules.scenario.examples import set_up_example
from kbrules.scenario.preparation import build_start
from kbrules.scenario.reader import SUFFIX, Scenario
from kbrules.scenario.running import Case, states_of
from kbrules.scenario.setup import RulesetCaches
from kbrules.text import Span
from kbrules.tools.explaining.why.drawn_position import DrawnTurn, drawn_position

_LOG = b'{"'  # how the first line of a log begins
_LISTED = 8


@dataclass(frozen=True, slots=True)
class ExplainedPosition:
    """A game, a state of it, and what the two are called."""

    game: Game
    state: State
    name: str


@dataclass(frozen=True, slots=True)
class PositionRequest:
    """Which position: a path, with `::` and a name behind it if the file holds several.

    `at` is the number of moves after which it is looked at, None for the end; `boxes` and
    `folders` are loaded beside those that the file names; `drawn_turn` is for drawings only.
    """

    words: str
    at: int | None = None
    boxes: tuple[str, ...] = ()
    folders: tuple[Path, ...] = ()
    drawn_turn: DrawnTurn = field(default_factory=DrawnTurn)


PositionAndFindings = tuple[ExplainedPosition | None, list[Diagnostic]]


def open_position(
    request: PositionRequest, on_progress: OnProgress = silent
) -> PositionAndFindings:
    """The position, or every reason why there is none.

    on_progress: told how many files are read, and moves played.
    """
    files = FileCache(on_progress=on_progress)
    path, _, name = request.words.partition("::")
    file = Path(path)
    if not file.is_file():
        why = "is not a plain file" if file.exists() else "does not exist"
        help = f"{SLIP}; a name in the file goes behind `::`"
        return None, [_finding(path, "KB001", f"{quoted(path)} {why}", help)]
    if path.endswith((SUFFIX, RULES)):
        return _from_rules_or_scenarios(request, file, name, files)
    if name:
        help = "only files of scenarios and of rules hold several positions"
        return None, [_finding(path, "KB020", f"there is no {quoted(name)} in it", help)]
    if _is_log(file):
        return _from_log(request, file, files)
    return _from_drawing(request, file, files)


def _finding(path: str, code: str, message: str, help: str = "") -> Diagnostic:
    return Diagnostic(code, Span.none(path), message, help)


# Scenarios and examples


def _from_rules_or_scenarios(
    request: PositionRequest, file: Path, name: str, files: FileCache
) -> PositionAndFindings:
    collection = collect([file], request.boxes, request.folders, RulesetCaches(_files=files))
    cases = cases_named(collection.cases, name) if name else collection.cases
    if len(cases) != 1:
        if collection.findings:
            return None, collection.findings
        return None, [_no_case(cases, collection.cases, str(file), name)]
    return position_of(cases[0], request.at)


def position_of(case: Case, at: int | None = None) -> PositionAndFindings:
    """The position of an example, or that of a scenario after so many moves; None is the end."""
    request = PositionRequest(case.id, at)
    if isinstance(case.definition, Scenario):
        return _from_scenario(request, case, case.definition)
    example, findings = set_up_example(case.cache.ruleset, case.definition)
    if example is None:
        return None, findings
    return _state_after(request, case.id, example.game, [example.state])


def _no_case(matching: Sequence[Case], cases: Sequence[Case], path: str, name: str) -> Diagnostic:
    """Why a name means no case: there are none, several that are near, or others."""
    if not cases:
        return _finding(path, "KB020", "it holds no scenario and no example")
    if matching:
        what = f"{quoted(name)} may mean" if name else "it holds"
        help = f"{_case_list(matching)}\na number or the beginning will do"
        return _finding(
            path, "KB020", f"{what} {len(matching)} scenarios or examples; say which", help
        )
    help = did_you_mean(name, [case.title for case in cases], _case_list(cases))
    return _finding(path, "KB020", f"there is no scenario or example {quoted(name)} in it", help)


def _case_list(cases: Sequence[Case]) -> str:
    more = [f"and {len(cases) - _LISTED} more"] if len(cases) > _LISTED else []
    return "\n".join([*map(shell_name, cases[:_LISTED]), *more])


def _from_scenario(request: PositionRequest, case: Case, scenario: Scenario) -> PositionAndFindings:
    start, findings = build_start(scenario, case.cache)
    if start is None:
        return None, findings
    states, _ = states_of(start.setup, start.state)
    return _state_after(request, case.id, start.setup.game, states)


def _state_after(
    request: PositionRequest, name: str, game: Game, states: Sequence[State]
) -> PositionAndFindings:
    """The state after as many moves as the question names."""
    last = len(states) - 1
    at = last if request.at is None else request.at
    if not 0 <= at <= last:
        moves = "1 move" if last == 1 else f"{last} moves"
        message = f"there is no position after move {at}: there are {moves}"
        help = f"give a number from 0 to {last}"
        return None, [_finding(request.words, "KB024", message, help)]
    after = f" after move {at} of {last}" if last else ""
    return ExplainedPosition(game, states[at], name + after), []


# Logs


def _is_log(file: Path) -> bool:
    try:
        with file.open("rb") as stream:
            return stream.read(len(_LOG)) == _LOG
    except OSError:
        return False  # why it cannot be read is reported by whoever reads it


def _from_log(request: PositionRequest, file: Path, files: FileCache) -> PositionAndFindings:
    log, log_findings = read_log(file)
    if log is None:
        return None, log_findings
    ruleset, findings = check_all(_boxes_of(log, request), request.folders, files=files)
    if ruleset is None or findings:
        return None, findings
    until = request.at if request.at is None or 0 <= request.at <= len(log.moves) else None
    replayed = replay(ruleset, log, until, files.on_progress)
    if replayed.game is None or not replayed.states or (replayed.findings and until is not None):
        return None, list(replayed.findings)
    if until is None and (log_findings or replayed.findings) and request.at is None:
        return None, [*log_findings, *replayed.findings]
    states = replayed.states
    if until is not None:
        name = f"{file} after move {until} of {len(log.moves)}"
        return ExplainedPosition(replayed.game, states[-1], name), []
    return _state_after(request, str(file), replayed.game, states)


def _boxes_of(log: Log, request: PositionRequest) -> list[str]:
    return [*request.boxes] or boxes_by_name(log.header.data["boxes"], request.folders)


# Drawings


def _from_drawing(request: PositionRequest, file: Path, files: FileCache) -> PositionAndFindings:
    ruleset, findings = check_all(request.boxes, request.folders, files=files)
    if ruleset is None or findings:
        return None, findings
    game_and_state, findings = drawn_position(ruleset, file, request.drawn_turn)
    return (
        (None, findings)
        if game_and_state is None
        else (ExplainedPosition(*game_and_state, str(file)), [])
    )

"""The position of a question: from a scenario, an example, a log or a drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kbrules.diagnostics import Diagnostic, quoted, suggest
from kbrules.engine.game import Game
from kbrules.engine.logs.replay import Log, read_log, replay
from kbrules.game.state import State
from kbrules.library.boxes.installed import boxes_by_name
from kbrules.library.load import check_all
from kbrules.library.reading import SLIP
from kbrules.library.resources import RULES
from kbrules.scenario.examples.setup import set_up_example
from kbrules.scenario.format.reader import SUFFIX, Scenario
from kbrules.scenario.running.cases import Case
from kbrules.scenario.running.collect import collect
from kbrules.scenario.running.playback import states_of
from kbrules.scenario.running.selection import cases_named, shell_name
from kbrules.scenario.setup.prepare import build_start
from kbrules.text import Span
from kbrules.tools.explaining.why.drawn_position import DrawnTurn, drawn_position

__all__ = ["Position", "PositionRequest", "open_position", "position_of"]

_LOG = b'{"'  # how the first line of a log begins
_LISTED = 8


@dataclass(frozen=True, slots=True)
class Position:
    """A game, a state of it, and what the two are called."""

    game: Game
    state: State
    name: str


@dataclass(frozen=True, slots=True)
class PositionRequest:
    """Which position: a path, with `::` and a name behind it if the file holds several.

    `at` is the number of moves after which it is looked at, None for the end; `boxes` and
    `folders` are loaded beside those that the file names; `wish` is for drawings only.
    """

    words: str
    at: int | None = None
    boxes: tuple[str, ...] = ()
    folders: tuple[Path, ...] = ()
    wish: DrawnTurn = field(default_factory=DrawnTurn)


Found = tuple[Position | None, list[Diagnostic]]


def open_position(wanted: PositionRequest) -> Found:
    """The position, or every reason why there is none."""
    path, _, name = wanted.words.partition("::")
    file = Path(path)
    if not file.is_file():
        why = "is not a plain file" if file.exists() else "does not exist"
        help = f"{SLIP}; a name in the file goes behind `::`"
        return None, [_about(path, "KB001", f"{quoted(path)} {why}", help)]
    if path.endswith((SUFFIX, RULES)):
        return _of_item(wanted, file, name)
    if name:
        help = "only files of scenarios and of rules hold several positions"
        return None, [_about(path, "KB020", f"there is no {quoted(name)} in it", help)]
    if _is_log(file):
        return _of_log(wanted, file)
    return _of_drawing(wanted, file)


def _about(path: str, code: str, message: str, help: str = "") -> Diagnostic:
    return Diagnostic(code, Span.none(path), message, help)


# Scenarios and examples


def _of_item(wanted: PositionRequest, file: Path, name: str) -> Found:
    found = collect([file], wanted.boxes, wanted.folders)
    cases = cases_named(found.cases, name) if name else found.cases
    if len(cases) != 1:
        if found.findings:
            return None, found.findings
        return None, [_no_case(cases, found.cases, str(file), name)]
    return position_of(cases[0], wanted.at)


def position_of(case: Case, at: int | None = None) -> Found:
    """The position of an example, or that of a scenario after so many moves; None is the end."""
    wanted = PositionRequest(case.id, at)
    if isinstance(case.definition, Scenario):
        return _of_case(wanted, case, case.definition)
    example, wrong = set_up_example(case.cache.ruleset, case.definition)
    if example is None:
        return None, wrong
    return _at(wanted, case.id, example.game, [example.state])


def _no_case(near: Sequence[Case], cases: Sequence[Case], path: str, name: str) -> Diagnostic:
    """Why a name means no case: there are none, several that are near, or others."""
    if not cases:
        return _about(path, "KB020", "it holds no scenario and no example")
    if near:
        what = f"{quoted(name)} may mean" if name else "it holds"
        help = f"{_listed(near)}\na number or the beginning will do"
        return _about(path, "KB020", f"{what} {len(near)} scenarios or examples; say which", help)
    guess = suggest(name, [case.title for case in cases])
    help = f"did you mean {quoted(guess)}?" if guess else _listed(cases)
    return _about(path, "KB020", f"there is no scenario or example {quoted(name)} in it", help)


def _listed(cases: Sequence[Case]) -> str:
    more = [f"and {len(cases) - _LISTED} more"] if len(cases) > _LISTED else []
    return "\n".join([*map(shell_name, cases[:_LISTED]), *more])


def _of_case(wanted: PositionRequest, case: Case, scenario: Scenario) -> Found:
    prepared, wrong = build_start(scenario, case.cache)
    if prepared is None:
        return None, wrong
    states, _ = states_of(prepared.setup, prepared.state)
    return _at(wanted, case.id, prepared.setup.game, states)


def _at(wanted: PositionRequest, name: str, game: Game, states: Sequence[State]) -> Found:
    """The state after as many moves as are asked for."""
    last = len(states) - 1
    at = last if wanted.at is None else wanted.at
    if not 0 <= at <= last:
        moves = "1 move" if last == 1 else f"{last} moves"
        help = f"give a number from 0 to {last}"
        return None, [_about(wanted.words, "KB024", f"there is no position after move {at}: there "
                             f"are {moves}", help)]  # fmt: skip
    after = f" after move {at} of {last}" if last else ""
    return Position(game, states[at], name + after), []


# Logs


def _is_log(file: Path) -> bool:
    try:
        with file.open("rb") as stream:
            return stream.read(len(_LOG)) == _LOG
    except OSError:
        return False  # why it cannot be read is told by whoever reads it


def _of_log(wanted: PositionRequest, file: Path) -> Found:
    log, found = read_log(file)
    if log is None:
        return None, found
    ruleset, wrong = check_all(_boxes_of(log, wanted), wanted.folders)
    if ruleset is None or wrong:
        return None, wrong
    until = wanted.at if wanted.at is None or 0 <= wanted.at <= len(log.moves) else None
    played = replay(ruleset, log, until)
    if played.game is None or not played.states or (played.findings and until is not None):
        return None, list(played.findings)
    if until is None and (found or played.findings) and wanted.at is None:
        return None, [*found, *played.findings]
    states = played.states
    if until is not None:
        name = f"{file} after move {until} of {len(log.moves)}"
        return Position(played.game, states[-1], name), []
    return _at(wanted, str(file), played.game, states)


def _boxes_of(log: Log, wanted: PositionRequest) -> list[str]:
    return [*wanted.boxes] or boxes_by_name(log.header.data["boxes"], wanted.folders)


# Drawings


def _of_drawing(wanted: PositionRequest, file: Path) -> Found:
    ruleset, wrong = check_all(wanted.boxes, wanted.folders)
    if ruleset is None or wrong:
        return None, wrong
    laid, wrong = drawn_position(ruleset, file, wanted.wish)
    return (None, wrong) if laid is None else (Position(*laid, str(file)), [])

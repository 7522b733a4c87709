"""The position that somebody names: in a scenario, an example, a log or a drawing, at a moment."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from kbrules import hooks, text
from kbrules.diagnostics import Diagnostic, did_you_mean, quoted
from kbrules.engine.game import Game
from kbrules.engine.logs.replay import read_log, replay
from kbrules.game.events import Event
from kbrules.game.moves import Move
from kbrules.game.state import State
from kbrules.library import load, position, reading, store
from kbrules.library.boards.positions import parse_position
from kbrules.library.box import boxes_by_name
from kbrules.library.ruleset import Ruleset
from kbrules.project.project import Project
from kbrules.scenario import examples, reader
from kbrules.scenario.collection import cases_named, shell_name
from kbrules.scenario.position import build_start, fewest_players, lay_on
from kbrules.scenario.running import Case, play_back

# A board drawn in a file, with what is to be so beside it, as a position of a game.


_LETTERS = re.compile(r"^ +a( +[a-z]{1,2})* *$")
_NUMBERED = re.compile(r"^ {0,1}(\d{1,2} )(?=.)", re.MULTILINE)


Events = Callable[[], Iterable[Event]]


@dataclass(frozen=True, slots=True)
class NamedState:
    """A game, a state of it, and what people call the two.

    events: returns what happened before; None where that is not known.
    """

    game: Game
    state: State
    name: str
    events: Events | None = None


PositionAndFindings = tuple[NamedState | None, list[Diagnostic]]


def drawn_position(ruleset: Ruleset, file: Path, around: position.Position) -> PositionAndFindings:
    """Return the game and the state that a file draws, at the actions of a player's turn.

    It is laid as a scenario without more keys is. around: what a drawing cannot say.
    """
    source, findings = reading.read_source(file)
    if source is None:
        return None, findings
    drawn, findings = parse_position(ruleset.catalog, _without_frame(source))
    findings += _unknown_names(ruleset, around)
    if drawn is None or findings:
        return None, findings
    named = [reader.PLAYERS.index(around.turn.player), *(owner for owner, _ in drawn.pieces)]
    game = Game(ruleset, drawn.board, fewest_players(ruleset, named), around.cards)
    return NamedState(game, lay_on(game, around, drawn.pieces), str(file)), []


def _without_frame(source: text.Source) -> text.Span | str:
    """The drawing; without the column letters and row numbers that `play` prints round a board."""
    first, _, rest = source.text.partition("\n")
    if not _LETTERS.match(first):
        return source.whole()
    return _NUMBERED.sub(lambda match: " " * len(match[0]), rest)


def _unknown_names(ruleset: Ruleset, around: position.Position) -> Iterator[Diagnostic]:
    cards = ruleset.catalog.cards
    unknown = [("card", card, cards) for card in around.cards if card not in cards]
    for played in around.turn.played:
        if ruleset.catalog.card_named(played) is None:
            unknown.append(("terrain card", played, ruleset.move_words.cards))
    for noun, name, known in unknown:
        help = did_you_mean(name, known, "there is " + ", ".join(sorted(known)))
        message = f"there is no {noun} {quoted(name)}"
        yield Diagnostic("KB413", text.Span.none("command line"), message, help)


# The position of a question: from a scenario, an example, a log or a drawing.


_BARE = position.Position(None, checked=False)
_LOG = b'{"'  # how the first line of a log begins
_LISTED = 8


@dataclass(frozen=True, slots=True)
class PositionRequest:
    """Which position: a path, with `::` and a name behind it if the file holds several.

    `at` is the number of moves after which it is looked at, None for the end; `boxes` and
    `folders` are loaded beside those that the file names; `around` is for drawings only: cards and
    the turn.
    """

    words: str
    at: int | None = None
    boxes: tuple[str, ...] = ()
    folders: tuple[Path, ...] = ()
    around: position.Position = _BARE


def open_position(
    request: PositionRequest, on_progress: hooks.OnProgress = hooks.silent
) -> PositionAndFindings:
    """The position, or every reason why there is none.

    on_progress: told how many files are read, and moves played.
    """
    files = store.Files(on_progress=on_progress)
    path, _, name = request.words.partition("::")
    file = Path(path)
    if not file.is_file():
        why = "is not a plain file" if file.exists() else "does not exist"
        help = f"{reading.SLIP}; a name in the file goes behind `::`"
        return None, [_finding(path, "KB001", f"{quoted(path)} {why}", help)]
    if path.endswith((reader.SUFFIX, reading.RULES)):
        return _from_rules_or_scenarios(request, file, name, files)
    if name:
        help = "only files of scenarios and of rules hold several positions"
        return None, [_finding(path, "KB020", f"there is no {quoted(name)} in it", help)]
    if _is_log(file):
        return _from_log(request, file, files)
    return _from_drawing(request, file, files)


def _finding(path: str, code: str, message: str, help: str = "") -> Diagnostic:
    return Diagnostic(code, text.Span.none(path), message, help)


# Scenarios and examples


def _from_rules_or_scenarios(
    request: PositionRequest, file: Path, name: str, files: store.Files
) -> PositionAndFindings:
    project = Project([file], request.boxes, request.folders, files=files)
    collection = project.cases()
    cases = cases_named(collection.cases, name) if name else collection.cases
    if len(cases) != 1:
        if wrong := [*collection.findings, *collection.not_run]:
            return None, wrong
        return None, [_no_case(cases, collection.cases, str(file), name)]
    return state_of_case(cases[0], request.at)


def state_of_case(case: Case, at: int | None = None) -> PositionAndFindings:
    """The position of an example, or that of a scenario after so many moves; None is the end."""
    request = PositionRequest(case.id, at)
    if isinstance(case.definition, reader.Scenario):
        return _from_scenario(request, case, case.definition)
    example, findings = examples.set_up_example(case.cache.ruleset, case.definition)
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


def _from_scenario(
    request: PositionRequest, case: Case, scenario: reader.Scenario
) -> PositionAndFindings:
    start, findings = build_start(scenario, case.cache)
    if start is None:
        return None, findings
    playback = play_back(scenario, start)
    events = playback.events
    return _state_after(
        request, case.id, start.game, playback.states, lambda at: lambda: events[at]
    )


def _state_after(
    request: PositionRequest,
    name: str,
    game: Game,
    states: Sequence[State],
    events: Callable[[int], Events | None] = lambda at: None,
) -> PositionAndFindings:
    """Return the state after as many moves as the question names.

    events: returns for a number of moves what happened until then.
    """
    last = len(states) - 1
    at = last if request.at is None else request.at
    if not 0 <= at <= last:
        moves = "1 move" if last == 1 else f"{last} moves"
        message = f"there is no position after move {at}: there are {moves}"
        help = f"give a number from 0 to {last}"
        return None, [_finding(request.words, "KB024", message, help)]
    after = f" after move {at} of {last}" if last else ""
    return NamedState(game, states[at], name + after, events(at)), []


# Logs


def _is_log(file: Path) -> bool:
    try:
        with file.open("rb") as stream:
            return stream.read(len(_LOG)) == _LOG
    except OSError:
        return False  # why it cannot be read is reported by whoever reads it


def events_of_moves(game: Game, moves: Iterable[Move]) -> Iterator[Event]:
    """Yield what happened in a game from its start through some moves."""
    step = game.opening()
    yield from step.events
    for move in moves:
        step = game.play(step.state, move)
        yield from step.events


def _from_log(request: PositionRequest, file: Path, files: store.Files) -> PositionAndFindings:
    log, log_findings = read_log(file)
    if log is None:
        return None, log_findings
    boxes = [*request.boxes] or boxes_by_name(log.header.data["boxes"], request.folders)
    ruleset, findings = load.check_all(boxes, request.folders, files=files)
    if ruleset is None or findings:
        return None, findings
    until = request.at if request.at is None or 0 <= request.at <= len(log.moves) else None
    replayed = replay(ruleset, log, until, files.on_progress)
    game, states = replayed.game, replayed.states
    if game is None or not states or (replayed.findings and until is not None):
        return None, list(replayed.findings)
    if request.at is None and (log_findings or replayed.findings):
        return None, [*log_findings, *replayed.findings]
    events = partial(events_of_moves, game, replayed.logged)
    if until is not None:
        name = f"{file} after move {until} of {len(log.moves)}"
        return NamedState(game, states[-1], name, events), []
    return _state_after(request, str(file), game, states, lambda at: events)


# Drawings


def _from_drawing(request: PositionRequest, file: Path, files: store.Files) -> PositionAndFindings:
    loaded = Project([file], request.boxes, request.folders, files=files).loaded(file)
    if loaded.ruleset is None or loaded.findings:
        return None, [*loaded.findings]
    return drawn_position(loaded.ruleset, file, request.around)

"""Replay: a log played again, move by move, up to the first thing that is not as it was."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kbrules.diagnostics import Diagnostic, check_kind, quoted
from kbrules.engine.configuration import IllegalMove, Transition
from kbrules.engine.game import Game
from kbrules.engine.logs.reading import Log, Record, log_error
from kbrules.engine.logs.writing import MatchInfo, event_entry, player_name, totals_of, winners_of
from kbrules.engine.setup import SetupError, TableSetup, game_at
from kbrules.game.moves import AmbiguousMove, InvalidMove, Move, read_move
from kbrules.game.state import State
from kbrules.hooks import OnProgress, silent, with_progress
from kbrules.library.box import why_not_seated
from kbrules.library.locks import differences_from
from kbrules.library.ruleset import Ruleset

# No generator is needed, because draws are moves of the log. What is compared after each move:
# who decided, every event with the facts on the table after it, and the whole state.

_LISTED = 12


@dataclass(frozen=True, slots=True)
class ReplayDifference:
    """The first move after which a replay is not where the log was; 0 is the start.

    `what` says in words what differs. The hashes are equal if only the log's words differ.
    """

    number: int
    what: str
    expected: str
    found: str


@dataclass(frozen=True, slots=True, eq=False)
class Replay:
    """What came of a replay: the states that are as the log says, the first of them the start.

    `findings` say why it did not go on to the end of the log; none means that all is the same.
    `logged`: the moves between the states.
    """

    game: Game | None
    states: tuple[State, ...]
    difference: ReplayDifference | None
    findings: tuple[Diagnostic, ...]
    logged: tuple[Move, ...] = ()

    @property
    def moves(self) -> int:
        """How many moves are as the log says."""
        return max(0, len(self.states) - 1)


class _ReplayEnd(Exception):
    """Carries the finding that ends a replay, and the difference if it is one."""

    def __init__(self, finding: Diagnostic, difference: ReplayDifference | None = None) -> None:
        super().__init__()
        self.finding, self.difference = finding, difference


def replay(
    ruleset: Ruleset, log: Log, until: int | None = None, on_progress: OnProgress = silent
) -> Replay:
    """Play a log again by these rules, only the first `until` moves of it if that is given.

    on_progress: told how many moves are done.
    """
    check_kind(ruleset, Ruleset, "a rule set is wanted, as `load` returns it")
    check_kind(log, Log, "a log is wanted, as `read_log` returns it")
    game: Game | None = None
    states: list[State] = []
    moves: list[Move] = []
    try:
        game = game_of(ruleset, log)
        states.append(_start(game, log))
        for record in with_progress(log.moves[:until], "moves", on_progress):
            move, state = _replay_move(game, states[-1], record)
            moves.append(move)
            states.append(state)
        if log.closing is not None and (until is None or until > len(log.moves)):
            _compare_end(game, states[-1], log, log.closing)
    except _ReplayEnd as stop:
        return Replay(game, tuple(states), stop.difference, (stop.finding,), tuple(moves))
    return Replay(game, tuple(states), None, (), tuple(moves))


def game_of(ruleset: Ruleset, log: Log) -> Game:
    """The game a log was played at."""
    _check_rules(ruleset, log)
    data, table = log.header.data, table_of(log)
    for key, problem in _setup_errors(ruleset, table):
        raise _ReplayEnd(log_error(log.header.at(key), problem))
    try:
        game = game_at(ruleset, table)
    except SetupError as error:
        raise _ReplayEnd(log_error(log.header.at(error.part), str(error))) from None
    if list(game.board.stand_ins) != data.get("stand_ins", []):
        message = game.board.note or "all maps are the printed ones"
        raise _ReplayEnd(
            log_error(log.header.at("stand_ins"), f"the log says otherwise: {message}")
        )
    return game


def table_of(log: Log) -> TableSetup:
    """The table that the header of a log tells of; whether there can be such a one is not known."""
    data = log.header.data
    return TableSetup(log.players, log.layout, tuple(data["cards"]), data["options"], data["tiles"])


def _setup_errors(ruleset: Ruleset, table: TableSetup) -> Iterator[tuple[str, str]]:
    """What no table by these rules has: the key of the header, and what is wrong."""
    if problem := why_not_seated(ruleset.parts, table.players):
        yield "players", problem
    for card in table.cards:
        if card not in ruleset.catalog.cards:
            yield "cards", f"there is no card {quoted(card)}"
    for name, value in table.options.items():
        if type(ruleset.options.get(name)) is not type(value):
            yield "options", f"there is no option {quoted(name)} with such a value"


def _check_rules(ruleset: Ruleset, log: Log) -> None:
    header = log.header
    if header.data["rules"] == ruleset.digest:
        return
    message = "the log was played by other rules than those that are loaded"
    help = "\n".join(_other_rules(header.data, ruleset))
    raise _ReplayEnd(Diagnostic("KB512", header.at("rules"), message, help))


def _other_rules(header: Mapping[str, Any], ruleset: Ruleset) -> Iterator[str]:
    """In what the rules that are loaded are not those of a log, and where the others may be."""
    played, loaded = header["boxes"], list(ruleset.boxes)
    changed = differences_from(header.get("contents"), ruleset.contents)
    if sorted(played) != sorted(loaded):
        yield f"it was played with {_listed(played)}; loaded are {_listed(loaded)}"
    elif not changed:
        yield "the texts of the rules have changed since"
    yield from changed
    if header["folders"] and {*played} - {*loaded}:
        yield f"name the folder {_listed(header['folders'])} by `--with`"
    elif {*played} - {*loaded}:
        yield "install what has them, or name their folders by `--with`"


def _listed(names: Sequence[str]) -> str:
    listed = [quoted(name) for name in names[:_LISTED]]
    more = len(names) - len(listed)
    return ", ".join([*listed, *([f"{more} more"] if more > 0 else [])]) or "nothing"


def _start(game: Game, log: Log) -> State:
    state = game.start()
    if state.hash() != log.header.data["hash"]:
        raise _difference(log.header, 0, "the position before the first move", state)
    return state


def _replay_move(game: Game, state: State, record: Record) -> tuple[Move, State]:
    """A move of the log, and the state after it."""
    number = record.data["number"]
    if state.is_over:
        raise _difference(record, number, "the game is over before this move", state)
    _compare_player(game, state, record)
    hashes: list[str] = []
    try:
        move = _move(game, state, record)
        transition = game.play(state, move, lambda _, draft: hashes.append(draft.facts_hash()))
    except IllegalMove as error:
        raise _ReplayEnd(_refused(record, error)) from None
    _compare_events(record, transition, hashes)
    if transition.state.hash() != record.data["hash"]:
        what = "the state after it, though all that lies on the table is the same"
        raise _difference(record, number, what, transition.state)
    return move, transition.state


def _compare_player(game: Game, state: State, record: Record) -> None:
    found, logged = player_name(game.legal_moves(state).player), record.data["player"]
    if found != logged:
        what = f"who decides: `{found}`, in the log `{logged}`"
        raise _difference(record, record.data["number"], what, state, "player")


def _move(game: Game, state: State, record: Record) -> Move:
    number = record.data["number"]
    try:
        words = game.ruleset.move_words
        return read_move(record.data["move"], game.board, game.legal_moves(state), words)
    except InvalidMove as error:
        message = f"move {number} cannot be read: {error}"
        raise _ReplayEnd(Diagnostic(error.code, record.at("move"), message)) from None
    except AmbiguousMove as error:
        message = f"move {number} can be read in several ways"
        raise _ReplayEnd(Diagnostic("KB503", record.at("move"), message, str(error))) from None


def _refused(record: Record, error: IllegalMove) -> Diagnostic:
    message = f"move {record.data['number']}, {quoted(error.refusal.move)}, is not legal"
    reasons = str(error.refusal).split("\n")[1:]
    help = "\n".join(line.strip() for line in reasons)
    return Diagnostic("KB502", record.at("move"), message, help)


def _compare_events(record: Record, transition: Transition, hashes: Sequence[str]) -> None:
    logged: list[Mapping[str, Any]] = record.data["events"]
    events = zip(transition.events, hashes, strict=True)
    found = [event_entry(event, digest) for event, digest in events]
    number, state = record.data["number"], transition.state
    for index, (one, other) in enumerate(zip(logged, found, strict=False), 1):
        for key in sorted({*one, *other} - {"hash"}):
            now, then = _as_json(other.get(key)), _as_json(one.get(key))
            if now != then:
                what = f"event {index}, `{key}`: {now}, in the log {then}"
                raise _difference(record, number, what, state, "events")
        if one["hash"] != other["hash"]:
            what = f"the table after event {index}, `{other['event']}`"
            raise _difference(record, number, what, state, "events")
    if len(logged) != len(found):
        what = f"how many events: {len(found)}, in the log {len(logged)}"
        raise _difference(record, number, what, state, "events")


def _as_json(value: Any) -> str:
    """A value in one spelling: as text, because in Python 1 is also true."""
    return json.dumps(value, sort_keys=True)


def _difference(
    record: Record, number: int, what: str, state: State, key: str = "hash"
) -> _ReplayEnd:
    """The finding that the log and the replay part here."""
    difference = ReplayDifference(number, what, str(record.data["hash"]), state.hash())
    where = f"after move {number}" if number else "at the start"
    if key == "player":
        where = f"at move {number}"
    span = record.at(key)
    first = span.source.span(span.start, min(span.end, span.start + 34))
    help = "the log was changed, or the program does something else than when it was written"
    message = f"{where} the replay differs from the log: {what}"
    return _ReplayEnd(Diagnostic("KB511", first, message, help), difference)


def _compare_end(game: Game, state: State, log: Log, closing: Record) -> None:
    """Whether the closing line says of the end what the replay says."""
    number = len(log.moves)
    found = {
        "moves": number,
        "totals": totals_of(game, state),
        "winners": winners_of(game, state),
        "hash": state.hash(),
    }
    for key, value in found.items():
        if _as_json(closing.data[key]) != _as_json(value):
            what = f"`{key}` {value}, in the log {closing.data[key]}"
            raise _difference(closing, number, what, state, key)
    if not state.is_over:
        raise _difference(closing, number, "the log is closed, but the game is not over", state)
    if not log.checksum_holds:
        help = "the moves are the same, but something beside them is not: a name, a seed, a space"
        message = "the log was changed after it was closed: its lines do not sum up"
        raise _ReplayEnd(log_error(closing.at("sum"), message, help))


# Games that were broken off: what their logs hold, for going on with them.

_TAIL = 64 * 1024  # bytes of the end of a log that are looked at


@dataclass(frozen=True, slots=True, eq=False)
class Unfinished:
    """A game broken off: the table with its seats, the moves made, and the lines of its log.

    half_line: what was written of the line after them, which is no part of the game.
    """

    game: Game
    seating: MatchInfo
    moves: tuple[Move, ...]
    lines: tuple[str, ...]
    half_line: str


def unfinished_of(log: Log, replayed: Replay) -> Unfinished:
    """The game of a log that was replayed to its end; ValueError if it was not, or is closed."""
    if replayed.game is None or replayed.findings or not log.is_broken_off:
        raise ValueError("only a log that breaks off and replays can be gone on with")
    data = log.header.data
    texts = (log.source.line_text(line) for line in range(1, log.source.line_count))
    return Unfinished(
        replayed.game,
        MatchInfo(table_of(log), data["seed"], tuple(data["bots"])),
        replayed.logged,
        tuple(f"{text}\n" for text in texts),
        log.half_line,
    )


def is_unfinished(path: Path) -> bool:
    """Whether a file looks like the log of a game broken off, by its last line alone.

    A file that cannot be read, or is no log, does not.
    """
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - _TAIL))
            *_, last, half = file.read().split(b"\n")
        record = json.loads(last)
    except (OSError, ValueError):  # ValueError: no line, no UTF-8, no JSON
        return False
    return isinstance(record, dict) and "hash" in record and ("sum" not in record or bool(half))

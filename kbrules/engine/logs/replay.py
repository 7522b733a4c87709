"""Logs read, with every reason why some cannot be used, and played again move by move."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence, Set, Sized
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kbrules.diagnostics import Diagnostic, check_kind, did_you_mean, quoted
from kbrules.engine.configuration import IllegalMove, Transition
from kbrules.engine.game import Game
from kbrules.engine.logs.writing import (
    CHANCE_NAME,
    FORMAT,
    MAX_BYTES,
    MAX_LENGTH,
    MAX_LINES,
    MatchInfo,
    checksum,
    closing_facts,
    event_entry,
    player_name,
)
from kbrules.engine.setup import SetupError, TableSetup, game_at
from kbrules.game.moves import AmbiguousMove, InvalidMove, Move, read_move
from kbrules.game.state import State
from kbrules.hooks import OnProgress, silent, with_progress
from kbrules.library.boards.positions import OWNERS
from kbrules.library.boards.tables import Layout, read_layout
from kbrules.library.box import why_not_seated
from kbrules.library.locks import differences_from, is_brief
from kbrules.library.reading import SLIP, shown_name, unreadable, unseen_characters
from kbrules.library.ruleset import Ruleset
from kbrules.text import Source, Span

# Lines of a log parsed: JSON objects whose members have their spans.
#
# What is not as a log has it is a finding at the very place; never an exception.

_BLANK = re.compile(r"[ \t]*")


def _unusable(constant: str) -> None:
    raise ValueError(f"`{constant}` is no value of a log")


_DECODER = json.JSONDecoder(parse_constant=_unusable)

Check = tuple[str, Callable[[Any], bool]]  # what it must be, in words; and whether it is


@dataclass(frozen=True, slots=True)
class Record:
    """One line: the members of its object, and the span of each value."""

    span: Span
    data: Mapping[str, Any]
    spans: Mapping[str, Span]

    def at(self, key: str) -> Span:
        """The span of the value of a key; the whole line if there is none."""
        return self.spans.get(key, self.span)


class _InvalidLine(Exception):
    """Carries the column, from 0, and what is wrong there."""


def log_error(span: Span, message: str, help: str = "") -> Diagnostic:
    """The finding that a log cannot be read."""
    return Diagnostic("KB510", span, message, help)


def parse_record(source: Source, line: int) -> Record | Diagnostic:
    """The record in a line of a source, counted from 1."""
    text = source.line_text(line)
    start = source.offset(line, 1)
    whole = source.span(start, start + len(text))
    if len(text) > MAX_LENGTH:
        return log_error(
            source.span(start, start + 1), f"line {line} is longer than {MAX_LENGTH} letters"
        )
    data: dict[str, Any] = {}
    spans: dict[str, Span] = {}
    try:
        for key, value, first, last in _members(text):
            span = source.span(start + first, start + last)
            if key in data:
                return log_error(span, f"{quoted(key)} stands twice")
            data[key], spans[key] = value, span
    except _InvalidLine as error:
        column, message = error.args
        at = source.span(start + column, start + column + 1)
        return log_error(at, f"line {line} is not one JSON object: {message}")
    return Record(whole, data, spans)


def _members(text: str) -> Iterator[tuple[str, Any, int, int]]:
    """The members of the object a text is: key, value, and from where to where the value goes."""
    at = _expect(text, 0, "{")
    is_first = True
    while not text.startswith("}", _skip(text, at)):
        at = _skip(text, at if is_first else _expect(text, at, ","))
        key, at = _value(text, at)
        if not isinstance(key, str):
            raise _InvalidLine(at - 1, "a key is a text in quotes")
        first = _skip(text, _expect(text, at, ":"))
        value, at = _value(text, first)
        yield key, value, first, at
        is_first = False
    at = _skip(text, _expect(text, at, "}"))
    if at < len(text):
        raise _InvalidLine(at, "nothing may follow the closing bracket")


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _expect(text: str, at: int, sign: str) -> int:
    """The place behind a sign that must come next."""
    at = _skip(text, at)
    if text[at : at + 1] != sign:
        raise _InvalidLine(at, f"here `{sign}` is missing")
    return at + 1


def _value(text: str, at: int) -> tuple[Any, int]:
    try:
        return _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        raise _InvalidLine(error.pos, error.msg.lower()) from None
    except ValueError as error:
        raise _InvalidLine(at, str(error)) from None
    except RecursionError:
        raise _InvalidLine(at, "it is nested too deeply") from None


def invalid_members(
    record: Record, checks: Mapping[str, Check], optional: Set[str] = frozenset()
) -> Iterator[Diagnostic]:
    """What is missing from a record, what does not belong there, and what has the wrong form.

    Optional keys may be missing.
    """
    for key, (wanted, holds) in checks.items():
        if key not in record.data:
            if key in optional:
                continue
            yield log_error(record.span, f"the line lacks the key {quoted(key)}", f"it is {wanted}")
        elif not holds(record.data[key]):
            yield log_error(record.at(key), f"{quoted(key)} must be {wanted}")
    for key in record.data:
        if key not in checks:
            hint = did_you_mean(key, checks)
            yield log_error(record.at(key), f"{quoted(key)} is no key of such a line", hint)


MAX_MOVE = 500  # characters
MAX_ITEMS = 200  # of a list in the header: boxes, cards, options


@dataclass(frozen=True, slots=True)
class Log:
    """A log as far as it can be used: the header, the moves, and the closing line if it is there.

    Every key of a line is there and of the right form; whether the moves are legal is not known.
    `checksum_holds` says whether the sum of the closing line is that of the lines above it.
    """

    source: Source
    header: Record
    moves: tuple[Record, ...]
    closing: Record | None
    checksum_holds: bool

    @property
    def players(self) -> int:
        """How many played."""
        return int(self.header.data["players"])

    @property
    def layout(self) -> Layout:
        """The sections that were laid."""
        return read_layout(self.header.data["layout"])

    @property
    def is_broken_off(self) -> bool:
        """Whether only the end is missing: no whole line is wrong, and none closes the log."""
        return self.closing is None and 1 + len(self.moves) == self.source.line_count - 1

    @property
    def half_line(self) -> str:
        """Return what follows the last whole line; empty unless writing was interrupted."""
        return self.source.line_text(self.source.line_count)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _list_of(holds: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: _is_short(value, list) and all(map(holds, value))


def _mapping_to(holds: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: _is_short(value, dict) and all(map(holds, value.values()))


def _is_short(value: Any, kind: type[Sized]) -> bool:
    return isinstance(value, kind) and len(value) <= MAX_ITEMS


def _is_layout(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(read_layout(value))
    except ValueError:
        return False


def _is_event(value: Any) -> bool:
    return isinstance(value, dict) and _is_text(value.get("event")) and _is_hash(value.get("hash"))


def _is_hash(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{32}", value) is not None


_HASH: Check = ("a hash of 32 hexadecimal digits", _is_hash)
_TEXT: Check = ("a text", _is_text)
_TEXTS: Check = (f"a list of at most {MAX_ITEMS} texts", _list_of(_is_text))
_COUNT: Check = ("a whole number, not below 0", lambda value: _is_whole(value) and value >= 0)

HEADER: Mapping[str, Check] = {
    "format": (f"the number {FORMAT}", lambda value: _is_whole(value) and value == FORMAT),
    "kbrules": _TEXT,
    "rules": _HASH,
    "boxes": _TEXTS,
    "contents": ("boxes with their versions and the digests of their files", is_brief),
    "folders": _TEXTS,
    "seed": ("a whole number", _is_whole),
    "players": (
        f"a number from 1 to {len(OWNERS)}",
        lambda value: _is_whole(value) and 1 <= value <= len(OWNERS),
    ),
    "layout": ("rows of sections, such as `one two turned/three four`", _is_layout),
    "stand_ins": _TEXTS,
    "cards": _TEXTS,
    "tiles": (f"at most {MAX_ITEMS} hexes with the tiles drawn for them", _mapping_to(_is_text)),
    "options": (
        f"at most {MAX_ITEMS} names with true, false or a number",
        _mapping_to(lambda value: isinstance(value, int)),
    ),
    "bots": _TEXTS,
    "hash": _HASH,
}
OPTIONAL = frozenset({"stand_ins", "contents"})
"""Where all maps are the printed ones, there are no stand-ins; older logs have no contents."""
MOVE: Mapping[str, Check] = {
    "number": _COUNT,
    "player": (
        f"the letter of a player or `{CHANCE_NAME}`",
        lambda value: (
            value == CHANCE_NAME or (_is_text(value) and len(value) == 1 and value in OWNERS)
        ),
    ),
    "move": (
        f"a text of at most {MAX_MOVE} characters",
        lambda value: _is_text(value) and len(value) <= MAX_MOVE,
    ),
    "events": (
        "a list of events, each with its name and hash",
        lambda value: isinstance(value, list) and all(map(_is_event, value)),
    ),
    "hash": _HASH,
}
CLOSING: Mapping[str, Check] = {
    "moves": _COUNT,
    "totals": (f"a list of at most {MAX_ITEMS} numbers", _list_of(_is_whole)),
    "winners": _TEXTS,
    "hash": _HASH,
    "sum": _HASH,
}


def read_log(path: Path) -> tuple[Log | None, list[Diagnostic]]:
    """The log in a file as far as it is good, and what is wrong; no log without a good header."""
    source, found = _read_source(Path(path))
    return (None, found) if source is None else parse_log(source)


def _read_source(path: Path) -> tuple[Source | None, list[Diagnostic]]:
    name = shown_name(path)
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return None, [_unreadable(name, "is not a plain file")]
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            message = f"{quoted(name)} is larger than {MAX_BYTES // 1024 // 1024} MiB"
            return None, [Diagnostic("KB003", Span.none(name), message, "is it a log?")]
        source = Source(name, data.decode("utf-8").replace("\r\n", "\n"))
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        message = f"{quoted(name)} is not UTF-8 in line {line}"
        return None, [Diagnostic("KB002", Span.none(name), message)]
    except (OSError, ValueError) as error:
        return None, [_unreadable(name, unreadable(error))]
    found = unseen_characters(source)
    return (None, found) if found else (source, [])


def _unreadable(name: str, why: str) -> Diagnostic:
    return Diagnostic("KB001", Span.none(name), f"{quoted(name)} {why}", SLIP)


def parse_log(source: Source) -> tuple[Log | None, list[Diagnostic]]:
    """The log in a text as far as it is good, and what is wrong; no log without a good header.

    Reading stops at the first line that is wrong.
    """
    if not source.text:
        return None, [
            log_error(source.span(0, 0), "the log is empty", "its first line is a header")
        ]
    if source.line_count > MAX_LINES:
        return None, [log_error(source.at(MAX_LINES, 1), f"a log has at most {MAX_LINES} lines")]
    records, found = _records(source)
    if not records:
        return None, found
    header, *moves = records
    closing = moves.pop() if moves and "totals" in moves[-1].data else None
    if closing is None and not found:
        end = source.span(len(source.text) - 1, len(source.text) - 1)
        message = "the log is truncated: it has no closing line"
        found = [log_error(end, message, _replayable(len(moves)))]
    lines = source.text[: closing.span.start] if closing is not None else ""
    whole = closing is not None and checksum([lines]) == closing.data["sum"]
    return Log(source, header, tuple(moves), closing, whole), found


def _records(source: Source) -> tuple[list[Record], list[Diagnostic]]:
    """The good lines from the top, and what is wrong with the first that is not good."""
    records: list[Record] = []
    for line in range(1, source.line_count):
        record = parse_record(source, line)
        if isinstance(record, Diagnostic):
            return records, [record]
        found = list(_record_errors(record, records))
        if found:
            return records, sorted(found)
        records.append(record)
    last = source.line_text(source.line_count)
    if last:
        span = source.at(source.line_count, len(last), 1)
        message = f"line {source.line_count} is cut off: it has no line end"
        return records, [log_error(span, message, _replayable(len(records) - 1))]
    return records, []


def _record_errors(record: Record, above: Sequence[Record]) -> list[Diagnostic]:
    if not above:
        return list(invalid_members(record, HEADER, OPTIONAL))
    if "totals" in above[-1].data:
        return [log_error(record.span, "nothing may follow the closing line")]
    if "totals" in record.data:
        return list(invalid_members(record, CLOSING))
    found = list(invalid_members(record, MOVE))
    if not found and record.data["number"] != len(above):
        message = f"here move {len(above)} is due, not move {record.data['number']}"
        found = [log_error(record.at("number"), message, "a line is missing or out of place")]
    return found


def _replayable(moves: int) -> str:
    if moves < 1:
        return ""
    return f"the game was broken off; what is there, up to move {moves}, can be replayed"


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
    """Carries the finding that ends a replay, and the difference if it is one, or None."""


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
        states.append(game.start())
        if states[0].hash() != log.header.data["hash"]:
            what, start = "the position before the first move", states.pop()
            raise _difference(log.header, 0, what, start)
        for record in with_progress(log.moves[:until], "moves", on_progress):
            move, state = _replay_move(game, states[-1], record)
            moves.append(move)
            states.append(state)
        if log.closing is not None and (until is None or until > len(log.moves)):
            _compare_end(game, states[-1], log, log.closing)
    except _ReplayEnd as stop:
        finding, difference = (*stop.args, None)[:2]
        return Replay(game, tuple(states), difference, (finding,), tuple(moves))
    return Replay(game, tuple(states), None, (), tuple(moves))


def game_of(ruleset: Ruleset, log: Log) -> Game:
    """The game a log was played at."""
    header, data, table = log.header, log.header.data, table_of(log)
    if data["rules"] != ruleset.digest:
        message = "the log was played by other rules than those that are loaded"
        help = "\n".join(_other_rules(data, ruleset))
        raise _ReplayEnd(Diagnostic("KB512", header.at("rules"), message, help))
    for key, problem in _setup_errors(ruleset, table):
        raise _ReplayEnd(log_error(header.at(key), problem))
    try:
        game = game_at(ruleset, table)
    except SetupError as error:
        raise _ReplayEnd(log_error(header.at(error.part), str(error))) from None
    if list(game.board.stand_ins) != data.get("stand_ins", []):
        message = game.board.note or "all maps are the printed ones"
        problem = f"the log says otherwise: {message}"
        raise _ReplayEnd(log_error(header.at("stand_ins"), problem))
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


def _replay_move(game: Game, state: State, record: Record) -> tuple[Move, State]:
    """A move of the log, and the state after it."""
    number = record.data["number"]
    if state.is_over:
        raise _difference(record, number, "the game is over before this move", state)
    found, logged = player_name(game.legal_moves(state).player), record.data["player"]
    if found != logged:
        what = f"who decides: `{found}`, in the log `{logged}`"
        raise _difference(record, number, what, state, "player")
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
    for key, value in closing_facts(game, state, number).items():
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

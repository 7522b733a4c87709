"""Logs written: JSON lines that any program can read, in files written whole or not at all."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import struct
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from io import FileIO
from itertools import accumulate
from pathlib import Path
from typing import IO, Any

from kbrules import __version__
from kbrules.engine import configuration, setup
from kbrules.engine.game import Game
from kbrules.game.events import Event, to_json
from kbrules.game.moves import CHANCE, Move, write_move
from kbrules.game.state import State
from kbrules.library import locks, reading
from kbrules.library.boards.positions import OWNERS

# Files written whole or not at all, and a log on disk that grows move by move.

MAX_BYTES = 16 * 1024 * 1024  # bytes of one log, written or read
MAX_LINES = 100_000
MAX_LENGTH = 4 * 1024 * 1024  # characters of one line

_TEMPORARY = ".kbrules-tmp"
_LONGEST = 100  # characters of a name, which with all that is added stays below 255

_FLOCK = "@hhqqi4x"  # what Linux says of a lock; the last number is that of the process


def write_atomically(path: Path, lines: Sequence[str]) -> None:
    """Write a whole text, or nothing: a reader sees the old file or the finished new one.

    OSError if the place cannot be written to.
    """
    write_bytes_atomically(path, "".join(lines).encode())


def write_bytes_atomically(path: Path, data: bytes) -> None:
    """The same for what is no text.

    What is no plain file, as a pipe or a device, is written into and stays what it is; so does a
    link.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    path = Path(os.path.realpath(path))
    _remove_leftovers(path)
    handle, name = tempfile.mkstemp(prefix=_prefix(path), suffix=_TEMPORARY, dir=path.parent)
    try:
        with open(handle, "wb") as file:
            file.write(data)
        os.chmod(name, _mode(path))
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def write_log(path: Path, lines: Sequence[str]) -> None:
    """Write the lines of a finished log; OSError if `replay` could not read so large a one."""
    _refuse_too_large(max(map(len, lines)), sum(map(len, lines)), len(lines))
    write_atomically(path, lines)


def _refuse_too_large(line: int, characters: int, lines: int) -> None:
    """OSError with the limit that a log breaks; its lines are ASCII."""
    if line > MAX_LENGTH:
        why = f"a move has a line of {line} characters, and {MAX_LENGTH} are the most"
    elif characters > MAX_BYTES:
        why = f"it would be larger than {MAX_BYTES // 1024 // 1024} MiB"
    elif lines >= MAX_LINES:
        why = f"it would have {lines} lines, and {MAX_LINES} are the most"
    else:
        return
    raise OSError(errno.EFBIG, f"{why}; such a log could not be replayed")


def temporary_folder(path: Path) -> Path:
    """Make a folder beside the place of another, whose place it will take; return its path.

    What killed processes left there is removed.
    """
    _remove_leftovers(path)
    folder = Path(tempfile.mkdtemp(prefix=_prefix(path), suffix=_TEMPORARY, dir=path.parent))
    folder.chmod(0o777 & ~_umask())
    return folder


def _prefix(path: Path) -> str:
    return f".{path.name[:_LONGEST]}.{os.getpid()}-"


def _remove_leftovers(path: Path) -> None:
    """Remove what killed writers of a file or folder left beside it.

    The names are those of `_prefix` with the number of a process that is no more.
    """
    pattern = re.compile(rf"\.{re.escape(path.name[:_LONGEST])}\.(\d+)-\w+{re.escape(_TEMPORARY)}")
    for name in os.listdir(path.parent):
        match = pattern.fullmatch(name)
        if match and not _is_alive(int(match[1])):
            leftover = path.with_name(name)
            if leftover.is_dir():
                shutil.rmtree(leftover, ignore_errors=True)
            else:
                leftover.unlink(missing_ok=True)


def _is_alive(process: int) -> bool:
    """Whether a process runs; on Windows, where asking would end it, it always does."""
    if sys.platform == "win32":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _mode(path: Path) -> int:
    """Who may read and write a file, or would if it were made; a temporary one is private."""
    if path.exists():
        return path.stat().st_mode & 0o777
    return 0o666 & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def refuse_in_use(path: Path) -> None:
    """OSError if another process is writing a log there, with its number."""
    if path.is_file():
        with path.open("r+b") as file:
            if lock_holder := _lock(file):
                raise _in_use(path, lock_holder)


def _in_use(path: Path, lock_holder: str) -> OSError:
    return OSError(errno.EBUSY, f"{lock_holder} is playing a game into it", str(path))


def _opened(path: Path) -> FileIO:
    """A file, made if need be, that no other process writes. What is written is not held back."""
    while True:
        file = FileIO(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+")
        if lock_holder := _lock(file):
            file.close()
            raise _in_use(path, lock_holder)
        if not file.seekable():
            file.close()
            raise OSError(errno.ESPIPE, "lines cannot be taken back there", str(path))
        if not path.is_file() or os.path.samestat(os.fstat(file.fileno()), path.stat()):
            return file
        file.close()  # another has taken its place since it was opened


def _lock(file: IO[bytes] | FileIO) -> str:
    """Lock a file until it is closed; else the process that holds the lock, in words.

    Where the system or the file system has no such locks, no program is kept out.
    """
    if sys.platform == "win32":
        return ""
    import fcntl

    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in (errno.EACCES, errno.EAGAIN):
            return ""
        request = struct.pack(_FLOCK, fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
        number = struct.unpack(_FLOCK, fcntl.fcntl(file, fcntl.F_GETLK, request))[-1]
        return f"process {number}" if sys.platform == "linux" and number else "another process"
    return ""


class LogFile:
    """A log on disk that grows move by move, so that a game broken off is not lost.

    OSError if the place cannot be written to, or another process writes this very log, which it
    names. `with` closes the file. lines: those that it begins with, those of a log that is gone
    on with. What else is in the file is removed; until they are there, the old file stays.
    """

    def __init__(self, path: Path, lines: Sequence[str] = ()) -> None:
        self._file = _opened(path)
        try:
            self._truncate_to(path, "".join(lines).encode())
        except BaseException:
            self._file.close()
            raise
        self._ends = list(accumulate(len(line.encode()) for line in lines))

    def _truncate_to(self, path: Path, data: bytes) -> None:
        """Leave only these first bytes; a file of other bytes gives way to a new one as a whole."""
        if not path.is_file():
            self._write_all(data)
            return
        present = self._file.read(len(data))
        if present and present != data:
            if sys.platform == "win32":  # what is open cannot be replaced there
                self._file.close()
            write_bytes_atomically(path, data)
            self._file.close()
            self._file = _opened(path)
        elif not present:
            self._write_all(data)
        self._cut(len(data))

    def _write_all(self, data: bytes) -> None:
        unwritten = memoryview(data)
        while unwritten:
            unwritten = unwritten[self._file.write(unwritten) :]

    def _cut(self, size: int) -> None:
        self._file.truncate(size)
        self._file.seek(size)

    def __enter__(self) -> LogFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write(self, line: str) -> None:
        """Add a line; it is with the operating system when this returns.

        OSError if there is no room, or the log would be too large to be replayed; nothing is added
        then.
        """
        data, end = line.encode(), self._ends[-1] if self._ends else 0
        _refuse_too_large(len(line), end + len(data), len(self._ends) + 1)
        try:
            self._write_all(data)
        except OSError:
            with suppress(OSError):  # half a line is better than none of our reasons
                self._cut(end)
            raise
        self._ends.append(end + len(data))

    def drop(self, count: int) -> None:
        """Take back the last lines."""
        if not 0 <= count < len(self._ends):
            raise ValueError(f"there are {len(self._ends)} lines, not {count}")
        del self._ends[len(self._ends) - count :]
        self._cut(self._ends[-1])


# The log of a game: JSON lines that any program can read and that replay without a generator.
#
# The first line is the header: what was played, by which rules. Then one line per move, draws by
# chance among them: its number, who decided, the move in notation, the events with the hash of the
# facts on the table after each, and the hash of the state after all. The last line closes the log:
# totals, winners, and a sum over all lines above. A log without it is not finished.

FORMAT = 1
CHANCE_NAME = "chance"  # who decides a draw
_EXACT = 1 << 53  # larger numbers are not exact in every reader of JSON


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """What the header of a log says: the table, the seed of chance, and names of the bots."""

    table: setup.TableSetup
    seed: int
    bots: tuple[str, ...] = ()


def player_name(player: int) -> str:
    """`a` for the first player, `chance` for a draw."""
    return CHANCE_NAME if player == CHANCE else OWNERS[player]


class Recorder:
    """Makes the lines of a log while a game is played: `watch` each event, `add` each move."""

    def __init__(self, game: Game, start: State, info: MatchInfo) -> None:
        self.lines = [_line(_header(game, start, info))]
        self._game = game
        self._hashes: list[str] = []

    def watch(self, event: Event, state: State) -> None:
        """Take note of an event as it happens; to be handed to `Game.play`."""
        self._hashes.append(state.facts_hash())

    def add(self, player: int, move: Move, transition: configuration.Transition) -> str:
        """The line of a move that was watched."""
        events = zip(transition.events, self._hashes, strict=True)
        entry = {
            "number": len(self.lines),
            "player": player_name(player),
            "move": write_move(move, self._game.board),
            "events": [event_entry(event, digest) for event, digest in events],
            "hash": transition.state.hash(),
        }
        self._hashes = []
        self.lines.append(_line(entry))
        return self.lines[-1]

    def drop(self, count: int) -> None:
        """Forget the last moves."""
        if not 0 <= count < len(self.lines):
            raise ValueError(f"there are {len(self.lines) - 1} moves, not {count}")
        del self.lines[len(self.lines) - count :]

    def resume(self, lines: Sequence[str]) -> None:
        """Take the lines of a log that is gone on with for those made of the same moves.

        The header may be that of another version, and the sum is taken over what the file has.
        """
        if len(lines) != len(self.lines):
            raise ValueError(f"{len(self.lines) - 1} moves were made, not {len(lines) - 1}")
        self.lines[:] = lines

    def close(self, state: State) -> str:
        """The last line of the log of a finished game."""
        facts = closing_facts(self._game, state, len(self.lines) - 1)
        self.lines.append(_line({**facts, "sum": checksum(self.lines)}))
        return self.lines[-1]


def _header(game: Game, start: State, info: MatchInfo) -> dict[str, Any]:
    table, ruleset, stand_ins = info.table, game.ruleset, list(game.board.stand_ins)
    return {
        "format": FORMAT,
        "kbrules": __version__,
        "rules": ruleset.digest,
        "boxes": list(ruleset.boxes),
        "contents": locks.brief(ruleset.contents),
        "folders": [reading.real_path(Path(folder)).name for folder in ruleset.folders],
        "seed": info.seed,
        "players": table.players,
        "layout": str(table.layout),
        **({"stand_ins": stand_ins} if stand_ins else {}),
        "cards": list(table.cards),
        "tiles": dict(table.tiles),
        "options": dict(table.options),
        "bots": list(info.bots),
        "hash": start.hash(),
    }


def _line(data: Mapping[str, Any]) -> str:
    return json.dumps(data) + "\n"


def event_entry(event: Event, digest: str) -> dict[str, Any]:
    """An event as a log has it, with the hash of the facts after it."""
    facts = {name: _plain(value) for name, value in to_json(event).items()}
    return {**facts, "hash": digest}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return hex(value) if isinstance(value, int) and value > _EXACT else value


def closing_facts(game: Game, state: State, moves: int) -> dict[str, Any]:
    """Return what the closing line says of the end of a game after so many moves."""
    sheet = game.score(state)
    winners = [player_name(player) for player in sheet.winners]
    return {"moves": moves, "totals": [*sheet.totals], "winners": winners, "hash": state.hash()}


def checksum(lines: Sequence[str]) -> str:
    """A 128-bit BLAKE2b digest over lines, line ends and all, in hexadecimal."""
    return blake2b("".join(lines).encode(), digest_size=16).hexdigest()

"""What all commands tell and are told at a terminal: progress, findings, colours, typed text."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from threading import Lock, Timer
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from kbrules.hooks import lazily

with lazily():
    from kbrules import diagnostics, text as source_text
    from kbrules.library import reading
    from kbrules.library.boards import positions

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from kbrules.game.board import Board


# How far a command is: one line on standard error, on a terminal and only there.

DELAY = 1.0  # seconds of the command: what is done by then needs no line
LEAST_DELAY = 0.1  # seconds of later work, lest a line only flickers
_BEGUN = perf_counter()
_LEAST_RATE = 0.05  # things a second; of fewer there would stand a 0


class Progress:
    """Shows what a command does, how much of it is done and how long it will take.

    what: the work, as `checking`. The line appears after the first second of the command and is
    gone in the end; it is written to a terminal alone.
    """

    def __init__(self, what: str) -> None:
        self._what, self._begun = what, perf_counter()
        self._lock = Lock()
        self._bar: Bar | None = None
        self._stage: _Stage | None = None
        delay = max(LEAST_DELAY, DELAY - (self._begun - _BEGUN))
        self._timer = Timer(delay, self._begin) if sys.stderr.isatty() else None

    def __enter__(self) -> Progress:
        _open.append(self)
        if self._timer is not None:
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        _open.remove(self)
        self.clear()

    def clear(self) -> None:
        """Take the line away, for good."""
        if self._timer is not None:
            self._timer.cancel()
        with self._lock:
            self._timer = None
            if self._bar is not None:
                self._bar.stop()
                self._bar = None

    def show(self, done: int, wanted: int | None = None, unit: str = "") -> None:
        """Say how much is done, of how much if that is known, and of what.

        What was done before the first call took no time of this run. The clock begins again with
        another unit, and where fewer are done than before.
        """
        now, stage = perf_counter(), self._stage
        if stage is None or stage.unit != unit or done < stage.done:
            stage = _Stage(unit, done, now)
        stage.done, stage.wanted, stage.seen = done, wanted, now
        self._stage = stage

    def _begin(self) -> None:
        with self._lock:
            if self._timer is not None:
                self._bar = _bar(self._line)
                self._bar.add_task("", total=None)
                self._bar.start()

    def _line(self) -> str:
        """The whole line."""
        now = perf_counter()
        elapsed = f"{self._what} {_time(now - self._begun)}"
        return elapsed if self._stage is None else f"{elapsed} {self._stage.text(now)}"


_open: list[Progress] = []


def clear_progress() -> None:
    """Take away any line that shows, for good: what is printed would run into it."""
    for each in _open:
        each.clear()


@dataclass(slots=True)
class _Stage:
    """A count of things of one unit; `first` of them were done when its clock began.

    seen: when the last was done. Times are those of `perf_counter`.
    """

    unit: str
    first: int
    begun: float
    done: int = 0
    wanted: int | None = None
    seen: float = 0.0

    @property
    def rate(self) -> float:
        """How many are done in a second; 0 as long as nobody knows."""
        seconds = self.seen - self.begun
        return (self.done - self.first) / seconds if seconds > 0 else 0.0

    def text(self, now: float) -> str:
        """So many of so many, how long the others will take, and how many a second."""
        of = "" if self.wanted is None else f" of {self.wanted:,}"
        parts = [f"{self.done:,}{of} {self.unit}"]
        if self.wanted is not None and self.rate:
            left = (self.wanted - self.done) / self.rate - (now - self.seen)
            parts.append(f"{_time(left)} left")
        if self.rate >= _LEAST_RATE:
            parts.append(f"{self.rate:,.1f} a second")
        return ", ".join(parts)


def _time(seconds: float) -> str:
    return str(timedelta(seconds=max(0, round(seconds))))


def _bar(tell: Callable[[], str]) -> Bar:
    """What draws the line: rich, which typer brings."""
    from rich.console import Console
    from rich.progress import Progress as Bar, ProgressColumn, SpinnerColumn, Task
    from rich.table import Column
    from rich.text import Text

    class LineColumn(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(tell())

    return Bar(
        SpinnerColumn(),
        LineColumn(Column(no_wrap=True, overflow="ellipsis")),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )


# How a command reports errors: coded findings on standard error, and its exit codes.

DIFFERS, FAILED, INTERRUPTED = 1, 2, 130
"""Exit codes: something was found, nothing could be done, Ctrl-C."""


def print_findings(findings: Iterable[diagnostics.Diagnostic]) -> None:
    """Show findings in full."""
    clear_progress()
    for finding in findings:
        typer.echo(diagnostics.render_full(finding), err=True)


def exit_with_findings(findings: Iterable[diagnostics.Diagnostic]) -> NoReturn:
    """Show findings in full and end the command."""
    print_findings(findings)
    raise typer.Exit(FAILED)


def exit_with(code: str, message: str, help: str) -> NoReturn:
    """End the command because of something that stands in no file."""
    exit_with_findings(
        [diagnostics.Diagnostic(code, source_text.Span.none("command line"), message, help)]
    )


def exit_unwritten(what: object, error: OSError) -> NoReturn:
    """End the command because a file cannot be written, with what can be done about it."""
    why = error.strerror or str(error)
    exit_with("KB008", f"{what} cannot be written: {why}", remedy(error))


def remedy(error: OSError) -> str:
    """Return what can be done about an error of the system."""
    return _REMEDIES.get(error.errno or 0, _ELSE)


_ELSE = "choose another place"
_REMEDIES = {
    errno.ENOENT: "make the folder first",
    errno.ENOTDIR: "name a file in a folder",
    errno.EISDIR: "name a file, not a folder",
    errno.EEXIST: "choose another name, or take away what is there",
    errno.EACCES: "choose a folder in which you may write",
    errno.EPERM: "choose a folder in which you may write",
    errno.EROFS: "choose a folder in which you may write",
    errno.ENOSPC: "make room on the disk; what was there is as it was",
    errno.EDQUOT: "make room on the disk; what was there is as it was",
    errno.EFBIG: "choose another place; there it would be too large",
    errno.ENAMETOOLONG: "choose a shorter name",
    errno.ELOOP: "look where the links lead; they form a circle",
    errno.EMFILE: "raise the limit of open files (`ulimit -n`)",
    errno.ENFILE: "close other programs; the system has too many open files",
    errno.EBUSY: "wait until it has ended, or choose another file",
}


def printable(text: object) -> str:
    """A path or command of the user's with nothing in it that a terminal or a CI would obey."""
    return source_text.visible(str(text))


# Colours for a terminal, and nothing but text elsewhere.

Colour = tuple[int, int, int]

# One colour per player, in the order of their letters: strong ones that no board is likely to have.
PLAYERS: tuple[Colour, ...] = (
    (208, 52, 44), (36, 98, 200), (240, 240, 240), (32, 32, 32), (242, 142, 28), (142, 68, 173),
)  # fmt: skip
LEGAL = "+"  # behind the letter of a hex that may be chosen
_ROW = re.compile(r"(?m)^( *\d+ )(.*)$")
_WORD = re.compile(r"\S+")
_HEX_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


def wants_colour(no_color: bool) -> bool:
    """Whether to paint: on a terminal, or if FORCE_COLOR asks for it; NO_COLOR forbids it."""
    if no_color or os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


class Painter:
    """Prints text and board pictures, with the colours of one board if they are wanted."""

    def __init__(self, board: Board, painting: bool) -> None:
        self.painting = painting
        self._colours = _colours(board) if painting else {}

    def say(self, text: str = "") -> None:
        """Print a text as it is."""
        typer.echo(text, color=self.painting or None)

    def strong(self, text: str) -> None:
        """Print a text that should be seen."""
        self.say(typer.style(text, bold=True) if self.painting else text)

    def board(self, picture: str) -> None:
        """Print the picture of a board."""
        if self.painting:
            picture = _ROW.sub(lambda row: row[1] + _WORD.sub(self._coloured, row[2]), picture)
        self.say(picture)

    def _coloured(self, word: re.Match[str]) -> str:
        text = word[0]
        colour = self._colours.get(text[0])
        if len(text) == 1:
            return typer.style(text, fg=colour) if colour else text
        if text[1] == LEGAL and colour:
            return typer.style(text, fg=_readable_on(colour), bg=colour, bold=True)
        index = ord(text[1]) - ord("a")
        if not 0 <= index < len(PLAYERS):
            return typer.style(text, bold=True)
        back = PLAYERS[index]
        return typer.style(text, fg=_readable_on(back), bg=back, bold=True)


def _colours(board: Board) -> Mapping[str, Colour]:
    """The colour of each letter and digit that a picture of a board may have."""
    catalog = board.catalog
    found = {
        kind.letter: _rgb(kind.colour)
        for kind in catalog.hexes
        if _HEX_COLOUR.fullmatch(kind.colour)
    }
    letters = {kind.id: kind.letter for kind in catalog.hexes}
    places = {tile.id: tile.place for tile in catalog.tiles}
    for digit, tile in positions.legend_of(board).items():
        letter = letters.get(places[tile], "")
        if letter in found:
            found[digit] = found[letter]
    return found


def _rgb(colour: str) -> Colour:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue


def _readable_on(colour: Colour) -> Colour:
    red, green, blue = colour
    return (0, 0, 0) if 299 * red + 587 * green + 114 * blue > 128_000 else (255, 255, 255)


# Text from standard input, as editors give it: in the place of a file that is not saved yet.

STDIN = "-"
Name = Annotated[
    Path | None,
    typer.Option("--stdin-filename", metavar="NAME", help="Whose text `-` is, for editors."),
]


def source_for(paths: Sequence[str], name: Path | None) -> source_text.Source | None:
    """The text that is asked about in the place of a rule file; None if files are asked for."""
    if STDIN not in paths and name is None:
        return None
    if list(paths) != [STDIN]:
        exit_with(
            "KB009", "`-` and `--stdin-filename` go with each other and no other path", _TRY_STDIN
        )
    if name is None:
        exit_with("KB009", "`-` needs the name of the file whose text it is", _TRY_STDIN)
    if name.suffix != ".kb" or not name.is_file():
        exit_with("KB009", f"`{name}` is no rule file that is there", "save it once, as `*.kb`")
    return read_standard_input(name.as_posix())


_TRY_STDIN = "write `kbrules check - --stdin-filename mine/rules/mill.kb`"


def read_standard_input(name: str) -> source_text.Source:
    """Standard input as the text of a file; ends the command if no file may hold it."""
    source, findings = reading.source_of(name, sys.stdin.buffer.read(reading.LIMIT + 1))
    if source is None:
        exit_with_findings(findings)
    return source


def folder_here() -> Path | None:
    """The author's folder that we are in, if we are in one."""
    return reading.author_folder(Path.cwd() / reading.MANIFEST)

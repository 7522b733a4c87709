"""`--watch`: a command done again whenever a file is saved, until Ctrl-C."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter, strftime
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from .findings import exit_with
from .output import Format

if TYPE_CHECKING:
    from kbrules.tools.testing import FileWatcher

CALM = 0.3  # seconds without a save after which there is time for what takes longer
CLEAR = "\x1b[2J\x1b[H"
Soon = Callable[[Set[Path]], object]
Later = Callable[[], object]
Watch = Annotated[
    bool, typer.Option("--watch", help="Do it again whenever a file is saved; Ctrl-C ends it.")
]


def watch_loop(
    paths: Sequence[Path], folders: Sequence[Path], form: Format, file: Path | None
) -> WatchLoop:
    """What looks at files and the folders they lie in; ends the command if it cannot report so."""
    from kbrules.tools.testing import watched_paths, watcher_of

    if file is None and not (form.is_for_people or form is Format.jsonl):
        help = "use `jsonl`, or write each report to `--output-file`"
        exit_with("KB009", f"`--watch` cannot print one `{form}` after another", help)
    return WatchLoop(watcher_of(watched_paths(paths, folders)))


@dataclass(frozen=True, slots=True)
class WatchLoop:
    """A command that is done again and again."""

    watcher: FileWatcher

    def run(
        self, soon: Callable[[Set[Path]], object], later: Callable[[], object] | None
    ) -> NoReturn:
        """Do something now and whenever files change, and another thing when all is calm.

        What is done is told which files have changed.
        """
        changed: Set[Path] = set()
        while True:
            self._timed(changed, partial(soon, changed))
            changed = self.watcher.wait(CALM) if later is not None else set()
            if not changed and later is not None:
                self._until_saved(later)
            changed = changed or self.watcher.wait()

    def _until_saved(self, later: Later) -> None:
        """Do what takes longer; a save breaks it off, since it is answered first."""
        from kbrules.tools.testing import FileSaved

        with suppress(FileSaved):
            self._timed(set(), later)

    def _timed(self, changed: Set[Path], act: Later) -> None:
        """Do it below what is left on the screen, and say how long it took."""
        if sys.stdout.isatty():
            typer.echo(CLEAR, nl=False)
        begun = perf_counter()
        _report_faults(act)
        took = (perf_counter() - begun) * 1000
        names = ", ".join(sorted({path.name for path in changed})[:3])
        why = f" {names} changed:" if names else ""
        files = len(self.watcher.stamps)
        typer.echo(
            f"[{strftime('%H:%M:%S')}]{why} {took:.0f} ms; watching {files} files, Ctrl-C ends",
            err=True,
        )


def _report_faults(act: Later) -> None:
    """Do it; what would end another command is told and only ends this turn."""
    from kbrules.tools.testing import FileSaved

    from ..app import report_exception

    try:
        act()
    except (BrokenPipeError, FileSaved):
        raise
    except typer.Exit:
        return
    except Exception as fault:
        report_exception(fault)

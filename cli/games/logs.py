"""A log read from a file and played again, for `replay` and `show log`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..boxes import load_for_log
from ..terminal.findings import exit_with, exit_with_findings
from ..terminal.progress import Progress

if TYPE_CHECKING:
    from kbrules.diagnostics import Diagnostic
    from kbrules.engine.game import Game
    from kbrules.engine.logs.reading import Log
    from kbrules.engine.logs.replay import Replay


@dataclass(frozen=True, slots=True)
class ReplayedLog:
    """A log, its replay with one state at least, and what differs or is wrong with it."""

    log: Log
    replay: Replay
    findings: Sequence[Diagnostic]

    @property
    def game(self) -> Game:
        """The game that was played."""
        assert self.replay.game is not None
        return self.replay.game


def replay_file(
    path: Path, with_: Sequence[str], option: str, at: int | None, to_end: bool = False
) -> ReplayedLog:
    """A log played again; ends the command if it cannot be.

    option: the one that says `at`, the number of a move. The replay goes as far, or to the end.
    """
    from kbrules.engine.logs.reading import read_log
    from kbrules.engine.logs.replay import replay

    log, found = read_log(path)
    if log is None:
        exit_with_findings(found)
    if at is not None and not 0 <= at <= len(log.moves):
        message = f"{option} {at}: the log has {len(log.moves)} good moves"
        exit_with("KB009", message, "give a number from 0")
    until = None if to_end else at
    ruleset = load_for_log(log, with_)
    with Progress("replaying") as progress:
        result = replay(ruleset, log, until, progress.show)
    if not result.states:
        exit_with_findings(result.findings)
    # Asked for a part that is good, it does not matter that the rest is not.
    rest = found if until is None and not result.findings else ()
    return ReplayedLog(log, result, [*result.findings, *rest])

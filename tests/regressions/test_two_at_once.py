"""Two people at one file in the same moment: one of them is refused, and nothing is mixed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from kbrules.engine.logs.writing import LogFile, refuse_in_use
from kbrules.tools.simulate.results_file import (
    IDENTITY,
    OtherQuestion,
    ResultsFile,
    UnusableFile,
)

FACTS = dict.fromkeys(IDENTITY, "one")
HOLDER = """
import sys
from pathlib import Path
from kbrules.engine.logs.writing import LogFile
with LogFile(Path(sys.argv[1])) as log:
    log.write("theirs\\n")
    print("open", flush=True)
    sys.stdin.readline()
"""


class Games(ResultsFile):
    command, file_format = "games", "1"

    @classmethod
    def own_tables(cls, columns: Sequence[str]) -> tuple[str, ...]:
        return ("CREATE TABLE games (deal INTEGER)",)

    def begin(self, facts: Mapping[str, str] = FACTS) -> None:
        self._create_or_check(facts)

    def add(self) -> None:
        with self._writing_span((0, 1), 0.0):  # type: ignore[arg-type]
            pass


class Other(Games):
    file_format = "2"


def test_two_runs_that_begin_a_file_at_once_share_it_or_are_told(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with Games(path) as one, Games(path) as two, Games(path) as three, Other(path) as other:
        one.begin()
        two.begin()
        one.add()
        with pytest.raises(UnusableFile, match="somebody else is playing the same games"):
            two.add()
        with pytest.raises(OtherQuestion, match="another question"):
            three.begin({**FACTS, "question": "two"})
        with pytest.raises(UnusableFile, match="something else"):
            other.begin()


def test_a_file_that_is_being_begun_is_somebody_elses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kbrules.tools.simulate.results_file._TIMEOUT_SECONDS", 0.01)
    path = tmp_path / "games.sqlite"
    with Games(path) as one, Games(path) as two:
        one.begin()
        with one._writing(), pytest.raises(UnusableFile, match="somebody else is playing"):
            two.begin()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such locks")
def test_a_log_is_written_by_one_process(tmp_path: Path) -> None:
    path = tmp_path / "game.kblog"
    typed = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(typed, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdin is not None and holder.stdout is not None
        holder.stdout.readline()
        for attempt in (LogFile, refuse_in_use):
            with pytest.raises(OSError, match="is playing a game into it") as refused:
                attempt(path)
            if sys.platform == "linux":
                assert f"process {holder.pid} " in str(refused.value)
        holder.stdin.close()
    assert path.read_text(encoding="utf-8") == "theirs\n"
    refuse_in_use(path)
    with LogFile(path) as log:
        log.write("mine\n")
    assert path.read_text(encoding="utf-8") == "mine\n"

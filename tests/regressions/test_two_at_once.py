"""Two people at one file in the same moment: one of them is refused, and nothing is mixed."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from kbrules.engine.logs.writing import LogFile, refuse_in_use
from kbrules.tools.simulate.question import QuestionTables
from kbrules.tools.simulate.results_file import DealSpan, OtherQuestion, Store, UnusableFile
from kbrules.tools.simulate.run import play
from tests.tools.simulate.small import fell, question

HOLDER = """
import sys
from pathlib import Path
from kbrules.engine.logs.writing import LogFile
with LogFile(Path(sys.argv[1])) as log:
    log.write("theirs\\n")
    print("open", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def tables(tmp_path: Path) -> QuestionTables:
    return QuestionTables(question(fell(tmp_path / "fell")))


def test_two_runs_that_begin_a_file_at_once_share_it_or_are_told(
    tmp_path: Path, tables: QuestionTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.sqlite"
    other = QuestionTables(replace(tables.question, seed=1), tables.rulesets)
    with Store(path) as one, Store(path) as two, Store(path) as three, Store(path) as four:
        one.begin(tables)
        two.begin(tables)
        one.add(play(tables, DealSpan(0, 1)))
        with pytest.raises(UnusableFile, match="somebody else is playing the same games"):
            two.add(play(tables, DealSpan(0, 1)))
        with pytest.raises(OtherQuestion, match="another question"):
            three.begin(other)
        monkeypatch.setattr("kbrules.tools.simulate.results_file._FORMAT", "2")
        with pytest.raises(UnusableFile, match="something else"):
            four.begin(tables)


def test_a_file_that_is_being_begun_is_somebody_elses(
    tmp_path: Path, tables: QuestionTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kbrules.tools.simulate.results_file._TIMEOUT_SECONDS", 0.01)
    path = tmp_path / "games.sqlite"
    with Store(path) as one, Store(path) as two:
        one.begin(tables)
        with one._writing(), pytest.raises(UnusableFile, match="somebody else is playing"):
            two.begin(tables)


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

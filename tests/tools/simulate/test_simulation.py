"""A simulation in one call is that of the command, whoever plays."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from kbrules.tools.ladder import ladder_report, pairings
from kbrules.tools.simulate.question import Question, QuestionTables, Side
from kbrules.tools.simulate.report import simulate
from kbrules.tools.simulate.results_file import OtherQuestion
from kbrules.tools.simulate.run import Store
from tests.tools.simulate.small import fell, play_into, question, told


class CountingExecutor(ThreadPoolExecutor):
    """Counts what it was given to do."""

    submitted = 0

    def submit(self, *given: Any, **named: Any) -> Future[Any]:
        """Count it, and do it."""
        self.submitted += 1
        return super().submit(*given, **named)


@pytest.fixture
def asked(tmp_path: Path) -> Question:
    return question(fell(tmp_path / "fell"), ("rowers",))


def test_an_executor_plays_the_same_games_and_stays_open(asked: Question, tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite"
    with CountingExecutor(2) as executor:
        report = simulate(asked, 12, file, executor, jobs=2)
        assert executor.submitted > 0
        assert executor.submit(len, report.lines).result() > 0
    assert report.data == simulate(asked, 12).data
    with Store(file) as store, Store() as expected:
        play_into(expected, QuestionTables(asked), 12)
        assert told(store) == told(expected)


def test_what_a_file_has_is_not_played_again(asked: Question, tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite"
    simulate(asked, 5, file)
    with ThreadPoolExecutor(1) as executor:
        executor.shutdown()
        assert simulate(asked, 5, file, executor).data["deals"] == 5
    with pytest.raises(OtherQuestion):
        simulate(question(tmp_path / "fell", ("gulls",)), 5, file)


def test_another_report_can_be_made_of_the_answer(asked: Question) -> None:
    bots = Question((Side((), asked.sides[0].folders),), 2, pairings(("random", "greedy")))
    assert "8 games" in simulate(bots, 4, report=ladder_report).lines[0]

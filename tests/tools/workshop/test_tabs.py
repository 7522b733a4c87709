"""Several tabs on one folder, and parts of the session that do not hold up each other."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from kbrules.tools.workshop.session import LiveSession, ProcessSession, WorkshopSession
from kbrules.tools.workshop.writing import WorkingCopy
from tests.tools.workshop.asking import RULES, refused, result_of
from tests.tools.workshop.ending import Ending


def test_nobody_writes_over_a_text_that_he_does_not_know(
    session: WorkshopSession, folder: Path
) -> None:
    text = result_of(session, "text", path=RULES, tab="one")["text"]
    assert result_of(session, "text", path=RULES, tab="two")["text"] == text
    result_of(session, "edit", path=RULES, text=text + "# one\n", tab="one")
    result_of(session, "edit", path=RULES, text=text + "# one.\n", tab="one")
    assert refused(session, "edit", path=RULES, text=text + "# two\n", tab="two") == "KB008"
    assert result_of(session, "changes", tab="two")["files"] == [RULES]
    assert result_of(session, "changes", tab="one")["files"] == []
    assert result_of(session, "text", path=RULES, tab="two")["text"].endswith("# one.\n")
    result_of(session, "edit", path=RULES, text=text + "# two\n", tab="two")
    assert refused(session, "syntax", path=RULES, text=text, tab="one") == "KB008"
    result_of(session, "save", path=RULES, tab="two")
    assert (folder / RULES).read_text().endswith("# two\n")


def test_each_tab_is_told_what_changed_on_disk(session: WorkshopSession, folder: Path) -> None:
    for tab in ("one", "two"):
        result_of(session, "text", path=RULES, tab=tab)
    (folder / RULES).write_text("# other\n")
    for tab in ("one", "two"):
        assert result_of(session, "changes", tab=tab)["files"] == [RULES]


@pytest.fixture
def live(folder: Path, tmp_path: Path) -> Iterator[LiveSession]:
    root = tmp_path / "place" / "dale"
    root.mkdir(parents=True)
    session = LiveSession(WorkingCopy(folder, root))
    yield session
    session.close()


def test_who_writes_does_not_wait_for_a_game(live: LiveSession) -> None:
    with live._playing._lock, live._measuring._lock:  # as while a bot thinks
        assert result_of(live, "edit", path=RULES)["findings"][RULES] == []


def test_a_process_that_is_ended_is_told_and_made_anew(tmp_path: Path) -> None:
    part = ProcessSession(Ending, tmp_path)
    first = result_of(part, "view")["pid"]
    assert first != os.getpid()
    assert refused(part, "end") == "KB058"
    assert result_of(part, "view")["pid"] != first
    part.close()

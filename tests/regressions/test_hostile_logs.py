"""Logs that keep the computer busy are refused before anything is laid or played."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kbrules.engine.logs import writing as files
from kbrules.engine.logs.replay import replay
from kbrules.game.board import MAX_SIDE
from tests.engine.games import base
from tests.engine.test_replay import LOG, changed, played_again, read

SECTION = json.loads(LOG.lines[0])["layout"].split("/")[0].split()[0]
ROW = " ".join([SECTION] * 100)
Change = Callable[[dict[str, Any]], Any]

CASES: dict[str, tuple[int, Change, str, str]] = {
    "a square table": (
        0, lambda line: line.update(layout="/".join([ROW] * 50)), "KB510",
        "a table has at most 4 x 4 sections, not 50 x 100",
    ),
    "a row of sections": (
        0, lambda line: line.update(layout=" ".join([ROW] * 60)), "KB510",
        "a table has at most 4 x 4 sections, not 1 x 6000",
    ),
    "a line without end": (
        1, lambda line: line.update(move="a" * 1_000_000), "KB510",
        "`move` must be a text of at most 500 characters",
    ),
    "a line of five million letters": (
        1, lambda line: line.update(move="a" * 5_000_000), "KB510",
        "line 2 is longer than 4194304 letters",
    ),
    "a move without end": (
        1, lambda line: line.update(move="build a1 " * 6000), "KB510",
        "`move` must be a text of at most 500 characters",
    ),
    "a move of many words": (
        1, lambda line: line.update(move="build a1 " * 50), "KB501",
        "move 1 cannot be read: a move has at most 20 words, not 100",
    ),
    "a list of cards": (
        0, lambda line: line.update(cards=["c"] * 5000), "KB510",
        "`cards` must be a list of at most 200 texts",
    ),
    "a list of boxes": (
        0, lambda line: line.update(boxes=["b"] * 5000), "KB510",
        "`boxes` must be a list of at most 200 texts",
    ),
    "many options": (
        0, lambda line: line.update(options={f"o{n}": True for n in range(3000)}), "KB510",
        "`options` must be at most 200 names with true, false or a number",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_log_that_is_too_large_is_refused_at_once(case: str) -> None:
    line, change, code, message = CASES[case]
    first = played_again(changed(line, change))[1][0]
    assert first.code == code and message in first.message


@pytest.mark.parametrize(("limit", "most"), [("MAX_LENGTH", 40), ("MAX_BYTES", 100)])
def test_a_log_that_could_not_be_read_again_is_not_written(
    limit: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, limit, most)
    path = tmp_path / "game.kblog"
    with pytest.raises(OSError, match="could not be replayed"):
        files.write_log(path, LOG.lines)
    assert not path.exists()
    with files.LogFile(path) as log:
        log.write("a\n")
        with pytest.raises(OSError, match="could not be replayed"):
            log.write("a" * 101)
    assert path.read_text(encoding="utf-8") == "a\n"


def test_the_largest_table_is_only_another_table() -> None:
    row = " ".join([SECTION] * MAX_SIDE)
    log, _ = read(changed(0, lambda line: line.update(layout="/".join([row] * MAX_SIDE))))
    assert log is not None
    found = replay(base(), log).findings
    assert [each.code for each in found] == ["KB511"] and "sections" not in found[0].message


def test_rules_of_many_boxes_are_not_listed_without_end() -> None:
    names = [f"box{n}" for n in range(150)]
    log, _ = read(changed(0, lambda line: line.update(boxes=names, rules="0" * 32)))
    assert log is not None
    (found,) = replay(base(), log).findings
    assert "138 more" in found.help and len(found.help) < 400

"""Clocks that go backwards, stand or jump while commands run: what comes of them is the same."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from cli import app
from kbrules.library.load import load
from kbrules.library.store import Files
from tests.faults.cases import CASES
from tests.faults.forked import command, run
from tests.faults.test_full_disk import content

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no forks")

DAY = 86_400.0
CLOCKS: dict[str, Callable[[int], float]] = {
    "backwards": lambda call: DAY - call,
    "standing": lambda call: DAY,
    "jumping": lambda call: DAY * (call % 2),
}
"""What a clock says when it is asked the n-th time."""
FUNCTIONS = ("time", "monotonic", "perf_counter")
PLAYED = ("fmt", "check", "play", "simulate", "balance")


def odd_clock(tells: Callable[[int], float], functions: tuple[str, ...] = FUNCTIONS) -> None:
    """Put a clock in the place of those that all modules know."""
    calls = count()
    for name in functions:
        true = getattr(time, name)
        for module in [*sys.modules.values()]:
            if getattr(module, name, None) is true:
                setattr(module, name, lambda: tells(next(calls)))


def laid(name: str, folder: Path) -> Path:
    assert load("base") and app.app
    folder.mkdir()
    CASES[name].prepare(folder)
    return folder


@pytest.mark.parametrize("name", PLAYED)
@pytest.mark.parametrize("clock", CLOCKS)
def test_what_is_counted_out_does_not_depend_on_clocks(
    clock: str, name: str, tmp_path: Path
) -> None:
    case = CASES[name]
    usual, odd = laid(name, tmp_path / "usual"), laid(name, tmp_path / "odd")
    wanted = run(case.work, usual)
    ended = run(case.work, odd, lambda: odd_clock(CLOCKS[clock]))
    assert ended == wanted and ended.code == case.good
    assert case.rows(odd) == case.rows(usual)
    if name not in ("simulate", "balance"):  # whose files say how long it took
        assert content(odd) == content(usual)


def test_a_run_of_some_seconds_ends_when_the_wall_clock_goes_backwards(tmp_path: Path) -> None:
    words = ("--bots", "random", "--within", "0.5", "--no-file", "--jobs", "1")
    folder = laid("simulate", tmp_path / "odd")
    work = command("simulate", "--card", "rowers", "--with", "dale", *words)
    assert run(work, folder, lambda: odd_clock(CLOCKS["backwards"], ("time",))).code == 0


@pytest.mark.parametrize("shift", [-DAY, -1e-6, 1e-6, DAY])
def test_a_file_of_another_time_is_read_again(shift: float, tmp_path: Path) -> None:
    file, files = tmp_path / "a.kb", Files()
    file.write_text('define near "One": adjacent(mine)\n', encoding="utf-8")
    before = files.rules(file)
    moment = file.stat().st_mtime_ns
    with file.open("r+", encoding="utf-8") as opened:  # as long as before, and in the same place
        opened.write('define wide "One": adjacent(mine)\n')
    os.utime(file, ns=(moment, moment + round(shift * 1e9)))
    after = files.rules(file)
    assert before.source is not None and after.source is not None
    assert (before.source.text[7:11], after.source.text[7:11]) == ("near", "wide")


def test_a_kept_kernel_of_another_time_means_the_same(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    work = CASES["kernel"].work
    assert run(work, tmp_path).code == 0
    kept = sorted(path for path in (tmp_path / "cache").rglob("*"))
    for shift in (-DAY, DAY):
        for path in kept:
            os.utime(path, (time.time() + shift,) * 2)
        assert run(work, tmp_path).code == 0
        assert sorted(path for path in (tmp_path / "cache").rglob("*")) == kept

"""Commands are ended by signals at any moment: files are old or new, and the next command goes on.

Moments are counted, not timed: before and after each function that changes what is on a disk. A
share of the signals comes after a while that is drawn, also inside of such a function.
"""

from __future__ import annotations

import shutil
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import perf_counter

import pytest

from cli import app
from kbrules.library.load import load
from tests.faults.cases import CASES, Case, Held
from tests.faults.forked import Ended, moments, names, run, strike_at

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")

SENT = (*(signal.SIGKILL,) * 8, signal.SIGTERM, signal.SIGINT)
INTERRUPTED = 130
KILLS = {
    "fmt": 130, "check": 110, "play": 130, "journal": 130, "simulate": 120, "balance": 110,
    "docs": 50, "lock": 80, "kernel": 80,
}  # fmt: skip
"""How often each is killed in the long run; the others of the thousand are in `test_processes`."""


@dataclass(frozen=True)
class Bench:
    """A case with a folder in which it went well, and one in which it is killed."""

    case: Case
    whole: Path
    killed: Path
    moments: int
    seconds: float

    def anew(self) -> Path:
        """The folder as the command finds it."""
        shutil.rmtree(self.killed, ignore_errors=True)
        self.killed.mkdir()
        self.case.prepare(self.killed)
        return self.killed


def bench_of(case: Case, place: Path) -> Bench:
    assert load("base") and app.app  # read here once, and not in each fork
    whole, counted = place / "whole", place / "counted"
    for folder in (whole, counted):
        folder.mkdir()
        case.prepare(folder)
    begun = perf_counter()
    ended = run(case.work, whole, typed=case.typed)
    seconds = perf_counter() - begun
    assert ended.code == case.good, ended.said
    number = moments(case.work, counted, case.typed)
    return Bench(case, whole, place / "killed", number, seconds)


def strikes(bench: Bench, count: int, random: Random) -> Iterator[tuple[Ended, str]]:
    """Strike a command so often; how it ended, and what was done to it."""
    case = bench.case
    in_order = random.sample(range(1, bench.moments + 1), min(count, bench.moments))
    for turn in range(count):
        folder, sent = bench.anew(), random.choice(SENT)
        if turn % 4 == 3:
            end = random.random() * bench.seconds, sent
            ended = run(case.work, folder, typed=case.typed, end=end)
            yield ended, f"{sent!r} after {end[0]:.4f} s"
        else:
            at = in_order[turn % len(in_order)]
            yield run(case.work, folder, strike_at(at, sent), case.typed), f"{sent!r} at {at}"


def hold(bench: Bench, ended: Ended, how: str) -> None:
    """What must hold of a command that was killed, and of the next one."""
    case, folder = bench.case, bench.killed
    good = (case.good, INTERRUPTED, -signal.SIGKILL, -signal.SIGTERM)
    assert ended.code in good and not ended.is_a_fault_of_ours, (how, ended)
    old, new, now = _before(bench), case.held(bench.whole), case.held(folder)
    for name, held in now.items():
        assert held in (old[name], new[name], {}) if name == "site" else held in (
            old[name], new[name],
        ), (how, name)  # fmt: skip
    case.check(folder, bench.whole)
    (_go_on_with_log if case.typed else _go_on)(bench, new, how)


def _go_on(bench: Bench, new: dict[str, Held], how: str) -> None:
    """The next command does all that the one that was killed was to do, and clears up."""
    case, folder = bench.case, bench.killed
    went_on = case.go_on(folder)
    assert went_on.code == case.good and not went_on.is_a_fault_of_ours, (how, went_on)
    assert case.held(folder) == new, how
    assert names(folder) == names(bench.whole), how
    assert case.rows(folder) == case.rows(bench.whole), how


def _go_on_with_log(bench: Bench, _: dict[str, Held], how: str) -> None:
    """A game goes on with its whole lines, if its header is one of them; bots draw anew."""
    case, log = bench.case, bench.killed / "g"
    lines = log.read_bytes().splitlines(keepends=True) if log.exists() else []
    kept = b"".join(line for line in lines if line.endswith(b"\n"))
    went_on = case.go_on(bench.killed)
    if kept:
        assert went_on.code == case.good and not went_on.is_a_fault_of_ours, (how, went_on)
        assert log.read_bytes().startswith(kept), how
        assert names(bench.killed) == names(bench.whole), how
    else:
        assert went_on.code == 2 and went_on.is_told, (how, went_on)


def _before(bench: Bench) -> dict[str, object]:
    place = bench.killed.with_name("before")
    if not place.exists():
        place.mkdir()
        bench.case.prepare(place)
    return dict(bench.case.held(place))


def strike_often(name: str, count: int, place: Path) -> None:
    if name == "kernel":
        pytest.importorskip("numba")
    bench = bench_of(CASES[name], place)
    random = Random(name)
    for ended, how in strikes(bench, count, random):
        hold(bench, ended, how)


@pytest.mark.parametrize("name", CASES)
def test_a_command_that_is_ended_leaves_whole_files(name: str, tmp_path: Path) -> None:
    strike_often(name, 4, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_a_thousand_kills(name: str, tmp_path: Path) -> None:
    strike_often(name, KILLS[name], tmp_path)

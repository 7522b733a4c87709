"""Programs with workers are killed: no process stays, and the same command goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from tests.faults.cases import CASES, Case, dale
from tests.faults.forked import names
from tests.source_tree import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="who is alive is read in /proc")

PATIENCE = 30.0  # seconds until what was killed is gone
PROGRAM = (sys.executable, "-m", "kbrules")
SPLIT = ("--bots", "random", "--games", "12", "--into", "s.sqlite", "--jobs", "2")
WORDS = {
    "simulate": ("simulate", "--with", "dale", "--card", "rowers", *SPLIT),
    "balance": ("balance", "rowers", "--with", "dale", *SPLIT),
}


def begun(folder: Path, words: tuple[str, ...]) -> subprocess.Popen[bytes]:
    """The program in a session of its own, so that what it leaves can be found."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [*PROGRAM, *words], cwd=folder, env=environment, start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip


def done(folder: Path, words: tuple[str, ...]) -> None:
    """Run the program to its end, which is good."""
    with begun(folder, words) as program:
        said = program.communicate()[1]
    assert program.returncode == 0, said


def alive(session: int) -> list[int]:
    """The processes of a session that still run."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            fields = (place / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(place.name))
    return found


def wait_until_gone(session: int) -> None:
    until = time.monotonic() + PATIENCE
    while alive(session) and time.monotonic() < until:
        time.sleep(0.02)
    assert alive(session) == []


def kill_often(name: str, count: int, place: Path) -> None:
    whole, case, random = place / "whole", CASES[name], Random(name)
    whole.mkdir()
    dale(whole)
    at = time.monotonic()
    done(whole, WORDS[name])
    seconds = time.monotonic() - at
    for number in range(count):
        folder = place / str(number)
        folder.mkdir()
        dale(folder)
        kill(case, folder, whole, name, random.random() * seconds, random.choice(SENT))


SENT = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)


def kill(case: Case, folder: Path, whole: Path, name: str, after: float, sent: int) -> None:
    with begun(folder, WORDS[name]) as program:
        try:
            program.wait(after)
        except subprocess.TimeoutExpired:
            program.send_signal(sent)
        said = program.communicate()[1].decode()
    assert program.returncode in (0, -sent, 130), (after, sent, said)
    assert "Traceback" not in said and "KB901" not in said, (after, sent, said)
    wait_until_gone(program.pid)
    case.check(folder, whole)
    done(folder, WORDS[name])
    assert case.rows(folder) == case.rows(whole) and names(folder) == names(whole)


def test_no_worker_outlives_a_killed_program(tmp_path: Path) -> None:
    kill_often("simulate", 1, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", WORDS)
def test_thirty_kills(name: str, tmp_path: Path) -> None:
    kill_often(name, 30, tmp_path)
